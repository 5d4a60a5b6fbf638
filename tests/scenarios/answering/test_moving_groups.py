"""What was said before a group became a supergroup is told to who asks there, while it still moves."""

from datetime import timedelta

import pytest

from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.application.chats.migration import LATE_PART, begin_migration
from shared.application.documents import chat_path, messages_path
from shared.application.forgetting.consent import opt_out
from shared.application.forgetting.forget import forget_member
from shared.application.reading.moving import move_chat
from shared.application.recall.loading import load_corpus
from shared.domain.conversation.messages import migrated_message_id
from tests.support import updates
from tests.support.builders import message

HANNA, TARAS = (104, "Ганна"), (102, "Тарас")
OLD, NEW = -777, -1_009_999
BEFORE, AFTER = updates.chat(OLD, "group"), updates.chat(NEW, "supergroup")


async def lived(group, *, read=False):
    """A basic group in which something was said, read or not, that has just become a supergroup."""
    group.api.add_chat(OLD, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})
    await group.say("Обожнюю фіолетове сомбреро", *HANNA, chat=BEFORE)
    for n in range(11 if read else 2):
        await group.say(f"Я вивчаю англійську {n}", *TARAS, chat=BEFORE)
    if read:
        await group.settle()
    assert await begin_migration(group.runtime.app, OLD, NEW)


async def told(group, text="гряг, хто обожнює сомбреро?"):
    """What is told before a question that is asked in the supergroup now, and what is found for it."""
    app = group.runtime.app
    asked = message(text, user_id=103, name="Марко", chat_id=NEW, message_id=7, sent_at=group.clock.now())
    state = await app.chats.state(NEW, fresh=True)
    gathered = await gather(app, state, UserQuestion(asked, text, "uk", None), "")
    found = [hit.text for hit in gathered.hits]
    return [said.text for said in gathered.material.talk], found


@pytest.mark.parametrize("read", [False, True], ids=["unread", "read"])
async def test_who_asks_while_a_group_moves_is_told_what_was_said_under_its_old_id(group, read):
    await lived(group, read=read)
    talk, found = await told(group)
    assert talk[-1].startswith("Я вивчаю англійську")
    assert "Обожнюю фіолетове сомбреро" in [*talk, *found]
    corpus = await load_corpus(group.runtime.app, await group.runtime.app.chats.state(NEW))
    assert {migrated_message_id(1), migrated_message_id(2)} <= {*corpus.message_ids.tolist()}
    assert {corpus.message(row).chat_id for row in range(corpus.size)} == {NEW}


async def test_of_a_group_that_has_moved_halfway_everything_is_told_once(laptop, monkeypatch):
    await lived(laptop, read=True)
    monkeypatch.setattr("shared.application.reading.moving.MOST_MOVED", 4)
    app = laptop.runtime.app
    whole, _ = await told(laptop)
    for _ in range(40):
        moved = await move_chat(app, OLD, NEW)
        talk, _ = await told(laptop)
        assert talk == whole
        if not moved:
            break
    assert await app.store.query(messages_path(OLD)) == []


async def test_the_old_index_is_searched_until_the_new_one_is_made_and_goes_then(laptop):
    await lived(laptop, read=True)
    app = laptop.runtime.app
    await move_chat(app, OLD, NEW)
    assert [d.path.split("/")[2] async for d in app.store.subtree(chat_path(OLD))] == ["index", "index"]
    assert (await load_corpus(app, await app.chats.state(NEW))).size == 12
    await move_chat(app, OLD, NEW, part=LATE_PART)
    assert [d.path async for d in app.store.subtree(chat_path(OLD))] == []
    await laptop.settle()
    assert (await load_corpus(app, await app.chats.state(NEW, fresh=True))).size == 12


async def test_the_old_index_of_a_large_group_outlasts_the_late_move_until_all_has_moved(laptop, monkeypatch):
    await lived(laptop, read=True)
    monkeypatch.setattr("shared.application.reading.moving.MOST_MOVED", 4)
    monkeypatch.setattr("shared.application.recall.loading.TAIL", 3)  # more was said than is read beside the index
    app = laptop.runtime.app
    while await app.store.query(messages_path(OLD)):
        assert (await load_corpus(app, await app.chats.state(NEW))).size == 12
        await move_chat(app, OLD, NEW, part=LATE_PART)
    while await move_chat(app, OLD, NEW, part=LATE_PART):
        pass
    assert [d.path async for d in app.store.subtree(chat_path(OLD))] == []


@pytest.mark.parametrize("gone", ["opted out", "forgotten"])
async def test_nothing_of_who_opted_out_or_was_forgotten_is_told_from_under_the_old_id(laptop, gone):
    await lived(laptop, read=True)
    app = laptop.runtime.app
    assert "сомбреро" in repr(await told(laptop))
    if gone == "opted out":
        await opt_out(app, NEW, HANNA[0])
    else:
        await forget_member(app, NEW, HANNA[0])
    assert "фіолетове сомбреро" not in repr(await told(laptop))
    held = [repr(d.data) async for d in app.store.subtree(chat_path(OLD))]
    assert gone == "opted out" or held == []


async def test_a_chat_that_never_moved_costs_no_read_more_and_one_that_did_a_day_ago_neither(laptop):
    await lived(laptop)
    await laptop.settle()
    app = laptop.runtime.app
    await told(laptop)
    laptop.clock.advance(timedelta(days=1))
    costs = []
    for chat_id in (NEW, -1_008_888):
        state = await app.chats.state(chat_id, fresh=True)
        before = app.store.usage.reads
        await load_corpus(app, state)
        costs.append(app.store.usage.reads - before)
    assert costs[0] - 1 <= costs[1]
