"""Finds ideas of things to do together, and their days: proposals, questions and announcements.

A remark with a date is none: an idea has a verb of what "we" do, or names an occasion.
"""

import re
from collections.abc import Iterator
from datetime import date, tzinfo
from typing import NamedTuple

from shared.domain.consolidation.days import days_in, due_day, is_deadline, without_days
from shared.domain.consolidation.findings import actions
from shared.domain.consolidation.findings.commitments import find_wordings, is_owed
from shared.domain.consolidation.findings.tasks import capitalise, infinitive, strip_lead, task, tells, trim_tail
from shared.domain.consolidation.findings.wishes import wish_in
from shared.domain.consolidation.likeness import telling_terms
from shared.domain.conversation.messages import Message
from shared.domain.reading.guards.sentences import is_about_another_group, is_conditional, is_hypothetical, is_quoted
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.reading.patterns.chat.calendar import OCCASION, OWN_OCCASION, PUT_OFF, event_in, names_event
from shared.domain.text.data_files import expressions, word_lists
from shared.domain.text.language import fold, lemma, tokens
from shared.domain.text.words import AnalysedText, analyse, readings

_SAYS = expressions(__package__, "ideas")

_MOST_WORDS = 10
_SELF = ("i ", "i'", "it ", "it's", "that ", "this ", "there ", "я ", "це ", "то ", "у мене ", "в мене ")
_ABOUT = frozenset({"щодо", "стосовно", "про", "по", "about", "regarding"})
_TO_GO = "поїхати"
_HEAD = re.compile(r"^(?:\S+\s+){0,2}\S+:\s+")
_HEADED = re.compile(r"^(?P<about>(?:\S+ ){0,3}\S+):\s+(?P<rest>.+)$")


class Idea(NamedTuple):
    """Something to do together, as one sentence has it.

    Attributes:
        terms: What a message about it shares with it; none when all its words are everyday ones.
        phrase: Its words, folded, by which it is known then.
        asked: It was put as a question.
        needed: It was only said to be needed.
    """

    text: str
    due: date | None
    message: Message
    quote: str
    terms: frozenset[str]
    phrase: str
    asked: bool
    needed: bool = False

    def is_told_in(self, text: str, terms: frozenset[str]) -> bool:
        """Return whether a folded text with these terms speaks of it."""
        return bool(self.terms & terms) or self.phrase in text


class DayNamed(NamedTuple):
    """A sentence that says on which day something is; without terms it goes with what was just talked about."""

    day: date
    message: Message
    quote: str
    text: str
    terms: frozenset[str]


def ideas_in(message: Message, zone: tzinfo) -> Iterator[Idea]:
    """Find the ideas of a message, at most one in each sentence."""
    on, before = message.sent_at.astimezone(zone).date(), ""
    for sentence in sentences(message.text):
        named, before = _find_thing(before), sentence.text
        if is_quoted(sentence.text) or is_conditional(sentence.text) or wish_in(sentence):
            continue
        place = message, sentence, on
        if sentence.question:
            idea = _idea_of_question(*place) or _find_headed(*place) or _find_announced(*place)
        elif is_hypothetical(sentence.text):
            idea = None
        else:
            idea = _find_planned(*place) or _find_headed(*place) or _find_moved(*place)
            idea = idea or _find_announced(*place) or _find_needed_work(*place)
        idea = None if idea is None else _resolve_pronoun(idea, named)
        if idea is not None and (idea.terms or OCCASION.mark(analyse(idea.text))):
            yield idea


def _resolve_pronoun(idea: Idea, named: str) -> Idea | None:
    """The idea with the thing named just before for a pronoun ("it at the lake house"); None when none was named."""
    match = _SAYS["pronoun"].match(idea.text)
    if match is None:
        return idea
    if not named:
        return None
    text = f"{match['verb'] or ''}{named} {idea.text[match.end() :]}"
    return idea._replace(text=capitalise(text), terms=telling_terms(tokens(text)), phrase=fold(text))


def _find_thing(said: str) -> str:
    """A sentence that only names a thing ("Right, the family reunion."), without the words that lead to it; else ""."""
    text = _SAYS["leads"].sub("", said).strip(" .,!?:;…")
    words = analyse(text)
    short = 0 < len(text.split()) <= _MOST_WORDS // 2 and "," not in text
    named = text.isascii() is False or _SAYS["determined"].match(text) is not None
    verb = is_past(words) or any(atom.startswith("#") and atom not in ("#cap", "#num") for atom in words.atoms)
    only_names = short and named and not verb and not _SAYS["clause"].search(text)
    return text if only_names and telling_terms(tokens(text)) else ""


def days_named_in(message: Message, zone: tzinfo) -> Iterator[DayNamed]:
    """Days on which things are, not those by which they are to be done; the last of each sentence."""
    on = message.sent_at.astimezone(zone).date()
    for sentence in sentences(message.text):
        first = _HEAD.sub("", sentence.text).partition(",")[0]
        days = [day for day in days_in(first, on) or days_in(sentence.text, on) if not is_deadline(sentence.text, day)]
        dated = [day for day in days if day.dated]
        if not dated or is_past(analyse(sentence.text)) or is_owed(message, sentence, on):
            continue
        about = _SAYS["proposes"].sub("", without_days(first, days_in(first, on)))
        if _is_of_one(about):
            continue
        terms = telling_terms(tokens(about))
        moves = PUT_OFF.mark(analyse(sentence.text)) or names_event(sentence.text)
        if not terms or moves or len(about.split()) <= _MOST_WORDS // 2:  # about when a thing is, not of that day
            yield DayNamed(dated[-1].day, message, sentence.quote, fold(about), terms)


def dates_in(message: Message, zone: tzinfo) -> frozenset[date]:
    """Every date that a message names, for whatever it does."""
    on = message.sent_at.astimezone(zone).date()
    return frozenset(said.day for said in days_in(message.text, on) if said.dated)


def _is_of_one(about: str) -> bool:
    """Return whether a clause is about its speaker or their family ("записалась на іспит")."""
    first = fold(about).partition(" ")[0]
    deeds = {"#i", "#past", "#pastpl", "#ing"}.intersection(readings(first) if first else ())
    own = bool(deeds) or fold(about).startswith(_SELF)
    return own or is_about_another_group(about) or OWN_OCCASION.mark(analyse(about))


def _idea_of_question(message: Message, sentence: Sentence, on: date) -> Idea | None:
    for found in find_wordings(analyse(sentence.text), "asked_plans"):
        what = found.group("what")
        somewhere = bool(_SAYS["somewhere"].match(what)) or bool(found.group("to"))
        if not (found.group("verb") or somewhere) and not OCCASION.mark(analyse(what)):
            continue
        verb = found.group("verb") or (_TO_GO if somewhere and not what.isascii() else "")
        if idea := _idea(message, sentence, verb, what, on, asked=True):
            return idea
    return None


def _find_needed_work(message: Message, sentence: Sentence, on: date) -> Idea | None:
    """A work that somebody says must be done ("треба нарешті пофарбувати під'їзд")."""
    for found in find_wordings(analyse(sentence.text), "needs"):
        verb = found.group("verb")
        if infinitive(verb) in actions.JOINT_WORK and (idea := _idea(message, sentence, verb, found.group("what"), on)):
            return idea._replace(needed=True)
    return None


def _find_headed(message: Message, sentence: Sentence, on: date) -> Idea | None:
    """A heading before a question or a proposal of a day ("bridge build: which Saturday?")."""
    match = _HEADED.match(sentence.text)
    if match is None or not (_SAYS["which_day"].search(match["rest"]) or PUT_OFF.mark(analyse(match["rest"]))):
        return None
    about = match["about"].split()
    text = _noun(about[-1]) if fold(about[0]) in _ABOUT else match["about"]
    due = due_day([day for day in days_in(sentence.text, on) if day.dated])
    return _idea_of(message, sentence, _SAYS["article"].sub("", text), due)


def _find_moved(message: Message, sentence: Sentence, on: date) -> Idea | None:
    """Return what gets another day ("the build moves to Saturday 17th")."""
    match = _SAYS["moves"].match(sentence.text)
    days = [day for day in days_in(message.text, on) if day.dated] if match is not None else []
    about = _SAYS["article"].sub("", match["about"]) if match is not None else ""
    return _idea_of(message, sentence, about, due_day(days)) if days else None


def _find_planned(message: Message, sentence: Sentence, on: date) -> Idea | None:
    for found in find_wordings(analyse(sentence.text), "plans", "heading_for"):
        if idea := _idea(message, sentence, found.group("verb") or _TO_GO, found.group("what"), on):
            return idea
    return None


def _idea(message: Message, sentence: Sentence, verb: str, what: str, on: date, *, asked: bool = False) -> Idea | None:
    days = days_in(sentence.text, on) or [day for day in days_in(message.text, on) if day.dated]
    made = task(verb, what, on, due=due_day(days))
    return None if made is None else _idea_of(message, sentence, subject(made.text), made.due, asked=asked)


def _idea_of(message: Message, sentence: Sentence, text: str, due: date | None, *, asked: bool = False) -> Idea | None:
    terms = telling_terms(tokens(text))
    return Idea(capitalise(text), due, message, sentence.quote, terms, fold(text), asked) if tells(text) else None


def subject(text: str) -> str:
    """Return what is done, without a verb that adds nothing and the words around it ("do the fair again": "fair")."""
    verb, _, rest = text.partition(" ")
    adds_nothing = rest and fold(verb) in word_lists(__package__, "words")["plain_verbs"]
    return _SAYS["article"].sub("", _SAYS["again"].sub("", rest if adds_nothing else text))


def _find_announced(message: Message, sentence: Sentence, on: date) -> Idea | None:
    days, words = days_in(sentence.text, on), analyse(sentence.text)
    if not days or is_past(words) or is_owed_words(words):
        return None
    if event_in(sentence.text) is None and not (any(day.dated for day in days) and OCCASION.mark(words)):
        return None
    first = _HEAD.sub("", sentence.text).partition(",")[0]
    text = strip_lead(trim_tail(without_days(first, days_in(first, on))))
    said = text.split()
    if len(said) == 1 or fold(said[0] if said else "") in _ABOUT:
        text = _noun(said[-1]) if said else ""
    if not tells(text) or len(said) > _MOST_WORDS or _is_of_one(text):
        return None
    return _idea_of(message, sentence, text, due_day(days))


def is_owed_words(words: AnalysedText) -> bool:
    """Return whether a sentence promises, or asks for, something to be done."""
    return any(find_wordings(words, "promises", "requests", "requests_to_all", "taken_on"))


def _noun(word: str) -> str:
    """A word in its dictionary form when it is a noun that may stand alone, else ""."""
    folded = fold(word)
    verb = any("#" in atom for atom in readings(folded)) or folded.endswith("ing")
    if verb or (folded.endswith("s") and folded.isascii()) or not telling_terms([folded]):
        return ""
    return word if folded.isascii() else lemma(folded)


def is_past(words: AnalysedText) -> bool:
    """Return whether a sentence tells of what was."""
    return not words.atoms.isdisjoint({"#past", "#pastpl", "#ed", "was", "were"})
