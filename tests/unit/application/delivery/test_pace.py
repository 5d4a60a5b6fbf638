"""What may be asked and what it may cost: limits of an hour, budgets of a day, answers too long for messages."""

from datetime import timedelta

from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.pace import note_erasure
from shared.application.delivery.pace_codec import pace_from, pace_path
from shared.domain.delivery.pace import HOUR
from tests.support import updates
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
        for die_at in range(1, 10):
            group.clock.advance(2 * HOUR)
            await ask_often(group, 1)
            group.api.sent.clear()
            update = group.says("/gryadx2y")
            group.store.arm(die_at)
            await group.deliver(update)
            group.store.arm(None)
            group.clock.advance(LEASE)
            assert await group.deliver(update) == 200
            assert [RESTS in text for text in group.answers] == [True]


async def test_the_document_stays_small_and_forgets_a_member(laptop):
    await ask_often(laptop, 3)
    await ask_often(laptop, 2, 103)
    app = laptop.runtime.app
    await note_erasure(app.store, app.clock, CHAT, 101)
    document = await laptop.store.get(pace_path(CHAT))
    assert list(pace_from(document).asked) == ["103"]
    assert "gryad" not in str(document.data)
    laptop.clock.advance(timedelta(hours=2))
    await ask_often(laptop, 1, 103)
    pace = pace_from(await laptop.store.get(pace_path(CHAT)))
    assert (len(pace.sent), len(pace.asked["103"]), pace.reserved) == (1, 1, {})


# --- Budgets -------------------------------------------------------------------------------------
