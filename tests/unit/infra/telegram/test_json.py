"""The JSON of the Bot API: what is not as described is an error that tells where."""

from datetime import UTC, datetime

import pytest

from infra.telegram.json import Node
from shared.domain.errors import UnparseableUpdate

UPDATE = Node({"id": 7, "text": "так", "date": 1_772_800_000, "on": True, "chat": {"id": -1}, "absent": None,
               "rows": [[{"a": 1}, {"a": 2}], [{"a": 3}]], "list": [{"a": 1}]}, "update")  # fmt: skip


def test_fields_are_read_by_their_kind():
    assert (UPDATE.integer("id"), UPDATE.text("text"), UPDATE.flag("on")) == (7, "так", True)
    assert UPDATE.date("date") == datetime(2026, 3, 6, 12, 26, 40, tzinfo=UTC)
    assert UPDATE.child("chat").integer("id") == -1
    assert [node.integer("a") for node in UPDATE.children("list")] == [1]
    assert [node.integer("a") for node in UPDATE.table("rows")] == [1, 2, 3]


def test_an_explicit_null_is_as_good_as_nothing():
    for key in ("absent", "never"):
        assert UPDATE.find(key) is UPDATE.find_text(key) is UPDATE.find_integer(key) is UPDATE.find_date(key) is None
        assert not UPDATE.flag(key)
        assert not UPDATE.has(key)
        assert list(UPDATE.children(key)) == []


@pytest.mark.parametrize(
    ("read", "complaint"),
    [
        (lambda: UPDATE.integer("never"), "update.never is missing"),
        (lambda: UPDATE.integer("on"), "update.on is not of type int"),
        (lambda: UPDATE.text("id"), "update.id is not of type str"),
        (lambda: UPDATE.child("chat").text("id"), "update.chat.id is not of type str"),
        (lambda: list(Node({"list": [{}, 5]}, "u").children("list")), "u.list[1] is not of type dict"),
        (lambda: list(Node({"rows": [[{}], {}]}, "u").table("rows")), "u.rows[1].row is not of type list"),
        (lambda: Node({"id": 1 << 63}, "u").integer("id"), "u.id is out of range"),
        (lambda: Node({"date": -1}, "u").date("date"), "u.date is out of range"),
    ],
)
def test_what_is_not_as_described_is_refused_with_its_place(read, complaint):
    with pytest.raises(UnparseableUpdate) as refused:
        read()
    assert str(refused.value) == complaint


def test_half_a_character_becomes_the_sign_for_an_unknown_one():
    assert Node({"text": "a\ud83db🙂"}, "u").text("text") == "a\ufffdb🙂"
