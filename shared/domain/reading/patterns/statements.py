"""Where in a sentence a member's statement may begin, and whether it is the speaker's own.

English may leave "I" out ("walked the Camino last spring"); after "and" the subject is then whoever was named before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
from shared.domain.reading.patterns.named_lists import intros, member_lists
from shared.domain.text.language import Language
from shared.domain.text.words import AnalysedText

_OPENERS = frozenset({
    ",", "–", "and", "but", "so", "or", "because", "cause", "cuz", "however", "though",
    "або", "але", "а", "і", "й", "та", "тому", "бо", "зате", "проте", "однак",
})  # fmt: skip
_PERIODS = frozenset({
    "рік", "роки", "років", "року", "місяць", "місяці", "місяців", "тиждень", "тижні", "тижнів", "день", "дні", "днів",
})  # fmt: skip
"""After these "тому" means "ago", not "therefore"."""
_ASKS_BACK = re.compile(
    r"(?:,|\s[–—-])\s*(?:(?:а|і|й|та|чи|не|про|and|but|so)\s+)?(?:ти|ви|тебе|вас|тобі|вам|хто|хтось|кого|комусь|кому|"
    r"що|шо|як|яка|який|які|"
    r"де|куди|коли|чому|звідки|чи|є|можна|правда|боїшся|боїтесь|хочеш|хочете|будеш|будете|підеш|підете|порадите|"
    r"порадиш|підкажете|підкажеш|зможеш|зможете|знаєш|знаєте|треба|потрібно|you|your|who|what|whats|what's|where|"
    r"which|when|how|why|anyone|anybody|does|do|"
    r"did|is|are|right|any)(?!\w)[^,]*$",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r",\s*(?:якщо (?:комусь|хтось|хто|що|шо|кому|треба|цікаво|потрібно|захоче\w*|хочете|раптом|ви|ти)|"
    r"if (?:anyone|anybody|someone|you|needed|that))(?!\w)[^,]*$|"
    r"(?:\s(?:so|just|but)\s[^,]{0,40})?\s"
    r"if (?:anyone|anybody|someone|somebody|either|you|u|yours|needed|interested|"
    r"(?:that|it)(?:'?s)? (?:is )?(?:of )?(?:any )?(?:use|help|helps|good|interest|matters))(?!\w)[^,]*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"(?:^|,)\s*([^\s,]+),\s*$")
_BARE = frozenset({
    "love", "adore", "enjoy", "hate", "despise", "loathe", "own", "teach", "prefer", "favour", "favor", "coach",
    "speak",
})  # fmt: skip
"""Verbs that order or exclaim when a sentence begins with them ("love your hat")."""
_OWN = re.compile(r"=(?:i|my|me|mine|we|our|us|id)\|")
_OWN_UK = re.compile(r"(?:=(?:я|ми|мене|мені|мною)|\|#i|\|#we)\|")
_MY_UK = re.compile(r"(?:=[ув]\|\S* )?(?:=нас|\S*\|(?:мій|наш|свій))\|")
_PAST_UK = re.compile(r"\|#past(?:pl)?\|")
_SUBJECT = re.compile(
    r"=(i|we|he|she|it|they|you|who|that|which|someone|somebody|everyone|people|my|his|her|their|your)\|"
)


@cache
def _intros(lang: Language) -> list[Phrase]:
    return [Phrase(source, member_lists(lang)) for source in intros(lang)]


def statement_starts(words: AnalysedText, lang: Language) -> Iterator[tuple[int, bool]]:
    """Positions in `words.code` where a statement may begin: after a border or a conjunction, leading words aside.

    Yields:
        The position, and whether a border or conjunction stands right before it, which ends what was said before.
    """
    leading = member_lists(lang)["lead"]
    possible = [intro for intro in _intros(lang) if not (intro.heads and intro.heads.isdisjoint(words.atoms))]
    introduced: set[int] = set()
    fresh, opened, previous = True, False, ""
    for at in words.starts:
        form = _form(words, at)
        fresh = fresh or at in introduced
        if fresh:
            yield at, opened
            introduced.update(found.match.end() for intro in possible if (found := intro.match(words, at)))
        opened = form in _OPENERS and not (form == "тому" and previous in _PERIODS)
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
    if _form(found.words, found.match.start()) in _BARE:
        return False
    leading = member_lists(lang)["lead"]
    before = (_form(found.words, at) for at in found.words.starts if at < found.match.start())
    return all(form in leading or form in _OPENERS for form in before)


def statement_in(text: str, *, question: bool) -> str:
    """Return what a sentence states before it asks back ("I'm from Leeds, and you?") or offers ("…, if anyone needs
    it")."""
    without_offer = _OFFERS.sub("", text)
    if not question:
        return without_offer
    before = _ASKS_BACK.sub("", without_offer)
    return "" if before == without_offer else before


def aside(text: str) -> str:
    """The single word between commas with which a text ends ("perhaps," before what it qualifies), or ""."""
    match = _ASIDE.search(text)
    return match[1] if match else ""


def goes_on(later: PhraseMatch, earlier: PhraseMatch, *, alike: bool) -> bool:
    """Return whether a phrase that spells out a comma, or a dash before something alike, took in the later one
    behind it."""
    start = later.match.start()
    if not earlier.match.start() < start < earlier.match.end():
        return False
    before = later.words.code[:start]
    return before.endswith("|,| ") or (alike and before.endswith("|–| "))


def _form(words: AnalysedText, at: int) -> str:
    return words.code[at + 1 : words.code.index("|", at)]
