"""The kernels of a checkout of NPBench: finding, translating and feeding them."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tool import ENVIRONMENT, TOOL


def kernels(checkout: Path, names: list[str]) -> dict[str, tuple[Path, Path]]:
    """Find the kernels: name -> (description, folder)."""
    found = {}
    for path in sorted((checkout / "bench_info").glob("*.json")):
        info = json.loads(path.read_text(encoding="utf-8"))["benchmark"]
        folder = checkout / "npbench" / "benchmarks" / info["relative_path"]
        name = info["module_name"]
        if (not names or name in names) and (folder / f"{name}_numpy.py").exists():
            found[name] = (path, folder)
    return found


def translate(
    found: dict[str, tuple[Path, Path]], work: Path, stage: str = "backend", more: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Copy the kernels to work/before, translate them to work/after, and return the report."""
    shutil.rmtree(work, ignore_errors=True)
    before, after, report = work / "before", work / "after", work / "report.json"
    before.mkdir(parents=True)
    for name, (_, folder) in found.items():
        shutil.copy(folder / f"{name}_numpy.py", before)
    command: list[str | Path] = [*TOOL, "migrate", before, "--out-dir", after, "--stage", stage, *more]
    command += ["--format", "json", "--output", report]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if not report.exists():
        sys.exit(f"tnp-migrate failed with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return dict(json.loads(report.read_text(encoding="utf-8")))


def returned_parameters(report: dict[str, Any]) -> dict[str, list[str]]:
    """Find the parameters that a kernel now returns because it writes to them: kernel -> names.

    What it has always returned, as the finding says, is no result more.
    """
    found: dict[str, list[str]] = {}
    for finding in report["findings"]:
        name = Path(finding["path"]).stem.removesuffix("_numpy")
        if finding["code"] != "TNP310" or ", as before" in finding["message"]:
            continue
        if finding["symbol"] in ("kernel", name):
            found[name] = re.findall(r"`(\w+)`", finding["message"])[1:]
    return found


def load(path: Path) -> Any:
    """Import a file as a module under its own name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def inputs_of(info: dict[str, Any], folder: Path, preset: str | dict[str, Any]) -> dict[str, Any]:
    """Make the kernel's arguments by name, in the order of the call; sizes are a preset or given by name."""
    data = dict(info["parameters"][preset] if isinstance(preset, str) else preset)
    if info.get("init"):
        make = getattr(load(folder / f"{info['module_name']}.py"), info["init"]["func_name"])
        made = make(*(data[name] for name in info["init"]["input_args"]))
        names = info["init"]["output_args"]
        data.update(zip(names, made if len(names) > 1 else (made,), strict=True))
    return {name: data[name] for name in info["input_args"]}


def leaves(value: Any) -> list[Any]:
    """Flatten nested tuples and lists of results; None is no result."""
    if value is None:
        return []
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]
