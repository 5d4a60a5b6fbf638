"""Laws of choices: what members and admins chose holds, also where their group goes on under another id."""

from __future__ import annotations

from datetime import timedelta

from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path
from shared.domain.delivery.outcomes import AnswerOutcome
from tests.simulation.observing import Observer
from tests.simulation.story import Said, Story
from tests.simulation.world import World

_OUT, _IN = "/gryadoptout", "/gryadoptin"

_SKEW = timedelta(seconds=90)
"""By which the clock of who carries out a choice may be behind, and how long that may take to be delivered, at most."""


async def who_opted_out_is_opted_out(world: World, story: Story, observer: Observer) -> list[str]:
    """The choice that a member made last, when all that they chose before was dealt with, is what holds."""
    problems, chosen = [], dict[tuple[int, int], list[Said]]()
    for said in story.said:
        if said.text in (_OUT, _IN):
            chat_id = story.moved.get(said.chat_id, said.chat_id)
            chosen.setdefault((chat_id, said.user_id), []).append(said)
    for (chat_id, user_id), choices in chosen.items():
        last = choices[-1]
        is_out = last.text == _OUT
        others = [each for each in choices if each.text != last.text]
        over = [_over_at(observer, str(each.update_id)) for each in others]
        is_sure = _is_carried_out(observer, last.update_id) and all(at is not None and at < last.at for at in over)
        if not is_sure or (not is_out and (chat_id, user_id) in story.pressed_out):
            continue
        state = read_chat(chat_id, await world.store.get(chat_path(chat_id)))
        if (user_id in state.opted_out) is not is_out:
            problems.append(
                f"{user_id} chose {last.text} in {last.chat_id} ({last.update_id}): {chat_id} does not know"
            )
    return problems


async def resets_hold(world: World, story: Story, observer: Observer) -> list[str]:
    """What was said before an admin had it forgotten makes no fact about the chat any more."""
    problems = []
    for update_id in story.resets:
        known, delivered = observer.answers.get(str(update_id)), story.deliverer.delivered.get(update_id)
        if known is None or delivered is None or not _is_carried_out(observer, update_id):
            continue
        chat_id = story.moved.get(known.chat_id, known.chat_id)
        learn_from = read_chat(chat_id, await world.store.get(chat_path(chat_id))).learn_from
        if learn_from is None or learn_from < world.clock.at(known.since) - _SKEW:
            problems.append(f"chat {chat_id} learns from {learn_from}, and was reset by {update_id}")
    return problems


def _is_carried_out(observer: Observer, update_id: int) -> bool:
    known = observer.answers.get(str(update_id))
    is_over = known is not None and known.entry.state == "done" and known.entry.limit is None
    return is_over and known is not None and known.entry.outcome in (AnswerOutcome.ANSWERED, AnswerOutcome.SILENT)


def _over_at(observer: Observer, name: str) -> float | None:
    known = observer.answers.get(name)
    return None if known is None else known.over_at
