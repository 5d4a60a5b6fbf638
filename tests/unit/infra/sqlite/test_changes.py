"""Changes of a document as Firestore makes them: numbers that stay numbers, lists that grow once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.sqlite.changes import apply_changes
from shared.application.ports.store import DELETE_FIELD, ArrayUnion, Increment

BEFORE = {"n": 1, "list": ["a"], "text": "x"}
VALUES = st.lists(st.booleans() | st.integers(0, 1) | st.sampled_from(["a", "b"]), max_size=5)


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        ({"text": {"b": 1}}, BEFORE | {"text": {"b": 1}}),
        ({"n": Increment(2)}, BEFORE | {"n": 3}),
        ({"n": Increment(0.5)}, BEFORE | {"n": 1.5}),
        ({"new": Increment(2)}, BEFORE | {"new": 2}),
        ({"text": Increment(2)}, BEFORE | {"text": 2}),
        ({"list": ArrayUnion(("b", "a"))}, BEFORE | {"list": ["a", "b"]}),
        ({"text": ArrayUnion(("b",))}, BEFORE | {"text": ["b"]}),
        ({"text": DELETE_FIELD}, {"n": 1, "list": ["a"]}),
        ({"absent": DELETE_FIELD}, BEFORE),
    ],
)
def test_a_change_touches_its_field_alone(changes, after):
    before = {**BEFORE, "list": [*BEFORE["list"]]}
    assert apply_changes(before, changes) == after
    assert before == BEFORE


def test_a_whole_number_stops_at_the_ends_of_64_bits():
    most = (1 << 63) - 1
    assert apply_changes({"n": most}, {"n": Increment(1)}) == {"n": most}
    assert apply_changes({"n": -most - 1}, {"n": Increment(-1)}) == {"n": -most - 1}


def told_apart(values):
    return [(type(value) is bool, value) for value in values]


@given(VALUES, VALUES)
def test_a_union_adds_what_is_new_once_and_may_be_repeated(before, added):
    change = {"list": ArrayUnion(tuple(added))}
    once = apply_changes({"list": before}, change)
    assert told_apart(once["list"])[: len(before)] == told_apart(before)
    assert set(told_apart(once["list"])) == {*told_apart(before), *told_apart(added)}
    assert told_apart(apply_changes(once, change)["list"]) == told_apart(once["list"])
