"""What was asked is read back as it was taken in, and holds no words."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.ledger_codec import done_with_update
from shared.application.documents import update_path
from shared.application.intake.question_codec import (
    MessageAsk,
    ask_again_fields,
    gesture_asked,
    message_asked,
    new_question,
    read_question,
)
from shared.application.ports.store import Document
from shared.domain.conversation.messages import Message
from shared.domain.intake.updates import (
    ButtonPressed,
    ChatInfo,
    GenerationStopped,
    MembershipChanged,
    MessageReceived,
    ReactionChanged,
    TypedCommand,
)
from tests.support.queues import NOON

chats = st.builds(
    ChatInfo,
    st.integers(-(10**12), 10**12),
    st.sampled_from(("private", "group", "supergroup")),
    st.text(max_size=5),
    st.none() | st.just("name"),
    st.booleans(),
)
tags = st.none() | st.sampled_from(("uk", "en-GB"))
ids = st.integers(1, 10**12)
MESSAGE = Message(-1001, 7, NOON, 101, "Оля", text="/gryadforgetme таємниця", thread_id=3)


def kept(asked, update_id=5):
    return Document(update_path(update_id), new_question(asked, now=NOON, kept=timedelta(days=3)))


@given(chats, tags, st.lists(ids, max_size=2), st.none() | ids, st.booleans(), st.booleans(), st.booleans())
def test_a_message_that_asks_is_read_back(chat, tag, mentioned, replied, is_command, is_unasked, is_kept):
    command = TypedCommand("gryadforgetme") if is_command else None
    update = MessageReceived(5, MESSAGE, chat, tag, (), tuple(mentioned), replied, command)
    document = kept(message_asked(update, MESSAGE, is_kept=is_kept, is_unasked=is_unasked))
    question = read_question(document)
    unkept = None if is_kept else MESSAGE
    assert question.ask == MessageAsk(chat, is_unasked, is_command, tag, tuple(mentioned), replied, unkept)
    assert (question.update_id, question.state, question.received_at) == (5, "asked", NOON)
    assert (question.chat_id, question.message_id) == (-1001, 7)
    assert ("таємниця" in repr(document.data)) is not is_kept


@given(chats, tags, ids)
def test_what_is_no_message_is_read_back(chat, tag, user_id):
    press = ButtonPressed(5, "c", chat, 7, None, user_id, "Оля", tag, "yes|a||seal")
    joined = MembershipChanged(5, chat, "joined", user_id, tag)
    reaction = ReactionChanged(5, chat, 7, user_id, ("👍",), NOON)
    stopped = GenerationStopped(5, chat, 77)
    for ask in (press, joined, reaction, stopped):
        assert read_question(kept(gesture_asked(ask, -1001))).ask == ask


@pytest.mark.parametrize("later", [done_with_update("answered"), {"user_id": None}, {"ask": None}])
def test_of_what_is_dealt_with_or_whose_author_was_forgotten_nothing_is_asked(later):
    update = MessageReceived(5, MESSAGE, ChatInfo(-1001, "supergroup"))
    document = kept(message_asked(update, MESSAGE, is_kept=True))
    assert read_question(Document(document.path, document.data | later)).ask is None


def test_an_entry_of_a_time_before_questions_were_written_down_asks_nothing():
    old = Document(update_path(5), {"state": "answering", "token": "t", "received_at": NOON})
    assert (read_question(old).ask, read_question(old).chat_id) == (None, 0)


@pytest.mark.parametrize(
    ("stored", "again"),
    [
        ({"state": "answering", "outbox": None}, True),
        ({"state": "answering", "outbox": []}, False),
        ({"state": "answering", "is_composed_again": True}, False),
        ({"state": "answering", "limit": {}}, False),
        *(({"state": state}, False) for state in ("asked", "waiting", "done")),
    ],
    ids=str,
)
def test_only_an_answer_that_is_being_made_is_made_again(stored, again):
    assert (ask_again_fields(Document("updates/7", stored)) is not None) == again
