"""How the group wants to talk: from facts about the chat, and from what members ask of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from shared.domain.consolidation import actions
from shared.domain.consolidation.commitments import is_earnest, wording
from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.likeness import says_the_same
from shared.domain.consolidation.tasks import capitalised, plainly
from shared.domain.messages import Message
from shared.domain.patterns.clauses import sentences
from shared.domain.patterns.guards import is_about_another_group, is_conditional, is_quoted, is_reported
from shared.domain.profile import ProfileQuote
from shared.domain.words import analyse

_CATEGORIES = ("preference", "rule", "norm")


class KnownFact(Protocol):
    """A fact about the chat, as its profile holds it (`ProfileFact`)."""

    @property
    def category(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def evidence(self) -> Sequence[ProfileQuote]: ...


def wishes(
    messages: Sequence[Message], facts: Sequence[KnownFact], by_id: Mapping[int, Message]
) -> Iterator[Suggestion]:
    """Preferences, those that are facts first; one for the same wish.

    Args:
        messages: In the order of the talk.
    """
    kept: list[str] = []
    for suggestion in (*_of_facts(facts, by_id), *_of_talk(messages)):
        if not any(says_the_same(Section.PREFERENCES, suggestion.text, other) for other in kept):
            kept.append(suggestion.text)
            yield suggestion


def _of_facts(facts: Sequence[KnownFact], by_id: Mapping[int, Message]) -> Iterator[Suggestion]:
    for fact in facts:
        quotes = tuple((said.message_id, said.quote) for said in fact.evidence if said.message_id in by_id)
        if fact.category in _CATEGORIES and quotes:
            yield Suggestion(Section.PREFERENCES, fact.description.rstrip("."), quotes)


def _of_talk(messages: Sequence[Message]) -> Iterator[Suggestion]:
    for message in messages:
        if not is_earnest(message):
            continue
        for sentence in sentences(message.text):
            if sentence.question or is_reported(sentence.text) or is_quoted(sentence.text):
                continue
            if is_conditional(sentence.text) or is_about_another_group(sentence.text):
                continue
            for found in wording(actions.WISHES, analyse(sentence.text)):
                text = capitalised(plainly(found.group("what")))
                yield Suggestion(Section.PREFERENCES, text, ((message.message_id, sentence.quote),))
                break
