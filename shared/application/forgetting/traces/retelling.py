"""Finds which of the bot's messages were made with somebody's words or facts in view, whatever words they use.

What the model was given for an answer is stored in `answers`; any other message of the bot says in `people` whose
words and facts it shows. An answer goes when it was given something that is to be forgotten, a summary of talk in which
that stands, or another answer that goes, which it may repeat. Where it is no longer known what an answer was given, it
goes as well. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from shared.application.answering.answer_codec import AnswerSources, read_sources
from shared.application.conversation.message_codec import StoredMessage
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.walk import texts
from shared.application.ports.store import Document

_RANGE = re.compile(r"(?:\d+-)??(-?\d+)-(-?\d+)")
"""Ids of the first and the last message of a note, by its id; before them a meta summary's level."""


class _Answered(NamedTuple):
    """The part of an answer's sources that tells whether it goes.

    Attributes:
        stretches: First and last message of each summary that it was given.
    """

    id: str
    path: str
    is_theirs: bool
    message_ids: frozenset[int]
    fact_ids: frozenset[str]
    stretches: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Retellings:
    """Collects what the bot said, and from what, and tells which of it goes.

    Grows with the answers of the retention time: some ids each.

    Attributes:
        scope: What is to be forgotten. It names no member when the member only opts out: then it holds the ids of their
            messages.
        whose: The member whose words and facts they are, or None when only messages are meant.
        words: What was said, as far as nobody else has said it.
        noted_until: From this instant on summaries hold nothing of what was to be forgotten, so answers that were given
            these later stay; None while summaries still may.
    """

    scope: Scope
    whose: int | None
    words: ForgottenWords
    noted_until: datetime | None = None
    _answers: list[_Answered] = field(default_factory=list)
    _said: dict[str, dict[int, str]] = field(default_factory=dict)

    def answers(self, stored: StoredMessage) -> bool:
        """Return whether a message of the bot replies to what is to be forgotten.

        A member who only opts out keeps what they were told.
        """
        opts_out = self.scope.user_id is None and self.whose is not None
        return not opts_out and stored.message.reply_to in self.scope.message_ids

    def shows(self, stored: StoredMessage) -> bool:
        """Return whether a message of the bot that no model made shows their words or facts."""
        return self.whose in stored.people and stored.received_at <= self.scope.until

    def add_message(self, path: str, stored: StoredMessage) -> None:
        """Take note of a message of the bot."""
        if stored.answer_id is not None:
            self._said.setdefault(stored.answer_id, {})[stored.message.message_id] = path

    def add_answer(self, document: Document) -> None:
        """Take note of what an answer was made from."""
        sources = read_sources(document)
        is_noted = self.noted_until is None or sources.made_at <= self.noted_until
        stretches = tuple(map(_stretch, sources.note_ids)) if is_noted else ()
        is_theirs = self._is_theirs(document, sources)
        self._answers.append(
            _Answered(document.id, document.path, is_theirs, sources.message_ids, sources.fact_ids, stretches)
        )

    def _is_theirs(self, document: Document, sources: AnswerSources) -> bool:
        scope = self.scope._replace(user_id=self.whose)
        if scope.is_named_in(document.data) or self.words.repeated_in_any(texts(document.data)):
            return True
        # Memories that were left out of the record have no times of their own.
        is_named = self.whose in sources.people and (sources.made_at <= scope.until or sources.left_out > 0)
        return is_named or scope.subject in sources.subjects

    def find(self, gone: Collection[int], fact_ids: Collection[str]) -> tuple[set[str], dict[int, str]]:
        """Find the answers that go, by path, and their messages, by id.

        Args:
            gone: Messages that go.
            fact_ids: Facts in which the member is quoted.
        """
        known = {answer.id for answer in self._answers}
        found = {each: path for name, said in self._said.items() if name not in known for each, path in said.items()}
        paths, left, more = set[str](), self._answers, True
        while more:
            ids = {*gone, *found}
            ordered = sorted(ids)
            going = [answer for answer in left if _goes(answer, ids, ordered, fact_ids)]
            paths |= {answer.path for answer in going}
            left = [answer for answer in left if answer.path not in paths]
            told = [said for answer in going if (said := self._said.get(answer.id))]
            for said in told:
                found |= said
            more = bool(told)
        return paths, found


def _goes(answer: _Answered, gone: Collection[int], ordered: Sequence[int], fact_ids: Collection[str]) -> bool:
    if answer.is_theirs or not answer.message_ids.isdisjoint(gone) or not answer.fact_ids.isdisjoint(fact_ids):
        return True
    return any(bisect_left(ordered, first) < bisect_right(ordered, last) for first, last in answer.stretches)


def _stretch(note_id: str) -> tuple[int, int]:
    """Return the first and the last message that a note is about; for an id of another form, all of them."""
    parts = _RANGE.fullmatch(note_id)
    return (-(2**63), 2**63) if parts is None else (int(parts[1]), int(parts[2]))
