"""The division of a corpus into talks and sessions: worked out once for each corpus, by array operations."""

from datetime import timedelta
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.corpus import Corpus
from shared.domain.text.terms import ASKS

SILENCE = timedelta(hours=1)
"""The time without a message after which the next one begins another talk."""

_SESSION_ROWS = 64
"""A talk that never falls silent is cut into sessions of so many messages."""


class Layout(NamedTuple):
    """Rows of one talk stand together: one topic, without a long silence. A session is a talk or a piece of a long one.

    Attributes:
        talk_of: Number of each row's talk.
        session_of: Number of each row's session.
        sizes: Rows in each session.
        asking: Which rows ask something.
    """

    talk_of: NDArray[np.int32]
    session_of: NDArray[np.int32]
    sizes: NDArray[np.float32]
    asking: NDArray[np.bool_]


def layout_of(corpus: Corpus) -> Layout:
    """The layout of a corpus; remembered as long as the corpus lives."""
    known = _KNOWN.get(corpus)
    if known is None:
        known = _KNOWN[corpus] = _divide(corpus)
    return known


def surroundings(corpus: Corpus, rows: NDArray[np.intp], reach: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The rows up to so many turns around each of some and the one replied to, and which are there and of its talk."""
    talk_of = layout_of(corpus).talk_of
    at = rows[:, None] + np.arange(-reach, reach + 1)
    inside = (at >= 0) & (at < corpus.size)
    at = np.clip(at, 0, corpus.size - 1)
    inside &= talk_of[at] == talk_of[rows][:, None]
    replied = corpus.replies[rows].astype(np.intp)
    return np.column_stack((at, np.maximum(replied, 0))), np.column_stack((inside, replied >= 0))


_KNOWN: WeakKeyDictionary[Corpus, Layout] = WeakKeyDictionary()


def _divide(corpus: Corpus) -> Layout:
    before = corpus.before
    if before is None or not before.size:
        return _lay_out_from(corpus, 0)
    known = layout_of(before)
    start = int(known.session_of.searchsorted(known.session_of[-1]))
    last = _lay_out_from(corpus, start)
    session = int(known.session_of[start])
    return Layout(
        np.concatenate((known.talk_of[:start], last.talk_of + known.talk_of[start])),
        np.concatenate((known.session_of[:start], last.session_of + session)),
        np.concatenate((known.sizes[:session], last.sizes)),
        np.concatenate((known.asking[:start], last.asking)),
    )


def _lay_out_from(corpus: Corpus, start: int) -> Layout:
    """The layout of the rows from the start of a session on."""
    threads, sent = corpus.threads[start:], corpus.sent_at[start:]
    begins = np.ones(len(sent), np.bool_)
    begins[1:] = (threads[1:] != threads[:-1]) | (np.diff(sent) > SILENCE.total_seconds())
    talk_of = np.cumsum(begins) - 1
    since_start = np.arange(len(sent)) - np.flatnonzero(begins)[talk_of]
    session_of = np.cumsum(begins | (since_start % _SESSION_ROWS == 0)) - 1
    asking, rows = np.zeros(len(sent), np.bool_), corpus.postings(ASKS)[0]
    asking[rows[rows >= start] - start] = True
    return Layout(
        talk_of.astype(np.int32), session_of.astype(np.int32), np.bincount(session_of).astype(np.float32), asking
    )
