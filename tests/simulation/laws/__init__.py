"""What must be true after every run, when all tasks are done and the weather is calm."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from math import ceil

from shared.application.conversation.tombstones import member_tombstone, read_tombstone
from shared.application.dead_letter_codec import LETTERS
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.delivery.outcomes import AnswerOutcome
from tests.simulation.laws.choice import resets_hold, who_opted_out_is_opted_out
from tests.simulation.laws.memory import (
    belief_follows_from_what_was_said,
    every_quote_was_said,
    nothing_is_kept_of_who_opted_out,
    nothing_is_left_of_the_forgotten,
    profiles_are_current,
    stored_messages,
    the_index_holds_what_is_stored,
)
from tests.simulation.laws.order import (
    answers_come_in_order,
    nothing_is_left_open,
    pieces_come_in_order,
    stops_take_effect_at_once,
)
from tests.simulation.laws.sending import (
    answers_end_as_they_must,
    attempts_of_pieces,
    is_refused,
    pieces_are_sent_again_only_when_nobody_knows,
    pieces_are_sent_at_least_once,
)
from tests.simulation.laws.spending import budgets_hold, calls_are_booked
from tests.simulation.laws.talk import answers_know_what_was_said_before, what_was_read_is_found_at_once
from tests.simulation.observing import Observer, Recorded
from tests.simulation.story import Said, Story
from tests.simulation.world import World

_ALL = 0
"""Stands for all members of a chat together."""

_HOUR = 3_600.0 - 2 * 60.0
"""Seconds of an hour, less what the clocks of two instances may differ by and a message is under way."""


async def judge(world: World, story: Story, observer: Observer) -> None:
    """Add to the world's problems whatever is not as it must be."""
    for law in _LAWS:
        world.problems += await law(world, story, observer)


async def _nothing_is_given_up(world: World, story: Story, observer: Observer) -> list[str]:
    letters = await world.store.query(LETTERS)
    given_up = [letter for letter in letters if not _tells_of_an_answer(letter.data["body"], world, observer)]
    given_up = [letter for letter in given_up if letter.data["body"] not in world.outlasted]
    return [f"a dead letter: {letter.data}" for letter in given_up] + [
        f"a task vanished: {task.name}" for task in world.queue.exhausted
    ]


def _tells_of_an_answer(body: str, world: World, observer: Observer) -> bool:
    """Return whether it tells of an answer that did not arrive, or may not have: that is judged by itself. One that is
    stopped while Telegram refuses it is stopped, and written down before anybody can know."""
    unsent = str(json.loads(body).get("unsent") if '"unsent"' in body else None)
    known = observer.answers.get(unsent)
    if known is None:
        return False
    ended = AnswerOutcome.STOPPED in known.outcomes and is_refused(known, unsent, attempts_of_pieces(world))
    return ended or not {AnswerOutcome.REJECTED, AnswerOutcome.UNCERTAIN}.isdisjoint(known.outcomes)


async def _messages_are_stored_once(world: World, story: Story, observer: Observer) -> list[str]:
    problems = []
    stored = {chat_id: await stored_messages(world, chat_id) for chat_id in world.api.chats}
    for said in story.said:
        chat_id, message_id = _place(story, said)
        if story.is_left_out(said) or story.names_erased(said):
            continue
        found = stored[chat_id].get(message_id)
        if found is None:
            problems.append(f"message {message_id} of chat {chat_id} is not stored: {said.text}")
        elif found.message.text != said.text:
            problems.append(f"message {message_id} of chat {chat_id} is {found.message.text!r}, not {said.text!r}")
    left = [old for old in story.moved if stored[old]]
    return problems + [f"messages were left in chat {old}: {sorted(stored[old])}" for old in left]


def _place(story: Story, said: Said) -> tuple[int, int]:
    new = story.moved.get(said.chat_id)
    return (said.chat_id, said.message_id) if new is None else (new, migrated_message_id(said.message_id))


async def _questions_are_answered(world: World, story: Story, observer: Observer) -> list[str]:
    problems = []
    for said in story.said:
        if not said.asks:
            continue
        known = observer.answers.get(str(said.update_id))
        if known is None:
            is_asked = said.text.startswith("/") or not story.is_left_out(said)
            if is_asked and not await _is_forgotten(world, story, said):
                problems.append(f"question {said.update_id} ({said.text}) was never taken up")
        elif known.entry.state == "asked" and story.is_left_out(said):
            pass  # opted out before it was delivered again: nobody asks for its task, and it holds no words
        elif known.entry.state == "done" and known.entry.outcome in (AnswerOutcome.MERGED, AnswerOutcome.STOPPED):
            problems += _ended_wrongly(story, said, known, observer)
        elif known.entry.state != "done":
            problems.append(f"question {said.update_id} ({said.text}) is {known.entry.state} {known.entry.outcome}")
    return problems


async def _is_forgotten(world: World, story: Story, said: Said) -> bool:
    """Return whether it goes with its author, who was forgotten until then by the clock of who was told, which may be
    ahead of Telegram's."""
    paths = [member_tombstone(chat_id, said.user_id) for chat_id in {said.chat_id, _place(story, said)[0]}]
    held = [read_tombstone(each).until for each in await world.store.get_many(paths) if each is not None]
    return any(world.clock.at(said.at) <= until for until in held)


def _ended_wrongly(story: Story, said: Said, known: Recorded, observer: Observer) -> list[str]:
    """Return what is wrong with a question that nobody answers by itself: its author stopped it, or asked anew and was
    answered."""
    by = known.entry.yields_to
    if known.entry.outcome == AnswerOutcome.STOPPED:
        chat_id, user_id = story.stops.get(int(by or 0), (0, 0))
        wanted = (story.moved.get(chat_id, chat_id), user_id) == (_place(story, said)[0], said.user_id)
        return [] if wanted else [f"question {said.update_id} was stopped by {by}, which its author did not want"]
    newer = next((each for each in story.said if each.update_id == by), None)
    here = (_place(story, said)[0], said.user_id)
    if newer is None or (_place(story, newer)[0], newer.user_id) != here or not newer.asks:
        return [f"question {said.update_id} was merged into {by}, which is no question of its author there"]
    made = observer.answers[str(by)].pieces
    return [] if made else [f"question {said.update_id} was merged into {by}, which was never answered"]


async def _presses_are_acknowledged(world: World, story: Story, observer: Observer) -> list[str]:
    acknowledged = world.api.acknowledged
    return [f"press {each} shows its spinner for ever" for each in story.presses.values() if each not in acknowledged]


async def _limits_hold(world: World, story: Story, observer: Observer) -> list[str]:
    """Neither a member nor a chat was answered more often in an hour than the limit says, by more than a tenth."""
    problems = []
    asked: dict[tuple[int, int], list[float]] = {}
    for said in story.said:
        known = observer.answers.get(str(said.update_id))
        if story.is_left_out(said):
            continue  # who is forgotten begins anew
        if said.asks and known is not None and known.entry.limit is None and AnswerOutcome.ANSWERED in known.outcomes:
            chat_id = _place(story, said)[0]
            asked.setdefault((chat_id, said.user_id), []).append(known.since)
            asked.setdefault((chat_id, _ALL), []).append(known.since)
    for (chat_id, user_id), times in asked.items():
        most = ceil(1.1 * (world.policy.asks_per_chat if user_id == _ALL else world.policy.asks_per_user))
        worst = max(sum(first <= at < first + _HOUR for at in times) for first in times)
        if worst > most:
            problems.append(f"{user_id} of {chat_id} was answered {worst} times in an hour, and {most} is the most")
    return problems


_LAWS: tuple[Callable[[World, Story, Observer], Awaitable[list[str]]], ...] = (
    _nothing_is_given_up,
    _messages_are_stored_once,
    _questions_are_answered,
    answers_end_as_they_must,
    pieces_are_sent_at_least_once,
    pieces_are_sent_again_only_when_nobody_knows,
    _presses_are_acknowledged,
    _limits_hold,
    nothing_is_left_open,
    stops_take_effect_at_once,
    answers_come_in_order,
    pieces_come_in_order,
    answers_know_what_was_said_before,
    what_was_read_is_found_at_once,
    budgets_hold,
    calls_are_booked,
    every_quote_was_said,
    belief_follows_from_what_was_said,
    the_index_holds_what_is_stored,
    nothing_is_left_of_the_forgotten,
    nothing_is_kept_of_who_opted_out,
    who_opted_out_is_opted_out,
    resets_hold,
    profiles_are_current,
)
