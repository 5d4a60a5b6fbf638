"""Answers small talk without memory or a model: a greeting, thanks, a sum, the time and the date."""

import re
from datetime import datetime
from typing import Literal

from shared.domain.answering.calculation import MAX_EXPRESSION, CalculationError, calculate
from shared.domain.text.data_files import expressions, read_data
from shared.domain.text.language import unify_apostrophes

_SAYS = expressions(__package__, "small_talk")


def reply_to_small_talk(said: str, language: Literal["uk", "en"], now: datetime | None) -> str:
    """Return a short reply to what is nothing else, or "": only the whole of what was said counts.

    Args:
        now: In the chat's time zone; None when it is not known.
    """
    phrases = read_data(__package__, "small_talk")["phrases"][language]
    folded = " ".join(unify_apostrophes(said).casefold().replace(",", " ").split()).rstrip(" ?!.)…")
    for kind in ("greeting", "thanks"):
        if _SAYS[kind].fullmatch(folded):
            return str(phrases[kind])
    if now is not None and (_SAYS["time"].fullmatch(folded) or _SAYS["date"].fullmatch(folded)):
        weekday, month = phrases["weekdays"].split()[now.weekday()], phrases["months"].split()[now.month - 1]
        return str(phrases["now"]).format(now=now, weekday=weekday, month=month)
    return _work_out(said)


def _work_out(said: str) -> str:
    """Return the sum that somebody asks for and its value, or ""."""
    if len(said) > MAX_EXPRESSION:
        return ""
    folded = unify_apostrophes(said).casefold().strip().rstrip("?=. ")
    expression, asked = _SAYS["sum_asked"].subn("", folded)
    for words, sign in read_data(__package__, "small_talk")["operators"].items():
        expression = re.sub(rf"(?<!\w)(?:{words})(?!\w)", sign, expression)
    if not _SAYS["sum"].fullmatch(expression) or not (asked or _SAYS["unasked_sum"].fullmatch(expression)):
        return ""
    try:
        return f"{expression.strip()} = {calculate(expression)}".translate(_INERT)
    except CalculationError:
        return ""


# What means something in Markdown is to be seen as it was typed.
_INERT = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>&~#"})
