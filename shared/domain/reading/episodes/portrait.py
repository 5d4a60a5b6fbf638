"""The portrait of an episode, drawn from its messages: excerpts, themes, tone, participants, key topics."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.domain.conversation.messages import Message
from shared.domain.reading.summaries.details import details_of
from shared.domain.reading.summaries.excerpts import extractive_summary
from shared.domain.text.data_files import common_words, expressions, read_data
from shared.domain.text.language import detect_language, lemmas

MOST_THEMES, MOST_TOPICS = 5, 8
_OFTEN = 2
_MIN_LENGTH = 4
_NO_THEME = re.compile(r"\d|ти(?:ся|сь)?$|ий$")
_SIGNS = expressions(__package__, "portrait")
_CLEAR_SHARE = 0.2
"""Share of messages that must show a sign before it is the tone of a conversation."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """An episode in words; `tone` may be ""."""

    summary: str
    themes: tuple[str, ...]
    tone: str
    key_topics: tuple[str, ...]


def excerpt_portrait(messages: Sequence[Message]) -> Portrait:
    """Return what messages show: excerpts, frequent words, named things, and a tone only where its signs are many."""
    spoken = [m for m in messages if m.may_teach]
    return Portrait(
        summary=extractive_summary(messages),
        themes=_frequent(spoken),
        tone=_tone(spoken),
        key_topics=_rank_details(spoken),
    )


def _frequent(messages: Sequence[Message]) -> tuple[str, ...]:
    """Words that come up in several messages, the most widespread first."""
    known = (word for m in messages for word in dict.fromkeys(lemmas(m.text)) if len(word) >= _MIN_LENGTH)
    counts = Counter(word for word in known if word not in common_words() and not _NO_THEME.search(word))
    return tuple(word for word, count in counts.most_common(MOST_THEMES) if count >= _OFTEN)


def _rank_details(messages: Sequence[Message]) -> tuple[str, ...]:
    told = [d for m in messages for d in sorted(details_of(m.text)) if d.kind in ("date", "place", "name")]
    counts, weights = Counter(d.form for d in told), {d.form: d.weight for d in told}
    strong = [form for form in counts if weights[form] > 1]
    return tuple(sorted(strong, key=lambda form: (-counts[form] * weights[form], strong.index(form)))[:MOST_TOPICS])


def _tone(messages: Sequence[Message]) -> str:
    """The mood that enough messages show, in words that also read well alone; "" when none does."""
    languages = Counter(spoken_language for m in messages if (spoken_language := detect_language(m.text)))
    tones: Mapping[str, str] = read_data(__package__, "portrait")[languages.most_common(1)[0][0] if languages else "en"]
    counts = {name: sum(1 for m in messages if sign.search(m.text)) for name, sign in _SIGNS.items()}
    best = max(counts, key=lambda name: counts[name])
    return tones[best] if counts[best] >= max(_CLEAR_SHARE * len(messages), 1) else ""
