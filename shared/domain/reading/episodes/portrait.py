"""What an episode was like: summary, themes, tone, emotional arc, participants, key topics.

With a model its answer is read tolerantly, bounded, and its participants are checked against who really spoke. Without
one everything is taken from the messages; an emotional arc is not invented.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.reading.summaries.details import details_of
from shared.domain.reading.summaries.excerpts import extractive_summary
from shared.domain.reading.summaries.wording import clean_line, clean_summary
from shared.domain.text.data_files import expressions, read_data
from shared.domain.text.language import detect_language, lemmas
from shared.domain.text.loose_json import read_loosely
from shared.domain.text.word_sets import common_words

MOST_THEMES, MOST_TOPICS = 5, 8
_THEME_CHARS, _TONE_CHARS, _ARC_CHARS = 60, 60, 200
_OFTEN = 2
_MIN_LENGTH = 4
_NO_THEME = re.compile(r"\d|ти(?:ся|сь)?$|ий$")
_SIGNS = expressions(__package__, "portrait")
_CLEAR_SHARE = 0.2
"""Share of messages that must show a sign before it is the tone of a conversation."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """An episode in words; `participants` are user ids, `tone` and `emotional_arc` may be ""."""

    summary: str
    themes: tuple[str, ...]
    tone: str
    emotional_arc: str
    participants: tuple[int, ...]
    key_topics: tuple[str, ...]


def speakers(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return who takes part: members who said or showed something, in the order of their first message."""
    return tuple(dict.fromkeys(m.user_id for m in messages if not m.is_bot and (m.text or m.media)))


def read_portrait(raw: str, messages: Sequence[Message], *, instructions: str = "") -> Portrait | None:
    """A model's answer, bounded and cleaned; None when it holds no summary.

    Participants are the model's, as far as they really spoke; all who spoke when none of them did.
    """
    read = (each for value in read_loosely(raw).values for each in (value if isinstance(value, list) else [value]))
    objects = (each for each in read if isinstance(each, dict))
    answer: dict[str, Any] = next((each for each in objects if isinstance(each.get("summary"), str)), {})
    summary = clean_summary(answer.get("summary", ""), instructions=instructions)
    if not summary:
        return None
    spoke = speakers(messages)
    named = {number for item in _items(answer.get("participants")) if (number := _user_id(item)) is not None}
    return Portrait(
        summary=summary,
        themes=_texts(answer.get("themes"), MOST_THEMES, instructions),
        tone=_text(answer.get("tone"), _TONE_CHARS, instructions),
        emotional_arc=_text(answer.get("emotional_arc"), _ARC_CHARS, instructions),
        participants=tuple(user for user in spoke if user in named) or spoke,
        key_topics=_texts(answer.get("key_topics"), MOST_TOPICS, instructions),
    )


def excerpt_portrait(messages: Sequence[Message]) -> Portrait:
    """The same without a model: excerpts, frequent words, named things, and a tone only where its signs are many."""
    spoken = [m for m in messages if m.may_teach]
    return Portrait(
        summary=extractive_summary(messages),
        themes=_frequent(spoken),
        tone=_tone(spoken),
        emotional_arc="",
        participants=speakers(messages),
        key_topics=_rank_details(spoken),
    )


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _user_id(item: Any) -> int | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, int):
        return item
    match = re.search(r"-?\d{1,19}", item) if isinstance(item, str) else None
    return int(match.group()) if match else None


def _text(value: Any, most: int, instructions: str) -> str:
    return clean_line(value, instructions=instructions, most_chars=most) if isinstance(value, str) else ""


def _texts(value: Any, most: int, instructions: str) -> tuple[str, ...]:
    given = value.split(",") if isinstance(value, str) else _items(value)
    texts = (_text(item, _THEME_CHARS, instructions) for item in given)
    return tuple(dict.fromkeys(text for text in texts if text))[:most]


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
