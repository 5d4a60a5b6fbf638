"""What docs/features.md and docs/promises.md promise is what tests show."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FEATURES, PROMISES = ((ROOT / "docs" / name).read_text("utf-8") for name in ("features.md", "promises.md"))
SHOWN = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", FEATURES)
HELD = [path for page in (FEATURES, PROMISES) for path in re.findall(r"`(tests/[\w/.]+)`", page)]


def rows(page: str) -> list[str]:
    """The lines of a page's table below its head, without the titles of groups."""
    table = [line for line in page.splitlines() if line.startswith("|")][2:]
    return [line for line in table if not line.startswith("| **")]


def test_every_feature_names_a_test() -> None:
    assert len(SHOWN) > 90
    assert [row for row in rows(FEATURES) if not re.search(r"\| `tests/[\w/]+\.py::\w+` \|$", row)] == []


def test_every_promise_names_what_proves_it() -> None:
    assert len(rows(PROMISES)) > 15
    assert [row for row in rows(PROMISES) if not re.search(r"\| `tests/[^|]+\|$", row)] == []


@pytest.mark.parametrize(("path", "name"), SHOWN, ids=[name for _, name in SHOWN])
def test_a_test_that_a_feature_names_exists(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("path", sorted(set(HELD)))
def test_what_proves_a_promise_exists(path: str) -> None:
    assert (ROOT / path).exists()
