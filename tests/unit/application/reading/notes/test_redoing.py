"""What is made again, in which order, and what it is called when it cannot be."""

from dataclasses import replace

import pytest

from shared.application.documents import metas_path
from shared.application.ports.store import Document
from shared.application.reading.notes import redoing
from shared.application.reading.notes.chunk_codec import read_chunk
from shared.application.reading.notes.meta_codec import read_meta_summary
from shared.application.reading.notes.note_codec import read_note
from shared.application.reading.notes.redoing import find_due, piece_of, redo_due
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_queries import MODEL_PENDING, STALE
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
    redone = await redo_due(app, state, metas_path(CHAT), STALE, pieces, most=5, read=read_meta_summary, redo=redo)
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
    due = await find_due(app, state, metas_path(CHAT), MODEL_PENDING, most=3, read=read_meta_summary)
    assert ([note.first for note in due.notes], due.passed_over) == ([41, 51, 61], True)


async def test_nothing_is_due_where_nothing_changed(group):
    app = group.runtime.app
    state = await app.chats.state(CHAT, fresh=True)
    assert await find_due(app, state, f"chats/{CHAT}/chunks", STALE, most=2, read=read_chunk) == ([], False)
