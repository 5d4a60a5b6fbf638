"""Lines of scripts said in a chat without a bot behind it."""

from __future__ import annotations

from infra.local.chat.composing import compose
from infra.local.chat.messenger import Messenger
from infra.local.chat.raw_updates import LOCAL_CHAT, Person
from infra.local.script.fields import ScriptFields
from infra.local.script.lines import LineReader
from tests.support.group import FRIDAY
from tests.unit.infra.local.script.plays import OLIA

BOT = Person(5, "гряг", "gryag_bot", is_bot=True)


class Chat:
    """A chat in which lines are said, without a bot behind it."""

    def __init__(self):
        self.messenger, self.reader, self.last = Messenger(store=None, bot=BOT, strict=True), LineReader(), 0

    def say(self, chat=LOCAL_CHAT, **line):
        self.last += 1
        said = self.reader.read(ScriptFields(OLIA | line, "here"))
        message = compose(self.messenger, chat, said, self.last, FRIDAY, is_excerpt=False)
        self.messenger.keep(message)
        return message
