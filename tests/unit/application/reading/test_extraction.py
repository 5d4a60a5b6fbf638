"""From talk to facts: the extraction worker behind the webhook and the queue, on both stores."""

import asyncio
import contextlib
import copy
import shutil
from datetime import timedelta

import pytest

from infra.sqlite import SqliteStore
from shared.application.documents import chunks_path, fact_path
from shared.application.reading import extraction, stretches
from shared.application.reading.extraction import extract_chat
from shared.domain.facts.fact import fact_id
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group

ADMIN = (102, "Тарас")


async def seed_scenarios(group):
    await group.say("Хлопці, давайте більше українською спілкуватися", 101, "Оля")
    await group.say("Підтримую!", 103, "Марко")
    await group.say("+1, українська краща", 104, "Ганна")
    await group.say("Як завжди, в п'ятницю підіб'ємо підсумки", 101, "Оля")
    await group.say("Так, це вже традиція :)", 103, "Марко")
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.say("Зрозуміло", 104, "Ганна")


async def documents(group):
    dump = {}
    async for document in group.store.subtree(f"chats/{CHAT}"):
        dump[document.path] = copy.deepcopy(document.data)
    return dump


async def test_the_three_seed_scenarios_become_facts_with_verbatim_evidence(group):
    await seed_scenarios(group)
    await group.settle()
    facts = {(f["category"], f["key"], f["value"]): f for f in await group.facts()}
    texts = {m["message_id"]: m for m in await group.messages()}
    expected = {
        ("preference", "language_preference", "ukrainian"): 0.8,
        ("tradition", "weekly_recap", "friday"): 0.85,
        ("rule", "forbidden_topics", "politics"): 0.9,
    }
    assert set(facts) == set(expected)
    for name, least in expected.items():
        assert facts[name]["confidence"] >= least
        assert facts[name]["evidence"]
        for quote in facts[name]["evidence"]:
            assert quote["quote"] in texts[quote["message_id"]]["text"]
            assert quote["user_id"] == texts[quote["message_id"]]["user_id"]
    assert facts["preference", "language_preference", "ukrainian"]["supporters"] == [101, 103, 104]


async def test_the_bot_answers_with_what_it_learnt(group):
    await seed_scenarios(group)
    await group.settle()
    await group.say("гряг, які в нас правила?", 103, "Марко")
    assert "ніякої політики в чаті" in group.answers[-1]
    assert "Тарас" in group.answers[-1]
    await group.say("гряг, що в нас у п'ятницю?", 104, "Ганна")
    assert "підіб'ємо підсумки" in group.answers[-1]


async def test_running_every_task_twice_changes_nothing(group):
    await seed_scenarios(group)
    await group.settle()
    before = await documents(group)
    for _ in range(2):
        await extract_chat(group.runtime.app, CHAT)
    assert await documents(group) == before


async def test_ten_messages_are_extracted_without_waiting_for_silence(group):
    for i in range(10):
        await group.say(f"слово {i}", 101 + i % 3)
        group.clock.advance(timedelta(seconds=-19))
    group.clock.advance(timedelta(minutes=2))
    await group.tasks.dispatch_due(group.clock.now())
    (chunk,) = await group.store.query(chunks_path(CHAT))
    assert chunk.id == "1-10"
    assert [m["chunk"] for m in await group.messages()] == ["1-10"] * 10


async def test_fewer_wait_until_the_chat_is_idle(group):
    await group.say("слово")
    group.clock.advance(timedelta(minutes=2))
    await group.tasks.dispatch_due(group.clock.now())
    assert await group.store.query(chunks_path(CHAT)) == []
    await group.settle()
    assert len(await group.store.query(chunks_path(CHAT))) == 1


async def test_a_message_that_arrives_late_is_extracted_too(group):
    late = group.says("Нагадую: ніякої політики в чаті!", *ADMIN)
    for i in range(12):
        await group.say(f"слово {i}")
    await group.settle()
    assert await group.facts() == []
    assert await group.deliver(late) == 200
    await group.settle()
    assert [f["value"] for f in await group.facts()] == ["politics"]


async def test_an_edit_takes_back_what_the_message_taught(group):
    update = await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    assert [f["status"] for f in await group.facts()] == ["active"]
    edit = copy.deepcopy(update)
    new = {"text": "Нагадую: без спойлерів у чаті!", "edit_date": 1_800_000_000}
    edit["edited_message"] = edit.pop("message") | new
    edit["update_id"] = 900
    assert await group.deliver(edit) == 200
    await group.settle()
    facts = {f["value"]: f["status"] for f in await group.facts()}
    assert facts == {"politics": "deprecated", "spoilers": "active"}


async def test_every_change_of_a_fact_has_a_version_record(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    await group.say("Ще раз нагадую: без політики!", *ADMIN)
    await group.settle()
    (fact,) = await group.facts()
    path = fact_path(CHAT, fact_id("chat", "rule", "forbidden_topics", "politics"))
    versions = await group.store.query(f"{path}/versions")
    assert [v.data["change"] for v in versions] == ["creation", "reinforcement"]
    assert versions[1].data["confidence_before"] < versions[1].data["confidence_after"] == fact["confidence"]
    assert [e["message_id"] for e in versions[1].data["evidence"]] == [2]


async def test_the_words_of_the_bot_of_other_bots_and_of_forwards_teach_nothing(group):
    bot = {"id": 900, "is_bot": True, "first_name": "інший", "username": "other_bot"}
    origin = {"type": "hidden_user", "sender_user_name": "хтось", "date": 1_790_000_000}
    await group.say("Нагадую: ніякої політики в чаті!", sender=bot)
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN, forward_origin=origin)
    await group.settle()
    assert await group.facts() == []


async def test_a_members_rule_is_not_the_chats_rule(group):
    await group.say("Нагадую: ніякої політики в чаті!", 103, "Марко")
    await group.settle()
    assert [f for f in await group.facts() if f["category"] == "rule"] == []


@pytest.fixture
async def said(tmp_path):
    """Starts a group over a copy of a store in which the scenarios were said an hour ago."""
    store = SqliteStore(tmp_path / "said.db")
    async with running_group(store) as group:
        await seed_scenarios(group)
        later = group.clock.now() + timedelta(hours=1)
    await store.aclose()

    @contextlib.asynccontextmanager
    async def copied(name):
        store = SqliteStore(shutil.copy(tmp_path / "said.db", tmp_path / f"{name}.db"))
        async with running_group(store, at=later) as group:
            yield group
        await store.aclose()

    return copied


# --- Tasks that are there for new messages ------------------------------------------------------


async def test_while_there_is_too_little_to_extract_a_task_reads_four_documents_and_writes_none(group):
    for i in range(9):
        await group.say(f"слово {i}")
    group.clock.advance(timedelta(minutes=1))
    before = await documents(group)
    group.store.arm(None)
    ran = await group.tasks.dispatch_due(group.clock.now())
    assert ran >= 3
    assert group.store.calls == 4 * ran
    assert await documents(group) == before


async def test_where_everything_is_extracted_a_task_reads_three_documents(group):
    await seed_scenarios(group)
    await group.settle()
    group.store.arm(None)
    done = await extract_chat(group.runtime.app, CHAT, only_when_due=True)
    assert (done.chunks, group.store.calls) == (0, 3)


async def test_an_edit_is_learnt_from_at_once_however_little_was_said_since(group):
    update = await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    await group.say("слово")
    new = {"text": "Нагадую: без спойлерів у чаті!", "edit_date": 1_800_000_000}
    assert await group.deliver({"update_id": 900, "edited_message": update["message"] | new}) == 200
    await group.work()
    assert {f["value"]: f["status"] for f in await group.facts()} == {"politics": "deprecated", "spoilers": "active"}
    assert [m["chunk"] for m in await group.messages()] == ["1-1", None]


async def test_what_comes_late_among_older_talk_waits_for_its_own_silence_and_is_learnt(group):
    late = group.says("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.say("слово")
    group.clock.advance(timedelta(minutes=8))
    assert await group.deliver(late) == 200
    group.clock.advance(timedelta(minutes=7))
    await group.work()
    assert await group.store.query(chunks_path(CHAT)) == []
    await group.settle()
    assert [m["chunk"] for m in await group.messages()] == ["1-2", "1-2"]
    assert [f["value"] for f in await group.facts()] == ["politics"]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("only_when_due", [False, True], ids=["any", "only_when_due"])
async def test_a_worker_killed_anywhere_is_made_good_by_the_next_run(said, after, only_when_due):
    """Kill at every store call in turn, run the task again: the same documents as without any death."""
    async with said("whole") as whole:
        await extract_chat(whole.runtime.app, CHAT)
        expected = await documents(whole)
    assert any("/facts/" in path for path in expected)
    for die_at in range(1, 80):
        async with said(die_at) as group:
            group.store.arm(die_at, after=after)
            survived = True
            try:
                await extract_chat(group.runtime.app, CHAT, only_when_due=only_when_due)
            except Crashed:
                survived = False
            group.store.arm(None)
            await extract_chat(group.runtime.app, CHAT, only_when_due=only_when_due)
            assert await documents(group) == expected, f"killed at call {die_at}"
        if survived:
            return
    pytest.fail("the task never ended unharmed")


async def test_two_workers_at_once_do_the_work_of_one(group):
    await seed_scenarios(group)
    group.clock.advance(timedelta(hours=1))
    await asyncio.gather(
        extract_chat(group.runtime.app, CHAT), extract_chat(group.runtime.app, CHAT), return_exceptions=True
    )
    await extract_chat(group.runtime.app, CHAT)
    facts = await group.facts()
    assert len(facts) == 3
    assert all(f["version"] == 1 for f in facts)
    assert len(await group.store.query(chunks_path(CHAT))) == 1


async def test_nothing_is_learnt_from_before_a_reset(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.runtime.app.chats.change(CHAT, {"learn_from": group.clock.now()})
    await group.settle()
    assert await group.facts() == []


async def test_asked_about_oneself_the_bot_begins_with_what_one_said(group):
    await seed_scenarios(group)
    await group.say("Я живу у Львові", 104, "Ганна")
    await group.settle()
    await group.say("гряг, що ти знаєш про мене?", 104, "Ганна")
    assert "Львові" in group.answers[-1].splitlines()[1]


# --- how much one task does, and the language of a chat ---------------------------------------------


async def talks(group, count, text="так {}"):
    for n in range(count):
        await group.say(text.format(n), 103, "Марко")


async def test_a_task_tells_whether_there_is_more_to_do_right_now(laptop, monkeypatch):
    for module in (extraction, stretches):
        monkeypatch.setattr(module, "MOST_STRETCHES", 2)
    app = laptop.runtime.app
    await talks(laptop, 32)
    first = await extract_chat(app, CHAT)
    assert (first.chunks, first.more) == (2, True)
    rest = await extract_chat(app, CHAT)
    assert (rest.chunks, rest.more) == (1, False), "two messages are left, and they wait until the chat is idle"
    await talks(laptop, 18)
    last = await extract_chat(app, CHAT)
    assert (last.chunks, last.more) == (2, False), "as much as one task does, and nothing is left"


@pytest.mark.parametrize(("count", "language"), [(4, "uk"), (5, "en")])
async def test_a_few_messages_in_another_language_do_not_change_what_a_chat_speaks(laptop, count, language):
    await talks(laptop, 10, "сьогодні ми всі разом ідемо гуляти до лісу {}")
    await laptop.settle()
    await talks(laptop, count, "today we are all going together for a long walk in the forest {}")
    await laptop.settle()
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).language == language
