"""A thing to do as a line says it: the infinitive and its object, without the times and words that tell nothing."""

import re
from datetime import date
from itertools import dropwhile
from typing import NamedTuple

from shared.domain.consolidation.days import days_in, due_day, without_days
from shared.domain.consolidation.findings.actions import ASKED, ASKED_OF_MANY, WISHED
from shared.domain.consolidation.likeness import is_proper
from shared.domain.text.data_files import expressions, stop_words, time_words, word_lists
from shared.domain.text.language import Language, fold, is_known, lemma, tokens, unify_apostrophes
from shared.domain.text.terms import term
from shared.domain.text.words import readings

_SAYS = expressions(__package__, "tasks")

MOST_WORDS = 12
"""Words of a thing to do."""

_CUT = re.compile(
    r"\s(?:бо|але|якщо|коли|щоб|а|або|як|поки|тому|чи|because|but|if|when|so|cause|cuz|while|since|or|then|before|"
    r"after)\s.*$"
    r"|(?:[!?…)(\n]|\.(?!\d)).*$|\s[-–—]\s.*$",
    re.IGNORECASE | re.DOTALL,
)
_MOST_ASKED = 9
_REASON = re.compile(r"\s(?:бо|тому|because|cause|cuz)\s.*$|(?:[!?…)(\n]|\.(?!\d)).*$", re.IGNORECASE | re.DOTALL)
_WORDS = {name: frozenset(words) for name, words in word_lists(__package__, "words").items()}
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


class FoundTask(NamedTuple):
    """A task and its due day.

    Attributes:
        text: "забронювати квитки", "book the tickets"; of a thing to bring only the thing.
    """

    text: str
    due: date | None


def task(verb: str, what: str, said_on: date, *, due: date | None = None) -> FoundTask | None:
    """The task that a verb and what follows it tell; None when they do not say what.

    Args:
        verb: As it was said, in whatever form; "" when there is none.
        due: The day that the rest of the sentence tells.
    """
    what, asked = split_ask(what) if inquires(verb) else (what, "")
    what = _SAYS["clock"].sub(" ", what)
    days = days_in(what, said_on)
    plain = trim_tail(strip_request(without_days(what, days) if days else what))
    if asked and tells(asked):
        question = " ".join(re.split(r"[,;:]", asked)[0].split()[:_MOST_ASKED])
        comma = "" if question.isascii() else ","  # Ukrainian sets the question off
        said = f"{infinitive(verb)} {plain}".strip()
        return FoundTask(f"{said}{comma} {question}", due_day(days) or due)
    if not tells(plain):
        return None
    return FoundTask(f"{infinitive(verb)} {uncapitalise(plain) if verb else plain}".strip(), due_day(days) or due)


def inquires(verb: str) -> bool:
    """Return whether a verb, in whatever form, asks or looks for an answer."""
    return infinitive(verb) in _WORDS["inquiries"]


def split_ask(what: str) -> tuple[str, str]:
    """Return what stands before an indirect question, and the question ("your brother", "whether he is free on May 1").

    The days in the question are no days by which to ask.
    """
    match = _SAYS["what_is_asked"].search(f" {what}")
    return (what, "") if match is None else (what[: max(0, match.start() - 1)].rstrip(" ,"), what[match.end() - 1 :])


def strip_request(what: str, *, ends: re.Pattern[str] = _CUT) -> str:
    """The words that say what: up to the next clause, without fillers, in the third person."""
    what = ends.sub("", _SAYS["aside"].sub(" ", f" {what}"))
    for match in _SAYS["and"].finditer(what):
        if any(atom.startswith("#") for atom in readings(fold(match[1]))):
            what = what[: match.start()]
            break
    kept: list[str] = []
    for word in what.split():
        folded = fold(unify_apostrophes(word)).strip(".,!?")
        if folded in _WORDS["idle"] | _WORDS["theirs"] or (not kept and folded in _WORDS["leading"]):
            continue
        kept.append("the" if folded in _WORDS["ours"] else word)
    return _EDGES.sub("", " ".join(kept[:MOST_WORDS]))


def strip_lead(text: str) -> str:
    """The text without asides and the little words that led to it ("до речі, бо …")."""
    led = _WORDS["leading"] | _WORDS["joining"]
    return " ".join(dropwhile(lambda word: fold(word).strip(",") in led, _SAYS["aside"].sub(" ", text).split()))


def trim_tail(text: str) -> str:
    """The text without the little words that are left at its end when a day is taken out ("lasts until the")."""
    words = text.split()
    while words and fold(words[-1]) in stop_words():
        words.pop()
    return " ".join(words)


def tells(what: str) -> bool:
    """Return whether words name a thing."""
    return any(
        term(word)
        and len(word) > 1
        and word not in time_words()
        and not {word, lemma(word)} & _WORDS["vague"]
        and not word.isdecimal()
        for word in tokens(what)
    )


def infinitive(verb: str) -> str:
    """A verb as one says what is to be done; "" of none."""
    folded = fold(unify_apostrophes(verb))
    if known := ASKED.get(folded) or ASKED_OF_MANY.get(folded):
        return known
    if not folded:
        return ""
    base = next((atom.partition("#")[0] for atom in readings(folded) if "#" in atom and not atom.startswith("#")), "")
    return base or lemma(folded)


def say_plainly(wish: str) -> str:
    """A wish as one says what is to be done ("пишіть коротко" as "писати коротко", "not do calls" as "no calls")."""
    about = _SAYS["about"].match(wish)
    plain = _SAYS["not_to_do"].sub("no ", strip_request(wish, ends=_REASON))
    said = " ".join(WISHED.get(fold(word), word) for word in plain.split())
    return f"{about[1]} {said}" if about and said else said


def capitalise(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def uncapitalise(text: str) -> str:
    """The text as it stands inside a sentence; a name or an abbreviation keeps its capital."""
    first = text.partition(" ")[0]
    keeps = first[1:2].isupper() or is_proper(fold(first)) or (first.isascii() and fold(first) not in stop_words())
    return text if keeps or not is_known(fold(first)) else text[:1].lower() + text[1:]


def language_of_task(text: str, otherwise: Language) -> Language:
    """The language that most letters of a line are of; `otherwise` where it has as many of both, or none."""
    cyrillic = sum("Ѐ" <= char <= "ӿ" for char in text)
    latin = sum("a" <= char <= "z" for char in text.casefold())
    return otherwise if cyrillic == latin else ("uk" if cyrillic > latin else "en")
