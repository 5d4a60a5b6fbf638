"""`/gryadcontext`: CONTEXT.md, with a link behind every line that somebody's words stand behind."""

import re

from shared.application.app import App
from shared.application.commands.call import CommandCall, Scene, answer
from shared.application.consolidation.context_file_codec import ContextFile, load_context_file, people_of
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import text
from shared.domain.consolidation.items import Item
from shared.domain.delivery.markup import escape, markdown, markdown_to_html
from shared.domain.text.plain import unescape_inert

_FRAME = re.compile(r"<!--.*?-->\s*|^---$", re.MULTILINE | re.DOTALL)


async def show_context(app: App, call: CommandCall) -> Answer:
    """Return what is going on in the chat, as the last night left it."""
    file = await load_context_file(app.store, call.state.chat_id)
    if file is None or not file.text:
        return answer(call, "context_none")
    here = Scene(app.policy, call.state, call.language)
    lines = [_link_line(line, file, here) for line in _FRAME.sub("", file.text).strip().splitlines()]
    people = frozenset(people_of((*file.items, *file.closed)))
    return Answer.of(text(markdown_to_html("\n".join(lines)), people=people))


def _link_line(line: str, file: ContextFile, here: Scene) -> str:
    """A line as Markdown; only what people wrote by hand keeps its own markup."""
    found = [each for each in file.items if _is_of(line, each)]
    item = max(found, key=lambda each: len(each.text), default=None)  # a shorter one may be how a longer one begins
    if item is None:
        return line
    if not item.by_hand:
        line = f"- {markdown(escape(_plain_line(line)))}"
    link = here.link(item.quotes[0].message_id) if item.quotes else None
    return f"{line} [→]({link})" if link else line


def _is_of(line: str, item: Item) -> bool:
    if item.by_hand:
        return item.text == line.removeprefix("- ")
    return line.startswith("- ") and _plain_line(line).startswith(item.text)


def _plain_line(line: str) -> str:
    """Return what a line of ours says, without the marks that keep it from being Markdown."""
    return unescape_inert(line.removeprefix("- "))
