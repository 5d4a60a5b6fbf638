"""The conversation at the console: lines from a terminal or a pipe, spoken by several members."""

from __future__ import annotations

from infra.local.assembly import Local
from infra.local.chat.messenger import Impossible, Messenger
from infra.local.chat.raw_updates import Person
from infra.local.chat.room import Room
from infra.local.events import Notice
from infra.local.lines import Lines
from infra.local.script.people import FIRST_USER
from infra.local.script.steps import PressButton, Say
from infra.local.typed import HELP, Typed, read_line
from infra.local.view import TerminalView
from shared.domain.errors import TransientError

NOBODY = "Гість"
"""The speaker when no line has named anybody yet."""


class Console:
    """Turns lines into messages and pressed buttons of the room's members."""

    def __init__(self, local: Local, room: Room, messenger: Messenger, view: TerminalView) -> None:
        self._local = local
        self._room = room
        self._messenger = messenger
        self._view = view
        self._ids: dict[str, int] = {}
        self._speaker = Person(FIRST_USER, NOBODY)

    async def converse(self, lines: Lines) -> int:
        """Take lines until they end or say /quit; return how many there were."""
        self._ids = await self._room.recall()
        count = 0
        while (line := await lines.read(f"{self._speaker.name}› ")) is not None:
            count += 1
            if line.strip() == "/quit":
                break
            try:
                await self._take(line)
            except TransientError as error:
                self._view.show(Notice(f"This did not work, say it again: {error}"))
            except Impossible as error:
                self._view.show(Notice(f"This is not possible: {error}."))
        return count

    async def _take(self, line: str) -> None:
        if not line.strip():
            return
        if line.strip() == "/help":
            self._view.say(HELP)
            return
        typed = read_line(line)
        speaker = self._speaker = self._person(typed.name or self._speaker.name)
        if typed.is_admin:
            await self._room.make_admin(speaker)
        if typed.press is not None and await self._press(speaker, typed.press, typed.reply_to):
            return
        if typed.text:
            await self._say(speaker, typed)

    async def _press(self, speaker: Person, number: int, message_id: int | None) -> bool:
        """Press a button; False where there is none: then the words are said."""
        try:
            await self._room.press(PressButton(speaker, number, message_id))
        except Impossible:
            return False
        return True

    async def _say(self, speaker: Person, typed: Typed) -> None:
        is_admin = self._messenger.status(self._room.chat.chat_id, speaker.user_id) == "administrator"
        said = Say(
            speaker,
            typed.text,
            is_admin=is_admin and not typed.is_private,
            reply_to=typed.reply_to,
            private=typed.is_private,
        )
        await self._room.say(said)

    def _person(self, name: str) -> Person:
        """The member of this name, with the id that they had in earlier runs."""
        free = max([FIRST_USER - 1, *self._ids.values()]) + 1
        return Person(self._ids.setdefault(name, free), name)
