"""The command of this checkout, whether it is installed or not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL: tuple[str, ...] = (sys.executable, "-m", "tnp_migrate")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(ROOT / "migrator"), str(ROOT / "rules"), os.environ.get("PYTHONPATH", "")]),
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
