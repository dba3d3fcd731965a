"""Found by each Python of a recorded command, first on its path: starts the recorder, then makes way for the user's."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys


def load_recorder(hook: str) -> None:
    """Make the recorder importable without putting this tool's environment on the path of the user's program."""
    package = os.path.dirname(os.path.dirname(hook))  # noqa: PTH120  # pathlib is dear to import in each process
    if "tnp_migrate" not in sys.modules:
        init = os.path.join(package, "__init__.py")  # noqa: PTH118
        spec = importlib.util.spec_from_file_location("tnp_migrate", init, submodule_search_locations=[package])
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["tnp_migrate"] = module
        spec.loader.exec_module(module)


def chain(hook: str) -> None:
    """Run the `sitecustomize` that Python would have found without this one."""
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != hook]  # noqa: PTH100
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def main() -> None:
    """Start the recorder; what goes wrong in it is said, and the program runs on."""
    hook = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    load_recorder(hook)
    chain(hook)
    try:
        from tnp_migrate.proof.inside.start import start  # noqa: PLC0415

        start(hook)
    except Exception as error:  # noqa: BLE001
        sys.stderr.write(f"tnp-migrate record: this process is not recorded: {error!r}\n")


if __name__ == "sitecustomize":
    main()
