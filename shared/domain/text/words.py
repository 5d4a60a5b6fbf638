"""Words of a clause as everything they may be: form, dictionary form and grammatical hints, for phrases to match.

A lemmatiser gives one reading of a form, while short verb forms often have two ("живу" is "I live" and "a living
one"): a small table adds the verb that was lost, and an ending rule reads verbs that no dictionary knows ("стримлю").
Tense and person come from the ending, which in Ukrainian says who acts even where the pronoun is left out.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, islice

from shared.domain.text.data_files import read_data
from shared.domain.text.language import is_known, lemma, unify_apostrophes

MAX_WORDS = 80
"""Words of one clause that are read; a longer one is no statement."""

_TOKEN = re.compile(
    r"\d+(?:[:.,/-]\d+)+|\d+[%+]?(?![^\W_])|[@#]?[^\W_]+(?:['-][^\W_]+)*(?:\+\+)?|[,;:()\[\]]|(?<!\S)[-–—](?!\S)"
)
_BORDER = frozenset(",;:()[]")
_DASHES = frozenset("-–—")
_CYRILLIC = re.compile("[Ѐ-ӿ]")

_INFINITIVE = re.compile(r"(?:ти|чи)(?:ся|сь)?$")
_PAST = re.compile(r"^(.+[аяиіу])(?:в|ла|ли|вся|всь|лася|лась|лися|лись)$")


@cache
def _read_second_readings() -> Mapping[str, str]:
    """Return the verbs of forms for which the lemmatiser gives another word."""
    verbs = read_data(__package__, "words")["second_readings"]
    return {form: verb for verb, forms in verbs.items() for form in forms.split()}


@cache
def _endings(of: str) -> Sequence[tuple[re.Pattern[str], str]]:
    """Return the endings by which a person ("persons") or an unknown verb's infinitive ("infinitives") is told."""
    return [(re.compile(ending), told) for ending, told in read_data(__package__, "words")["endings"][of]]


@cache
def _wedge_pattern() -> re.Pattern[str]:
    """Return an expression of what is put between commas into a statement without changing it."""
    phrases = (phrase.split() for phrase in read_data(__package__, "words")["wedges"]["phrases"])
    runs = ("".join(rf"={re.escape(form)}\|[^ ]* " for form in forms) for forms in phrases)
    return re.compile(rf"=,\|[^ ]* (?:{'|'.join(runs)})=,\|[^ ]* ")


@dataclass(frozen=True, slots=True)
class AnalysedText:
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
        if end <= start:
            return ""
        first, after = self.index(start), bisect_left(self.starts, end)
        return self.text[self.spans[first][0] : self.spans[after - 1][1]]

    def index(self, position: int) -> int:
        """Return which word `code[position]` belongs to."""
        return max(0, bisect_right(self.starts, position) - 1)

    def offset(self, position: int) -> int:
        """Return where in `text` the word at `code[position]` begins; the text's length at the end."""
        at = bisect_right(self.starts, position) - 1
        return len(self.text) if position >= len(self.code) or at < 0 else self.spans[at][0]


@lru_cache(maxsize=256)
def analyse(clause: str) -> AnalysedText:
    """The words of a clause, at most 80; never raises, whatever the text.

    Kept for a while: guards and tables ask for the same sentence one after another.
    """
    tokens = islice(_TOKEN.finditer(unify_apostrophes(clause)), MAX_WORDS)
    read = [(match.span(), half) for match in tokens for half in _encode_token(match.group())][:MAX_WORDS]
    codes = [code for _, (code, _) in read]
    return AnalysedText(
        text=clause,
        spans=tuple(span for span, _ in read),
        code="".join(codes),
        starts=tuple(accumulate(map(len, codes[:-1]), initial=0)) if codes else (),
        atoms=frozenset[str]().union(*(known for _, (_, known) in read)),
    )


def to_first_person(words: AnalysedText) -> AnalysedText:
    """Return words as the one they are said to would say them: Ukrainian second person reads as first."""
    code = words.code.replace("=ти|", "=я|").replace("|ти|", "|я|").replace("#you|", "#i|")
    atoms = frozenset(atom.replace("#you", "#i") for atom in words.atoms) | {"я"}
    return AnalysedText(words.text, words.spans, code, _starts(code), atoms)


def without_asides(words: AnalysedText) -> AnalysedText:
    """Return words without what is wedged between two commas and changes nothing ("я, до речі, з Луцька")."""
    cuts = [match.span() for match in _wedge_pattern().finditer(words.code)]
    if not cuts:
        return words
    at = zip(words.spans, words.starts, strict=True)
    spans = tuple(span for span, begin in at if not any(start <= begin < end for start, end in cuts))
    code = _wedge_pattern().sub("", words.code)
    return AnalysedText(words.text, spans, code, _starts(code), words.atoms)


def _starts(code: str) -> tuple[int, ...]:
    return tuple(match.start() for match in re.finditer("=[^ ]+ ", code))


@lru_cache(maxsize=20_000)
def _encode_token(word: str) -> tuple[tuple[str, frozenset[str]], ...]:
    if word in _BORDER or word in _DASHES:
        code, atoms = _encode_form("," if word in _BORDER else "–")
        return ((f"{code} ", atoms),)
    folded = word.casefold()
    mark = "#cap| " if word[0].isupper() else " "
    written_out: str = read_data(__package__, "words")["contracted"].get(folded, folded)
    return tuple((f"{code}{mark}", atoms) for code, atoms in map(_encode_form, written_out.split()))


def _encode_form(form: str) -> tuple[str, frozenset[str]]:
    atoms = list(dict.fromkeys(readings(form)))
    return f"={form}|{'|'.join(atoms)}|", frozenset(atoms)


def readings(form: str) -> Iterator[str]:
    """Yield what a folded form may be: itself, its lemmas, and "<verb>#<person>", "#<person>" for Ukrainian verbs.

    Persons: i, we, you, he, they, past (singular), pastpl, inf, imp. English forms give "#ing" and "#ed".
    """
    yield form
    bases = [lemma(form)]
    if verb := _read_second_readings().get(form):
        bases.append(verb)
    if not _CYRILLIC.search(form):
        yield from bases
        yield from _english_hints(form)
        return
    if bases == [form]:
        known = ((match, ending) for verb, ending in _endings("infinitives") if (match := verb.match(form)))
        bases += [f"{match[1]}{ending}{_reflexive(form)}" for match, ending in known]
    bases += _verbs_missed(form, bases)
    yield from bases
    infinitives = [base for base in bases if _INFINITIVE.search(base)]
    persons = (person for ending, person in _endings("persons") if ending.search(form))
    person = next(persons, None) if infinitives else None
    for base in infinitives if person else ():
        yield f"{base}#{person}"
        yield f"#{person}"


def _verbs_missed(form: str, bases: Sequence[str]) -> list[str]:
    """Verbs of a past form that was taken for another word ("грала"), or whose "-ся" was lost ("лікувався")."""
    reflexive = _reflexive(form)
    verbs = [base for base in bases if _INFINITIVE.search(base)]
    if verbs:
        return [f"{base}ся" for base in verbs if reflexive and not base.endswith(("ся", "сь"))]
    past = _PAST.match(form)
    return [f"{past[1]}ти{reflexive}"] if past and is_known(f"{past[1]}ти") else []


def _reflexive(form: str) -> str:
    return "ся" if form.endswith(("ся", "сь")) else ""


def _english_hints(form: str) -> Iterator[str]:
    if len(form) > 4 and form.endswith("ing"):
        yield "#ing"
        yield form[:-3]
        yield f"{form[:-3]}e"
    if len(form) > 3 and form.endswith("ed"):
        yield "#ed"
    if form[:1].isdigit():
        yield "#num"
