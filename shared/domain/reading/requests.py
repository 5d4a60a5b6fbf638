"""Whether the asker's own words ask for what a tool would do to the memory.

Code checks it, not a prompt: what a model was talked into by a message that it only read changes nothing.
"""

from __future__ import annotations

import re

from shared.domain.text.language import fold, unify_apostrophes

_REMEMBER = re.compile(
    r"запам['ʼ]?ят|пам['ʼ]?ята|не забу|запиш|записуй|занот|нотуй|зафікс|фіксуй|збереж|зберігай|май на увазі|врахуй"
    r"|\bзнай\b|щоб ти знав"
    r"|remember|memori[sz]|\bnote\b|note down|take note|don'?t forget|keep in mind|write (?:it |this |that )?down"
    r"|\bsave\b|\bstore (?:it|this|that|my)\b|\brecord\b|for the record|know that|learn that"
)
_DO_NOT_REMEMBER = re.compile(
    r"\bне (?:запам|пам['ʼ]?ята|запис|занот|нотуй|зафікс|фіксуй|збер)\w*"
    r"|\b(?:don'?t|do not|never) (?:remember|memori[sz]|note|take note|keep|write|save|store|record|learn)\w*"
)
_FORGET = re.compile(
    r"\bзабу(?:дь|дьте|вай|ти)\b|\bвидал(?:и|іть|яй|ити)|\bприбер|\bзітр|\bзітер|\bстер(?:и|іть|ти)\b|\bсотри|\bвикинь"
    r"|\bвикресл|більше не згаду"
    r"|\bforget\b|\bdelet|\bremov|\beras|\bdrop\b|\bwipe|\bunlearn|scratch that|no longer (?:know|remember)"
)
_DO_NOT_FORGET = re.compile(
    r"\bне (?:забу|видал|прибир|прибер|стир|зітр|викид|викинь|викресл)\w*"
    r"|\b(?:don'?t|do not|never) (?:forget|delet|remov|eras|drop|wipe|unlearn)\w*"
)

_ONLY_ASKS = re.compile(
    rf"(?:{_REMEMBER.pattern})\w*(?:\W+(?:що|шо|це|таке|собі|і|й|будь|ласка|that|this|it|down|please|:))*\W*$"
)

"""The request to remember what follows, and nothing behind it."""
_NEGATED = re.compile(
    r"(?<!\w)(?:не|ні|ані|ніколи|без|not|never|no|nor|without|cannot|\w+n't|\w+n’t)(?!\w)(?:\s+[^\W_]+){0,2}\s*$"
)
"""A negation with two words at most between it and the end."""
_CLOSING = {"«": "»", "“": "”", "„": "“”", '"': '"'}
"""What ends what a mark of quotation opens."""
_MARKS = " \t" + "".join(_CLOSING)


def asks_to_remember(text: str) -> bool:
    """Return whether somebody asks to remember something, in either language; "don't write it down" asks for the
    opposite."""
    return _REMEMBER.search(_DO_NOT_REMEMBER.sub(" ", _plain(text))) is not None


def asks_to_forget(text: str) -> bool:
    """Return whether somebody asks to forget something; "don't forget" asks for the opposite."""
    return _FORGET.search(_DO_NOT_FORGET.sub(" ", _plain(text))) is not None


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
    clause = _DO_NOT_FORGET.sub(" ", _plain(sentence)).rstrip(_MARKS)
    if _NEGATED.search(clause) or sentence.lstrip().startswith(">") or is_reported(sentence):
        return False
    opened = _opening_of_quotation(text[:start])
    return opened is None or _ONLY_ASKS.search(_plain(text[:opened])) is not None


def _opening_of_quotation(text: str) -> int | None:
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
