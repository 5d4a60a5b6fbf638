"""A chat whose nights pass: talk, a standing clock, and a consolidation at two in the morning."""

from dataclasses import replace
from datetime import timedelta

from shared.application.chats.state import Chats
from shared.application.consolidation.context_file_codec import load_context_file
from shared.application.consolidation.nightly import consolidate
from tests.support.tool_chat import CHAT, Chat

PROMISE = {"uk": "Я забронюю квитки до Львова до п'ятниці", "en": "I will book the tickets to Lviv by Friday"}
DONE = {"uk": "Забронював квитки!", "en": "Done, booked the tickets!"}


class Nights(Chat):
    """A chat whose nights pass."""

    async def begin(self, **fields):
        await self.app.chats.change(CHAT, {"type": "supergroup", "active": True, "language": "uk", **fields})
        return self

    async def read_chat(self):
        return await self.app.chats.state(CHAT, fresh=True)

    async def night(self, **more):
        """The next night at 02:00 in Kyiv."""
        now = self.app.clock.now()
        tonight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        self.app.clock.advance(tonight - now)
        return await consolidate(self.app, await self.read_chat(), **more)

    async def context_file(self):
        return await load_context_file(self.app.store, CHAT)

    async def texts(self):
        return [item.text for item in (await self.context_file()).items]


class Interrupted:
    """A store in which something happens right before its first transactions."""

    def __init__(self, store, happening, times=1):
        self._store, self._happening, self._left = store, happening, times

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def transaction(self, body):
        if self._left:
            self._left -= 1
            await self._happening(self._store)
        return await self._store.transaction(body)


async def meanwhile(nights, happening, times=1):
    """A consolidation during which something happens, once it has read everything."""
    state, app = await nights.read_chat(), nights.app
    interrupted = Interrupted(app.store, happening, times)
    return await consolidate(replace(app, store=interrupted, chats=Chats(app.store, app.clock)), state)
