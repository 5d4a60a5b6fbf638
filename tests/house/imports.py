"""What `shared` may import from outside the product: what a list of its layer names, wherever the import stands."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.house.sources import House, Node

ALLOWED = Path(__file__).with_name("imports.toml")
ROOT = "shared"


@cache
def allowed_imports() -> Mapping[str, frozenset[str]]:
    """Return the modules that each layer may import, by the layer's name; "" is `shared` itself."""
    said: dict[str, dict[str, Any]] = tomllib.loads(ALLOWED.read_text("utf-8"))
    everywhere = said.pop("everywhere")["modules"]
    return {"": frozenset(everywhere)} | {
        layer: frozenset(everywhere + each["modules"]) for layer, each in said.items()
    }


def refused_imports(house: House) -> Iterator[str]:
    """Yield each import of another module than the layer's list names; a layer without a list may import nothing.

    A listed module does not bring its submodules (`logging` lets nobody have `logging.handlers`), and `module.name`
    allows no more than that name. Imports within functions and for type checkers count; so does `__import__`. What is
    within `shared` is import-linter's business.
    """
    for module in house.modules(ROOT):
        layer = module.path.parts[1] if len(module.path.parts) > 2 else ""
        allowed = allowed_imports().get(layer, frozenset())
        for node in module.nodes:
            yield from (f"{module.at(node)}: {name}" for name, ways in _outside(node) if not allowed.intersection(ways))


def _outside(node: Node) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what a node imports from outside `shared`, with the entries of a list of which one suffices for it."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, (alias.name,)) for alias in node.names if not _is_ours(alias.name))
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module and not _is_ours(node.module):
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            yield name, (node.module, name)
    elif isinstance(node, ast.Name) and node.id == "__import__":
        yield node.id, ()


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == ROOT
