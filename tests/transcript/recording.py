"""Says what a script says to a running group, and writes down what everybody sees."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from tests.support import updates
from tests.support.group import CHAT, Group
from tests.support.telegram.bot_api import Sent

_TAG = re.compile(r"<(/?)(\w+)([^>]*)>")
_MARKS = {"b": "**", "i": "*", "s": "~~", "code": "`", "u": "", "blockquote": ""}
_BOT = "гряг"


@dataclass
class Person:
    user_id: int
    name: str
    username: str
    language: str

    def sender(self) -> dict[str, Any]:
        return updates.user(self.user_id, self.name, username=self.username, language_code=self.language)


@dataclass
class Recorder:
    """One group and its page so far.

    Attributes:
        silent: Nothing is written down: talk that only fills the memory.
    """

    group: Group
    people: dict[str, Person]
    lines: list[str] = field(default_factory=list)
    silent: bool = False
    _seen: int = 0
    _edits: int = 0
    _notices: int = 0

    def heading(self, title: str, *text: str) -> None:
        self.lines += ["", f"### {title}", "", *text] if text else ["", f"### {title}", ""]

    async def say(self, name: str, text: str, **fields: Any) -> dict[str, Any]:
        person = self.people[name]
        update = await self.group.say(text, sender=person.sender(), **fields)
        self._write(f"**{name}:** {_escaped(text)}")
        self._look()
        return update

    async def press(self, name: str, label: str) -> None:
        person = self.people[name]
        assert await self.group.press(label, person.user_id, name, sender=person.sender()) == 200
        self._write(f"*{name} presses* `{label}`")
        self._look()

    async def work(self) -> None:
        """Let the workers do what they were asked for at once."""
        await self.group.work()
        self._look()

    async def settle(self) -> None:
        """Let the workers do what they were asked for, now and later."""
        await self.group.settle(timedelta(minutes=12))
        self._look()

    async def reply(self, name: str, text: str) -> None:
        """Reply to what the bot said last."""
        last = self.group.api.sent[-1]
        bot = updates.user(updates.BOT_ID, _BOT, is_bot=True, username="gryag_bot")
        await self.say(name, text, reply_to_message=updates.message(last.text, message_id=last.message_id, sender=bot))

    def _write(self, line: str) -> None:
        if not self.silent:
            self.lines += [f"> {line}", ">"]

    def _look(self) -> None:
        """Write down what was sent, changed and shown since the last look."""
        api = self.group.api
        for notice in self.group.notices[self._notices :]:
            if notice:
                self._write(f"*{_BOT} shows:* {_escaped(notice)}")
        for sent in api.edited[self._edits :]:
            self._bot_says(sent, "changes it to")
        for sent in api.sent[self._seen :]:
            self._bot_says(sent, "" if sent.chat_id == CHAT else "writes privately")
        self._notices, self._edits, self._seen = len(self.group.notices), len(api.edited), len(api.sent)

    def _bot_says(self, sent: Sent, how: str) -> None:
        said = f"**{_BOT}**" + (f" *{how}*:" if how else ":")
        if sent.file is not None:
            said += f" *a file* `{sent.file.name}`"
        self._write(f"{said}\n>\n" + "\n".join(f"> {line}" for line in rendered(sent.raw)))
        for row in sent.buttons:
            self._write(" ".join(f"`[{label}]`" for label, _ in row))


def rendered(markup: str) -> list[str]:
    """Telegram's HTML as Markdown, a line with a hard break each; the times of links stay as they are."""
    if "<pre>" in markup:
        before, _, rest = markup.partition("<pre>")
        table, _, after = rest.partition("</pre>")
        return [*rendered(before), "```text", *html.unescape(_TAG.sub("", table)).splitlines(), "```", *rendered(after)]
    out, at, target = "", 0, ""
    for tag in _TAG.finditer(markup):
        out += _text(markup[at : tag.start()])
        at = tag.end()
        if tag[2] == "a":
            target = target if tag[1] else tag[3].partition('href="')[2].rstrip('"')
            out += f"]({html.unescape(target)})" if tag[1] else "["
        else:
            out += _MARKS[tag[2]]
    out += _text(markup[at:])
    return [f"{line}<br>" if line.strip() else "" for line in out.splitlines()]


def _text(markup: str) -> str:
    return _escaped(html.unescape(markup))


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", text)


def said_by(lines: Sequence[str]) -> str:
    """The page of one language."""
    return "\n".join(line.rstrip() for line in lines).strip() + "\n"
