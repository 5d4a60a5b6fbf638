"""Files for the model: those of the message that asks, of the one it replies to, and of both albums.

What cannot be shown (too large, gone, unreadable) is named in the text instead, and the answer still comes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import usable_messages
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import in_album
from shared.application.derived_codec import DerivedCodec
from shared.application.documents import message_path, messages_path
from shared.application.policy import Policy
from shared.application.ports.model import Media, Part
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.media import Unfit, Viewable, true_type, viewable
from shared.domain.conversation.messages import Message
from shared.domain.errors import FileGone, FileTooLarge, PermanentError, TransientError
from shared.domain.text.plain import one_line, quote_inline

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


class MediaDescription(NamedTuple):
    """A description of a file that is sent over and over.

    Attributes:
        text: What a model saw in it.
        kind: "sticker" or "animation".
        user_id, message_id: Whose it was when it was described, and in which message.
        made_at, expire_at: When it was described, and when that goes.
    """

    text: str
    kind: str
    user_id: int
    message_id: int
    made_at: datetime
    expire_at: datetime


_DESCRIPTION = DerivedCodec(MediaDescription)

read_media_description = _DESCRIPTION.of
"""Return what is kept of a file."""


media_description_fields = _DESCRIPTION.document
"""Return the document of what is kept of a file."""


log = logging.getLogger(__name__)

MOST_FILES = 10
"""Files shown for one answer: as many as an album may have (Bot API, sendMediaGroup)."""

LONGEST_WAIT = 5.0
"""Seconds that an answer waits for its files, fetched side by side: people wait for them beside `answer_patience`."""

ALBUM_PAUSE = 1.0
"""Seconds: the other pictures of an album are updates of their own, and come right after the first."""


class ShownFile(NamedTuple):
    """A message's file, or why the model is not shown it."""

    message: Message
    view: Viewable | Unfit
    file: Media | None = None


def brings_files(message: Message) -> bool:
    """Return whether files may come with a question: its own, or those of the message that it replies to."""
    return message.media is not None or message.reply_to is not None


async def media_parts(app: App, state: ChatState, message: Message, nearby: Iterable[Message] = ()) -> tuple[Part, ...]:
    """The files that belong to a question, each after a line that says whose it is.

    Reads at most one message and two albums (ten messages each) from the store, and nothing when no file is near.

    Args:
        message: The one that asks.
        nearby: Messages at hand; one of them need not be read again.

    Returns:
        Parts for the turn of `message`, after its own.
    """
    asked = [m for m in await _read_asked_about(app.store, state, message, nearby) if m.media is not None]
    planned = _plan_downloads(app.policy, asked)
    shown = await asyncio.gather(*(_show(app.gateway, app.policy, each) for each in planned))
    return tuple(part for each in _keep_fitting(shown, app.policy.media_bytes) for part in _parts(each))


async def _read_asked_about(
    store: DocumentStore, state: ChatState, message: Message, nearby: Iterable[Message]
) -> list[Message]:
    """The message, its album, what it replies to and that one's album, without members who opted out."""
    if _album(message) is not None:
        await asyncio.sleep(ALBUM_PAUSE)
    replied = await _read_replied_message(store, message, {m.message_id: m for m in nearby})
    heads = usable_messages(state, (m for m in (message, replied) if m is not None))
    albums = await asyncio.gather(*(_rest_of_album(store, state, head) for head in heads))
    found = [m for head, rest in zip(heads, albums, strict=True) for m in (head, *rest)]
    return list({m.message_id: m for m in found}.values())  # it may reply to a picture of its own album


async def _read_replied_message(store: DocumentStore, message: Message, nearby: dict[int, Message]) -> Message | None:
    if message.reply_to is None or message.reply_to in nearby:
        return nearby.get(message.reply_to or 0)
    document = await store.get(message_path(message.chat_id, message.reply_to))
    return None if document is None else read_message(document).message


async def _rest_of_album(store: DocumentStore, state: ChatState, head: Message) -> list[Message]:
    album = _album(head)
    if album is None:
        return []
    found = await store.query(messages_path(head.chat_id), where=[in_album(album)], limit=MOST_FILES)
    rest = usable_messages(state, (read_message(document).message for document in found))
    same = [m for m in rest if m.user_id == head.user_id and m.message_id != head.message_id]
    return sorted(same, key=lambda m: m.message_id)


def _album(message: Message) -> str | None:
    return None if message.media is None else message.media.media_group_id


def _plan_downloads(policy: Policy, messages: Sequence[Message]) -> list[ShownFile]:
    """Return what to fetch, in order, before anything is: what Telegram tells about the files decides."""
    planned: list[ShownFile] = []
    left = policy.media_bytes
    for message in messages:
        view = viewable(message, limit_bytes=left)
        if view is not None and sum(isinstance(each.view, Viewable) for each in planned) == MOST_FILES:
            view = Unfit.TOO_MANY
        if isinstance(view, Viewable):
            left -= view.size
        if view is not None:
            planned.append(ShownFile(message, view))
    return planned


async def _show(gateway: ChatGateway, policy: Policy, planned: ShownFile) -> ShownFile:
    if isinstance(planned.view, Unfit):
        return planned
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            file = await fetch(gateway, policy, planned.message, planned.view)
    except TimeoutError:
        file = Unfit.UNAVAILABLE
    return planned._replace(view=file) if isinstance(file, Unfit) else planned._replace(file=file)


def _keep_fitting(shown: Iterable[ShownFile], limit_bytes: int) -> list[ShownFile]:
    """The files that fit together; Telegram need not have told their sizes."""
    kept = []
    for each in shown:
        limit_bytes -= len(each.file.data) if each.file else 0
        kept.append(each if limit_bytes >= 0 else ShownFile(each.message, Unfit.TOO_LARGE))
    return kept


async def fetch(gateway: ChatGateway, policy: Policy, message: Message, view: Viewable) -> Media | Unfit:
    """The file behind a view, once its bytes bear out its type; never an error of the chat service."""
    try:
        body = await gateway.download(view.file_id, limit_bytes=policy.media_bytes)
    except FileTooLarge:
        return Unfit.TOO_LARGE
    except FileGone:
        return Unfit.GONE
    except (TransientError, PermanentError) as error:
        log.warning("a file could not be had: %s", error)
        return Unfit.UNAVAILABLE
    mime_type = true_type(body, view.mime_type)
    return Unfit.UNREADABLE if mime_type is None else Media(mime_type, body, f"{message.message_id}-{message.kind}")


def _parts(shown: ShownFile) -> tuple[Part, ...]:
    """A line of ours, and the file if there is one."""
    media = shown.message.media
    line = f"[meta] file message_id={shown.message.message_id} kind={shown.message.kind}"
    name = "" if media is None else one_line(media.label, 60)
    line += f" name={quote_inline(name)}" if name else ""
    if isinstance(shown.view, Unfit):
        return (f'{line} not_shown="{shown.view}"',)
    line += ' shown="only a still picture of it"' if shown.view.preview else ""
    return (line,) if shown.file is None else (line, shown.file)
