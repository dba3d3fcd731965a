"""Which variables hold objects of libraries that call nothing of the project but what their methods are given."""

from __future__ import annotations

import ast

import pytest
from analysis_cases import analyse

from tnp_migrate.numpy_facts.signatures import given_to_class
from tnp_migrate.program.library_objects import given_to_library_object

_HEAD = "import numpy as np\nfrom sklearn import cluster\nfrom sklearn.pipeline import Pipeline\n"


def _given(body: str) -> list[str] | None:
    text = f"{_HEAD}def f(x, k, step):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    module = analyse(case=text).modules["case"]
    calls = [node for node in ast.walk(module.source.tree) if isinstance(node, ast.Call)]
    receiver = next(one.func.value for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr == "fit")
    given = given_to_library_object(module, receiver)
    return None if given is None else [ast.unparse(one) for one in given]


@pytest.mark.parametrize(
    "body",
    [
        "m = Pipeline([step])\nm.fit(x)",
        "m = Pipeline(steps=step)\nm.fit(x)",
        "m = cluster.KMeans(n_clusters=k)\nm.init = step\nm.fit(x)",
        "m = cluster.KMeans(n_clusters=k)\nm.steps.append(step)\nm.fit(x)",
        "m = cluster.KMeans(n_clusters=k)\nm.steps[0] = step\nm.fit(x)",
        "m = cluster.KMeans(n_clusters=k)\nstep(m)\nm.fit(x)",
        "m = cluster.KMeans(**k)\nm.fit(x)",
        "m = cluster.KMeans(n_clusters=k)\nif k:\n    m = step\nm.fit(x)",
        "m = cluster.KMeans(n_clusters=k)\nm.add([step])\nm.fit(x)",
        "m = step\nm.fit(x)",
        "for m in [cluster.KMeans(3)]:\n    m.fit(x)",
        "m = cluster.k_means(x)\nm.fit(x)",
    ],
)
def test_what_may_hold_something_of_the_project_is_none(body: str) -> None:
    assert _given(body) is None


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("m = cluster.KMeans(n_clusters=k, n_init=10)\nm.fit(x)\nreturn m.labels_", ["x"]),
        ("m = cluster.KMeans(3)\nm.fit(x)\nreturn m.predict(step)", ["x", "step"]),
    ],
)
def test_its_methods_are_told_by_its_library(body: str, given: list[str]) -> None:
    assert _given(body) == given


@pytest.mark.parametrize(
    ("qualified", "held"),
    [("sklearn.cluster.KMeans", ["x"]), ("homemade.KMeans", ["k", "s", "x"])],
)
def test_choices_are_held_by_no_object_of_a_known_library(qualified: str, held: list[str]) -> None:
    call = ast.parse("KMeans(n_clusters=k, random_state=s, init=x)", mode="eval").body
    assert isinstance(call, ast.Call)
    assert [ast.unparse(one) for one in given_to_class(call, qualified)] == held
