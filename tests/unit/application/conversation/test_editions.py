"""What an edit leaves of a message as it was stored, and how each delivered version is noted."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.conversation.editions import edited_message, editions_of, with_editions
from shared.application.conversation.message_codec import ChunkState, new_message
from shared.domain.conversation.messages import MediaFile
from tests.support.builders import at, message

PHOTO, OTHER = MediaFile("f", "u"), MediaFile("g", "v")


class _Schedule:
    def edits_end(self):
        return at(99)


def first(said=None, **more):
    return new_message(said or message(), now=at(2), retention=timedelta(days=90))._replace(**more)


def edit(text="Привіт усім", *, now=5, is_private=False, **more):
    edited = message(text, edited_at=at(now), **more)
    stored = new_message(edited, now=at(now), retention=timedelta(days=90), is_private=is_private)
    return stored._replace(edit_update_id=8)


def test_an_edit_keeps_when_a_message_came_and_what_it_answers():
    quoting = message(quote="цитата", origin_ids=(102,), origin_at=at(0))
    after = edited_message(_Schedule(), first(quoting), edit(quote=None))
    assert (after.received_at, after.expire_at) == (at(2), at(2) + timedelta(days=90))
    assert (after.message.quote, after.message.origin_ids, after.message.origin_at) == ("цитата", (102,), at(0))
    assert (after.message.text, after.edit_update_id) == ("Привіт усім", 8)


def test_a_quote_that_was_forgotten_does_not_come_back_with_an_edit():
    after = edited_message(_Schedule(), first(), edit(quote="цитата", origin_ids=(102,)))
    assert (after.message.quote, after.message.origin_ids) == (None, ())


@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        (first(), "Привіт усім", (True, at(99))),
        (first(), "Привіт", (False, None)),
        (first(is_edited=True), "Привіт", (True, None)),
        (first(retell_at=at(50)), "Привіт усім", (True, at(50))),
        (first(retell_at=at(120)), "Привіт", (False, at(99))),  # by a clock that was ahead
    ],
)
def test_changed_words_are_learnt_from_anew_and_retold_once_for_all_edits_of_a_while(known, text, expected):
    after = edited_message(_Schedule(), known, edit(text))
    assert (after.is_edited, after.retell_at) == expected


def test_the_description_of_a_file_stays_as_long_as_the_file():
    shown = first(message(media=PHOTO, media_text="Кіт"))
    assert edited_message(_Schedule(), shown, edit(media=PHOTO)).message.media_text == "Кіт"
    assert edited_message(_Schedule(), shown, edit(media=OTHER)).message.media_text == ""
    assert edited_message(_Schedule(), shown, edit("Привіт", media=OTHER)).is_edited


@pytest.mark.parametrize(("is_private", "state"), [(False, ChunkState.READ), (True, ChunkState.PRIVATE)])
def test_what_is_typed_in_private_stays_out_of_the_memory(is_private, state):
    known = first(chunk_state=ChunkState.READ, chunk_id="1-10")
    after = edited_message(_Schedule(), known, edit(is_private=is_private))
    assert (after.chunk_state, after.chunk_id) == (state, "" if is_private else "1-10")


def test_each_wording_is_noted_once_whichever_came_first():
    original, later = first(), edit()
    seen = with_editions(later, editions_of(None, later))
    assert editions_of(original, later) == editions_of(seen, original)
    assert [each.at for each in editions_of(original, later)] == [at(1), at(5)]
    assert editions_of(with_editions(original, editions_of(original, later)), later) == editions_of(original, later)
    assert replace(with_editions(later, ()).message, editions=()) == later.message
