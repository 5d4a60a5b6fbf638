"""The modules of a source tree, each read and parsed once; nothing of it is imported."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

PRODUCT = ("shared", "infra", "functions")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Node = (
    Function
    | ast.Module
    | ast.ClassDef
    | ast.Import
    | ast.ImportFrom
    | ast.Subscript
    | ast.Call
    | ast.Compare
    | ast.For
    | ast.comprehension
    | ast.Name
)


@dataclass(frozen=True, eq=False)
class Module:
    """A Python file.

    Attributes:
        path: From the root, with forward slashes.
        lines: Without their ends.
        nodes: Those of its syntax tree that a figure may ask for, outer ones first.
    """

    path: PurePosixPath
    lines: list[str]
    nodes: list[Node]

    def at(self, node: Node) -> str:
        """Return where a node stands, as `path:line`."""
        return f"{self.path}:{1 if isinstance(node, ast.Module) else node.lineno}"


class House:
    """The source tree beneath `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._modules = cache(self._read)

    def paths(self, *folders: str) -> list[PurePosixPath]:
        """Return the Python files of folders, sorted within each; a folder that is not there has none."""
        return [
            PurePosixPath(path.relative_to(self.root).as_posix())
            for folder in folders
            for path in sorted((self.root / folder).rglob("*.py"))
        ]

    def modules(self, *folders: str) -> Iterator[Module]:
        """Yield the modules of folders.

        Raises:
            SyntaxError: One is no Python.
        """
        return map(self._modules, self.paths(*folders))

    def has(self, path: PurePosixPath) -> bool:
        """Return whether there is such a file."""
        return (self.root / path).is_file()

    def configuration(self) -> dict[str, Any]:
        """Return what pyproject.toml says; empty when there is none."""
        path = self.root / "pyproject.toml"
        return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}

    def _read(self, path: PurePosixPath) -> Module:
        text = (self.root / path).read_text("utf-8")
        nodes = [node for node in ast.walk(ast.parse(text, str(path))) if isinstance(node, Node)]
        return Module(path, text.splitlines(), nodes)
