"""Searching for what is left: each kind of document for one reason alone, beside one that holds nothing."""

import pytest

from shared.application.archive.keeping import folder
from shared.application.documents import chat_path, message_path
from shared.application.forgetting.proof import Preview, prove
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.vectors import TextVector, pack_vectors
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.stores.messages import new_message_fields

CHAT, OTHER, HANNA, TARAS, BOT = -1001, -1002, 104, 102, 1
SCOPE = Scope(CHAT, HANNA, frozenset({50}), at(100), frozenset({HANNA}), frozenset({"mark"}))
REPEATS = "so quasars dance all day"
SOUGHT = Preview([CHAT], SCOPE, ForgottenWords(["quasars dance all night"]), {})


def said(message_id=1, text="nothing at all", *, user_id=TARAS, fields=None, **more):
    more = {"sent_at": at(60)} | more
    told = message(text, message_id=message_id, user_id=user_id, chat_id=CHAT, **more)
    return new_message_fields(told, now=more["sent_at"], retention=at(99) - at(0)) | (fields or {})


def segment(**more):
    told = message(message_id=9, chat_id=CHAT, **{"user_id": TARAS, "text": "nothing", "sent_at": at(1)} | more)
    return {"payload": Segment.build([told]).encode()}


FACT = {"subject": "chat", "value": "x", "evidence": [{"message_id": 1, "user_id": TARAS, "quote": "x"}]}
LATER = {"message_id": 90, "user_id": HANNA, "quote": "x", "sent_at": at(101)}

SPAN = {"first": 1, "last": 9, "first_at": at(1), "last_at": at(9)}

THERE = {
    "messages/1": (said(1), False),
    "messages/2": (said(2, user_id=HANNA), True),
    "messages/3": (said(3, user_id=HANNA, sent_at=at(101)), False),
    "messages/50": (said(50), True),
    "messages/4": (said(4, REPEATS), False),
    "messages/5": (said(5, REPEATS, forwarded=True), True),
    "messages/6": (said(6, forwarded=True), False),
    "messages/7": (said(7, quote=REPEATS), True),
    "messages/8": (said(8, quote="nothing at all"), False),
    "messages/9": (said(9, fields={"origin_ids": [HANNA]}), True),
    "messages/10": (said(10, fields={"reacted": {str(HANNA): {"at": at(60)}}}), True),
    "messages/11": (said(11, fields={"reacted": {str(HANNA): {"at": at(101)}}}), False),
    "messages/12": (said(12, user_id=BOT, is_bot=True, reply_to=50), True),
    "messages/13": (said(13, user_id=BOT, is_bot=True, reply_to=51), False),
    "messages/14": (said(14, user_id=BOT, is_bot=True, fields={"people": [HANNA]}), True),
    "messages/15": (said(15, user_id=BOT, is_bot=True, fields={"people": [TARAS]}), False),
    "messages/16": (said(16, user_id=BOT, is_bot=True, text=REPEATS), True),
    "chunks/1-2": (SPAN | {"summary": REPEATS}, True),
    "chunks/3-4": (SPAN | {"summary": "nothing"}, False),
    "chunks/5-6": (SPAN | {"summary": "retold", "made_with": [1, 50]}, True),
    "chunks/7-8": (SPAN | {"summary": "", "made_with": [1, 50]}, False),
    "chunks/9-10": (SPAN | {"summary": "nothing", "made_with": [1, 51]}, False),
    "episodes/5-6": (SPAN | {"tone": "retold", "made_with": [1, 50]}, True),
    "facts/a": (FACT, False),
    "facts/b": (FACT | {"value": REPEATS}, True),
    "facts/c": (FACT | {"voices": [{"user_id": HANNA, "at": at(9)}]}, True),
    "facts/d": (FACT | {"voices": [{"user_id": HANNA, "at": at(101)}]}, False),
    "facts/e": (FACT | {"subject": f"user:{HANNA}"}, True),
    "index/a": (segment(), False),
    "index/b": (segment(user_id=HANNA), True),
    "index/c": (segment(user_id=HANNA, sent_at=at(101)), False),
    "index/d": (segment(quote=REPEATS), True),
    "index/e": (segment(text=REPEATS), False),
    "index/f": (segment(text=REPEATS, is_bot=True, user_id=BOT), True),
    "index/g": ({"payload": b"spoilt"}, False),
    f"profiles/user:{HANNA}": ({"facts": []}, True),
    f"profiles/user:{TARAS}": ({"facts": []}, False),
}


@pytest.mark.parametrize("path", THERE)
async def test_what_is_left_is_found_and_what_holds_nothing_is_not(sqlite_store, path):
    data, holds = THERE[path]
    await sqlite_store.set(f"{chat_path(CHAT)}/{path}", data)
    found = await prove(sqlite_store, app_on(sqlite_store).archive, SOUGHT)
    assert found.left == ([f"{chat_path(CHAT)}/{path}"] if holds else [])
    assert found.searched == 1


@pytest.mark.parametrize(
    ("vectors_of", "holds"),
    [([], False), (["Тарас: lasers"], False), (["Ганна: quasars"], True), (["Тарас: lasers", "Ганна: quasars"], True)],
)
async def test_vectors_of_their_messages_are_found_on_chunks_whose_words_are_gone(store, vectors_of, holds):
    chunk = SPAN | {"message_ids": [49, 50, 51], "message_vectors": pack_vectors(dict.fromkeys(vectors_of, (1.0, 0.5)))}
    await store.set(f"{chat_path(CHAT)}/chunks/49-51", {"summary": "", "speakers": [], **chunk})
    await store.set(f"{chat_path(CHAT)}/chunks/1-9", {**chunk, "message_ids": [1, 9]})
    await store.set(message_path(CHAT, 51), said(51, "lasers", name="Тарас"))
    found = await prove(store, app_on(store).archive, SOUGHT)
    assert found.left == ([f"{chat_path(CHAT)}/chunks/49-51"] if holds else [])


async def test_a_vector_of_their_message_in_the_index_is_found_with_it(store):
    told = message("quasars", message_id=9, user_id=HANNA, chat_id=CHAT, sent_at=at(1))
    part = Segment.build([told], vectors={9: TextVector.of("m/2", (1.0, 0.5))})
    for number, each in ((1, part), (2, part.change(without={9}))):
        await store.set(f"{chat_path(CHAT)}/index/{number}", {"payload": each.encode()})
    assert [len(each.talk.own_vectors.steps) for each in (part, part.change(without={9}))] == [1, 0]
    assert (await prove(store, app_on(store).archive, SOUGHT)).left == [f"{chat_path(CHAT)}/index/1"]


async def test_facts_about_them_that_they_told_later_stay_with_all_that_belongs_to_these(sqlite_store):
    chat = chat_path(CHAT)
    fact = FACT | {"subject": f"user:{HANNA}"}
    await sqlite_store.set(f"{chat}/facts/new", fact | {"evidence": [LATER]})
    await sqlite_store.set(f"{chat}/facts/new/versions/000001", fact)
    await sqlite_store.set(f"{chat}/profiles/user:{HANNA}", {"facts": []})
    await sqlite_store.set(f"{chat}/facts/old", fact)
    await sqlite_store.set(f"{chat}/facts/old/versions/000001", fact)
    found = await prove(sqlite_store, app_on(sqlite_store).archive, SOUGHT)
    assert found.left == [f"{chat}/facts/old", f"{chat}/facts/old/versions/000001"]
    await sqlite_store.delete(f"{chat}/facts/new")
    assert f"{chat}/profiles/user:{HANNA}" in (await prove(sqlite_store, app_on(sqlite_store).archive, SOUGHT)).left


async def test_what_lies_outside_is_searched_where_it_is_of_this_chat(sqlite_store):
    there = {
        "updates/1": {"chat_id": CHAT, "outbox": [{"text": REPEATS}]},
        "updates/2": {"chat_id": CHAT, "outbox": [{"text": "nothing"}]},
        "updates/3": {"chat_id": OTHER, "outbox": [{"text": REPEATS}]},
        "dead_letters/1": {"body": f'{{"chat": {{"id": {CHAT}}}, "from": {HANNA}}}'},
        "dead_letters/2": {"body": f'{{"chat": {{"id": {OTHER}}}, "from": {HANNA}}}'},
        chat_path(CHAT): {"culture_text": REPEATS},
        message_path(OTHER, 1): said(1, user_id=HANNA),
    }
    for path, data in there.items():
        await sqlite_store.set(path, data)
    found = await prove(sqlite_store, app_on(sqlite_store).archive, SOUGHT)
    assert set(found.left) == {"updates/1", "dead_letters/1", chat_path(CHAT)}
    assert found.searched == 5


async def test_of_a_whole_chat_everything_is_left_but_what_a_new_memory_began_with(sqlite_store):
    there = {
        chat_path(CHAT): {"forgotten": True, "opted_out": [HANNA]},
        message_path(CHAT, 1): {"sent_at": at(10)},
        message_path(CHAT, 2): {"sent_at": at(11)},
        f"{chat_path(CHAT)}/facts/f": {"value": "x"},
        f"{chat_path(CHAT)}/members/1": {"first_seen_at": at(9)},
    }
    for path, data in there.items():
        await sqlite_store.set(path, data)
    whole = Preview([CHAT], None, ForgottenWords(), {})
    assert set((await prove(sqlite_store, app_on(sqlite_store).archive, whole)).left) == there.keys() - {
        chat_path(CHAT)
    }
    since = await prove(sqlite_store, app_on(sqlite_store).archive, whole._replace(until=at(10)))
    assert set(since.left) == {message_path(CHAT, 1), f"{chat_path(CHAT)}/members/1"}


async def whole(text):
    yield text.encode()


async def test_objects_of_the_archive_are_searched_and_counted_beside_documents(sqlite_store, tmp_path):
    app = app_on(sqlite_store, folder=tmp_path)
    await sqlite_store.set(message_path(CHAT, 4), said(4))
    for name, text in (("a", REPEATS), ("b", "nothing at all")):
        await app.archive.put(f"{folder(CHAT)}{name}.txt", whole(text), content_type="text/plain")
    found = await prove(app.store, app.archive, SOUGHT)
    assert found.left == [f"{folder(CHAT)}a.txt"]
    assert found.searched == 3


@pytest.mark.parametrize(
    ("kind", "evidence", "expected"),
    [
        ("facts", {"message_id": 50, "user_id": HANNA, "quote": "x", "sent_at": at(1)}, True),
        ("facts", {"message_id": 60, "user_id": TARAS, "quote": "x", "sent_at": at(1)}, False),
        ("quality", {"message_id": 50, "user_id": HANNA, "quote": "x", "sent_at": at(1)}, False),
    ],
)
async def test_what_was_made_from_a_fact_in_which_they_are_quoted_is_left_too(sqlite_store, kind, evidence, expected):
    chat = chat_path(CHAT)
    given = {"question": {"message_id": 1, "user_id": TARAS, "sent_at": at(1)}, "made_at": at(60), "left_out": 0}
    given |= {"facts": [{"subject": "chat", "id": "f"}], "messages": [], "notes": [], "people": [TARAS]}
    await sqlite_store.set(f"{chat}/{kind}/f", FACT | {"evidence": [evidence]})
    await sqlite_store.set(f"{chat}/answers/7", given)
    await sqlite_store.set(f"{chat}/messages/9", said(9, user_id=BOT, is_bot=True, fields={"answer": "7"}))
    made = {f"{chat}/answers/7", f"{chat}/messages/9"}
    assert made & set((await prove(sqlite_store, app_on(sqlite_store).archive, SOUGHT)).left) == (
        made if expected else set()
    )
