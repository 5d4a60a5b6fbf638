"""Many ask at once: what a day may cost holds all the same, everybody is answered, and it is told once."""

import asyncio
import inspect
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

from shared.application.documents import usage_path
from shared.application.intake.answering import answer_update
from shared.application.ports.model import ModelReply, TokenUsage
from shared.application.spending import asking
from shared.application.spending.estimating import request_tokens
from shared.application.spending.usage_codec import tokens_of
from tests.support.group import CHAT, running_group

BUDGET, CROWD = 200_000, 120
SHORT = 0.95
"""The estimate of a text is never more short than that."""

SAID, USED_UP = "Так, я тут.", "вичерпав мій запас"


class FewAtOnce:
    """A peer that a few call at once, while the others wait: each call has all of its time, however slow a machine is
    that 120 answers are made on."""

    def __init__(self, peer):
        self._peer, self._room = peer, asyncio.Semaphore(8)

    def __getattr__(self, name):
        if not inspect.iscoroutinefunction(method := getattr(self._peer, name)):
            return method

        async def call(*args, **kwargs):
            async with self._room:
                return await method(*args, **kwargs)

        return call


class Crowded:
    """A model that answers nobody before all who ask at once are here, or have gone without it."""

    def __init__(self):
        self._missing, self._all_here = CROWD, asyncio.Event()
        self.taken = []

    def leave_out(self):
        self._missing -= 1
        if self._missing == 0:  # who was here and goes changes nothing any more
            self._all_here.set()

    async def generate(self, request):
        usage = TokenUsage(round(request_tokens(request) / SHORT), 600)
        self.taken.append(usage.total)
        self.leave_out()
        await self._all_here.wait()
        return ModelReply(SAID, "crowded-1", usage)


async def ask_at_once(group):
    """Everybody asks, and all answers are made at the same time: the tokens of each that the model made."""
    model, asked = Crowded(), []
    app, clock = group.runtime.app, SimpleNamespace(now=group.clock.now, sleep=asyncio.sleep)
    patient = app.policy._replace(answer_patience=timedelta(hours=1))  # nobody goes because the machine is slow
    app = replace(app, model=model, clock=clock, policy=patient, gateway=FewAtOnce(app.gateway))
    for member in range(1_001, 1_001 + CROWD):
        update = group.says("гряг, ти тут? " + "Розкажи нам усе, що ти знаєш! " * 20, member, f"Член {member}")
        assert await group.post(update) == 200
        asked.append(update["update_id"])

    async def answer(update_id):
        await answer_update(app, update_id)
        model.leave_out()

    await asyncio.gather(*map(answer, asked))
    return model.taken


@asynccontextmanager
async def talkative(store):
    async with running_group(FewAtOnce(store), telegram_timeout=600) as group:
        for _ in range(8):
            await group.say("Ми поїхали в гори і бачили там багато цікавого, а потім пішов дощ. " * 15)
        yield group


async def test_of_a_hundred_and_twenty_at_once_as_many_reach_the_model_as_the_budget_has_room_for(store):
    async with talkative(store) as group:
        taken, answers = await ask_at_once(group), group.answers
        assert 0.75 * BUDGET < sum(taken) <= 1.1 * BUDGET
        assert len(answers) == CROWD
        assert answers.count(SAID) == len(taken)
        assert sum(USED_UP in each for each in answers) == 1
        day = await group.store.get(usage_path(CHAT, group.clock.now().date()))
        assert tokens_of(day) == sum(taken), "of nobody anything stays booked"


async def test_without_booking_a_call_before_it_is_made_all_of_them_reach_the_model(sqlite_store, monkeypatch):
    monkeypatch.setattr(asking, "call_tokens", lambda _: 0)
    async with talkative(sqlite_store) as group:
        taken = await ask_at_once(group)
        assert len(taken) == CROWD
        assert sum(taken) > 3 * BUDGET
