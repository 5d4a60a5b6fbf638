"""What is written of a chat is read back, and a document of an earlier day is read."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.chat_codec import (
    ChatState,
    LastQuestion,
    begun_fields,
    chat_fields,
    forgotten_fields,
    info_fields,
    left_fields,
    new_chat_fields,
    no_portrait,
    read_chat,
)
from shared.application.chats.portrait_codec import StoredPortrait, portrait_fields
from shared.application.chats.settings_codec import seen_name
from shared.application.ports.store import DELETE_FIELD, Document
from shared.domain.forgetting.forgotten import Hearsay
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
    fields = info_fields(info) | chat_fields(admins=admins, admins_checked_at=at, admin_history=history)
    fields |= chat_fields(question=question, spoke_at=at, spoke_for=update_id, last_active_at=at)
    state = read_chat(-1, Document("chats/-1", {**new_chat_fields(-1), **fields}))
    assert ChatInfo(state.chat_id, state.type, state.title, state.username, is_forum=state.is_forum) == info
    assert (state.admins, state.admins_checked_at, state.admin_history) == (admins, at, tuple(history))
    assert (state.question, state.spoke_at, state.spoke_for) == (question, at, update_id)
    assert (state.last_active_at, state.known) == (at, True)


def test_a_chat_without_a_document_is_not_known():
    assert read_chat(-1, None) == ChatState(-1)


def test_a_document_with_no_fields_is_of_a_known_chat_with_every_default():
    assert read() == ChatState(-1, known=True)


def test_a_chat_that_the_bot_left_says_since_when():
    state = read(**left_fields("kicked" * 100, at=START))
    assert (state.active, state.inactive_since) == (False, START)
    assert len(left_fields("kicked" * 100, at=START)["inactive_reason"]) == 200


def test_a_portrait_is_shown_until_a_reset_an_erasure_or_the_silence_of_who_is_quoted():
    stored = {"culture_summary": portrait_fields(StoredPortrait("Люблять чай.", START, frozenset({1, 2})))}
    later = START + timedelta(days=1)
    assert (read(**stored).portrait, read(**stored).portrait_of) == ("Люблять чай.", {1, 2})
    assert read(**stored, learn_from=START - timedelta(days=1)).portrait == "Люблять чай."
    for silenced in ({"learn_from": later}, {"forgotten_at": later}, {"opted_out": [2]}):
        assert (read(**stored, **silenced).portrait, read(**stored, **silenced).portrait_of) == ("", {1, 2})


def test_of_a_forgotten_chat_only_consent_is_known():
    state = ChatState(-1, known=True, title="Друзі", opted_out=frozenset({7}), hearsay=Hearsay())
    left = forgotten_fields(state, [seen_name(7, "Оля")])
    assert read(**left) == ChatState(-1, opted_out=frozenset({7}), opted_out_names=read(**left).opted_out_names)
    assert len(read(**left).opted_out_names) == 1
    assert begun_fields(-1)["forgotten"] is DELETE_FIELD


async def test_without_its_portrait_nothing_is_told_of_a_group(sqlite_store):
    path, portrait = "chats/-1", StoredPortrait("Люблять чай.", START, frozenset({1}))
    await sqlite_store.set(path, {"culture_summary": portrait_fields(portrait)})
    assert read_chat(-1, await sqlite_store.get(path)).portrait == "Люблять чай."
    await sqlite_store.update(path, no_portrait())
    assert read_chat(-1, await sqlite_store.get(path)) == ChatState(-1, known=True)
