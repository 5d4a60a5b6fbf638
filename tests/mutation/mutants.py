"""Small wrong changes of a module: operators flipped, statements and awaits dropped, arguments swapped.

Pure: source text in, changed source text out. What nobody could notice is left alone: docstrings, annotations,
messages, what is logged, and imports.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LOGGING = ("log", "tell", "logging", "note_chat")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module.

    Attributes:
        path: The module, relative to the project's root.
        line: Where the change begins, from 1.
        last_line: Where the changed code ends.
        kind: What was done, in words.
        before: The code that was changed, on one line,
        after: and what stands there instead; "" for nothing.
        source: The whole changed module.
    """

    path: str
    line: int
    last_line: int
    kind: str
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        change = f"{self.before}  ->  {self.after}" if self.after else self.before
        return f"{self.path}:{self.line} {self.kind}: {change}"


def mutants(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    module = _Module(path, source)
    found = [made for node in _code(ast.parse(source)) for made in module.of(node)]
    return sorted(found, key=lambda mutant: (mutant.line, mutant.kind, mutant.before, mutant.after))


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs inside functions: all but annotations, decorators, docstrings, messages and logging."""
    for function in ast.walk(node):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_contract(function):
            for statement in function.body:
                yield from _inside(statement)


def _is_contract(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function only states what it promises: a docstring, or dots."""
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in function.body)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        return  # functions within functions are met by themselves
    if isinstance(node, ast.JoinedStr):
        return  # mostly messages; before Python 3.12 their parts have no true place
    if isinstance(node, ast.Expr) and (isinstance(node.value, ast.Constant) or _is_logging(node.value)):
        return
    yield node
    if isinstance(node, ast.Raise | ast.Assert):
        return
    if isinstance(node, ast.keyword) and _is_assertion(node):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _inside(child)


def _is_logging(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Await) else node
    if not isinstance(call, ast.Call):
        return False
    name = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    return isinstance(name, ast.Name) and name.id in _LOGGING


class _Module:
    def __init__(self, path: str, source: str) -> None:
        self._path, self._source = path, source
        self._lines = source.encode().splitlines(keepends=True)

    def of(self, node: ast.AST) -> Iterator[Mutant]:
        for kind, changed in _changes(node):
            yield self._made(_place(node), kind, changed)

    def _made(self, place: ast.stmt | ast.expr, kind: str, changed: ast.AST) -> Mutant:
        first, last = place.lineno, place.end_lineno or place.lineno
        before, after = ast.unparse(place), ast.unparse(changed)
        head = b"".join(self._lines[: first - 1]) + self._lines[first - 1][: place.col_offset]
        tail = self._lines[last - 1][place.end_col_offset :] + b"".join(self._lines[last:])
        written = after if isinstance(changed, ast.stmt) else f"({after})"
        source = (head + written.encode() + tail).decode()
        told = "" if isinstance(changed, ast.Pass) else _one_line(after)
        return Mutant(self._path, first, last, kind, _one_line(before), told, source)


def _place(node: ast.AST) -> ast.stmt | ast.expr:
    """Return the code that a change of the node takes the place of: of a branch only its condition."""
    assert isinstance(node, ast.stmt | ast.expr)
    return node.test if isinstance(node, ast.If | ast.While) else node


def _one_line(code: str) -> str:
    return " ".join(code.split())


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # noqa: C901 - one line a kind of change
    match node:
        case ast.Compare(ops=[op, *_]):
            yield "comparison flipped", _with(node, ops=[_FLIPPED[type(op)](), *node.ops[1:]])
        case ast.BoolOp():
            yield "and/or swapped", _with(node, op=_FLIPPED[type(node.op)]())
        case ast.BinOp() if type(node.op) in _FLIPPED and not _is_text(node):
            yield "operator flipped", _with(node, op=_FLIPPED[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", node.operand
        case ast.Constant(value=bool()):
            yield "constant flipped", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield "constant raised by one", ast.Constant(node.value + 1)
        case ast.If() | ast.While():
            yield "condition negated", ast.UnaryOp(ast.Not(), node.test)
        case ast.IfExp():
            yield "branches swapped", _with(node, body=node.orelse, orelse=node.body)
        case ast.Call():
            yield from _of_call(node)
        case ast.Expr(value=ast.Await()):
            yield "await dropped", ast.Pass()
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Delete():
            yield "statement dropped", ast.Pass()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield "statement dropped", ast.Pass()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "result dropped", ast.Return(ast.Constant(None))


def _of_call(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        yield "function swapped", _with(node, func=ast.Name(_TWINS[node.func.id]))
    first = node.args[:2]
    plain = len(first) == 2 and not any(isinstance(each, ast.Starred) for each in first)
    # Of two values the smaller is the same one, whichever comes first.
    plain = plain and not (isinstance(node.func, ast.Name) and node.func.id in ("min", "max"))
    if plain and ast.dump(first[0]) != ast.dump(first[1]):
        yield "arguments swapped", _with(node, args=[*reversed(first), *node.args[2:]])
    for at, keyword in enumerate(node.keywords):
        if keyword.arg is not None and not _is_assertion(keyword):
            yield "argument dropped", _with(node, keywords=[*node.keywords[:at], *node.keywords[at + 1 :]])


def _is_assertion(keyword: ast.keyword) -> bool:
    """Tell whether an argument only states what is so anyway, as `assert` does: of `zip`, that all are equally long."""
    return keyword.arg == "strict"


def _is_text(node: ast.BinOp) -> bool:
    """Tell whether texts are joined: a flipped operator would only be a type error."""
    return any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in (node.left, node.right))


def _with(node: ast.AST, **changed: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return other
