"""A group's manner in figures: how it writes and when, counted over its latest messages."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from shared.domain.conversation.messages import Message
from shared.domain.text.language import detect_language

MOST_READ = 2_000
"""Latest messages that are counted: weeks of a lively group."""

FEWEST = 20
"""Messages below which figures would only be chance."""

LONG = 200
"""Characters of a message that is long (chat public memory plan, section 3)."""

NIGHT = range(6)
"""Hours of the night: from midnight to six."""

_EMOJI = re.compile("[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2764]")
_LAUGHTER = re.compile(r"(?:ха){2,}|(?:ha){2,}|\b(?:lol|lmao|rofl|лол|хд|xd|хах\w*)\b|[😂🤣😆😹]", re.IGNORECASE)

TRAITS = ("ukrainian", "english", "emoji", "laughter", "questions", "replies", "long", "media", "night")
"""Shares of messages, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Character:
    """A group's manner of talking, in figures.

    Attributes:
        messages, people: That were counted.
        since, until: When the first and the last of them was sent.
        shares: Of messages with each of `TRAITS`, 0 to 1; the two languages of those whose language can be told.
        hours: Messages by hour of the local day, 24 numbers.
        weekdays: The same by day of the week, Monday first.
        emojis: The most used, best first, with how often.
    """

    messages: int
    people: int
    since: datetime
    until: datetime
    shares: dict[str, float]
    hours: tuple[int, ...]
    weekdays: tuple[int, ...]
    emojis: tuple[tuple[str, int], ...]


def character_of(messages: Iterable[Message], *, zone: tzinfo) -> Character | None:
    """Count; None when there are too few messages to say anything.

    Args:
        messages: Of people, oldest first; commands and other people's words are left out here.
        zone: The chat's.
    """
    talk = [m for m in messages if not m.is_bot and not m.forwarded and m.kind != "command"]
    if len(talk) < FEWEST:
        return None
    local = [message.sent_at.astimezone(zone) for message in talk]
    hours, days = Counter(at.hour for at in local), Counter(at.weekday() for at in local)
    emojis = Counter(emoji for message in talk for emoji in set(_EMOJI.findall(message.text)))
    return Character(
        messages=len(talk),
        people=len({message.user_id for message in talk}),
        since=local[0],
        until=local[-1],
        shares=_shares(talk, hours),
        hours=tuple(hours[hour] for hour in range(24)),
        weekdays=tuple(days[day] for day in range(7)),
        emojis=tuple(emojis.most_common(5)),
    )


def _shares(talk: Sequence[Message], hours: Counter[int]) -> dict[str, float]:
    languages = Counter(language for message in talk if (language := detect_language(message.text)))
    told, size = max(languages.total(), 1), len(talk)
    return {
        "ukrainian": languages["uk"] / told,
        "english": languages["en"] / told,
        "emoji": sum(bool(_EMOJI.search(m.text)) for m in talk) / size,
        "laughter": sum(bool(_LAUGHTER.search(m.text)) for m in talk) / size,
        "questions": sum("?" in m.text for m in talk) / size,
        "replies": sum(m.reply_to is not None for m in talk) / size,
        "long": sum(len(m.text) > LONG for m in talk) / size,
        "media": sum(m.media is not None for m in talk) / size,
        "night": sum(hours[hour] for hour in NIGHT) / size,
    }
