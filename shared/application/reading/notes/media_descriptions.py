"""What is in the files of a chunk, as text: described or transcribed once, and kept with the message.

The description is found and shown; it makes no fact, for nobody typed it (law 1). Stickers and animations are sent
over and over: their description is kept by the file's own id, too, at `chats/{c}/media/{file_unique_id}`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from string import Template
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.conversation.hearing import usable
from shared.application.conversation.media import fetch
from shared.application.conversation.media_codec import (
    MediaDescription,
    media_description_fields,
    read_media_description,
)
from shared.application.conversation.message_codec import media_text_field, read_message
from shared.application.documents import chat_path, media_path, message_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest, ModelTurn
from shared.application.ports.store import Document, DocumentStore, Set, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.spending.budgets import book_usage, is_over_budget
from shared.application.telemetry import tell_model_error
from shared.domain.conversation.media import Unfit, Viewable, viewable
from shared.domain.conversation.messages import Message
from shared.domain.errors import ModelRefused, ModelUnavailable
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.text.plain import one_line
from shared.prompts import prompt

log = logging.getLogger(__name__)

MOST_CHARACTERS = 600
"""Of a description: three sentences, or a minute of speech."""

RETRIED_FOR = timedelta(hours=6)
"""A file that Telegram did not hand out is asked for again until its message is this old."""

_MOST_TOKENS = 600
_AT_ONCE = 2  # files in memory at the same time
_REUSED = ("sticker", "animation")
_FIRST = ("voice", "video_note", "photo", "live_photo", "video", "audio", "document", *_REUSED)
_CALLED = {
    "voice": "voice message",
    "audio": "audio file",
    "video_note": "short round video",
    "animation": "soundless animation",
    "live_photo": "live photo",
}
_LANGUAGES = {"uk": "Ukrainian", "en": "English"}
_NOTHING = "NOTHING"
_FILE_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")


class Described(NamedTuple):
    """The messages with what is in their files; `left`: some should be looked at again, later."""

    messages: list[Message]
    left: bool = False


class _Look(NamedTuple):
    """What came of one file; "" when there is nothing to say of it."""

    text: str = ""
    left: bool = False


async def describe_media(
    app: App, state: ChatState, messages: Sequence[Message], *, payer: int | None = None
) -> Described:
    """Describe the files of these messages that nobody described yet, at most `Policy.media_per_chunk` by the model.

    May run again: what is described stays, and a message that was edited, erased, or whose author opted out meanwhile
    gets none.

    Args:
        messages: What extraction may read of a chunk (`hearing.readable_messages`).
        payer: The member whose edit it is about, and to whom it is booked, or None.
    """
    bare = [m for m in messages if _is_to_describe(m)]
    if app.model is None or not bare or app.policy.media_per_chunk == 0:
        return Described(list(messages))
    known = await _read_known_descriptions(app.store, state, bare)
    asked = _choose_per_file((m for m in bare if _unique(m) not in known), most=app.policy.media_per_chunk)
    if asked and await is_over_budget(app, state, payer):
        asked, left = [], True
    else:
        left = False
    looks = dict(zip(map(_unique, asked), await _look_at(app, state, asked, payer), strict=True))
    new = {unique: look.text for unique, look in looks.items() if look.text}
    kept = await _keep(app, state, [m for m in bare if _unique(m) in known | new], known, new)
    described = [replace(m, media_text=kept.get(m.message_id, m.media_text)) for m in messages]
    return Described(described, left or any(look.left for look in looks.values()))


def _is_to_describe(message: Message) -> bool:
    return message.media is not None and not message.media_text and not message.is_bot and message.kind in _FIRST


def _unique(message: Message) -> str:
    return str((message.media or {}).get("file_unique_id", ""))


def _choose_per_file(messages: Iterable[Message], *, most: int) -> list[Message]:
    """One message for each file, those first whose kind says most."""
    distinct = {_unique(m): m for m in messages}.values()
    return sorted(distinct, key=lambda m: _FIRST.index(m.kind))[:most]


# --- Looking -----------------------------------------------------------------------------------


async def _look_at(app: App, state: ChatState, messages: Iterable[Message], payer: int | None) -> list[_Look]:
    gate = asyncio.Semaphore(_AT_ONCE)

    async def look(message: Message) -> _Look:
        async with gate:
            return await _look(app, state, message, payer)

    return await asyncio.gather(*(look(message) for message in messages))


async def _look(app: App, state: ChatState, message: Message, payer: int | None) -> _Look:
    view = viewable(message, limit_bytes=app.policy.media_bytes)
    if not isinstance(view, Viewable) or app.model is None:
        return _Look()
    file = await fetch(app.gateway, app.policy, message, view)
    if isinstance(file, Unfit):
        young = message.sent_at + RETRIED_FOR > app.clock.now()
        return _Look(left=file is Unfit.UNAVAILABLE and young)
    turn = ModelTurn("user", (file, "Describe this file as you were told."))
    request = ModelRequest(
        purpose="media",
        system=_task(state, message, view),
        turns=(turn,),
        tier="extraction",
        temperature=0.1,
        max_output_tokens=_MOST_TOKENS,
    )
    try:
        reply = await app.model.generate(request)
    except (ModelUnavailable, ModelRefused) as error:
        tell_model_error(error, purpose=request.purpose)
        return _Look(left=isinstance(error, ModelUnavailable))
    await book_usage(app.store, app.clock, state.chat_id, (request.purpose, reply), user_id=payer)
    return _Look(_storable(reply.text))


def _task(state: ChatState, message: Message, view: Viewable) -> str:
    called = _CALLED.get(message.kind, message.kind)
    return Template(prompt("media").text).substitute(
        kind=f"still picture of a {called}" if view.preview else called,
        language=_LANGUAGES.get(state.language or "", "the language of its words, else in Ukrainian"),
    )


def _storable(text: str) -> str:
    """One line, bounded; "" when there is nothing in it, or it tries to instruct whoever reads it."""
    flat = one_line(text, MOST_CHARACTERS)
    if flat.strip(" .*\"'").upper() == _NOTHING:
        return ""
    if has_injection(flat):
        log.warning("a description of a file is left out: injection")
        return ""
    return flat


# --- Keeping -----------------------------------------------------------------------------------


async def _read_known_descriptions(
    store: DocumentStore, state: ChatState, messages: Sequence[Message]
) -> dict[str, str]:
    """The descriptions of files that were seen in this chat before, by the files' ids."""
    paths = sorted({path for m in messages if (path := _shared_path(state, m))})
    found = await store.get_many(paths) if paths else []
    return {document.id: read_media_description(document).text for document in found if document is not None}


def _shared_path(state: ChatState, message: Message) -> str | None:
    unique = _unique(message)
    if message.kind not in _REUSED or not _FILE_ID.fullmatch(unique) or unique.startswith("__"):
        return None
    return media_path(state.chat_id, unique)


async def _keep(
    app: App, state: ChatState, messages: Sequence[Message], known: dict[str, str], new: dict[str, str]
) -> dict[int, str]:
    """Write the descriptions to their messages, where these still are as they were; those written, by message id."""
    if not messages:
        return {}

    async def keep(tx: Transaction) -> dict[int, str]:
        paths = [message_path(state.chat_id, m.message_id) for m in messages]
        chat, *found = await tx.get_many([chat_path(state.chat_id), *paths])
        now = read_chat(state.chat_id, chat)
        kept: dict[int, str] = {}
        for message, document in zip(messages, found, strict=True):
            if _may_keep(app.policy, now, message, document):
                text = kept[message.message_id] = (known | new)[_unique(message)]
                tx.write(Upsert(message_path(state.chat_id, message.message_id), media_text_field(text)))
        for path, fields in _to_share(app.clock, app.policy, state, messages, kept, new).items():
            tx.write(Set(path, fields))
        return kept

    return await app.store.transaction(keep)


def _may_keep(policy: Policy, now: ChatState, message: Message, document: Document | None) -> bool:
    """Return whether a message still is as it was read, and its author and the chat still allow it."""
    if document is None or now.is_private(by_default=policy.private_mode):
        return False
    stored = usable(now, read_message(document).message)
    return stored is not None and not stored.media_text and _unique(stored) == _unique(message)


def _to_share(
    clock: Clock,
    policy: Policy,
    state: ChatState,
    messages: Sequence[Message],
    kept: Mapping[int, str],
    new: Mapping[str, str],
) -> dict[str, dict[str, Any]]:
    """The documents of files that will come again, by path."""
    now = clock.now()
    expire_at = now + state.retention(policy.retention)
    return {
        path: media_description_fields(
            MediaDescription(kept[m.message_id], m.kind, m.user_id, m.message_id, made_at=now, expire_at=expire_at)
        )
        for m in messages
        if m.message_id in kept and _unique(m) in new and (path := _shared_path(state, m))
    }
