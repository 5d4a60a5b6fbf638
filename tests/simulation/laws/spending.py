"""Laws of spending: the budgets of a chat and of its members hold, and what the model did is booked."""

from __future__ import annotations

from collections import Counter

from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path, usage_path
from shared.application.spending.usage_codec import read_usage, spending_path, usage_days_path
from tests.simulation.observing import Observer
from tests.simulation.peers.model import ModelCall
from tests.simulation.story import Said, Story
from tests.simulation.world import World

_UNDER_WAY = 120.0
"""Seconds for which an answer or a task may be under way between looking at its budget and its last call."""

_OVER = 1.1
"""A budget holds within a tenth: what a call takes is estimated before it is made."""


async def budgets_hold(world: World, story: Story, observer: Observer) -> list[str]:
    """All calls of a day together take no more than the budget and a tenth, of a chat and of each member who asks; or
    there is a single one.

    A group that becomes a supergroup is not judged: what it took under its old id counts when that has moved.
    """
    spent, made = Counter[tuple[str, int]](), Counter[str]()
    asked = {said.update_id: said for said in story.said}
    for call in world.model_calls:
        chat_id = _chat_of(call, asked)
        if chat_id is None or chat_id in story.moved or chat_id in story.moved.values():
            continue
        day = world.clock.at(call.begun + call.skew).date()
        if day != world.clock.at(call.begun + call.skew - _UNDER_WAY).date():
            continue  # it may have been booked before midnight
        budgets = [(usage_path(chat_id, day), world.policy.tokens_per_day)]
        if (said := asked.get(call.task.get("update_id", 0))) is not None:
            budgets.append((spending_path(chat_id, said.user_id, day), world.policy.tokens_per_member))
        spent.update(dict.fromkeys(budgets, call.tokens))
        made.update(path for path, _ in budgets)
    return [
        f"{path} took {tokens} tokens of {most}"
        for (path, most), tokens in spent.items()
        if tokens > _OVER * most and made[path] > 1 and path not in observer.begun_anew
    ]


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
        days = [read_usage(day) for day in await world.store.query(usage_days_path(chat_id))]
        called = sum(used.tokens for day in days for used in day.purposes.values())
        booked, moved = sum(day.tokens for day in days), chat_id in story.moved.values()
        if not least[chat_id] <= called <= most[chat_id]:
            problems.append(f"chat {chat_id} was booked {called} tokens, and used {least[chat_id]} to {most[chat_id]}")
        if not moved and (booked < called or (booked > called and not world.had_trouble)):
            problems.append(f"of chat {chat_id} {booked} tokens stay booked, and {called} were used")
    return problems


def _chat_of(call: ModelCall, asked: dict[int, Said]) -> int | None:
    if "chat_id" in call.task:
        return int(call.task["chat_id"])
    said = asked.get(call.task.get("update_id", 0))
    return None if said is None else said.chat_id
