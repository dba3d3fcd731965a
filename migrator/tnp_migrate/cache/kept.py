"""One run and its entry: looked up before anything is analysed, kept when all is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tnp_migrate.cache import store
from tnp_migrate.cache.keys import key_of
from tnp_migrate.cache.results import Results, pack, texts_of, unpack
from tnp_migrate.program.config import Config
from tnp_migrate.rewriting.files import File

WORTH = 1_000  # lines of a project: less is analysed as fast as it is looked up


@dataclass(frozen=True)
class Kept:
    """The place of a run's results: the name of its entry, and the texts that the run has read."""

    key: str
    texts: Mapping[str, bytes]

    def results(self) -> Results | None:
        """What an earlier run with the same inputs has found; None where nothing is known, or can be read."""
        data = store.read(self.key)
        if data is None:
            return None
        try:
            return unpack(data, self.texts)
        except ValueError:
            store.drop(self.key)
            return None

    def keep(self, results: Results) -> None:
        """Keep what a run has found, but for mistakes of ours, which another run may not make."""
        if not any(finding.code == "TNP910" for one in results.made.values() for finding in one.report.findings):
            store.write(self.key, pack(results, self.texts))


def kept_for(
    files: Sequence[File],
    on_disk: Mapping[Path, bytes],
    config: Config,
    is_given: Callable[[Path], bool],
    *,
    rewrite: bool,
) -> Kept | None:
    """The place of the results of a run over files; None where looking them up costs more than finding them."""
    if sum(one.source.data.count(b"\n") for one in files) < WORTH:
        return None
    try:
        return Kept(key_of(files, on_disk, config, is_given, rewrite=rewrite), texts_of(files))
    except OSError:  # the tool cannot read itself
        return None
