"""The lines that a person types at the console, speaking for several members."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

HELP = """\
Оля: text           Оля says something (a name is one or two words)
Оля*: text          the same, and Оля is an administrator from now on
text                the last speaker goes on (start with a space if the line looks like `word: …`)
Тарас > 12: text    Тарас replies to message 12 (the dim number)
Оля: /1             Оля presses the button with this number that was shown last (Оля > 12: /1 the one under message 12)
Оля~: text          Оля writes to the bot in private
гряг, … / @… / a reply to the bot asks it; /gryadhelp lists its commands
/help               this
/quit, Ctrl-D       leave"""

_SPOKEN = re.compile(
    r"(?P<name>[^\W\d_][^:*~>\n]{0,39}?)?(?P<admin>\*)?(?P<private>~)?\s*(?:>\s*(?P<reply>\d{1,15})\s*)?:(?!//|\d\d\b)\s*(?P<text>.*)"
)
_PRESS = re.compile(r"/(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Typed:
    """The meaning of one typed line.

    Attributes:
        name: Who speaks, or None: the last speaker.
        is_private: Whether it is written to the bot alone.
        reply_to: The message that is answered, or whose button is pressed.
        press: Number of the button that is pressed, or None.
    """

    text: str
    name: str | None = None
    is_admin: bool = False
    reply_to: int | None = None
    press: int | None = None
    is_private: bool = False


def read_line(line: str) -> Typed:
    """Take a line apart; one that names nobody is a continuation."""
    found = None if line[:1].isspace() else _SPOKEN.fullmatch(line.strip())
    name = found["name"] if found else None
    if found is None or not (found["name"] or found["reply"] or found["private"]) or len((name or "").split()) > 2:
        return _parse_typed(line.strip())
    reply = found["reply"]
    typed = _parse_typed(
        found["text"].strip(), name and name.strip(), bool(found["admin"]), int(reply) if reply else None
    )
    return replace(typed, is_private=bool(found["private"]))


def _parse_typed(text: str, name: str | None = None, is_admin: bool = False, reply_to: int | None = None) -> Typed:
    press = _PRESS.fullmatch(text)
    return Typed(text, name, is_admin, reply_to, int(press[1]) if press else None)
