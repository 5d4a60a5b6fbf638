"""The modules that a function can import: read from the sources, imports inside functions included.

Nothing is imported to find out. What only a type checker imports does not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("shared", "infra")
"""Packages of the product that are deployed."""

DATA = (".md", ".toml")
"""Suffixes of the files that a package reads; they go with it."""


class BundleError(Exception):
    """No bundle can be made; the message says why, and what to do."""


class Module(NamedTuple):
    """A module of the product: its file, and what it imports, each as the longest dotted name in the statement."""

    path: Path
    imports: frozenset[str]


class Needs(NamedTuple):
    """The imports of a function: modules of the product with their parents, and names from elsewhere."""

    own: frozenset[str]
    outside: frozenset[str]


def read_modules(root: Path) -> dict[str, Module]:
    """All modules of the product by dotted name.

    Args:
        root: The checkout.

    Raises:
        BundleError: An import is relative.
    """
    paths = {
        _module_name(path.relative_to(root)): path for package in PACKAGES for path in (root / package).rglob("*.py")
    }
    return {name: Module(path, frozenset(imports_of(path))) for name, path in paths.items()}


def imports_of(path: Path) -> Iterator[str]:
    """The dotted names that a file imports anywhere: `a.b` of `import a.b`, `a.b.c` of `from a.b import c`."""
    waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise BundleError(f"{path.name}, line {node.lineno}: write the whole name of what is imported")
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        below = node.orelse if isinstance(node, ast.If) and _is_for_types(node) else ast.iter_child_nodes(node)
        waiting += [each for each in below if not isinstance(each, ast.expr)]  # an import is a statement


def needs_of(entry: Path, modules: Mapping[str, Module]) -> Needs:
    """Return what a function can import, from its main.py on.

    Raises:
        BundleError: Something is imported that there is none of.
    """
    own: set[str] = set()
    outside: set[str] = set()
    waiting = [*imports_of(entry)]
    while waiting:
        name = waiting.pop()
        if name.partition(".")[0] not in PACKAGES:
            outside.add(name)
            continue
        new = set(_with_parents(_module(name, modules))) - own
        own |= new
        waiting += [each for module in new for each in modules[module].imports]
    return Needs(frozenset(own), frozenset(outside))


def files_of(own: Iterable[str], modules: Mapping[str, Module]) -> list[Path]:
    """The files of modules, and the data of the packages among them."""
    paths = [modules[name].path for name in own]
    return paths + [data for path in paths if path.name == "__init__.py" for data in _data(path.parent)]


def _data(folder: Path) -> Iterator[Path]:
    """The data in a folder and in those below it that are no packages of their own."""
    for path in folder.iterdir():
        if path.suffix in DATA:
            yield path
        elif path.is_dir() and not (path / "__init__.py").exists():
            yield from _data(path)


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_for_types(node: ast.If) -> bool:
    """Return whether a block is only for type checkers."""
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _module(name: str, modules: Mapping[str, Module]) -> str:
    """The module that an imported name is or is in."""
    found = next((each for each in _with_parents(name) if each in modules), None)
    if found is None:
        raise BundleError(f"{name} is imported, and there is no such module")
    return found


def _with_parents(name: str) -> Iterator[str]:
    """`a.b.c`, `a.b`, `a`."""
    while name:
        yield name
        name = name.rpartition(".")[0]
