"""Writes as the SDK takes them: which may be repeated, and which document a refusal is about."""

import pytest

from infra.rest.documents import is_repeatable, paths_of, refusals
from shared.application.ports.store import Create, Delete, Increment, Set, Upsert
from shared.domain.errors import UnstorableDocument


@pytest.mark.parametrize(
    ("write", "repeatable"),
    [
        (Create("a/b", {}), False),
        (Set("a/b", {}), True),
        (Delete("a/b"), True),
        (Upsert("a/b", {"x": 1}), True),
        (Upsert("a/b", {"x": Increment(1)}), False),
    ],
)
def test_a_write_is_repeated_only_when_twice_is_the_same_as_once(write, repeatable):
    assert is_repeatable(write) is repeatable


def test_a_refusal_names_its_documents():
    with pytest.raises(UnstorableDocument) as caught, refusals(paths_of([Set("a/b", {}), Delete("a/c")])):
        raise TypeError("no such type")
    assert caught.value.paths == ("a/b", "a/c")
