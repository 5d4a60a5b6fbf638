"""`/gryadcontext`: CONTEXT.md, with a link behind every line that somebody's words stand behind."""

from __future__ import annotations

import re

from shared.application.answer import Answer
from shared.application.app import App
from shared.application.commands.call import Call
from shared.application.commands.replies import answer, text
from shared.application.consolidation import Board, read_board
from shared.domain.consolidation import Item
from shared.domain.links import message_link
from shared.domain.markup import markdown_to_html
from shared.domain.text import inert

_FRAME = re.compile(r"<!--.*?-->\s*|^---$", re.MULTILINE | re.DOTALL)


async def show_context(app: App, call: Call) -> Answer:
    """What is going on in the chat, as the last night left it."""
    board = await read_board(app, call.state.chat_id)
    if board is None or not board.text:
        return answer(call, "context_none")
    lines = [_linked(line, board, call) for line in _FRAME.sub("", board.text).strip().splitlines()]
    return Answer.of(text(markdown_to_html("\n".join(lines))))


def _linked(line: str, board: Board, call: Call) -> str:
    item = next((each for each in board.items if line.startswith("- ") and _is_of(line, each)), None)
    if item is None or not item.quotes:
        return line
    link = message_link(call.state.chat_id, item.quotes[0].message_id, username=call.state.username)
    return f"{line} [→]({link})" if link else line


def _is_of(line: str, item: Item) -> bool:
    return line.removeprefix("- ").lstrip("\\").startswith((item.text, inert(item.text)))
