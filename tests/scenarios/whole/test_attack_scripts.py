"""Attacks that once succeeded, told as scripts: each is replayed, and beside it stands what should come of it.

`NAME.expect.json` holds any of: `believed` and `not_believed` (fields of facts, of `description` and `quote` a part),
`stored` and `stored_nowhere` (words that some document, or none, holds in the end), `lines` (by number: `outcome`, and
parts of what the bot said or changed its messages to: `answers`, `answers_not`; ids of what it `deleted`), and
`most_tasks`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.scripts import replayed

ATTACKS = Path(__file__).parents[2] / "data" / "scripts" / "attacks"
KNOWN = {"believed", "not_believed", "stored", "stored_nowhere", "lines", "most_tasks"}
PARTS = {"description"}

pytestmark = pytest.mark.usefixtures("logging_restored")


def is_like(fact: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    return all(value in fact[key] if key in PARTS else value == fact[key] for key, value in wanted.items())


def documents(path: Path) -> str:
    """Everything that the store and the queue hold, as text."""
    with closing(sqlite3.connect(path)) as db:
        rows = [*db.execute("SELECT parent, id, data FROM documents"), *db.execute("SELECT name, payload FROM tasks")]
    return "\n".join(" ".join(row) for row in rows)


@pytest.mark.parametrize("script", sorted(ATTACKS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_an_attack_fails(script: Path, tmp_path: Path) -> None:
    wanted = json.loads(script.with_suffix(".expect.json").read_text("utf-8"))
    assert wanted.keys() <= KNOWN
    told = replayed(script, keep=tmp_path / "kept.db")
    believed = [fact for fact in told["facts"] if fact["status"] == "active"]
    for fields in wanted.get("believed", []):
        assert [fact for fact in believed if is_like(fact, fields)], fields
    for fields in wanted.get("not_believed", []):
        assert not [fact for fact in believed if is_like(fact, fields)], fields
    check_documents(wanted, documents(tmp_path / "kept.db"))
    lines = {line["line"]: line for line in told["lines"]}
    for number, expected in wanted.get("lines", {}).items():
        check_line(lines[int(number)], expected)
    assert told["usage"]["tasks"] <= wanted.get("most_tasks", 1_000)


def check_documents(wanted: Mapping[str, Any], held: str) -> None:
    for words in wanted.get("stored", []):
        assert words in held, words
    for words in wanted.get("stored_nowhere", []):
        assert words not in held, words


def check_line(line: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    assert expected.keys() <= {"outcome", "answers", "answers_not", "deleted"}
    assert line["outcome"] == expected.get("outcome", line["outcome"])
    assert line["deleted"] == expected.get("deleted", line["deleted"])
    said = "\n".join(answer["text"] for answer in [*line["answers"], *line["edits"]])
    for words in expected.get("answers", []):
        assert words in said
    for words in expected.get("answers_not", []):
        assert words not in said
