"""Estimates the tokens of a text without asking the model, and prices tokens by `prices.toml`.

The rules follow what Gemma's vocabulary (the published one of Gemini's family) does with words of each length: in
English most words are one token, in Ukrainian three to four letters are, the letters that Russian lacks cost more, and
so do capitals, transliteration and digits. `tests/data/tokens` holds texts with their true counts: the estimate is
never more than 5 % short of one of at least 20 tokens (`tests/unit/domain/spending/test_tokens.py`).
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache, lru_cache
from math import ceil
from typing import Any, NamedTuple

from shared.domain.text.data_files import read_data

MARGIN_UK, MARGIN_LATIN, MARGIN_ENGLISH = 1.14, 1.1, 1.1
"""The factors by which words are counted above their mean cost, so that no text comes out more than 5 % short."""

# A single space belongs to the word or the ASCII mark after it; before anything else it is a token of its own.
_PIECE = re.compile(r" ?[A-Za-z]+| ?[Ѐ-ӿ]+|[0-9]+| ?([!-/:-@\[-`{-~])\1*| ?[—–«“„‘]|\s+|[^\x00-\x7f\sЀ-ӿ]|.", re.DOTALL)
_LATIN = re.compile(r"[A-Za-z]+")
_VOWEL = re.compile("[аеєиіїоуюяыэёaeiouy]", re.IGNORECASE)
_REPEATED = re.compile(r"(.)\1{2,}")
_COSTLY_UK = re.compile("[іїєґщхюф]")
_COSTLY_ENGLISH, _COSTLY_LATIN = re.compile("[zxkjv]"), re.compile("[yzhkvjx]")
_COMMONEST = """
about also an and any are at be been but by can did didn does doesn don for from get go good got had has have he her
here him his how if in is isn it its just know like more not now of one only our out she than that the their them
then there they this up us want was we were what when where which who why will with would yes you your
"""
_ENGLISH = frozenset(_COMMONEST.split())
_UNSPACED = 0.8
"""More that an English word costs without a space before it: the vocabulary holds most words with one."""

_ENGLISH_SHARE = 8
"""A line is English when at least every eighth of its Latin words is one of the commonest (measured: one in three)."""


def estimate_tokens(text: str) -> int:
    """Estimate of the tokens of a text, at most 5 % short, on chat text about a seventh too high.

    Never more for a text than for its lines one by one with one more for each line's end.
    """
    lines = text.split("\n")
    return ceil(sum(map(_line_cost, lines))) + len(lines) - 1


def tokens_of_lines(lines: Iterable[str]) -> int:
    """Return what lines cost one by one, each with its end: an upper bound on what they cost joined."""
    return sum(estimate_tokens(line) + 1 for line in lines)


def within_budget(lines: Iterable[str], budget_tokens: int) -> list[str]:
    """The lines that fit, in order; a line is never cut (one that does not fit is left out, a later one may fit)."""
    kept, left = [], budget_tokens
    for line in lines:
        cost = estimate_tokens(line) + 1
        if cost <= left:
            kept.append(line)
            left -= cost
    return kept


@lru_cache(maxsize=2_000)  # notes and recent talk come again with the next answer
def _line_cost(line: str) -> float:
    latin = _LATIN.findall(line)
    common = sum(word.lower() in _ENGLISH for word in latin)
    english = common * _ENGLISH_SHARE >= len(latin)
    return sum(_piece_cost(match.group(), english) for match in _PIECE.finditer(line))


@lru_cache(maxsize=20_000)
def _piece_cost(piece: str, english: bool) -> float:
    if piece.isspace():
        return 1.0 if piece.isascii() else len(piece)
    mark = piece.lstrip(" ")
    if mark.isascii():
        if mark.isalpha():
            return _english_cost(mark, spaced=mark != piece) if english else _latin_cost(mark)
        return len(mark) if mark.isdigit() else _repeated_mark_cost(len(mark))
    return _cyrillic_cost(mark) if "Ѐ" <= mark[0] <= "ӿ" else _symbol_cost(ord(mark))


def _repeated_mark_cost(count: int) -> float:
    """`...`, `====`: one token up to some length, then a few."""
    return 1 + 0.35 * (count - 1) if count < 5 else 1.6 + 0.06 * count


def _english_cost(word: str, *, spaced: bool) -> float:
    low, length = word.lower(), len(word)
    if length == 1 or low in _ENGLISH:
        return 1.0
    if not _VOWEL.search(word) or word[1:] != low[1:]:
        return _latin_cost(word)
    letters = 0.11 * max(0, length - 4) + 0.3 * max(0, length - 9) + 0.2 * len(_COSTLY_ENGLISH.findall(low))
    return (1 + letters) * MARGIN_ENGLISH + _drawl(low) + (0 if spaced else _UNSPACED)


def _latin_cost(word: str) -> float:
    """A name, a transliteration, an abbreviation or a word in capitals."""
    low, length = word.lower(), len(word)
    if length == 1:
        return 1.0
    if not _VOWEL.search(word):
        return (0.5 + 0.5 * length) * MARGIN_LATIN
    if word[1:] != low[1:]:
        return (1 + 0.3 * (length - 2)) * MARGIN_LATIN
    return (1 + 0.31 * (length - 2) + 0.14 * len(_COSTLY_LATIN.findall(low))) * MARGIN_LATIN + _drawl(low)


def _cyrillic_cost(word: str) -> float:
    low, length = word.lower(), len(word)
    if length <= 2 or not _VOWEL.search(word):
        return length if length > 2 else MARGIN_UK
    if word[1:] != low[1:]:
        return 1 + 0.75 * (length - 1)
    letters = 0.27 * (length - 2) + 0.3 * len(_COSTLY_UK.findall(low)) + (0.33 if word[0] != low[0] else 0)
    return (1 + letters) * MARGIN_UK + 0.8 * low.count("ґ") + _drawl(low)


def _drawl(word: str) -> float:
    """Letters held for emphasis ("дуууууже") are cut into more pieces than words of that length are."""
    return 0.3 * sum(len(run.group()) - 2 for run in _REPEATED.finditer(word))


def _symbol_cost(code: int) -> float:
    """Emoji, typography and other scripts; what the vocabulary lacks costs its UTF-8 bytes."""
    if 0x1F3FB <= code <= 0x1F3FF or code in (0xFE0F, 0x200D):  # tones and joiners often melt into their emoji
        return 0.6
    if code < 0x800 or 0x2010 <= code <= 0x27BF or 0x1F1E6 <= code <= 0x1F1FF:
        return 1.0
    if 0x1F300 <= code <= 0x1F64F or 0x1F680 <= code <= 0x1F6FF or 0x1F900 <= code <= 0x1F9FF:
        return 1.0
    return 4.0 if code > 0xFFFF else 1.2


class ModelPrice(NamedTuple):
    """Dollars per million tokens.

    Attributes:
        cached: Of those read that came from the prefix cache.
        flex: What the flex tier takes of `input` and `output`, in (0, 1].
    """

    input: float
    output: float
    cached: float
    flex: float = 1.0

    def microdollars(self, read: int, written: int, *, cached: int = 0, flex: bool = False) -> int:
        """Return what tokens cost, in millionths of a dollar.

        Args:
            cached: How many of those read came from the prefix cache.
            flex: Whether the flex tier answered.
        """
        full = max(0, read - cached) * self.input + written * self.output
        return round(full * (self.flex if flex else 1.0) + min(cached, read) * self.cached)


def price_of(model: str, day: date) -> ModelPrice | None:
    """Return what a model costs on a day; None: it is not known."""
    held = [row for row in _entry(model).get("prices", ()) if row["from"] <= day]
    return _price(held[-1]) if held else None


def price_to_count(model: str, day: date) -> ModelPrice:
    """Return what a model counts at on a day: the dearest of all prices when its own is not known."""
    return price_of(model, day) or _dearest()


def retirement_of(model: str) -> date | None:
    """Return the day on which Google stops serving a model; None: none is known."""
    return _entry(model).get("retires")


def _entry(model: str) -> Mapping[str, Any]:
    return read_data(__package__, "prices").get(model.removeprefix("models/")) or {}


def _price(row: Mapping[str, Any]) -> ModelPrice:
    return ModelPrice(row["input"], row["output"], row.get("cached", row["input"]), row.get("flex", 1.0))


@cache
def _dearest() -> ModelPrice:
    prices = [_price(row) for entry in read_data(__package__, "prices").values() for row in entry["prices"]]
    most = max(price.input for price in prices)
    return ModelPrice(most, max(price.output for price in prices), cached=most)
