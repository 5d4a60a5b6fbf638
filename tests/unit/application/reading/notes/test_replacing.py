"""A note that was made again is written over what it was made from, and what is made of it follows."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from shared.application.documents import upkeep_path
from shared.application.reading.notes.chunk_codec import InMeta, chunk_to_fields, read_chunk
from shared.application.reading.notes.meta_codec import MetaSummary, held_fields, meta_to_fields, read_meta_summary
from shared.application.reading.notes.replacing import read_current, replace_note, replace_or_raise, stale_parent, waits
from shared.application.reading.notes.upkeep_codec import read_upkeep
from shared.application.recall.note_codec import NoteTexts, StoredNote, outdated_fields, text_fields
from shared.application.spending.asking import Embedded
from shared.domain.errors import Contention
from tests.support.builders import at
from tests.support.group import CHAT, running_group

NOTE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10), "made_at": at(11), "expire_at": at(99)}
BELOW, ABOVE = f"chats/{CHAT}/metas/1-1-10", f"chats/{CHAT}/metas/2-1-100"


def meta(path, level, summary, **fields):
    return MetaSummary(path=path, level=level, nodes=(), texts=NoteTexts(summary=summary), **NOTE, **fields)


@pytest.fixture
async def group(sqlite_store):
    """A group with a meta summary that another one holds."""
    async with running_group(sqlite_store) as group:
        for note in (meta(BELOW, 1, "про каву", meta_id="2-1-100"), meta(ABOVE, 2, "про все")):
            await sqlite_store.set(note.path, meta_to_fields(note))
        yield group


async def stored(group, path):
    return read_meta_summary(await group.store.get(path))


async def state_of(group):
    return await group.runtime.app.chats.state(CHAT, fresh=True)


async def test_what_holds_a_note_becomes_stale_when_it_tells_something_else(group):
    read = await stored(group, BELOW)
    assert await replace_note(group.runtime.app, await state_of(group), read, replace(read, texts=NoteTexts("про чай")))
    assert (await stored(group, BELOW)).texts.told == "про чай"
    assert ((await stored(group, ABOVE)).stale, (await stored(group, ABOVE)).outdated) == (True, 1)
    assert "stale" in read_upkeep(await group.store.get(upkeep_path(CHAT))).unseen


async def test_what_holds_a_note_stays_when_it_tells_the_same(group):
    read = await stored(group, BELOW)
    assert await replace_note(group.runtime.app, await state_of(group), read, replace(read, made_by="m/2"))
    assert (await stored(group, BELOW)).made_by == "m/2"
    assert not (await stored(group, ABOVE)).stale


@pytest.mark.parametrize("changes", [outdated_fields(), {"summary": "про какао"}])
async def test_a_note_that_has_changed_since_it_was_read_is_left_as_it_is(group, changes):
    read, state = await stored(group, BELOW), await state_of(group)
    await group.store.update(BELOW, changes)
    now = await stored(group, BELOW)
    again = replace(read, texts=NoteTexts("про чай"))
    assert await replace_note(group.runtime.app, state, read, again)
    assert await stored(group, BELOW) == now
    with pytest.raises(Contention):
        await replace_or_raise(group.runtime.app, state, read, again, text_fields)


async def test_a_chunk_that_told_nothing_is_to_be_held_once_it_tells_something(group):
    path = f"chats/{CHAT}/chunks/1-10"
    await group.store.set(path, NOTE | {"summary": "", "meta": "none"})
    empty, state = read_chunk(await group.store.get(path)), await state_of(group)
    again = replace(empty, texts=NoteTexts("про чай"))
    await replace_or_raise(group.runtime.app, state, empty, again, text_fields, above=True)
    assert read_chunk(await group.store.get(path)).in_meta is InMeta.AWAITED
    assert chunk_to_fields(empty)["meta"] == "none"
    assert "made" in read_upkeep(await group.store.get(upkeep_path(CHAT))).unseen


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
