"""What a reply to a message of the bot means: written and read back, with nothing stored of what there is none of."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.conversation.reply_codec import (
    MOST_KEPT,
    Reacted,
    ReplyContext,
    reacted_at,
    reaction_fields,
    read_reactions,
    read_reply_context,
    reply_context_fields,
    without_reaction_fields,
)
from shared.application.ports.store import Document
from tests.support.builders import at

words = st.text(max_size=8)
contexts = st.builds(
    ReplyContext,
    command=words,
    action=words,
    fact=words,
    about=words,
    is_conflict=st.booleans(),
    user_id=st.none() | st.integers(1, 99),
    row=words,
    words=words,
    since=st.none() | st.integers(0, 9).map(at),
)


@given(contexts)
def test_what_is_written_is_read_back(context):
    assert read_reply_context(reply_context_fields(context)) == (context if any(context) else None)


def test_a_message_that_asks_nothing_says_so():
    assert reply_context_fields(None) is None
    assert read_reply_context(None) is None


def test_only_what_there_is_stands_in_the_document():
    card = ReplyContext("gryadfix", "card", "f1")
    assert reply_context_fields(card) == {"command": "gryadfix", "action": "card", "fact": "f1"}
    question = ReplyContext("gryadfix", "question", "f1", about="m")
    assert reply_context_fields(question) == {
        "command": "gryadfix",
        "action": "question",
        "fact": "f1",
        "about": "m",
        "conflict": False,
    }
    setting = ReplyContext("gryadsettings", "set", row="tone", user_id=101)
    assert reply_context_fields(setting) == {"command": "gryadsettings", "action": "set", "row": "tone", "user": 101}


instants = st.integers(0, 999).map(at)
reactions = st.builds(
    Reacted, instants, st.integers(1, 9), st.none() | st.booleans(), st.none() | instants, st.just("f1")
)


@given(st.dictionaries(st.integers(1, 2**40), reactions, max_size=5))
def test_what_is_written_is_read_back_of_reactions(kept):
    fields = reaction_fields(kept)
    assert read_reactions(Document("chats/-1/messages/1", fields)) == kept
    assert fields["reacted_by"] == sorted(kept)


def test_the_last_ones_of_too_many_are_kept():
    everybody = {user_id: Reacted(at(user_id), 1, True, at(user_id), "f1") for user_id in range(1, MOST_KEPT + 2)}
    assert set(reaction_fields(everybody)["reacted_by"]) == set(range(2, MOST_KEPT + 2))


def test_a_message_without_reactions_and_one_that_is_gone_have_none():
    assert read_reactions(None) == {}
    assert read_reactions(Document("chats/-1/messages/1", {"text": "Привіт"})) == {}


def test_one_members_reaction_is_taken_out_and_all_others_stay_as_they_are():
    reacted = {"102": {"at": at(1), "emojis": ["x"]}, "104": {"at": at(2)}}
    message = Document("chats/-1/messages/1", {"reacted": reacted, "reacted_by": [102, 104]})
    assert (reacted_at(message, 104), reacted_at(message, 105)) == (at(2), None)
    assert without_reaction_fields(message, 104) == {"reacted": {"102": reacted["102"]}, "reacted_by": [102]}
    assert reacted_at(Document("chats/-1/messages/1", {}), 104) is None
