"""What a day may cost: a chat, and a member; and that it is told once."""

import contextlib
import inspect
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.application.delivery.ledger_codec import LEASE
from shared.application.documents import chunks_path, usage_path
from shared.application.intake.answering import answer_update
from shared.application.reading.extraction import extract_chat
from shared.application.spending.budgets import Booking, book, settle, spending_path
from shared.application.spending.usage_codec import tokens_of
from shared.domain.errors import Contention, ModelUnavailable
from tests.support.delivery.asking import ask_often, minded
from tests.support.faults import Crashed
from tests.support.gemini.server import CHAT_MODEL
from tests.support.group import CHAT

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
        assert booked.data["expire_at"] == group.clock.now() + timedelta(days=2) - timedelta(seconds=80)
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


async def test_a_notice_that_never_arrived_is_given_with_the_next_attempt(sqlite_store, gemini):
    gemini.reply_with(lambda _: "так, я тут")
    async with minded(sqlite_store, gemini, MODEL_TOKENS_PER_MEMBER_PER_DAY="10") as group:
        await ask_often(group, 1, text=ASKED)
        update = group.says(ASKED)
        group.api.fail_next("sendMessage", status=500)
        assert not await group.deals_with(update)
        await group.answer_later()
        assert "вичерпали" in group.answers[-1]


class MortalStore:
    """Forwards to a real store as long as the process lives; nothing that it does afterwards has an effect."""

    def __init__(self, store):
        self._store, self.is_dead = store, False

    def __getattr__(self, name):
        if not inspect.iscoroutinefunction(method := getattr(self._store, name)):
            return method

        async def call(*args, **kwargs):
            if self.is_dead:
                raise Crashed("the process is gone")
            return await method(*args, **kwargs)

        return call


async def test_a_question_that_processes_die_of_leaves_two_calls_booked_and_is_answered(sqlite_store, gemini):
    store = MortalStore(sqlite_store)

    def die(_):
        store.is_dead = True
        return "того вже ніхто не почує"

    gemini.reply_with(die)
    async with minded(store, gemini) as group:
        app, asked = group.runtime.app, group.says("гряг, ти тут?")
        await group.post(asked)
        booked = []
        for _ in range(20):
            with contextlib.suppress(Crashed):
                await answer_update(app, asked["update_id"])
            store.is_dead = False
            booked.append(tokens_of(await store.get(usage_path(CHAT, group.clock.now().date()))))
            group.clock.advance(2 * LEASE)
        assert booked[0] > 1_000
        assert booked == [booked[0]] + 19 * [2 * booked[0]]
        assert len(group.answers) == 1


DEATHS = 20


async def test_a_reading_that_processes_die_of_leaves_two_calls_booked_and_is_done_without_it(sqlite_store, gemini):
    store = MortalStore(sqlite_store)

    def die(_):
        store.is_dead = True
        return "того вже ніхто не почує"

    gemini.reply_with(die)
    async with minded(store, gemini) as group:
        for number in range(12):
            await group.say(f"Рахунок за воду знову виріс, уже {number} раз")
        app, booked = group.runtime.app, []
        for _ in range(DEATHS):
            group.clock.advance(timedelta(minutes=10))
            with contextlib.suppress(Crashed):
                await extract_chat(app, CHAT)
            store.is_dead = False
            booked.append(tokens_of(await store.get(usage_path(CHAT, group.clock.now().date()))))
        assert booked[0] > 1_000
        assert booked == [booked[0]] + (DEATHS - 1) * [2 * booked[0]]
        assert len(gemini.requests) == 2
        (first, *_) = await store.query(chunks_path(CHAT))
        assert first.data["model_pending"] is True
        group.clock.advance(timedelta(days=1))
        gemini.reply_with(lambda _: "-")
        await extract_chat(app, CHAT)
        assert len(gemini.requests) > 2, "tomorrow it is tried again"


async def test_calls_about_one_thing_are_each_booked_once_and_free_their_place_when_they_are_over(store):
    at = datetime(2026, 11, 6, 18, 0, tzinfo=UTC)
    call = Booking(CHAT, 101, at, 1_000)
    first, sums = await book(store, call, "reading-7")
    second, _ = await book(store, call, "reading-7")
    assert [each["tokens"] for each in sums] == [1_000, 1_000]
    with pytest.raises(ModelUnavailable):
        await book(store, call, "reading-7")
    (other, _), booked = await book(store, call, "reading-8"), usage_path(CHAT, at.date())
    assert tokens_of(await store.get(booked)) == 3_000
    for each in (first, other):
        await settle(store, each)
    assert tokens_of(await store.get(booked)) == 1_000
    again, _ = await book(store, call, "reading-7")
    assert again.mark == first.mark != second.mark
    tomorrow, _ = await book(store, replace(call, at=at + timedelta(days=1)), "reading-7")
    await book(store, tomorrow, "reading-7")


class Racing:
    """A store whose next two batches lose their race."""

    def __init__(self, store):
        self._store, self._left = store, 2

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def batch(self, writes):
        self._left -= 1
        if self._left >= 0:
            raise Contention("another had the lock")
        return await self._store.batch(writes)


async def test_a_lost_race_is_no_sign_that_calls_died(sqlite_store):
    call, racing = Booking(CHAT, None, datetime(2026, 11, 6, 18, 0, tzinfo=UTC), 1_000), Racing(sqlite_store)
    for _ in range(2):
        with pytest.raises(Contention):
            await book(racing, call, "reading-7")
    booked, _ = await book(racing, call, "reading-7")
    assert booked.mark is not None
