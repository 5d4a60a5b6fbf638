"""Signals for a message as an answer, as numbers: its words and those around it, who says it, when, and to whom.

People in a group talk about several things at once: beside what stands nearby, what a message answers counts wherever
it stands, two arrows up, and so do the turns of the same person right beside it. That neighbours with arrows of their
own should count less was tried, and found nothing more.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.layout import Layout, surroundings
from shared.domain.recall.matching import Floats, Ints, Mask, TermMatch
from shared.domain.recall.question import SearchQuery
from shared.domain.recall.time_phrases import Span
from shared.domain.text.terms import TELLS_NUMBER, TELLS_PLACE, TELLS_TIME

_REACH = 6
_SELF, _PARENT = _REACH, 2 * _REACH + 1
_NEAR = (0.8, 0.7, 0.6, 0.0, 0.0, 0.0)
_BEFORE, _AFTER = (0.5, 0.25, 0.15, 0.1, 0.0, 0.0), (0.3, 0.15, 0.1, 0.05, 0.0, 0.0)
"""The weight of a word so many turns away: at its best, and in the sum, where what was said before weighs more."""

_NEARNESS = np.array([*_NEAR[::-1], 1, *_NEAR, _NEAR[0]], np.float32)
_DECAY = np.array([*_BEFORE[::-1], 1, *_AFTER, _BEFORE[0]], np.float32)
_BURST = ((-2, 0.7), (-1, 1.0), (1, 1.0))
"""The distances at which the same person's turn goes on, and how surely."""

_MEANT_BEFORE, _MEANT_AFTER, _FAR = 0.5, 0.3, 4.0
"""The weights of the meaning of what stands beside a message, and how many standard deviations count 1."""

_HALF_STRENGTH = 0.5
"""Strength at which a word counts half, in a message with its neighbours (flat around here)."""

_LONG = 40
"""Terms from which a message is long; a longer one tells no more."""

_FEWEST = 0.02
"""Share of the talk from which somebody says little; naming them tells no more."""

_MARKS = MappingProxyType({"time": TELLS_TIME, "number": TELLS_NUMBER, "place": TELLS_PLACE})
_DAY = 86_400.0
_ECHO_DAYS = 3.0
"""A day is spoken of for some days after it."""


class SignalInputs(NamedTuple):
    """The inputs from which the signals of the candidates are made.

    Attributes:
        rows: The candidates, ascending.
        weights: Of each word.
        at: The rows that `around` is about; of those that are not there any one.
        around: For each word and candidate, its strength from `_REACH` turns before to as many after, then in the
            message replied to; nothing from beyond the talk.
        above: In the message that the message replied to replies to.
        below: In the best of the replies to it.
        asked: How well the question just before it matches, when it replies to nothing.
        session: How well its session matches.
        similar: How near the notes about it are to the question's embedding.
        meaning: How near it and what stands beside it are, in quarters of a standard deviation.
    """

    corpus: Corpus
    question: SearchQuery
    rows: Ints
    weights: Floats
    at: Ints
    around: Floats
    above: Floats
    below: Floats
    asked: Floats
    asking: Mask
    session: Floats
    similar: Floats
    meaning: Floats


def look(
    corpus: Corpus, question: SearchQuery, rows: Ints, matches: Sequence[TermMatch], layout: Layout, own: Floats,
    allowed: Mask, session: Floats, similar: Floats, near: Floats,
) -> SignalInputs:  # fmt: skip
    """Look at the candidates closely; `own`, `allowed`, `session`, `similar` and `near` are of all rows."""
    at, inside = surroundings(corpus, rows, _REACH)
    around, above, below = _strengths_at(matches, corpus, rows, at, inside)
    return SignalInputs(
        corpus, question, rows,
        weights=np.array([known.weight for known in matches], np.float32),
        at=at, around=around, above=above, below=below,
        asked=_match_of_question_before(own, layout.asking & allowed, at, inside),
        asking=layout.asking[rows],
        session=session[rows],
        similar=similar[rows],
        meaning=_meaning(near, at, inside & allowed[at]),
    )  # fmt: skip


def _meaning(near: Floats, at: Ints, inside: Mask) -> Floats:
    """Weigh how near a message is in meaning with what it answers, the message replied to or the turn before it, and
    with the turn after it."""
    found = np.where(inside, near[at], 0)
    before = found[:, _SELF - 1] * np.where(inside[:, _PARENT], 0.5, 1) + found[:, _PARENT]
    weighed = found[:, _SELF] + _MEANT_BEFORE * before + _MEANT_AFTER * found[:, _SELF + 1]
    return np.asarray(weighed / _FAR, np.float32)


def _strengths_at(
    matches: Sequence[TermMatch], corpus: Corpus, rows: Ints, at: Ints, inside: Mask
) -> tuple[Floats, Floats, Floats]:
    """Return what `SignalInputs` calls `around`, `above` and `below`, for each word."""
    around = np.zeros((len(matches), *at.shape), np.float32)
    above, below = np.zeros((2, len(matches), len(rows)), np.float32)
    replied = corpus.replies[rows]
    grand = np.where(replied >= 0, corpus.replies[replied], -1)
    for word, known in enumerate(matches):
        everywhere = np.zeros(corpus.size, np.float32)
        everywhere[known.rows] = known.strengths
        around[word] = everywhere[at] * inside
        above[word] = everywhere[grand] * (grand >= 0)
        everywhere[known.rows] = 0
        answered = corpus.replies[known.rows]
        np.maximum.at(everywhere, answered[answered >= 0], known.strengths[answered >= 0])
        below[word] = everywhere[rows]
    return around, above, below


def _match_of_question_before(own: Floats, asking: Mask, at: Ints, inside: Mask) -> Floats:
    """Return how well the turn before matches, if it asks something and the message has no arrow to tell what it
    answers."""
    before = at[:, _SELF - 1]
    return np.asarray(own[before] * (asking[before] & inside[:, _SELF - 1] & ~inside[:, _PARENT]), np.float32)


def signals(view: SignalInputs) -> dict[str, Floats]:
    """Return what is looked at, by name, for each candidate: about 0 to 1 each."""
    corpus, rows, question = view.corpus, view.rows, view.question
    lengths, sent_at = corpus.lengths[rows], corpus.sent_at[rows]
    meant = np.isin(corpus.speakers, list(question.speakers))
    # By how rarely those who are meant speak: of two people naming one tells little.
    theirs = meant[rows] * np.float32(-np.log(max(float(meant.mean()), _FEWEST)) / 2)
    # No row holds the empty term: what is not wanted is not looked for.
    marked = {wanted: corpus.postings(mark * (wanted in question.wanted))[0] for wanted, mark in _MARKS.items()}
    by_order = (sent_at.argsort(kind="stable").argsort() / max(len(rows) - 1, 1)).astype(np.float32)
    return {
        **_weigh_words(view),
        "session": view.session,
        "answers": view.asked,
        "speaker": theirs * np.float32(not question.by_asker),
        "asker": theirs * np.float32(question.by_asker),
        "length": np.log1p(np.minimum(lengths, _LONG)).astype(np.float32) / 3,
        "bare": (lengths <= 1).astype(np.float32),
        "asks": view.asking.astype(np.float32),
        "dated": _closeness_to_span(sent_at, question.spans),
        "latest": by_order * np.float32(question.outcome),
        "similar": view.similar,
        "meaning": view.meaning,
        **{wanted: np.isin(rows, held).astype(np.float32) for wanted, held in marked.items()},
    }


def _weigh_words(view: SignalInputs) -> dict[str, Floats]:
    """The signals that are weighted means over the words."""
    weights, own = view.weights, view.around[:, :, _SELF]
    summed = view.around @ _DECAY
    present = (own > 0).sum(axis=0) / max(len(weights), 1)
    return {
        "own": weights @ own,
        "near": weights @ (view.around * _NEARNESS).max(axis=2, initial=0),
        "around": weights @ view.around.max(axis=2, initial=0),
        "strength": weights @ (summed / (summed + _HALF_STRENGTH)),
        "distinct": present.astype(np.float32),
        "above": weights @ view.above,
        "below": weights @ view.below,
        "burst": weights @ _burst(view),
    }


def _burst(view: SignalInputs) -> Floats:
    """Weigh how well each word fits the turns of the same person right beside."""
    speakers = view.corpus.speakers
    best = np.zeros(view.around.shape[:2], np.float32)
    for turns, share in _BURST:
        beside = _SELF + turns
        same = speakers[view.at[:, beside]] == speakers[view.rows]
        best = np.maximum(best, view.around[:, :, beside] * (np.float32(share) * same))
    return best


def _closeness_to_span(sent_at: NDArray[np.int64], spans: Sequence[Span]) -> Floats:
    """1 in a span that is named; after it, fading."""
    best = np.zeros(len(sent_at), np.float32)
    for span in spans:
        since, until = span.since.timestamp(), span.until.timestamp()
        late = np.maximum(sent_at - until + 1, 0) / _DAY
        best = np.maximum(best, np.where(sent_at >= since, np.exp(-late / _ECHO_DAYS), 0))
    return best.astype(np.float32)
