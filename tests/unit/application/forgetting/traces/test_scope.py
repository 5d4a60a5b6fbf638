"""What a forgetting covers: a message by its id, a member's words until an instant, and what others carry of them."""

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.forgetting.traces.scope import (
    ForgottenWords,
    Reference,
    Scope,
    begun_at,
    collection_of,
    instant_of,
    is_chat,
    messages_listed,
    people_listed,
    quotes,
    references,
    texts,
)
from shared.application.ports.store import Document
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


@pytest.mark.parametrize(
    ("said", "text", "repeated", "echoed"),
    [
        ("quasars dance all night", "they say: quasars dance all day", True, True),
        ("quasars dance all night", "quasars dance well", False, True),
        ("quasars dance", "why quasars dance there", True, True),
        ("quasars", "quasars", False, True),
        ("all by us", "by us all", False, False),
        ("all by us", "all by us two", True, True),
        ("four", "four", False, True),
        ("one", "one", False, False),
        ("", "anything at all", False, False),
    ],
)
def test_a_text_repeats_by_runs_and_echoes_by_single_words(said, text, repeated, echoed):
    words = ForgottenWords([said])
    assert (words.occur_in(text), words.echo_in(text)) == (repeated, echoed)


def test_what_somebody_else_said_too_tells_nothing():
    words = ForgottenWords(["quasars dance all night", "lasers shine"])
    words.leave_out("well, quasars dance all day")
    assert not words.occur_in("quasars dance all")
    assert words.occur_in("dance all night")
    assert (words.echo_in("quasars"), words.echo_in("night")) == (False, True)
    words.leave_out("my lasers shine too")
    assert not words.occur_in("lasers shine")


def test_words_are_there_by_runs_or_by_single_ones():
    assert not ForgottenWords(["a"])
    assert ForgottenWords(["a b"])
    assert ForgottenWords(["quasars"])
    assert not ForgottenWords()


def test_how_long_a_telling_word_is_may_be_said():
    assert ForgottenWords(["Ян"], shortest=2).single == {"ян"}
    assert ForgottenWords(["Ян"]).single == set()


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon"]), min_size=2, max_size=6), st.data())
def test_every_text_repeats_itself_until_somebody_else_says_it(said, data):
    text = " ".join(said)
    words = ForgottenWords([text])
    assert words.occur_in(f"well {text} so")
    words.leave_out(data.draw(st.just(text)))
    assert not words.occur_in(text)
    assert not words.echo_in(text)


PLANTED = "planted phrase"


def test_references_and_texts_are_found_however_deep_they_lie():
    quote, voice = {"message_id": 1, "quote": "a"}, {"user_id": 2, "by": [{"user_id": 3, "why": "b"}]}
    value = {"evidence": [quote], "others": {"x": ({"voices": [voice]},)}, "at": at(1).astimezone(UTC), "n": 5}
    found = list(references(value))
    assert [each.fields for each in found] == [quote, voice, voice["by"][0]]
    assert found[0] == Reference(None, 1, None, "a", quote)
    assert list(quotes(value)) == found[:1]
    assert list(references("user_id")) == []
    assert list(texts({"a": "one", "b": ["two", {"c": "three"}], "d": 4, "e": None})) == ["one", "two", "three"]


ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.just(PLANTED),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=15,
)


@given(ANYTHING)
def test_no_text_is_overlooked_wherever_it_stands(document):
    assert list(texts(document)).count(PLANTED) == repr(document).count(PLANTED)


@given(ANYTHING)
def test_nobody_is_overlooked_who_is_named_beside_anything(document):
    named = {"before": [document], "quote": {"deep": [{"user_id": 5, "with": document}]}}
    assert 5 in {each.user_id for each in references(named)}


@pytest.mark.parametrize("name", ["sent_at", "at", "last_seen_at"])
def test_whatever_the_instant_of_what_was_said_is_called_it_is_found(name):
    (found,) = references({"user_id": 2, name: at(3)})
    assert found.said_at == at(3)


def test_a_document_lies_in_one_collection_of_its_chat_however_deep():
    assert collection_of(Document("chats/-1/facts/a", {})) == "facts"
    assert collection_of(Document("chats/-1/facts/a/versions/1", {})) == "facts"
    assert collection_of(Document("chats/-1", {})) == collection_of(Document("updates/7", {})) == ""


def test_a_chats_own_document_is_told_from_those_below_it():
    paths = ["chats/-1", "chats/-1/facts/a", "updates/7"]
    assert [is_chat(Document(path, {})) for path in paths] == [True, False, False]


def test_people_and_messages_are_found_where_they_are_only_listed():
    fields = {"people": [1, 2], "speakers": None, "reacted_by": [3, "x"], "subject": "user:104"}
    assert list(people_listed(fields)) == [1, 2, 3, 104]
    assert list(people_listed({"subject": "chat"})) == []
    assert list(messages_listed({"message_ids": [5, None], "evidence_message_ids": [6]})) == [5, 6]


def test_a_document_begins_when_it_was_said_or_first_seen():
    assert begun_at({"sent_at": at(1), "first_seen_at": at(2)}) == at(1)
    assert begun_at({"first_seen_at": at(2), "made_at": at(1)}) == at(2)
    assert begun_at({"made_at": at(1)}) is None


def test_the_instant_of_a_document_is_the_first_that_it_tells():
    assert instant_of({"made_at": at(2), "sent_at": at(1)}) == at(1)
    assert instant_of({"updated_at": at(2), "sent_at": "yesterday"}) == at(2)
    assert instant_of({"text": "x"}) is None
