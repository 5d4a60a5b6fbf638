"""What is to be forgotten in a chat, and where in a document it is referred to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.forgetting.traces.words import ForgottenWords
from shared.domain.conversation.messages import migrated_message_id


class Scope(NamedTuple):
    """Messages, or all words of a member up to an instant, or both.

    Attributes:
        user_id: The member, or None when only messages are meant.
        message_ids: Messages that go, theirs among them as far as they are still stored.
        until: What the member said later stays.
        origin_ids, origin_names: By which the member is known where others quote or forward them.
    """

    chat_id: int
    user_id: int | None
    message_ids: frozenset[int]
    until: datetime
    origin_ids: frozenset[int] = frozenset()
    origin_names: frozenset[str] = frozenset()

    @property
    def subject(self) -> str | None:
        """Of the facts about the member, or None."""
        return None if self.user_id is None else f"user:{self.user_id}"

    def before_moving(self, old_id: int) -> Scope:
        """The same under the id that the chat had before it became a supergroup."""
        shift = migrated_message_id(0)
        return self._replace(chat_id=old_id, message_ids=frozenset(n - shift for n in self.message_ids if n < 0))

    def covers(self, message_id: int | None, user_id: int | None, at: datetime) -> bool:
        """Return whether words (or a voice without any: no message) are to be forgotten."""
        own = self.user_id is not None and user_id == self.user_id and at <= self.until
        return own or message_id in self.message_ids

    def is_origin(self, message: Mapping[str, Any]) -> bool:
        """Return whether a stored message of somebody else carries or answers the member's words, by what was stored
        with it: the original may be gone."""
        known = not self.origin_ids.isdisjoint(message.get("origin_ids", ()))
        known = known or not self.origin_names.isdisjoint(message.get("origin_names", ()))
        return known and message["sent_at"] <= self.until

    def covers_fields(self, fields: Mapping[str, Any]) -> bool:
        """The same of a quote, a voice or a ruling as stored."""
        at = fields.get("sent_at") or fields.get("at") or fields.get("last_seen_at") or self.until
        return self.covers(fields.get("message_id"), fields.get("user_id"), at)


class Preview(NamedTuple):
    """What a forgetting is about, by which it is recognised afterwards: its scope, and words that nobody else said.

    Attributes:
        chat_ids: Of the chat: as `meant.chat_ids`.
        scope: None for a whole chat.
        counts: What will go, or has gone, by kind.
        until: Of a whole chat in which a new memory has begun since: what is older is left of the forgotten one. None
            when nothing may be there at all.
        looked_at: How many documents were, when a few questions told that nothing else is stored (`presence`); None
            where everything is to be searched.
    """

    chat_ids: Sequence[int]
    scope: Scope | None
    words: ForgottenWords
    counts: Mapping[str, int]
    until: datetime | None = None
    looked_at: int | None = None


def references(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every quote, voice and ruling in a document, however deep it lies."""
    match value:
        case dict():
            if "user_id" in value or "message_id" in value:
                yield value
            for inner in value.values():
                yield from references(inner)
        case list() | tuple():
            for inner in value:
                yield from references(inner)


def texts(value: Any) -> Iterator[str]:
    """Every text in a document, however deep it lies."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)
