"""Portraits of a group or a member in a few sentences: made by rules, or by a model and held against the facts.

A model's sentence stays only when every name, number, place, day and link in it stands in the facts or their quotes;
one without any must share a word of substance with them. A sentence that invents is left out whole.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.reading.summaries.details import Detail, details_of
from shared.domain.text.data_files import common_words
from shared.domain.text.language import Language, detect_language, fold, lemma, tokens
from shared.domain.text.names import same_name
from shared.domain.text.plain import SENTENCE_END, one_line

MOST_ITEM = 160
"""Characters of one fact in a portrait by rules: a sentence."""

_SURE = 2.0
"""The weight from which on a detail is one (see `details_of`); below it, a word may be anything."""

_CHECKED = frozenset({"date", "number", "place", "name"})
_NUMBER = re.compile(r"\d+")
_LINK = re.compile(r"[/@]|[^\W\d]\.\w")
_MARKS = ".,;:!?…)»”\"'"
_SUBSTANCE = 4  # letters of a word that says something


def words_of(facts: Sequence[ProfileFact]) -> list[str]:
    """Return all words of the facts that the model was shown, and their values, which may be in the other language."""
    own = [text for fact in facts for text in (fact.description, fact.key, fact.value, fact.category)]
    return own + [text for fact in facts for quote in fact.evidence for text in (quote.name, quote.quote)]


def portrait_by_rules(facts: Iterable[ProfileFact], headings: Mapping[str, str], *, most_chars: int) -> str:
    """The best facts as one line of short lists: `Rules: no politics; no spam. Traditions: …`.

    Args:
        facts: Best first; one that does not fit is left out whole, and later ones may still fit.
        headings: What the reader calls each category, in the order of the lists; facts of others are left out.
        most_chars: Characters of the line, at most.
    Returns:
        "" when there is nothing to tell.
    """
    groups: dict[str, list[str]] = {}
    for fact in facts:
        item = one_line(fact.description, MOST_ITEM).rstrip(" .;")
        if not item or fact.category not in headings or has_injection(item) or item in groups.get(fact.category, ()):
            continue
        wider = {**groups, fact.category: [*groups.get(fact.category, ()), item]}
        if len(_line(wider, headings)) <= most_chars:
            groups = wider
    return _line(groups, headings)


def _line(groups: Mapping[str, Sequence[str]], headings: Mapping[str, str]) -> str:
    told = (
        f"{heading}: {'; '.join(groups[category])}." for category, heading in headings.items() if category in groups
    )
    return " ".join(told)


def keep_supported(text: str, sources: Sequence[str], *, language: Language, most_chars: int) -> str:
    """Return what of a model's portrait the facts hold: whole sentences, at most `most_chars` characters; "" when none.

    Args:
        text: Cleaned (`clean_summary`).
        sources: Everything that the model was given of the facts: descriptions, values, quotes, names.
        language: Of the portrait; a text in another one is of no use.
    """
    if detect_language(text) not in (language, None):
        return ""
    known = _KnownSayings(sources)
    kept = ""
    for sentence in SENTENCE_END.split(text):
        told = one_line(sentence, len(sentence))
        longer = f"{kept} {told}".strip()
        if told and len(longer) <= most_chars and known.holds(told):
            kept = longer
    return kept


class _KnownSayings:
    """Everything that stands in the facts."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._text = fold(" ".join(sources))
        self._words = frozenset(word.removesuffix("'s") for word in tokens(self._text.replace("_", " ")))
        self._lemmas = frozenset(map(lemma, self._words))
        self._numbers = frozenset(_NUMBER.findall(self._text))

    def holds(self, sentence: str) -> bool:
        if has_injection(sentence) or not self._numbers.issuperset(_NUMBER.findall(sentence)):
            return False
        found = details_of(sentence)
        told = [detail for detail in found if detail.kind in _CHECKED and detail.weight >= _SURE]
        return all(map(self._has, told)) and (bool(told) or self._meets(sentence))

    def _has(self, detail: Detail) -> bool:
        """Return whether a detail is known: a word in any of its forms, a link as it is, a figure by its digits."""
        form = detail.form.strip()
        if _LINK.search(form):
            return form.rstrip(_MARKS) in self._text
        if _NUMBER.search(form):
            return True  # its digits were compared with all of the sentence's
        form = form.removesuffix("'s")
        return form in self._words or lemma(form) in self._lemmas or any(same_name(form, word) for word in self._words)

    def _meets(self, sentence: str) -> bool:
        """Return whether some word that says something stands in the facts, too."""
        words = {lemma(word) for word in tokens(sentence) if len(word) >= _SUBSTANCE}
        return bool((words - common_words()) & self._lemmas)
