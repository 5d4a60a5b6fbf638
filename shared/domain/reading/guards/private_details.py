"""Passwords, codes, telephone and card numbers: no facts, and quoted only to their author.

A guard, not an understanding: it would rather keep a harmless line back than tell a secret.
"""

import unicodedata

from shared.domain.text.data_files import expressions

_SAYS = expressions(__package__, "private_details")


def holds_private_detail(text: str) -> bool:
    """Return whether a text tells a password, a code, or the number of a telephone, a card or an account."""
    said = _without_dates(text)
    if _SAYS["number"].search(said) or _SAYS["account"].search(said):
        return True
    if _holds_code(said) and (_SAYS["coded"].search(said) or _SAYS["secret"].search(said)):
        return True
    return _SAYS["secret"].search(said) is not None and not said.rstrip().endswith("?")


def may_answer_privately(question: str, text: str) -> bool:
    """Return whether somebody asks for such a thing and a text, without a word about it, may be what is asked for."""
    asked = question.casefold()
    return any(_SAYS[name].search(asked) for name in ("secret", "coded", "numbered")) and _holds_code(
        _without_dates(text)
    )


def _without_dates(text: str) -> str:
    """The text in small letters, without figures that are no secret."""
    return _SAYS["dated"].sub(" ", unicodedata.normalize("NFKC", text).casefold())


def _holds_code(said: str) -> bool:
    return _SAYS["code"].search(said) is not None or _SAYS["mixed"].search(said) is not None
