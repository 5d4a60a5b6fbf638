"""What the memory may use of a message: by who said it, whose words it carries, and what it retells."""

import pytest

from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.conversation.consent_gate import (
    consent_changed,
    consent_holds,
    keepable,
    may_retell,
    readable,
    readable_after,
    readable_before,
    readable_messages,
    usable,
    usable_messages,
)
from shared.application.conversation.message_codec import ChunkState, read_message
from shared.application.documents import chat_path, message_path
from shared.application.ports.store import Document
from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.forgotten import Hearsay, id_key
from shared.domain.forgetting.telling import Gone, erase_member
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.stores.messages import new_message_fields

CHAT, HANNA, TARAS, IVAN = -1001, 104, 102, 107
RETELLS = "Іван обожнює фіолетове сомбреро"
GONE = Gone(IVAN, at(100), ["Іван"], said=["Обожнюю фіолетове сомбреро"])
HEARSAY = Hearsay().with_erased("salt", erase_member("salt", GONE, [], people=1), id_key=id_key(IVAN))
PLAIN = ChatState(CHAT, known=True)
OUT = PLAIN._replace(opted_out=frozenset({HANNA}), opted_out_names=frozenset({f"{HANNA}:{name_mark('Ганна')}"}))
AFTER = PLAIN._replace(hearsay=HEARSAY)


def said(text="Привіт усім", **more):
    return message(text, **{"message_id": 60, "user_id": TARAS, "name": "Тарас", "sent_at": at(120)} | more)


def kept(found):
    """What is left of a message: all, "" for it without its quote, None."""
    return found if found is None else found.quote or ""


QUOTED, THEIRS = {"quote": "цитата"}, {"origin_ids": (HANNA,)}


@pytest.mark.parametrize(
    ("state", "more", "expected"),
    [
        (PLAIN, QUOTED | THEIRS, "цитата"),
        (OUT, {"user_id": HANNA}, None),
        (OUT, {}, ""),
        (OUT, QUOTED, "цитата"),
        (OUT, QUOTED | THEIRS, ""),
        (OUT, QUOTED | {"origin_ids": (TARAS,)}, "цитата"),
        (OUT, THEIRS | {"forwarded": True}, None),
        (OUT, THEIRS | QUOTED | {"forwarded": True}, None),
        (OUT, {"forwarded": True}, ""),
        (OUT, THEIRS, ""),
        (AFTER, QUOTED | {"origin_ids": (IVAN,), "origin_at": at(1)}, ""),
        (AFTER, QUOTED | {"origin_ids": (IVAN,), "origin_at": at(101)}, "цитата"),
        (AFTER, QUOTED | {"origin_ids": (TARAS,), "origin_at": at(1)}, "цитата"),
        (AFTER, {"forwarded": True, "origin_ids": (IVAN,), "origin_at": at(1)}, None),
    ],
)
def test_words_of_who_opted_out_or_was_forgotten_are_not_kept_in_whosever_message(state, more, expected):
    assert kept(keepable(state, said(**more))) == expected


def test_who_is_answered_is_known_by_a_hash_once_they_were_forgotten():
    answering = said(origin_ids=(IVAN, TARAS), origin_at=at(1))
    assert keepable(AFTER, answering).origin_ids == (TARAS,)
    assert keepable(AFTER, said(origin_ids=(TARAS,), origin_at=at(1))).origin_ids == (TARAS,)
    quoting = keepable(AFTER, said(quote="цитата", origin_ids=(IVAN,), origin_at=at(1)))
    assert (quoting.quote, quoting.origin_ids) == (None, ())


@pytest.mark.parametrize(
    ("state", "text", "more", "expected"),
    [
        (PLAIN, RETELLS, {}, ""),
        (AFTER, "Привіт", {}, ""),
        (AFTER, RETELLS, {}, None),
        (AFTER, RETELLS, {"quote": "нічого"}, None),
        (AFTER, "Оце так", {"quote": RETELLS}, ""),
        (AFTER, "Оце так", {"quote": "нічого"}, "нічого"),
        (AFTER, RETELLS, {"user_id": IVAN, "name": "Іван"}, ""),
    ],
)
def test_what_retells_a_forgotten_member_is_not_used_and_a_quote_that_does_is_left_out(state, text, more, expected):
    assert kept(usable(state, said(text, **more))) == expected


def stored(number, *, chunk=None, user_id=TARAS):
    fields = new_message_fields(said(message_id=number, user_id=user_id), now=at(1), retention=at(9) - at(0))
    return Document(message_path(CHAT, number), fields | {"chunk": chunk})


def test_private_words_and_what_was_set_aside_are_not_heard_and_the_order_stays():
    documents = [
        stored(3),
        None,
        stored(1, chunk=ChunkState.PRIVATE.value),
        stored(2, chunk="1-10"),
        stored(4, chunk=ChunkState.SET_ASIDE.value),
        stored(5, user_id=HANNA),
    ]
    assert [m.message_id for m in readable_messages(OUT, documents)] == [3, 2]
    assert [m.message_id for m in readable_messages(PLAIN, documents)] == [3, 2, 5]
    assert readable(PLAIN, read_message(stored(4, chunk=ChunkState.SET_ASIDE.value))) is not None
    assert readable(PLAIN, read_message(stored(1, chunk=ChunkState.PRIVATE.value))) is None


def test_messages_from_elsewhere_pass_the_same_gate_and_the_order_stays():
    found = [said(message_id=3), said(message_id=1, user_id=HANNA), said(message_id=2, **QUOTED, **THEIRS)]
    assert [(m.message_id, m.quote) for m in usable_messages(OUT, found)] == [(3, None), (2, None)]
    assert usable_messages(PLAIN, found) == found
    assert usable_messages(AFTER, [said(RETELLS)]) == []


def test_what_was_made_of_several_peoples_words_is_not_used_once_one_of_them_opted_out():
    assert may_retell(OUT, {TARAS, IVAN})
    assert not may_retell(OUT, {TARAS, HANNA})
    assert may_retell(PLAIN, {TARAS, HANNA})


async def test_what_stands_before_and_after_a_message_is_the_nearest_oldest_first(sqlite_store):
    for number in range(1, 10):
        document = stored(number, user_id=HANNA if number == 4 else TARAS)
        await sqlite_store.set(document.path, document.data)
    app = app_on(sqlite_store)
    assert [m.message_id for m in await readable_before(app.store, PLAIN, 5, limit=2)] == [3, 4]
    assert [m.message_id for m in await readable_before(app.store, OUT, 5, limit=2)] == [3]
    assert [m.message_id for m in await readable_after(app.store, PLAIN, 5, limit=2)] == [6, 7]
    assert [m.message_id for m in await readable_after(app.store, OUT, 3, limit=2)] == [5]


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({}, True),
        ({"title": "інша"}, True),
        ({"private_mode": True}, False),
        ({"opted_out": [HANNA]}, False),
        ({"forgotten_at": at(1)}, False),
        (None, False),
    ],
)
async def test_what_was_read_may_be_used_while_nobody_chose_otherwise(sqlite_store, change, holds):
    path, app = chat_path(CHAT), app_on(sqlite_store)
    await sqlite_store.set(path, {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""})
    state = await app.chats.state(CHAT)
    assert state == read_chat(CHAT, await sqlite_store.get(path))
    if change is None:
        await sqlite_store.delete(path)
    else:
        await sqlite_store.update(path, change)
    assert await consent_changed(app.chats, state) is not holds
    assert await sqlite_store.transaction(lambda tx: consent_holds(tx, state)) is holds
