"""What the manner of a talk says about the group: emoji, length, languages, formality, recurring subjects.

A share counts only by the lower end of its 95 % interval (Wilson), so a small sample has to be almost unanimous and a
chunk of ten ordinary messages yields nothing. Voice messages carry no words, hence no quote, hence no fact (law 1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import median

from shared.domain.facts import Authority, Candidate, Evidence
from shared.domain.language import Language, detect_language
from shared.domain.messages import Message
from shared.domain.patterns import terms
from shared.domain.patterns.guards import has_injection

MIN_MESSAGES = 30
"""Messages below which nothing is concluded from manner (own choice)."""

MIN_AUTHORS = 3
MIN_EMOJI_MESSAGES = 6
"""A run in which nearly every message is full of emoji is a sample even when short (own choice)."""

EMOJI_PER_MESSAGE = 2.0
"""Mean above which a chat uses many emoji (chat public memory plan, section 3)."""

LONG_MESSAGE = 200
"""Characters; a chat whose median message is longer writes in detail (chat public memory plan, section 3)."""

HALF, OFTEN = 0.5, 0.15
MAX_EVIDENCE_QUOTES = 6
MAX_QUOTE = 200

_EMOJI = re.compile("[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2764]")
_FORMAL = re.compile(
    r"(?<!\w)(?:шановн\w+|будьте ласкаві|прошу вас|з повагою|дозвольте|вельмишановн\w+|перепрошую|dear|"
    r"kindly|sincerely|best regards|kind regards|would you please|i would like to|colleagues)(?!\w)|"
    r"(?<=\w )(?-i:Ви|Вас|Вам|Ваш\w*)(?!\w)",
    re.IGNORECASE,
)


def extract_statistics(messages: Sequence[Message]) -> list[Candidate]:
    """Norms, culture and topics that the manner of these messages shows; most often none.

    Args:
        messages: A stretch of one chat; only members' own words are counted.
    Returns:
        Candidates of statistical authority, with the sample size in the description and the strongest messages quoted.
    """
    sample = [message for message in messages if message.may_teach and not has_injection(message.text)]
    if len({message.user_id for message in sample}) < MIN_AUTHORS:
        return []
    found = [_emoji(sample)]
    if len(sample) >= MIN_MESSAGES:
        found += [_length(sample), _languages(sample), _formality(sample), *_subjects(sample)]
    return [candidate for candidate in found if candidate is not None]


def wilson_lower(hits: int, size: int) -> float:
    """Lower end of the 95 % Wilson interval of the share `hits / size`, in [0, 1]; 0 for an empty sample."""
    if size == 0:
        return 0.0
    z2 = 1.96**2
    share = hits / size
    centre = share + z2 / (2 * size)
    spread = 1.96 * sqrt(share * (1 - share) / size + z2 / (4 * size * size))
    return max(0.0, (centre - spread) / (1 + z2 / size))


def _emoji(sample: Sequence[Message]) -> Candidate | None:
    counts = {message.message_id: len(_EMOJI.findall(message.text)) for message in sample}
    using = [message for message in sample if counts[message.message_id]]
    enough = len(sample) >= MIN_EMOJI_MESSAGES and sum(counts.values()) > EMOJI_PER_MESSAGE * len(sample)
    if not enough or not _widespread(using, sample, HALF):
        return None
    told = {
        "uk": f"У чаті часто вживають емодзі: {len(using)} з {len(sample)} повідомлень",
        "en": f"The chat uses many emoji: {len(using)} of {len(sample)} messages",
    }
    return _candidate("norm", "emoji_usage", "high", told, sample, using, lambda m: counts[m.message_id])


def _length(sample: Sequence[Message]) -> Candidate | None:
    typical = median(len(message.text) for message in sample)
    long = [message for message in sample if len(message.text) > LONG_MESSAGE]
    if typical <= LONG_MESSAGE or not _widespread(long, sample, HALF / 2):
        return None
    told = {
        "uk": f"У чаті пишуть розлого: половина з {len(sample)} повідомлень довша за {typical:.0f} знаків",
        "en": f"The chat writes in detail: half of {len(sample)} messages are longer than {typical:.0f} characters",
    }
    return _candidate("norm", "message_style", "detailed", told, sample, long, lambda m: len(m.text))


def _languages(sample: Sequence[Message]) -> Candidate | None:
    spoken: dict[Language, list[Message]] = {"uk": [], "en": []}
    for message in sample:
        if (language := detect_language(message.text)) and len(message.text.split()) > 1:
            spoken[language].append(message)
    rarer = min(spoken.values(), key=len)
    if not _widespread(rarer, sample, OFTEN):
        return None
    told = {
        "uk": f"У чаті пишуть і українською, і англійською: {len(rarer)} з {len(sample)} повідомлень рідшою з двох",
        "en": f"The chat writes in Ukrainian and in English: {len(rarer)} of {len(sample)} messages in the rarer one",
    }
    return _candidate("norm", "language_mix", "ukrainian, english", told, sample, rarer, lambda m: len(m.text))


def _formality(sample: Sequence[Message]) -> Candidate | None:
    formal = [message for message in sample if _FORMAL.search(message.text)]
    if not _widespread(formal, sample, HALF):
        return None
    told = {
        "uk": f"У чаті спілкуються офіційно: {len(formal)} з {len(sample)} повідомлень",
        "en": f"The chat keeps a formal tone: {len(formal)} of {len(sample)} messages",
    }
    return _candidate("culture", "formality", "formal", told, sample, formal, lambda m: len(_FORMAL.findall(m.text)))


def _subjects(sample: Sequence[Message]) -> list[Candidate | None]:
    mentions: dict[str, list[Message]] = {}
    for message in sample:
        for subject in terms.subjects(message.text):
            mentions.setdefault(subject, []).append(message)
    return [
        _subject(name, using, sample) for name, using in sorted(mentions.items()) if _widespread(using, sample, OFTEN)
    ]


def _subject(name: str, using: Sequence[Message], sample: Sequence[Message]) -> Candidate:
    told = {
        "uk": f"У чаті часто говорять про {terms.subject_label(name)}: {len(using)} з {len(sample)} повідомлень",
        "en": f"The chat often talks about {name.replace('_', ' ')}: {len(using)} of {len(sample)} messages",
    }
    return _candidate("topic", "frequent_topic", name, told, sample, using, lambda m: len(m.text), single=False)


def _widespread(using: Sequence[Message], sample: Sequence[Message], share: float) -> bool:
    """Whether at least this share of messages, by at least three members, does it, and not by chance."""
    authors = {message.user_id for message in using}
    return len(authors) >= MIN_AUTHORS and wilson_lower(len(using), len(sample)) >= share


def _candidate(
    category: str, key: str, value: str, told: dict[str, str], sample: Sequence[Message],
    using: Sequence[Message], strength: Callable[[Message], int], *, single: bool = True,
) -> Candidate:  # fmt: skip
    confidence = round(min(0.85, 0.7 + 0.15 * wilson_lower(len(using), len(sample))), 4)
    strongest = sorted(using, key=lambda m: (-strength(m), m.message_id))[:MAX_EVIDENCE_QUOTES]
    quotes = [
        Evidence(m.sent_at, m.message_id, m.user_id, m.text.strip()[:MAX_QUOTE].strip(), confidence) for m in strongest
    ]
    return Candidate(
        subject="chat",
        category=category,
        key=key,
        value=value,
        description=f"{told[_language(sample)]}.",
        confidence=confidence,
        evidence=tuple(sorted(quotes)),
        authority=Authority.STATISTICS,
        single=single,
    )


def _language(sample: Sequence[Message]) -> Language:
    spoken = Counter(detect_language(message.text) for message in sample)
    return "uk" if spoken["uk"] >= spoken["en"] else "en"
