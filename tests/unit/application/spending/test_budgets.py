"""What a day may cost: a chat, and a member; and that it is told once."""

import contextlib
import inspect
from datetime import timedelta

from shared.application.delivery.ledger_codec import LEASE
from shared.application.documents import usage_path
from shared.application.intake.answering import answer_update
from shared.application.spending.budgets import spending_path
from shared.application.spending.usage_codec import tokens_of
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
