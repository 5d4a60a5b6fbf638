"""Laws of sending: what becomes of every answer, and that each of its pieces is sent at least once, and again only when
nobody can know whether it arrived. They are judged by what Telegram saw and by what befell each sender, send by send.
"""

from __future__ import annotations

from itertools import pairwise

from shared.domain.conversation.messages import migrated_message_id
from shared.domain.delivery.outcomes import AnswerOutcome
from tests.simulation.observing import Observer, Recorded
from tests.simulation.peers.bot_api import UNSAYABLE, Attempt, Part
from tests.simulation.story import Said, Story
from tests.simulation.world import World

_PROMISED_SENDS = 4
"""Of a piece of which nobody knows whether it arrived, no more and no fewer (docs/architecture.md, "Sending")."""

_HOUR = 3_600.0 + 2 * 60.0
"""Seconds of an hour, and what the clocks of two instances may differ by and a message is under way."""

_SAID = {AnswerOutcome.ANSWERED, AnswerOutcome.LIMITED}


async def pieces_are_sent_at_least_once(world: World, story: Story, observer: Observer) -> list[str]:
    """Of every answer that counts as said Telegram confirmed each piece."""
    sent = attempts_of_pieces(world)
    return [
        f"piece {number} of answer {name} was never confirmed: {text[:80]!r}"
        for name, known in observer.answers.items()
        if known.entry.outcome in _SAID
        for number, (_, text) in enumerate(known.pieces)
        if not any(each.told == "sent" for each in sent.get((name, number), ()))
    ]


async def pieces_are_sent_again_only_when_nobody_knows(world: World, story: Story, observer: Observer) -> list[str]:
    """Before each send of a piece but the first nobody can have known that the last one arrived; and there are few."""
    problems = [
        f"{each.text[:80]!r} was sent at {each.began:.0f} for no answer that is marked"
        for each in world.api.attempts
        if not each.parts and each.may_have_arrived
    ]
    for (name, number), attempts in attempts_of_pieces(world).items():
        made = [each for each in attempts if each.may_have_arrived]
        if len(made) > _PROMISED_SENDS:
            problems.append(f"piece {number} of answer {name} was sent {len(made)} times: {made[0].text[:80]!r}")
        for one, again in pairwise(made):
            if not one.looks_open_to(again):
                problems.append(
                    f"piece {number} of answer {name} was sent at {one.began:.0f}, and again at {again.began:.0f},"
                    f" though nothing was open about it: {one.text[:80]!r}"
                )
    return problems


async def answers_end_as_they_must(world: World, story: Story, observer: Observer) -> list[str]:
    """An answer that is not said, or perhaps not, has a cause in the world."""
    problems, sent = [], attempts_of_pieces(world)
    said = {str(each.update_id): each for each in story.said}
    for name, known in observer.answers.items():
        match known.entry.outcome:
            case AnswerOutcome.UNCERTAIN:
                doubts = max(
                    (_doubts(known, number, sent.get((name, number), [])) for number in known.marks), default=0
                )
                is_right, why = doubts >= _PROMISED_SENDS, f"of {doubts} doubtful sends"
            case AnswerOutcome.REJECTED:
                is_right, why = is_refused(known, name, sent), "that nobody refused"
            case AnswerOutcome.INACTIVE:
                is_right, why = _is_shut_out(story, known), "in an open chat"
            case AnswerOutcome.LIMITED if name in said:
                is_right, why = _asked_too_much(world, story, said[name]), "of who may ask more"
            case AnswerOutcome.SILENT if name in said:
                is_right, why = not said[name].asks or _is_left_to_a_worker(world, said[name]), "of a question"
            case _:
                continue
        if not is_right:
            text = said[name].text if name in said else ""
            problems.append(f"answer {name} ({text}) is {known.entry.outcome}, {why}")
    return problems


def attempts_of_pieces(world: World) -> dict[Part, list[Attempt]]:
    """Return the calls that sent each piece, oldest first."""
    found: dict[Part, list[Attempt]] = {}
    for each in world.api.attempts:
        for part in each.parts:
            found.setdefault(part, []).append(each)
    return found


def is_refused(known: Recorded, name: str, sent: dict[Part, list[Attempt]]) -> bool:
    """Return whether Telegram refused an answer for what it says itself, or where it was to go to somebody in private:
    what another answer says, in the same message, is none of its business."""
    return any(
        each.told == "refused" and (each.chat_id > 0 or any(UNSAYABLE in text for text in known.texts[number]))
        for number in range(len(known.texts))
        for each in sent.get((name, number), ())
    )


def _is_shut_out(story: Story, known: Recorded) -> bool:
    """Return whether the bot was not in an answer's chat at some time since it was asked."""
    chats = {known.chat_id, story.moved.get(known.chat_id)}
    return any(chat_id in chats and until >= known.since for chat_id, until in story.shut.items())


def _doubts(known: Recorded, number: int, attempts: list[Attempt]) -> int:
    """Return how often nobody could know whether a piece arrived: it was sent and nobody noted it, or its sender may
    have died just before."""
    open_ = 0
    for at, errand in known.marks[number]:
        mine = [each for each in attempts if each.errand is errand and each.began >= at]
        reached = [each for each in mine if each.may_have_arrived]
        others = [each for each in attempts if each.errand is not errand]
        if reached:
            open_ += any(not each.is_noted or any(map(each.looks_open_to, others)) for each in reached)
        else:
            open_ += errand.over_at is None or errand.had_trouble(at, errand.over_at)
    return open_


def _is_left_to_a_worker(world: World, said: Said) -> bool:
    """Return whether a task was asked for that answers a command later, in a message of its own."""
    ids = {said.message_id, migrated_message_id(said.message_id)}
    later = [each.payload for each in world.queue.history if each.target == "/maintenance/remember"]
    return said.text.startswith("/gryadremember") and any(each["message_id"] in ids for each in later)


def _asked_too_much(world: World, story: Story, said: Said) -> bool:
    """Return whether its author, or the chat, had asked as much as they may in the hour before, within a tenth."""
    here = {said.chat_id, story.moved.get(said.chat_id, said.chat_id)}
    here |= {old for old, new in story.moved.items() if new in here}
    asked = [(each.chat_id, each.user_id, each.at) for each in story.said if each.asks or each.text.endswith("?")]
    lately = [user for chat, user, at in (*asked, *story.pressed) if chat in here and abs(at - said.at) < _HOUR]
    policy = world.policy
    return lately.count(said.user_id) > 0.9 * policy.asks_per_user or len(lately) > 0.9 * policy.asks_per_chat
