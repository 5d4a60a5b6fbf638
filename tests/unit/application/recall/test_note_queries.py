"""What notes are found by."""

import pytest

from shared.application.documents import chunks_path
from shared.application.recall import note_queries as queries
from tests.support.builders import at

CHAT = -1001


@pytest.fixture
async def chunks(sqlite_store):
    """Three stretches of ten messages: indexed, changed since, and made without the model; 102 spoke in the second."""
    marks = [{"indexed": True}, {"stale": True}, {"model_pending": True}]
    for number, more in enumerate(marks):
        first, last = 10 * number + 1, 10 * number + 10
        fields = {
            "first": first,
            "last": last,
            "last_at": at(last),
            "message_ids": list(range(first, last + 1)),
            "speakers": [101, 102] if number == 1 else [101],
            "stale": False,
            "model_pending": False,
            "indexed": False,
        }
        await sqlite_store.set(f"{chunks_path(CHAT)}/{first}-{last}", fields | more)
    return sqlite_store


@pytest.mark.parametrize(
    ("conditions", "firsts"),
    [
        ([queries.STALE], [11]),
        ([queries.MODEL_PENDING], [21]),
        ([queries.AWAITS_INDEX], [11, 21]),
        ([queries.holding_message(15)], [11]),
        ([queries.starting_from(11)], [11, 21]),
        ([queries.starting_with(11)], [11]),
        ([queries.ending_from(20)], [11, 21]),
        ([queries.ending_since(at(30))], [21]),
        (queries.ending_within(10, 20), [11]),
        ([queries.spoken_by(102)], [11]),
    ],
)
async def test_each_condition_finds_what_it_says_and_nothing_else(chunks, conditions, firsts):
    documents = await chunks.query(chunks_path(CHAT), where=conditions)
    assert sorted(document.data["first"] for document in documents) == firsts
