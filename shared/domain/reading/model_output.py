"""What a model returned for an extraction request, read tolerantly and believed only as far as its quotes go.

Form is forgiven (fences, prose around, trailing commas, a cut-off end, wrappers, numbers in quotes); content is not:
an item without a verbatim quote of the credited member makes no candidate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, Candidate
from shared.domain.facts.memory_profile import Profile, profile_allows
from shared.domain.reading.filters import Reason, is_anothers, named_member
from shared.domain.text.language import fold
from shared.domain.text.loose_json import read_loosely
from shared.domain.text.plain import is_control
from shared.domain.text.quotes import find_verbatim, verify_quote

MAX_RAW = 200_000
"""Characters of an answer that are read; a longer one is a runaway model."""

MAX_ITEMS = 200
MAX_CONTENT = 600
"""Characters of one fact: a sentence of thirty words has two hundred; more is a copy of the talk."""

_MAX_DEPTH = 6
_CONTENT = ("content", "description", "fact_description", "value", "fact_value", "text", "memory", "fact")
_QUOTES = ("quote", "evidence", "evidence_text", "source_quote")
_NUMBER = re.compile(r"\s*[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?\s*", re.IGNORECASE)
_NEAR_CATEGORY = {
    "personal_info": "personal personal_information info fact identity location occupation work job",
    "preference": "preferences hobby hobbies interest interests likes",
    "experience": "experiences story event",
    "relationship": "relationships family pet pets",
    "goal": "goals plan plans project projects",
    "skill": "skills ability abilities",
}
_SYNONYMS = {word: category for category, words in _NEAR_CATEGORY.items() for word in words.split()}
ONE_AT_A_TIME = frozenset(
    {
        "name",
        "location",
        "age",
        "birthday",
        "occupation",
        "workplace",
        "language_preference",
        "language_rule",
        "weekly_recap",
    }
)
"""Keys whose new value replaces the old one, as with the patterns."""


@dataclass(frozen=True, slots=True)
class ModelFact:
    """One item of a model's answer, typed; nothing of it is believed yet.

    Attributes:
        user_id: Whom the model credits, or None when it did not say.
        message_id: Where the model says that it read it, or None.
        about_chat: Whether it is about the group rather than a member.
        confidence: In [0, 1].
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


@dataclass(frozen=True, slots=True)
class ParsedFacts:
    """What could be read of an answer.

    Attributes:
        items: Well-formed items in order.
        problems: One sentence for each thing that could not be used; empty when the answer was flawless.
    """

    items: tuple[ModelFact, ...]
    problems: tuple[str, ...]


def parse_model_facts(raw: str) -> ParsedFacts:
    """Read a model's answer; never raises.

    Complete items before a truncation are kept. A confidence that is no number from 0 to 1 (words, null, booleans,
    NaN, infinities, 95) costs its item, as do a missing content, category or quote, a content of more than
    `MAX_CONTENT` characters, and control characters in any of its texts.
    """
    problems: list[str] = []
    if len(raw) > MAX_RAW:
        problems.append(f"answer longer than {MAX_RAW} characters")
    read = read_loosely(raw[:MAX_RAW])
    if not read.flawless:
        problems.append("the answer is not whole JSON" if read.values else "no JSON in the answer")
    items: list[ModelFact] = []
    for found in _dicts(read.values):
        fact = _parse_item(found)
        if isinstance(fact, str):
            problems.append(fact)
        elif len(items) < MAX_ITEMS:
            items.append(fact)
    return ParsedFacts(tuple(items), tuple(problems))


# --- wrappers ---------------------------------------------------------------------------------------


def _dicts(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Objects that look like items, wrappers opened, in order."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, Mapping):
        if any(key in value for key in _CONTENT) and not _wraps(value):
            yield value
        else:
            for inner in value.values():
                if isinstance(inner, list | Mapping):
                    yield from _dicts(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            if isinstance(inner, list | tuple | Mapping):
                yield from _dicts(inner, depth + 1)


def _wraps(value: Mapping[str, Any]) -> bool:
    """A wrapper may carry text of its own ("summary"), but its items are in a list."""
    return any(isinstance(inner, list) and inner and isinstance(inner[0], Mapping) for inner in value.values())


# --- types -----------------------------------------------------------------------------------------


def _parse_item(item: Mapping[str, Any]) -> ModelFact | str:
    """The item with every field of its type, or what is wrong with it."""
    content, quote = _text(item, _CONTENT), _text(item, _QUOTES)
    confidence = parse_confidence(item.get("confidence"))
    if not content:
        return "an item has no content"
    if not quote:
        return f"no quote: {content[:60]!r}"
    if confidence is None:
        return f"confidence is no number from 0 to 1: {content[:60]!r}"
    if len(content) > MAX_CONTENT:
        return f"content longer than {MAX_CONTENT} characters: {content[:60]!r}"
    if any(map(_controls, item.values())):
        return f"control characters: {content[:60]!r}"
    category = _category(item)
    if not category:
        return f"no category: {content[:60]!r}"
    memory_type = _word(item.get("type") or item.get("memory_type"))
    return ModelFact(
        content=content,
        category=category,
        memory_type=memory_type,
        confidence=confidence,
        quote=quote,
        user_id=_integer(item.get("user_id")),
        message_id=_integer(item.get("message_id")),
        about_chat=_is_about_chat(item),
        key=_word(item.get("key") or item.get("fact_key"))[:60],
        value=_text(item, ("value", "fact_value")),
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


def _whole(text: str) -> str:
    """Without halves of surrogate pairs, which no document holds."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _word(value: Any) -> str:
    return re.sub(r"[\s-]+", "_", _whole(value).strip().casefold()) if isinstance(value, str) else ""


def _integer(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"(?:user:)?-?\d{1,19}", value.strip()):
        return int(value.strip().removeprefix("user:"))
    return value if isinstance(value, int) else None


def _controls(value: Any) -> bool:
    return isinstance(value, str) and any(map(is_control, value))


def _category(item: Mapping[str, Any]) -> str:
    word = _word(item.get("category", item.get("fact_category")))
    return word if word in CHAT_CATEGORIES or word in MEMBER_CATEGORIES else _SYNONYMS.get(word, word)


def _is_about_chat(item: Mapping[str, Any]) -> bool:
    subject = item.get("subject")
    return (isinstance(subject, str) and _word(subject) in ("chat", "group")) or (
        "fact_category" in item and "subject" not in item
    )


# --- candidates ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelCandidates:
    """What of a model's answer may be looked at further, and why each other item may not."""

    candidates: tuple[Candidate, ...]
    refused: tuple[Reason, ...]


def candidates_from_model(
    items: Sequence[ModelFact],
    messages: Sequence[Message],
    participants: Mapping[int, Sequence[str]],
    *,
    admins: frozenset[int] = frozenset(),
) -> list[Candidate]:
    """The candidates of `judge_model_facts`, for a chat that allows every kind of memory."""
    return list(judge_model_facts(items, messages, participants, admins=admins).candidates)


def judge_model_facts(
    items: Sequence[ModelFact],
    messages: Sequence[Message],
    participants: Mapping[int, Sequence[str]],
    *,
    admins: frozenset[int] = frozenset(),
    profile: Profile = Profile.UNBOUNDED,
) -> ModelCandidates:
    """Candidates whose quotes were found among the credited member's own messages.

    Args:
        messages: What the model was shown.
        participants: Members by id, each with the names and usernames they are known by.
        admins: Who may lay down rules: a rule that the model read from anybody else is refused (law 5).
        profile: Which kinds of memory the chat allows; the kind that the model named counts, too.
    Returns:
        One candidate for each distinct statement; still to be filtered (`filters.reject_reason`).
    """
    found: dict[tuple[str, str], Candidate] = {}
    refused: list[Reason] = []
    for item in items:
        candidate = _candidate(item, messages, participants, admins)
        if isinstance(candidate, Candidate) and not profile_allows(profile, candidate, stated=item.memory_type):
            candidate = Reason.PROFILE
        if isinstance(candidate, Reason):
            refused.append(candidate)
            continue
        slot = (candidate.subject, fold(candidate.description).rstrip(" .!…"))
        found[slot] = _join_candidates(found[slot], candidate) if slot in found else candidate
    return ModelCandidates(tuple(found.values()), tuple(refused))


def _candidate(
    item: ModelFact, messages: Sequence[Message], participants: Mapping[int, Sequence[str]], admins: frozenset[int]
) -> Candidate | Reason:
    source = _source(item, messages, participants)
    if isinstance(source, Reason):
        return source
    if item.about_chat and item.category == "rule" and not source.is_by_admin(admins):
        return Reason.UNAUTHORISED_RULE
    quote = find_verbatim(item.quote, source.text) or ""
    return Candidate(
        subject="chat" if item.about_chat else f"user:{source.user_id}",
        category=item.category,
        key=item.key or item.category,
        value=(item.value or item.content).strip()[:120].casefold(),
        description=item.content,
        confidence=item.confidence,
        evidence=(Evidence(source.sent_at, source.message_id, source.user_id, quote, item.confidence),),
        authority=Authority.MODEL,
        single=item.key in ONE_AT_A_TIME,
    )


def _source(
    item: ModelFact, messages: Sequence[Message], participants: Mapping[int, Sequence[str]]
) -> Message | Reason:
    """The credited member's message that holds the quote, the one the model named first; never another's."""
    user_id = item.user_id if item.user_id is not None else named_member(item.content, participants)
    if not item.about_chat and user_id not in participants:
        return Reason.NON_PARTICIPANT
    saying = [message for message in messages if verify_quote(item.quote, message.text)]
    if not saying:
        quoting = any(is_anothers(item.quote, message) for message in messages)
        return Reason.FOREIGN_SOURCE if quoting else Reason.UNVERIFIABLE_QUOTE
    own = [message for message in saying if user_id in (None, message.user_id)]
    if not own:
        return Reason.WRONG_AUTHOR
    own.sort(key=lambda message: message.message_id != item.message_id)
    return next((message for message in own if message.may_teach), Reason.FOREIGN_SOURCE)


def _join_candidates(known: Candidate, again: Candidate) -> Candidate:
    quotes = (*known.evidence, *(quote for quote in again.evidence if quote not in known.evidence))
    return replace(known, evidence=quotes, confidence=max(known.confidence, again.confidence))
