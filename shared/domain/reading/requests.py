"""Checks if the asker's own words ask for what a tool would do to the memory.

Code checks it, not a prompt: what a model was talked into by a message that it only read changes nothing.
"""

import re

from shared.domain.text.data_files import expressions
from shared.domain.text.language import fold, unify_apostrophes

_SAYS = expressions(__package__, "requests", flags=0)
_ONLY_ASKS = re.compile(
    rf"(?:{_SAYS['remember'].pattern})\w*(?:\W+(?:що|шо|це|таке|собі|і|й|будь|ласка|that|this|it|down|please|:))*\W*$"
)

"""The request to remember what follows, and nothing behind it."""
_CLOSING = {"«": "»", "“": "”", "„": "“”", '"': '"'}
"""The marks that end a quotation, by those that open it."""
_MARKS = " \t" + "".join(_CLOSING)


def asks_to_remember(text: str) -> bool:
    """Return whether somebody asks to remember something; "don't write it down" asks for the opposite."""
    return _SAYS["remember"].search(_SAYS["do_not_remember"].sub(" ", _plain(text))) is not None


def asks_to_forget(text: str) -> bool:
    """Return whether somebody asks to forget something; "don't forget" asks for the opposite."""
    return _SAYS["forget"].search(_SAYS["do_not_forget"].sub(" ", _plain(text))) is not None


def in_own_voice(quote: str, text: str) -> bool:
    """Return whether somebody says the quoted words themselves, and means what these say alone.

    False when a negation of their clause stands before them ("I don't | eat meat"), when the sentence says that another
    speaks, and within marks of quotation that do not follow the request itself.

    Args:
        quote: Occurs in `text` as it is.
    """
    from shared.domain.reading.guards.sentences import is_reported

    start = text.find(quote)
    sentence = text[max(text.rfind(mark, 0, start) for mark in ".!?…\n") + 1 : start]
    clause = _SAYS["do_not_forget"].sub(" ", _plain(sentence)).rstrip(_MARKS)
    if _SAYS["negated"].search(clause) or sentence.lstrip().startswith(">") or is_reported(sentence):
        return False
    opened = _find_quotation(text[:start])
    return opened is None or _ONLY_ASKS.search(_plain(text[:opened])) is not None


def _find_quotation(text: str) -> int | None:
    """Return where the quotation begins in which a text ends, or None."""
    opened: int | None = None
    for at, char in enumerate(text):
        if opened is None:
            opened = at if char in _CLOSING else None
        elif char in _CLOSING[text[opened]]:
            opened = None
    return opened


def _plain(text: str) -> str:
    return fold(unify_apostrophes(text))
