"""The shape of a row about members in Ukrainian, and the runs of words that such rows share.

Names in capitals inside a phrase stand for the runs below: `ME` is what may precede a verb in the first person, in
whatever order people put it ("я вже", "п'ятий рік як", "з березня"), and is never a negation.
"""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

import re

from shared.domain.reading.matching.rows import PatternRow

_TIME = (
    "@adv|@inseason / @howmany{0,3} @period тому|підряд|поспіль|назад|як? / пів|півтора @period / "
    "з|із|зі|від|до|після|під|у|в|на @howmany{0,2} @month|@since|@inseason / у|в|з|із #num рік|го|му|ому|х? / за|через пів? @howmany{0,2} @period"
)
_RUNS = {
    "ME": f"(@i / {_TIME}){{0,5}}",
    "WE": f"(@i / ми / {_TIME}){{0,5}}",
    "WHEN": f"({_TIME}){{0,3}}",
    "TIME": f"({_TIME})",
    "DURATION": "(@howmany{1,3} @longperiod / пів|півтора @period / півроку|рік)",
    "AGO": (
        "(торік|позаторік|колись|якось|вперше|двічі|тричі|змалку|змолоду|замолоду|малим|малою|недавно|нещодавно / "
        "минулий|позаминулий|цей @period|@inseason / @howmany{0,3} @period тому|назад / один раз / "
        "у|в #num рік|році|му|ому? / цього|того|минулого року / цьогоріч / у|в дитинство|юність|молодість|студентство|школа|армія|армії|школі / "
        "у|в @month / до|після школа|війна|пандемія|армія|університет|універ|ковід)"
    ),
    "PLACE": "(@dwelling{0,2} @place (область|районі|обл)? / @dwelling{0,2} #cap (область|районі|обл / #cap)?)",
    "DATE": "(#num (го / -)? @month / @ordinal{1,2} @month)",
    "BIRTHDAY": "(день народження / днюха|днюшка|др|дн|уродини|іменини)",
    "OBJECT": "!@pronoun|@filler|@helper <what>",
    "THING": "(!@pronoun|@filler|@helper|не|#i|#we _){1,3}",
    "FREQ": (
        "(@freq / кожен|кожний @period|ранок|вечір|понеділок|вівторок|середа|четвер|п'ятниця|субота|неділя|вихідні / "
        "раз|двічі|тричі (на|у|в) день|тиждень|місяць|рік / перед сном / на вихідних / "
        "по вихідних|суботах|неділях|понеділках|вівторках|середах|четвергах|п'ятницях|ранках|вечорах|вечорам|ранкам|вихідним)"
    ),
}
_RUN = re.compile(rf"\b(?:{'|'.join(_RUNS)})\b")


def row(
    name: str, category: str, key: str, phrases: tuple[str, ...], description: str, *, hit: str, miss: str,
    confidence: float = 0.85, single: bool = False, momentary: bool = True,
) -> PatternRow:  # fmt: skip
    """A row about a member; the captures of its phrases fill the description."""
    return PatternRow(
        name=f"uk_{name}", lang="uk", category=category, key=key, confidence=confidence,
        phrases=tuple(_RUN.sub(lambda match: _RUNS[match.group()], phrase) for phrase in phrases),
        description=description, hit=hit, miss=miss, single=single, momentary=momentary,
    )  # fmt: skip
