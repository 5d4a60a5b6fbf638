"""What a forgetting covers: a message by its id, a member's words until an instant, and what others carry of them."""

import pytest

from shared.application.forgetting.traces.scope import Scope
from shared.domain.conversation.messages import migrated_message_id
from tests.support.builders import at, message

HANNA, TARAS = 104, 102
BOTH = Scope(-1001, HANNA, frozenset({7}), at(100), frozenset({HANNA}), frozenset({"mark"}))
MESSAGES = Scope(-1001, None, frozenset({7}), at(100))


@pytest.mark.parametrize(
    ("scope", "said", "expected"),
    [
        (BOTH, (8, HANNA, at(100)), True),
        (BOTH, (8, HANNA, at(101)), False),
        (BOTH, (8, TARAS, at(99)), False),
        (BOTH, (7, TARAS, at(200)), True),
        (BOTH, (None, HANNA, at(99)), True),
        (BOTH, (None, TARAS, at(99)), False),
        (MESSAGES, (8, None, at(99)), False),
        (MESSAGES, (7, None, at(200)), True),
        (MESSAGES, (None, None, at(99)), False),
    ],
)
def test_words_are_covered_by_their_message_or_by_who_said_them_until_then(scope, said, expected):
    assert scope.covers(*said) is expected


@pytest.mark.parametrize("name", ["sent_at", "at", "last_seen_at"])
@pytest.mark.parametrize(("minutes", "expected"), [(99, True), (101, False)])
def test_whatever_the_instant_of_what_is_stored_is_called_it_counts(name, minutes, expected):
    assert BOTH.is_named_in({"user_id": HANNA, name: at(minutes)}) is expected


def test_what_has_no_instant_was_said_before():
    assert BOTH.is_named_in({"user_id": HANNA})
    assert not BOTH.is_named_in({"user_id": TARAS})
    assert BOTH.is_named_in({"message_id": 7})


@pytest.mark.parametrize(
    ("carries", "expected"),
    [
        ({"origin_ids": (HANNA,)}, True),
        ({"origin_ids": (TARAS,)}, False),
        ({"origin_names": ("mark",)}, True),
        ({"origin_names": ("another",)}, False),
        ({"origin_ids": (HANNA,), "origin_names": ("another",)}, True),
        ({"origin_ids": (TARAS,), "origin_names": ("mark",)}, True),
        ({}, False),
        ({"origin_ids": (HANNA,), "sent_at": at(100)}, True),
        ({"origin_ids": (HANNA,), "sent_at": at(101)}, False),
    ],
)
def test_a_message_carries_their_words_by_id_or_by_name_and_not_what_is_said_later(carries, expected):
    assert BOTH.is_origin(message("x", **{"sent_at": at(1)} | carries)) is expected


def test_under_the_old_id_of_a_chat_only_what_was_said_there_is_meant():
    moved = MESSAGES._replace(message_ids=frozenset({migrated_message_id(5), migrated_message_id(9), 12}))
    assert moved.before_moving(-55) == moved._replace(chat_id=-55, message_ids=frozenset({5, 9}))


def test_a_subject_is_there_only_where_a_member_is_meant():
    assert (BOTH.subject, MESSAGES.subject) == (f"user:{HANNA}", None)
