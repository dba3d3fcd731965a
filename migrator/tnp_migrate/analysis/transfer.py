"""What each operation of the intermediate representation does to the heap."""

from __future__ import annotations

from collections.abc import Mapping

from tnp_migrate.analysis import definitions, invocation, items, places
from tnp_migrate.analysis.evaluation import Handler

HANDLERS: Mapping[str, Handler] = {
    "phi": places.same,
    "copy": places.same,
    "either": places.same,
    "await": places.same,
    "parameter": places.parameter,
    "global": places.global_,
    "set_global": places.set_global,
    "cell": places.cell,
    "set_cell": places.set_cell,
    "attribute": places.attribute,
    "set_attribute": places.set_attribute,
    "delete_attribute": places.delete_attribute,
    "item": items.item,
    "set_item": items.set_item,
    "delete_item": items.delete_item,
    "augmented": items.augmented,
    "operator": items.operator,
    "display": items.display,
    "append": items.append,
    "next": items.next_,
    "iterate": items.iterate,
    "unpack": items.unpack,
    "rest": items.rest,
    "function": definitions.function,
    "class": definitions.class_,
    "import": definitions.import_,
    "enter": definitions.enter,
    "exit": definitions.exit_,
    "decorated": definitions.decorated,
    "return": definitions.return_,
    "yield": definitions.yield_,
    "raise": definitions.raise_,
    "exception": definitions.exception,
    "unknown": definitions.unknown,
    "call": invocation.call,
}
