"""What may be asked and what it may cost: limits of an hour, budgets of a day, answers too long for messages."""

from datetime import timedelta

import pytest

from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.pace import note_erasure
from shared.application.delivery.pace_codec import pace_from, pace_path
from shared.application.spending.budgets import spending_path
from shared.domain.delivery.pace import HOUR
from tests.support import updates
from tests.support.gemini.server import CHAT_MODEL, EMBEDDING_MODEL, EXTRACTION_MODEL, FakeGemini
from tests.support.group import CHAT, running_group

ADMIN = (102, "Тарас")
RESTS = "я перепочину до"


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        yield server


def minded(store, gemini, **more):
    """A group with a model."""
    where = {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": gemini.url, "TOOLS": "none"}
    models = {"GEMINI_CHAT_MODEL": CHAT_MODEL, "GEMINI_EXTRACTION_MODEL": EXTRACTION_MODEL}
    return running_group(store, **where, **models, GEMINI_EMBEDDING_MODEL=EMBEDDING_MODEL, **more)


async def ask_often(group, times, user_id=101, text="/gryadx1y"):
    for _ in range(times):
        await group.say(text, user_id, f"Член {user_id}")


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

ASKED = "гряг, ти тут?"


def asked_of(gemini):
    return len([request for request in gemini.requests if request.model == CHAT_MODEL])


async def test_a_member_over_the_budget_gets_quotes_and_is_told_once_a_day(store, gemini):
    gemini.reply_with(lambda _: "так, я тут")
    async with minded(store, gemini, MODEL_TOKENS_PER_MEMBER_PER_DAY="10") as group:
        await ask_often(group, 3, text=ASKED)
        assert asked_of(gemini) == 1
        assert ["вичерпали свою частку" in text for text in group.answers] == [False, True, False]
        await ask_often(group, 1, 103, text=ASKED)
        assert asked_of(gemini) == 2, "others may still ask"
        booked = await group.store.get(spending_path(CHAT, 101, group.clock.now().date()))
        assert booked.data["calls"] == 1
        assert booked.data["expire_at"] == group.clock.now() + timedelta(days=2) - timedelta(seconds=60)
        group.clock.advance(timedelta(days=1))
        await ask_often(group, 1, text=ASKED)
        assert asked_of(gemini) == 3


async def test_a_chat_over_the_budget_is_told_once_for_all(sqlite_store, gemini):
    gemini.reply_with(lambda _: "так, я тут")
    async with minded(sqlite_store, gemini, MODEL_TOKENS_PER_CHAT_PER_DAY="10") as group:
        for member in (101, 102, 103, 104):
            await ask_often(group, 1, member, text=ASKED)
        assert asked_of(gemini) == 1
        assert ["цей чат вичерпав" in text for text in group.answers] == [False, True, False, False]


async def test_the_chats_own_choice_of_a_budget_holds_and_none_at_all_is_not_called_used_up(sqlite_store, gemini):
    gemini.reply_with(lambda _: "так, я тут")
    async with minded(sqlite_store, gemini) as group:
        await group.say("привіт")
        app = group.runtime.app
        await app.chats.change(CHAT, {"settings": {"tokens_per_day": 10}})
        await ask_often(group, 2, text=ASKED)
        assert asked_of(gemini) == 1
        await app.chats.change(CHAT, {"settings": {"tokens_per_day": 0}})
        group.clock.advance(timedelta(days=1))
        await ask_often(group, 1, text=ASKED)
        assert asked_of(gemini) == 1
        assert "вичерпав" not in group.answers[-1]


async def test_a_notice_that_never_arrived_is_given_with_the_redelivery(sqlite_store, gemini):
    gemini.reply_with(lambda _: "так, я тут")
    async with minded(sqlite_store, gemini, MODEL_TOKENS_PER_MEMBER_PER_DAY="10") as group:
        await ask_often(group, 1, text=ASKED)
        update = group.says(ASKED)
        group.api.fail_next("sendMessage", status=500)
        assert await group.deliver(update) == 503
        assert await group.deliver(update) == 200
        assert "вичерпали" in group.answers[-1]
