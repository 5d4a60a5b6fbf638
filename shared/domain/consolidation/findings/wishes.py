"""Finds wishes about the talk: what members ask of all, and what is known of the chat's rules; one of each wish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from shared.domain.consolidation.findings import actions
from shared.domain.consolidation.findings.commitments import find_wordings, is_earnest
from shared.domain.consolidation.findings.tasks import capitalise, say_plainly, tells
from shared.domain.consolidation.items import MOST_QUOTES, Section, Suggestion
from shared.domain.consolidation.likeness import says_the_same
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.guards.sentences import is_about_another_group, is_conditional, is_quoted, is_reported
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.reading.matching.phrases import PhraseMatch
from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from shared.domain.text.data_files import expressions
from shared.domain.text.words import analyse

_SAYS = expressions(__package__, "wishes")

AGREED_WITHIN = 4
"""Messages after a wish among which somebody agrees to it."""

_SOON = timedelta(hours=12)
_CATEGORIES = ("preference", "rule", "norm")


class _Wish(NamedTuple):
    """A wish; `known` when it is worded as a fact was, maybe in a whole message of somebody's."""

    suggestion: Suggestion
    known: bool

    def is_same(self, other: _Wish) -> bool:
        """Return whether both were said in one message, or say the same."""
        one, two = self.suggestion, other.suggestion
        together = not {message_id for message_id, _ in one.quotes}.isdisjoint(at for at, _ in two.quotes)
        return together or says_the_same(Section.PREFERENCES, one.text, two.text)


def wishes(
    messages: Sequence[Message], facts: Sequence[ProfileFact], by_id: Mapping[int, Message]
) -> Iterator[Suggestion]:
    """Preferences, each once however often and by whomever it was said, in its shortest clear words.

    Args:
        messages: In the order of the talk.
    """
    groups: list[list[_Wish]] = []
    for wish in (*_find_in_talk(messages), *_find_in_facts(facts, by_id)):
        same = [group for group in groups if any(wish.is_same(other) for other in group)]
        groups = [group for group in groups if group not in same] + [[*(w for group in same for w in group), wish]]
    for group in groups:
        best = min(group, key=lambda wish: (wish.known, len(wish.suggestion.text), wish.suggestion.text)).suggestion
        quotes = sorted({quote for wish in group for quote in wish.suggestion.quotes})
        yield replace(best, quotes=tuple(dict.fromkeys((*best.quotes[:1], *quotes[-MOST_QUOTES:]))))


def _find_in_facts(facts: Sequence[ProfileFact], by_id: Mapping[int, Message]) -> Iterator[_Wish]:
    for fact in facts:
        quotes = tuple((said.message_id, said.quote) for said in fact.evidence if said.message_id in by_id)
        text = capitalise(_SAYS["label"].sub("", fact.description.rstrip(".")))
        if fact.category in _CATEGORIES and quotes and not _SAYS["dated"].search(text):
            yield _Wish(Suggestion(Section.PREFERENCES, text, quotes), known=True)


def _find_in_talk(messages: Sequence[Message]) -> Iterator[_Wish]:
    for place, message in enumerate(messages):
        if not is_earnest(message):
            continue
        for sentence in sentences(message.text):
            if text := wish_in(sentence):
                agreed = [m for m in messages[place + 1 : place + 1 + AGREED_WITHIN] if _agrees(m, message)]
                elsewhere = find_wordings(analyse(sentence.text), "elsewhere")
                if agreed or actions.MARKS["firm"].mark(analyse(message.text)) or any(elsewhere):
                    quotes = (message.message_id, sentence.quote), *((m.message_id, m.text) for m in agreed[-1:])
                    yield _Wish(Suggestion(Section.PREFERENCES, text, quotes), known=False)


def _agrees(answer: Message, wish: Message) -> bool:
    return (
        answer.user_id != wish.user_id
        and answer.sent_at - wish.sent_at <= _SOON
        and is_earnest(answer)
        and reaction_of(answer.text) is Reaction.SUPPORT
    )


def wish_in(sentence: Sentence) -> str:
    """The wish that a sentence lays down, "" when it does not."""
    said, words = sentence.text, analyse(sentence.text)
    if is_reported(said) or is_quoted(said) or is_conditional(said):
        return ""
    asked = ["asked_wishes", *([] if sentence.question else ["wishes"])]
    for found in find_wordings(words, "elsewhere"):
        if not _loses_denial(found, text := say_plainly(found.group("what"))):
            return capitalise(text)
    for found in find_wordings(words, *asked):
        text = say_plainly(found.group("what"))
        if tells(text) and not is_about_another_group(text) and not _loses_denial(found, text):
            return capitalise(text)
    return ""


def _loses_denial(found: PhraseMatch, text: str) -> bool:
    """Return whether the clause that a wish was found in denies something, and the wish as worded does not."""
    start, end = found.match.span("what")
    code = found.words.code
    after = code.find("=,", end)
    clause = found.words.slice(code.rfind("=,", 0, start) + 1, len(code) if after < 0 else after)
    denies = actions.MARKS["denies"]
    return denies.mark(analyse(clause)) and not denies.mark(analyse(text))
