"""What could not be dealt with is kept as it came, once, and given back only whole."""

import json
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from shared.application.dead_letter_codec import KEPT, NotReplayable
from shared.application.dead_letters import (
    dead_letters,
    find_dead_letter,
    record_dead_letter,
    settle,
)
from tests.support.queues import NOON, SteppedClock

MOST = 64 * 1024


async def recorded(store, body, *, at=NOON, reason="a bug", kind="update"):
    letter_id = await record_dead_letter(store, SteppedClock(at), kind=kind, body=body, reason=reason)
    return await find_dead_letter(store, letter_id)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
@example(b"")
@example("🦄".encode()[:3])
async def test_whatever_came_is_given_back_byte_by_byte(in_memory, body):
    letter = await recorded(in_memory, body)
    if letter.is_whole:
        assert letter.body() == body
    else:  # text that was cut within a character
        with pytest.raises(NotReplayable):
            letter.body()
    assert letter.size == len(body)


@pytest.mark.parametrize("body", ["ї".encode() * (MOST + 1), b"\xff" * (MOST + 1)], ids=["text", "bytes"])
async def test_of_what_is_too_long_the_beginning_is_kept_and_cannot_be_replayed(in_memory, body):
    letter = await recorded(in_memory, body)
    assert (letter.size, letter.is_whole) == (len(body), False)
    assert letter.text in ("ї" * MOST, "ff" * MOST)
    with pytest.raises(NotReplayable, match=f"of the {len(body)} bytes"):
        letter.body()


async def test_what_comes_again_is_one_letter_and_keeps_its_first_reason(in_memory):
    first = await recorded(in_memory, b"{}", reason="the first time")
    again = await recorded(in_memory, b"{}", at=NOON + timedelta(hours=1), reason="the second time")
    assert again == first
    assert await recorded(in_memory, b"{}", kind="task") != first
    assert len(await dead_letters(in_memory)) == 2


async def test_the_newest_letters_are_listed_first(in_memory):
    for minutes in (5, 1, 9):
        await recorded(in_memory, str(minutes).encode(), at=NOON + timedelta(minutes=minutes))
    assert [letter.text for letter in await dead_letters(in_memory, limit=2)] == ["9", "5"]


async def test_members_are_found_in_a_letter_without_reading_it(in_memory):
    """By these ids a forgotten member's letters are found; a chat's negative id is nobody's."""
    update = {"message": {"from": {"id": 104}, "chat": {"id": -1001}, "reply_to_message": {"from": {"id": 7}}}}
    letter = await recorded(in_memory, json.dumps(update | {"user_id": "55", "update_id": 9}).encode())
    (document,) = await in_memory.query("dead_letters")
    assert document.data["people"] == [7, 55, 104]
    assert document.data["expire_at"] == letter.at + KEPT


async def test_what_was_dealt_with_is_gone_and_what_failed_again_says_why(in_memory):
    letter = await recorded(in_memory, b"{}")
    await settle(in_memory, letter, failed="still broken" * 100)
    kept = await find_dead_letter(in_memory, letter.id)
    assert kept.reason == ("still broken" * 100)[:500]
    await settle(in_memory, letter, failed=None)
    assert await find_dead_letter(in_memory, letter.id) is None


@pytest.mark.parametrize("name", ["", "update-unknown", "../chats/-1001", "a/b"])
async def test_a_name_that_is_no_letters_finds_nothing(in_memory, name):
    assert await find_dead_letter(in_memory, name) is None
