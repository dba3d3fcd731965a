"""What `--version` says: the tool's version, and those of what it and the code that it writes stand on."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

from tnp_migrate import __version__


def versions() -> str:
    """A line for each; TensorFlow and NumPy, which the tool itself does not need, may not be installed."""
    lines = [f"tnp-migrate, version {__version__}", f"python {'.'.join(map(str, sys.version_info[:3]))}"]
    for name in ("click", "libcst", "pathspec", "tensorflow", "numpy"):
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name} not installed")
    return "\n".join(lines)
