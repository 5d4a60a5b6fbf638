"""Documents of any kind as they are under the id that a chat has moved to: a supergroup numbers the messages anew."""

import re
from collections.abc import Mapping
from typing import Any

from shared.application.chats.chat_codec import MARKS_FIELD, PORTRAIT_FIELD
from shared.application.conversation.message_codec import ChunkState
from shared.application.derived_codec import picked_fields
from shared.application.ports.store import DELETE_FIELD, Document
from shared.domain.conversation.messages import SCHEMA, migrated_message_id

NOTE_COLLECTIONS = ("chunks", "metas", "episodes")
"""Collections whose ids end with the ids of the first and last message, and that the index is made from."""

_IDS, _LISTS_OF_IDS = ("message_id", "reply_to", "first", "last"), ("message_ids", "evidence_message_ids", "made_with")
_QUOTING = ("facts", "context", "answers")
"""Collections whose documents hold message ids deep within, beside what was said."""

_INHERITED = ("language", "chunks", "username", "is_forum", "first_seen_at", "title", "settings_log")
_LEFT_BEHIND = (PORTRAIT_FIELD, MARKS_FIELD, "settings_log")

_NODE = re.compile(r"((?:\d+-)?)(\d+)-(\d+)")


def moved_fields(collection: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """A document of a collection with every message id as it is under the new chat; a note is to be indexed again."""
    moved = dict(data)
    for name in _IDS:
        if isinstance(moved.get(name), int):
            moved[name] = migrated_message_id(moved[name])
    for name in _LISTS_OF_IDS:
        if name in moved:
            moved[name] = [migrated_message_id(message_id) for message_id in moved[name]]
    if collection in _QUOTING:
        moved = {name: _move_quotes(value) for name, value in moved.items()}
    if collection == "messages" and ChunkState.of(moved.get("chunk")) is ChunkState.READ:
        moved["chunk"] = move_node(moved["chunk"])
    if collection == "answers":
        moved["notes"] = [{**note, "id": move_node(note["id"])} for note in moved["notes"]]
    if collection in NOTE_COLLECTIONS:
        meta = {"meta": move_node(moved["meta"])} if isinstance(moved.get("meta"), str) else {}
        nodes = {"nodes": [move_node(node) for node in moved["nodes"]]} if "nodes" in moved else {}
        return {**moved, **meta, **nodes, "indexed": False}
    return moved


def inherited_fields(old: Document | None, new: Document | None) -> dict[str, Any]:
    """Return what the document of the old chat has, and that of the new one has not."""
    had = {} if old is None else picked_fields(old.data, _INHERITED)
    return {name: value for name, value in had.items() if new is None or new.data.get(name) is None}


def left_behind_fields(old: Document | None) -> dict[str, Any]:
    """Return what takes from the old chat's document what is made anew for the new id, or was inherited."""
    return {} if old is None else dict.fromkeys(picked_fields(old.data, _LEFT_BEHIND), DELETE_FIELD)


def move_node(node_id: str) -> str:
    """The id of a chunk, an episode or a meta summary as it is under the new chat; what is no such id stays."""
    parts = _NODE.fullmatch(node_id)
    if parts is None:
        return node_id
    level, first, last = parts.groups()
    return f"{level}{migrated_message_id(int(first))}-{migrated_message_id(int(last))}"


def _move_quotes(value: Any) -> Any:
    """Quotes and voices, however deep they lie, with their message ids as they are under the new chat."""
    match value:
        case dict():
            moved = {name: _move_quotes(inner) for name, inner in value.items()}
            for name in ("message_id", "answers"):
                if isinstance(moved.get(name), int) and moved[name]:  # what answers nothing says 0
                    moved[name] = migrated_message_id(moved[name])
            return moved
        case list():
            return [_move_quotes(inner) for inner in value]
    return value


def sum_counts(data: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a day of the old chat or of a member there counts, added to what it does under the new id."""
    numbers = {name: n for name, n in data.items() if isinstance(n, int) and name not in ("schema", "user_id", "told")}
    return {"schema": SCHEMA, **{name: n + known.get(name, 0) for name, n in numbers.items()}}
