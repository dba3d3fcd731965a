"""Notebooks: bytes that stay, lines that have a place, what is no Python, and what the command makes of them."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from notebook_files import any_notebook, cell, notebook, sources

from tnp_migrate.backend.imports import above_the_first
from tnp_migrate.cli import main
from tnp_migrate.text.cells import read_cells
from tnp_migrate.text.magics import NotPython, mask, unmask
from tnp_migrate.text.notebooks import read_notebook
from tnp_migrate.text.source import Source, SourceError

IMPORTS = "import tensorflow.experimental.numpy as tnp\nimport _tnp_helpers as tnh"
FORMATS = ["text", "json", "sarif", "github", "gitlab", "markdown", "html"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def migrated(folder: Path, *cells: str, options: Sequence[str] = ()) -> list[str]:
    (folder / "a.ipynb").write_bytes(notebook(*cells))
    result = run("migrate", "a.ipynb", *options)
    assert result.exit_code in (0, 1), result.output
    return sources((folder / "a.ipynb").read_bytes())


# ---- the JSON


@settings(deadline=None)
@given(any_notebook())
def test_what_is_not_changed_keeps_its_bytes(made: tuple[bytes, Sequence[str]]) -> None:
    data, texts = made
    read = read_notebook(data)
    assert [one.source for one in read.cells] == list(texts)
    assert read.with_sources({}) == data
    assert read.with_sources({one.number: one.source for one in read.cells}, clear_outputs=True) == data


@settings(deadline=None)
@given(any_notebook())
def test_a_new_source_changes_nothing_else_and_back_is_the_same(made: tuple[bytes, Sequence[str]]) -> None:
    data, _ = made
    read = read_notebook(data)
    for one in read.cells:
        changed = read.with_sources({one.number: f'{one.source}\n# é \\ "new"\n'})
        document = json.loads(data)
        document["cells"][one.number - 1]["source"] = f'{one.source}\n# é \\ "new"\n'
        found = json.loads(changed)
        found["cells"][one.number - 1]["source"] = "".join(found["cells"][one.number - 1]["source"])
        assert list(found) == list(document)
        assert json.dumps(found) == json.dumps(document)
        if one.source:
            assert read_notebook(changed).with_sources({one.number: one.source}) == data


@settings(deadline=None)
@given(any_notebook())
def test_every_character_has_its_place_in_the_file(made: tuple[bytes, Sequence[str]]) -> None:
    data, _ = made
    read = read_notebook(data)
    lines = data.decode().split("\n")
    for one in read.cells:
        written = read.written(one)
        assert len(written) == len(one.source)
        assert "".join(json.loads(f'"{read.text[part.start : part.end]}"') for part in written) == one.source
        for offset, character in enumerate(one.source):
            line, column = read.place(one, offset)
            if character.isalnum() and character.isascii():
                assert lines[line - 1][column - 1] == character


def test_a_line_that_stays_keeps_the_way_it_is_written() -> None:
    data = b'{"cells": [{"cell_type": "code", "source": ["a = \'\\u00e9\\/\'\\n", "b"]}], "metadata": {}}'
    (one,) = read_notebook(data).cells
    assert read_notebook(data).with_sources({1: one.source.replace("b", "ü")}) == data.replace(b'"b"', b'"\\u00fc"')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["a"]', '["a\\n", "b"]'),
        ('[\n   "a"\n  ]', '[\n   "a\\n",\n   "b"\n  ]'),
        ('"a"', '"a\\nb"'),
        ('["a" ,"\\nc"]', '["a\\n" ,"b"]'),
    ],
)
def test_new_lines_are_laid_out_as_the_others(old: str, new: str) -> None:
    text = '{"cells": [{"cell_type": "code", "source": %s}], "metadata": {}}'
    assert read_notebook((text % old).encode()).with_sources({1: "a\nb"}) == (text % new).encode()


@pytest.mark.parametrize("text", ["numpy", '{"numpy": 1}', '["numpy"]', '{"cells": [{"numpy": 1}]}', "\ufeff{}", ""])
def test_what_is_no_notebook_is_an_error(text: str) -> None:
    with pytest.raises(SourceError, match="not a notebook"):
        read_notebook(text.encode())


# ---- magics


@pytest.mark.parametrize(
    ("source", "masked"),
    [
        ("%matplotlib inline\nx = 1", "__k0__\nx = 1"),
        ("x = 1\n  ", "x = 1\n  "),
        ("if x:\n    !ls {x}\n    y = 1", "if x:\n    __k0__\n    y = 1"),
        ("files = !ls *.py", "files = __k0__()"),
        ("a, b = %run_it 1", "a, b = __k0__()"),
        ("np.sum?", "__k0__"),
        ("?np.sum", "__k0__"),
        ("x = np.sum??", "__k0__"),
        ("%run other.py", "__k0__()"),
        ("%time x = f(y)", "__k0__; x = f(y)"),
        ("%timeit -n 10 -r3 f(y)", "__k0__; f(y)"),
        ("%timeit f(y) if", "__k0__"),
        ("%%time\nx = 1", "__k0__\nx = 1"),
        ("%%capture out\n%matplotlib inline\nx = 1", "__k0__\n__k1__\nx = 1"),
        ("x = (1\n  % 2)\n!ls", "x = (1\n  % 2)\n__k0__"),
        ("s = '''\n%no magic\n'''\n%magic", "s = '''\n%no magic\n'''\n__k0__()"),
        ("!ls \\\n  -l\nx", "__k0__\n\nx"),
        ("# why?\n!ls", "# why?\n__k0__"),
        ("await f()\nasync with a: pass", "await f()\nasync with a: pass"),
    ],
)
def test_what_is_not_python_has_stand_ins_and_comes_back(source: str, masked: str) -> None:
    found = mask(source, "__k")
    assert found.text == masked
    assert unmask(found.text, found.kept) == source
    ast.parse(found.text)


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("x = 1\nprint x", "does not parse", 2),
        ("%%bash\nls", "`%%bash` is given the cell", 1),
        ("%matplotlib inline\nx = (", "does not parse", 2),
    ],
)
def test_cells_that_are_no_python_say_why(source: str, message: str, line: int) -> None:
    with pytest.raises(NotPython, match=message) as caught:
        mask(source, "__k")
    assert caught.value.line == line


@settings(deadline=None)
@given(any_notebook())
def test_a_module_is_the_cells_line_for_line_and_gives_them_back(made: tuple[bytes, Sequence[str]]) -> None:
    cells = read_cells(read_notebook(made[0]))
    ast.parse(cells.body)
    assert cells.body.count(b"\n") == cells.shown.count(b"\n")
    assert cells.sources(cells.body) == ({one.cell.number: one.cell.source for one in cells.parts}, set())
    for part in cells.parts:
        for row, text in enumerate(part.cell.source.split("\n"), 1):
            assert cells.shown.decode().split("\n")[part.start + row - 1] == text
            for column in range(1, len(text) + 1):
                place = cells.place(part.start + row, column)
                assert (place.cell, place.line) == (part.cell.number, row)
                assert part.masked.kept or place.column == column


def test_text_like_our_comments_in_a_cell_begins_no_cell() -> None:
    cells = read_cells(read_notebook(notebook("s = '''\n# %% cell 7\n__kept_1_0__\n'''\n%x", "y")))
    assert cells.sources(cells.body)[0] == {1: "s = '''\n# %% cell 7\n__kept_1_0__\n'''\n%x", 2: "y"}


def test_other_kernels_cells_are_no_python() -> None:
    data = json.dumps({"cells": [cell("x <- 1")], "metadata": {"kernelspec": {"language": "R", "name": "ir"}}})
    assert read_cells(read_notebook(data.encode())).parts == ()


# ---- the command


def test_cells_are_one_module_in_order(folder: Path) -> None:
    found = migrated(
        folder, "text:# numpy", "import numpy as np", "def f(a):\n    a[0] = 1", "x = np.zeros(3)", "f(x)\nx"
    )
    assert found[1:] == [
        IMPORTS,
        "def f(a):\n    a = tnh.index_update(a, 0, 1)\n    return a",
        "x = tnp.zeros(3)",
        "x = f(x)\nx",
    ]


def test_only_changed_lines_of_the_json_differ_and_a_second_run_changes_nothing(folder: Path) -> None:
    cells = ["%matplotlib inline\nimport numpy as np\nimport os", "text:a", "x = np.ones(2)\n\n# end\n", "!ls", "1 + 1"]
    before = notebook(*cells).decode()
    migrated(folder, *cells)
    after = (folder / "a.ipynb").read_bytes().decode()
    assert set(before.split("\n")) - set(after.split("\n")) == {
        r'    "import numpy as np\n",',
        r'    "x = np.ones(2)\n",',
    }
    assert after.endswith("\n}\n")
    assert run("migrate", "a.ipynb").exit_code == 0
    assert (folder / "a.ipynb").read_bytes().decode() == after


def test_outputs_go_where_that_is_asked_for(folder: Path) -> None:
    migrated(folder, "import numpy as np", "np.ones(2)", options=["--clear-outputs"])
    cells = json.loads((folder / "a.ipynb").read_bytes())["cells"]
    assert [(one["outputs"], one["execution_count"]) for one in cells] == [([], None)] * 2
    (folder / "b.ipynb").write_bytes(notebook("1 + 1"))
    run("migrate", "b.ipynb", "--clear-outputs")
    assert (folder / "b.ipynb").read_bytes() == notebook("1 + 1")


def test_magics_stay_and_what_they_time_is_translated(folder: Path) -> None:
    found = migrated(
        folder,
        "%matplotlib inline\nimport numpy as np",
        "x = np.ones(3)\n%time y = np.median(x)\nfiles = !ls {x}",
        "%%time\nz = np.median(x)",
        "%%timeit -n 3\nnp.median(x)",
        "await g(np.median(x))\nx?",
    )
    assert found == [
        "%matplotlib inline\nimport numpy as np\n" + IMPORTS,
        "x = tnp.ones(3)\n%time y = tnh.median(x)\nfiles = !ls {x}",
        "%%time\nz = tnh.median(x)",
        "%%timeit -n 3\ntnh.median(x)",
        "await g(tnh.median(x))\nx?",
    ]


def test_imports_stay_for_what_is_left(folder: Path) -> None:
    found = migrated(folder, "import numpy as np", "x = np.ones(3)", "%prun np.dot(x, x)")
    assert found[0].startswith("import numpy as np\n")
    found = migrated(folder, "import numpy as np", "x = np.ones(3)", "print np.dot(x, x)")
    assert found[0].startswith("import numpy as np\n")


def test_timed_code_that_writes_is_left_and_named(folder: Path) -> None:
    cells = ["import numpy as np", "x = np.ones(3)", "%%timeit\nx[0] = 1", "%timeit y = np.median(x)"]
    found = migrated(folder, *cells)
    assert found[2] == cells[2]
    assert found[3] == "%timeit y = tnh.median(x)"
    found = migrated(folder, *cells[:2], "y = x\nx[0] = 1\n%timeit x[1] = 1\ny += np.median(x)")
    assert found[2].split("\n")[3:5] == ["%timeit x[1] = 1", "y = tnh.in_place(y, y + tnh.median(x))"]
    report = run("check", "a.ipynb").output
    (folder / "a.ipynb").write_bytes(notebook(*cells))
    report = run("migrate", "a.ipynb").output
    assert "a.ipynb:cell 3:1:1: TNP215 timed code" in report


def test_cells_that_do_not_parse_are_left_and_named_and_the_others_done(folder: Path) -> None:
    found = migrated(
        folder, "import numpy as np", "x = 1\nprint x", "y = np.ones(2)", "%%bash\nls", "%%cython\nimport numpy"
    )
    assert found[1:] == ["x = 1\nprint x", "y = tnp.ones(2)", "%%bash\nls", "%%cython\nimport numpy"]
    lines = run("check", "a.ipynb").output.split("\n")
    assert [line.partition(" does")[0] for line in lines if "TNP213" in line] == [
        "a.ipynb:cell 2:2:1: TNP213",
        "a.ipynb:cell 5:1:1: TNP213 `%%cython` is given the cell: it is left as it is",
    ]


def test_variables_may_be_looked_at_after_each_cell(folder: Path) -> None:
    found = migrated(folder, "import numpy as np", "a = np.ones(3)\nb = a", "a[0] = 2", "b = 1")
    assert found[2] == "a = tnh.index_update(a, 0, 2)\nb = a"


def test_a_script_in_cells_is_a_notebook_as_well(folder: Path) -> None:
    text = "# ---\n# jupyter:\n#   jupytext: {}\n# ---\n\n# %%\nimport numpy as np\n# %matplotlib inline\n\n"
    text += "# %% [markdown]\n# np\n\n# %%\na = np.ones(3)\nb = a\n# %%\na[0] = 2\n# %%\n# %prun np.dot(a, a)\n"
    (folder / "a.py").write_text(text)
    assert run("migrate", "a.py").exit_code == 0
    done = (folder / "a.py").read_text()
    assert "import numpy as np\nimport tensorflow.experimental.numpy as tnp\n" in done
    assert "# %%\na = tnh.index_update(a, 0, 2)\nb = a\n# %%\n# %prun np.dot(a, a)\n" in done
    assert done.startswith("# ---\n# jupyter:\n#   jupytext: {}\n# ---\n\n# %%\nimport")


def test_imports_go_into_the_first_cell_that_does_something() -> None:
    header = "# ---\n# jupyter:\n# ---\n\n# %% [markdown]\n# text\n\n# %%\n# comment\n"
    for text in (
        header,
        read_cells(read_notebook(notebook("%%time\n# text", "%matplotlib inline", "1"))).body.decode(),
    ):
        source = Source("a.py", f"{text}@name\ndef f(): ...\n".encode())
        before, after = source.body[: above_the_first(source)].decode(), source.body[above_the_first(source) :].decode()
        assert after.startswith(("@name", "1\n@name"))
        assert before + after == source.body.decode()


FINDS = ["import numpy as np", "text:a", "def f(x):\n    y = x\n    return np.lib.stride_tricks.as_strided(y, (2, 2))"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_the_cell_and_the_line_in_it(folder: Path, name: str) -> None:
    (folder / "a.ipynb").write_bytes(notebook(*FINDS))
    text = run("check", "a.ipynb", "--format", name).output
    assert "cell 3:3" in text or ('"cell": 3' in text and '"line": 3' in text)
    line = next(n for n, one in enumerate(notebook(*FINDS).decode().split("\n"), 1) if "as_strided" in one)
    column = notebook(*FINDS).decode().split("\n")[line - 1].index("np.lib") + 1
    if name == "sarif":
        results = json.loads(text)["runs"][0]["results"]
        result = next(one for one in results if one["ruleId"] == "TNP408")
        (location,) = result["locations"]
        assert location["physicalLocation"]["region"]["startLine"] == line
        assert location["physicalLocation"]["region"]["startColumn"] == column
        assert location["logicalLocations"] == [{"name": "cell 3", "fullyQualifiedName": "cell 3:3:12"}]
    if name == "github":
        assert f"file=a.ipynb,line={line},endLine={line},col={column}," in text


def test_lines_in_messages_are_those_of_cells(folder: Path) -> None:
    cells = ["import numpy as np", "x = np.zeros(3)\nq = []\nq.append(x)\nother(q)", "x[0] = 1"]
    (folder / "a.ipynb").write_bytes(notebook(*cells))
    text = run("check", "a.ipynb", "--select", "TNP308").output
    assert "`q` may hold the same memory as `x` (line 1 of cell 3 and line 3 of cell 2)" in text


def test_comments_and_settings_silence_findings(folder: Path) -> None:
    (folder / "a.ipynb").write_bytes(notebook(FINDS[0], FINDS[2] + "  # tnp: ignore[TNP408] seen"))
    assert run("check", "a.ipynb").exit_code == 0
    (folder / "a.ipynb").write_bytes(notebook(*FINDS))
    assert run("check", "a.ipynb").exit_code == 1
    (folder / "pyproject.toml").write_text('[tool.tnp-migrate]\nper-file-ignores = {"*.ipynb" = ["TNP4"]}\n')
    assert run("check", "a.ipynb").exit_code == 0
    (folder / "a.ipynb").write_bytes(notebook("import numpy as np", "print np.e", "# tnp: ignore-file[TNP213] old"))
    assert run("check", "a.ipynb").exit_code == 0


def test_diff_is_a_patch_that_names_cells(folder: Path) -> None:
    (folder / "a.ipynb").write_bytes(notebook("text:a", "import numpy as np", "x = np.ones(3)"))
    text = run("migrate", "a.ipynb", "--diff").stdout
    assert "@@ cell 2\n" in text
    assert '-    "import numpy as np"\n+    "import tensorflow.experimental.numpy as tnp\\n",\n' in text


def test_a_known_finding_stays_known_in_another_cell(folder: Path) -> None:
    (folder / "a.ipynb").write_bytes(notebook(*FINDS))
    run("check", "a.ipynb", "--write-baseline", "known.json")
    (folder / "a.ipynb").write_bytes(notebook("text:new", "1 + 1", *FINDS))
    assert run("check", "a.ipynb", "--baseline", "known.json").exit_code == 0


def test_a_notebook_and_the_modules_beside_it_are_one_project(folder: Path) -> None:
    (folder / "lib.py").write_text("import numpy as np\n\n\ndef clear(x):\n    x[:] = 0\n")
    (folder / "lib.ipynb").write_bytes(
        notebook("import numpy as np\nfrom lib import clear", "x = np.ones(2)\nclear(x)\nx")
    )
    assert run("migrate", ".").exit_code in (0, 1)
    assert sources((folder / "lib.ipynb").read_bytes())[1] == "x = tnp.ones(2)\nx = clear(x)\nx"


def test_in_a_package_a_notebook_still_imports_its_helpers_from_beside_it(folder: Path) -> None:
    (folder / "pkg").mkdir()
    (folder / "pkg/__init__.py").write_text("")
    (folder / "pkg/a.ipynb").write_bytes(notebook("import numpy as np", "np.median([1])"))
    run("migrate", "pkg/a.ipynb")
    assert "import _tnp_helpers as tnh" in sources((folder / "pkg/a.ipynb").read_bytes())[0]
    assert (folder / "pkg/_tnp_helpers.py").is_file()


def test_a_notebook_that_cannot_be_read_is_named_where_it_has_to_do_with_numpy(folder: Path) -> None:
    (folder / "a.ipynb").write_text('{"cells": numpy}')
    (folder / "b.ipynb").write_text("{}")
    result = run("check", ".")
    assert result.exit_code == 2
    assert "a.ipynb:1:1: TNP911" in result.output
    assert "b.ipynb" not in result.output
