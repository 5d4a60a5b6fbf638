"""Words of a clause as everything they may be: form, dictionary form and grammatical hints, for phrases to match.

A lemmatiser gives one reading of a form, while short verb forms often have two ("живу" is "I live" and "a living
one"): a small table adds the verb that was lost, and an ending rule reads verbs that no dictionary knows ("стримлю").
Tense and person come from the ending, which in Ukrainian says who acts even where the pronoun is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from shared.domain.language import lemma, unify_apostrophes

MAX_WORDS = 80
"""Words of one clause that are read; a longer one is no statement (own choice)."""

_TOKEN = re.compile(
    r"\d+(?:[:.,/-]\d+)+|\d+[%+]?(?![^\W_])|[@#]?[^\W_]+(?:['-][^\W_]+)*(?:\+\+)?|[,;:()\[\]]|(?<!\S)[-–—](?!\S)"
)
_BORDER = frozenset(",;:()[]")
_DASHES = frozenset("-–—")
_CYRILLIC = re.compile("[Ѐ-ӿ]")

_SECOND_READINGS = {
    "живу": "жити", "жив": "жити", "жила": "жити", "жили": "жити", "граю": "грати", "граємо": "грати",
    "мрію": "мріяти", "виросла": "вирости", "виріс": "вирости", "ходжу": "ходити", "купила": "купити",
    "веду": "вести", "вів": "вести", "вела": "вести", "ношу": "носити", "п'ю": "пити", "їм": "їсти", "їмо": "їсти",
    "став": "стати", "стала": "стати", "шию": "шити", "пробіг": "пробігти", "лажу": "лазити", "вожу": "водити",
    "вчу": "вчити", "учу": "учити", "печу": "пекти", "варю": "варити", "мила": "мити", "мало": "мати",
    "мав": "мати", "мала": "мати", "маю": "мати", "маємо": "мати", "дію": "діяти", "саджу": "садити", "сів": "сісти",
    "їду": "їхати", "ліг": "лягти", "ріс": "рости", "росла": "рости", "доріс": "дорости", "шив": "шити",
    "вив": "вити", "крою": "кроїти", "куплю": "купити", "дружу": "дружити", "служу": "служити", "суджу": "судити",
    "пішла": "піти", "пішов": "піти", "вийшла": "вийти", "вийшов": "вийти", "зайшла": "зайти", "зайшов": "зайти",
    "коджу": "кодити", "стримлю": "стримити", "бився": "битися", "мию": "мити", "рию": "рити", "клею": "клеїти",
    "буду": "бути", "є": "бути", "був": "бути", "була": "бути", "були": "бути", "було": "бути", "буде": "бути",
    "об'їхав": "об'їхати", "об'їхала": "об'їхати", "з'їв": "з'їсти", "з'їла": "з'їсти", "в'яжу": "в'язати",
    "в'язав": "в'язати", "в'язала": "в'язати", "дав": "дати", "дала": "дати", "дам": "дати", "полюю": "полювати",
    "rose": "rise", "left": "leave", "found": "find", "saw": "see", "felt": "feel", "lost": "lose", "lives": "live",
    "playing": "play", "bred": "breed", "shot": "shoot", "rode": "ride", "wound": "wind", "ground": "grind",
}  # fmt: skip
"""Forms whose verb the lemmatiser does not give (found by asking it for the verbs of the tables)."""

_INFINITIVE = re.compile(r"(?:ти|чи)(?:ся|сь)?$")
_PERSONS = (
    (re.compile(r"(?:ти|чи)(?:ся|сь)?$"), "inf"),
    (re.compile(r"(?:[иіїе]?мо|ємо|ємось|ємося|[иіїе]мось|[иіїе]мося)$"), "we"),
    (re.compile(r"(?:[уюаяї]ть|[уюая]ться)$"), "they"),
    (re.compile(r"(?:[иеєї]ш|[иеєї]шся)$"), "you"),
    (re.compile(r"(?:[иеєії]ть|[иеєії]ться|[аяуюоиї]є|[^аеєиіїоуюя]е|ється)$"), "he"),
    (re.compile(r"(?:[ую]|[ую]сь|[ую]ся|їм|дам|вім)$"), "i"),
    (re.compile(r"(?:в|вся|всь|ла|лась|лася|іг|ік|із|іс|ер|ух|ліз|ніс|біг|міг|ріс)$"), "past"),
    (re.compile(r"(?:ли|лись|лися)$"), "pastpl"),
    (re.compile(r"(?:й|йте|іть|йтеся|йтесь|іться|ись|ися)$"), "imp"),
)
_UNKNOWN_VERBS = (
    (re.compile(r"^(.{2,})(?:ую|уємо|уєш|ує|ують|ував|увала|ували)(?:с[ья])?$"), "увати"),
    (re.compile(r"^(.{2,})(?:юю|юємо|юєш|ює|юють|ював|ювала|ювали)(?:с[ья])?$"), "ювати"),
    (re.compile(r"^(.{2,})(?:аю|аємо|аєш|ає|ають|ав|ала|али)(?:с[ья])?$"), "ати"),
    (re.compile(r"^(.{2,})(?:яю|яємо|яєш|яє|яють|яв|яла|яли)(?:с[ья])?$"), "яти"),
    (re.compile(r"^(.{2,})(?:ію|іємо|ієш|іє|іють|ів|іла|іли)(?:с[ья])?$"), "іти"),
    (re.compile(r"^(.{2,})(?:имо|иш|ить|ять|ив|ила|или)(?:с[ья])?$"), "ити"),
)
_CONTRACTED = {
    "i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'll": "i will", "i'd": "i would", "id": "id",
    "we're": "we are", "we've": "we have", "we'll": "we will", "we'd": "we would", "you're": "you are",
    "they're": "they are", "they've": "they have", "he's": "he is", "she's": "she is", "it's": "it is",
    "that's": "that is", "there's": "there is", "here's": "here is", "what's": "what is", "let's": "let us",
    "lets": "let us", "who's": "who is", "don't": "do not", "dont": "do not", "doesn't": "does not",
    "doesnt": "does not", "didn't": "did not", "didnt": "did not", "can't": "can not", "cant": "can not",
    "cannot": "can not", "won't": "will not", "isn't": "is not", "isnt": "is not", "aren't": "are not",
    "arent": "are not", "wasn't": "was not", "weren't": "were not", "haven't": "have not", "havent": "have not",
    "hasn't": "has not", "hadn't": "had not", "wouldn't": "would not", "shouldn't": "should not",
    "couldn't": "could not", "weve": "we have", "theyre": "they are", "thats": "that is", "wanna": "want to",
    "gonna": "going to", "gotta": "got to", "everyone's": "everyone is", "everybody's": "everybody is",
    "нема": "немає", "шо": "що",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, word by word; commas and the like are words of their own (","), dashes too ("–").

    Attributes:
        text: The clause as given.
        spans: Start and end of each word in `text`; both halves of a contraction have the same.
        code: All words in order, each as "=form|reading|…| ": what compiled phrases search.
        starts: Where each word begins in `code`.
        atoms: Everything that any of the words may be.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    code: str
    starts: tuple[int, ...]
    atoms: frozenset[str]

    def slice(self, start: int, end: int) -> str:
        """The text of the words that lie in `code[start:end]`; "" of an empty stretch."""
        first, last = self.index(start), self.index(end - 1)
        return "" if end <= start else self.text[self.spans[first][0] : self.spans[last][1]]

    def index(self, position: int) -> int:
        """Which word `code[position]` belongs to."""
        return max(0, bisect_right(self.starts, position) - 1)

    def offset(self, position: int) -> int:
        """Where in `text` the word at `code[position]` begins; the text's length at the end."""
        at = bisect_right(self.starts, position) - 1
        return len(self.text) if position >= len(self.code) or at < 0 else self.spans[at][0]


def analyse(clause: str) -> Words:
    """The words of a clause, at most 80; never raises, whatever the text."""
    spans: list[tuple[int, int]] = []
    codes: list[str] = []
    atoms: set[str] = set()
    for form, span, capital in _forms(clause):
        code, known = _encoded(form)
        spans.append(span)
        codes.append(f"{code}#cap| " if capital else f"{code} ")
        atoms.update(known)
        if len(codes) >= MAX_WORDS:
            break
    starts, at = [], 0
    for code in codes:
        starts.append(at)
        at += len(code)
    return Words(clause, tuple(spans), "".join(codes), tuple(starts), frozenset(atoms))


def _forms(clause: str) -> Iterator[tuple[str, tuple[int, int], bool]]:
    for match in _TOKEN.finditer(unify_apostrophes(clause)):
        word = match.group()
        if word in _BORDER or word in _DASHES:
            yield "," if word in _BORDER else "–", match.span(), False
            continue
        folded = word.casefold()
        capital = word[0].isupper()
        for part in _CONTRACTED.get(folded, folded).split():
            yield part, match.span(), capital


@lru_cache(maxsize=20_000)
def _encoded(form: str) -> tuple[str, frozenset[str]]:
    atoms = list(dict.fromkeys(readings(form)))
    return f"={form}|{'|'.join(atoms)}|", frozenset(atoms)


def readings(form: str) -> Iterator[str]:
    """What a folded form may be: itself, its lemmas, and "<verb>#<person>", "#<person>" for Ukrainian verbs.

    Persons: i, we, you, he, they, past (singular), pastpl, inf, imp. English forms give "#ing" and "#ed".
    """
    yield form
    bases = [lemma(form)]
    if form in _SECOND_READINGS:
        bases.append(_SECOND_READINGS[form])
    if not _CYRILLIC.search(form):
        yield from bases
        yield from _english_hints(form)
        return
    if bases == [form]:
        bases += [
            f"{match[1]}{ending}{_reflexive(form)}" for known, ending in _UNKNOWN_VERBS if (match := known.match(form))
        ]
    yield from bases
    for base in bases:
        if _INFINITIVE.search(base) and (person := _person(form)):
            yield f"{base}#{person}"
            yield f"#{person}"


def _reflexive(form: str) -> str:
    return "ся" if form.endswith(("ся", "сь")) else ""


def _person(form: str) -> str | None:
    return next((person for ending, person in _PERSONS if ending.search(form)), None)


def _english_hints(form: str) -> Iterator[str]:
    if len(form) > 4 and form.endswith("ing"):
        yield "#ing"
        yield form[:-3]
        yield f"{form[:-3]}e"
    if len(form) > 3 and form.endswith("ed"):
        yield "#ed"
    if form[:1].isdigit():
        yield "#num"
