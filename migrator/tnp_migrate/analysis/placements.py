"""That an instruction puts an array into a place, and where the array comes from."""

from __future__ import annotations

from dataclasses import dataclass, field

from tnp_migrate.analysis.heap import Node
from tnp_migrate.ir.instructions import Instruction


@dataclass(frozen=True)
class Placement:
    """An instruction that puts an array into a place; `register` has the array, or what holds it."""

    instruction: Instruction
    register: int
    node: Node
    place: object
    holder: int = -1  # the register of the object, where it is one that is assigned to
    is_many: bool = False  # it fills several places at once
    is_unseen: bool = False  # no text names what puts it there


@dataclass
class Origin:
    """Where an array comes from: `is_had` says that what surrounds the body had it, `taken_by` what took it out."""

    makers: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)  # the parameters that are the array, or an array that it is a part of
    surroundings: set[object] = field(default_factory=set)  # the parameters and variables that led to it
    is_had: bool = False
    is_variable: bool = False  # a module's, or one of a function around
    in_variable: bool = False  # what such a variable has leads to it
    taken_by: Instruction | None = None
