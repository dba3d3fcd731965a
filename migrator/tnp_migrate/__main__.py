"""The command as a process of its own, as `tnp-migrate` or `python -m tnp_migrate`."""

import contextlib
import gc
import os
import sys
from typing import NoReturn

from tnp_migrate.cli import main


def run() -> NoReturn:
    """Run the command and end the process as soon as all is written, without freeing one by one what it has found out.

    That took seconds for a large project: to look through all of it for cycles, and then to free it.
    """
    gc.set_threshold(0)  # whatever enables it
    try:
        main(prog_name="tnp-migrate")
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # a reader that has gone
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    run()
