"""How a group talks: emoji, length, languages, formality, replies, voice and hours. Each is at most one habit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from statistics import median

from shared.domain.conversation.messages import Message
from shared.domain.reading.statistics.sampling import (
    Habit,
    Sample,
    genitive,
    is_widespread,
    wilson_lower,
    wilson_upper,
)
from shared.domain.text.language import Language, detect_language

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

HALF, OFTEN, MOST, HARDLY = 0.5, 0.15, 0.7, 0.1

PART_HOURS = 6
MIN_DAYS = 5
"""Days below which the busiest part of the day is only when this talk happened to be."""

_VOICE = frozenset(("voice", "video_note"))
_EMOJI = re.compile("[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2764]")
_FORMAL = re.compile(
    r"(?<!\w)(?:шановн\w+|будьте ласкаві|прошу вас|з повагою|дозвольте|вельмишановн\w+|перепрошую|dear|"
    r"kindly|sincerely|best regards|kind regards|would you please|i would like to|colleagues)(?!\w)|"
    r"(?<=\w )(?-i:Ви|Вас|Вам|Ваш\w*)(?!\w)",
    re.IGNORECASE,
)


def emoji_habit(sample: Sample) -> Habit | None:
    """Many emoji in most messages, or hardly any message with one."""
    counts = {m.message_id: len(_EMOJI.findall(m.text)) for m in sample.talk}
    using = [m for m in sample.talk if counts[m.message_id]]
    size = len(sample.talk)
    if size >= MIN_EMOJI_MESSAGES and sum(counts.values()) > EMOJI_PER_MESSAGE * size:
        if not is_widespread(using, size, HALF):
            return None
        told = ("У чаті часто вживають емодзі", "The chat uses many emoji")
        return Habit("norm", "emoji_usage", "high", *told, using, size, lambda m: counts[m.message_id])
    return _no_emoji(sample, using)


def _no_emoji(sample: Sample, using: Sequence[Message]) -> Habit | None:
    size = len(sample.talk)
    if size < MIN_ORDINARY or wilson_upper(len(using), size) > HARDLY:
        return None
    shown = {m.message_id for m in using}
    bare = [m for m in sample.talk if m.message_id not in shown]
    told = ("У чаті майже не вживають емодзі, без них", "The chat hardly uses emoji, without any")
    return Habit("norm", "emoji_usage", "low", *told, bare, size, _length)


def length_habit(sample: Sample) -> Habit | None:
    """A median message over `LONG_MESSAGE`, or nearly all at most `SHORT_MESSAGE` characters."""
    size = len(sample.talk)
    long = [m for m in sample.talk if len(m.text) > LONG_MESSAGE]
    if median(len(m.text) for m in sample.talk) > LONG_MESSAGE and is_widespread(long, size, HALF / 2):
        told = ("У чаті пишуть розлого, понад 200 знаків", "The chat writes in detail, over 200 characters")
        return Habit("norm", "message_style", "detailed", *told, long, size, _length)
    short = [m for m in sample.talk if len(m.text) <= SHORT_MESSAGE]
    if size < MIN_ORDINARY or not is_widespread(short, size, MOST):
        return None
    told = ("У чаті пишуть коротко, до 40 знаків", "The chat writes briefly, up to 40 characters")
    return Habit("norm", "message_style", "brief", *told, short, size, _length)


def language_habit(sample: Sample) -> Habit | None:
    """Both languages in steady use."""
    spoken: dict[Language, list[Message]] = {"uk": [], "en": []}
    for message in sample.talk:
        if (language := detect_language(message.text)) and len(message.text.split()) > 1:
            spoken[language].append(message)
    rarer = min(spoken.values(), key=len)
    if not is_widespread(rarer, len(sample.talk), OFTEN):
        return None
    told = (
        "У чаті пишуть і українською, і англійською, рідшою з двох",
        "The chat writes in Ukrainian and in English, in the rarer one",
    )
    return Habit("norm", "language_mix", "ukrainian, english", *told, rarer, len(sample.talk), _length)


def formality_habit(sample: Sample) -> Habit | None:
    """Formal address in most messages."""
    formal = [m for m in sample.talk if _FORMAL.search(m.text)]
    if not is_widespread(formal, len(sample.talk), HALF):
        return None
    told = ("У чаті спілкуються офіційно", "The chat keeps a formal tone")
    return Habit(
        "culture", "formality", "formal", *told, formal, len(sample.talk), lambda m: len(_FORMAL.findall(m.text))
    )


def reply_habit(sample: Sample) -> Habit | None:
    """Most messages answer another one by Telegram's reply."""
    replies = [m for m in sample.talk if m.reply_to is not None]
    if not is_widespread(replies, len(sample.talk), HALF):
        return None
    told = ("У чаті зазвичай відповідають реплаєм", "The chat usually answers by a reply")
    return Habit("norm", "reply_style", "replies", *told, replies, len(sample.talk), _length)


def voice_habit(sample: Sample) -> Habit | None:
    """Voice and round video messages in steady use.

    They carry no words, and a fact needs a verbatim quote (law 1). So the quotes are, in this order, captions, written
    replies to them, and the written messages next to them: members' stored words, and the other part of the share.
    """
    voice = [m for m in sample.sent if m.kind in _VOICE]
    if not is_widespread(voice, len(sample.sent), OFTEN):
        return None
    said, near = {m.message_id for m in voice}, _beside(sample.sent, voice)

    def closeness(message: Message) -> int:
        return 4 * (message.message_id in said) + 2 * (message.reply_to in said) + (message.message_id in near)

    told = ("У чаті часто надсилають голосові", "The chat often sends voice messages")
    quotable = [m for m in sample.talk if closeness(m)]
    return Habit(
        "norm", "voice_messages", "common", *told, voice, len(sample.sent), closeness, quotable=quotable
    )  # fmt: skip


def _beside(sent: Sequence[Message], voice: Sequence[Message]) -> set[int]:
    """Ids of the messages sent right before or after one of `voice`."""
    ids = [m.message_id for m in sent]
    said = {m.message_id for m in voice}
    pairs = list(pairwise(ids))
    return {one for one, other in pairs if other in said} | {other for one, other in pairs if one in said}


def hours_habit(sample: Sample) -> Habit | None:
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
    return _hours(part, parts[part], len(by_day), sample)


def _hours(part: int, using: Sequence[Message], days: int, sample: Sample) -> Habit | None:
    hours = f"{part * PART_HOURS:02}:00-{(part + 1) * PART_HOURS:02}:00"
    told = (
        f"У чаті найчастіше пишуть о {hours} ({sample.zone}, за {days} {genitive(days, 'день', 'днів')})",
        f"The chat is most active at {hours} ({sample.zone}, over {days} days)",
    )
    then = {m.message_id for m in using}
    written = [m for m in sample.talk if m.message_id in then]
    return Habit(
        "norm", "active_hours", f"{hours} {sample.zone}", *told, using, len(sample.sent), _length, quotable=written
    )  # fmt: skip


def _length(message: Message) -> int:
    return len(message.text)
