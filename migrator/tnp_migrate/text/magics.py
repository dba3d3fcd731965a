"""What IPython takes and Python does not: magics, shell lines, questions. Each gets a stand-in that Python can parse.

Input `%matplotlib inline`, output `__kept_0__` with the note what it stands for; `files = !ls` becomes
`files = __kept_0__()`, and `%time x = f(y)` is `__kept_0__; x = f(y)`, of which the statement can be translated.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

_CELL_MAGIC = re.compile(r"\s*(%%(?P<name>\S+)[^\n]*)(?:\n|$)")
# Their bodies are statements of the notebook's own.
_RUNS_CODE = frozenset("time timeit capture prun memit mprun lprun snakeviz heat pyinstrument scalene".split())
_TIMED_LINE = re.compile(
    r"(?P<indent>\s*)(?P<magic>%(?P<name>time|timeit)(?:[ \t]+-(?:[nrp][ \t]*\d+|[a-z]))*[ \t]+)(?=\S)"
)
_ASSIGNED = re.compile(r"\s*(?:\([\w\s,.]+\)|[\w\s,.*\[\]'\"]+?)\s*=\s*(?P<magic>[!%](?![=%\s]).*)", re.DOTALL)
_LINE = re.compile(r"\s*(?P<magic>[!%](?!=).*|\?{1,2}[^\s?].*)", re.DOTALL)
_QUESTION = re.compile(r"\s*(?P<magic>(?:[\w.\s,]+=\s*)?%{0,2}(?!\d)[\w.*]+(?:\.\w+|\[-?\d+\])*\?{1,2})\s*")
# Of which it is known that no variable of the notebook hangs on them.
_HARMLESS = frozenset(
    "matplotlib config load_ext reload_ext autoreload pip conda mamba cd pwd ls who whos time timeit precision env "
    "set_env xmode pinfo pinfo2 history hist logstart logstop alias colors doctest_mode pprint".split()
)


class NotPython(Exception):
    """A cell that is no Python, magics apart: `line` is where; `foreign` says that it means to be something else."""

    def __init__(self, message: str, line: int = 1, *, foreign: bool = False) -> None:
        super().__init__(message)
        self.line = line
        self.foreign = foreign


@dataclass(frozen=True)
class Kept:
    """Text that stays as it is: its stand-in, and what is known of it.

    It may leave the notebook's variables alone for sure (`harmless`), or begin a line that runs in a function of its
    own, `timed`.
    """

    text: str
    standin: str
    harmless: bool = False
    timed: bool = False


@dataclass(frozen=True)
class Masked:
    """A source that parses, line for line the user's; `timed` when all of it runs in a function that is timed."""

    text: str
    kept: tuple[Kept, ...] = ()
    timed: bool = False


def mask(source: str, prefix: str) -> Masked:
    """Put stand-ins, which begin with `prefix`, for what is not Python; `NotPython` where that is not enough."""
    if _parses(source):
        return Masked(source)
    masking = _Masking(prefix)
    found = _CELL_MAGIC.match(source)
    if found is None:
        text = masking.lines(source)
    elif found["name"] not in _RUNS_CODE:
        raise NotPython(f"`%%{found['name']}` is given the cell", foreign=True)
    else:
        rest = source[found.end(1) :]
        head = masking.standin(found[1], harmless=True)
        text = source[: found.start(1)] + head + (rest if _parses(rest) else masking.lines(rest))
    problem = _problem(text)
    if problem is not None:
        raise problem
    return Masked(text, tuple(masking.kept), timed=found is not None and found["name"] == "timeit")


def unmask(text: str, kept: tuple[Kept, ...]) -> str:
    """Put back what stand-ins stand for; `ValueError` where one is not there exactly once."""
    for one in kept:
        if text.count(one.standin) != 1:
            raise ValueError(f"{one.text} would be lost")
        text = text.replace(one.standin, one.text)
    return text


class _Masking:
    """The stand-ins of one cell."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.kept: list[Kept] = []

    def standin(self, text: str, *, harmless: bool, then: str = "", timed: bool = False) -> str:
        name = f"{self.prefix}{len(self.kept)}__"
        standin = (name if harmless else f"{name}()") + then
        standin += "\n" * text.count("\n")  # as many lines as the user wrote
        self.kept.append(Kept(text, standin, harmless=harmless, timed=timed))
        return standin

    def lines(self, source: str) -> str:
        """Mask the lines that are no part of a statement that an earlier line has begun."""
        done: list[str] = []
        for line in _joined(source):
            done.append(line if not _may_be_magic(line) or _is_inside("".join(done)) else self._line(line))
        return "".join(done)

    def _line(self, line: str) -> str:
        body = line.removesuffix("\n")
        end = line[len(body) :]
        timed = _TIMED_LINE.match(body)
        if timed is not None and _parses(body[timed.end() :]):
            standin = self.standin(timed["magic"], harmless=True, then="; ", timed=timed["name"] == "timeit")
            return timed["indent"] + standin + body[timed.end() :] + end
        for form in (_QUESTION, _ASSIGNED, _LINE):
            found = form.fullmatch(body)
            if found is not None:
                magic = found["magic"].rstrip()
                start = found.start("magic")
                harmless = form is not _ASSIGNED and _is_harmless(magic)
                return body[:start] + self.standin(magic, harmless=harmless) + body[start + len(magic) :] + end
        return line


def _is_harmless(magic: str) -> bool:
    found = re.match(r"%{1,2}(\w+)", magic)
    return magic[0] == "!" or magic[0] == "?" or magic[-1] == "?" or (found is not None and found[1] in _HARMLESS)


def _joined(source: str) -> Iterator[str]:
    """Lines with their ends; a magic or shell line that ends with a backslash goes on."""
    lines = iter(re.findall(r"[^\n]*\n|[^\n]+", source))
    for line in lines:
        whole = line
        while re.match(r"\s*[!%]", whole) and whole.rstrip("\n").endswith("\\"):
            following = next(lines, None)
            if following is None:
                break
            whole += following
        yield whole


def _may_be_magic(line: str) -> bool:
    return bool(re.match(r"\s*[!%?]|.*=\s*[!%]|.*\?\s*$", line)) and not line.lstrip().startswith("#")


def _is_inside(text: str) -> bool:
    """Whether a text breaks off within a statement: brackets or a string are open, or a backslash joins the lines."""
    if text.endswith("\\\n"):
        return True
    try:
        list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        return "multi-line" in str(error) or "triple-quoted" in str(error)
    return False


def _parses(text: str) -> bool:
    return _problem(text) is None


def _problem(text: str) -> NotPython | None:
    """Why a text is no Python; None where it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text.encode().decode())
        except SyntaxError as error:
            return NotPython(f"does not parse: {error.msg}", error.lineno or 1)
        except (ValueError, RecursionError, MemoryError) as error:
            return NotPython(f"does not parse: {str(error) or type(error).__name__}")
    return None
