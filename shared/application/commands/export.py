"""`/gryadexport`: all of a member's data as a file, into their private chat only.

Where the bot may not write first, a link opens that chat and asks for the file there. The link says which chat is
meant, never whose data: whoever follows it gets their own.
"""

from __future__ import annotations

import re

from shared.application.answer import Answer, Piece
from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.commands.call import Call
from shared.application.commands.help import LINKED
from shared.application.commands.replies import answer, said, text
from shared.application.member_export import member_export
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.language import Language
from shared.domain.text import one_line
from shared.locales import say

_MOST_TITLE = 128
"""Characters of a chat's title (Bot API: setChatTitle)."""


async def export(app: App, call: Call) -> Answer:
    """The file for who asks in this chat."""
    link = f"https://t.me/{app.policy.bot_username}?start={LINKED}{call.state.chat_id}"
    return await _exported(app, call, call.state, said(call.language, "export_closed", link=link))


async def export_linked(app: App, call: Call) -> Answer:
    """The file that the link into the private chat asks for."""
    named = re.fullmatch(rf"{LINKED}(-?\d{{1,16}})", call.args)
    if named is None:
        return answer(call, "export_bad_link")
    state = await app.chats.state(int(named[1]))
    if state.migrated_to is not None:
        state = await app.chats.state(state.migrated_to)
    return await _exported(app, call, state, None)


async def _exported(app: App, call: Call, state: ChatState, otherwise: OutgoingText | None) -> Answer:
    files = await member_export(app, state, call.user_id)
    if files is None:
        return answer(call, "export_nothing")
    day = f"{app.clock.now():%Y-%m-%d}"
    pieces = []
    for number, content in enumerate(files, start=1):
        name = f"spomyn-{day}.json" if len(files) == 1 else f"spomyn-{day}-{number}.json"
        caption = _caption(call.language, state, number, len(files))
        file = OutgoingFile(name, "application/json", content, caption)
        pieces.append(Piece(file, private_to=call.user_id, otherwise=otherwise))
    return Answer(tuple(pieces))


def _caption(language: Language, state: ChatState, part: int, parts: int) -> OutgoingText:
    told = say(language, "export_caption", title=one_line(state.title, _MOST_TITLE))
    if parts > 1:
        told += f"\n{say(language, 'export_part', part=str(part), parts=str(parts))}"
    return text(told)
