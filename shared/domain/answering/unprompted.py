"""Decides if the bot may join in unasked: on a question to nobody in particular that a memory answers.

When in doubt it is silent: a group forgives what was not said. So a question must be about the group itself, and what
is known must share most of its words and hold what kind of answer it wants (a time, a place, a number).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.domain.text.data_files import expressions, word_sets
from shared.domain.text.language import fold, unify_apostrophes

if TYPE_CHECKING:
    from shared.domain.recall.question import SearchQuery

COOLDOWN = timedelta(minutes=30)
"""The time after the bot spoke last in which it does not speak unasked."""

MIN_SHARED = 0.6
"""Share of a question's content words that what is known must have (from the examples in the tests)."""

_SAYS = expressions(__package__, "unprompted")
_WORDS = word_sets(__package__, "unprompted")

_MARKS = {"time": "#time", "number": "#number", "place": "#place"}
"""Marks of a statement that answers each kind of question (`recall.terms`)."""


def may_be_known(text: str) -> bool:
    """Return whether a question, by its words, is one that the memory of a group may answer, and not one to
    somebody."""
    folded = fold(unify_apostrophes(text))
    to_one = _SAYS["to_one"].search(folded) is not None and _SAYS["to_anybody"].search(folded) is None
    return _SAYS["asks"].search(folded) is not None and not to_one and _SAYS["moment"].search(folded) is None


def answers(question: SearchQuery, known: Iterable[str]) -> bool:
    """Return whether something that is known answers a question about the group.

    Args:
        question: As it is searched for; one that names members is not about the group.
        known: What is known of the group, a statement each.
    """
    from shared.domain.text.terms import term

    asked = frozenset(question.terms) - set(map(term, _WORDS["empty"])) - question.common_terms
    if question.speakers or not asked:
        return False
    return any(_answers(question, asked, statement) for statement in known)


def _answers(question: SearchQuery, asked: frozenset[str], statement: str) -> bool:
    from shared.domain.text.terms import terms_of

    held = frozenset(terms_of(statement))
    shared = len(asked & held)
    # One word alone is a coincidence, unless the statement holds what the question wants to know.
    enough = shared >= MIN_SHARED * len(asked) and (shared > 1 or bool(question.wanted))
    return enough and all(_MARKS[kind] in held for kind in question.wanted)
