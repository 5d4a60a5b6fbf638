"""A call of the model: judged and booked, and never a reason for the work to stop."""

import asyncio
from dataclasses import replace

import pytest

from infra.sqlite import SqliteStore
from shared.application.chats.choices import choices_for
from shared.application.documents import usage_path
from shared.application.ports.model import ModelReply, ModelRequest, ModelTurn, TokenUsage
from shared.application.ports.store import Delete
from shared.application.spending.asking import ask, memory_request
from shared.application.spending.budgets import MOST_DEATHS
from shared.domain.errors import ModelRefused, ModelUnavailable, StoreUnavailable, UnstorableDocument
from tests.cost.store import CountingStore
from tests.support.tool_chat import CHAT

USAGE = TokenUsage(input=100, output=10, cached=40)


class Model:
    """Answers with a text, or an error."""

    def __init__(self, outcome):
        self._outcome = outcome

    async def generate(self, request):
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return ModelReply(self._outcome, "model", USAGE)


@pytest.fixture
async def asked(chat, tmp_path):
    """Asks for a text; the answer, the writes of the day's usage, and what stands there."""
    store = CountingStore(tmp_path / "asked.db")
    booked = usage_path(CHAT, chat.app.clock.now().date())

    async def ask_for(outcome):
        request = ModelRequest("reading", "system", (ModelTurn("user", ("talk",)),))
        answer = await ask(
            replace(chat.app, store=store, model=Model(outcome)), await chat.app.chats.state(CHAT), request, about=7
        )
        document = await store.get(booked)
        return answer, store.done.documents[booked], document.data if document is not None else {}

    yield ask_for
    await store.aclose()


async def test_a_call_is_booked_before_it_is_made_and_settled_when_it_is_over(asked):
    answer, writes, usage = await asked("a")
    assert (answer.text, answer.model, answer.later) == ("a", "model", False)
    assert writes == 2
    assert (usage["calls"], usage["tokens"], usage["cached_tokens"]) == (1, USAGE.total, 40)
    each = {"calls": 1, "input_tokens": 100, "output_tokens": 10, "cached_tokens": 40}
    assert {name: usage[f"reading_{name}"] for name in each} == each


@pytest.mark.parametrize(("error", "later"), [(ModelRefused("no"), False), (ModelUnavailable("away"), True)])
async def test_what_is_refused_is_not_asked_again_and_nothing_stays_booked(asked, error, later):
    answer, writes, usage = await asked(error)
    assert (answer.text, answer.later) == ("", later)
    assert (writes, usage) == (2, {"schema": 1, "tokens": 0})


class Refusing(SqliteStore):
    """A store that takes a booking and not what settles it."""

    async def batch(self, writes):
        if any(isinstance(write, Delete) for write in writes):
            raise UnstorableDocument("too large", paths=("chats/-100/usage/2026-11-06",))
        return await super().batch(writes)


async def test_a_mistake_of_ours_in_settling_is_not_taken_for_a_model_that_is_away(chat, tmp_path):
    store = Refusing(tmp_path / "refusing.db")
    app, state = replace(chat.app, store=store, model=Model(ModelUnavailable("away"))), await chat.app.chats.state(CHAT)
    with pytest.raises(UnstorableDocument):
        await ask(app, state, ModelRequest("reading", "system", (ModelTurn("user", ("talk",)),)), about=7)
    await store.aclose()


async def test_a_bug_passes_through(asked):
    with pytest.raises(ZeroDivisionError):
        await asked(ZeroDivisionError())


def asked_with(app, state, instructions, tasks):
    choices = choices_for(app.policy, state)._replace(custom_instructions=instructions)
    request = memory_request("meta", choices, most_tokens=1, instructions_for=tasks, count="2", summaries="")
    return str(request.turns[0].parts[0])


async def test_custom_instructions_cost_nothing_where_there_are_none_and_a_call_for_several_tasks_names_them(chat):
    state, tasks = await chat.app.chats.state(CHAT), ("facts", "summary", "meta")
    assert "wish" not in asked_with(chat.app, state, {"meta": ""}, ())
    assert '<wishes>\n"коротко"\n</wishes>' in asked_with(chat.app, state, {"meta": "коротко"}, ())
    both = asked_with(chat.app, state, {"facts": "про каву", "summary": "коротко", "meta": ""}, tasks)
    assert '<wishes>\nfacts: "про каву"\nsummary: "коротко"\n</wishes>' in both


class Slow:
    """A model that never comes to an end."""

    def __init__(self):
        self.asked = asyncio.Event()

    async def generate(self, request):
        self.asked.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            request.on_given_up(ModelReply("", "model", TokenUsage(input=70)))
            raise


async def test_a_call_that_a_dying_task_gives_up_is_booked(chat):
    app, model = chat.app, Slow()
    talk = ModelRequest("reading", "system", (ModelTurn("user", ("talk",)),))
    asking = asyncio.create_task(ask(replace(app, model=model), await app.chats.state(CHAT), talk, about=7))
    await asyncio.wait_for(model.asked.wait(), 30)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    usage = (await app.store.get(usage_path(CHAT, app.clock.now().date()))).data
    assert (usage["calls"], usage["reading_input_tokens"]) == (1, 70)


async def test_the_mark_of_a_call_under_way_names_nobody(chat):
    held = []

    class Looking(Model):
        async def generate(self, request):
            held.extend(
                [each.path async for each in chat.app.store.subtree(f"chats/{CHAT}") if "/spending/" in each.path]
            )
            return await super().generate(request)

    app, request = replace(chat.app, model=Looking("a")), ModelRequest("culture", "", (ModelTurn("user", ("talk",)),))
    await ask(app, await app.chats.state(CHAT), request, about="user:4242")
    assert len(held) == 1
    assert "4242" not in held[0]
    assert await app.store.get(held[0]) is None


class Blinking:
    """A store that is away whenever a call is settled."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def batch(self, writes):
        if any(isinstance(write, Delete) for write in writes):
            raise StoreUnavailable("away")
        return await self._store.batch(writes)


async def test_a_store_that_blinks_when_a_call_is_over_is_no_sign_that_it_died(chat):
    app, talk = replace(chat.app, model=Model("a")), ModelRequest("reading", "system", (ModelTurn("user", ("talk",)),))
    state = await app.chats.state(CHAT)
    for _ in range(MOST_DEATHS + 1):
        with pytest.raises(StoreUnavailable):
            await ask(replace(app, store=Blinking(app.store)), state, talk, about=7)
    assert not (await ask(app, state, talk, about=7)).later
