"""Whose a noun is: what a phrase found as owned may hang on another noun ("страх перед собаками", "фото кота").

A phrase marks the owned noun as `<owned: …>`; what stands between the start of its capture and that noun decides. The
words below are closed classes of grammar.
"""

from __future__ import annotations

from functools import cache

from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.facts.dedup.lexicon import words as word_set
from shared.domain.reading.matching.phrases import PhraseMatch
from shared.domain.reading.matching.whole_values import PREPOSITIONS
from shared.domain.reading.patterns.named_lists import member_lists
from shared.domain.text.language import lemma, tokens
from shared.domain.text.words import readings

_OWNED = "owned"
_CAPTURE = "what"
_COUNTS = word_set("пара купа зграя десяток дюжина виводок двійко трійко")
"""Nouns that only say how many of the next one there are."""
_SAYS_WHERE = word_set("вдома дома надворі")
_OF_NOUNS = frozenset({Kind.CONTENT, Kind.WORD, Kind.PLACE})
_ADJECTIVES = ("ий", "ій", "їй")


@cache
def _says_no_owner() -> frozenset[str]:
    return _COUNTS | _SAYS_WHERE | frozenset(member_lists("uk")["adv"])


def hangs_on_another(found: PhraseMatch) -> bool:
    """Return whether the noun that a phrase found as owned belongs to another noun of the same capture.

    Governed by a preposition or by a noun right before it, it is not what is owned; a noun that has a preposition of
    its own only says where ("в квартирі кіт"). False of a phrase that marks nothing as owned.
    """
    start, end = _before_owned(found)
    before = [word for word in found.words.slice(start, end).split() if tokens(word)]
    for at in range(len(before) - 1, -1, -1):
        word = before[at].casefold()
        if word in PREPOSITIONS:
            return True
        if _is_noun(before[at]):
            return PREPOSITIONS.isdisjoint(map(str.casefold, before[:at]))
    return False


def _before_owned(found: PhraseMatch) -> tuple[int, int]:
    """Return where in the code of the words the capture begins, and the owned noun in it."""
    if not {_OWNED, _CAPTURE} <= found.match.re.groupindex.keys() or found.match.start(_OWNED) < 0:
        return 0, 0
    return found.match.start(_CAPTURE), found.match.start(_OWNED)


def _is_noun(word: str) -> bool:
    """Return whether a word as written is a common noun, as far as its dictionary form says."""
    folded = word.casefold()
    base = lemma(folded)
    if word != folded or not {folded, base}.isdisjoint(_says_no_owner()) or base.endswith(_ADJECTIVES):
        return False
    return meaning(folded).kind in _OF_NOUNS and not any("#" in reading for reading in readings(folded))
