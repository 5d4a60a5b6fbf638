"""What is too old goes, what is not stays, and a night that dies is finished by the next."""

import contextlib
import logging
from datetime import timedelta

import pytest

from shared.application.app import App
from shared.application.chats.job import JobResult
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import KEPT
from shared.application.delivery.turn_codec import turn_fields, turn_path
from shared.application.documents import chat_path, episodes_path, message_path, metas_path, usage_path
from shared.application.intake.maintenance import run_job
from shared.application.night.retention import MOST, USAGE_KEPT, retain_chat, sweep_expired
from shared.application.ports.store import Set
from shared.application.recall.head_codec import segment_of
from shared.application.recall.upkeep import index_chat
from shared.application.spending.budgets import spending_path
from tests.support.archive import RETENTION, START, archive, chunk_document, leave, said
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group

DAY = timedelta(days=1)
OLD, NEW = START, START + 30 * DAY
"""When the old and the new messages of `seeded` were said."""


def talk(first, last, begin):
    return [
        said(n, f"слово{n} розмова", 101 + n % 3, chat_id=CHAT, sent_at=begin + timedelta(minutes=n))
        for n in range(first, last + 1)
    ]


async def seeded(group):
    """Thirty old messages and ten new ones, with everything that is made of messages, in the index."""
    app = group.runtime.app
    await app.chats.change(CHAT, {"type": "supergroup", "active": True})
    for first, last, begin in ((1, 30, OLD), (31, 40, NEW)):
        made = begin + timedelta(minutes=last)
        messages = talk(first, last, begin)
        ages = {"made_at": made, "expire_at": made + RETENTION}
        await archive(group.store, messages, **ages)
        note = chunk_document(messages).data | ages
        await group.store.set(f"{metas_path(CHAT)}/1-{first}-{last}", note | {"level": 1})
        await group.store.set(f"{episodes_path(CHAT)}/{first}-{last}", note)
        await group.store.set(f"{chat_path(CHAT)}/media/file{first}", {"schema": 1, "text": "кіт", **ages})
        revision = {"schema": 1, "text": "## Ongoing", "updated_at": made, "expire_at": made + RETENTION}
        await group.store.set(f"{chat_path(CHAT)}/context/current/revisions/{first:06d}", revision)
    for day in (OLD - USAGE_KEPT, NEW):
        await group.store.set(usage_path(CHAT, day.date()), {"schema": 1, "calls": 1})
    await index_chat(app, await app.chats.state(CHAT, fresh=True))
    return app


async def retain(app: App) -> JobResult:
    return await retain_chat(app, await app.chats.state(CHAT, fresh=True))


async def left(store):
    """Paths below the chat, and what is in the index."""
    paths, indexed = set(), []
    async for document in store.subtree(chat_path(CHAT)):
        paths.add(document.path.removeprefix(f"{chat_path(CHAT)}/"))
        if "payload" in document.data:
            segment, _ = segment_of(document)
            indexed += [m.message_id for m in segment.messages()] + [note.key for note in segment.notes()]
    return paths, indexed


async def test_what_is_past_its_age_goes_from_everything_and_the_rest_stays(group):
    app = await seeded(group)
    group.clock.advance(OLD + RETENTION + DAY - group.clock.now())
    outcome = await retain(app)
    assert dict(outcome.counts) == {
        "messages": 30, "chunks": 3, "metas": 1, "episodes": 1, "media": 1, "revisions": 1, "usage": 1,
    }  # fmt: skip
    assert not outcome.more
    paths, indexed = await left(group.store)
    made = {"chunks/31-40", "metas/1-31-40", "episodes/31-40", "media/file31", "context/current/revisions/000031"}
    assert made < paths
    messages = {path for path in paths if path.startswith("messages/")}
    assert messages == {f"messages/{n}" for n in range(31, 41)}
    assert indexed == [*range(31, 41), ("chunk", "31-40"), ("episode", "31-40"), ("meta", "1-31-40")]
    assert not any(path.startswith("usage/") and path != f"usage/{NEW.date()}" for path in paths)


async def test_nothing_is_done_before_the_time_that_it_names_and_something_then(group):
    app = await seeded(group)
    outcome = await retain(app)
    assert dict(outcome.counts) == {"usage": 1}
    assert outcome.next_at == OLD + timedelta(minutes=1) + RETENTION
    writes = group.store.usage.writes
    group.clock.advance(outcome.next_at - group.clock.now() - timedelta(seconds=1))
    assert await retain(app) == JobResult({}, outcome.next_at)
    assert group.store.usage.writes == writes
    group.clock.advance(timedelta(seconds=1))
    assert (await retain(app)).counts == {"messages": 1}


async def test_a_shorter_setting_holds_for_what_was_stored_before_it(sqlite_store):
    async with running_group(sqlite_store) as group:
        await seeded(group)
    async with running_group(sqlite_store, MESSAGE_RETENTION_DAYS="20", at=OLD + 21 * DAY) as group:
        outcome = await retain(group.runtime.app)
        assert (outcome.counts["messages"], outcome.counts["chunks"], outcome.counts["metas"]) == (30, 3, 1)
        assert outcome.next_at == NEW + timedelta(minutes=31) + 20 * DAY
        assert [each for each in (await left(group.store))[1] if isinstance(each, int)] == list(range(31, 41))


async def test_notes_that_reach_over_the_line_are_kept_as_long_as_their_documents(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = await seeded(group)
        note = chunk_document(talk(1, 30, OLD) + talk(31, 40, NEW)).data | {"summary": "мета про все", "level": 2}
        path = f"{metas_path(CHAT)}/2-1-40"
        await group.store.set(path, note | {"made_at": NEW, "expire_at": NEW + RETENTION, "indexed": False})
        await index_chat(app, await app.chats.state(CHAT, fresh=True))
        group.clock.advance(OLD + RETENTION + DAY - group.clock.now())
        await retain(app)
        paths, indexed = await left(group.store)
        assert "metas/2-1-40" in paths
        assert ("meta", "2-1-40") in indexed


async def test_a_message_that_no_task_ever_took_up_goes_and_is_counted_in_the_log(sqlite_store, caplog):
    async with running_group(sqlite_store) as group:
        app = group.runtime.app
        await app.chats.change(CHAT, {"active": True})
        await leave(group.store, talk(1, 3, OLD))
        group.clock.advance(OLD + RETENTION + DAY - group.clock.now())
        with caplog.at_level(logging.WARNING):
            assert (await retain(app)).counts == {"messages": 3}
        assert "3 messages grew too old without ever being extracted" in caplog.text


async def test_facts_keep_their_quotes_when_the_messages_are_gone(sqlite_store):
    async with running_group(sqlite_store) as group:
        await group.say("Я живу у Львові", 104, "Ганна")
        await group.settle()
        (fact,) = await group.facts()
        group.clock.advance(RETENTION + DAY)
        await run_job(group.runtime.app, "retention", {"chat_id": CHAT})
        assert await group.messages() == []
        assert await group.facts() == [fact]


async def test_more_than_one_run_does_is_left_to_the_next_at_once(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = group.runtime.app
        await app.chats.change(CHAT, {"active": True})
        await archive(group.store, talk(1, MOST + 20, OLD), made_at=OLD, expire_at=OLD + RETENTION)
        group.clock.advance(OLD + RETENTION + DAY - group.clock.now())
        outcome = await retain(app)
        assert outcome == JobResult({"messages": MOST}, None, more=True)
        outcome = await retain(app)
        assert (outcome.counts, outcome.more) == ({"messages": 20, "chunks": 52}, False)


@pytest.mark.parametrize("after", [False, True])
async def test_killed_anywhere_and_run_again_it_leaves_the_same(group, after):
    app = await seeded(group)
    group.clock.advance(OLD + RETENTION + DAY - group.clock.now())
    step = 1 if "Sqlite" in type(group.store._store).__name__ else 6
    for die_at in range(1, 60, step):
        group.store.arm(die_at, after=after)
        with contextlib.suppress(Crashed):
            await retain(app)
        finished = group.store.calls < die_at
        group.store.arm(None)
        if finished:
            break
        await group.store.batch([Set(message_path(CHAT, n), {"expire_at": OLD, "chunk": "1-10"}) for n in range(1, 4)])
    await retain(app)
    paths, indexed = await left(group.store)
    assert {path for path in paths if path.startswith("messages/")} == {f"messages/{n}" for n in range(31, 41)}
    assert [each for each in indexed if isinstance(each, int)] == list(range(31, 41))
    assert [path for path in paths if path.startswith("chunks/")] == ["chunks/31-40"]


async def test_a_chat_that_is_gone_or_has_moved_is_left_alone(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = group.runtime.app
        assert await retain(app) == JobResult()
        await app.chats.change(CHAT, {"migrated_to": CHAT - 1, "active": False})
        await leave(group.store, talk(1, 3, OLD))
        group.clock.advance(OLD + RETENTION + DAY - group.clock.now())
        assert await retain(app) == JobResult()
        assert len(await group.messages()) == 3


async def test_the_ledger_and_dead_letters_are_swept_for_all_chats(group):
    app = group.runtime.app
    await group.store.set("dead_letters/update-1", {"schema": 1, "expire_at": group.clock.now() + 30 * DAY})
    for update_id in (1, 2):
        await Ledger(app.store, app.clock, app.ids).take(update_id)
        group.clock.advance(KEPT - timedelta(hours=1))
    assert dict((await sweep_expired(app)).counts) == {"updates": 1, "dead_letters": 0}
    assert [document.id for document in await group.store.query("updates")] == ["2"]
    group.clock.advance(30 * DAY)
    assert dict((await sweep_expired(app)).counts) == {"updates": 1, "dead_letters": 1}
    assert dict((await sweep_expired(app)).counts) == {"updates": 0, "dead_letters": 0}


async def test_an_unchanged_chat_costs_reads_and_no_write(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = await seeded(group)
        await retain(app)
        reads, writes = group.store.usage.reads, group.store.usage.writes
        await retain(app)
        assert group.store.usage.writes == writes
        assert group.store.usage.reads - reads <= 36


async def test_a_chat_that_the_bot_has_left_grows_old_too(group):
    app = await seeded(group)
    await app.chats.retire(CHAT, "the bot left")
    group.clock.advance(NEW + RETENTION + DAY - group.clock.now())
    await run_job(app, "night", {})
    await group.settle(timedelta(hours=6))
    paths, indexed = await left(group.store)
    assert indexed == []
    assert not {path.split("/")[0] for path in paths} & {"messages", "chunks", "metas", "episodes", "media"}
    reads = app.store.usage.reads
    await run_job(app, "retention", {})
    await group.settle()
    assert app.store.usage.reads - reads <= 3  # its mark says that nothing is due


async def test_what_a_member_spent_and_whose_turn_it_was_to_speak_go_in_time(group):
    app = await seeded(group)
    await retain(app)
    await group.store.set(turn_path(CHAT), turn_fields("", now=group.clock.now()))
    spent = {"schema": 1, "user_id": 101, "tokens": 9, "expire_at": group.clock.now() + 2 * DAY}
    await group.store.set(spending_path(CHAT, 101, group.clock.now().date()), spent)
    outcome = await retain(app)
    assert not {"delivery", "spending"} & outcome.counts.keys()
    assert outcome.next_at == group.clock.now() + DAY
    group.clock.advance(DAY)
    assert {"delivery": 1}.items() <= (await retain(app)).counts.items()
    group.clock.advance(DAY)
    assert {"spending": 1}.items() <= (await retain(app)).counts.items()
    assert not any(path.startswith(("delivery/", "spending/")) for path in (await left(group.store))[0])
