"""The README promises what tests show."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "README.md").read_text(encoding="utf-8"))


def test_the_features_are_linked_to_tests() -> None:
    assert len(SHOWN) > 20


@pytest.mark.parametrize(("path", "name"), SHOWN, ids=[name for _, name in SHOWN])
def test_a_test_that_the_readme_names_exists(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
