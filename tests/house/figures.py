"""The figures: each counts one kind of thing that makes the code hard to enter, and names where it stands."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import PurePosixPath

from tests.house.imports import refused_imports
from tests.house.ports import misfitting_functions
from tests.house.sources import PRODUCT, Function, House, Module, Node

MODULES_A_FOLDER = 15
LINES_A_MODULE = 300
COLUMNS = 120
MIRRORED = {
    "shared/domain": "tests/unit/domain",
    "shared/application": "tests/unit/application",
    "infra": "tests/unit/infra",
}
"""Where the tests of a layer's modules stand: under the same path."""

_RAW = frozenset(("data", "media", "payload"))
_NOQA = re.compile(r"#\s*(?:ruff:\s*|flake8:\s*)?noqa\b", re.IGNORECASE)
_UNCHECKED = re.compile(r"#\s*(?:type:\s*ignore|mypy:\s*(?:ignore|disable))")
_RELATIVE = re.compile(
    r"(After|Among|As|At|Before|Between|By|For|From|How|In|Of|On|Once|So|That|To|Under|Until"
    r"|What|When|Where|Whether|Which|While|Who|Whom|Whose|Why|With|Without)\b"
)
_PARTICIPLE = re.compile(
    r"_*(?!need$|feed$|seed$|embed$|speed$|proceed$|exceed$|succeed$|shed$|bed$)"
    r"(?:[a-z]+ed|(?:re|un)?told|(?:re|un)?said|(?:re|un)?made|kept|sent|held|left|lost|found|heard|known|shown|given|taken|written|spoken|seen|drawn"
    r"|meant|bound|built|brought|thought|sought|spent"
    r"|about|after|among|around|as|at|before|below|beside|between|by|for|from|how|in|on|only|ours|since|that|to|under"
    r"|until|what|when|where|which|while|who|whom|whose|why|with|within|without)$"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One figure: its value and, for who wants to lower it, what was counted."""

    value: int
    offenders: tuple[str, ...]


def counted(offenders: Iterable[str]) -> Finding:
    """A finding whose value is the number of its offenders."""
    listed = tuple(offenders)
    return Finding(len(listed), listed)


def full_folders(house: House) -> Finding:
    """Count the folders with more than 15 modules, tests too; `__init__.py` is none."""
    sizes = Counter(path.parent for path in house.paths(*PRODUCT, "tests") if path.name != "__init__.py")
    return counted(f"{folder}: {n} modules" for folder, n in sorted(sizes.items()) if n > MODULES_A_FOLDER)


def long_modules(house: House) -> Finding:
    """Count the product's modules of more than 300 lines."""
    sizes = {module.path: len(module.lines) for module in house.modules(*PRODUCT)}
    long = sorted(((n, path) for path, n in sizes.items() if n > LINES_A_MODULE), reverse=True)
    return counted(f"{path}: {n} lines" for n, path in long)


def excess_lines(house: House) -> Finding:
    """Count the lines beyond 300 of all of the product's modules, so that none grows while it waits to be split."""
    over = {module.path: len(module.lines) - LINES_A_MODULE for module in house.modules(*PRODUCT)}
    long = {path: n for path, n in over.items() if n > 0}
    return Finding(sum(long.values()), tuple(f"{path}: {n} beyond {LINES_A_MODULE}" for path, n in long.items()))


def repeated_classes(house: House) -> Finding:
    """Count the names that more than one class of the product has; a leading underscore makes no other name."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, node in _nodes(house, *PRODUCT):
        if isinstance(node, ast.ClassDef):
            places[node.name.lstrip("_")].append(module.at(node))
    return counted(f"{name}: {' '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1)


def raw_reads(house: House) -> Finding:
    """Count `data[…]`, `data.get(…)`, `… in data` and `for … in data` outside codecs, also of an attribute `data`; so
    of `media`, a message's file, and of `payload`, a task's.

    A codec is a module `codec.py` or `…_codec.py`, or one in a package `codecs`.
    """
    return counted(
        f"{module.at(read)}: {ast.unparse(node)}"
        for module, node in _nodes(house, *PRODUCT)
        if not _is_codec(module.path) and (read := _data_read(node)) is not None
    )


def _is_codec(path: PurePosixPath) -> bool:
    return path.stem == "codec" or path.stem.endswith("_codec") or "codecs" in path.parts


def _data_read(node: Node) -> ast.expr | None:
    match node:
        case (
            ast.Subscript(value=read)
            | ast.Call(func=ast.Attribute(value=read, attr="get"))
            | ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[read])
            | ast.comprehension(iter=ast.IfExp(body=read))
            | ast.comprehension(iter=read)
            | ast.For(iter=read)
        ):
            return read if _is_data(read) else None
    return None


def _is_data(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in _RAW) or (isinstance(node, ast.Attribute) and node.attr in _RAW)


def overlong_lines(house: House) -> Finding:
    """Count the lines over 120 columns in shared/, whatever exempts them."""
    return counted(
        f"{module.path}:{number}: {len(line)} columns"
        for module in house.modules("shared")
        for number, line in enumerate(module.lines, 1)
        if len(line) > COLUMNS
    )


def all_lines(house: House) -> Finding:
    """Count the lines of Python in shared/, of which the largest modules are named first."""
    sizes = sorted(((len(module.lines), module.path) for module in house.modules("shared")), reverse=True)
    return Finding(sum(n for n, _ in sizes), tuple(f"{path}: {n} lines" for n, path in sizes if n))


def exemptions(house: House) -> Finding:
    """Count what is excused from a check in shared/: `noqa`, `type: ignore`, and the modules of per-file-ignores."""
    return counted([*_comments(house), *_ignored_files(house)])


def _comments(house: House) -> Iterator[str]:
    for module in house.modules("shared"):
        for number, line in enumerate(module.lines, 1):
            if _NOQA.search(line) or _UNCHECKED.search(line):
                yield f"{module.path}:{number}: {line[line.index('#') :]}"


def _ignored_files(house: House) -> Iterator[str]:
    lint = house.configuration().get("tool", {}).get("ruff", {}).get("lint", {})
    for pattern, codes in (lint.get("per-file-ignores", {}) | lint.get("extend-per-file-ignores", {})).items():
        for path in house.paths("shared"):
            if fnmatch(str(path), pattern):
                yield f"{path}: {' '.join(codes)} by {pattern}"


def participles(house: House) -> Finding:
    """Count the functions called by a bare participle ("told", "_stored") or the like ("without", "_who"), but for
    properties and predicates."""
    return counted(
        f"{module.at(node)}: {node.name}"
        for module, node in _functions(house, *PRODUCT)
        if _PARTICIPLE.match(node.name) and not _is_property(node) and not _answers_whether(node)
    )


def verbless_docstrings(house: House) -> Finding:
    """Count the functions, classes, modules and constants whose docstring begins with "What", "Of", "As" or the like,
    not with what it is or does."""
    return counted(
        f"{module.at(node)}: {text.splitlines()[0]}"
        for module, node in _nodes(house, *PRODUCT)
        for text in _docstrings(node)
        if _RELATIVE.match(text)
    )


def _docstrings(node: Node) -> Iterator[str]:
    """Yield the docstring of a function, class or module, and those below constants and fields."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
        yield ast.get_docstring(node) or ""
    if isinstance(node, ast.ClassDef | ast.Module):
        for named, below in pairwise(node.body):
            match named, below:
                case ast.Assign() | ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(text))):
                    yield text


def _is_property(node: Function) -> bool:
    return any(ast.unparse(decorator).endswith(("property", ".setter")) for decorator in node.decorator_list)


def _answers_whether(node: Function) -> bool:
    return node.returns is not None and ast.unparse(node.returns) == "bool"


def whole_app(house: House) -> Finding:
    """Count the functions of shared/ that take `App`."""
    return counted(
        f"{module.at(node)}: {node.name}"
        for module, node in _functions(house, "shared")
        for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        if argument.annotation is not None and re.search(r"\bApp\b", ast.unparse(argument.annotation))
    )


def mirrored(layer: str) -> Callable[[House], Finding]:
    """Return a layer's figure: the percentage (rounded down) of its modules that have a test of their name and place.

    Asked of modules with more than one function that are no ports. The offenders are those without such a test.
    """

    def share(house: House) -> Finding:
        missing, asked = [], 0
        for module in house.modules(layer):
            if module.path.name.startswith("__") or "ports" in module.path.parts or _has_at_most_one(module):
                continue
            asked += 1
            test = PurePosixPath(MIRRORED[layer]) / module.path.relative_to(layer).with_name(f"test_{module.path.name}")
            if not house.has(test):
                missing.append(f"{module.path}: no {test}")
        return Finding(100 * (asked - len(missing)) // asked if asked else 100, tuple(missing))

    return share


def _has_at_most_one(module: Module) -> bool:
    return sum(isinstance(node, Function) for node in module.nodes) <= 1


def _nodes(house: House, *folders: str) -> Iterator[tuple[Module, Node]]:
    return ((module, node) for module in house.modules(*folders) for node in module.nodes)


def _functions(house: House, *folders: str) -> Iterator[tuple[Module, Function]]:
    for module, node in _nodes(house, *folders):
        if isinstance(node, Function):
            yield module, node


FIGURES: dict[str, tuple[str, Callable[[House], Finding]]] = {
    "full-folders": (f"folders of more than {MODULES_A_FOLDER} modules", full_folders),
    "long-modules": (f"modules of more than {LINES_A_MODULE} lines", long_modules),
    "excess-lines": (f"lines beyond {LINES_A_MODULE}, of all modules", excess_lines),
    "repeated-classes": ("class names that occur more than once", repeated_classes),
    "raw-reads": ("raw reads of documents outside codecs", raw_reads),
    "overlong-lines": (f"lines over {COLUMNS} columns in shared/", overlong_lines),
    "lines": ("lines of Python in shared/", all_lines),
    "exemptions": ("exemptions from checks in shared/", exemptions),
    "participles": ("functions called by a bare participle or the like", participles),
    "verbless-docstrings": ("docstrings that do not begin with what is done", verbless_docstrings),
    "whole-app": ("functions that take the whole App", whole_app),
    "ports": ("functions with ports that do not fit them", lambda house: counted(misfitting_functions(house))),
    "imports": ("imports of shared/ that no list allows", lambda house: counted(refused_imports(house))),
    "mirror-domain": ("% of shared/domain mirrored by tests", mirrored("shared/domain")),
    "mirror-application": ("% of shared/application mirrored", mirrored("shared/application")),
    "mirror-infra": ("% of infra mirrored by tests", mirrored("infra")),
}
"""Each figure by the name that `--list` and the bounds know: what it says, and how it is found."""
