"""Forms that no stemmer brings together: English verbs and plurals, and a Ukrainian noun, by their dictionary form."""

from __future__ import annotations

from types import MappingProxyType

_ENGLISH = """
arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent|bet|bite bit bitten
bleed bled|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|come came|cost|creep crept|cut|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten
give gave given|go went gone goes|grow grew grown|hang hung|hear heard|hide hid hidden|hit|hold held|hurt|keep kept
know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lie lay lain|light lit|lose lost|make made
mean meant|meet met|pay paid|quit|read|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen
sell sold|send sent|set|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank|shut
sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|spill spilt|spread|steal stole stolen
stick stuck|strike struck|swear swore sworn|swim swam swum|swing swung|take took taken|teach taught|tear tore torn
tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won
write wrote written
child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives|life lives|knife knives
leaf leaves|half halves|person people
"""
_UKRAINIAN = "дитина діти"


def _by_form(table: str) -> dict[str, str]:
    families = (family.split() for line in table.strip().splitlines() for family in line.split("|"))
    forms: dict[str, str] = {}
    for base, *others in families:
        for form in others:
            forms.setdefault(form, base)
    return forms


DICTIONARY_FORMS = MappingProxyType(_by_form(_ENGLISH) | _by_form(_UKRAINIAN))
"""By folded form; of a form of two words the first in the table counts ("lay" is of "lie" last)."""
