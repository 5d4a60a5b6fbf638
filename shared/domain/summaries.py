"""A chunk's summary without a model: the lines that carry most, quoted with their speakers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.domain.messages import Message
from shared.domain.text import one_line, quoted

_WEIGHTY = re.compile(
    r"\d|\b(?:домовил|вирішил|завтра|обіця|зустріч|правил|традиц|agreed|decided|tomorrow|promise|meet|rule|tradition)",
    re.IGNORECASE,
)


def extractive_summary(messages: Sequence[Message], *, most: int = 3) -> str:
    """Up to `most` of the messages that say most (dates, numbers, promises, names, length), in order; "" if none.

    One line each, speaker and words as two JSON strings: neither can look like another line.
    """
    said = [m for m in messages if m.may_teach]
    best = sorted(said, key=lambda m: (-_weight(m.text), m.message_id))[:most]
    return "\n".join(
        f"{quoted(one_line(m.name, 40))}: {quoted(one_line(m.text, 200))}"
        for m in sorted(best, key=lambda m: m.message_id)
    )


def _weight(text: str) -> float:
    names = sum(1 for word in text.split()[1:] if word[:1].isupper())
    return 3 * len(_WEIGHTY.findall(text)) + names + min(len(text), 200) / 100
