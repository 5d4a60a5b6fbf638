"""Whether the asker's own words ask for what a tool would do to the memory.

Code checks it, not a prompt: what a model was talked into by a message that it only read changes nothing.
"""

from __future__ import annotations

import re

from shared.domain.language import fold, unify_apostrophes

_REMEMBER = re.compile(
    r"запам['ʼ]?ят|пам['ʼ]?ята|не забу|запиш|занот|нотуй|зафікс|збереж|май на увазі|врахуй|\bзнай\b|щоб ти знав"
    r"|remember|memori[sz]|\bnote\b|note down|take note|don'?t forget|keep in mind|write (?:it |this |that )?down"
    r"|\bsave\b|store|\brecord\b|for the record|know that|learn that"
)
_FORGET = re.compile(
    r"забу[дт]|видал|прибер|зітр|зітер|стер|сотри|викинь|викресл|більше не згаду"
    r"|forget|delet|remov|eras|\bdrop\b|wipe|unlearn|scratch that|no longer (?:know|remember)"
)
_DO_NOT_FORGET = re.compile(r"не забу\w*|(?:don'?t|do not|never) forget")


def asks_to_remember(text: str) -> bool:
    """Whether somebody asks to remember something, in either language."""
    return _REMEMBER.search(_plain(text)) is not None


def asks_to_forget(text: str) -> bool:
    """Whether somebody asks to forget something; "don't forget" asks for the opposite."""
    return _FORGET.search(_DO_NOT_FORGET.sub(" ", _plain(text))) is not None


def _plain(text: str) -> str:
    return fold(unify_apostrophes(text))
