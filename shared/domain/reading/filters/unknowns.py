"""Unknown information: a content that says what nobody said, or only guesses.

A hedge is forgiven when the quote hedges, too; "not mentioned" only when the quote tells that the speaker kept
something from somebody.
"""

from __future__ import annotations

from shared.domain.reading.matching.marks import Marks
from shared.domain.text.words import analyse

_UNKNOWN = Marks("""
    unknown|undetermined|unspecified|undisclosed|unclear|tbd|невідомий|невідомо|незрозумілий|незрозуміло|неясний|неясно
    невизначений|невизначено|нез'ясований|нез'ясовано
    n a $
    not applicable|clear|=known|certain
    can not be determined|inferred|=known
    не відомо|відомий|зрозуміло|зрозумілий|визначено|визначений|ясно|з'ясовано
""")
_UNSAID = Marks("""
    not|never been? mention|specify|state|provide|disclose|reveal|indicate
    not|never been? mentioned|specified|stated|provided|disclosed|given|revealed|indicated|shared
    did|do|have not say|said|share|tell|told|give
    не згадат*|згаду*|згада*|вказ*|зазнач*|уточн*|повідом*|розпов*|розказ*|назва*|сказа*|поділи*|розкри*|надан*|вдалося
""")
_NOTHING = Marks("""
    no known|information|info|data|details|mention|indication|evidence
    інформація|дані|відомості|даних|відомостей|згадок _? немає|відсутн*|бракує|не
    немає|відсутн*|бракує інформація|дані|відомості|даних|відомостей|згадок
""")
_HEDGE = Marks("""
    might|could|may be|have|like|work|live|prefer|enjoy
    seem|seems|seemingly|appears|appeared|probably|likely|possibly|presumably|perhaps|maybe|apparently|supposedly
    схоже|мабуть|ймовірно|імовірно|можливо|здається|напевно|напевне|певно|очевидно|вочевидь|либонь
    =може бути|мати
""")
_UNSURE = Marks("""
    might|may|could|maybe|probably|likely|possibly|perhaps|apparently|seem|seems|guess|suppose|appear|appears
    схоже|мабуть|ймовірно|імовірно|можливо|здається|напевно|напевне|певно|очевидно|може|могти|видно
""")


def is_unknown(content: str, said: str) -> bool:
    """Whether a content tells of something unknown, unsaid or guessed, which its quote does not tell itself."""
    words, quoted = analyse(content), analyse(said)
    if _HEDGE.mark(words) and not _UNSURE.mark(quoted):
        return True
    return any(marks.mark(words) and not marks.mark(quoted) for marks in (_UNKNOWN, _UNSAID, _NOTHING))
