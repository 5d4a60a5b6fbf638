"""Read what a model returned for an extraction request, tolerantly.

Form is forgiven (fences, prose around, trailing commas, a cut-off end, wrappers, numbers in quotes); content is not:
an item without content, quote, category or a confidence is dropped. `model_candidates` decides what is believed of it.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.reading.fact_keys import split_key
from shared.domain.text.data_files import word_lists
from shared.domain.text.plain import is_control

MAX_RAW = 200_000
"""Characters of an answer that are read; a longer one is a runaway model."""

MAX_ITEMS = 200
MAX_CONTENT = 600
"""Characters of one fact: a sentence of thirty words has two hundred; more is a copy of the talk."""

_CONTENT = ("content", "description", "text", "value", "memory", "fact")
_QUOTES = ("quote", "evidence")
_NUMBER = re.compile(r"\s*[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?\s*", re.IGNORECASE)
_SYNONYMS = {word: category for category, words in word_lists(__package__, "near_categories").items() for word in words}


@dataclass(frozen=True, slots=True)
class ModelFact:
    """One item of a model's answer, typed; nothing of it is believed yet.

    Attributes:
        user_id: Whom the model credits, or None when it did not say.
        message_id: Where the model says that it read it, or None.
        about_chat: Whether it is about the group rather than a member.
        confidence: In [0, 1].
        about, message: Small numbers of a `NumberedTalk`, where the reply names members and messages so; None
            where it does not.
        verdict, of: What it is to a fact that is known, "confirms", "replaces" or "contradicts", and the id of that
            one; "" or "new" for none.
        until: The last day on which it holds, None when it is open.
    """

    content: str
    category: str
    memory_type: str
    confidence: float
    quote: str
    user_id: int | None
    message_id: int | None
    about_chat: bool
    key: str
    value: str
    about: int | None = None
    message: int | None = None
    verdict: str = ""
    of: str = ""
    until: date | None = None


@dataclass(frozen=True, slots=True)
class ParsedFacts:
    """The facts that could be read of an answer.

    Attributes:
        items: Well-formed items in order.
        malformed: How many others could not be used.
    """

    items: tuple[ModelFact, ...]
    malformed: int


def parse_items(values: Any) -> ParsedFacts:
    """Read the items among JSON values, in whatever wrappers they are."""
    found = list(map(_parse_item, find_items(values)))
    items = list(filter(None, found))
    return ParsedFacts(tuple(items[:MAX_ITEMS]), len(found) - len(items))


def find_items(value: Any) -> Iterator[Mapping[str, Any]]:
    """Objects that look like items, wrappers opened, in order."""
    return find_objects(value, _is_item, depth=6)


def find_objects(value: Any, fits: Callable[[Mapping[str, Any]], bool], *, depth: int) -> Iterator[Mapping[str, Any]]:
    """Objects that fit, as many wrappers opened as `depth` says, in order."""
    if isinstance(value, Mapping) and fits(value):
        yield value
    elif depth and isinstance(value, list | tuple | Mapping):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from find_objects(inner, fits, depth=depth - 1)


def _is_item(value: Mapping[str, Any]) -> bool:
    """Return whether it has a text, and no list of items, whatever text it then carries of its own ("summary")."""
    wraps = any(isinstance(inner, list) and inner and isinstance(inner[0], Mapping) for inner in value.values())
    return not wraps and any(key in value for key in _CONTENT)


def _parse_item(item: Mapping[str, Any]) -> ModelFact | None:
    """The item with every field of its type; None when it lacks one, or holds what no fact does."""
    content, quote = _text(item, _CONTENT), _text(item, _QUOTES)
    confidence = parse_confidence(item.get("confidence"))
    if not content or not quote or confidence is None or len(content) > MAX_CONTENT:
        return None
    if any(is_control(char) for value in item.values() if isinstance(value, str) for char in value):
        return None
    key, category = _word(item.get("key"))[:60], _word(item.get("category"))
    if not category:
        category, key = split_key(key)
    about, about_chat = parse_integer(item.get("about")), _word(item.get("subject")) in ("chat", "group")
    if category not in (CHAT_CATEGORIES if about_chat or about == 0 else MEMBER_CATEGORIES):
        category = _SYNONYMS.get(category, category)
    if not category:
        return None
    verdict, _, of = _word(item.get("verdict")).partition("_")  # "confirms f1"
    return ModelFact(
        content=content,
        category=category,
        memory_type=_word(item.get("type")),
        confidence=confidence,
        quote=quote,
        user_id=parse_integer(item.get("user_id")),
        message_id=parse_integer(item.get("message_id")),
        about_chat=about_chat,
        key=key,
        value=_text(item, ("value",)),
        about=about,
        message=parse_integer(item.get("message")),
        verdict=verdict,
        of=of,
        until=_day(item.get("until")),
    )


def parse_confidence(value: Any) -> float | None:
    """A number from 0 to 1, also when written as a string; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and 0 <= number <= 1 else None


def _text(item: Mapping[str, Any], keys: Sequence[str]) -> str:
    found = next((item[key].strip() for key in keys if isinstance(item.get(key), str) and item[key].strip()), "")
    return " ".join(_whole(found).split())


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(value.strip()) if isinstance(value, str) else None
    except ValueError:
        return None


def _whole(text: str) -> str:
    """Drop halves of surrogate pairs, which no document holds."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _word(value: Any) -> str:
    return re.sub(r"[\s-]+", "_", _whole(value).strip().casefold()) if isinstance(value, str) else ""


def parse_integer(value: Any) -> int | None:
    """A whole number, also one in quotes or after "#"; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"(?:user:|#)?-?\d{1,19}", value.strip(), re.ASCII):
        return int(value.strip().removeprefix("user:").removeprefix("#"))
    return value if isinstance(value, int) else None
