"""Ranks the messages and notes that answer a question: words first, then what stands around them, who and when.

A message is seldom found by its own words alone: "Yes, in June" answers the question above it. So a word also counts,
less, where it stands a few turns away in the same talk, in a message replied to, and in the whole session. Two steps:
every message gets a rough score by array operations, the best `CANDIDATES` are looked at closely (`signals`). How much
each signal weighs was fitted on LoCoMo's development half and on the three groups of tests/data/recall together, each
conversation being ranked by what the others taught, and rounded (tests/evals/retrieval.py measures it).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.vectors import AskedVector
from shared.domain.recall.layout import Layout, layout_of
from shared.domain.recall.matching import Floats, Ints, Mask, TermMatch, match, totals
from shared.domain.recall.question import SearchQuery
from shared.domain.recall.signals import SignalInputs, look, signals
from shared.domain.recall.similarity import cosines, nearness, note_similarity, relative
from shared.domain.recall.time_phrases import Span
from shared.domain.text.data_files import read_data

WEIGHTS: Mapping[str, float] = read_data(__package__, "weights")["signals"]
"""The number that each signal (see `signals`) adds to a message's score."""

CANDIDATES = 1_000
"""Messages looked at closely (all of a small chat, a few milliseconds in a large one)."""

_SESSION_HALF, _SESSION_B = 0.6, 0.5
"""Strength at which a word counts half in a session of average size, and how much its size matters (BM25's b). Flat
around here."""

_BESIDE = 0.3
"""The weight of everything else beside the own words in the rough score (it only has to let them in)."""


_CLOSE, _NEAREST = 2.0, 500
"""Standard deviations above the usual from which a message is looked at for its meaning alone, and how many are."""

_IN_TIME, _SIMILAR = 0.2, 0.5
"""The weights of a note about the time that is named, and of the one nearest in meaning, beside words in [0, 1)."""


class Ranked(NamedTuple):
    """A row and its score; scores compare only within one answer."""

    row: int
    score: float


def rank(
    corpus: Corpus, question: SearchQuery, *, limit: int, allowed: Mask | None = None, vector: AskedVector | None = None
) -> list[Ranked]:
    """The messages that answer best, best first; of equals the newest first.

    A question of which only who or when is known here gets the newest messages of them; one of which nothing is known
    gets nothing. What a bot said is never found, but its words help to find what stands around it.

    Args:
        limit: At most so many.
        allowed: Which rows may be found; the words of the others count nowhere. None: all.
        vector: The question's embedding; vectors of another model or size are ignored.
    """
    allowed_rows = np.ones(corpus.size, np.bool_) if allowed is None else allowed
    eligible = allowed_rows & ~corpus.bots
    if limit < 1 or not eligible.any():
        return []
    matches, layout = match(corpus, question, allowed), layout_of(corpus)
    own, similar, near = totals(matches, corpus.size), note_similarity(corpus, vector), nearness(corpus, vector)
    close = _close(near, eligible)
    if all(known.light for known in matches) and not (similar.any() or close.any()):
        newest = _choose_newest(corpus, question, eligible, limit)
        if newest:
            return newest
    named = _in_named_span(corpus.sent_at, question.spans)
    session = _sessions(matches, layout)[layout.session_of]
    rough = _score_roughly(own + _BESIDE * close, corpus.replies, session + similar + named) * eligible
    rows = _choose_rows(rough, max(CANDIDATES, limit))
    view = look(corpus, question, rows, matches, layout, own, allowed_rows, session, similar, near)
    connected = (
        view.around.any(axis=(0, 2))
        | view.above.any(axis=0)
        | view.below.any(axis=0)
        | (view.session > 0)
        | (view.similar > 0)
        | (close[view.at] > 0).any(axis=1)
        | named[rows]
    )
    return _order_rows(corpus, rows[connected], scores(view)[connected], limit)


def rank_notes(
    corpus: Corpus, question: SearchQuery, *, limit: int, allowed: Mask | None = None, vector: AskedVector | None = None
) -> list[Ranked]:
    """The notes that answer best, best first, rows of `corpus.notes`; of equals the newest first.

    Args:
        limit: At most so many.
        allowed: Which rows may be found; None: all.
        vector: As of `rank`.
    """
    notes = corpus.notes
    scored = totals(match(notes, question), notes.size)
    for span in question.spans:
        since, until = span.since.timestamp(), span.until.timestamp()
        scored += _IN_TIME * ((notes.sent_at >= since) & (notes.sent_at < until))
    near = cosines(notes, vector)
    if near is not None:
        scored += _SIMILAR * relative(near)
    if allowed is not None:
        scored = np.where(allowed, scored, 0)
    best = np.lexsort((notes.lasts, scored))[::-1][: max(limit, 0)]
    return [Ranked(int(row), float(scored[row])) for row in best if scored[row] > 0]


def scores(view: SignalInputs) -> Floats:
    """The score of each candidate."""
    return np.asarray(np.sum([WEIGHTS[name] * signal for name, signal in signals(view).items()], axis=0), np.float32)


def _sessions(matches: Sequence[TermMatch], layout: Layout) -> Floats:
    """Return how well each session as a whole holds the words, by BM25 over sessions; in [0, 1)."""
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


def _score_roughly(own: Floats, replies: NDArray[np.int32], beside: Floats) -> Floats:
    """A score for every row: its words, those of three turns each way and of what its arrows lead to, and the rest."""
    around = beside + own
    for turns in (1, 2, 3):
        around[turns:] += own[:-turns]
        around[:-turns] += own[turns:]
    replying = np.flatnonzero(replies >= 0)
    replied = replies[replying]
    around[replying] += own[replied] + own[replies[replied]] * (replies[replied] >= 0)
    around += np.bincount(replied, own[replying], len(own))
    return np.asarray(own + _BESIDE * around, np.float32)


def _close(near: Floats, eligible: Mask) -> Floats:
    """Return for each row how near it is, 0 for one that is not among the nearest or not much nearer than usual."""
    near = np.where(eligible & (near >= _CLOSE), near, 0)
    close, rows = np.zeros_like(near), _choose_rows(near, _NEAREST)
    close[rows] = near[rows]
    return close


def _choose_rows(rough: Floats, count: int) -> Ints:
    """Rows with the highest scores, ascending; of equals the later ones."""
    rows = np.flatnonzero(rough)
    if len(rows) <= count:
        return rows
    cut = np.partition(rough[rows], -count)[-count]
    surely, equal = rows[rough[rows] > cut], rows[rough[rows] == cut]
    return np.sort(np.concatenate((surely, equal[len(equal) - (count - len(surely)) :])))


def _in_named_span(sent_at: NDArray[np.int64], spans: Sequence[Span]) -> Mask:
    """Return which are in a span that is named."""
    meant = np.zeros(len(sent_at), np.bool_)
    for span in spans:
        meant |= (sent_at >= span.since.timestamp()) & (sent_at <= span.until.timestamp() - 1)
    return meant


def _choose_newest(corpus: Corpus, question: SearchQuery, eligible: Mask, limit: int) -> list[Ranked]:
    """The newest messages of the people named, in the time named; nothing when neither is."""
    if not (question.speakers or question.spans):
        return []
    if question.speakers:
        eligible = eligible & np.isin(corpus.speakers, list(question.speakers))
    if question.spans:
        eligible = eligible & _in_named_span(corpus.sent_at, question.spans)
    rows = np.flatnonzero(eligible)
    return _order_rows(corpus, rows, np.zeros(len(rows), np.float32), limit)


def _order_rows(corpus: Corpus, rows: Ints, scored: Floats, limit: int) -> list[Ranked]:
    order = np.lexsort((-corpus.message_ids[rows], -corpus.sent_at[rows], -scored))[:limit]
    return [Ranked(int(rows[at]), float(scored[at])) for at in order]
