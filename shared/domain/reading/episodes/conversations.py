"""Divides talk into conversations: by silence, by forum topic, and by a change of what is talked about.

Silence needs only times, so it is judged without reading a message. A change of topic is a valley of lexical cohesion
(TextTiling, Hearst 1997): the words before and after a gap have little in common, while there is more in common on
both sides of it. Chat is sparse, so only a deep valley counts; where in doubt a conversation stays whole.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain, pairwise
from math import sqrt
from typing import NamedTuple

from shared.domain.conversation.messages import Message
from shared.domain.text.data_files import common_words
from shared.domain.text.language import lemmas

SILENCE = timedelta(minutes=60)
"""A pause after which a conversation is over (members who answer later begin a new one)."""

MIN_MESSAGES = 5
"""Messages of members that make an episode at least: fewer are no conversation to remember."""

MOST_MESSAGES = 100
"""Messages of an episode at most: talk that never pauses is cut where it holds together least."""

WINDOW = 6
"""Messages on each side of a gap that are compared: TextTiling's blocks, for short messages."""

DEPTH = 0.3
"""The least depth of a valley of cohesion, as a sum of cosines on both sides; at most 2."""

_MIN_TERMS = 8
_MIN_LENGTH = 3
_REPLY_TIE = 0.15


class Outline(NamedTuple):
    """All that is known of a message before it is read; `thread_id` is 0 outside of forum topics."""

    message_id: int
    sent_at: datetime
    thread_id: int = 0


def split_by_silence(outlines: Sequence[Outline]) -> list[list[Outline]]:
    """Conversations in the order in which they began: one topic of the forum, no pause of `SILENCE` within."""
    threads: dict[int, list[list[Outline]]] = defaultdict(list)
    for outline in sorted(outlines, key=lambda o: (o.sent_at, o.message_id)):
        runs = threads[outline.thread_id]
        if not runs or outline.sent_at - runs[-1][-1].sent_at >= SILENCE:
            runs.append([])
        runs[-1].append(outline)
    return sorted(chain(*threads.values()), key=lambda run: run[0][1::-1])


def is_over(run: Sequence[Outline], *, quiet_until: datetime) -> bool:
    """Return whether a conversation has ended, when nothing more was said in it until `quiet_until`."""
    return run[-1].sent_at + SILENCE <= quiet_until


def divide_by_topic(messages: Sequence[Message]) -> list[list[Message]]:
    """The parts of one conversation that are about different things, in order; each of `MIN_MESSAGES` or more.

    A conversation that holds together is one part. Parts of more than `MOST_MESSAGES` are cut on at their weakest gap.
    """
    bounds = [0, *_topic_gaps(messages), len(messages)]
    parts = [list(messages[start:end]) for start, end in pairwise(bounds)]
    return [piece for part in parts for piece in _split_long(part, MOST_MESSAGES)]


def _topic_gaps(messages: Sequence[Message]) -> list[int]:
    """Return the gaps (index of the message after) between topics: the deepest ones, none too near another."""
    cohesion = _cohesion(messages)
    deep = {
        gap: depth for gap in range(MIN_MESSAGES, len(messages) - MIN_MESSAGES + 1)
        if (depth := _depth(cohesion, gap)) >= DEPTH
    }  # fmt: skip
    chosen: list[int] = []
    for gap in sorted(deep, key=lambda g: (-deep[g], g)):
        if all(abs(gap - other) >= MIN_MESSAGES for other in chosen):
            chosen.append(gap)
    return sorted(chosen)


def _cohesion(messages: Sequence[Message]) -> list[float | None]:
    """Return each gap's cosine of the words on both sides, more with replies across; None where too little is said."""
    terms = ((word for word in lemmas(m.text) if len(word) >= _MIN_LENGTH) for m in messages)
    counts = [Counter(word for word in words if word not in common_words()) for words in terms]
    position = {m.message_id: number for number, m in enumerate(messages)}
    cohesion: list[float | None] = [None]  # before the first message is no gap
    for gap in range(1, len(messages)):
        before = sum(counts[max(0, gap - WINDOW) : gap], Counter[str]())
        after = sum(counts[gap : gap + WINDOW], Counter[str]())
        if min(before.total(), after.total()) < _MIN_TERMS:
            cohesion.append(None)
            continue
        near = range(gap, min(gap + WINDOW, len(messages)))
        ties = sum(1 for n in near if position.get(messages[n].reply_to or 0, gap) < gap)
        cohesion.append(_cosine(before, after) + _REPLY_TIE * ties)
    return cohesion


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[term] for term, count in one.items())
    norms = sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return shared / norms if norms else 0.0


def _depth(cohesion: Sequence[float | None], gap: int) -> float:
    """Return how much higher the nearest peaks on both sides are; 0 where one side has none, or nothing is known."""
    here = cohesion[gap]
    if here is None:
        return 0.0
    left, right = _peak(here, reversed(cohesion[:gap])) - here, _peak(here, iter(cohesion[gap + 1 :])) - here
    return left + right if left > 0 and right > 0 else 0.0


def _peak(here: float, onwards: Iterable[float | None]) -> float:
    top = here
    for value in (each for each in onwards if each is not None):
        if value < top:
            break
        top = value
    return top


def _split_long(part: list[Message], most: int) -> list[list[Message]]:
    if len(part) <= most:
        return [part]
    cohesion = _cohesion(part)
    known = {gap: value for gap in range(MIN_MESSAGES, most + 1) if (value := cohesion[gap]) is not None}
    cut = min(known, key=lambda gap: (known[gap], -gap)) if known else most
    return [part[:cut], *_split_long(part[cut:], most)]
