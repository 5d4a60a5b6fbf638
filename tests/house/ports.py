"""Who takes another part of the world than docs/adr/20261123-ports-as-arguments.md lets a function take."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tests.house.sources import Function, House, Module

MOST = 2
"""So many ports a function takes one by one; who needs more takes `App`."""

PORTS = frozenset(
    [
        "Charts",
        "ChatGateway",
        "Chats",
        "Clock",
        "DocumentStore",
        "Embedder",
        "Ids",
        "IndexCache",
        "LanguageModel",
        "ObjectStore",
        "Policy",
        "Schedule",
        "TaskQueue",
        "Weather",
    ]
)
"""The types of what `App` holds; `tests/unit/harness/test_house.py` compares them."""

_HOLDERS = frozenset(["App", "Intake"])
_Place = tuple[str, str]
"""A module by its dotted name, and what it defines."""


class _Use(NamedTuple):
    """What a function does with `App`: which ports it reads, to which functions it hands all of it on, and whether to
    something else, of which nobody knows what it needs."""

    reads: frozenset[str]
    handed_to: frozenset[_Place]
    is_kept: bool


def misfitting_functions(house: House) -> Iterator[str]:
    """Yield the functions of shared/ that take more than two ports, one beside `App`, or `App` for two or less.

    Free are constructors, which hold what they are given, protocols' `__call__`, and the doors of use cases: functions
    that are named somewhere and not called, for a table gives one form to all of its functions.
    """
    modules = {_dotted(module): module for module in house.modules("shared")}
    names = {name: _names(name, module) for name, module in modules.items()}
    doors = {place for name, module in modules.items() for place in _values(module, names[name])}
    uses: dict[_Place, _Use] = {}
    where: dict[_Place, str] = {}
    for name, module in modules.items():
        for node in (each for each in module.nodes if isinstance(each, Function) and not each.name.startswith("__")):
            holder, ports = _taken(node)
            if len(ports) > (0 if holder else MOST):
                yield f"{module.at(node)}: {node.name} takes {', '.join(ports)}{' beside App' if holder else ''}"
            if holder:
                where[name, node.name] = module.at(node)
                uses[name, node.name] = _use(node, holder, names[name])
    for place, needs in _needs(uses).items():
        if place not in doors and needs is not None and len(needs) <= MOST:
            yield f"{where[place]}: {place[1]} takes App for {' and '.join(sorted(needs)) or 'nothing'}"


def _dotted(module: Module) -> str:
    return ".".join(module.path.with_suffix("").parts)


def _taken(function: Function) -> tuple[str | None, list[str]]:
    """Return the parameter that is `App`, if there is one, and the types of those that are ports."""
    holder, ports = None, []
    for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        types = set() if each.annotation is None else set(re.findall(r"\w+", ast.unparse(each.annotation)))
        if "Callable" in types:
            continue
        holder = each.arg if types & _HOLDERS else holder
        ports += sorted(types & PORTS)
    return holder, ports


def _names(name: str, module: Module) -> dict[str, set[_Place]]:
    """Return where the functions are that a module knows, by the names that it has for them: several have one where it
    imports the one that is wanted."""
    known: dict[str, set[_Place]] = defaultdict(set)
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                known[each.asname or each.name].add((node.module, each.name))
        elif isinstance(node, Function):
            known[node.name].add((name, node.name))
    return known


def _values(module: Module, names: dict[str, set[_Place]]) -> Iterator[_Place]:
    """Yield the functions that a module names without calling them: `partial` with arguments calls."""
    called: set[ast.expr] = set()
    for node in module.nodes:
        if isinstance(node, ast.Call):
            called.add(node.func)
            called.update(node.args[:1] if _is_partial(node) else ())
    for node in module.nodes:
        if isinstance(node, ast.Name) and node not in called and node.id in names:
            yield from names[node.id]


def _is_partial(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "partial" and len(call.args) > 1


def _use(function: Function, holder: str, names: dict[str, set[_Place]]) -> _Use:
    reads, handed_to, seen = set(), set(), 0
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and _is_name(node.value, holder):
            reads.add(node.attr)
            seen += 1
        elif isinstance(node, ast.Call):
            called, *given = node.args if _is_partial(node) else (node.func, *node.args)
            if isinstance(called, ast.Name) and called.id in names:
                given += [keyword.value for keyword in node.keywords]
                passed = sum(_is_name(each, holder) for each in given)
                handed_to.update(names[called.id] if passed else ())
                seen += passed
    all_of_it = sum(_is_name(node, holder) for node in ast.walk(function))
    return _Use(frozenset(reads), frozenset(handed_to), is_kept=all_of_it > seen)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _needs(uses: dict[_Place, _Use]) -> dict[_Place, frozenset[str] | None]:
    """Return which ports each function needs, itself and through what it calls; None: all, as far as one can see."""
    found: dict[_Place, frozenset[str] | None] = {
        place: None if use.is_kept or use.handed_to - uses.keys() else use.reads for place, use in uses.items()
    }
    while True:
        wider = {place: _wider(found, needs, uses[place]) for place, needs in found.items()}
        if wider == found:
            return found
        found = wider


def _wider(
    found: dict[_Place, frozenset[str] | None], needs: frozenset[str] | None, use: _Use
) -> frozenset[str] | None:
    for place in use.handed_to:
        theirs = found.get(place)
        needs = None if needs is None or theirs is None else needs | theirs
    return needs
