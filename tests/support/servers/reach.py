"""Which functions and classes of the product a deployed function can come to: by the names that each of them mentions.

Coarser than what really runs, so what is not found here is never called: a class counts whole, a name that is mentioned
counts as used, and modules that are imported count with all that stands outside their functions and classes.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

_DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Place(NamedTuple):
    """A function or class at the top of a module, or with "" what stands around them."""

    module: str
    name: str = ""


class Reach:
    """The product's sources, by module."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._texts = {module: path.read_text("utf-8") for module, path in paths.items()}
        self._trees = {module: ast.parse(text) for module, text in self._texts.items()}
        self._definitions = {
            m: {n.name: n for n in t.body if isinstance(n, _DEFINITION)} for m, t in self._trees.items()
        }

    def places(self, entry: str) -> set[Place]:
        """What can be come to from the module of a deployed function."""
        waiting = [Place(entry), *(Place(entry, name) for name in self._definitions[entry])]
        seen: set[Place] = set()
        while waiting:
            place = waiting.pop()
            if place not in seen:
                seen.add(place)
                waiting += self._mentioned(place)
        return seen

    def uses(self, place: Place, field: str) -> bool:
        """Whether code there takes the attribute `field` of something for more than to see whether there is one."""
        definition = self._definitions[place.module].get(place.name) if field in self._texts[place.module] else None
        nodes = list(ast.walk(definition)) if definition else []
        asked = {
            id(node.left)
            for node in nodes
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.IsNot | ast.Is)
        }
        aliases = self._aliases(place.module)
        return any(
            isinstance(node, ast.Attribute)
            and node.attr == field
            and id(node) not in asked
            and not (isinstance(node.value, ast.Name) and node.value.id in aliases)
            for node in nodes
        )

    @cache  # noqa: B019 - one of these is made for a test and goes with it
    def _mentioned(self, place: Place) -> list[Place]:
        found = {Place(place.module)}
        for node in self._nodes(place):
            if isinstance(node, ast.Import):
                found |= {Place(module) for alias in node.names if (module := self._module(alias.name))}
            elif isinstance(node, ast.ImportFrom):
                found |= {Place(p.module) for alias in node.names if (p := self._place(f"{node.module}.{alias.name}"))}
            elif isinstance(node, ast.Name):
                found |= self._behind(place.module, node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                targets = self._aliases(place.module).get(node.value.id, ())
                found |= {at for target in targets if (at := self._place(f"{target}.{node.attr}"))}
        if place.name and place.name not in self._definitions[place.module]:
            found |= self._behind(place.module, place.name)
        return list(found)

    def _behind(self, module: str, name: str) -> set[Place]:
        if name in self._definitions[module]:
            return {Place(module, name)}
        return {place for target in self._aliases(module).get(name, ()) if (place := self._place(target))}

    def _nodes(self, place: Place) -> Iterator[ast.AST]:
        top = self._definitions[place.module].get(place.name) or self._trees[place.module]
        if place.name and top is self._trees[place.module]:
            return
        waiting: list[ast.AST] = [top]
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                waiting += node.orelse
                continue
            for below in ast.iter_child_nodes(node):
                waiting += (
                    below.decorator_list
                    if node is self._trees[place.module] and isinstance(below, _DEFINITION)
                    else [below]
                )

    @cache  # noqa: B019
    def _aliases(self, module: str) -> dict[str, set[str]]:
        """What names mean in a module that are imported anywhere in it, each something else in each function."""
        found: dict[str, set[str]] = defaultdict(set)
        for node in _statements(self._trees[module]):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    found[alias.asname or top].add(alias.name if alias.asname else top)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found[alias.asname or alias.name].add(f"{node.module}.{alias.name}")
        return found

    def _module(self, name: str) -> str:
        while name and name not in self._trees:
            name = name.rpartition(".")[0]
        return name

    def _place(self, dotted: str) -> Place | None:
        module = self._module(dotted)
        return Place(module, dotted[len(module) + 1 :].partition(".")[0]) if module else None


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [below for below in ast.iter_child_nodes(node) if not isinstance(below, ast.expr)]
