"""Published libraries whose own tests show whether a translation still works."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """Where a source distribution has its package and its tests, and what the tests need beside NumPy.

    `repository` is given where the tests are not in the source distribution: tag `tag` of it is taken instead.
    """

    name: str
    package: str
    tests: tuple[str, ...]
    version: str = ""
    requirements: tuple[str, ...] = ()
    pytest_options: tuple[str, ...] = ()
    repository: str = ""
    tag: str = ""


LIBRARIES: dict[str, Library] = {
    library.name: library
    for library in (
        Library("numpy-financial", "numpy_financial", ("numpy_financial/tests",), "1.0.0"),
        Library("similaritymeasures", "similaritymeasures", ("tests/tests.py",), "1.5.0", ("scipy",)),
        Library("scikit-fuzzy", "skfuzzy", ("skfuzzy",), "0.5.0", ("scipy", "networkx", "matplotlib", "packaging")),
        Library("filterpy", "filterpy", ("filterpy",), "2.0.0", ("scipy", "matplotlib")),
        Library("transforms3d", "transforms3d", ("transforms3d/tests",), "0.4.2"),
        Library("vg", "vg", ("vg",), "2.0.0"),
        Library("nelson-siegel-svensson", "nelson_siegel_svensson", ("tests",), "0.5.0", ("scipy", "matplotlib")),
        Library("kneed", "kneed", ("tests",), "0.9.0", ("scipy", "matplotlib")),
        Library(
            # its tests stand in the modules, and are translated with them
            "colorspacious",
            "colorspacious",
            ("colorspacious",),
            "1.1.2",
            pytest_options=("-o", "python_files=*.py"),
        ),
        Library("nolds", "nolds", ("nolds/test_measures.py",), "0.2.1", ("setuptools<81", "future")),
        Library(
            "persim", "persim", ("test",), "0.4.1", ("scipy", "matplotlib", "scikit-learn", "joblib", "deprecated")
        ),
        Library("pyDOE3", "pyDOE3", ("tests",), "1.6.2", ("scipy",)),
        Library("peakutils", "peakutils", ("tests/peakutils_test.py",), "1.3.5", ("scipy", "matplotlib", "pandas")),
        Library("emcee", "src/emcee", ("src/emcee/tests/unit",), "3.1.6", ("scipy",)),
        Library("nashpy", "src/nashpy", ("tests",), "0.0.43", ("scipy", "networkx", "deprecated", "hypothesis")),
        Library(
            "pykalman",
            "pykalman",
            ("pykalman",),
            "0.11.2",
            ("scipy", "scikit-base<0.14", "packaging"),
            repository="https://github.com/pykalman/pykalman",
            tag="v0.11.2",
        ),
        Library("pytransform3d", "pytransform3d", ("pytransform3d",), "3.17.0", ("scipy", "matplotlib", "lxml")),
        Library(
            "simdkalman",
            "simdkalman",
            ("tests/testsuite.py",),
            "1.0.4",
            repository="https://github.com/oseiskar/simdkalman",
            tag="1.0.4",
        ),
    )
}
