"""The parts that all statistics share: the sample, the interval of a share, and the candidate that quotes it.

A share counts only by an end of its 95 % interval (Wilson), so a small sample has to be almost unanimous.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from math import sqrt
from typing import NamedTuple

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.text.data_files import read_data
from shared.domain.text.language import Language, detect_language

OFTEN = 0.15
"""Share of messages from which a manner is in steady use."""

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
        name: Its row in habits.toml, whose values are few, so that the next window of the same talk says the same.
        using: Messages that have the manner.
        size: Messages that it was looked for in.
        strength: Of a message as an example of it; the strongest are quoted.
        quotable: Messages to quote when those of `using` carry no words; else `using`.
        told: What fills the braces of its row.
    """

    name: str
    using: Sequence[Message]
    size: int
    strength: Callable[[Message], float] = lambda message: len(message.text)
    quotable: Sequence[Message] | None = None
    told: Mapping[str, object] = {}


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


def keep_widespread(habit: Habit, share: float) -> Habit | None:
    """Return the habit, or None when it is not widespread."""
    return habit if is_widespread(habit.using, habit.size, share) else None


def candidate_of(habit: Habit, sample: Sample) -> Candidate | None:
    """The habit as a fact to store: sample size in the description, the strongest messages as quotes.

    Confidence is 0.70 to 0.85 by the lower end of the interval. None when there is nothing to quote (law 1).
    """
    confidence = round(min(0.85, 0.7 + 0.15 * wilson_lower(len(habit.using), habit.size)), 4)
    quotable = [m for m in (habit.using if habit.quotable is None else habit.quotable) if m.text.strip()]
    strongest = sorted(quotable, key=lambda m: (-habit.strength(m), m.message_id))[:MAX_EVIDENCE_QUOTES]
    if not strongest:
        return None
    quotes = (
        Evidence(m.sent_at, m.message_id, m.user_id, m.text.strip()[:MAX_QUOTE].strip(), confidence) for m in strongest
    )
    row = read_data(__package__, "habits")[habit.name]
    percent, shown = round(100 * len(habit.using) / habit.size), row[sample.language].format(**habit.told)
    share = f"{percent} % of {habit.size} message{'' if habit.size == 1 else 's'}"
    if sample.language == "uk":
        share = f"{percent} % із {habit.size} {genitive(habit.size, 'повідомлення', 'повідомлень')}"
    return Candidate(
        subject="chat",
        category=row["category"],
        key=row["key"],
        value=row["value"].format(**habit.told),
        description=f"{shown}: {share}.",
        confidence=confidence,
        evidence=tuple(sorted(quotes)),
        authority=Authority.STATISTICS,
        single=row.get("single", True),
    )


def genitive(number: int, one: str, many: str) -> str:
    """The Ukrainian genitive that follows a number: "із 21 повідомлення", "із 22 повідомлень"."""
    return one if number % 10 == 1 and number % 100 != 11 else many
