"""Reads somebody's own deliberate words as they stand: where they begin, and if they state anything.

Nothing here is guessed: words are cut, never changed, so that a quote stays verbatim.
"""

import re
from collections import Counter
from collections.abc import Iterable

from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.reading.guards.sentences import is_question
from shared.domain.text.data_files import expressions, word_sets
from shared.domain.text.language import fold, lemma, tokens, unify_apostrophes

_SAYS = expressions(__package__, "own_words")
_WORDS = word_sets(__package__, "own_words")
_PERSON, _SPEAKER, _INSULTS, _JUDGED = (_WORDS[name] for name in ("person", "speaker", "insults", "judged"))
_QUESTION_MARK = re.compile(r"\?\W*\Z")
_CLAUSE = re.compile(r",\s+|\s+[-–—]\s+")

_VARIANTS = {"в": "у", "й": "і", "та": "і", "із": "з", "зі": "з", "же": "ж", "би": "б"}
"""One word in the forms that euphony gives it."""

_JOINED = re.compile(r"(?:[\s,]|\b(?:або|чи|і|й|та|or|and)\b)*", re.IGNORECASE)


def without_request(said: str) -> str:
    """Return what is asked to be remembered, without what leads to it: "що ключ під килимком", ", that we meet on
    Sundays"."""
    request = _SAYS["request"].match(said)
    return said[request.end() :] if request else said


def strip_no(said: str) -> str:
    """Return what stands behind a "no" and a pause: "у неділю" of "Ні, у неділю"; "" when there is none."""
    no = _SAYS["no"].match(said)
    return said[no.end() :].strip() if no else ""


def asks(said: str, *, form: str = "") -> bool:
    """Return whether words ask, with a question mark or without one.

    What begins like a question and goes on behind a pause states something: "who is late - buys ice cream".

    Args:
        form: A statement or "": where it begins like a question itself, words without a question mark state, too.
    """
    if _QUESTION_MARK.search(said):
        return True
    *_, rest = _CLAUSE.split(said, maxsplit=1)
    return is_question(said) and (rest == said or is_question(rest)) and not (form and is_question(form))


def repeats(said: str, known: Iterable[str]) -> bool:
    """Return whether words are those of a known text, in any of their forms: then they correct nothing of it.

    Every other word makes a difference: a number, a "not", "under" for "on".
    """
    words_said = _forms(said)
    return any(_forms(text) == words_said for text in known)


def _forms(text: str) -> Counter[str]:
    return Counter(_VARIANTS.get(word, word) for word in map(lemma, tokens(text)))


def is_judgement(said: str) -> bool:
    """Return whether words only insult or judge somebody ("ти дурень", "she is so smart"): they state nothing to keep.

    What somebody says of themselves is theirs to say, unless it is an insult.
    """
    spoken = tokens(said)
    about_speaker = not _SPEAKER.isdisjoint(spoken)
    left = {lemma(word) for word in spoken if word not in _PERSON | _SPEAKER | _WORDS["link"]}
    if left & _INSULTS:
        return len(left - _INSULTS - _JUDGED) <= 1  # one more word may be a name: "Тарас дурень"
    return bool(left) and left <= _JUDGED and not about_speaker and not _PERSON.isdisjoint(spoken)


def retime(description: str, said: str) -> str:
    """A description with another day or hour, when that is all that the words tell; else the words.

    "Підсумки у п'ятницю" and "у неділю" make "Підсумки у неділю"; "у суботу або неділю" is put there as a whole. It is
    only put in the place of one of its kind.
    """
    points = _SAYS["points"].match(said)
    told = said[points.end() if points else 0 :].strip(" .!")
    kinds = moments_in(told)
    if len(kinds) != 1 or not _JOINED.fullmatch(without_moments(told)):
        return said
    known = [match for match, its_kind in _moments(description) if its_kind in kinds]
    if len(known) != 1:
        return said
    return description[: known[0].start()] + told + description[known[0].end() :]


def moments_in(text: str) -> frozenset[str]:
    """Return of which kinds a text tells moments: "day", "hour"."""
    return frozenset(kind for _, kind in _moments(text))


def without_moments(text: str) -> str:
    """A text without its days and hours, and the words that lead to them."""
    left, end = "", 0
    for match, _ in _moments(text):
        left, end = f"{left}{text[end : match.start()]} ", match.end()
    return left + text[end:]


def _moments(text: str) -> list[tuple[re.Match[str], str]]:
    """Days and hours in a text, with the words that lead to them, and which of the two each is."""
    found = ((match, _kind(match["moment"])) for match in _SAYS["moment"].finditer(text))
    return [(match, kind) for match, kind in found if kind]


def _kind(word: str) -> str:
    if word[0].isdecimal():
        return "hour"
    return "day" if meaning(fold(unify_apostrophes(word))).kind is Kind.DAY else ""
