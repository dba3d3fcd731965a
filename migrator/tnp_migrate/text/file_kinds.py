"""Which files outside Python are looked at, by name: C, C++, CUDA, Cython, SWIG, Fortran, build files."""

from __future__ import annotations

from pathlib import PurePosixPath

C_SUFFIXES = frozenset({".c", ".h", ".cc", ".hh", ".cpp", ".hpp", ".cxx", ".hxx", ".cu", ".cuh"})
CYTHON_SUFFIXES = frozenset({".pyx", ".pxd", ".pxi"})
FORTRAN_SUFFIXES = frozenset({".pyf", ".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08"})
BUILD_FILES = frozenset({"meson.build", "cmakelists.txt"})
SUFFIXES = C_SUFFIXES | CYTHON_SUFFIXES | FORTRAN_SUFFIXES | {".i", ".swg", ".cmake"}


def is_foreign(path: str) -> bool:
    """Whether `foreign.scan` looks into files of this name."""
    name = PurePosixPath(path).name.lower()
    return name in BUILD_FILES or PurePosixPath(name).suffix in SUFFIXES
