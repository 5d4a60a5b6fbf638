"""Named lists of English words that phrases share as `@name`; entries as in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping

_LISTS = {
    "i": "=i",
    "lead": """
        well so and but yeah yes yep no nah actually honestly personally oh ah fwiw tbh btw by the way also ok okay nice
        cool hi hello hey all everyone there same lol haha guys folks fyi anyway wow true hmm then plus though ngl fun
        fact tho welcome thanks , –""",
    "adv": """
        really absolutely just also do still currently now actually already personally always secretly totally genuinely
        mostly only usually kinda recently finally once originally honestly too both definitely particularly especially
        truly even myself literally basically proudly happily quite lowkey so""",
}

LISTS: Mapping[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _LISTS.items()}
