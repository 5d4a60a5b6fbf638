"""Finds commitments: promises, requests, reminders, things that must be done and questions that wait for an answer."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta, tzinfo
from itertools import chain
from typing import NamedTuple

from shared.domain.consolidation.days import days_in, due_day, without_days
from shared.domain.consolidation.findings import actions
from shared.domain.consolidation.findings.tasks import (
    FoundTask,
    capitalise,
    infinitive,
    inquires,
    language_of_task,
    split_ask,
    task,
    tells,
    trim_tail,
)
from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.speakers import Speakers
from shared.domain.conversation.messages import Message
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import (
    has_injection,
    is_conditional,
    is_hypothetical,
    is_ironic,
    is_quoted,
    is_sung,
)
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.reading.matching.phrases import PhraseMatch
from shared.domain.text.data_files import expressions, read_data, word_sets
from shared.domain.text.language import Language, fold
from shared.domain.text.words import AnalysedText, analyse

LOOK_BACK = 8
"""Messages before a promise among which its request is looked for."""

ANSWERED_WITHIN = timedelta(hours=1)
"""Whoever speaks so soon after a question answers it."""

_SAYS = expressions(__package__, "commitments")
_WORDS = word_sets(__package__, "commitments")
_MOST_QUESTION = 110
_HEADS = read_data(__package__, "commitments")["heads"]


class _SaidByOwner(NamedTuple):
    """A sentence, where it stands and what it may owe."""

    message: Message
    sentence: Sentence
    words: AnalysedText
    on: date
    speakers: Speakers
    before: Sequence[Message]
    language: Language

    def pending(self, text: str, due: date | None, *asked: tuple[int, str]) -> Suggestion:
        """Return what it owes; `asked` is quoted before the sentence itself."""
        return Suggestion(Section.PENDING, text, (*asked, (self.message.message_id, self.sentence.quote)), due)


def commitments(messages: Sequence[Message], speakers: Speakers, zone: tzinfo, language: Language) -> list[Suggestion]:
    """Pending items in the order of the talk, at most one of each sentence.

    Args:
        messages: In the order of the talk.
        language: Of the chat, for lines that are of none.
    """
    found: list[Suggestion] = []
    for place, message in enumerate(messages):
        if not is_earnest(message):
            continue
        on = message.sent_at.astimezone(zone).date()
        before = messages[max(0, place - LOOK_BACK) : place]
        for sentence in sentences(message.text):
            said = _SaidByOwner(message, sentence, _words(sentence), on, speakers, before, language)
            owed = _reminder(said) or _request(said) or _promise(said) or _need(said)
            found += filter(None, [owed or _open_question(said, messages[place + 1 :])])
    return found


def _words(sentence: Sentence) -> AnalysedText:
    """The words without "please"; what somebody is to find out belongs to the verb ("ask, whether …")."""
    return analyse(_SAYS["what_is_asked"].sub(" ", _SAYS["please"].sub(_without_please, sentence.text)))


def _without_please(match: re.Match[str]) -> str:
    """Nothing between a verb and its object ("купи, будь ласка, хліб"), elsewhere a comma if there was one."""
    before = fold(match.string[: match.start()]).rpartition(" ")[2]
    joins = before in actions.ASKED or before in actions.ASKED_OF_MANY or before in _WORDS["able"]
    return " " if joins or "," not in match[0] else ", "


def is_earnest(message: Message) -> bool:
    """Return whether a message is a member's own words, meant as they stand."""
    meant_otherwise = is_ironic, is_sung, has_injection, is_anothers_line
    return message.may_teach and not any(is_so(message.text) for is_so in meant_otherwise)


def is_owed(message: Message, sentence: Sentence, on: date) -> bool:
    """Return whether a sentence promises, asks for or needs something."""
    words = _words(sentence)
    owed = find_wordings(words, "promises", "taken_on", "requests", "requests_to_all", "needs")
    return any(task(found.group("verb"), found.group("what"), on) for found in owed) and message.may_teach


def find_wordings(words: AnalysedText, *kinds: str) -> Iterator[PhraseMatch]:
    """Yield where each of the phrases of these kinds (`PHRASES`) is found and not denied."""
    for phrase in chain.from_iterable(actions.PHRASES[kind] for kind in kinds):
        if found := phrase.search(words):
            before = found.words.code[: found.match.start()].rstrip().rsplit("=", 1)[-1].partition("|")[0]
            if before not in _WORDS["denied"]:
                yield found


def _task_of(said: _SaidByOwner, found: PhraseMatch) -> FoundTask | None:
    days = days_in(split_ask(said.sentence.text)[0] if inquires(found.group("verb")) else said.sentence.text, said.on)
    rest = f"{found.group('what')} {found.group('rest')}".strip()
    return task(found.group("verb"), rest, said.on, due=due_day(days))


def _is_unsure(said: _SaidByOwner) -> bool:
    return is_hypothetical(said.sentence.text) or is_conditional(said.sentence.text) or is_quoted(said.sentence.text)


def _reminder(said: _SaidByOwner) -> Suggestion | None:
    for kind in ("reminders", "not_to_forget"):
        for found in find_wordings(said.words, kind):
            if made := _task_of(said, found):
                about = found.group("what").casefold().startswith("про ")
                head = _HEADS[language_of_task(made.text, said.language)][kind]
                return said.pending(f"{head} про {made.text}" if about else f"{head}: {made.text}", made.due)
    return None


def _request(said: _SaidByOwner) -> Suggestion | None:
    if is_quoted(said.sentence.text):
        return None
    for found in find_wordings(said.words, "requests"):
        whom = said.speakers.addressee(said.message, said.sentence.text)
        called = said.speakers.stranger(said.sentence.text) if whom is None else said.speakers.short_name(whom)
        made = _task_of(said, found)
        if made is None or not called or whom == said.message.user_id:
            continue
        if whom is not None and said.speakers.is_bot(whom) and made.due is None:
            return None  # answered at once
        return said.pending(f"{called}: {made.text}", made.due)
    for found in find_wordings(said.words, "requests_to_all"):
        if (made := _task_of(said, found)) is None:
            continue
        if not said.words.atoms.isdisjoint(_WORDS["anybody"]):
            return said.pending(capitalise(made.text), made.due)
        if (whom := said.speakers.find_called_member(said.message, said.sentence.text)) is not None:
            return said.pending(f"{said.speakers.short_name(whom)}: {made.text}", made.due)
        all_of_us = _HEADS[language_of_task(made.text, said.language)]["all"]
        return said.pending(f"{all_of_us}: {made.text}", made.due)
    return None


def _promise(said: _SaidByOwner) -> Suggestion | None:
    if said.sentence.question or _is_unsure(said) or _SAYS["offer"].search(said.sentence.text):
        return None
    owner = said.speakers.short_name(said.message.user_id)
    for found in find_wordings(said.words, "object_first", "promises", "taken_on"):
        verb, what = found.group("verb"), found.group("what")
        # It may tell no more than when or where ("I'll bring them at Easter", "поїду після роботи").
        if verb and _SAYS["no_object"].match(without_days(what, days_in(what, said.on))):
            if accepted := _find_accepted_request(said, owner, verb):
                return accepted
        elif made := _task_of(said, found):
            return said.pending(f"{owner}: {made.text}", made.due)
    return _find_accepted_request(said, owner) if any(find_wordings(said.words, "bare")) else None


def _find_accepted_request(said: _SaidByOwner, owner: str, verb: str = "") -> Suggestion | None:
    """Return what somebody else asked for just before, when the speaker only says "I'll do it".

    Args:
        verb: What the speaker does, when they say so: the request is for the same, or for a thing.
    """
    replied = said.speakers.by_id.get(said.message.reply_to or 0)
    others = [m for m in reversed(said.before) if m.user_id != said.message.user_id]
    for message in filter(is_earnest, [replied] if replied is not None else others[:3]):
        for sentence in sentences(message.text):
            earlier = said._replace(message=message, sentence=sentence, words=_words(sentence))
            for made in _find_requests(earlier, verb):
                if not verb or infinitive(verb) == fold(made.text).partition(" ")[0]:
                    due = due_day(days_in(said.sentence.text, said.on)) or made.due
                    return said.pending(f"{owner}: {made.text}", due, (message.message_id, sentence.quote))
    return None


def _find_requests(said: _SaidByOwner, verb: str) -> Iterator[FoundTask]:
    """Yield what a sentence asks for; a thing is asked for to be given as whoever answers says."""
    for found in find_wordings(said.words, "wanted", "requests", "requests_to_all", "needs"):
        if made := _task_of(said, found):
            yield made
    for found in find_wordings(said.words, *(["asked_for"] if verb else [])):
        if made := task(verb, found.group("what"), said.on):
            yield made


def _need(said: _SaidByOwner) -> Suggestion | None:
    if said.sentence.question or _is_unsure(said):
        return None
    for found in find_wordings(said.words, "needs"):
        if made := _task_of(said, found):
            return said.pending(capitalise(made.text), made.due)
    return None


def _open_question(said: _SaidByOwner, after: Sequence[Message]) -> Suggestion | None:
    """A question about a day to come that nobody answered."""
    days = days_in(said.sentence.text, said.on) if said.sentence.question else []
    text = trim_tail(without_days(said.sentence.text, days))
    if not days or len(text) > _MOST_QUESTION or not tells(text) or _is_answered(said.message, after):
        return None
    return said.pending(f"{_HEADS[language_of_task(text, said.language)]['question']}: {text}?", due_day(days))


def _is_answered(message: Message, after: Sequence[Message]) -> bool:
    return any(
        other.user_id != message.user_id
        and fold(other.text) != fold(message.text)
        and (other.reply_to == message.message_id or other.sent_at - message.sent_at <= ANSWERED_WITHIN)
        for other in after
    )
