"""A conversation that is over is told in the night."""

from dataclasses import replace
from datetime import timedelta

from shared.application.documents import upkeep_path
from shared.application.night.episodes import episodes_chat
from tests.support.group import CHAT
from tests.support.reading.talks import TRIP
from tests.unit.application.night.chats import AwayModel, state_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_the_night_closes_a_conversation_that_is_over_whatever_the_counts_say(talk):
    await talk.have(TRIP)
    await talk.extract(after=timedelta(minutes=15))
    going_on = await episodes_chat(talk.app, await state_of(talk.app))
    assert going_on.next_at is not None
    assert await talk.episodes() == {}
    await talk.group.store.delete(upkeep_path(CHAT))
    talk.group.clock.advance(going_on.next_at - talk.group.clock.now())
    over = await episodes_chat(talk.app, await state_of(talk.app))
    assert (list(await talk.episodes()), over.next_at, over.more) == (["1-6"], None, False)
    assert all(episode["indexed"] for episode in (await talk.episodes()).values())


async def test_an_episode_that_waits_for_the_model_has_the_night_come_back(talk):
    await talk.have(TRIP)
    await talk.extract(after=timedelta(minutes=15))
    talk.group.clock.advance(DAY)
    assert (await episodes_chat(talk.app, await state_of(talk.app))).next_at is None  # there is no model
    app = replace(talk.app, model=AwayModel())
    assert (await episodes_chat(app, await state_of(app))).next_at == app.clock.now() + DAY


async def test_a_private_chats_conversations_are_left_alone(talk):
    await talk.have(TRIP)
    await talk.extract(after=timedelta(minutes=15))
    await talk.app.chats.change(CHAT, {"private_mode": True})
    talk.group.clock.advance(DAY)
    assert await episodes_chat(talk.app, await state_of(talk.app)) == ({}, None, False)
    assert await talk.episodes() == {}


async def test_a_conversation_that_waits_for_its_last_messages_is_not_cut(talk):
    await talk.have(TRIP)
    await talk.extract(after=timedelta(minutes=15))
    await talk.say("Оля", "і ще одне про поїзд у Ворохту")
    talk.group.clock.advance(3 * HOUR)
    await episodes_chat(talk.app, await state_of(talk.app))
    assert await talk.episodes() == {}
