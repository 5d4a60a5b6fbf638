"""Laws of order: what waits in a chat is said in the order in which it was asked, and an answer from its beginning."""

from __future__ import annotations

from itertools import pairwise

from shared.application.delivery.ledger_codec import read_entry
from shared.domain.delivery.outcomes import AnswerOutcome
from tests.simulation.observing import Observer, Recorded
from tests.simulation.peers.bot_api import Shown
from tests.simulation.story import Story
from tests.simulation.world import World

_A_ROUND = 65.0
"""Seconds for which a worker may go on with what it found waiting before it looks again, beside those for which it
stood still: it cannot know of them, and what it found is still its to send unless somebody took its turn."""

_TOLD = 8
"""Characters from which a text is told from others."""


async def answers_come_in_order(world: World, story: Story, observer: Observer) -> list[str]:
    """Of two answers that waited in a chat at the same time the one that was asked first is said first, unless it may
    have arrived already: until it is sent again what came after it goes on."""
    problems = []
    known = [(each, _first_shown(world, each)) for each in observer.answers.values() if each.waits_since is not None]
    waited = [(each, shown) for each, shown in known if shown is not None]
    for later, said in waited:
        for earlier, then in waited:
            if later.entry.chat_id != earlier.entry.chat_id or later.place <= earlier.place:
                continue
            text, other = later.pieces[0][1], earlier.pieces[0][1]
            if said is then and said.first_text.find(text) < said.first_text.find(other):
                problems.append(f"in {said.first_text[:300]!r} what was asked earlier comes later: {other[:60]!r}")
            is_sure = said.is_surely_noted and then.is_surely_noted
            a_round = _A_ROUND + said.attempt.errand.stood_still
            is_late = (earlier.waits_since or 0) + a_round < said.at < then.at
            if is_sure and is_late and not _may_have_arrived(world, earlier, said.at, a_round):
                problems.append(
                    f"in chat {said.chat_id} {said.first_text[:60]!r} was said at {said.at:.0f}, before"
                    f" {then.first_text[:60]!r}, which was asked earlier and waited since {earlier.waits_since:.0f}"
                )
    return problems


async def stops_take_effect_at_once(world: World, story: Story, observer: Observer) -> list[str]:
    """When a stop was acknowledged, what it stops is over, however many answers are being made."""
    problems = []
    for update_id, (chat_id, user_id) in story.stops.items():
        at, draft = story.deliverer.delivered.get(update_id), story.stopped_drafts.get(update_id)
        if at is None or str(update_id) not in observer.answers:
            continue  # it was forgotten before it came
        for said in story.said:
            known = observer.answers.get(str(said.update_id))
            is_wanted = said.update_id < update_id if draft is None else said.update_id == draft
            is_theirs = (said.chat_id, said.user_id) == (chat_id, user_id) and said.asks and said.text[:1] != "/"
            if known is not None and is_wanted and is_theirs and (known.over_at is None or known.over_at > at):
                problems.append(
                    f"question {said.update_id} ({said.text}) was over at {known.over_at}, and stopped by {update_id},"
                    f" which was acknowledged at {at:.0f}"
                )
    return problems


async def pieces_come_in_order(world: World, story: Story, observer: Observer) -> list[str]:
    """No piece of an answer is said before the one that it follows."""
    problems = []
    for known in observer.answers.values():
        first = [_first_with(world, *piece) for piece in known.pieces]
        for one, other in pairwise(first):
            if one is not None and other is not None and other.at < one.at:
                problems.append(f"{other.first_text[:60]!r} was said before {one.first_text[:60]!r}")
    return problems


async def nothing_is_left_open(world: World, story: Story, observer: Observer) -> list[str]:
    """No answer is left half-way, and no press untouched; what a question is that nobody took up, another law says."""
    presses = {str(update_id) for update_id in story.presses}
    entries = [(document.id, read_entry(document)) for document in await world.store.query("updates")]
    return [
        f"update {name} is {entry.state} for ever"
        for name, entry in entries
        if entry.is_open and (entry.state != "asked" or name in presses)
    ]


def _may_have_arrived(world: World, known: Recorded, at: float, a_round: float) -> bool:
    """Return whether an answer rested at an instant, or had until a round before: nobody knew what had become of its
    first piece, or its sender may have died before sending it."""
    if not any(since <= at <= min(until + a_round, over_at) for since, until, over_at in known.rests):
        return False
    marked, errand = [mark for mark in known.marks[0] if mark[0] <= at][-1]
    sent = [each for each in world.api.attempts if each.errand is errand and marked <= each.began <= at]
    texts = known.texts[0]
    return errand.had_trouble(marked, at) or any(
        each.told in ("", "unknown") and any(text in each.text for text in texts) for each in sent
    )


def _first_shown(world: World, known: Recorded) -> Shown | None:
    if known.entry.outcome not in {AnswerOutcome.ANSWERED, AnswerOutcome.LIMITED} or not known.pieces:
        return None
    return _first_with(world, *known.pieces[0])


def _first_with(world: World, chat_id: int, text: str) -> Shown | None:
    """Return the first message that says a text which is said once only."""
    found = [s for s in world.api.sent if s.chat_id == chat_id and text in s.first_text]
    return found[0] if len(found) == 1 and len(text) >= _TOLD and found[0].first_text.count(text) == 1 else None
