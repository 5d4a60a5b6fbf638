"""Locates a member's statements in a sentence, and checks if they are the speaker's own and whose what they name is.

English may leave "I" out ("walked the Camino last spring"); after "and" the subject is then whoever was named before.

A noun that a phrase finds as owned may hang on another one ("страх перед собаками", "фото кота"). A phrase marks it as
`<owned: …>`; what stands between the start of its capture and that noun decides.
"""

import re
from collections.abc import Iterator

from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.reading.matching.phrases import PhraseMatch
from shared.domain.reading.matching.whole_values import PREPOSITIONS
from shared.domain.reading.patterns.row_tables import intros, member_lists
from shared.domain.text.data_files import expressions, word_sets
from shared.domain.text.language import Language, lemma, tokens
from shared.domain.text.words import AnalysedText, readings

_SAYS = expressions(__package__, "statements")
_WORDS = word_sets(__package__, "statements")
_OWNED, _CAPTURE = "owned", "what"
_OF_NOUNS = frozenset({Kind.CONTENT, Kind.WORD, Kind.PLACE})
_ADJECTIVES = ("ий", "ій", "їй")
_ASIDE = re.compile(r"(?:^|,)\s*([^\s,]+),\s*$")
_OWN = re.compile(r"=(?:i|my|me|mine|we|our|us|id)\|")
_OWN_UK = re.compile(r"(?:=(?:я|ми|мене|мені|мною)|\|#i|\|#we)\|")
_MY_UK = re.compile(r"(?:=[ув]\|\S* )?(?:=нас|\S*\|(?:мій|наш|свій))\|")
_PAST_UK = re.compile(r"\|#past(?:pl)?\|")
_SUBJECT = re.compile(
    r"=(i|we|he|she|it|they|you|who|that|which|someone|somebody|everyone|people|my|his|her|their|your)\|"
)


def statement_starts(words: AnalysedText, lang: Language) -> Iterator[tuple[int, bool]]:
    """Positions in `words.code` where a statement may begin: after a border or a conjunction, leading words aside.

    Yields:
        The position, and whether a border or conjunction stands right before it, which ends what was said before.
    """
    leading = member_lists(lang)["lead"]
    possible = [intro for intro in intros(lang) if not (intro.heads and intro.heads.isdisjoint(words.atoms))]
    introduced: set[int] = set()
    fresh, opened, previous = True, False, ""
    for at in words.starts:
        form = _form(words, at)
        fresh = fresh or at in introduced
        if fresh:
            yield at, opened
            introduced.update(found.match.end() for intro in possible if (found := intro.match(words, at)))
        opened = form in _WORDS["openers"] and not (form == "тому" and previous in _WORDS["periods"])
        previous = form
        fresh = opened or (fresh and form in leading)


def is_own(found: PhraseMatch, lang: Language) -> bool:
    """Return whether the speaker is the subject of what was found: named in it, or nobody else was named before."""
    code, start = found.words.code, found.match.start()
    if lang == "uk":
        return _is_own_past(found) or _follows_nothing(found, lang)
    if _OWN.search(code, start, found.match.end()):
        return True
    if named := _SUBJECT.findall(code[:start]):
        return named[-1] in ("i", "we")
    return _follows_nothing(found, lang)


def names_speaker(found: PhraseMatch) -> bool:
    """Return whether what was found says "I" or "my" itself, be it by the verb."""
    code, (start, end) = found.words.code, found.match.span()
    return any(own.search(code, start, end) for own in (_OWN, _OWN_UK, _MY_UK))


def _is_own_past(found: PhraseMatch) -> bool:
    """Return whether Ukrainian words name their speaker: only the past tense does not do so by itself."""
    code, (start, end) = found.words.code, found.match.span()
    if not _PAST_UK.search(code, start, end) or _MY_UK.match(code, start):
        return True
    return bool(_OWN_UK.search(code, 0, end))


def _follows_nothing(found: PhraseMatch, lang: Language) -> bool:
    if _form(found.words, found.match.start()) in _WORDS["bare"]:
        return False
    leading = member_lists(lang)["lead"]
    before = (_form(found.words, at) for at in found.words.starts if at < found.match.start())
    return all(form in leading or form in _WORDS["openers"] for form in before)


def statement_in(text: str, *, question: bool) -> str:
    """Return what a sentence states before it asks back ("…, and you?") or offers ("…, if anyone needs it")."""
    without_offer = _SAYS["offers"].sub("", text)
    if not question:
        return without_offer
    before = _SAYS["asks_back"].sub("", without_offer)
    return "" if before == without_offer else before


def find_aside(text: str) -> str:
    """The single word between commas with which a text ends ("perhaps," before what it qualifies), or ""."""
    match = _ASIDE.search(text)
    return match[1] if match else ""


def goes_on(later: PhraseMatch, earlier: PhraseMatch, *, alike: bool) -> bool:
    """Return whether a phrase that spells out a comma, or a dash before something alike, took in the later one."""
    start = later.match.start()
    if not earlier.match.start() < start < earlier.match.end():
        return False
    before = later.words.code[:start]
    return before.endswith("|,| ") or (alike and before.endswith("|–| "))


def _form(words: AnalysedText, at: int) -> str:
    return words.code[at + 1 : words.code.index("|", at)]


def hangs_on_another(found: PhraseMatch) -> bool:
    """Return whether the noun that a phrase found as owned belongs to another noun of the same capture.

    Governed by a preposition or by a noun right before it, it is not what is owned; a noun that has a preposition of
    its own only says where ("в квартирі кіт"). False of a phrase that marks nothing as owned.
    """
    if not {_OWNED, _CAPTURE} <= found.match.re.groupindex.keys() or found.match.start(_OWNED) < 0:
        return False
    before = found.words.slice(found.match.start(_CAPTURE), found.match.start(_OWNED)).split()
    before = [word for word in before if tokens(word)]
    for at in range(len(before) - 1, -1, -1):
        word = before[at].casefold()
        if word in PREPOSITIONS:
            return True
        if _is_noun(before[at]):
            return PREPOSITIONS.isdisjoint(map(str.casefold, before[:at]))
    return False


def _is_noun(word: str) -> bool:
    """Return whether a word as written is a common noun, as far as its dictionary form says."""
    folded = word.casefold()
    base = lemma(folded)
    if word != folded or base.endswith(_ADJECTIVES):
        return False
    if not all({folded, base}.isdisjoint(words) for words in (_WORDS["owns_nothing"], member_lists("uk")["adv"])):
        return False
    return meaning(folded).kind in _OF_NOUNS and not any("#" in reading for reading in readings(folded))
