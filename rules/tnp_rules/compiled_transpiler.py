"""Functions as they are traced for a compiled form: AutoGraph with operators of our own.

The text of a function stays as it is: `A[i, :j]`, `range(n)`, `max(a, b)` and `x + 1` are read as calls of operators,
so that one source runs eagerly, in a graph and with XLA.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import types
from typing import Any

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_tracing import NotCompiled


@functools.cache
def transpiler(operators: Any) -> Any:
    """Make the converter of functions, which remembers what it has converted; `operators` gives what they call."""
    parent: Any = tensorflow_inside().transpiler

    class Transpiler(parent):  # type: ignore[misc]
        """AutoGraph's converter, with operators for what stands in subscripts and between numbers."""

        def get_extra_locals(self) -> Any:
            given = super().get_extra_locals()
            module = types.ModuleType("autograph")
            module.__dict__.update(given["ag__"].__dict__)
            module.__dict__.update(operators())
            return {**given, "ag__": module}

        def transform_ast(self, node: Any, context: Any) -> Any:
            return super().transform_ast(_with_operators(node), context)

    return Transpiler()


def converted(function: Any, operators: Any) -> Any:
    """Give a function of Python as it is traced; raises where its text is not to be had, or not what runs."""
    _check_text(function)
    inside = tensorflow_inside()
    made, module, source_map = transpiler(operators).transform(function, inside.program())
    made.ag_module, made.ag_source_map = module, source_map
    return made


@functools.cache
def _check_text(function: Any) -> None:
    """Refuse a function whose file was changed since it was imported: the text would be another than what runs."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError) as error:
        raise NotCompiled(f"the text of `{function.__qualname__}` is not to be had: {error}") from None
    if function.__closure__ or not isinstance(tree.body[0], ast.FunctionDef):
        return
    tree.body[0].decorator_list = []
    codes = [one for one in compile(tree, "<text>", "exec", dont_inherit=True).co_consts if inspect.iscode(one)]
    code = function.__code__
    if [one for one in codes if one.co_name == code.co_name and one.co_names != code.co_names]:
        raise NotCompiled(f"the text of `{function.__qualname__}` was changed after it was imported")


def _with_operators(node: Any) -> Any:
    """Put calls of operators into the tree of a function, in the nodes that AutoGraph works with."""
    gast: Any = tensorflow_inside().syntax

    def called(name: str, *args: Any) -> Any:
        owner = gast.Name("ag__", gast.Load(), None, None)
        return gast.Call(gast.Attribute(owner, name, gast.Load()), list(args), [])

    def key_of(key: Any) -> Any:
        if isinstance(key, gast.Slice):
            bounds = [gast.Constant(None, None) if one is None else one for one in (key.lower, key.upper, key.step)]
            return called("slice_", *bounds)
        return gast.Tuple([key_of(one) for one in key.elts], gast.Load()) if isinstance(key, gast.Tuple) else key

    def named(name: str, context: Any) -> Any:
        return gast.Name(name, context, None, None)

    def is_store(target: Any) -> bool:
        is_item = isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
        return is_item and target.value.id in bound

    def stored(target: Any, value: Any) -> Any:
        kept = called("store", value, named(target.value.id, gast.Load()), key_of(target.slice))
        return gast.Assign([named(target.value.id, gast.Store())], kept, None)

    bound = {one.id for one in gast.walk(node) if isinstance(one, gast.Name) and not isinstance(one.ctx, gast.Load)}

    class Operators(gast.NodeTransformer):  # type: ignore[misc]
        """Writes operators for reads, stores and arithmetic."""

        def visit_Subscript(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            return called("read", node.value, key_of(node.slice)) if isinstance(node.ctx, gast.Load) else node

        def visit_Attribute(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            if node.attr not in {"shape", "size"} or not isinstance(node.ctx, gast.Load):
                return node
            return called("attribute", gast.Constant(node.attr, None), node.value)

        def visit_BinOp(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            return called("arithmetic", gast.Constant(type(node.op).__name__, None), node.left, node.right)

        def visit_Compare(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            names = [type(one).__name__ for one in node.ops]
            operands = [node.left, *node.comparators]
            plain = [one for one in operands[1:-1] if isinstance(one, (gast.Name, gast.Constant))]
            if set(names) - {"Lt", "LtE", "Gt", "GtE", "Eq", "NotEq"} or len(plain) < len(operands) - 2:
                return node
            pairs = [
                called("compared", gast.Constant(name, None), *pair)
                for name, *pair in zip(names, operands, operands[1:])
            ]
            return pairs[0] if len(pairs) == 1 else gast.BoolOp(gast.And(), pairs)

        def visit_While(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            node.test = called("truth", node.test)  # AutoGraph adds `and not` what a `break` leaves behind
            return node

        def visit_AugAssign(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            if not isinstance(node.target, gast.Name):
                return node
            name = gast.Name(node.target.id, gast.Load(), None, None)
            value = called("augmented", gast.Constant(type(node.op).__name__, None), name, node.value)
            return gast.Assign([node.target], value, None)

        def visit_UnaryOp(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            if isinstance(node.op, gast.Not):
                return node
            return called("unary", gast.Constant(type(node.op).__name__, None), node.operand)

        def visit_Assign(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            if len(node.targets) > 1:
                return node
            target = node.targets[0]
            if is_store(target):
                return stored(target, node.value)
            if not isinstance(target, gast.Tuple) or not [one for one in target.elts if is_store(one)]:
                return node
            names = [f"value__{place}" if is_store(one) else "" for place, one in enumerate(target.elts)]
            taken = [named(name, gast.Store()) if name else one for name, one in zip(names, target.elts)]
            pairs = [(name, one) for name, one in zip(names, target.elts) if name]
            before = gast.Assign([gast.Tuple(taken, gast.Store())], node.value, None)
            return [before, *[stored(one, named(name, gast.Load())) for name, one in pairs]]

        def visit_AnnAssign(self, node: Any) -> Any:  # noqa: N802
            if node.value is None:
                return gast.Pass()
            return self.visit(gast.Assign([node.target], node.value, None))

        def visit_FunctionDef(self, node: Any) -> Any:  # noqa: N802
            node.decorator_list, node.returns = [], None
            for one in gast.walk(node.args):
                if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Param):
                    one.annotation = None
            return self.generic_visit(node)

    return Operators().visit(node)
