"""What somebody says on purpose, read as it stands: where their words begin, and whether they state anything.

Nothing here is guessed: words are cut, never changed, so that a quote stays verbatim.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.reading.guards.sentences import is_question
from shared.domain.text.data_files import word_lists
from shared.domain.text.language import fold, lemma, tokens, unify_apostrophes

_PAUSE = r"(?:[\s,:;]|[-–—](?=\s))*"
_REQUEST = re.compile(
    rf"{_PAUSE}(?:(?:запам['’ʼ]?ятай(?:те)?|remember)(?=[\s,:]){_PAUSE})?"
    r"(?:(?:що|шо)(?=[\s,:])(?!\s+(?:таке|робити|за|то)\b)|that(?=[\s,:])(?!\s+(?:is|was|will|would|can|could|has|"
    r"had|means|one|time|day)\b))?"
    rf"{_PAUSE}",
    re.IGNORECASE,
)
_NO = re.compile(r"\s*(?:ні|нє|неа|не так|неправда|no|nope|nah|wrong|not quite)\s*[,.!:;–—-]+\s*", re.IGNORECASE)

_WORDS = {name: frozenset(words) for name, words in word_lists(__package__, "own_words").items()}
_PERSON, _SPEAKER, _INSULTS, _JUDGED = (_WORDS[name] for name in ("person", "speaker", "insults", "judged"))
_QUESTION_MARK = re.compile(r"\?\W*\Z")
_CLAUSE = re.compile(r",\s+|\s+[-–—]\s+")

_VARIANTS = {"в": "у", "й": "і", "та": "і", "із": "з", "зі": "з", "же": "ж", "би": "б"}
"""One word in the forms that euphony gives it."""

_MOMENT = re.compile(
    r"(?:\b(?:у|в|о|об|на|по|кожної|кожну|кожного|on|at|in|every|each)\s+)?"
    r"(?P<moment>\b\d{1,2}[:.]\d\d\b"
    r"|(?:(?<=\bо )|(?<=\bоб )|(?<=\bat ))\d{1,2}(?:\s*[ap]m)?\b(?!\s*[\w%])"
    r"|\b[^\W\d_]+(?:['’ʼ][^\W\d_]+)*)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:[\s,]|\b(?:або|чи|і|й|та|or|and)\b)*", re.IGNORECASE)
_POINTS = re.compile(r"\s*(?:(?:it|that)['’]s|it is|that is|це|то)\s+", re.IGNORECASE)


def without_request(said: str) -> str:
    """Return what is asked to be remembered, without what leads to it: "що ключ під килимком", ", that we meet on
    Sundays"."""
    request = _REQUEST.match(said)
    return said if request is None else said[request.end() :]


def after_no(said: str) -> str:
    """Return what stands behind a "no" and a pause, as it stands: "у неділю" of "Ні, у неділю"; "" when there is
    none."""
    no = _NO.match(said)
    return "" if no is None else said[no.end() :].strip()


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


def retold(description: str, said: str) -> str:
    """A description with another day or hour, when that is all that the words tell; else the words.

    "Підсумки у п'ятницю" and "у неділю" make "Підсумки у неділю"; "у суботу або неділю" is put there as a whole. It is
    only put in the place of one of its kind.
    """
    points = _POINTS.match(said)
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
    found = ((match, _kind(match["moment"])) for match in _MOMENT.finditer(text))
    return [(match, kind) for match, kind in found if kind]


def _kind(word: str) -> str:
    if word[0].isdecimal():
        return "hour"
    return "day" if meaning(fold(unify_apostrophes(word))).kind is Kind.DAY else ""
