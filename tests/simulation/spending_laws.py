"""Laws of spending: the budgets of a chat and of its members hold, and what the model did is booked."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path, usage_path
from shared.application.spending.usage_codec import spending_path, tokens_of
from tests.simulation.observing import Observer
from tests.simulation.peers.model import ModelCall
from tests.simulation.story import Said, Story
from tests.simulation.world import World

_UNDER_WAY = 120.0
"""Seconds for which an answer or a task may be under way between looking at its budget and its last call."""

_OVER = 1.1
"""A budget holds within a tenth: what was under way when it ended is still paid."""


async def budgets_hold(world: World, story: Story, observer: Observer) -> list[str]:
    """Nobody begins to ask the model whose budget of the day was over by more than a tenth, a while ago already."""
    problems = []
    asked = {said.update_id: said for said in story.said}
    for call in world.model_calls:
        if any(call.begun - 2 * _UNDER_WAY <= at <= call.ended for at in call.caller.troubles):
            continue  # it stood still, or could not be told
        chat_id = _chat_of(call, asked)
        if chat_id is None or chat_id in story.moved or chat_id in story.moved.values():
            continue
        said = asked.get(call.task.get("update_id", 0))
        begun = world.clock.at(call.begun - _UNDER_WAY)
        for shift in (-15, 15):
            if (begun + timedelta(seconds=shift)).date() != world.clock.at(call.ended).date():
                break
        else:
            policy, day = world.policy, begun.date()
            budgets = [(usage_path(chat_id, day), policy.tokens_per_day)]
            if said is not None:
                budgets.append((spending_path(chat_id, said.user_id, day), policy.tokens_per_member))
            problems += [
                f"{call.purpose} was asked at {call.begun:.0f} though {path} had {spent} tokens of {most}"
                for path, most in budgets
                # Both: who was forgotten meanwhile begins anew.
                if (spent := min(observer.tokens_at(path, call.begun - s) for s in (_UNDER_WAY, 0))) > _OVER * most
            ]
    return problems


async def calls_are_booked(world: World, story: Story, observer: Observer) -> list[str]:
    """What the model was asked stands in the chat's days, but for what its caller could not write down."""
    least, most = Counter[int](), Counter[int]()
    asked = {said.update_id: said for said in story.said}
    for call in world.model_calls:
        chat_id = _chat_of(call, asked)
        if chat_id is None:
            return []  # asked for something of no chat alone
        chat_id = story.moved.get(chat_id, chat_id)
        most[chat_id] += call.tokens
        if not any(call.begun - _UNDER_WAY <= at <= call.ended + _UNDER_WAY for at in call.caller.troubles):
            least[chat_id] += call.tokens
    problems = []
    for chat_id in most:
        if read_chat(chat_id, await world.store.get(chat_path(chat_id))).migrated_to is not None:
            continue
        booked = sum(tokens_of(day) for day in await world.store.query(f"{chat_path(chat_id)}/usage"))
        if not least[chat_id] <= booked <= most[chat_id]:
            problems.append(f"chat {chat_id} was booked {booked} tokens, and used {least[chat_id]} to {most[chat_id]}")
    return problems


def _chat_of(call: ModelCall, asked: dict[int, Said]) -> int | None:
    if "chat_id" in call.task:
        return int(call.task["chat_id"])
    said = asked.get(call.task.get("update_id", 0))
    return None if said is None else said.chat_id
