"""The documents of episodes: conversations that are over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from shared.application.documents import episodes_path
from shared.application.ports.store import Document
from shared.application.recall.note_codec import StoredNote, new_note_fields, read_note_fields


class Participant(NamedTuple):
    """Who took part in a conversation, and the name they bore in it."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(StoredNote):
    """A conversation that is over.

    Attributes:
        thread_id: The topic of the forum in which it began, or None.
        participants: Who took part, in the order of their first word.
    """

    thread_id: int | None = None
    participants: tuple[Participant, ...] = ()

    def told_fields(self) -> dict[str, Any]:
        """Return what it tells, who took part and whose words that is made from, as stored."""
        people = {"participants": [participant._asdict() for participant in self.participants]}
        return StoredNote.told_fields(self) | people


def new_episode_path(chat_id: int, first: int, last: int) -> str:
    """Return where an episode from one message to another is stored."""
    return f"{episodes_path(chat_id)}/{first}-{last}"


def read_episode(document: Document) -> Episode:
    """Read the document of an episode."""
    data = document.data
    return Episode(
        **read_note_fields(document),
        thread_id=data.get("thread_id"),
        participants=tuple(Participant(each["user_id"], each["name"]) for each in data.get("participants", ())),
    )


def episode_to_fields(episode: Episode) -> dict[str, Any]:
    """An episode as first stored."""
    own = {
        "thread_id": episode.thread_id,
        "message_ids": list(episode.message_ids),
        "messages": len(episode.message_ids),
    }
    return {**new_note_fields(episode), **own}
