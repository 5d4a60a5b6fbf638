"""The little language in which patterns are written: a phrase is a run of words, each by what it may be.

    я? @adv* жити#i (в|у / недалеко від) <what: #cap{1,2}>

    word      has this form or this lemma: `жити` finds "живу", "живемо", "жив"
    жити#i    a verb in that person (see `words.readings`); `#i` any verb in it
    =moved    exactly this form;  `прив*` and `*ою` its beginning or ending
    a|b       any of them;  `@name` any of a named list;  `_` any word;  `#cap` a capitalised one
    x? x* x+ x{2,5}   optional, up to four, one to four, two to five times
    (a b / c d)       either run;  `!x` the next word is not this;  `$` the end of the clause
    <what>    captures up to fourteen words;  `<what: …>` captures what the run inside finds
    , –       a comma (or colon, bracket), a dash; no other element crosses a comma
    ^         the beginning of the sentence

A phrase compiles to one regular expression over `AnalysedText.code` in which every repetition is bounded, and each turn
of a repeated run is read in one way only, the first branch that fits, so matching is linear in the length of the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from shared.domain.text.data_files import word_set
from shared.domain.text.words import AnalysedText

_PIECE = re.compile(r"<\w+>|<\w+:|[()/>]|[^\s()<>/]+")
_QUANTIFIER = re.compile(r"(\?|\*|\+|\{\d+(?:,\d+)?\})$")
_BOUNDED: Mapping[str, str] = {"?": "{0,1}", "*": "{0,4}", "+": "{1,4}"}
_ANY = "(?!=,)[^ ]+ "
_WHAT = f"(?:{_ANY}){{1,14}}"
_COMMON = word_set("""
    я i ми we у в на з із зі до the a an in at on of to my мій be бути have мати is am are it this that це цей не not
    and і й та а for with про by що як do us our наш тут here , –
""")
_COMMON_COST = 1_000
_Needed = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A phrase found in words: the text of each capture (those not found are "") and where it lies."""

    words: AnalysedText
    match: re.Match[str]

    def group(self, name: str) -> str:
        """The text captured under `name`, "" when that part of the phrase is not there."""
        if name not in self.match.re.groupindex:
            return ""
        start, end = self.match.span(name)
        return "" if start < 0 else self.words.slice(start, end)

    def groups(self) -> dict[str, str]:
        """Every capture by its name."""
        return {name: self.group(name) for name in self.match.re.groupindex}

    @property
    def start(self) -> int:
        """Return where in the text the phrase begins."""
        return self.words.offset(self.match.start())

    @property
    def end(self) -> int:
        """Return where in the text the phrase ends."""
        return self.start + len(self.words.slice(*self.match.span()))


class Phrase:
    """A compiled phrase; compiling is put off until it is first needed.

    Attributes:
        heads: Atoms of which one must be among the words, or empty when that cannot be said.
        needed: All sets of atoms of which one must be among the words, rarest first; the first is `heads`.

    Raises:
        ValueError: The source is malformed, or names a list that does not exist.
    """

    def __init__(self, source: str, lists: Mapping[str, Iterable[str]]) -> None:
        self.source = source
        self._parser = _Parser(source, lists)
        self.needed = self._parser.needed
        self.heads = self.needed[0] if self.needed else frozenset[str]()

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._parser.expression)

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        return re.compile(f"(?<![^ ])(?:{self._parser.expression})")

    def match(self, words: AnalysedText, at: int = 0) -> PhraseMatch | None:
        """The phrase at the word that begins at `words.code[at]`."""
        return None if self.is_missing(words) else self.stands(words, at)

    def stands(self, words: AnalysedText, at: int) -> PhraseMatch | None:
        """`match` for a phrase that is known to be possible."""
        match = self._pattern.match(words.code, at)
        return PhraseMatch(words, match) if match else None

    def search(self, words: AnalysedText) -> PhraseMatch | None:
        """The first place where the phrase is found."""
        if self.is_missing(words):
            return None
        match = self._anywhere.search(words.code)
        return PhraseMatch(words, match) if match else None

    def find_each(self, words: AnalysedText) -> Iterator[PhraseMatch]:
        """Every place where the phrase is found, without overlap."""
        if self.is_missing(words):
            return iter(())
        return (PhraseMatch(words, match) for match in self._anywhere.finditer(words.code))

    def is_missing(self, words: AnalysedText, *, but_head: int = 0) -> bool:
        """Return whether a word without which there is no such phrase is not among the words.

        Args:
            but_head: 1 when a head is known to be there.
        """
        atoms = words.atoms
        # Asked of every phrase of every sentence: `any` would cost twice as much.
        for one_of in self.needed[but_head:] if but_head else self.needed:  # noqa: SIM110
            if one_of.isdisjoint(atoms):
                return True
        return False


class _Parser:
    """Recursive descent over the pieces of one phrase; yields the expression and the atoms that it needs."""

    def __init__(self, source: str, lists: Mapping[str, Iterable[str]]) -> None:
        self._source, self._lists = source, lists
        self._pieces = _PIECE.findall(source)
        self._at = 0
        self.expression, needed = self._run(closing="")
        self.needed = tuple(sorted(needed, key=_cost))
        if self._at < len(self._pieces):
            raise ValueError(f"{source!r}: unexpected {self._pieces[self._at]!r}")

    def _run(self, closing: str) -> tuple[str, _Needed]:
        """Elements up to `closing` or "/", and what must be among the words for them to be found."""
        parts: list[str] = []
        needed: list[frozenset[str]] = []
        while self._at < len(self._pieces) and self._pieces[self._at] not in (closing, "/", ")", ">"):
            expression, known = self._element()
            parts.append(expression)
            needed.extend(known)
        return "".join(parts), tuple(needed)

    def _element(self) -> tuple[str, _Needed]:
        piece = self._pieces[self._at]
        self._at += 1
        if piece == "(":
            return self._group("(?:", ")")
        if piece.startswith("<") and piece.endswith(":"):
            return self._group(f"(?P<{piece[1:-1]}>", ">")
        if piece.startswith("<"):
            return f"(?P<{piece[1:-1]}>{_WHAT})", ()
        if piece == "^":
            return r"\A", ()
        if piece == "$":
            return "(?:$|(?==,))", ()
        return self._word(piece)

    def _group(self, opening: str, closing: str) -> tuple[str, _Needed]:
        branches: list[str] = []
        needed: list[_Needed] = []
        mark = "/"
        while mark == "/":
            expression, known = self._run(closing)
            branches.append(expression)
            needed.append(known)
            if self._at >= len(self._pieces):
                raise ValueError(f"{self._source!r}: {closing!r} is missing")
            mark = self._pieces[self._at]
            self._at += 1
        if mark != closing:
            raise ValueError(f"{self._source!r}: unexpected {mark!r}")
        repeated = self._repetition()
        inner = f"{opening}{'|'.join(branches)})"
        # Atomic: were a turn's other readings tried when what follows fails, their number would be raised to the number
        # of turns.
        turn = "(?:" if repeated == _BOUNDED["?"] else "(?>"
        return (f"{turn}{inner}){repeated}" if repeated else inner), (
            () if repeated.startswith("{0") else _needed_of_any(needed)
        )

    def _repetition(self) -> str:
        """A quantifier that follows a closing bracket."""
        if self._at < len(self._pieces) and _QUANTIFIER.fullmatch(self._pieces[self._at]):
            self._at += 1
            piece = self._pieces[self._at - 1]
            return _BOUNDED.get(piece, piece)
        return ""

    def _word(self, piece: str) -> tuple[str, _Needed]:
        denied, body = piece.startswith("!"), piece.lstrip("!")
        found = _QUANTIFIER.search(body) if len(body) > 1 else None
        quantifier = found.group() if found else ""
        # `прив*` is a beginning; `@adv*` repeats: a repeated word is written `(word)*`.
        if quantifier == "*" and not body.startswith(("@", "#", "_", "=")):
            quantifier = ""
        alternatives = tuple(self._alternatives(body.removesuffix(quantifier)))
        one = _token(alternatives)
        if denied:
            return f"(?!{one})", ()
        repeated = _BOUNDED.get(quantifier, quantifier)
        heads = frozenset() if repeated.startswith("{0") else _heads(alternatives)
        return (f"(?:{one}){repeated}" if repeated else one), (heads,) if heads else ()

    def _alternatives(self, body: str) -> Iterable[str]:
        for name in body.split("|"):
            if not name:
                raise ValueError(f"{self._source!r}: {body!r} has an empty alternative; runs are written (a b / c d)")
            if not name.startswith("@"):
                yield name
            elif name[1:] in self._lists:
                yield from self._lists[name[1:]]
            else:
                raise ValueError(f"{self._source!r}: there is no list {name!r}")


def _needed_of_any(branches: Sequence[_Needed]) -> _Needed:
    """Return what is needed when any of the branches may be found: of several, one atom of the rarest set of each."""
    if len(branches) == 1:
        return branches[0]
    if not all(branches):
        return ()
    return (frozenset[str]().union(*(min(needed, key=_cost) for needed in branches)),)


@cache  # rows say the same of the same words again and again: half a second of an instance's first message
def _token(alternatives: tuple[str, ...]) -> str:
    forms, atoms = [], []
    for name in alternatives:
        if name == "_":
            return _ANY
        if name.startswith("=") and len(name) > 1:
            forms.append(re.escape(name[1:]))
        elif len(name) > 1 and name.endswith("*"):
            forms.append(re.escape(name[:-1]) + "[^ |]*")
        elif len(name) > 1 and name.startswith("*"):
            forms.append("[^ |]*" + re.escape(name[1:]))
        else:
            atoms.append(re.escape(name))
    tests = []
    if forms:
        tests.append(f"(?==(?:{'|'.join(forms)})\\|)")
    if atoms:
        tests.append(f"(?=[^ ]*\\|(?:{'|'.join(atoms)})\\|)")
    return f"(?:{'|'.join(tests)})[^ ]+ "


@cache
def _heads(alternatives: tuple[str, ...]) -> frozenset[str]:
    """The atoms of an element, or nothing when a word may match it by its beginning or ending."""
    heads = frozenset(name.removeprefix("=") if len(name) > 1 else name for name in alternatives)
    open_ended = any(name in ("_", "#cap") or "*" in (name[0], name[-1]) for name in heads)
    return frozenset() if open_ended else heads


def _cost(heads: frozenset[str]) -> int:
    """Return how often one of them will be among the words, roughly."""
    return sum(_COMMON_COST if head in _COMMON or head.startswith("#") else 1 for head in heads)
