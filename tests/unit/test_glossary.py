"""The glossary speaks of what is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| term", "| ---"))
]
PLACES = [
    (row[0], name, path)
    for row in ROWS
    for names, path in re.findall(r"((?:`\w+`(?:, )?)+) in `([\w/]+\.py)`", row[2])
    for name in re.findall(r"`(\w+)`", names)
]


def test_every_term_has_one_line_and_a_place() -> None:
    assert all(len(row) == 3 and all(row) for row in ROWS)
    assert {row[0] for row in ROWS} == {term for term, _, _ in PLACES}


def test_no_term_stands_twice() -> None:
    terms = [term for row in ROWS for term in row[0].split(", ")]
    assert len(terms) == len(set(terms))


@pytest.mark.parametrize(("term", "name", "path"), PLACES)
def test_what_a_term_names_exists(term: str, name: str, path: str) -> None:
    body = ast.parse((ROOT / path).read_bytes()).body
    defined = {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)}
    assert name in defined, f"{term}: {path} does not define {name}"


def test_a_page_of_the_glossary_stands_in_the_index() -> None:
    assert "(glossary.md)" in (ROOT / "docs" / "index.md").read_text("utf-8")
