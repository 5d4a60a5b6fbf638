"""What ends, resets or moves a chat's memory is read back from its document."""

from shared.application.chats.chat_codec import ChatState, begun_fields, read_chat
from shared.application.chats.consent_codec import seen_name
from shared.application.chats.lifecycle_codec import (
    arrived_fields,
    forgotten_field,
    forgotten_fields,
    moved_fields,
    no_portrait,
    reset_field,
    stopped_fields,
)
from shared.application.chats.portrait_codec import StoredPortrait
from shared.application.ports.store import DELETE_FIELD, Document
from shared.domain.forgetting.forgotten import Hearsay
from tests.support.builders import START


def read(**data):
    return read_chat(-1, Document("chats/-1", data))


def test_of_a_forgotten_chat_only_consent_is_known():
    state = ChatState(-1, known=True, title="Друзі", opted_out=frozenset({7}), hearsay=Hearsay())
    left = forgotten_fields(state, [seen_name(7, "Оля")])
    assert read(**left) == ChatState(-1, opted_out=frozenset({7}), opted_out_names=read(**left).opted_out_names)
    assert len(read(**left).opted_out_names) == 1
    assert begun_fields(-1)["forgotten"] is DELETE_FIELD


def test_a_reset_and_a_forgetting_say_since_when():
    assert read(**reset_field(START)).learn_from == START
    assert read(**forgotten_field(START)).forgotten_at == START
    stopped = read(**stopped_fields(START))
    assert (stopped.forgotten_at, stopped.active, stopped.private_mode) == (START, False, True)


def test_a_chat_that_moved_points_to_where_it_went_and_came_from():
    assert read(**moved_fields(-2))[:1] == (-1,)
    assert (read(**moved_fields(-2)).migrated_to, read(**moved_fields(-2)).active) == (-2, False)
    assert (read(**arrived_fields(-1)).migrated_from, read(**arrived_fields(-1)).active) == (-1, True)


async def test_without_its_portrait_nothing_is_told_of_a_group(sqlite_store):
    path, portrait = "chats/-1", StoredPortrait("Люблять чай.", START, frozenset({1}))
    await sqlite_store.set(path, {"culture_summary": portrait.fields()})
    assert read_chat(-1, await sqlite_store.get(path)).culture == "Люблять чай."
    await sqlite_store.update(path, no_portrait())
    assert read_chat(-1, await sqlite_store.get(path)) == ChatState(-1, known=True)
