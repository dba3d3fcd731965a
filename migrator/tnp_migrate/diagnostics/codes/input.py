"""9xx: some input could not be processed; the file is as it was."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

INPUT = (
    Code(
        "TNP901",
        "file does not parse",
        "error",
        "manual",
        "low",
        meaning="The file is not valid Python for the interpreter that runs this tool. It was left as it was.",
        why="Without a syntax tree nothing in the file can be told from text, so nothing is rewritten by guess.",
        before="""\
value = "an unclosed string was here"
""",
        after="""\
value = "a closed string"
""",
        advice="Correct the syntax error at the line given. Syntax newer than the interpreter needs a newer Python to "
        "run the tool; templates that only look like Python belong in `exclude`.",
    ),
    Code(
        "TNP902",
        "file cannot be decoded",
        "error",
        "manual",
        "low",
        meaning="The bytes of the file do not fit its encoding: UTF-8, or what its coding line says.",
        why="Decoding with replacement characters would change bytes that the tool promises not to touch.",
        before="""\
# -*- coding: latin-1 -*-
unit = "µm"
""",
        after="""\
unit = "µm"
""",
        advice="Save the file as UTF-8, or add the coding line that fits it.",
    ),
    Code(
        "TNP903",
        "file cannot be read",
        "error",
        "manual",
        "low",
        meaning="The operating system refused to open or read the file. The message quotes its reason.",
        why="A file that was skipped in silence would make the counts of the report wrong.",
        before="""\
import os

os.chmod("solver.py", 0o000)
""",
        after="""\
import os

os.chmod("solver.py", 0o644)
""",
        advice="Correct the permissions, or exclude the file.",
    ),
    Code(
        "TNP904",
        "file cannot be written",
        "error",
        "manual",
        "low",
        meaning="The translation exists but could not be put in place. The file has its old content, whole.",
        why="Files are replaced by renaming a finished temporary file beside them, which needs the right to write in "
        "the folder and space on the disk.",
        before="""\
import os

os.chmod("src", 0o555)
""",
        after="""\
import os

os.chmod("src", 0o755)
""",
        advice="Correct the permissions or free space, then run again; or write elsewhere with `--out-dir`.",
    ),
    Code(
        "TNP905",
        "output did not parse and was thrown away",
        "error",
        "manual",
        "low",
        meaning="The rewritten file failed the check that every output goes through, so the original was kept. This is "
        "a defect of the tool.",
        why="Each output is parsed again before it may replace the file.",
        before="""\
y = np.sqrt(x)
""",
        after="""\
y = np.sqrt(x)
""",
        advice="Please report it with the statement named in the message. The rest of the project goes on; `exclude` "
        "leaves the file out.",
    ),
    Code(
        "TNP906",
        "path does not exist",
        "error",
        "manual",
        "low",
        meaning="A path given on the command line is neither a file nor a folder.",
        why='A misspelt path that counted as "nothing to do" would look like success.',
        before="""\
import subprocess

subprocess.run(["tnp-migrate", "scr/"], check=True)
""",
        after="""\
import subprocess

subprocess.run(["tnp-migrate", "src/"], check=True)
""",
        advice="Correct the path.",
    ),
    Code(
        "TNP907",
        "symbolic links form a loop",
        "error",
        "manual",
        "low",
        meaning="Following a symbolic link led back to a folder that is being walked, or to nothing.",
        why="Following it on would never end; skipping it in silence might leave files out.",
        before="""\
import os

os.symlink("src", "src/again")
""",
        after="""\
import os

os.remove("src/again")
""",
        advice="Remove the link or exclude it.",
    ),
    Code(
        "TNP908",
        "code is nested too deeply",
        "error",
        "manual",
        "low",
        meaning="An expression or block is nested so deeply that Python's own parser, or the analysis, gives up.",
        why="Generated code has sums of thousands of terms; each term is one level of the syntax tree.",
        before="""\
total = a[0] + a[1] + a[2] + a[3]
""",
        after="""\
total = sum(a[:4])
""",
        advice="Exclude generated files and translate what generates them. Split hand-written expressions.",
    ),
    Code(
        "TNP909",
        "file is Python 2",
        "error",
        "manual",
        "medium",
        meaning="The file does not parse as Python 3 and has constructs of Python 2, such as the print statement.",
        why="A migrator for Python 3 would have to guess at integer division, text and bytes.",
        before="""\
exec("print 'mean', np.mean(x)")
""",
        after="""\
print("mean", np.mean(x))
""",
        advice="Port the file to Python 3 first, with 2to3 for example, and look at every `/` between integers.",
    ),
    Code(
        "TNP910",
        "internal error",
        "error",
        "manual",
        "low",
        meaning="The tool failed on this file, which was left as it was. The other files were done.",
        why="This is a defect of the tool. One file must not stop the others.",
        before="""\
y = np.sqrt(x)
""",
        after="""\
y = np.sqrt(x)
""",
        advice="Please report it with the last lines of the message, and exclude the file until then.",
    ),
    Code(
        "TNP911",
        "notebook cannot be read",
        "error",
        "manual",
        "low",
        meaning="The `.ipynb` file is not valid JSON, or not a notebook of format 4.",
        why="Whether its cells import NumPy can only be seen where the notebook's JSON is understood.",
        before="""\
import nbformat

nbformat.read("old.ipynb", as_version=3)
""",
        after="""\
import nbformat

nbformat.write(nbformat.read("old.ipynb", as_version=4), "old.ipynb")
""",
        advice="Open and save it with a current Jupyter, or convert it as shown. Merge conflicts inside the JSON have "
        "to be solved first.",
    ),
    Code(
        "TNP912",
        "file has uncommitted changes",
        "error",
        "manual",
        "low",
        meaning="The file would be rewritten in place, but has changes that are not committed. Nothing was written.",
        why="If the translation has to be undone, the version control system must have your own changes apart from it.",
        before="""\
import subprocess

subprocess.run(["tnp-migrate", "src/"], check=True)
""",
        after="""\
import subprocess

subprocess.run(["git", "commit", "-am", "before the migration"], check=True)
subprocess.run(["tnp-migrate", "src/"], check=True)
""",
        advice="Commit or stash first. `--allow-dirty` goes ahead all the same; `--diff` and `--out-dir` need no "
        "clean tree.",
    ),
    Code(
        "TNP920",
        "output would read a name that is not bound",
        "error",
        "manual",
        "low",
        meaning="The rewritten text would have read a name, such as `tnp`, at a place that its import has not reached "
        "when the module runs. The file was left as it was; the message has the name and the new line.",
        why="Python finds such a mistake only when the line runs, which may be far from the first test. So the order "
        "in which a module binds its names is checked in each file before it is written.",
        before="""\
def norm(v):
    del np
    import numpy as np

    return np.linalg.norm(v)
""",
        after="""\
import numpy as np


def norm(v):
    return np.linalg.norm(v)
""",
        advice="This is a mistake of the tool: please report the lines. Until it is corrected, import NumPy once, at "
        "the top of the file and not under a condition.",
    ),
    Code(
        "TNP921",
        "another file has the name of the helper module",
        "error",
        "manual",
        "low",
        meaning="`_tnp_helpers.py`, where the functions have to go that the translated code calls, is a file that this "
        "tool has not written, or a link to one elsewhere. Nothing was written.",
        why="Overwriting the file would lose it, adding to it would mix two modules, and without the helper module the "
        "translated files could not be imported.",
        before="""\
from mypackage import _tnp_helpers
""",
        after="""\
from mypackage import _other_helpers
""",
        advice="Rename the file and its imports, or delete it, and run again.",
    ),
)
