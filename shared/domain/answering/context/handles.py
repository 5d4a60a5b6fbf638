"""Short names that are unique in one context: the name, with a number only when two share it (`Оля`, `Оля#2`).

Names that only look alike share one, too. The bot's name is always its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.domain.text.lookalikes import one_script
from shared.domain.text.plain import one_line

MAX_HANDLE = 24
"""Characters of a name in a handle: Telegram allows 64 + 64, names in use are shorter."""

NAMELESS = "user"
"""What somebody is called whose name shows nothing that a handle may hold."""

_STRUCTURE = re.compile(r"[:#→←\[\]<>\\]")
_WORD = re.compile(r"\w")


def handles_of(names: Mapping[int, str], *, bot_id: int | None, bot_name: str) -> dict[int, str]:
    """A handle for each person, and for the bot; the same people always get the same ones.

    Args:
        names: What each is called, by user id; of two who share a name the lower id has it bare.
        bot_id: Of the bot itself, or None.
    Returns:
        Handles by user id, all different, none with `:`, `#` but before its number, `→`, brackets or a line break.
    """
    given: dict[int, str] = {} if bot_id is None else {bot_id: _bare(bot_name)}
    taken = {_appearance(_bare(bot_name)): 1}
    for user_id in sorted(set(names) - given.keys()):
        name = _bare(names[user_id])
        number = taken[_appearance(name)] = taken.get(_appearance(name), 0) + 1
        given[user_id] = name if number == 1 else f"{name}#{number}"
    return given


def _bare(name: str) -> str:
    shown = one_line(_STRUCTURE.sub(" ", name), MAX_HANDLE).strip()
    return shown if _WORD.search(shown) or not shown.isascii() else NAMELESS


def _appearance(name: str) -> str:
    return one_script(name).casefold()
