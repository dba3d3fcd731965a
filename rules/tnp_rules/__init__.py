"""Rules: what each NumPy name becomes on TensorFlow, as functions that run and that are read as text."""

from __future__ import annotations

import re

__version__ = "0.1.0"


def require(version: str) -> None:
    """Raise ImportError where these are not the rules that a helper module was written for.

    They are, where the version is its own or a later one with the same first two numbers: names stay within those.
    """
    asked, here = (tuple(int(part) for part in re.findall(r"\d+", one)[:3]) for one in (version, __version__))
    if here[:2] != asked[:2] or here < asked:
        series = ".".join(version.split(".")[:2])
        raise ImportError(
            f"the helper module was written for tnp_rules {version}, and {__version__} is installed: "
            f'pip install "tnp-migrate=={series}.*,>={version}", or run tnp-migrate {__version__} over the project, '
            "which writes the helper module anew"
        )
