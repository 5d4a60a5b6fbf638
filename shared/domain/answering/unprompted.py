"""Whether the bot may join in where nobody asked it: a question to nobody in particular, and a memory that answers it.

When in doubt it is silent: a group forgives what was not said. So a question must be about the group itself, and what
is known must share most of its words and hold what kind of answer it wants (a time, a place, a number).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.domain.text.language import fold, unify_apostrophes

if TYPE_CHECKING:
    from shared.domain.recall.question import SearchQuery

COOLDOWN = timedelta(minutes=30)
"""At least so long after the bot spoke last it does not speak unasked."""

MIN_SHARED = 0.6
"""Share of a question's content words that what is known must have (from the examples in the tests)."""

_TO_ONE = re.compile(
    r"\b(?:ти|тебе|тобі|тобою|твій|твоя|твоє|твої|твого|твоєї|твою|твоїх|маєш|хочеш|можеш|будеш|бачиш|знаєш|думаєш"
    r"|підеш|прийдеш|їдеш|йдеш|робиш|пам'ятаєш|you|your|yours|u|ur)\b"
)
_TO_ANYBODY = re.compile(
    r"\b(?:any ?(?:one|body)|some ?(?:one|body)|any of you|you (?:guys|all)|y'all|folks|all of you)\b"
)
_MOMENT = re.compile(
    r"\b(?:я|мене|мені|мій|моя|моє|мої|мою|моїх|i|me|my|mine|він|вона|вони|його|її|їх|йому|їй|їм|he|she|they|him|her"
    r"|his|their|them|чому|навіщо|нащо|why|how come|серйозно|seriously|невже|хіба|правда\?|really)\b"
)
"""What is about the speaker, about others, or about reasons: nothing that the memory of the group would settle."""

_ASKS = re.compile(
    r"\b(?:коли|де|куди|звідки|скільки|що|чим|який|яка|яке|які|якого|якій|якому|яку|яких|котрій|котра|хто|кого|чи|можна"
    r"|when|where|what|which|how (?:many|much|often|long)|who|is|are|do|does|can|may)\b"
)
_MARKS = {"time": "#time", "number": "#number", "place": "#place"}
"""What a statement holds that answers each kind of question (`recall.terms`)."""

_EMPTY = (
    *("знати", "пам'ятати", "пригадати", "нагадати", "підказати", "сказати", "хтось", "мати", "бути", "могти", "можна"),
    *("треба", "know", "remember", "remind", "tell", "anyone", "anybody", "someone", "somebody", "guys", "folk"),
    *("people", "thing", "again", "get", "have"),
)
"""Words of asking: they say nothing of what is asked about."""


def may_be_known(text: str) -> bool:
    """Return whether a question, by its words, is one that the memory of a group may answer, and not one to
    somebody."""
    folded = fold(unify_apostrophes(text))
    to_one = _TO_ONE.search(folded) is not None and _TO_ANYBODY.search(folded) is None
    return _ASKS.search(folded) is not None and not to_one and _MOMENT.search(folded) is None


def answers(question: SearchQuery, known: Iterable[str]) -> bool:
    """Return whether something that is known answers a question about the group.

    Args:
        question: As it is searched for; one that names members is not about the group.
        known: What is known of the group, a statement each.
    """
    asked = _content(question)
    if question.speakers or not asked:
        return False
    return any(_answers(question, asked, statement) for statement in known)


def _content(question: SearchQuery) -> frozenset[str]:
    from shared.domain.text.terms import term

    empty = {term(word) for word in _EMPTY}
    return frozenset(question.terms) - empty - question.common_terms


def _answers(question: SearchQuery, asked: frozenset[str], statement: str) -> bool:
    from shared.domain.text.terms import terms_of

    held = frozenset(terms_of(statement))
    shared = len(asked & held)
    # One word alone is a coincidence, unless the statement holds what the question wants to know.
    enough = shared >= MIN_SHARED * len(asked) and (shared > 1 or bool(question.wanted))
    return enough and all(_MARKS[kind] in held for kind in question.wanted)
