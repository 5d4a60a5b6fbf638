"""What is written of a chat is read back, and a document of an earlier day is read."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.chat_codec import (
    ChatState,
    LastQuestion,
    active_fields,
    admins_fields,
    history_fields,
    info_fields,
    left_fields,
    new_chat_fields,
    question_fields,
    read_chat,
    spoken_fields,
)
from shared.application.chats.portrait_codec import StoredPortrait
from shared.application.ports.store import Document
from shared.domain.intake.updates import ChatInfo
from shared.domain.people.admin_history import AdminNote
from tests.support.builders import START

moments = st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2040, 1, 1), timezones=st.just(UTC))
ids = st.integers(min_value=1, max_value=2**40)
notes = st.builds(AdminNote, moments, ids, st.booleans(), told=st.booleans())
infos = st.builds(ChatInfo, st.just(-1), st.text(), st.text(), st.none() | st.text(), is_forum=st.booleans())


def read(**data):
    return read_chat(-1, Document("chats/-1", data))


@given(info=infos, admins=st.frozensets(ids), history=st.lists(notes), at=moments, update_id=ids)
def test_what_updates_and_turns_write_is_read_back(info, admins, history, at, update_id):
    question = LastQuestion(at, "fact", "mark", said=False)
    fields = {**info_fields(info), **admins_fields(admins, checked_at=at), **history_fields(history)}
    fields |= {**question_fields(question), **spoken_fields(at, unasked_for=update_id), **active_fields(at)}
    state = read_chat(-1, Document("chats/-1", {**new_chat_fields(-1), **fields}))
    assert ChatInfo(state.chat_id, state.type, state.title, state.username, is_forum=state.is_forum) == info
    assert (state.admins, state.admins_checked_at, state.admin_history) == (admins, at, tuple(history))
    assert (state.question, state.spoke_at, state.spoke_for) == (question, at, update_id)
    assert (state.last_active_at, state.known) == (at, True)


def test_a_chat_without_a_document_is_not_known():
    assert read_chat(-1, None) == ChatState(-1)


def test_a_document_with_no_fields_is_of_a_known_chat_with_every_default():
    assert read() == ChatState(-1, known=True)


def test_speaking_when_asked_leaves_the_update_that_the_bot_spoke_unasked_for():
    assert spoken_fields(START) == {"spoke_at": START}


def test_a_chat_that_the_bot_left_says_since_when():
    state = read(**left_fields("kicked" * 100, at=START))
    assert (state.active, state.inactive_since) == (False, START)
    assert len(left_fields("kicked" * 100, at=START)["inactive_reason"]) == 200


def test_a_portrait_is_shown_until_a_reset_an_erasure_or_the_silence_of_who_is_quoted():
    stored = {"culture_summary": StoredPortrait("Люблять чай.", START, frozenset({1, 2})).fields()}
    later = START + timedelta(days=1)
    assert (read(**stored).culture, read(**stored).culture_of) == ("Люблять чай.", {1, 2})
    assert read(**stored, learn_from=START - timedelta(days=1)).culture == "Люблять чай."
    for silenced in ({"learn_from": later}, {"forgotten_at": later}, {"opted_out": [2]}):
        assert (read(**stored, **silenced).culture, read(**stored, **silenced).culture_of) == ("", {1, 2})
