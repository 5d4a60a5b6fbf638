"""Old talk from an export: stored as the webhook stores it, learnt from, and nothing happens twice. On both stores."""

import copy
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.archive.backfill import (
    Left,
    learn_all,
    open_chat,
    sift_messages,
    store_messages,
    what_is_left,
)
from shared.application.conversation.message_codec import ChunkState
from shared.application.conversation.tombstones import lay, member_tombstone, message_tombstone
from shared.application.documents import chunks_path, message_path, messages_path
from shared.application.forgetting.forget import forget_member
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import Contention
from shared.domain.intake.updates import ChatInfo
from tests.support.faults import Crashed
from tests.support.group import CHAT, FRIDAY, running_group
from tests.support.telegram.export import START, exported, talk
from tests.unit.application.archive.backfills import INFO, LONG_AGO, backfill, read


async def everything(group, chat_id=CHAT):
    dump = {}
    async for document in group.store.subtree(f"chats/{chat_id}"):
        dump[document.path] = copy.deepcopy(document.data)
    return dump


async def test_old_talk_becomes_facts_chunks_and_an_index_and_nothing_is_said(group):
    created, *_ = await backfill(group.runtime.app, talk(23))
    assert created == 23
    facts = {(f["category"], f["key"]) for f in await group.facts()}
    assert ("rule", "forbidden_topics") in facts
    assert ("relationship", "pet") in facts
    assert [c.id for c in await group.store.query(chunks_path(CHAT))] == ["1-10", "11-20", "21-23"]
    assert await what_is_left(group.runtime.app, CHAT) == Left(0, 0)
    assert await group.store.get(f"chats/{CHAT}/index/head") is not None
    assert group.answers == []


async def test_a_message_is_stored_as_the_webhook_would_have_stored_it_that_day(group):
    update = await group.say("Нагадую: ніякої політики в чаті!", 102, "Тарас", message_id=7, reply_to_message=None)
    webhooks = (await group.store.get(message_path(CHAT, 7))).data
    seconds = update["message"]["date"]
    record = exported(7, "Нагадую: ніякої політики в чаті!", 102, "Тарас", date_unixtime=str(seconds))
    await group.store.delete(message_path(CHAT, 7))
    await backfill(group.runtime.app, [record], learn=False)
    assert (await group.store.get(message_path(CHAT, 7))).data == webhooks


async def test_running_it_again_creates_and_changes_nothing(group):
    await backfill(group.runtime.app, talk(25))
    before = await everything(group)
    group.clock.advance(timedelta(hours=1))
    assert await backfill(group.runtime.app, talk(25)) == (0, 25, {})
    assert await everything(group) == before


async def test_what_the_webhook_stored_wins(group):
    await group.say("Як є", message_id=3)
    created, known, _ = await backfill(group.runtime.app, [exported(3, "Як було"), exported(4, "Ще")], learn=False)
    assert (created, known) == (1, 1)
    assert (await group.store.get(message_path(CHAT, 3))).data["text"] == "Як є"


async def test_killed_anywhere_and_run_again_the_documents_are_those_of_one_run(store):
    async with running_group(store) as group:
        records = talk(13)
        await backfill(group.runtime.app, records, info=INFO._replace(chat_id=CHAT - 1), page=10)
        undisturbed = {
            path.replace(str(CHAT - 1), "*"): data for path, data in (await everything(group, CHAT - 1)).items()
        }
        calls = await _calls(group, records)
        step = max(calls // (10 if "Sqlite" in type(store).__name__ else 3), 1)
        for point, die_at in enumerate(range(1, calls, step)):
            chat_id = CHAT - 10 - point
            group.store.arm(die_at, after=bool(point % 2))
            with pytest.raises(Crashed):
                await backfill(group.runtime.app, records, info=INFO._replace(chat_id=chat_id), page=10)
            group.store.arm(None)
            group.runtime.app.chats.forget(chat_id)
            await backfill(group.runtime.app, records, info=INFO._replace(chat_id=chat_id), page=10)
            found = {path.replace(str(chat_id), "*"): data for path, data in (await everything(group, chat_id)).items()}
            assert set(found) == set(undisturbed), die_at
            assert _essence(found) == _essence(undisturbed), die_at


async def test_storing_that_is_killed_at_any_call_is_finished_by_the_next_run(sqlite_store):
    async with running_group(sqlite_store) as group:
        for die_at in range(1, 40):
            chat_id, after = CHAT - die_at, bool(die_at % 2)
            info = INFO._replace(chat_id=chat_id)
            group.store.arm(die_at, after=after)
            try:
                await backfill(group.runtime.app, talk(35), info=info, learn=False, page=10)
            except Crashed:
                group.runtime.app.chats.forget(chat_id)
                group.store.arm(None)
                await backfill(group.runtime.app, talk(35), info=info, learn=False, page=10)
            else:
                break
            assert [m["message_id"] for m in await group.messages(chat_id)] == list(range(1, 36))
        assert die_at > 12


async def _calls(group, records):
    group.store.arm(None)
    await backfill(group.runtime.app, records, info=INFO._replace(chat_id=CHAT - 2), page=10)
    return group.store.calls


def _essence(dump):
    """Messages, facts and chunks; what is counted of work (revisions, upkeep) may count a repetition."""
    return {
        path: {name: value for name, value in data.items() if name not in ("indexed", "outdated")}
        for path, data in dump.items()
        if path.split("/")[2] in ("messages", "facts", "chunks", "metas", "episodes", "members")
    }


async def test_members_who_opted_out_and_what_was_forgotten_stay_out(group):
    app = group.runtime.app
    await app.chats.change(CHAT, {"type": "supergroup", "active": True, "opted_out": [103]})
    await lay(app.store, [message_tombstone(CHAT, 2), member_tombstone(CHAT, 104)], until=FRIDAY)
    records = [exported(1, "так", 103), exported(2), exported(3, "ні", 104), exported(4)]
    created, _, skipped = await backfill(app, records, learn=False)
    assert (created, skipped) == (1, {"of a member who opted out": 1, "forgotten for good": 2})
    assert [m["message_id"] for m in await group.messages()] == [4]


async def test_a_private_chats_old_talk_is_kept_and_not_learnt_from(group):
    await group.runtime.app.chats.change(CHAT, {"type": "supergroup", "active": True, "private_mode": True})
    await backfill(group.runtime.app, talk(12))
    assert {m["chunk"] for m in await group.messages()} == {ChunkState.PRIVATE.value}
    assert await group.facts() == []


async def test_what_is_older_than_messages_are_kept_is_skipped_unless_asked_for(group):
    old, new = exported(1, date_unixtime=str(START - 200 * 86_400)), exported(2)
    app = group.runtime.app
    created, _, skipped = await backfill(app, [old, new], learn=False)
    assert (created, skipped) == (1, {"older than messages are kept": 1})
    created, known, _ = await backfill(app, [old, new], since=FRIDAY - timedelta(days=500), learn=False)
    assert (created, known) == (1, 1)
    kept = (await group.store.get(message_path(CHAT, 1))).data
    assert kept["expire_at"] == kept["sent_at"] + app.policy.retention < FRIDAY


async def test_an_export_of_the_basic_group_goes_under_the_supergroup_that_it_became(group):
    app = group.runtime.app
    await app.chats.change(-77, {"migrated_to": CHAT, "active": False})
    await lay(app.store, [message_tombstone(CHAT, migrated_message_id(3))], until=FRIDAY)
    records = [exported(1), exported(2, reply_to_message_id=1), exported(3)]
    await backfill(app, records, info=ChatInfo(-77, "group", "Друзі"), learn=False)
    stored = await group.messages()
    assert [(m["message_id"], m["reply_to"]) for m in stored] == [
        (migrated_message_id(1), None),
        (migrated_message_id(2), migrated_message_id(1)),
    ]
    assert await group.store.query(messages_path(-77)) == []


async def test_the_queue_is_not_flooded(sqlite_store):
    async with running_group(sqlite_store) as group:
        await backfill(group.runtime.app, talk(230))
        assert len(group.tasks.tasks) <= 2


async def test_somebody_elses_message_in_the_middle_of_a_page_does_no_harm(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = group.runtime.app
        state = await open_chat(app.clock, app.chats, INFO, admins=None)
        sifted = await sift_messages(app, CHAT, read(talk(5)), since=LONG_AGO)
        await group.say("Я перший", message_id=2)
        assert await store_messages(app, state, sifted.new) == (4, 1, [])
        assert (await group.store.get(message_path(CHAT, 2))).data["text"] == "Я перший"


async def test_what_the_budget_did_not_reach_waits_and_is_made_on_another_day(sqlite_store, gemini):
    async with running_group(sqlite_store, MODEL_TOKENS_PER_CHAT_PER_DAY="1000", **gemini.environment) as group:
        app = group.runtime.app
        await backfill(app, talk(120))
        left = await what_is_left(app, CHAT)
        assert left.messages == 0
        assert left.chunks > 0
        group.clock.advance(timedelta(days=1))
        rich = replace(app, policy=app.policy._replace(tokens_per_day=10**9))
        learnt = await learn_all(rich, CHAT, lambda _: None)
        assert learnt.left == Left(0, 0)
        assert all("offline" not in c.data["made_by"] for c in await group.store.query(chunks_path(CHAT)))


async def test_what_is_dated_in_the_future_is_skipped(sqlite_store):
    """Else forgetting its author would keep out all that they say until then."""
    async with running_group(sqlite_store) as group:
        late = int((group.clock.now() + timedelta(days=2)).timestamp())
        records = [
            exported(1, "Привіт усім", 104, "Ганна"),
            exported(2, "Привіт із майбутнього", 104, "Ганна", date_unixtime=str(late)),
        ]
        assert await backfill(group.runtime.app, records, learn=False) == (1, 0, {"dated in the future": 1})


@pytest.mark.parametrize("how", ["forgotten", "opted out"])
async def test_what_was_forgotten_between_the_look_and_the_storing_is_not_stored(sqlite_store, how):
    async with running_group(sqlite_store) as group:
        app = group.runtime.app
        await open_chat(app.clock, app.chats, INFO, admins=None)
        messages = read([exported(1, "Я живу у Житомирі", 104, "Ганна"), exported(2, "А я у Львові", 101, "Оля")])
        sifted = await sift_messages(app, CHAT, messages, since=LONG_AGO)
        if how == "forgotten":
            await forget_member(app, CHAT, 104)
        else:
            await sqlite_store.upsert(f"chats/{CHAT}", {"opted_out": [104]})
        with pytest.raises(Contention):
            await store_messages(app, sifted.state, sifted.new)
        assert await group.messages() == []
        again = await sift_messages(app, CHAT, messages, since=LONG_AGO)
        if how == "forgotten":
            assert [message.message_id for message in again.new] == [2]


async def test_what_is_stored_while_a_member_is_being_forgotten_goes_with_them(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = group.runtime.app
        await backfill(app, [exported(1, "Я живу у Житомирі", 104, "Ганна")], learn=False)
        late = read([exported(2, "Обожнюю фіолетове сомбреро", 104, "Ганна")])

        class Interrupted:
            def __getattr__(self, name):
                return getattr(group.store, name)

            async def get_many(self, paths):
                if paths and paths[0].startswith("tombstones/") and late:
                    sifted = await sift_messages(app, CHAT, late, since=LONG_AGO)
                    late.clear()
                    await store_messages(app, sifted.state, sifted.new)
                return await group.store.get_many(paths)

        await forget_member(replace(app, store=Interrupted()), CHAT, 104)
        assert await group.messages() == []
