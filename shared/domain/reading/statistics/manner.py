"""Statistics of a talk's manner: emoji, length, languages, formality, replies, voice, hours, subjects.

A share counts only by an end of its 95 % interval (Wilson), so a chunk of ten ordinary messages yields nothing, and
values are few ("high", "18:00-24:00 UTC"), so that the next window of the same talk says the same.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, tzinfo
from itertools import pairwise
from statistics import median

from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.reading.statistics.sampling import (
    MIN_AUTHORS,
    OFTEN,
    Habit,
    Sample,
    candidate_of,
    genitive,
    has_authors,
    is_widespread,
    keep_widespread,
    wilson_lower,
    wilson_upper,
)
from shared.domain.reading.statistics.topics import topic_habits
from shared.domain.text.data_files import expressions
from shared.domain.text.language import Language, detect_language

MIN_MESSAGES = 30
"""Messages below which nothing is concluded from manner, save from a flood of emoji."""

MIN_EMOJI_MESSAGES = 6
"""A run in which nearly every message is full of emoji is a sample even when short."""

EMOJI_PER_MESSAGE = 2.0
"""Mean above which a chat uses many emoji (chat public memory plan, section 3)."""

LONG_MESSAGE = 200
"""Characters; a chat whose median message is longer writes in detail (chat public memory plan, section 3)."""

SHORT_MESSAGE = 40
"""Characters; a chat that writes almost only shorter messages is brief."""

MIN_ORDINARY = 50
"""Messages below which the absence of something is no habit."""

HALF, MOST, HARDLY = 0.5, 0.7, 0.1

PART_HOURS = 6
MIN_DAYS = 5
"""Days below which the busiest part of the day is only when this talk happened to be."""

_VOICE = frozenset(("voice", "video_note"))
_EMOJI = re.compile("[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2764]")
_SAYS = expressions(__package__, "manner")


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
    ordered = sorted(messages, key=lambda m: (m.sent_at, m.message_id))
    sent = [m for m in ordered if not m.is_bot and not m.forwarded and m.kind != "command"]
    talk = [m for m in sent if m.may_teach and not has_injection(m.text) and not is_anothers_line(m.text)]
    sample = Sample(tuple(talk), tuple(sent), zone, tuple(names))
    if not has_authors(sample.talk, MIN_AUTHORS):
        return []
    habits = [_emoji(sample)]
    if len(sample.talk) >= MIN_MESSAGES:
        manners = (_length, _languages, _formality, _replies, _voice, _hours)
        habits += [*(manner(sample) for manner in manners), *topic_habits(sample)]
    found = [candidate_of(habit, sample) for habit in habits if habit is not None]
    return [candidate for candidate in found if candidate is not None]


def _emoji(sample: Sample) -> Habit | None:
    """Many emoji in most messages, or hardly any message with one."""
    counts = {m.message_id: len(_EMOJI.findall(m.text)) for m in sample.talk}
    using = [m for m in sample.talk if counts[m.message_id]]
    size = len(sample.talk)
    if size >= MIN_EMOJI_MESSAGES and sum(counts.values()) > EMOJI_PER_MESSAGE * size:
        return keep_widespread(Habit("emoji_high", using, size, lambda m: counts[m.message_id]), HALF)
    if size < MIN_ORDINARY or wilson_upper(len(using), size) > HARDLY:
        return None
    return Habit("emoji_low", [m for m in sample.talk if not counts[m.message_id]], size)


def _length(sample: Sample) -> Habit | None:
    """A median message over `LONG_MESSAGE`, or nearly all at most `SHORT_MESSAGE` characters."""
    size = len(sample.talk)
    long = [m for m in sample.talk if len(m.text) > LONG_MESSAGE]
    if median(len(m.text) for m in sample.talk) > LONG_MESSAGE and is_widespread(long, size, HALF / 2):
        return Habit("long", long, size)
    short = [m for m in sample.talk if len(m.text) <= SHORT_MESSAGE]
    return keep_widespread(Habit("short", short, size), MOST) if size >= MIN_ORDINARY else None


def _languages(sample: Sample) -> Habit | None:
    spoken: dict[Language, list[Message]] = {"uk": [], "en": []}
    for message in sample.talk:
        if (language := detect_language(message.text)) and len(message.text.split()) > 1:
            spoken[language].append(message)
    return keep_widespread(Habit("languages", min(spoken.values(), key=len), len(sample.talk)), OFTEN)


def _formality(sample: Sample) -> Habit | None:
    formal = [m for m in sample.talk if _SAYS["formal"].search(m.text)]
    habit = Habit("formal", formal, len(sample.talk), lambda m: len(_SAYS["formal"].findall(m.text)))
    return keep_widespread(habit, HALF)


def _replies(sample: Sample) -> Habit | None:
    replies = [m for m in sample.talk if m.reply_to is not None]
    return keep_widespread(Habit("replies", replies, len(sample.talk)), HALF)


def _voice(sample: Sample) -> Habit | None:
    """Voice and round video messages in steady use.

    They carry no words, and a fact needs a verbatim quote (law 1). So the quotes are, in this order, captions, written
    replies to them, and the written messages next to them: members' stored words, and the other part of the share.
    """
    voice = [m for m in sample.sent if m.kind in _VOICE]
    if not is_widespread(voice, len(sample.sent), OFTEN):
        return None
    said = {m.message_id for m in voice}
    pairs = list(pairwise(m.message_id for m in sample.sent))
    near = {one for one, other in pairs if other in said} | {other for one, other in pairs if one in said}

    def closeness(message: Message) -> int:
        return 4 * (message.message_id in said) + 2 * (message.reply_to in said) + (message.message_id in near)

    return Habit("voice", voice, len(sample.sent), closeness, quotable=[m for m in sample.talk if closeness(m)])


def _hours(sample: Sample) -> Habit | None:
    """A quarter of the day in which most messages are sent, on most days.

    Messages of one evening are one conversation, so days are counted, too: the part must be the busiest on at least
    half of them by the lower end of the interval. Fixed quarters keep the value the same from window to window.
    """
    parts: dict[int, list[Message]] = {}
    by_day: dict[date, Counter[int]] = {}
    for message in sample.sent:
        local = message.sent_at.astimezone(sample.zone)
        part = local.hour // PART_HOURS
        parts.setdefault(part, []).append(message)
        by_day.setdefault(local.date(), Counter())[part] += 1
    part = min(parts, key=lambda p: (-len(parts[p]), p))
    busiest = sum(counts[part] == max(counts.values()) for counts in by_day.values())
    steady = len(by_day) >= MIN_DAYS and wilson_lower(busiest, len(by_day)) >= HALF
    if not steady or not is_widespread(parts[part], len(sample.sent), HALF):
        return None
    hours, days = f"{part * PART_HOURS:02}:00-{(part + 1) * PART_HOURS:02}:00", len(by_day)
    then = {m.message_id for m in parts[part]}
    told = {"hours": hours, "zone": sample.zone, "days": days, "days_uk": f"{days} {genitive(days, 'день', 'днів')}"}
    written = [m for m in sample.talk if m.message_id in then]
    return Habit("hours", parts[part], len(sample.sent), quotable=written, told=told)
