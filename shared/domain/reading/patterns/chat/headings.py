"""What only announces that something is laid down ("Reminder:", "Нагадую всім, що"), and is no part of it.

A heading that names a thing or says for whom ("rule for ads:") is a part, and stays.
"""

from __future__ import annotations

import re

from shared.domain.reading.matching import terms
from shared.domain.reading.matching.marks import Marks
from shared.domain.text.words import analyse

_ENDS = (
    re.compile(r"(?P<heading>[^:]{1,60}?)\s*:\s+(?:що\s+|that\s+)?", re.IGNORECASE),
    re.compile(
        r"(?P<heading>[^,–—]{1,40}?)(?:\s*,\s+(?!щоб|аби)(?:що\s+|that\s+)?|\s+[–—-]\s+|\s+that\s+)", re.IGNORECASE
    ),
)
"""How a heading ends: with a colon, else with a comma, a dash or "that"."""
_ANNOUNCES = Marks("""
    reminder|remind|нагадувати|нагадати|нагадування|правило|rule|увага|attention|important|важливо|announcement|psa
    heads-up
    heads up
""")
_SAYS_FOR_WHOM = Marks("""
    newcomer|newcomers|newbie|newbies|новенький|новенькі|новачок|новачки|about|on|щодо
    for !all|everyone|everybody|you|us
    для !всіх|усіх|вас|нас
    про !те|це
""")


def without_heading(said: str) -> str:
    """Return what is said after its headings; the same text when it begins with none."""
    while rest := next(filter(None, (_after(ends.match(said), said) for ends in _ENDS)), ""):
        said = rest
    return said


def _after(found: re.Match[str] | None, said: str) -> str:
    """Return what stands behind a heading, "" when what was found is none."""
    return said[found.end() :].strip() if found and _only_announces(found["heading"]) else ""


def _only_announces(heading: str) -> bool:
    words = analyse(heading)
    return _ANNOUNCES.mark(words) and not _SAYS_FOR_WHOM.mark(words) and not terms.topics(heading)
