"""Random programs in which calls hand out stored memory; HANDED_OUT_PROGRAMS=1000 runs more of them."""

import os
from random import Random
from string import Template
from typing import Any

import numpy as np
import pytest
from handed_out_forms import Holder
from handed_out_pieces import HOLDERS
from handed_out_programs import Program, Writer, evaluate, generate
from handed_out_runs import Translated, Verdict, is_said, judge, shrink

from tnp_migrate.diagnostics.findings import Finding

COUNT = int(os.environ.get("HANDED_OUT_PROGRAMS", "60"))
SEED = 0


def test_results_are_those_of_numpy(tensorflow: Any) -> None:
    verdicts = [judge(generate(SEED, number)) for number in range(COUNT)]
    failed = [one for one in verdicts if one.failed]
    assert not failed, f"{len(failed)} of {COUNT}; one of them, shrunk:\n{shrink(failed[0]).program.text}"


def test_programs_that_only_read_are_native_and_none_is_wrong(tensorflow: Any) -> None:
    kinds = {judge(generate(SEED, number)).kind for number in range(12)}
    assert "native" in kinds
    assert "wrong" not in kinds


@pytest.mark.parametrize("layout", ["one", "from", "module", "alias", "package", "api"])
@pytest.mark.parametrize("kind", HOLDERS)
def test_holder_hands_out_arrays(kind: str, layout: str) -> None:
    module = {"module": "stores.", "alias": "st."}.get(layout, "")
    for form in HOLDERS[kind]:
        names = {"n": "0", "m": module, "new": "np.zeros((2, 3))"}
        parts = [Template(text).substitute(names) for text in (form.setup, *form.handed)]
        definition = Template(form.definition).substitute({**names, "m": ""})
        writer = Writer(Random(0), layout, {"0:": Holder(definition, parts[0], tuple(parts[1:]))})
        result = evaluate(writer.files(parts[0].splitlines(), f"return [{', '.join(parts[1:])}]"))
        assert result is not None
        assert all(isinstance(value, np.ndarray) for value in result)


def test_same_seed_gives_same_program() -> None:
    assert generate(3, 5) == generate(3, 5)
    assert generate(3, 5) != generate(3, 6)


def test_programs_have_every_holder_layout_and_statement() -> None:
    programs = [generate(SEED, number) for number in range(300)]
    assert {name for one in programs for name in one.holders} == set(HOLDERS)
    assert {name for one in programs for name in one.files} == {
        *("main.py", "stores.py", "tools.py", "api.py", "lab/stores.py", "lab/__init__.py"),
    }
    assert 25 < sum(one.reads_only for one in programs) < 90


def test_shrinking_keeps_the_write_that_is_lost() -> None:
    def judged(program: Program) -> Verdict:
        return Verdict(program, "wrong" if "[0] = 1" in program.text and "return [t" in program.text else "native")

    text = "import numpy as np\n\n\ndef run():\n    t = np.zeros(2)\n    u = t + 1\n    if True:\n        t[0] = 1\n"
    smallest = shrink(Verdict(Program({"main.py": f"{text}    return [u, t, 1]\n"}, ()), "wrong"), judged)
    assert smallest.program.text.split("\n")[3:] == ["    t = np.zeros(2)", "    t[0] = 1", "    return [t]", ""]


def test_error_is_said_where_a_finding_stands_at_its_statement() -> None:
    files = {"main.py": "def run():\n    a = 1\n    b = [\n        a,\n        2,\n    ]\n"}
    after = {"main.py": "import x\ndef run():\n    a = 1\n    b = [\n        x.f(a),\n        2,\n    ]\n"}
    translated = Translated(after, (Finding("TNP301", "main.py", 3, 5, 3, 6, ""),))
    for line, said in ((3, False), (4, True), (5, True)):
        with pytest.raises(ValueError, match="here") as raised:
            exec(compile("\n" * (line - 1) + "raise ValueError('here')", "<translated>/main.py", "exec"))
        assert is_said(raised.value, files, translated) is said


def test_programs_of_a_seed_differ() -> None:
    texts = [generate(SEED, number).text for number in range(100)]
    assert len(set(texts)) > 95
