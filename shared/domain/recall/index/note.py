"""Notes, remembered beside the messages: summaries of chunks, summaries of those summaries, and episodes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.domain.recall.index.vectors import TextVector

NoteKind = Literal["chunk", "meta", "episode"]


@dataclass(frozen=True, slots=True)
class Note:
    """A text about a stretch of talk.

    Attributes:
        kind: "chunk" (summary and episodic facts of ten messages), "meta" (of ten nodes) or "episode" (a conversation).
        id: Of its document; one note for each kind and id.
        first, last: Ids of the first and the last message that it is about.
        first_at, last_at: When these were sent (aware, UTC).
        vector: The text's, or None.
    """

    kind: NoteKind
    id: str
    first: int
    last: int
    first_at: datetime
    last_at: datetime
    text: str
    vector: TextVector | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Return what tells it from every other note of the chat."""
        return self.kind, self.id
