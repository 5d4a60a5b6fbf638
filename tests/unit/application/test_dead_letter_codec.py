"""What could not be dealt with is read back as it came, as far as it is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.dead_letter_codec import (
    KEPT,
    DeadLetter,
    NotReplayable,
    letter_fields,
    letter_path,
    read_letter,
    reason_field,
    words_of_letter,
)
from shared.application.ports.store import Document
from tests.support.builders import START


def read(body, reason="a bug"):
    fields = letter_fields("update", body, reason, at=START)
    return read_letter(Document(letter_path("update-1"), fields)), fields


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_what_came_is_read_back(body):
    letter, fields = read(body)
    assert (letter.id, letter.kind, letter.reason, letter.at) == ("update-1", "update", "a bug", START)
    assert fields["expire_at"] == START + KEPT
    if body.decode("utf-8", "replace").encode() == body:
        assert letter.body() == body
    assert letter.size == len(body)


def test_only_the_beginning_of_a_long_one_is_kept_and_it_is_not_replayed():
    letter, _ = read(b"x" * 70_000)
    assert not letter.is_whole
    with pytest.raises(NotReplayable, match="70000 bytes"):
        letter.body()


def test_who_may_be_in_it_is_found_without_reading_it():
    _, fields = read(b'{"from": {"id": 101}, "chat": {"id": -5}, "user_id": "102", "message_id": 7}')
    assert fields["people"] == [101, 102]


def test_a_reason_is_cut_and_a_record_without_the_later_fields_is_read():
    assert len(reason_field("why " * 200)["reason"]) == 500
    old = read_letter(Document(letter_path("task-9"), {"at": START}))
    assert old == DeadLetter("task-9", "task", START)


def test_words_are_found_however_they_are_written():
    for body in ("Привіт".encode(), b"\\u041f\\u0440\\u0438\\u0432\\u0456\\u0442"):
        _, fields = read(body)
        assert words_of_letter(Document(letter_path("update-1"), fields)) == ("Привіт", "a bug")


def test_words_that_are_no_utf_8_are_read_as_far_as_they_can_be():
    _, fields = read("Привіт".encode() + b"\xff")
    assert words_of_letter(Document(letter_path("update-1"), fields))[0].startswith("Привіт")
    assert words_of_letter(Document(letter_path("update-1"), {})) == ("", "")
