"""Which messages answer a question: words first, then what stands around them, who says them and when.

A message is seldom found by its own words alone: "Yes, in June" answers the question above it. So a word also counts,
less, where it stands a few turns away in the same talk, in a message replied to, and in the whole session. Two steps:
every message gets a rough score by array operations, the best `CANDIDATES` are looked at closely. How much each signal
weighs was fitted once on LoCoMo's development half, every conversation being ranked by what the others taught, and
rounded (tests/evals/retrieval.py measures it).
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.corpus import Corpus
from shared.domain.recall.layout import Layout, layout_of
from shared.domain.recall.matching import Floats, Ints, Mask, Match, match, totals
from shared.domain.recall.question import Question
from shared.domain.recall.similarity import note_similarity
from shared.domain.recall.terms import TELLS_NUMBER, TELLS_PLACE, TELLS_TIME
from shared.domain.recall.time_phrases import Span

WEIGHTS = MappingProxyType(
    {
        "own": 1.5,
        "near": 4.5,
        "around": 4.0,
        "strength": 4.0,
        "session": 3.0,
        "distinct": 2.0,
        "answers": 5.0,
        "speaker": 1.25,
        "length": 1.5,
        "asks": -0.75,
        "time": 2.0,
        "number": 1.5,
        "place": 2.5,
        "dated": 4.5,
        "similar": 3.0,
    }
)
"""What each signal (see `signals`) adds to a message's score: flat, changing all at once by up to 30 % costs no recall
more than 0.015."""

CANDIDATES = 1_000
"""Messages looked at closely (own choice: all of a small chat, a few milliseconds in a large one)."""

_REACH = 6
_NEAR = (0.8, 0.7, 0.6, 0.0, 0.0, 0.0)
_BEFORE, _AFTER = (0.5, 0.25, 0.15, 0.1, 0.0, 0.0), (0.3, 0.15, 0.1, 0.05, 0.0, 0.0)
"""What a word weighs so many turns away: at its best, and in the sum, where what was said before weighs more."""

_HALF_STRENGTH = 0.5
_SESSION_HALF, _SESSION_B = 0.6, 0.5
"""Strength at which a word counts half, in a message with its neighbours and in a session of average size; and how much
a session's size matters (BM25's b). All flat around here."""

_BESIDE = 0.3
"""What everything else weighs beside the own words in the rough score (own choice: it only has to let them in)."""

_CRUMBS = 1e-6
"""What rounding leaves of a sum of nothing."""

_LONG = 40
"""Terms from which a message is long; a longer one tells no more."""

_MARKS = MappingProxyType({"time": TELLS_TIME, "number": TELLS_NUMBER, "place": TELLS_PLACE})
_DAY = 86_400.0
_ECHO_DAYS = 3.0
"""A day is spoken of for some days after it (own choice)."""


class Ranked(NamedTuple):
    """A row and its score; scores compare only within one answer."""

    row: int
    score: float


class View(NamedTuple):
    """What the signals of the candidates are made from.

    Attributes:
        rows: The candidates, ascending.
        weights: Of each word.
        around: For each word and candidate, its strength from `_REACH` turns before to as many after, then in the
            message replied to; nothing from beyond the talk.
        asked: How well the question just before it, or the one it replies to, matches.
        session: How well its session matches.
        similar: How near the notes about it are to the question's embedding.
    """

    corpus: Corpus
    question: Question
    rows: Ints
    weights: Floats
    around: Floats
    asked: Floats
    asking: Mask
    session: Floats
    similar: Floats


def rank(
    corpus: Corpus,
    question: Question,
    *,
    limit: int,
    allowed: Mask | None = None,
    vector: Sequence[float] | None = None,
    model: str | None = None,
) -> list[Ranked]:
    """The messages that answer best, best first; of equals the newest first.

    A question of which only who or when is known here gets the newest messages of them; one of which nothing is known
    gets nothing. What a bot said is never found, but its words help to find what stands around it.

    Args:
        limit: At most so many.
        allowed: Which rows may be found; the words of the others count nowhere. None: all.
        vector: The question's embedding; one of another size than the notes' is ignored.
        model: Who made `vector`; when it is not who made the notes' it is ignored.
    """
    heard = np.ones(corpus.size, np.bool_) if allowed is None else allowed
    eligible = heard & ~corpus.bots
    if limit < 1 or not eligible.any():
        return []
    matches, layout = match(corpus, question, allowed), layout_of(corpus)
    own, similar = totals(matches, corpus.size), note_similarity(corpus, vector, model)
    if all(known.light for known in matches) and not similar.any():
        newest = _newest(corpus, question, eligible, limit)
        if newest:
            return newest
    named = _dated(corpus.sent_at, question.spans) >= 1
    sessions = _sessions(matches, layout)
    rough = _rough(own, corpus.replies, sessions[layout.session_of] + similar + named) * eligible
    rows = _best(rough, max(CANDIDATES, limit))
    at, inside = _surroundings(corpus, rows, layout)
    view = View(
        corpus, question, rows,
        weights=np.array([known.weight for known in matches], np.float32),
        around=_strengths_at(matches, at, inside, corpus.size),
        asked=_asked(own * (layout.asking & heard), at, inside),
        asking=layout.asking[rows],
        session=sessions[layout.session_of[rows]],
        similar=similar[rows],
    )  # fmt: skip
    connected = view.around.any(axis=(0, 2)) | (view.session > 0) | (view.similar > 0) | named[rows]
    return _ordered(corpus, rows[connected], scores(view)[connected], limit)


def scores(view: View) -> Floats:
    """The score of each candidate."""
    weighed = [WEIGHTS[name] * signal for name, signal in signals(view).items()]
    return np.asarray(np.sum(weighed, axis=0), np.float32)


def _sessions(matches: Sequence[Match], layout: Layout) -> Floats:
    """How well each session as a whole holds the words, by BM25 over sessions; in [0, 1)."""
    sizes, whole = layout.sizes, 0.0
    norms = _SESSION_HALF * (1 - _SESSION_B + _SESSION_B * sizes / max(float(sizes.mean()), 1.0))
    summed = np.zeros(len(sizes), np.float32)
    for known in matches:
        rows, strengths = known.rows, known.strengths
        held = np.bincount(layout.session_of[rows], strengths, len(sizes)).astype(np.float32)
        holding = np.count_nonzero(held)
        telling = float(np.log1p((len(sizes) - holding + 0.5) / (holding + 0.5)))
        summed += telling * held / (held + norms)
        whole += telling
    return summed / np.float32(max(whole, 1e-9))


def _rough(own: Floats, replies: NDArray[np.int32], beside: Floats) -> Floats:
    """A score for every row: its words, those of three turns each way and of what it replies to, and the rest."""
    sums = np.concatenate((np.zeros(4), np.cumsum(own, dtype=np.float64)))
    sums = np.concatenate((sums, np.full(3, sums[-1])))
    window = (sums[7:] - sums[:-7]).astype(np.float32)
    replied = np.where(replies >= 0, own[np.maximum(replies, 0)], 0)
    rough = own + _BESIDE * (window + replied + beside)
    return np.asarray(np.where(rough > _CRUMBS, rough, 0), np.float32)


def _best(rough: Floats, count: int) -> Ints:
    """Rows with the highest scores, ascending; of equals the later ones."""
    rows = np.flatnonzero(rough)
    if len(rows) <= count:
        return rows
    cut = np.partition(rough[rows], -count)[-count]
    surely, equal = rows[rough[rows] > cut], rows[rough[rows] == cut]
    return np.sort(np.concatenate((surely, equal[len(equal) - (count - len(surely)) :])))


def _surroundings(corpus: Corpus, rows: Ints, layout: Layout) -> tuple[Ints, Mask]:
    """The rows around each candidate and the one replied to, and which of these are there and of the same talk."""
    at = rows[:, None] + np.arange(-_REACH, _REACH + 1)
    inside = (at >= 0) & (at < corpus.size)
    at = np.clip(at, 0, corpus.size - 1)
    inside &= layout.talk_of[at] == layout.talk_of[rows][:, None]
    replied = corpus.replies[rows].astype(np.intp)
    return np.column_stack((at, np.maximum(replied, 0))), np.column_stack((inside, replied >= 0))


def _strengths_at(matches: Sequence[Match], at: Ints, inside: Mask, size: int) -> Floats:
    around = np.zeros((len(matches), *at.shape), np.float32)
    for word, known in enumerate(matches):
        everywhere = np.zeros(size, np.float32)
        everywhere[known.rows] = known.strengths
        around[word] = everywhere[at] * inside
    return around


def _asked(asked: Floats, at: Ints, inside: Mask) -> Floats:
    """How well a question matches to which the message is the next turn, or a reply."""
    before = [_REACH - 1, -1]
    return np.asarray((asked[at[:, before]] * inside[:, before]).max(axis=1), np.float32)


def signals(view: View) -> dict[str, Floats]:
    """What is looked at, by name, for each candidate: about 0 to 1 each."""
    corpus, rows, question, weights = view.corpus, view.rows, view.question, view.weights
    own = view.around[:, :, _REACH]
    decay = np.array([*_BEFORE[::-1], 1, *_AFTER, _BEFORE[0]], np.float32)
    nearness = np.array([*_NEAR[::-1], 1, *_NEAR, _NEAR[0]], np.float32)
    summed = view.around @ decay
    present = (own > 0).sum(axis=0) / max(len(weights), 1)
    return {
        "own": weights @ own,
        "near": weights @ (view.around * nearness).max(axis=2, initial=0),
        "around": weights @ view.around.max(axis=2, initial=0),
        "strength": weights @ (summed / (summed + _HALF_STRENGTH)),
        "session": view.session,
        "distinct": present.astype(np.float32),
        "answers": view.asked,
        "speaker": np.isin(corpus.speakers[rows], list(question.speakers)).astype(np.float32),
        "length": np.log1p(np.minimum(corpus.lengths[rows], _LONG)).astype(np.float32) / 3,
        "asks": view.asking.astype(np.float32),
        "dated": _dated(corpus.sent_at[rows], question.spans),
        "similar": view.similar,
        **{wanted: _marked(corpus, rows, mark) * (wanted in question.wanted) for wanted, mark in _MARKS.items()},
    }


def _marked(corpus: Corpus, rows: Ints, mark: str) -> Floats:
    return np.isin(rows, corpus.postings(mark)[0], assume_unique=True).astype(np.float32)


def _dated(sent_at: NDArray[np.int64], spans: Sequence[Span]) -> Floats:
    """1 in a span that is named; after it, fading."""
    best = np.zeros(len(sent_at), np.float32)
    for span in spans:
        since, until = span.since.timestamp(), span.until.timestamp()
        late = np.maximum(sent_at - until + 1, 0) / _DAY
        best = np.maximum(best, np.where(sent_at >= since, np.exp(-late / _ECHO_DAYS), 0))
    return best.astype(np.float32)


def _newest(corpus: Corpus, question: Question, eligible: Mask, limit: int) -> list[Ranked]:
    """The newest messages of who is named in the time that is named; nothing when neither is."""
    if not (question.speakers or question.spans):
        return []
    if question.speakers:
        eligible = eligible & np.isin(corpus.speakers, list(question.speakers))
    if question.spans:
        eligible = eligible & (_dated(corpus.sent_at, question.spans) >= 1)
    rows = np.flatnonzero(eligible)
    return _ordered(corpus, rows, np.zeros(len(rows), np.float32), limit)


def _ordered(corpus: Corpus, rows: Ints, scored: Floats, limit: int) -> list[Ranked]:
    order = np.lexsort((-corpus.message_ids[rows], -corpus.sent_at[rows], -scored))[:limit]
    return [Ranked(int(rows[at]), float(scored[at])) for at in order]
