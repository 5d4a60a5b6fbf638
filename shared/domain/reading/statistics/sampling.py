"""What every statistic shares: the sample, the interval of a share, and the candidate that quotes it.

A share counts only by an end of its 95 % interval (Wilson), so a small sample has to be almost unanimous.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import tzinfo
from math import sqrt
from typing import NamedTuple

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.text.language import Language, detect_language

MIN_AUTHORS = 3
"""Members below which there is no group to speak of."""

MAX_EVIDENCE_QUOTES = 6
MAX_QUOTE = 200


class Sample(NamedTuple):
    """A stretch of one chat.

    Attributes:
        talk: Members' own words, without attempts at injection; oldest first.
        sent: Everything that members sent themselves, with words or without; oldest first.
        zone: In which the chat's hours and days are counted.
        names: What people and the bot are called, beside those who talk.
    """

    talk: tuple[Message, ...]
    sent: tuple[Message, ...]
    zone: tzinfo
    names: tuple[str, ...]

    @property
    def language(self) -> Language:
        """The language that most of the talk is in; Ukrainian when neither leads."""
        spoken = Counter(detect_language(message.text) for message in self.talk)
        return "uk" if spoken["uk"] >= spoken["en"] else "en"

    def days(self, messages: Sequence[Message]) -> int:
        """Count on how many of the chat's days these messages were sent."""
        return len({message.sent_at.astimezone(self.zone).date() for message in messages})


class Habit(NamedTuple):
    """A manner that the sample shows.

    Attributes:
        key: Slot of the fact.
        value: What fills it; one of few, so that the next window of the same talk says the same.
        uk: Sentence in Ukrainian, without the sample size.
        en: The same in English.
        using: Messages that have the manner.
        size: Messages that it was looked for in.
        strength: Of a message as an example of it; the strongest are quoted.
        quotable: Messages to quote when those of `using` carry no words; else `using`.
    """

    category: str
    key: str
    value: str
    uk: str
    en: str
    using: Sequence[Message]
    size: int
    strength: Callable[[Message], float]
    single: bool = True
    quotable: Sequence[Message] | None = None


def wilson_lower(hits: int, size: int) -> float:
    """Lower end of the 95 % Wilson interval of the share `hits / size`, in [0, 1]; 0 for an empty sample."""
    if size == 0:
        return 0.0
    z2 = 1.96**2
    share = hits / size
    centre = share + z2 / (2 * size)
    spread = 1.96 * sqrt(share * (1 - share) / size + z2 / (4 * size * size))
    return max(0.0, (centre - spread) / (1 + z2 / size))


def wilson_upper(hits: int, size: int) -> float:
    """Upper end of the same interval, in [0, 1]; 1 for an empty sample."""
    return 1 - wilson_lower(size - hits, size)


def is_widespread(using: Sequence[Message], size: int, share: float) -> bool:
    """Return whether at least this share of `size` messages, by at least three members, does it, and not by chance."""
    return has_authors(using, MIN_AUTHORS) and wilson_lower(len(using), size) >= share


def has_authors(messages: Sequence[Message], least: int) -> bool:
    """Return whether at least so many members wrote these messages."""
    return len({message.user_id for message in messages}) >= least


def candidate_of(habit: Habit, sample: Sample) -> Candidate | None:
    """The habit as a fact to store: sample size in the description, the strongest messages as quotes.

    Confidence is 0.70 to 0.85 by the lower end of the interval. None when there is nothing to quote (law 1).
    """
    confidence = round(min(0.85, 0.7 + 0.15 * wilson_lower(len(habit.using), habit.size)), 4)
    evidence = _quotes(habit, confidence)
    if not evidence:
        return None
    told = habit.uk if sample.language == "uk" else habit.en
    return Candidate(
        subject="chat",
        category=habit.category,
        key=habit.key,
        value=habit.value,
        description=f"{told}: {_share(habit, sample.language)}.",
        confidence=confidence,
        evidence=evidence,
        authority=Authority.STATISTICS,
        single=habit.single,
    )


def _quotes(habit: Habit, confidence: float) -> tuple[Evidence, ...]:
    quotable = [m for m in (habit.using if habit.quotable is None else habit.quotable) if m.text.strip()]
    strongest = sorted(quotable, key=lambda m: (-habit.strength(m), m.message_id))[:MAX_EVIDENCE_QUOTES]
    return tuple(
        sorted(
            Evidence(m.sent_at, m.message_id, m.user_id, m.text.strip()[:MAX_QUOTE].strip(), confidence)
            for m in strongest
        )
    )


def _share(habit: Habit, language: Language) -> str:
    percent = round(100 * len(habit.using) / habit.size)
    if language == "en":
        return f"{percent} % of {habit.size} message{'' if habit.size == 1 else 's'}"
    return f"{percent} % із {habit.size} {genitive(habit.size, 'повідомлення', 'повідомлень')}"


def genitive(number: int, one: str, many: str) -> str:
    """The Ukrainian genitive that follows a number: "із 21 повідомлення", "із 22 повідомлень"."""
    return one if number % 10 == 1 and number % 100 != 11 else many
