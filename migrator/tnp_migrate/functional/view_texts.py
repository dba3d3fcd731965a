"""Lines about views that stand elsewhere in the file, written from the view's own text."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tnp_migrate.functional.access_paths import Path, text_of
from tnp_migrate.functional.store_forms import written_back
from tnp_migrate.functional.text_parts import Parts, written_slices
from tnp_migrate.functional.unit import Unit


def text_back(unit: Unit, view: str, base: Path, value: Parts) -> Parts:
    """What a base becomes when a view of it has a new value: `tnh.index_update(a, i, row)`."""
    node = ast.parse(view, mode="eval").body
    shown: Unit = _Shown(unit)  # type: ignore[assignment]
    wanted = text_of(base)
    while ast.unparse(node) != ast.unparse(ast.parse(wanted, mode="eval").body):
        write = written_back(shown, node, value, known=True)
        node, value = write.target, write.value
    return value


@dataclass(eq=False)
class _Shown:
    """A unit for expressions that stand nowhere: their spans are their texts, and views are known to be views."""

    unit: Unit

    @property
    def helpers(self) -> str:
        return self.unit.helpers

    def qualified(self, node: ast.expr) -> str | None:
        return self.unit.qualified(node)

    def is_view_index(self, node: ast.Subscript) -> bool:  # noqa: ARG002 - it was one where it was found
        return True

    def path(self, node: ast.expr) -> Path | None:
        return self.unit.path(node)

    def span(self, node: ast.expr) -> str:
        return ast.unparse(node)

    def index_parts(self, index: ast.expr) -> Parts:
        text = ast.unparse(ast.Subscript(ast.Name("_"), index))[2:-1]
        if any(isinstance(one, ast.Slice) for one in ast.walk(index)):
            if self.unit.numpy is None:
                return written_slices(index, self.span)
            return (f"{self.unit.numpy}.s_[{text}]",)
        return (f"({text})",) if isinstance(index, ast.Tuple) else (text,)
