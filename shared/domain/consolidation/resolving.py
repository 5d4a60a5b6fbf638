"""Finds items that the talk says are over: done, booked, called off.

A thing is done when somebody says so in reply to the words that asked for it, or names it; whoever promised it need
not name it again. A list that keeps what is done for a night is better than one that drops what is not.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from shared.domain.consolidation.days import days_in
from shared.domain.consolidation.findings.actions import MARKS, TASKS_EN, TASKS_UK
from shared.domain.consolidation.findings.commitments import find_wordings
from shared.domain.consolidation.findings.tasks import inquires
from shared.domain.consolidation.items import Item, Quote, Section, owner_of
from shared.domain.consolidation.likeness import gist, terms_of_words
from shared.domain.consolidation.reviewing import MOST_QUOTE
from shared.domain.consolidation.speakers import goes_by
from shared.domain.conversation.messages import Message
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import has_injection, is_hypothetical, is_ironic
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.reading.patterns.chat.calendar import cancels
from shared.domain.text.data_files import dictionary_forms, time_words
from shared.domain.text.language import fold, lemma, tokens
from shared.domain.text.plain import find_verbatim
from shared.domain.text.terms import term
from shared.domain.text.words import AnalysedText, analyse

_ASIDE = re.compile(r",\s|\s[-–—]\s")
_PAST = ("#past", "#pastpl")
_MIN_STEM = 3
_MOST_BARE = 4
"""Words of a message that says no more than that something is done."""


def resolve_items(items: Sequence[Item], messages: Sequence[Message]) -> dict[str, Quote]:
    """Items that are over, by id, each with the verbatim words that say so.

    Only ongoing and pending items that nobody wrote by hand, only by words of members that are not older than the
    item's last mention, and either in reply to one of its quotes or about its own words.
    """
    open_items = [i for i in items if i.section in (Section.ONGOING, Section.PENDING) and not i.by_hand]
    done: dict[str, Quote] = {}
    for message in sorted(messages, key=lambda m: (m.sent_at, m.message_id)):
        text = message.text
        if not message.may_teach or is_ironic(text) or has_injection(text) or is_anothers_line(text):
            continue
        said = [each for each in sentences(text) if not each.question and not is_hypothetical(each.text)]
        for item in open_items if said else ():
            alone = [i.id for i in open_items if _is_owner(i, message) and i.id not in done] == [item.id]
            quote = next((q for sentence in said if (q := _quote_of(item, message, sentence, alone=alone))), None)
            if quote is not None:
                done[item.id] = quote
    return done


def _quote_of(item: Item, message: Message, sentence: Sentence, *, alone: bool) -> Quote | None:
    if message.sent_at < item.mentioned_at or not _is_over(item, message, sentence, alone=alone):
        return None
    said = find_verbatim(sentence.quote, message.text)
    return None if said is None else Quote(message.message_id, message.user_id, said[:MOST_QUOTE], message.sent_at)


def _is_over(item: Item, message: Message, sentence: Sentence, *, alone: bool) -> bool:
    """Return whether a sentence ends the item, which may be all that the speaker owes (`alone`)."""
    words = analyse(sentence.text)
    replies = message.reply_to is not None and message.reply_to in {quote.message_id for quote in item.quotes}
    if MARKS["off"].mark(words) or cancels(sentence.text):
        return _is_about(item, sentence) or replies
    another_day = any(day.dated for day in days_in(sentence.text, message.sent_at.date()))
    if another_day and not _is_delivered(item, message, words):
        return False  # a new day for the thing settles nothing
    not_yet = MARKS["not_yet"].mark(words)
    if not not_yet and (MARKS["done"].mark(words) or _says_verb(item, words)):
        bare = _is_owner(item, message) and _is_bare(item, sentence) and _says_verb(item, words)
        return bare or _is_about(item, sentence) or replies
    if (_is_about(item, sentence) and _is_delivered(item, message, words)) or _is_answered(item, message, words):
        return True
    return alone and _is_owner(item, message) and _is_deed(words) and not not_yet and _is_bare(item, sentence)


def _shows(item: Item, message: Message) -> bool:
    """Return whether a message is one of those that the item stands on: it cannot say that it is done, too."""
    return any((q.message_id, q.sent_at) == (message.message_id, message.sent_at) for q in item.quotes)


def _is_about(item: Item, sentence: Sentence) -> bool:
    """Return whether a sentence names what the item is about, other than by its verb."""
    about = gist(item.section, item.name or fold(item.text)).terms | gist(item.section, fold(item.text)).terms
    return bool(((about - {term(_verb(item))}) or about) & terms_of_words(tokens(sentence.text)))


def _is_delivered(item: Item, message: Message, words: AnalysedText) -> bool:
    """Return whether a sentence about what somebody owes says that it is there, or that its owner has seen to it."""
    if item.section is not Section.PENDING or MARKS["not_yet"].mark(words) or _shows(item, message):
        return False
    if MARKS["more"].mark(analyse(message.text)):
        return False
    return MARKS["there"].mark(words) or (_is_owner(item, message) and (_is_deed(words) or MARKS["put"].mark(words)))


def _is_answered(item: Item, message: Message, words: AnalysedText) -> bool:
    """Return whether the one who was to find something out tells of it."""
    if item.section is not Section.PENDING or not inquires(_verb(item)) or not _is_owner(item, message):
        return False
    if any(find_wordings(words, "promises")) or _shows(item, message):
        return False
    return not _name_terms(owner_of(item.text)[1], but=_verb(item)).isdisjoint(_name_terms(words.text, but=""))


def _name_terms(text: str, *, but: str) -> frozenset[str]:
    """Terms of all words that are no times; everyday ones as well ("ask Rich", "Rich says yes")."""
    return frozenset(term(word) for word in tokens(text) if word != but and word not in time_words()) - {""}


def _is_deed(words: AnalysedText) -> bool:
    if any(atom.endswith(_PAST) and atom.partition("#")[0] in TASKS_UK for atom in words.atoms if "#" in atom[1:]):
        return True
    return any(_is_done_form(form) for form in tokens(words.text))


@lru_cache(maxsize=20_000)
def _is_done_form(form: str) -> bool:
    """Return whether a word is the past form of an English task ("printed", "sent"), or an impersonal "-но", "-то"."""
    if form.isascii():
        past = form.endswith("ed") or dictionary_forms().get(form, form) != form
        return past and not form.endswith(("ing", "s")) and lemma(form) in TASKS_EN
    return form.endswith(("ено", "ано", "ито", "ято")) and any(_is_past_form(form, verb) for verb in TASKS_UK)


def _says_verb(item: Item, words: AnalysedText) -> bool:
    """Return whether the item's own verb is there as something that has happened ("забронював", "booked",
    "куплено")."""
    verb = _verb(item)
    if not verb:
        return False
    if any(atom.endswith(_PAST) and atom.partition("#")[0].endswith(verb) for atom in words.atoms if "#" in atom[1:]):
        return True  # "пофарбували" of "фарбувати", too
    return any(_is_past_form(form, verb) for form in tokens(words.text))


@lru_cache(maxsize=20_000)
def _is_past_form(form: str, verb: str) -> bool:
    if form == verb or not term(verb):
        return False
    if verb.isascii():
        return not form.endswith("ing") and not form.endswith("s") and term(form) == term(verb)
    shared = next((n for n, (a, b) in enumerate(zip(form, verb, strict=False)) if a != b), len(form))
    return form.endswith(("но", "то")) and shared >= max(_MIN_STEM, len(verb) - 5)


def _verb(item: Item) -> str:
    """The first word of what is to be done."""
    return next(iter(tokens(fold(owner_of(item.text)[1]))), "")


def _is_owner(item: Item, message: Message) -> bool:
    """Return whether the speaker is who promised it or was asked for it."""
    owner, _ = owner_of(fold(item.text))
    return any(goes_by(word, message.name) for word in tokens(owner))


def _is_bare(item: Item, sentence: Sentence) -> bool:
    """Return whether a sentence names nothing but a deed before it tells how that went ("подзвонила, обіцяли
    полагодити")."""
    words, verb = tokens(_ASIDE.split(sentence.text, maxsplit=1)[0]), _verb(item)
    return 0 < len(words) <= _MOST_BARE and all(
        not term(word) or _is_past_form(word, verb) or lemma(word) == verb or _is_deed(analyse(word)) for word in words
    )
