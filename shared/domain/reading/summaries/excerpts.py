"""Summaries without a model: the pieces of what was said that tell most, quoted with their speakers.

Which pieces: those that together cover the most details (`details_of`) within the room, chosen greedily by details per
character. Nothing is reworded, so nothing is invented.
"""

import heapq
import re
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from shared.domain.conversation.messages import Message
from shared.domain.reading.summaries.details import Detail, details_of, is_idle
from shared.domain.text.plain import SENTENCE_END, one_line, quote_inline

MOST_CHARS = 1_200
"""The length of a summary without a model: some 400 tokens for ten messages."""

SHARE = 0.6
"""The largest share of the talk's characters that its summary takes, where there is enough talk to choose from."""

SHORT_TALK = 300
"""Characters of talk that are short enough to be kept whole, small talk aside."""

_SPEAKER_CHARS, _MESSAGE_CHARS = 40, 4_096
_LINE_OVERHEAD = 6
_FORWARDED = " (forwarded)"
_MIN_PIECE = 18
_CLAUSE = re.compile(
    r"(?<=[,;:—–)])\s+|\s+(?=[—–(])|\s+(?=(?:але|бо|тому що|а ще|і ще|but|because|and then|so that)\s)"
)
_GAP = " … "
_SETTLING = 12
"""Characters added to every piece when pieces are compared: a fragment is worth less than its few letters suggest."""
_ASKED = 0.7
"""The weight of a detail in a question: an answer tells more."""


class _Piece(NamedTuple):
    """A stretch of one text: which text, where in it, and what it tells."""

    source: int
    start: int
    end: int
    details: frozenset[Detail]

    @property
    def length(self) -> int:
        return self.end - self.start


def extractive_summary(messages: Sequence[Message]) -> str:
    """Return what was said, shortened to the pieces with dates, numbers, places, names and promises; "" if nothing was.

    One line a message, speaker and words as two JSON strings: neither can look like another line. At most `MOST_CHARS`
    characters, and at most `SHARE` of the talk where it is longer than `SHORT_TALK`.
    """
    said = [m for m in messages if _words(m)]
    texts = [_words(m) for m in said]
    names = sorted({part for m in said for part in (m.name or "").casefold().split() if len(part) > 1})
    whole = sum(len(text) for text in texts)
    room = min(MOST_CHARS, whole * 2 if whole <= SHORT_TALK else max(int(whole * SHARE), SHORT_TALK))
    heads = [f"{quote_inline(one_line(m.name, _SPEAKER_CHARS))}{_FORWARDED if m.forwarded else ''}: " for m in said]
    pieces = [piece for n, text in enumerate(texts) if not is_idle(text) for piece in _pieces(n, text, names)]
    if whole > SHORT_TALK:
        pieces = _choose(pieces, room, [len(head) + _LINE_OVERHEAD for head in heads])
    pieces.sort(key=lambda piece: (piece.source, piece.start))
    lines = [
        f"{heads[n]}{quote_inline(_join_pieces(texts[n], own))}"
        for n, own in groupby(pieces, lambda piece: piece.source)
    ]
    while sum(map(len, lines)) + len(lines) > MOST_CHARS + 1:  # escapes made them longer than they were counted
        lines.pop()
    return "\n".join(lines)


def condense(texts: Sequence[str], *, most_chars: int = MOST_CHARS) -> str:
    """The sentences of several summaries that together tell most, a line each, in order; quoted lines stay whole."""
    told = [line.strip() for text in texts for line in text.splitlines()]
    split = (sentence for line in told for sentence in ([line] if line.startswith('"') else SENTENCE_END.split(line)))
    lines = list(dict.fromkeys(filter(None, split)))
    if sum(map(len, lines)) + len(lines) <= most_chars:
        return "\n".join(lines)
    pieces = [_Piece(number, 0, len(line), details_of(line)) for number, line in enumerate(lines)]
    kept = _choose([p for p in pieces if p.length <= most_chars], most_chars, [1] * len(lines))
    return "\n".join(lines[number] for number in sorted({piece.source for piece in kept}))


def _words(message: Message) -> str:
    """Return what somebody said, passed on, or showed; "" of a bot and of a command."""
    silent = message.is_bot or message.kind == "command"
    return "" if silent else one_line(f"{message.text} {message.media_text}", _MESSAGE_CHARS)


def _pieces(source: int, text: str, names: Sequence[str]) -> list[_Piece]:
    sentences = _split(text, 0, len(text), SENTENCE_END)
    return [_piece(source, *clause, text, names) for sentence in sentences for clause in _clauses(text, *sentence)]


def _piece(source: int, start: int, end: int, text: str, names: Sequence[str]) -> _Piece:
    begins = not text[:start].strip() or text[:start].rstrip()[-1] in ".!?…"
    details = details_of(text[start:end], names, begins=begins)
    if text[start:end].rstrip().endswith("?"):
        details = frozenset(detail._replace(weight=detail.weight * _ASKED) for detail in details)
    return _Piece(source, start, end, details)


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for begin, stop in _split(text, start, end, _CLAUSE):
        if joined and (joined[-1][1] - joined[-1][0] < _MIN_PIECE or stop - begin < _MIN_PIECE // 2):
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((begin, stop))
    return joined


def _split(text: str, start: int, end: int, border: re.Pattern[str]) -> list[tuple[int, int]]:
    marks = [start, *chain(*(match.span() for match in border.finditer(text, start, end))), end]
    return [(begin, stop) for begin, stop in zip(marks[::2], marks[1::2], strict=True) if begin < stop]


def _choose(pieces: Sequence[_Piece], room: int, overhead: Sequence[int]) -> list[_Piece]:
    """Greedy cover: the piece with most new details per character first, as long as there is room.

    A gain only shrinks while others are chosen, so a piece whose gain is still what it was when it was pushed is best.
    """
    covered: set[tuple[str, str]] = set()
    opened: set[int] = set()
    kept: list[_Piece] = []

    def worth(piece: _Piece) -> float:
        gain = sum(detail.weight for detail in piece.details if detail[:2] not in covered)
        return gain / (piece.length + _SETTLING + (0 if piece.source in opened else overhead[piece.source]))

    heap = [(-worth(piece), number) for number, piece in enumerate(pieces)]
    heapq.heapify(heap)
    while heap:
        known, number = heapq.heappop(heap)
        piece, now = pieces[number], -worth(pieces[number])
        if now >= 0:
            continue
        if heap and now > heap[0][0] and now > known:
            heapq.heappush(heap, (now, number))
            continue
        cost = piece.length + (0 if piece.source in opened else overhead[piece.source])
        if cost <= room:
            room -= cost
            covered |= {detail[:2] for detail in piece.details}
            opened.add(piece.source)
            kept.append(piece)
    return kept


def _join_pieces(text: str, pieces: Iterable[_Piece]) -> str:
    """Neighbouring pieces as they stand in the text, others with an ellipsis between them."""
    joined, last = "", None
    for piece in pieces:
        between = text[last.end : piece.start] if last else ""
        joined += (_GAP if between.strip() else between) + text[piece.start : piece.end]
        last = piece
    return joined
