"""Which notes are made again when messages go: those made with them, with what stood before, or from such notes."""

import pytest

from shared.application.forgetting.traces.notes import SEEN_BEFORE, NoteSeen, empty_notes, find_affected, note_seen
from shared.application.forgetting.traces.scope import Scope
from shared.application.ports.store import Document
from tests.support.builders import at
from tests.support.exports import app_on

HANNA, TARAS, CHAT = 104, 102, -1001
SCOPE = Scope(CHAT, HANNA, frozenset(), at(100))


def seen(name, kind="chunk", *, level=0, ids=(), nodes=(), theirs=False):
    first = min(ids, default=0)
    return NoteSeen(f"chats/{CHAT}/{kind}s/{name}", kind, name, level, first, tuple(ids), tuple(nodes), theirs)


def chunk(number, **more):
    return seen(f"c{number}", ids=range(10 * number, 10 * number + 10), **more)


def names(notes, gone=()):
    return {note.id for note in find_affected(notes, frozenset(gone))}


def test_a_chunk_goes_with_its_messages_and_so_does_the_one_that_saw_them_before_its_own():
    chunks = [chunk(number) for number in range(1, 5)]
    assert names(chunks, {25}) == {"c2", "c3"}
    assert names(reversed(chunks), {25}) == {"c2", "c3"}
    assert names(chunks, {49}) == {"c4"}
    assert names(chunks, {9}) == set()


def test_of_short_chunks_all_that_saw_the_message_before_their_own_go():
    short = [seen(f"c{number}", ids=(number,)) for number in range(1, 15)]
    assert names(short, {1}) == {f"c{number}" for number in range(1, SEEN_BEFORE + 2)}


def test_a_chunk_that_repeats_their_words_goes_alone():
    assert names([chunk(1, theirs=True), chunk(2)]) == {"c1"}


def test_a_meta_goes_with_one_of_its_nodes_however_high_it_stands():
    metas = [
        seen("top", "meta", level=2, nodes=("low", "other")),
        seen("low", "meta", level=1, nodes=("c1", "c2")),
        seen("other", "meta", level=1, nodes=("c8",)),
        seen("own", "meta", level=1, nodes=("c9",), theirs=True),
        seen("of own", "meta", level=2, nodes=("own",)),
    ]
    assert names([*metas, chunk(1), chunk(2), chunk(3)], {15}) == {"c1", "c2", "low", "top", "own", "of own"}


def test_an_episode_goes_by_its_own_messages_or_words_and_takes_no_meta_along():
    episodes = [seen("e1", "episode", ids=(1, 2)), seen("e2", "episode", ids=(3,)), seen("e3", "episode", theirs=True)]
    assert names([*episodes, seen("m", "meta", level=1, nodes=("e1",))], {2}) == {"e1", "e3"}


SPAN = {"first": 1, "last": 9, "first_at": at(1), "last_at": at(9)}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({"speakers": [TARAS]}, False),
        ({"speakers": [TARAS, HANNA]}, True),
        ({"participants": [{"user_id": HANNA, "name": "Ганна"}]}, True),
        ({"participants": [{"user_id": TARAS, "name": "Тарас"}], "speakers": [TARAS]}, False),
    ],
)
def test_a_note_is_theirs_when_they_speak_or_take_part_in_it(more, expected):
    document = Document(f"chats/{CHAT}/episodes/1-9", {**SPAN, "message_ids": [1, 9], **more})
    note = note_seen(SCOPE, document)
    assert note == NoteSeen(document.path, "episode", "1-9", 0, 1, (1, 9), (), expected)
    assert not note_seen(SCOPE._replace(user_id=None), document).theirs


async def test_notes_are_emptied_and_one_that_is_gone_stays_gone(sqlite_store):
    app, there = app_on(sqlite_store), {"summary": "quasars", "episodic": "quasars", "speakers": [HANNA], "first": 1}
    paths = [f"chats/{CHAT}/chunks/{number}" for number in range(25)]
    for path in paths:
        await sqlite_store.set(path, {**there, "indexed": True, "embedding": [1.0], "embedding_model": "m"})
    gone = seen("gone")
    await empty_notes(app.store, CHAT, [*(seen(path.rsplit("/", 1)[-1]) for path in paths), gone])
    for document in await sqlite_store.get_many(paths):
        left = {name: document.data[name] for name in ("summary", "episodic", "speakers", "embedding", "indexed")}
        assert left == {"summary": "", "episodic": "", "speakers": [], "embedding": None, "indexed": False}
    assert await sqlite_store.get(gone.path) is None
    assert (await sqlite_store.get(f"chats/{CHAT}/upkeep/derived")).data["stale"] == 1


async def test_without_a_note_there_is_nothing_to_do(sqlite_store):
    await empty_notes(sqlite_store, CHAT, [])
    assert [document async for document in sqlite_store.subtree(f"chats/{CHAT}")] == []
