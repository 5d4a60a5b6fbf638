"""Puts the files of a chunk into text: described or transcribed once, and kept with the message.

The description is found and shown; it makes no fact, for nobody typed it (law 1). Stickers and animations are sent
over and over: their description is kept by the file's own id, too, at `chats/{c}/media/{file_unique_id}`.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from string import Template
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.conversation.consent_gate import usable
from shared.application.conversation.media import (
    MediaDescription,
    fetch,
    media_description_fields,
    read_media_description,
)
from shared.application.conversation.message_codec import media_text_field, read_message
from shared.application.documents import chat_path, media_path, message_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest, ModelTurn
from shared.application.ports.store import Document, Set, Transaction, Upsert
from shared.application.spending.asking import call_booked
from shared.application.spending.budgets import over_budget
from shared.application.telemetry import tell_model_error
from shared.domain.conversation.media import Unfit, Viewable, viewable
from shared.domain.conversation.messages import Message
from shared.domain.errors import ModelRefused, ModelUnavailable
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.text.language import LANGUAGE_NAMES
from shared.domain.text.plain import one_line
from shared.prompts import prompt

log = logging.getLogger(__name__)

MOST_CHARACTERS = 600
"""The length of a description: three sentences, or a minute of speech."""

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
_NOTHING = "NOTHING"
_FILE_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")


class Described(NamedTuple):
    """The messages with what is in their files; `left`: some should be looked at again, later."""

    messages: list[Message]
    left: bool = False


async def describe_media(
    app: App, state: ChatState, messages: Sequence[Message], *, payer: int | None = None
) -> Described:
    """Describe the files of these messages that nobody described yet, at most `Policy.media_per_chunk` by the model.

    May run again: what is described stays, and a message that was edited, erased, or whose author opted out meanwhile
    gets none.

    Args:
        messages: What extraction may read of a chunk (`consent_gate.readable_messages`).
        payer: The member whose edit it is about, and to whom it is booked, or None.
    """
    bare = [m for m in messages if m.media is not None and not m.media_text and not m.is_bot and m.kind in _FIRST]
    if app.model is None or not bare or app.policy.media_per_chunk == 0:
        return Described(list(messages))
    shared = sorted({path for m in bare if (path := _shared_path(state, m))})  # of files that were seen here before
    found = await app.store.get_many(shared) if shared else []
    known = {document.id: read_media_description(document).text for document in found if document is not None}
    distinct = {_unique(m): m for m in bare if _unique(m) not in known}.values()
    asked = sorted(distinct, key=lambda m: _FIRST.index(m.kind))[: app.policy.media_per_chunk]
    left = bool(asked) and await over_budget(app, state, payer) is not None
    gate, new = asyncio.Semaphore(_AT_ONCE), dict[str, str]()

    async def look(message: Message) -> bool:
        async with gate:
            text, later = await _look(app, state, message, payer)
        if text:
            new[_unique(message)] = text
        return later

    for later in await asyncio.gather(*(look(message) for message in ([] if left else asked))):
        left |= later
    kept = await _keep(app, state, [m for m in bare if _unique(m) in known | new], known, new)
    return Described([replace(m, media_text=kept.get(m.message_id, m.media_text)) for m in messages], left)


def _unique(message: Message) -> str:
    return "" if message.media is None else message.media.file_unique_id


# --- Looking -----------------------------------------------------------------------------------


async def _look(app: App, state: ChatState, message: Message, payer: int | None) -> tuple[str, bool]:
    """Return what is in a file, "" when there is nothing to say of it, and whether to look again later."""
    view = viewable(message, limit_bytes=app.policy.media_bytes)
    if not isinstance(view, Viewable) or app.model is None:
        return "", False
    file = await fetch(app.gateway, app.policy, message, view)
    if isinstance(file, Unfit):
        return "", file is Unfit.UNAVAILABLE and message.sent_at + RETRIED_FOR > app.clock.now()
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
        reply = await call_booked(app, state, request, user_id=payer, about=message.message_id)
    except (ModelUnavailable, ModelRefused) as error:
        tell_model_error(error, purpose=request.purpose)
        return "", isinstance(error, ModelUnavailable)
    return _storable(reply.text), False


def _task(state: ChatState, message: Message, view: Viewable) -> str:
    called = _CALLED.get(message.kind, message.kind)
    return Template(prompt("media").text).substitute(
        kind=f"still picture of a {called}" if view.preview else called,
        language=LANGUAGE_NAMES.get(state.language or "", "the language of its words, else in Ukrainian"),
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
        made_at = app.clock.now()
        expire_at = made_at + state.retention(app.policy.retention)
        shared = {
            path: MediaDescription(kept[m.message_id], m.kind, m.user_id, m.message_id, made_at, expire_at)
            for m in messages
            if m.message_id in kept and _unique(m) in new and (path := _shared_path(state, m))
        }  # of files that will come again
        for path, description in shared.items():
            tx.write(Set(path, media_description_fields(description)))
        return kept

    return await app.store.transaction(keep)


def _may_keep(policy: Policy, now: ChatState, message: Message, document: Document | None) -> bool:
    """Return whether a message still is as it was read, and its author and the chat still allow it."""
    if document is None or now.is_private(by_default=policy.private_mode):
        return False
    stored = usable(now, read_message(document).message)
    return stored is not None and not stored.media_text and _unique(stored) == _unique(message)
