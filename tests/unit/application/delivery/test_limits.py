"""What may be asked and what it may cost: limits of an hour, budgets of a day, answers too long for messages."""

import asyncio

import pytest

from shared.application.delivery.lease import Lease
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.limits import Ask, reached_limit
from shared.application.forgetting.forget import forget_member
from shared.domain.delivery.limits import HOUR
from tests.support import updates
from tests.support.delivery.answers import SECOND, asked
from tests.support.delivery.asking import ask_often, minded
from tests.support.gemini.server import CHAT_MODEL
from tests.support.group import CHAT, running_group

ADMIN = (102, "Тарас")
RESTS = "я перепочину до"


# --- Limits --------------------------------------------------------------------------------------


async def test_who_asks_too_much_is_told_once_until_when_and_then_not_answered(store):
    async with running_group(store, ASKS_PER_USER_PER_HOUR="3") as group:
        begun = group.clock.now()
        await ask_often(group, 6)
        assert len(group.answers) == 4
        assert f"{RESTS} 21:00" in group.answers[-1], "20:00 in Kyiv, and an hour"
        await ask_often(group, 1, 103)
        assert RESTS not in group.answers[-1]
        assert len([m for m in await group.messages() if not m["is_bot"]]) == 7, "everything is stored"
        group.clock.advance(begun + HOUR - group.clock.now())
        await ask_often(group, 1)
        assert RESTS not in group.answers[-1]


async def test_the_ledger_says_what_became_of_a_question_over_the_limit(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="1") as group:
        sent = [await group.say("/gryadx1y") for _ in range(3)]
        entries = [await group.store.get(f"updates/{update['update_id']}") for update in sent]
        assert [entry.data["outcome"] for entry in entries] == ["answered", "limited", "limited"]
        for update in sent:
            assert await group.deliver(update) == 200
        assert len(group.answers) == 2


async def test_admins_count_too_and_everybody_together_have_a_limit(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="2", ASKS_PER_CHAT_PER_HOUR="5") as group:
        await ask_often(group, 3, 102)
        assert RESTS in group.answers[-1]
        await ask_often(group, 2, 103)
        await ask_often(group, 2, 104)
        assert "всі разом" in group.answers[-1]
        told = len(group.answers)
        await ask_often(group, 2, 105)
        assert len(group.answers) == told


async def test_what_was_asked_before_a_group_became_a_supergroup_counts_there(store):
    async with running_group(store, ASKS_PER_USER_PER_HOUR="2", ASKS_PER_CHAT_PER_HOUR="3") as group:
        for chat_id in (-5, -1005):
            group.api.add_chat(chat_id)
        for user_id in (101, 101, 102):
            await group.say("/gryadx1y", user_id, chat=updates.chat(-5, "group"))
        await group.post(updates.migration_update(-5, -1005, update_id=901, in_new=True))
        for user_id, whose in ((101, "Забагато запитань"), (103, "всі разом")):
            await group.say("/gryadx1y", user_id, chat=updates.chat(-1005))
            assert RESTS in group.answers[-1]
            assert whose in group.answers[-1]


async def test_talk_is_never_limited_and_a_redelivery_is_no_second_question(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="2") as group:
        await ask_often(group, 5, text="просто розмова")
        update = await group.say("/gryadx1y")
        for _ in range(5):
            assert await group.deliver(update) == 200
        await ask_often(group, 1)
        assert RESTS not in " ".join(group.answers)


async def test_a_question_over_the_limit_does_not_reach_the_model(sqlite_store, gemini):
    async with minded(sqlite_store, gemini, ASKS_PER_USER_PER_HOUR="1") as group:
        await ask_often(group, 3, text="гряг, ти тут?")
        assert len([r for r in gemini.requests if r.model == CHAT_MODEL]) == 1


async def test_who_speaks_english_is_told_in_english(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="1", TIMEZONE="Europe/London") as group:
        sam = updates.user(110, "Sam", language_code="en")
        for _ in range(2):
            await group.say("/gryadx1y", sender=sam)
        assert "take a break until 19:00" in group.answers[-1]


async def test_a_press_over_the_limit_is_told_so_every_time_and_does_nothing(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="1") as group:
        await group.say("/gryadchatreset", *ADMIN)
        said, label = len(group.api.sent), group.buttons[0]
        for _ in range(2):
            assert await group.press(label, *ADMIN) == 200
            assert RESTS in group.notices[-1]
        assert len(group.api.sent) == said
        assert group.api.edited == []


async def test_a_crash_at_any_store_call_leaves_one_notice_and_no_answer(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="1") as group:
        for die_at in range(1, 14):
            group.clock.advance(2 * HOUR)
            await ask_often(group, 1)
            group.api.sent.clear()
            update = group.says("/gryadx2y")
            group.store.arm(die_at)
            await group.deliver(update)
            group.store.arm(None)
            group.clock.advance(LEASE)
            assert await group.deliver(update) == 200
            assert {RESTS in text for text in group.answers} == {True}
            assert len(set(group.answers)) == 1, "of one that died when it had sent it nobody knew that it had"


# --- Many at once --------------------------------------------------------------------------------


def ask(user_id=101, *, per_user=30, per_chat=120):
    return Ask(CHAT, user_id, per_user, per_chat)


async def all_at_once(group, asks, *, first=0):
    """Questions that were taken in before the first was looked at, and are looked at all at once; their outcomes."""
    for number, by in enumerate(asks, first):
        await asked(group.store, number, user_id=by.user_id, at=group.clock.now() + number // 50 * SECOND)
    group.clock.advance(10 * SECOND)
    ledger = Ledger(group.store, group.clock, group.runtime.app.ids)
    numbers = sorted(range(first, first + len(asks)), key=lambda n: n * 7919 % 10_007)  # in no order
    taken = await asyncio.gather(*(judged(ledger, n, asks[n - first]) for n in numbers))
    return {
        n: "notice" if isinstance(t, Lease) and t.limit else str(t.outcome) for n, t in zip(numbers, taken, strict=True)
    }


async def judged(ledger, number, by):
    return await ledger.admit(await ledger.take(number, by, chat_id=CHAT), by)


async def test_of_two_hundred_questions_of_one_member_at_once_the_first_thirty_are_answered(store):
    async with running_group(store) as group:
        outcomes = await all_at_once(group, [ask()] * 200)
        assert sorted(n for n, outcome in outcomes.items() if outcome == "answered") == list(range(30))
        assert list(outcomes.values()).count("notice") == 1


async def test_of_two_hundred_questions_of_a_whole_group_at_once_the_first_hundred_and_twenty_are_answered(store):
    async with running_group(store) as group:
        outcomes = await all_at_once(group, [ask(101 + n % 10) for n in range(200)])
        assert sorted(n for n, outcome in outcomes.items() if outcome == "answered") == list(range(120))
        assert list(outcomes.values()).count("notice") == 1


@pytest.mark.parametrize(("members", "limit"), [(1, 30), (10, 120)], ids=["member", "chat"])
@pytest.mark.parametrize("at_once", [1, 40])
async def test_two_hundred_that_are_looked_at_while_they_come_in_are_let_in_within_a_tenth_of_the_limit(
    store, members, limit, at_once
):
    """Telegram brings messages of a chat one after the other, and presses of many members beside each other."""
    async with running_group(store) as group:
        ledger, room = Ledger(group.store, group.clock, group.runtime.app.ids), asyncio.Semaphore(at_once)
        judging = []

        async def come_in(number):
            async with room:
                await asked(group.store, number, user_id=101 + number % members, at=group.clock.now())
            judging.append(asyncio.create_task(judged(ledger, number, ask(101 + number % members))))

        await asyncio.gather(*map(come_in, range(1_000, 1_200)))
        taken = await asyncio.gather(*judging)
        let_in = [each for each in taken if isinstance(each, Lease) and each.limit is None]
        assert limit <= len(let_in) <= 1.1 * limit


@pytest.mark.parametrize(("per_user", "per_chat"), [(4, 120), (30, 4)], ids=["member", "chat"])
async def test_clocks_that_differ_let_in_no_more_than_the_limit(laptop, per_user, per_chat):
    now, ledger = laptop.clock.now(), Ledger(laptop.store, laptop.clock, laptop.runtime.app.ids)
    one = ask(per_user=per_user, per_chat=per_chat)
    let_in = []
    for number in range(12):  # every third one is taken in by an instance whose clock is ahead
        await asked(
            laptop.store, number, at=now + number * SECOND / 2 + (35 * SECOND if number % 3 == 0 else 0 * SECOND)
        )
        taken = await judged(ledger, number, one)
        let_in += [number] if isinstance(taken, Lease) and taken.limit is None else []
    assert let_in == [0, 1, 2, 3]


@pytest.mark.parametrize("flood", [150, 600])
async def test_a_flood_of_one_member_takes_no_room_of_the_others(laptop, flood):
    """Also while nobody has told them so, as when the queue of answers stood still."""
    for number in range(flood):
        await asked(laptop.store, number, at=laptop.clock.now() + number // 50 * SECOND)
    others = [ask(1_000 + n, per_chat=40) for n in range(20)]
    outcomes = await all_at_once(laptop, others, first=flood)
    assert sorted(n for n, outcome in outcomes.items() if outcome == "answered") == list(range(flood, flood + 10))


async def test_a_flood_through_two_instances_whose_clocks_differ_is_let_in_up_to_its_authors_limit(laptop):
    now, ledger = laptop.clock.now(), Ledger(laptop.store, laptop.clock, laptop.runtime.app.ids)
    for number in range(60):
        await asked(laptop.store, number, at=now + (50 * SECOND if number % 2 else 0 * SECOND))
    taken = [await judged(ledger, number, ask(per_user=5)) for number in range(60)]
    assert [n for n, each in enumerate(taken) if isinstance(each, Lease) and each.limit is None] == [0, 1, 2, 3, 4]


async def test_of_a_thousand_who_ask_at_once_each_over_the_limit_costs_little_more_than_the_limit_in_reads(laptop):
    for number in range(1_000):
        await asked(laptop.store, number, user_id=number, at=laptop.clock.now() + number // 50 * SECOND)
    at, before = laptop.clock.now() + 19 * SECOND, laptop.store.usage.reads
    assert (await reached_limit(laptop.store, ask(999), 999, at)).whose == "chat"
    assert laptop.store.usage.reads - before == 2 + 120


async def test_a_question_under_the_limits_costs_two_reads_more_and_writes_nothing_that_others_write(laptop):
    await asked(laptop.store, 7, at=laptop.clock.now())
    before, writes = laptop.store.usage.reads, laptop.store.usage.writes
    await judged(Ledger(laptop.store, laptop.clock, laptop.runtime.app.ids), 7, ask())
    assert (laptop.store.usage.reads - before, laptop.store.usage.writes - writes) == (2 + 2, 1)


async def test_a_question_that_is_looked_at_again_is_judged_as_before(laptop):
    one = ask(per_user=1)
    for number in (7, 8):
        await asked(laptop.store, number, at=laptop.clock.now())
    ledger = Ledger(laptop.store, laptop.clock, laptop.runtime.app.ids)
    for _ in range(2):
        assert (await judged(ledger, 7, one)).limit is None
        assert (await judged(ledger, 8, one)).limit.whose == "member"
        laptop.clock.advance(LEASE)


async def test_who_was_forgotten_is_in_no_record_and_asks_anew(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="2") as group:
        await ask_often(group, 2)
        await ask_often(group, 1, 103)
        await forget_member(group.runtime.app, CHAT, 101)
        found = await group.store.query("updates")
        assert {document.data.get("user_id") for document in found} == {None, 103}
        await ask_often(group, 1)
        assert RESTS not in group.answers[-1]


# --- Budgets -------------------------------------------------------------------------------------
