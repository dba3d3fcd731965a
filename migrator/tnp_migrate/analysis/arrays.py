"""Which expressions are arrays: a flow-sensitive evaluation of every function of the project.

`a = np.zeros((2, 3))`, then `b = a.T` notes `array float64 2d` for both. Evidence for parameters is what the project
passes, their annotations, their defaults and numpydoc types; it makes a value likely, not sure. Two rounds over the
project let what one function returns reach the others.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import cache

from tnp_migrate.analysis.annotations import annotated, stubbed
from tnp_migrate.analysis.assumptions import with_evidence
from tnp_migrate.analysis.bound_attributes import begin_binding, take_bound
from tnp_migrate.analysis.closures import closure_of
from tnp_migrate.analysis.documented import documented
from tnp_migrate.analysis.expressions import assign, evaluate, operate, reshape_in_place
from tnp_migrate.analysis.field_values import declared_values
from tnp_migrate.analysis.frames import Frame
from tnp_migrate.analysis.functions_as_values import called_out_of_sight
from tnp_migrate.analysis.invocations import note_replaced, pass_parametrized
from tnp_migrate.analysis.objects_passed import entered, yielded
from tnp_migrate.analysis.open_containers import note_operated, take_put
from tnp_migrate.analysis.traces import Trace
from tnp_migrate.numpy_facts.results import is_placeholder
from tnp_migrate.numpy_facts.values import CONTAINERS, HOST_DTYPES, NONE, UNKNOWN, Value, array, iterated, join
from tnp_migrate.program.dispatch_tables import enter_tables
from tnp_migrate.program.index import Function, Index, Module
from tnp_migrate.program.nodes import captured, children
from tnp_migrate.program.scopes import all_arguments, defaults_of

ROUNDS = 2
MORE_ROUNDS = 6  # for those only of which calls or attributes have come to look otherwise
_LOOPS = 5  # one in the other that are each gone through twice


def infer_arrays(index: Index) -> None:
    """Evaluate all modules; the values are left in `Module.values`, in functions and in classes."""
    enter_tables(index)
    traces: dict[Function | Module, Trace] = {}
    functions = list(index.functions())
    begin_binding(index)
    for _ in range(ROUNDS):
        for one in functions:
            one.unknown.clear()
            one.anything.clear()
        _evaluate(index, traces)
        take_put(index, joined=False)
    take_bound(index, joined=False)
    for number in range(MORE_ROUNDS):
        for one in called_out_of_sight(index):
            for known in (one.unknown, one.anything):
                known.update(one.parameters[one.takes_self :])
        for one in functions:
            one.arguments |= {name: _open(one, name) for name in one.unknown}
        passed = {one: dict(one.arguments) for one in functions}
        is_news = _evaluate(index, traces)
        settling = number >= MORE_ROUNDS - 2
        is_news |= take_put(index, joined=settling) | take_bound(index, joined=settling)
        if not is_news:
            break
        if number == MORE_ROUNDS - 2:
            for one in [one for one in functions if one.arguments != passed[one]]:
                one.arguments = {name: _vague(value) for name, value in one.arguments.items()}


def _evaluate(index: Index, traces: dict[Function | Module, Trace]) -> bool:
    """Evaluate what reads something that has come to look otherwise; say whether there was any such thing."""
    changed = False
    for module in index.modules.values():
        with index.blaming(module):
            changed = _module(index, module, traces) or changed
        for function in [one for one in module.functions.values() if not one.nested]:
            changed = _outermost(index, function, traces) or changed
    return changed


def _open(function: Function, parameter: str) -> Value:
    """What is known of a parameter for which something unknown is passed, too."""
    value = function.arguments.get(parameter, UNKNOWN)
    if value.is_array:
        return replace(value, rank=None, is_object=False)
    return value if value.library or parameter not in function.anything else UNKNOWN


def _vague(value: Value) -> Value:
    """What is left to say of a value that comes out otherwise with each round."""
    dtype = value.dtype if value.dtype in HOST_DTYPES else None
    return replace(value, dtype=dtype, rank=None, sure=False, is_object=False) if value.is_array else value


def _module(index: Index, module: Module, traces: dict[Function | Module, Trace]) -> bool:
    """Evaluate a module's own statements, as `_outermost` does functions."""
    before = traces.get(module)
    if before is not None and before.replay():
        return False
    frame = Frame(index, module, module.names.scopes.module)
    _body(frame, module.source.tree.body)
    module.globals = frame.names
    traces[module] = frame.trace
    return before is None or before.steps != frame.trace.steps


def _outermost(index: Index, function: Function, traces: dict[Function | Module, Trace]) -> bool:
    """Evaluate a function, and say whether something has come of it that was not known: else it need not be.

    It is known already where all that it reads of others is as the last time.
    """
    before = traces.get(function)
    if before is not None and before.replay():
        return False
    traces.pop(function, None)  # where evaluating it fails
    with index.blaming(function.module):
        frame = Frame(index, function.module, function.outer)
        _function(function, frame)
        traces[function] = frame.trace
    return before is None or function not in traces or before.steps != traces[function].steps


def _function(function: Function, around: Frame) -> None:
    frame = replace(around, scope=function.scope, names={}, function=function, returned=[], closures=[])
    frame.outer = around.outer | around.names
    for argument, value in _parameters(function, frame):
        frame.names[argument] = value
    _body(frame, function.node.body)
    for one in frame.closures:
        if one.waits or one.is_bound_since:
            _function(one.function, replace(frame, names=one.names))
    if frame.returned and not function.yields:
        found = frame.returned[0]
        for value in frame.returned[1:]:
            found = join(found, value)
        frame.trace.write(function, "returns", None, "set", found)
    elif not function.yields:
        frame.trace.write(function, "returns", None, "set", Value("none"))
    elif (given := yielded(function)) is not None:
        frame.trace.write(function, "returns", None, "set", given)


def _parameters(function: Function, frame: Frame) -> list[tuple[str, Value]]:
    node, found = function.node, []
    said = documented(function)
    defaults = defaults_of(node.args)
    for position, argument in enumerate(all_arguments(node.args)):
        if position == 0 and function.takes_self and function.owner is not None:
            kind = "class" if function.takes_class else "instance"
            found.append((argument.arg, Value(kind, sure=False, ref=function.owner)))  # type: ignore[arg-type]
        elif argument in (node.args.vararg, node.args.kwarg):
            element = frame.trace.read(function, "arguments", argument.arg)
            found.append((argument.arg, Value("tuple" if argument is node.args.vararg else "dict", element=element)))
        else:
            known = _parameter(function, frame, argument, defaults.get(argument.arg), said.get(argument.arg))
            found.append((argument.arg, with_evidence(frame.index, function, argument.arg, known)))
    return found


def _parameter(
    function: Function, frame: Frame, argument: ast.arg, default: ast.expr | None, said: Value | None
) -> Value:
    told = annotated(frame, argument.annotation) or stubbed(frame.index, function, argument.arg)
    if told is not None:
        return told
    passed = frame.trace.read(function, "arguments", argument.arg)
    given = frame.trace.read(frame.module, "values", default) if default is not None else None
    if passed is not None and passed.library:
        frame.trace.whole = False  # it counts whether anything else is passed, too
    anything = passed is not None and passed.kind == "unknown" and passed.library is None
    if passed is not None and not anything and not (passed.library and argument.arg in function.anything):
        return passed if given is None or given.kind == "none" else join(passed, given)
    if said is not None and (said.is_array or given is None or given.kind == "scalar"):
        return said
    if given is not None and not anything and (given.kind in CONTAINERS or given.dtype in HOST_DTYPES):
        return given
    if given is not None and given.is_array:
        return _vague(given)
    by_use = not frame.module.names.references and argument.arg in _sliced(function)
    return array(sure=False) if by_use else UNKNOWN


@cache
def _sliced(function: Function) -> frozenset[str]:
    """The names that are sliced on several axes: where no name is NumPy's, that alone says what a parameter is."""
    found = (one for one in function.nodes if isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Tuple))
    return frozenset(
        one.value.id
        for one in found
        if isinstance(one.value, ast.Name)
        and isinstance(one.slice, ast.Tuple)
        and any(isinstance(part, ast.Slice) for part in one.slice.elts)
    )


def _resize(frame: Frame, call: ast.expr) -> None:
    """`a.resize(2, 3)` gives an array other dimensions."""
    method = call.func if isinstance(call, ast.Call) else None
    if isinstance(call, ast.Call) and isinstance(method, ast.Attribute) and method.attr == "resize":
        sizes = [evaluate(frame, one) for one in call.args]
        if evaluate(frame, method.value).is_array:
            reshape_in_place(frame, method.value, sizes)


def _body(frame: Frame, body: list[ast.stmt]) -> None:
    for statement in body:
        _statement(frame, statement)


def _statement(frame: Frame, node: ast.stmt) -> None:  # noqa: PLR0912  # one branch a statement of the language
    if isinstance(node, ast.Assign):
        value = evaluate(frame, node.value)
        for target in node.targets:
            nothing = isinstance(target, ast.Attribute) and is_placeholder(value, node.value)
            assign(frame, target, NONE if nothing else value)
    elif isinstance(node, ast.AugAssign):
        value = operate(node.op, (node.target, node.value), evaluate(frame, node.target), evaluate(frame, node.value))
        note_operated(frame, node, value)
        if isinstance(node.target, ast.Name):
            frame.bind(node.target.id, _augmented(frame.lookup(node.target.id), value))
        elif (before := frame.module.values[node.target]).kind == "scalar" and value.kind != "scalar":
            either = join(before, value)  # a number and an array give an array
            assign(frame, node.target, either)
            frame.module.values[node.target] = either  # of an item `assign` notes what was there before
    elif isinstance(node, ast.AnnAssign):
        known = annotated(frame, node.annotation)
        value = evaluate(frame, node.value) if node.value else UNKNOWN
        assign(frame, node.target, known if known is not None and value.kind == "unknown" else value)
    elif isinstance(node, ast.Expr):
        value = evaluate(frame, node.value)
        _resize(frame, node.value)
    elif isinstance(node, ast.Return):
        frame.returned.append(evaluate(frame, node.value) if node.value else Value("none"))
    elif isinstance(node, ast.If):
        evaluate(frame, node.test)
        _branches(frame, [node.body, node.orelse])
    elif isinstance(node, ast.For | ast.AsyncFor):
        given = evaluate(frame, node.iter)
        _loop(frame, node, node.target, iterated(given))
    elif isinstance(node, ast.While):
        evaluate(frame, node.test)
        _loop(frame, node, None, UNKNOWN)
    elif isinstance(node, ast.With | ast.AsyncWith):
        _entries(frame, node.items)
        _body(frame, node.body)
    elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        _try(frame, node)  # type: ignore[arg-type]
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        _definition(frame, node)
    elif isinstance(node, ast.ClassDef):
        _class(frame, node)
    elif isinstance(node, ast.Match):
        evaluate(frame, node.subject)
        frame.hold(UNKNOWN, *captured(node))
        _branches(frame, [case.body for case in node.cases])
    else:
        for child in children(node):
            if isinstance(child, ast.expr):
                evaluate(frame, child)


def _entries(frame: Frame, items: list[ast.withitem]) -> None:
    for item in items:
        value = evaluate(frame, item.context_expr)
        if item.optional_vars is not None:
            made = entered(frame, item.context_expr)
            known = value if value.kind in ("file", "unknown") else UNKNOWN
            assign(frame, item.optional_vars, known if made is None else made)


def _augmented(before: Value, after: Value) -> Value:
    """In place, an array keeps its dtype and rank, and a list stays one whatever is added to it."""
    if before.kind == "list" and after.kind != "list":
        return Value("list")
    return before if before.is_array else after


def _branches(frame: Frame, bodies: list[list[ast.stmt]]) -> None:
    start, ends = dict(frame.names), []
    for body in bodies:
        frame.names = dict(start)
        _body(frame, body)
        if not (body and isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)):
            ends.append(frame.names)
    if len(bodies) == 1:
        ends.append(start)
    frame.names = _merged(ends) if ends else start


def _merged(ends: list[dict[str, Value]]) -> dict[str, Value]:
    merged = dict(ends[0])
    for end in ends[1:]:
        for name, value in end.items():
            known = merged.get(name)
            merged[name] = value if known is None or known is value else join(known, value)
    return merged


def _loop(frame: Frame, node: ast.For | ast.AsyncFor | ast.While, target: ast.expr | None, item: Value) -> None:
    """Go through a loop twice, where the first time changed what is known: the second sees what the first left.

    So does a loop deep inside others the next time that it is come by, and is gone through once each time.
    """
    is_deep = frame.loops >= _LOOPS
    if is_deep and node in frame.left:
        frame.names = _merged([frame.names, frame.left[node]])
    frame.loops += 1
    for _ in range(1 if is_deep else 2):
        start = dict(frame.names)
        if target is not None:
            assign(frame, target, item)
        else:
            assert isinstance(node, ast.While)
            evaluate(frame, node.test)
        _body(frame, node.body)
        if is_deep:
            frame.left[node] = frame.names
        frame.names = _merged([start, frame.names])
        if frame.names == start:
            break
    frame.loops -= 1
    _body(frame, node.orelse)


def _try(frame: Frame, node: ast.Try) -> None:
    start = dict(frame.names)
    _body(frame, node.body)
    _body(frame, node.orelse)
    ends = [frame.names]
    for handler in node.handlers:
        if handler.type is not None:
            evaluate(frame, handler.type)
        frame.names = _merged([start, ends[0]])
        _body(frame, handler.body)
        ends.append(frame.names)
    frame.names = _merged(ends)
    _body(frame, node.finalbody)


def _definition(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
        evaluate(frame, default)
    function = frame.module.functions[node]
    for decorator in node.decorator_list:
        evaluate(frame, decorator)
        pass_parametrized(frame, function, decorator)
    note_replaced(frame, function)
    frame.hold(function.as_value, node.name)
    if function.nested:
        closure = closure_of(function, frame.outer | frame.names, frame.scope)
        frame.closures.append(closure)
        if not closure.waits:
            _function(function, frame)


def _class(frame: Frame, node: ast.ClassDef) -> None:
    found = frame.module.classes[node]
    for base in [*node.bases, *(word.value for word in node.keywords), *node.decorator_list]:
        evaluate(frame, base)
    inner = replace(frame, scope=found.scope, names={}, outer={**frame.outer, **frame.names}, function=None)
    _body(inner, node.body)
    for name, declared in declared_values(inner, found).items():
        inner.names.pop(name, None)
        if declared is not None:
            inner.names[name] = declared
    for name, value in inner.names.items():
        if value.kind != "function":
            frame.trace.write(found, "binding", name, "join", value)
    frame.hold(found.as_value, node.name)
