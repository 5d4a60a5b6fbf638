"""CONTEXT.md, night after night, and what a night costs."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.application.chats.context_codec import context_path
from shared.application.consolidation.changing import edit_context_file
from shared.application.consolidation.committing import REVISIONS
from shared.application.consolidation.context_file_codec import read_revisions
from shared.application.consolidation.nightly import consolidate, consolidate_chat
from shared.application.documents import chat_path
from shared.domain.consolidation.items import Section
from tests.support.delivery.slow import SlowModel
from tests.support.nights import DONE, PROMISE
from tests.support.tool_chat import CHAT, TARAS


@pytest.mark.parametrize("language", PROMISE)
async def test_a_promise_stands_in_the_context_file_with_its_quote_until_it_is_kept(nights, language):
    await nights.begin(language=language)
    promised = await nights.said(PROMISE[language], TARAS, "Тарас")
    done = await nights.night()
    (item,) = [item for item in done.after.items if item.section is Section.PENDING]
    assert item.text.startswith("Тарас: ")
    assert [(q.message_id, q.user_id) for q in item.quotes] == [(promised.message_id, TARAS)]
    assert (await nights.context_file()).text == done.after.text
    await nights.said(DONE[language], TARAS, "Тарас")
    settled = await nights.night()
    assert [resolved.id for resolved, _ in settled.resolved] == [item.id]
    assert not [left for left in (await nights.context_file()).items if left.section is Section.PENDING]


async def test_the_same_night_twice_changes_no_document(nights):
    await nights.said(PROMISE["uk"], TARAS, "Тарас")
    await nights.night()
    before = [document async for document in nights.app.store.subtree(chat_path(CHAT))]
    again = await consolidate(nights.app, await nights.read_chat())
    assert not again.changed
    assert [document async for document in nights.app.store.subtree(chat_path(CHAT))] == before


async def test_nothing_is_made_where_nothing_was_said_or_all_is_private_or_gone(chat):
    writes = chat.app.store.usage.writes
    state = await chat.read_chat()
    assert (await consolidate_chat(chat.app, state)).counts == {}
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    writes = chat.app.store.usage.writes
    for other in (state._replace(private_mode=True), state._replace(migrated_to=-5), state._replace(known=False)):
        assert await consolidate_chat(chat.app, other) == ({}, None, False)
    assert chat.app.store.usage.writes == writes
    assert await chat.context_file() is None


async def test_talk_without_an_item_moves_the_reading_on_and_nothing_else(chat):
    await chat.said("ок")
    await chat.night()
    first = await chat.context_file()
    assert (first.text, first.revision, first.items) == ("", 0, ())
    await chat.said("так")
    await chat.night()
    second = await chat.context_file()
    assert second.until > first.until
    assert second._replace(until=first.until) == first
    assert await read_revisions(chat.app.store, CHAT) == []


async def test_an_item_goes_after_fourteen_days_and_the_job_asks_to_be_run_then(chat):
    await chat.said("Я забронюю квитки до Львова", TARAS, "Тарас")
    outcome = (await chat.night()).next_at
    assert timedelta(days=13) < outcome - chat.app.clock.now() <= timedelta(days=14)
    chat.app.clock.advance(outcome - chat.app.clock.now() - timedelta(hours=1))
    assert not (await consolidate(chat.app, await chat.read_chat())).changed
    chat.app.clock.advance(timedelta(hours=1, seconds=1))
    pruned = await consolidate(chat.app, await chat.read_chat())
    assert (pruned.changed, pruned.after.items, pruned.next_at) == (True, (), None)
    assert (await chat.context_file()).text == ""


@pytest.mark.parametrize("promise", ["Я забронюю квитки до Львова завтра", "I will book the tickets to Lviv tomorrow"])
async def test_what_is_overdue_goes_two_days_after_its_day_and_the_job_asks_to_be_run_then(chat, promise):
    await chat.said(promise, TARAS, "Тарас")
    done = await chat.night()
    assert done.next_at == datetime(2026, 11, 10, tzinfo=ZoneInfo("Europe/Kyiv"))  # its day is the 7th
    chat.app.clock.advance(done.next_at - chat.app.clock.now())
    closed = await consolidate(chat.app, await chat.read_chat())
    assert (closed.after.items, len(closed.after.closed), closed.next_at) == ((), 1, None)
    assert not (await consolidate(chat.app, await chat.read_chat())).changed


async def test_what_was_there_before_is_kept_for_thirty_revisions_and_expires(chat):
    for number in range(REVISIONS + 3):
        await edit_context_file(chat.app, await chat.read_chat(), f"## Триває\n- рядок {number}\n")
    kept = await read_revisions(chat.app.store, CHAT)
    assert [file.revision for file in kept] == list(range(3, REVISIONS + 3))
    assert "рядок 2" in kept[0].text
    (document,) = await chat.app.store.query(f"{context_path(CHAT)}/revisions", limit=1)
    assert document.data["expire_at"] > chat.app.clock.now()


async def test_an_evening_of_talk_costs_few_reads_and_writes(chat):
    store = chat.app.store
    for number in range(9):
        await chat.said(f"слово {number}")
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    state = await chat.read_chat()
    chat.app.clock.advance(timedelta(hours=8))
    reads, writes = store.usage.reads, store.usage.writes
    await consolidate(chat.app, state)
    assert (store.usage.reads - reads, store.usage.writes - writes) <= (21, 1)


async def test_rules_suggest_items_only_where_no_model_reads(nights):
    await nights.begin(language="uk")
    await nights.said(PROMISE["uk"], TARAS, "Тарас")
    modelled = replace(nights.app, model=SlowModel(0))
    assert (await consolidate(modelled, await nights.read_chat(), dry_run=True)).suggested == []
    await nights.app.chats.change(CHAT, {"settings": {"extraction_method": "pattern"}})
    found = await consolidate(modelled, await nights.read_chat(), dry_run=True)
    assert [each.section for each in found.suggested] == [Section.PENDING]
