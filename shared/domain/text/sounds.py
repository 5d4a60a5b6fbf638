"""How a word sounds, whichever script it is written in: "Біоламу" and "Biolam" are one."""

from __future__ import annotations

import re
from functools import lru_cache

from shared.domain.text.names import sound

_CASE_ENDING = re.compile(r"(?:oiu|eiu|ovi|evi|ami|iami|ah|iah|om|em|[aeiou]+)$")
_POSSESSIVE = re.compile(r"(?<=..)(?:ov|ev|iv|in)(?:im|ih|imi|oho|omu|oi|ii|oiu|[aeiou])?$")
_MIN_BARE = 2


@lru_cache(maxsize=50_000)
def phonetic_key(word: str) -> str:
    """Return how a folded word sounds, in Latin letters and without a case ending; whole when hardly anything is
    left."""
    whole = sound(word)
    bare = _CASE_ENDING.sub("", whole)
    return bare if len(bare) >= _MIN_BARE else whole


@lru_cache(maxsize=20_000)
def possessor_key(word: str) -> str | None:
    """Return how the name sounds that a possessive adjective is made of ("Майковим": "maik"); None for any other
    word."""
    whole = sound(word)
    bare = _POSSESSIVE.sub("", whole)
    return bare if bare != whole and len(bare) >= _MIN_BARE else None
