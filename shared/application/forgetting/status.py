"""Renders the message that shows how a member's forgetting goes. It holds numbers and none of their words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from shared.application.delivery.wording import button, column, localized_text, text
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingText
from shared.domain.text.language import Language
from shared.locales import say


class ForgettingTarget(NamedTuple):
    """Whose forgetting it is, where, and in which language it is told."""

    chat_id: int
    user_id: int
    language: Language


def erasing(language: Language) -> OutgoingText:
    """Return the message's text when erasing has begun."""
    return localized_text(language, "forget_erasing")


def checking(place: ForgettingTarget) -> OutgoingText:
    """Return its text when everything is erased, and is being searched."""
    return localized_text(place.language, "forget_checking")


def render_failed(policy: Policy, place: ForgettingTarget) -> OutgoingText:
    """Return its text after a failure: the queue tries again, and so may they."""
    again = button(policy, place.chat_id, say(place.language, "forget_again"), "fgt", "again", owner=place.user_id)
    return localized_text(place.language, "forget_failed", ((again,),))


def render_done(
    policy: Policy, place: ForgettingTarget, *, counts: Mapping[str, int], searched: int, locked: int, opted_out: bool
) -> OutgoingText:
    """Return its text at the end: what went, how many documents were searched, and what stays.

    Args:
        counts: Those of `forget_member`; of a whole chat by collection.
        locked: How many objects the archive does not let go.
    """
    language = place.language
    lines = [_sum(place, counts), "", say(language, "forget_searched", count=str(searched))]
    if old := counts.get("too_old_in_telegram"):
        lines += ["", say(language, "forget_too_old", count=str(old))]
    if locked:
        lines += ["", say(language, "forget_locked", count=str(locked))]
    lines += ["", say(language, "forget_opted_out" if opted_out else "forget_later")]
    return text("\n".join(lines), () if opted_out else column([opt_out_button(policy, place)]))


def _sum(place: ForgettingTarget, counts: Mapping[str, int]) -> str:
    if place.user_id == place.chat_id:
        return say(place.language, "forget_done_chat", count=str(sum(counts.values())))
    told = {name: str(counts.get(name, 0)) for name in ("messages", "facts", "notes", "answers_of_the_bot")}
    return say(place.language, "forget_done", **told)


def opt_out_button(policy: Policy, place: ForgettingTarget) -> Button:
    """Return the button by which a member opts out."""
    return button(policy, place.chat_id, say(place.language, "optout_button"), "opt", owner=place.user_id)
