"""What English rows about members share: the shape of a row, and the parts that its phrases name in capitals.

IDO, IAM      "I really", "I'm really"
IVE, BEING    "I've just", "we" or nothing; "I'm", "we've been" or nothing
ANDDO         "I", or nothing in what goes on from it ("… and own a dog"; see `statements.is_own`)
CAN           "I can", "know how to"
PLACE         a town, country or dwelling without what follows it
OBJECT        what one may like: things and doings, not "it", "how you put it" or "the second one"
REST          up to six words that still belong to what was said
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.domain.reading.matching.rows import PatternRow

_PARTS: Mapping[str, str] = {
    "IDO": "@i @adv*",
    "IAM": "@i @adv* =am @adv*",
    "IVE": "(@i|we @adv* =have?)? @adv*",
    "BEING": "(@i|we @adv* =am|=are|=have?)? @adv* =been? @adv*",
    "ANDDO": "(@i @adv* / @adv*)",
    "CAN": "(@i @adv*)? (can / know how to / am able to / have? =taught myself how? to?) @adv*",
    "PLACE": (
        "((the|a|an|our|my)? @placemod* @dwelling"
        " (in|near|of|outside|by|on|called|at the? (#cap{1,3} / !@noplace !@stop _{1,2}))?"
        " / the? !@month !@weekday !it|hr|work|school|my|i|a #cap{1,3}"
        " ((of|on|upon|de|am|the)* !@month !@weekday #cap{1,2})?"
        " / the? @placemod (of / part of / bit of)? the? !@noplace !@stop _{1,2}"
        " / !@noplace !@stop !#num _ (!@stop _){0,1})"
    ),
    "OBJECT": (
        "(the? @lovable (!@end _){0,4} / the #cap (!@end _){0,4}"
        " / all|any kind|sort|type|thing (!@end _){1,5} / anything|everything (!@end _){1,5}"
        " / to !@noverb (!@end _){1,6}"
        " / a|an !bit|lot|guy|girl|man|woman|few|little|song|thing|site|way !@noobject !@end _ (!@end _){0,1} $"
        " / (a|an good|nice|proper|long|strong|cold|hot|solid)?"
        " !@noobject !@end _ !you|him|her|them|it|this|that|your|everyone|people (!@end _){0,7})"
    ),
    "REST": "(!@end _){0,6}",
}
_PART = re.compile("|".join(rf"\b{name}\b" for name in _PARTS))


def row(
    name: str, category: str, key: str, phrases: tuple[str, ...], description: str, *, hit: str, miss: str,
    confidence: float = 0.85, single: bool = False, momentary: bool = True,
) -> PatternRow:  # fmt: skip
    """A row about a member; its captures fill the description."""
    return PatternRow(
        name=f"en_{name}", lang="en", category=category, key=key, confidence=confidence,
        phrases=tuple(_PART.sub(lambda part: _PARTS[part.group()], phrase) for phrase in phrases),
        description=description, hit=hit, miss=miss, single=single, momentary=momentary,
    )  # fmt: skip
