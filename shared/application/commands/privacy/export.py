"""`/gryadexport`: all of a member's data as a file, into their private chat only. A worker makes and sends it.

Where the bot may not write first, a link opens that chat and asks for the file there. The link says which chat is
meant, never whose data: whoever follows it gets their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import LINKED, CommandCall, answer
from shared.application.commands.later import leave_to_worker, read_payload
from shared.application.commands.privacy.member_export import member_export
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.lease import Memory, memory_of
from shared.application.delivery.sending import say_once
from shared.application.delivery.wording import localized_text, text
from shared.application.policy import Policy
from shared.application.ports.chat import OutgoingFile
from shared.application.ports.system import Clock
from shared.application.schedule import Schedule
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line
from shared.locales import say

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


_MOST_TITLE = 128
"""Characters of a chat's title (Bot API: setChatTitle)."""


class Wanted(NamedTuple):
    """Whose data of which chat was asked for, and by which message of which chat: the same, or their private one."""

    chat_id: int
    user_id: int
    asked_in: int
    message_id: int
    thread_id: int | None
    language: Language


async def export(app: App, call: CommandCall) -> Answer:
    """The file for who asks in this chat."""
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
    return await leave_to_worker(gateway, schedule, call, "export", wanted._asdict())


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
