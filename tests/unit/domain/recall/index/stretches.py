"""Notes of a chat with defaults."""

from shared.domain.recall.index.note import Note
from shared.domain.recall.index.vectors import TextVector
from tests.support.builders import at


def note(first=1, last=10, text="підсумок", embedding=None, embedding_model="m/2", **more):
    more["vector"] = TextVector.of(embedding_model, embedding)
    given = {"kind": "chunk", "id": f"{first}-{last}", "first_at": at(first), "last_at": at(last), **more}
    return Note(first=first, last=last, text=text, **given)
