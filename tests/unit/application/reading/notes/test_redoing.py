"""What is made again, in which order, and what it is called when it cannot be."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from shared.application.documents import metas_path, upkeep_path
from shared.application.ports.store import Document
from shared.application.reading.notes import redoing
from shared.application.reading.notes.codec import (
    MetaSummary,
    held_fields,
    meta_to_fields,
    read_chunk,
    read_meta_summary,
    read_note,
    read_upkeep,
)
from shared.application.reading.notes.redoing import (
    find_due,
    piece_of,
    read_current,
    redo_due,
    replace_note,
    stale_parent,
    waits,
)
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_codec import NoteTexts, StoredNote, outdated_fields
from shared.application.recall.note_queries import MODEL_PENDING, STALE
from shared.application.spending.asking import Embedded
from tests.support.builders import at
from tests.support.group import CHAT, running_group

RANGE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10), "message_ids": [1, 10], "level": 2}


@pytest.fixture
async def group(sqlite_store):
    async with running_group(sqlite_store) as group:
        yield group


async def have_metas(group, *levels_and_firsts, **fields):
    for level, first in levels_and_firsts:
        about = {"level": level, "first": first, "last": first + 9, "stale": True, "nodes": [], "summary": "про каву"}
        await group.store.set(f"{metas_path(CHAT)}/{level}-{first}-{first + 9}", RANGE | about | fields)


@pytest.mark.parametrize(
    ("collection", "kind", "ids", "level"),
    [("chunks", "chunk", (1, 10), 0), ("episodes", "episode", (1, 10), 0), ("metas", "meta", (1, 10), 2)],
)
def test_a_note_is_set_aside_by_its_messages_and_as_often_as_it_changed(collection, kind, ids, level):
    note = read_note(Document(f"chats/{CHAT}/{collection}/1-10", RANGE | {"outdated": 3}))
    piece = piece_of(CHAT, note)
    assert (piece.kind, piece.message_ids, piece.version, piece.level) == (kind, ids, 3, level)
    assert piece_of(CHAT, replace(note, outdated=4)).name != piece.name


async def test_the_lowest_level_is_made_again_first(group):
    await have_metas(group, (2, 1), (1, 11), (1, 1))
    made = []

    async def redo(app, state, note):
        made.append((note.level, note.first))
        return False

    app = group.runtime.app
    state, pieces = await app.chats.state(CHAT, fresh=True), Pieces(app)
    redone = await redo_due(
        app, state, pieces, path=metas_path, which=STALE, limit=5, read=read_meta_summary, redo=redo
    )
    assert made == [(1, 1), (1, 11), (2, 1)]
    assert redone == (3, False)


async def test_what_waits_for_its_editors_budget_keeps_no_other_waiting(group, monkeypatch):
    async def spent(app, state, payer):
        return "member" if payer == 7 else None

    monkeypatch.setattr(redoing, "over_budget", spent)
    app = group.runtime.app
    app = replace(app, policy=app.policy._replace(tokens_per_member=100))
    await have_metas(group, (1, 11), (1, 21), (1, 31), stale=False, model_pending=True, edited_by=7)
    await have_metas(group, (1, 41), (1, 51), stale=False, model_pending=True, edited_by=8)
    await have_metas(group, (1, 61), stale=True, model_pending=True, edited_by=7)
    state = await app.chats.state(CHAT, fresh=True)
    due, others = await find_due(app, state, metas_path(CHAT), MODEL_PENDING, most=3, read=read_meta_summary)
    assert ([note.first for note in due], others) == ([41, 51, 61], True)


async def test_nothing_is_due_where_nothing_changed(group):
    app = group.runtime.app
    state = await app.chats.state(CHAT, fresh=True)
    assert await find_due(app, state, f"chats/{CHAT}/chunks", STALE, most=2, read=read_chunk) == ([], False)


NOTE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10), "made_at": at(11), "expire_at": at(99)}
BELOW, ABOVE = f"chats/{CHAT}/metas/1-1-10", f"chats/{CHAT}/metas/2-1-100"


def meta(path, level, summary, **fields):
    return MetaSummary(path=path, level=level, nodes=(), texts=NoteTexts(summary=summary), **NOTE, **fields)


@pytest.fixture
async def held_group(sqlite_store):
    """A group with a meta summary that another one holds."""
    async with running_group(sqlite_store) as group:
        for note in (meta(BELOW, 1, "про каву", meta_id="2-1-100"), meta(ABOVE, 2, "про все")):
            await sqlite_store.set(note.path, meta_to_fields(note))
        yield group


async def stored(group, path):
    return read_meta_summary(await group.store.get(path))


async def state_of(group):
    return await group.runtime.app.chats.state(CHAT, fresh=True)


async def test_what_holds_a_note_becomes_stale_when_it_tells_something_else(held_group):
    read = await stored(held_group, BELOW)
    assert await replace_note(
        held_group.runtime.app, await state_of(held_group), read, replace(read, texts=NoteTexts("про чай"))
    )
    assert (await stored(held_group, BELOW)).texts.told == "про чай"
    assert ((await stored(held_group, ABOVE)).stale, (await stored(held_group, ABOVE)).outdated) == (True, 1)
    assert "stale" in read_upkeep(await held_group.store.get(upkeep_path(CHAT))).open_kinds


async def test_what_holds_a_note_stays_when_it_tells_the_same(held_group):
    read = await stored(held_group, BELOW)
    assert await replace_note(held_group.runtime.app, await state_of(held_group), read, replace(read, made_by="m/2"))
    assert (await stored(held_group, BELOW)).made_by == "m/2"
    assert not (await stored(held_group, ABOVE)).stale


@pytest.mark.parametrize("changes", [outdated_fields(), {"summary": "про какао"}])
async def test_a_note_that_has_changed_since_it_was_read_is_left_as_it_is(held_group, changes):
    read, state = await stored(held_group, BELOW), await state_of(held_group)
    await held_group.store.update(BELOW, changes)
    now = await stored(held_group, BELOW)
    again = replace(read, texts=NoteTexts("про чай"))
    assert await replace_note(held_group.runtime.app, state, read, again)
    assert await stored(held_group, BELOW) == now


async def test_a_note_that_nothing_holds_or_whose_holder_is_gone_makes_nothing_stale(sqlite_store):
    async def writes(tx):
        held = meta(BELOW, 1, "про каву", meta_id=held_fields("2-1-100")["meta"])
        assert await read_current(tx, BELOW) is None
        return [await stale_parent(tx, CHAT, note, changed=True) for note in (replace(held, meta_id=None), held)]

    assert await sqlite_store.transaction(writes) == [[], []]


@pytest.mark.parametrize(
    ("model", "embedder", "is_waiting"), [(True, True, True), (True, False, True), (False, True, True), (False,) * 3]
)
def test_a_note_waits_only_for_what_there_is(model, embedder, is_waiting):
    note = StoredNote(path=BELOW, **NOTE, texts=NoteTexts(), model_pending=True, embedded=Embedded())
    there = SimpleNamespace()
    assert waits(there if model else None, there if embedder else None, note) is is_waiting
    done = replace(note, model_pending=False, embedded=Embedded(None, "m"))
    assert not waits(there, there, done)
