"""A stop takes effect when it is taken in, while the queue of answers is full and none of them ends."""

import asyncio
import contextlib

import pytest

from shared.application.delivery.ledger_codec import read_entry, update_path
from tests.support import updates
from tests.support.delivery.slow import SlowModel
from tests.support.group import running_group

OLYA, TARAS, MARKO, HANNA = (101, "Оля"), (102, "Тарас"), (103, "Марко"), (104, "Ганна")
PRIVATE = 101
AT_ONCE = 3
"""Answers that the queue has made at once: `maxConcurrentDispatches`."""


class FullQueue:
    """A chat whose answers are made by a model that never replies, as many at once as the queue lets."""

    def __init__(self, group, model):
        self.group, self.model = group, model

    async def fill(self, *updates_):
        """Have questions asked until no more are made at once; their ids."""
        for update in updates_:
            assert await self.group.post(update) == 200
        while len(self.model.asked) < AT_ONCE:
            await asyncio.sleep(0.01)
        return [update["update_id"] for update in updates_]

    def says(self, text, who=OLYA, **fields):
        return self.group.says(text, *who, **fields)

    async def outcomes(self, ids):
        documents = await self.group.store.get_many([update_path(each) for each in ids])
        return [read_entry(document).outcome for document in documents]

    async def is_broken_off(self, times):
        """Wait until so many calls of the model were given up."""
        while self.model.broken_off < times:
            await asyncio.sleep(0.01)

    async def is_told(self, times):
        while len(self.group.answers) < times:
            await asyncio.sleep(0.01)


@pytest.fixture
async def full(store):
    model = SlowModel("Кінець.")
    async with running_group(store, model=model, ANSWER_MODEL_SECONDS="50") as group:
        group.api.add_chat(PRIVATE, "private")
        pump = asyncio.create_task(group.tasks.serve(at_once=AT_ONCE))
        yield FullQueue(group, model)
        model.go_on.set()
        while any(stored.is_running for stored in group.tasks.tasks.values()):
            await asyncio.sleep(0.01)
        pump.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await pump


async def test_a_word_stops_what_its_author_asked_while_all_that_the_queue_makes_at_once_is_still_made(full):
    ids = await full.fill(
        full.says("гряг, де живе Оля?"),
        full.says("гряг, котра година?", TARAS),
        full.says("гряг, хто що любить?", MARKO),
    )
    stop = full.says("гряг, стоп")
    assert await full.group.post(stop) == 200
    assert await full.outcomes(ids) == ["stopped", None, None], "as soon as it was taken in, no answer having ended"
    await full.is_broken_off(1)
    await full.is_told(1)
    assert full.group.answers == ["Гаразд, зупинився."], "it has the place that is free now"
    assert full.model.broken_off == 1


async def test_the_button_stops_the_answer_that_grows_while_all_that_the_queue_makes_at_once_is_still_made(full):
    here = {"chat": updates.chat(PRIVATE, "private"), "sender": updates.user(*OLYA, language_code="en")}
    first, *others = await full.fill(
        full.says("де я живу?", **here),
        full.says("гряг, котра година?", TARAS),
        full.says("гряг, хто що любить?", MARKO),
    )
    chat = updates.chat(PRIVATE, "private")
    button = {"update_id": 900, "stopped_message_generation": {"chat": chat, "draft_id": first}}
    for _ in range(2):
        assert await full.group.post(button) == 200
    assert await full.outcomes([first, *others]) == ["stopped", None, None]
    await full.is_broken_off(1)
    await full.is_told(1)
    assert full.group.answers == ["All right, I stopped."], "in the language of who asked"


async def test_what_waits_in_a_full_queue_is_not_even_begun_after_a_stop(full):
    *others, mine = await full.fill(
        full.says("гряг, котра година?", TARAS),
        full.says("гряг, хто що любить?", MARKO),
        full.says("гряг, що ми планували?", HANNA),
        full.says("гряг, де живе Оля?"),
    )
    stop = full.says("/gryadstop")
    for _ in range(2):
        assert await full.group.post(stop) == 200
    assert await full.outcomes([*others, mine]) == [None, None, None, "stopped"]
    full.model.go_on.set()
    await full.is_told(AT_ONCE + 1)
    assert sorted(full.group.answers) == ["Гаразд, зупинився.", *["Кінець."] * AT_ONCE]
    assert len(full.model.asked) == AT_ONCE


async def test_nobody_stops_what_somebody_else_asked(full):
    here = {"chat": updates.chat(PRIVATE, "private")}
    ids = await full.fill(
        full.says("де я живу?", **here), full.says("гряг, де живе Оля?"), full.says("гряг, хто що любить?", MARKO)
    )
    full.group.api.add_chat(TARAS[0], "private")
    theirs = updates.chat(TARAS[0], "private")
    for number, draft in enumerate(ids):
        button = {"update_id": 900 + number, "stopped_message_generation": {"chat": theirs, "draft_id": draft}}
        assert await full.group.post(button) == 200
    assert await full.group.post(full.says("гряг, стоп", TARAS)) == 200
    assert await full.outcomes(ids) == [None, None, None]
    full.model.go_on.set()
    await full.is_told(AT_ONCE + 1)
    assert sorted(full.group.answers) == ["Зараз я нічого для вас не пишу.", *["Кінець."] * AT_ONCE]
    assert full.model.broken_off == 0
