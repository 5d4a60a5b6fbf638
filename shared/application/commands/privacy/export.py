"""`/gryadexport`: all of a member's data as a file, into their private chat only. A worker makes and sends it.

Where the bot may not write first, a link opens that chat and asks for the file there. The link says which chat is
meant, never whose data: whoever follows it gets their own.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.answering.answer_codec import asked_by, asking_message_id, shown_answer
from shared.application.app import App
from shared.application.bulk import each_document
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import LINKED, CommandCall, answer
from shared.application.commands.later import leave_to_worker
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.conversation.message_queries import by_author
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.lease import Memory, memory_of
from shared.application.delivery.sending import say_once
from shared.application.delivery.wording import localized_text, text
from shared.application.derived_codec import picked_fields
from shared.application.documents import chat_path, facts_path, member_path, messages_path
from shared.application.facts.codec import shown_fact, shown_slot, shown_words, subject_of
from shared.application.facts.version_codec import noted_at, shown_version
from shared.application.forgetting.traces.scope import references
from shared.application.payload_codec import payload_of, read_payload
from shared.application.people.member_codec import read_member, shown_fields
from shared.application.policy import Policy
from shared.application.ports.chat import OutgoingFile
from shared.application.ports.store import Document, DocumentStore, Filter
from shared.application.ports.system import Clock
from shared.application.schedule import Schedule
from shared.application.spending.usage_codec import shown_spending, spent_by
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line
from shared.locales import say

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


FORMAT, VERSION = "spomyn-member-export", 1

PART_BYTES = 40_000_000
"""Rough size of one file: Telegram takes documents of up to 50 MB (Bot API, sendDocument)."""

_AT_ONCE = 20

_FILE = ("file_name", "mime_type", "file_size", "duration", "emoji")


async def member_export(
    store: DocumentStore, clock: Clock, state: ChatState, user_id: int, *, part_bytes: int = PART_BYTES
) -> list[bytes] | None:
    """The files, each a JSON document of its own in UTF-8; None when there is nothing of them in the chat.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    chat = chat_path(state.chat_id)
    member, messages, facts, answers, spending = await asyncio.gather(
        store.get(member_path(state.chat_id, user_id)),
        _read_all(store, messages_path(state.chat_id), by_author(user_id)),
        _read_all(store, facts_path(state.chat_id)),
        _read_all(store, f"{chat}/answers", asked_by(user_id)),
        _read_all(store, f"{chat}/spending", spent_by(user_id)),
    )
    said = [read_message(each) for each in messages]
    about = [fact for fact in facts if subject_of(fact) == f"user:{user_id}"]
    others = [(fact, _words(fact.data, user_id)) for fact in facts if subject_of(fact) != f"user:{user_id}"]
    parts = [
        {"id": fact.id, **shown_slot(fact.data), "my_words": words} for fact, words in others if any(words.values())
    ]
    opted_out = not may_speak(state, user_id)
    if not (member or said or about or parts or answers or spending or opted_out):
        return None
    whole = {
        "member": {"user_id": user_id, "opted_out": opted_out, **_profile(member)},
        "facts_about_me": await _with_versions(store, about, user_id),
        "facts_i_spoke_about": parts,
        "answers_to_me": _questions_asked(answers, said),
        "usage": [shown_spending(document) for document in spending],
    }
    chat_now = {"chat_id": state.chat_id, "title": state.title, "type": state.type}
    heading = {"format": FORMAT, "version": VERSION, "made_at": clock.now(), "chat": chat_now}
    shown = sorted(map(_message, said), key=lambda m: (m["sent_at"], m["message_id"]))
    return list(_files(heading, whole, shown, part_bytes))


async def _read_all(store: DocumentStore, collection: str, *where: Filter) -> list[Document]:
    return [document async for document in each_document(store, collection, where=where)]


def _profile(member: Document | None) -> dict[str, Any]:
    """Return what they are called, what they chose, and who they are to the group as far as facts about them tell."""
    if member is None:
        return {}
    portrait = read_member(member).portrait
    return {**shown_fields(member), **({} if portrait is None else {"summary": portrait.text})}


def _message(stored: StoredMessage) -> dict[str, Any]:
    """Return a message; of one that they forwarded only that they did."""
    said = stored.message
    own, file = not said.forwarded, said.media
    return {
        "message_id": said.message_id,
        "sent_at": said.sent_at,
        "edited_at": said.edited_at,
        "kind": said.kind,
        "text": said.text if own else "",
        "forwarded": said.forwarded,
        "reply_to": said.reply_to,
        "thread_id": said.thread_id,
        "file": picked_fields(file.stored_fields(), _FILE) if own and file else None,
        "file_shows": said.media_text if own else "",
        "deleted_at": stored.expire_at,
    }


def _words(data: Mapping[str, Any], user_id: int) -> dict[str, list[dict[str, Any]]]:
    return shown_words([each.fields for each in references(data) if each.user_id == user_id])


async def _with_versions(store: DocumentStore, facts: Sequence[Document], user_id: int) -> list[dict[str, Any]]:
    """Facts about the member, each with how it came to be."""
    told: list[dict[str, Any]] = []
    for start in range(0, len(facts), _AT_ONCE):
        page = facts[start : start + _AT_ONCE]
        versions = await asyncio.gather(*(_read_all(store, f"{fact.path}/versions") for fact in page))
        told += [_fact(fact, known, user_id) for fact, known in zip(page, versions, strict=True)]
    return told


def _fact(fact: Document, versions: Iterable[Document], user_id: int) -> dict[str, Any]:
    return {
        "id": fact.id,
        **shown_fact(fact.data),
        "my_words": _words(fact.data, user_id),
        "versions": [
            {**shown_version(each.data), "my_words": _words(each.data, user_id)}
            for each in sorted(versions, key=noted_at)
        ],
    }


def _questions_asked(answers: Iterable[Document], said: Iterable[StoredMessage]) -> list[dict[str, Any]]:
    """Return what the member asked; what was answered may be anybody's words."""
    texts = {each.message.message_id: each.message.text for each in said}
    asked = [(asking_message_id(answer), shown_answer(answer.data)) for answer in answers]
    return [{"message_id": number, "question": texts.get(number, ""), **shown} for number, shown in asked]


# --- files --------------------------------------------------------------------------------------


def _files(
    heading: Mapping[str, Any], whole: Mapping[str, Any], messages: Iterable[Mapping[str, Any]], part_bytes: int
) -> Iterator[bytes]:
    """One file, or several when there are too many messages: all else is in the first."""
    pages = _pages(messages, part_bytes - len(_json(whole)))
    for number, page in enumerate(pages, start=1):
        part = {**heading, "part": number, "parts": len(pages)}
        yield _json({**part, **(whole if number == 1 else {}), "messages": page})


def _pages(messages: Iterable[Mapping[str, Any]], part_bytes: int) -> list[list[Mapping[str, Any]]]:
    pages: list[list[Mapping[str, Any]]] = [[]]
    left = part_bytes
    for message in messages:
        size = len(_json(message)) + _INDENTED * len(message)
        if size > left and pages[-1]:
            pages.append([])
            left = part_bytes
        pages[-1].append(message)
        left -= size
    return pages


_INDENTED = 6
"""Bytes more of a message's line than by itself."""


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2, default=_to_plain).encode("utf-8", "replace")


def _to_plain(value: Any) -> Any:
    """Return what JSON has no form for; instants as in ISO 8601."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


_MOST_TITLE = 128
"""Characters of a chat's title (Bot API: setChatTitle)."""


class Wanted(NamedTuple):
    """A request for a member's data of one chat, with the message that asked, in the same chat or their private one."""

    chat_id: int
    user_id: int
    asked_in: int
    message_id: int
    thread_id: int | None
    language: Language


async def export(app: App, call: CommandCall) -> Answer:
    """The asker's file of this chat."""
    return await _ask_for_export(app.gateway, app.schedule, call, call.state.chat_id)


async def export_linked(gateway: ChatGateway, schedule: Schedule, call: CommandCall) -> Answer:
    """The file that the link into the private chat asks for."""
    named = re.fullmatch(rf"{LINKED}(-?\d{{1,16}})", call.args)
    if named is None:
        return answer(call, "export_bad_link")
    return await _ask_for_export(gateway, schedule, call, int(named[1]))


async def _ask_for_export(gateway: ChatGateway, schedule: Schedule, call: CommandCall, chat_id: int) -> Answer:
    """Have it made; it comes within seconds."""
    here, message = call.state.chat_id, call.message
    wanted = Wanted(chat_id, call.user_id, here, message.message_id, message.thread_id, call.language)
    return await leave_to_worker(gateway, schedule, call, "export", payload_of(wanted))


# --- the worker ---------------------------------------------------------------------------------


async def send_export(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """The task `export`: make the files and send them, once.

    Args:
        payload: The fields of `Wanted`.

    Raises:
        BadPayload: It is not of this shape.
        TransientError: Run it again.
    """
    wanted = read_payload(Wanted, payload)
    state = await app.chats.current(wanted.chat_id, fresh=True)
    as_of: Memory | None = await memory_of(app.store, state.chat_id)
    files = await member_export(app.store, app.clock, state, wanted.user_id)
    if files is None:
        place, as_of = await app.chats.current(wanted.asked_in, fresh=True), None
        told = Answer.of(localized_text(wanted.language, "export_nothing"))
    else:  # noted with the chat that it is about: what is forgotten there is not sent any more
        place, told = state, exported_files(app.clock, app.policy, wanted, state, files)
    key = f"export-{wanted.asked_in}-{wanted.message_id}"
    reply_to = wanted.message_id if place.chat_id == wanted.asked_in else None
    await say_once(app, place.chat_id, key, told, as_of=as_of, reply_to=reply_to, thread_id=wanted.thread_id)
    return {"files": 0 if files is None else len(files)}


def exported_files(clock: Clock, policy: Policy, wanted: Wanted, state: ChatState, files: Sequence[bytes]) -> Answer:
    """The files as an answer in the chat that they are about; in private, and a link where that is closed."""
    day, language, parts = f"{clock.now():%Y-%m-%d}", wanted.language, str(len(files))
    link = f"https://t.me/{policy.bot_username}?start={LINKED}{state.chat_id}"
    closed = None if wanted.asked_in == wanted.user_id else localized_text(language, "export_closed", link=link)
    pieces = []
    for number, content in enumerate(files, start=1):
        name = f"spomyn-{day}.json" if len(files) == 1 else f"spomyn-{day}-{number}.json"
        caption = say(language, "export_caption", title=one_line(state.title, _MOST_TITLE))
        if len(files) > 1:
            caption += f"\n{say(language, 'export_part', part=str(number), parts=parts)}"
        file = OutgoingFile(name, "application/json", content, text(caption))
        pieces.append(AnswerPiece(file, private_to=wanted.user_id, otherwise=closed if number == 1 else None))
    return Answer(tuple(pieces))
