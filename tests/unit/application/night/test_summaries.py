"""What was left to learn and to sum up is made good in the night."""

from dataclasses import replace
from datetime import timedelta

import pytest

from infra.cli.no_chat import NoChat
from shared.application.documents import upkeep_path
from shared.application.night.summaries import episodes_chat, summarize_chat
from shared.domain.errors import ChatUnavailable
from tests.scenarios.whole.test_faults import model_settings
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.reading.talks import TRIP, Talk
from tests.support.tool_chat import NoTelegram
from tests.unit.application.night.chats import AwayModel, state_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_a_task_that_was_lost_is_made_good_at_night(talk):
    await talk.have(TRIP)
    talk.group.clock.advance(HOUR)
    outcome = await summarize_chat(talk.app, await state_of(talk.app))
    assert (outcome.counts["chunks"], outcome.more, outcome.next_at) == (1, False, None)
    assert [chunk["message_ids"] for chunk in (await talk.chunks()).values()] == [[1, 2, 3, 4, 5, 6]]
    again = await summarize_chat(talk.app, await state_of(talk.app))
    assert again.counts == {"chunks": 0, "changes": 0, "redone": 0}


async def test_chunks_that_lost_count_of_what_is_left_to_do_are_counted_again(talk):
    await talk.chunks_of_one(9)
    await talk.group.store.delete(upkeep_path(CHAT))
    await talk.say("Оля", "десяте: сплатила 900 грн")
    talk.group.clock.advance(HOUR)
    await summarize_chat(talk.app, await state_of(talk.app))
    assert list(await talk.metas()) == ["1-1-10"]


async def test_what_was_made_without_the_model_is_made_again_in_as_many_parts_as_it_takes(in_memory):
    async with FakeGemini("test-key") as gemini, running_group(in_memory, **model_settings(gemini)) as group:
        talk = Talk(group)
        await group.runtime.app.chats.change(CHAT, {"active": True})
        await talk.chunks_of_one(84, model=None, embedder=None)
        assert all(chunk["model_pending"] for chunk in (await talk.chunks()).values())
        outcomes = [await summarize_chat(talk.app, await state_of(talk.app))]
        while outcomes[-1].more:
            outcomes.append(await summarize_chat(talk.app, await state_of(talk.app)))
        assert [outcome.counts["redone"] for outcome in outcomes] == [80, 4]
        assert not any(chunk["model_pending"] for chunk in (await talk.chunks()).values())


async def test_what_waits_for_the_model_has_the_night_come_back(talk):
    await talk.have(TRIP)
    await talk.extract(after=HOUR, model=AwayModel())
    app = replace(talk.app, model=AwayModel())
    outcome = await summarize_chat(app, await state_of(app))
    assert (outcome.more, outcome.next_at) == (False, app.clock.now() + DAY)
    spent = replace(app, policy=app.policy._replace(tokens_per_day=0))
    assert (await summarize_chat(spent, await state_of(spent))).next_at == app.clock.now() + DAY


async def test_without_a_token_a_chat_of_unknown_admins_waits_and_one_of_known_admins_is_learnt_from(talk):
    await talk.have(TRIP)
    talk.group.clock.advance(HOUR)
    app = replace(talk.app, gateway=NoChat())
    outcome = await summarize_chat(app, await state_of(app))
    assert outcome == ({"waiting": 1}, app.clock.now() + DAY, False)
    assert await talk.chunks() == {}
    await app.chats.change(CHAT, {"admins": [102], "admins_checked_at": app.clock.now() - 30 * DAY})
    assert (await summarize_chat(app, await state_of(app))).counts["chunks"] == 1


async def test_an_outage_of_telegram_has_the_task_run_again(talk):
    await talk.have(TRIP)
    talk.group.clock.advance(HOUR)
    app = replace(talk.app, gateway=NoTelegram())
    with pytest.raises(ChatUnavailable):
        await summarize_chat(app, await state_of(app))


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
