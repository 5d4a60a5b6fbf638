"""Passwords, codes, telephone and card numbers: no facts, and quoted only to their author.

A guard, not an understanding: it would rather keep a harmless line back than tell a secret.
"""

import re
import unicodedata

from shared.domain.text.data_files import expressions

_SAYS = expressions(__package__, "private_details")


def holds_private_detail(text: str) -> bool:
    """Return whether a text tells a password, a code, or the number of a telephone, a card or an account."""
    said = _without_dates(text)
    if _tells(said, "number", "account") or (_tells(said, "code", "mixed") and _tells(said, "coded", "secret")):
        return True
    return _tells(said, "secret") and not said.rstrip().endswith("?")


def is_private(question: str, text: str) -> bool:
    """Return whether a text tells a private detail, or may be the one that is asked for, without a word about it."""
    asks = _tells(question.casefold(), "secret", "coded", "numbered")
    return holds_private_detail(text) or (asks and _tells(_without_dates(text), "code", "mixed"))


def hide_figures(text: str) -> str:
    """Return a text without its figures where it tells a private detail; what it is about may be known."""
    return re.sub(r"\d", "•", text) if holds_private_detail(text) else text


def _without_dates(text: str) -> str:
    """The text in small letters, without figures that are no secret."""
    return _SAYS["dated"].sub(" ", unicodedata.normalize("NFKC", text).casefold())


def _tells(said: str, *names: str) -> bool:
    return any(_SAYS[name].search(said) for name in names)
