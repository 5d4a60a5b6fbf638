"""What the manner of a talk says about the group: emoji, length, languages, formality, replies, voice, hours, subjects.

A share counts only by an end of its 95 % interval (Wilson), so a chunk of ten ordinary messages yields nothing, and
values are few ("high", "18:00-24:00 UTC"), so that the next window of the same talk says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, tzinfo

from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.reading.statistics.manner import (
    emoji_habit,
    formality_habit,
    hours_habit,
    language_habit,
    length_habit,
    reply_habit,
    voice_habit,
)
from shared.domain.reading.statistics.sampling import MIN_AUTHORS, Sample, candidate_of, has_authors
from shared.domain.reading.statistics.topics import topic_habits

MIN_MESSAGES = 30
"""Messages below which nothing is concluded from manner, save from a flood of emoji."""

_MANNERS = (length_habit, language_habit, formality_habit, reply_habit, voice_habit, hours_habit)


def extract_statistics(
    messages: Sequence[Message], *, zone: tzinfo = UTC, names: Iterable[str] = ()
) -> list[Candidate]:
    """Norms, culture and topics that the manner of these messages shows; most often none.

    Args:
        messages: A stretch of one chat, in any order; only what members send themselves is counted.
        zone: The chat's time zone, for its hours and days; its name becomes part of the fact about hours.
        names: What the bot is called, and members who may be silent: a name is no topic.
    Returns:
        Candidates of statistical authority, with the sample size in the description and the strongest messages quoted.
    """
    sample = _sample(messages, zone, names)
    if not has_authors(sample.talk, MIN_AUTHORS):
        return []
    habits = [emoji_habit(sample)]
    if len(sample.talk) >= MIN_MESSAGES:
        habits += [*(manner(sample) for manner in _MANNERS), *topic_habits(sample)]
    found = [candidate_of(habit, sample) for habit in habits if habit is not None]
    return [candidate for candidate in found if candidate is not None]


def _sample(messages: Sequence[Message], zone: tzinfo, names: Iterable[str]) -> Sample:
    ordered = sorted(messages, key=lambda m: (m.sent_at, m.message_id))
    sent = [m for m in ordered if not m.is_bot and not m.forwarded and m.kind != "command"]
    talk = tuple(m for m in sent if m.may_teach and not has_injection(m.text) and not is_anothers_line(m.text))
    return Sample(talk, tuple(sent), zone, tuple(names))


__all__ = ["MIN_MESSAGES", "extract_statistics"]
