"""Picks the facts that answer a question: those that hold its words, or what means the same in either language.

Facts are few, so they are read anew for each question and ranked as messages are: by stems, related words and how
telling a word is. Whom the question means counts beside it, and how sure and fresh a fact is.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import NamedTuple

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, ReplacedValue
from shared.domain.recall.index.postings import analyse
from shared.domain.recall.matching import match, totals
from shared.domain.recall.question import SearchQuery
from shared.domain.text.data_files import word_rows
from shared.domain.text.terms import stem

_KEPT_SHARE = 0.4
"""The share of the best one's relevance that a fact needs: below it a fact shares words with the question by chance."""

_OF_OTHERS = 0.35
"""The weight of a fact about somebody whom the question does not mean, when it means others."""

_BY_STRENGTH = 0.25
"""The share of a relevance that depends on how sure and fresh the fact is."""


_EVERY = re.compile(r"\bщо(?=(?:понеділ|вівтор|серед|четвер|п.?ятниц|субот|неділ))", re.IGNORECASE)


_HELD_THEN = 2.0
"""The weight of a fact that replaced what held at a time that the question names, or that held then and is over."""

_OVER = 0.6
"""The weight of a fact that is over and did not hold at a time that is named: what holds comes first."""

ANSWERED = 0.5
"""A relevance from which a fact holds nearly all that is asked for; what is over is looked for where none does."""


class PickedFact(NamedTuple):
    """A fact that a question picks, and how well it fits: in (0, 1], beside others of one question only."""

    fact: ProfileFact
    relevance: float


def pick_facts(
    facts: Sequence[ProfileFact],
    question: SearchQuery,
    strength: Callable[[ProfileFact], float],
    headings: Mapping[str, str],
) -> list[PickedFact]:
    """The facts that answer a question, best first; none where it has no telling word.

    Args:
        facts: About whomever it may be about.
        strength: How sure and fresh a fact is, 1 and above for the surest.
        headings: What the asker calls each category: "what are the rules?" asks for one.
    """
    question = replace(question, light_terms=question.light_terms - _weekdays())
    asked = tuple(term for term in question.terms if term not in question.light_terms)
    matches = match(analyse([_text(fact, headings) for fact in facts]), replace(question, terms=asked))
    share = len(matches) / max(len(asked), 1)  # where hardly a word of the question is known nothing fits well
    fits = share * totals(matches, len(facts))
    scored = [
        PickedFact(
            fact,
            float(fit)
            * (1.0 if not question.speakers or fact.user_id in {0, *question.speakers} else _OF_OTHERS)
            * _weigh_time(fact, question)
            * (1 - _BY_STRENGTH * (1 - min(1.0, strength(fact)))),
        )
        for fact, fit in zip(facts, fits, strict=True)
        if fit > 0
    ]
    enough = _KEPT_SHARE * max((picked.relevance for picked in scored), default=0.0)
    kept = [picked for picked in scored if picked.relevance >= enough]
    return sorted(kept, key=lambda picked: (-picked.relevance, picked.fact.id))


@cache
def _weekdays() -> frozenset[str]:
    """Return the terms of weekdays: what a group does each Friday is a fact, and "on Friday" asks for it."""
    return frozenset(map(stem, chain.from_iterable(word_rows(__package__, "related")["weekdays"])))


def merge_ranked(first: Iterable[ProfileFact], then: Iterable[ProfileFact], most: int) -> list[ProfileFact]:
    """Return so many facts, each once: the first ones, then the others."""
    return list({fact.id: fact for fact in (*first, *then)}.values())[: max(0, most)]


def _text(fact: ProfileFact, headings: Mapping[str, str]) -> str:
    """Everything by which a fact is found; samples of a count hold any words, so these are left out."""
    said = () if fact.authority is Authority.STATISTICS else tuple(quote.quote for quote in fact.evidence)
    named = f"{fact.key.replace('_', ' ')} {fact.category} {headings.get(fact.category, '')}"
    before = (value.description for value in fact.before)
    return _EVERY.sub("що ", "\n".join((fact.description, fact.value, named, *said, *before)))


def _weigh_time(fact: ProfileFact, question: SearchQuery) -> float:
    if values_held_then(fact, question) or any(fact.was_held_in(span.since, span.until) for span in question.spans):
        return _HELD_THEN
    return 1.0 if fact.ended_at is None else _OVER


def values_held_then(fact: ProfileFact, question: SearchQuery) -> list[ReplacedValue]:
    """Return what the fact replaced that held at a time that the question names."""
    ends = [*(value.since for value in fact.before[1:]), fact.valid_from]
    lives = [(value, end) for value, end in zip(fact.before, ends, strict=False) if end is not None]
    return [
        value for value, end in lives if any(value.since < span.until and span.since < end for span in question.spans)
    ]
