"""Sizes as Firestore's documentation computes them ("Storage size calculations", its own example)."""

import json
from datetime import UTC, datetime

import pytest

from shared.application.ports.limits import name_bytes, value_bytes
from shared.application.ports.store import Document, Vector
from tests.cost.sizes import document_bytes, index_bytes
from tests.support.google.indexes import declared_in

TASK = Document(
    "users/jeff/tasks/my_task_id",
    {"type": "Personal", "done": False, "priority": 1, "description": "Learn Cloud Firestore"},
)
NONE = declared_in('{"indexes": [], "fieldOverrides": []}')


def test_the_example_of_the_documentation():
    assert name_bytes(TASK.path) == 44
    assert document_bytes(TASK) == 147


def test_a_field_has_an_entry_in_each_direction():
    entry = 44 + 27 + 32 + len("done") + 1 + 1
    assert index_bytes(TASK, NONE)["done"] == 2 * entry


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (None, 1),
        (True, 1),
        (7, 8),
        (0.5, 8),
        (datetime(2026, 1, 1, tzinfo=UTC), 8),
        ("їжак", 9),
        (b"abc", 3),
        (Vector((1.0, 2.0)), 16),
        ([1, "a"], 10),
        ({"a": 1}, 10),
    ],
)
def test_values(value, size):
    assert value_bytes(value) == size


def test_a_list_has_an_entry_for_each_element_and_a_map_one_for_each_field_in_it():
    fixed = name_bytes("a/1") + 32
    assert index_bytes(Document("a/1", {"l": [1, 2], "m": {"x": 1}}), NONE) == {
        "l": 2 * (fixed + 2 + 8),
        "m": 2 * (fixed + 4 + 8),
    }


def test_vectors_and_exempt_fields_have_none_and_composite_indexes_one():
    fields = [{"fieldPath": name, "order": "ASCENDING"} for name in ("x", "y")]
    index = {"collectionGroup": "a", "queryScope": "COLLECTION", "fields": fields}
    exempt = {"collectionGroup": "a", "fieldPath": "x", "indexes": []}
    declared = declared_in(json.dumps({"indexes": [index], "fieldOverrides": [exempt]}))
    document = Document("a/1", {"v": Vector((1.0,)), "x": 1, "y": 2})
    fixed = name_bytes("a/1") + 32
    assert index_bytes(document, declared) == {"y": 2 * (fixed + 2 + 8), "": fixed + 16}
