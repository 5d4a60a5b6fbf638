"""What is to be forgotten in a chat, and whether something stored is part of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.forgetting.traces.walk import Reference, references
from shared.domain.conversation.messages import Message, migrated_message_id
from shared.domain.text.language import tokens


class Scope(NamedTuple):
    """Messages, or all words of a member up to an instant, or both.

    Attributes:
        user_id: The member, or None when only messages are meant.
        message_ids: Messages that go, the member's among them as far as they are still stored.
        until: What the member said later stays.
        origin_ids, origin_names: Ids and marks of names (`name_mark`) by which others' messages say that they quote,
            answer or forward the member.
    """

    chat_id: int
    user_id: int | None
    message_ids: frozenset[int]
    until: datetime
    origin_ids: frozenset[int] = frozenset()
    origin_names: frozenset[str] = frozenset()

    @property
    def subject(self) -> str | None:
        """The subject of the facts about the member, or None."""
        return None if self.user_id is None else f"user:{self.user_id}"

    def before_moving(self, old_id: int) -> Scope:
        """Return the same under the id that the chat had before it became a supergroup."""
        shift = migrated_message_id(0)
        return self._replace(chat_id=old_id, message_ids=frozenset(n - shift for n in self.message_ids if n < 0))

    def covers(self, message_id: int | None, user_id: int | None, at: datetime) -> bool:
        """Return whether words are to be forgotten, or a vote or decision (then without a message)."""
        own = self.user_id is not None and user_id == self.user_id and at <= self.until
        return own or message_id in self.message_ids

    def covers_reference(self, reference: Reference) -> bool:
        """Return whether a quote, voice or ruling is to be forgotten; one without a time counts as old enough."""
        return self.covers(reference.message_id, reference.user_id, reference.said_at or self.until)

    def is_named_in(self, data: Mapping[str, Any]) -> bool:
        """Return whether anywhere in a document something stands that is to be forgotten, by whose it is."""
        return any(self.covers_reference(each) for each in references(data))

    def covers_message(self, message: Message) -> bool:
        """Return whether a message is to be forgotten by itself, or as the member's."""
        return self.covers(message.message_id, message.user_id, message.sent_at)

    def is_origin(self, message: Message) -> bool:
        """Return whether a message of somebody else carries or answers the member's words.

        Told by what was stored with it: the original may be gone.
        """
        known = not self.origin_ids.isdisjoint(message.origin_ids)
        known = known or not self.origin_names.isdisjoint(message.origin_names)
        return known and message.sent_at <= self.until


class Preview(NamedTuple):
    """What a forgetting is about, by which the proof recognises it afterwards.

    Attributes:
        chat_ids: Every id of the chat, the present one last (`meant.chat_ids`).
        scope: None for a whole chat.
        words: What was said, as far as nobody else said it.
        counts: What will go, or has gone, by kind.
        until: Of a whole chat in which a new memory has begun since: what is older belongs to the forgotten one. None
            when nothing may be there at all.
        looked_at: How many documents were read, when a few queries showed that nothing else is stored (`presence`);
            None where everything has to be searched.
    """

    chat_ids: Sequence[int]
    scope: Scope | None
    words: ForgottenWords
    counts: Mapping[str, int]
    until: datetime | None = None
    looked_at: int | None = None


RUN = 3
"""Words of a run: two occur by chance in any two texts about one matter."""

_LONG = 4
"""Letters of a single word that may give a text away: shorter ones are mostly grammar."""

Run = tuple[str, ...]


class ForgottenWords:
    """What was said, as far as nobody else has said it.

    Attributes:
        runs: Runs of words by which a text that repeats it verbatim is recognised.
        single: Words that occur nowhere else, of at least `shortest` letters.
    """

    def __init__(self, texts: Iterable[str] = (), *, shortest: int = _LONG) -> None:
        self.runs: set[Run] = set()
        self.single: set[str] = set()
        for text in texts:
            words = tokens(text)
            self.runs |= _runs(words, RUN) if len(words) >= RUN else {tuple(words)} if len(words) > 1 else set()
            self.single |= {word for word in words if len(word) >= shortest}

    def __bool__(self) -> bool:
        return bool(self.runs or self.single)

    def leave_out(self, text: str) -> None:
        """Remove what somebody else has said as well."""
        words = tokens(text)
        self.runs -= _runs(words, RUN) | _runs(words, 2)
        self.single -= set(words)

    def repeated_in(self, text: str) -> bool:
        """Return whether the text repeats a run of it."""
        words = tokens(text)
        return not self.runs.isdisjoint(_runs(words, RUN) | _runs(words, 2))

    def repeated_in_any(self, texts: Iterable[str]) -> bool:
        """Return whether one of the texts repeats a run of it."""
        return any(self.repeated_in(text) for text in texts)

    def echoed_in(self, text: str) -> bool:
        """Return whether the text repeats at least one word that occurs nowhere else."""
        return not self.single.isdisjoint(tokens(text)) or self.repeated_in(text)


def _runs(words: Sequence[str], size: int) -> set[Run]:
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
