"""Talk of a trip and of an engine, put into the store as the webhook puts it, and a model that sums it up."""

import copy
import json
from dataclasses import replace
from datetime import timedelta

from shared.application.documents import chat_path, chunks_path, episodes_path, message_path, metas_path
from shared.application.reading.extraction import extract_chat
from shared.domain.conversation.messages import Message
from tests.support.group import CHAT
from tests.support.reading.replies import asks_to_read, reading
from tests.support.stores.messages import new_message_fields

TRIP = (
    ("Оля", "їдемо в Карпати в суботу 14 березня, зустріч на вокзалі о 7:30"),
    ("Марко", "квитки на поїзд до Ворохти по 420 грн, я куплю на всіх"),
    ("Ганна", "у Ворохті беремо будинок на дві ночі, господиня просить завдаток"),
    ("Оля", "завдаток за будинок я переказала вчора, 1500 грн"),
    ("Марко", "поїзд назад у понеділок, квитки теж беру"),
    ("Ганна", "тоді з мене аптечка і намет у поїзд"),
)
ENGINE = (
    ("Оля", "в мене стукає двигун, механік каже міняти масло і ремінь"),
    ("Марко", "ремінь двигуна краще міняти разом із помпою, масло теж"),
    ("Ганна", "мій механік на Оболоні бере за ремінь 2000, масло окремо"),
    ("Оля", "запишуся до механіка, хай двигун подивиться і масло замінить"),
    ("Марко", "скажи механіку про помпу, бо двигун перегріється"),
    ("Ганна", "масло купуй сама, механік візьме дорожче за двигун"),
)
PEOPLE = {"Оля": 101, "Марко": 103, "Ганна": 104}


class Talk:
    """A chat whose messages are put into the store as the webhook puts them."""

    def __init__(self, group):
        self.group = group

    @property
    def app(self):
        return self.group.runtime.app

    async def say(self, name, text, *, message_id=None, pause=timedelta(minutes=1), **fields):
        now = self.group.clock.now()
        message_id = message_id or self.group.ids().take()
        self.group.ids().keep(message_id)
        message = Message(CHAT, message_id, now, PEOPLE.get(name, 900), name, text=text, **fields)
        stored = new_message_fields(message, now=now, retention=timedelta(days=90))
        await self.group.store.create(message_path(CHAT, message_id), stored)
        self.group.clock.advance(pause)
        return message_id

    async def have(self, lines, **fields):
        return [await self.say(name, text, **fields) for name, text in lines]

    async def extract(self, *, after=timedelta(0), **changes):
        """Run tasks until one has nothing more to do at once."""
        self.group.clock.advance(after)
        app = replace(self.app, **changes)
        while (await extract_chat(app, CHAT)).chunks:
            pass

    async def chunks_of_one(self, count, **changes):
        """`count` messages, each a chunk of its own."""
        for number in range(count):
            await self.say("Оля", f"рахунок {number}: сплатила {100 + number} грн Марку", pause=timedelta(seconds=5))
        await self.extract(policy=self.app.policy._replace(chunk_size=1, idle=timedelta(0)), **changes)

    async def documents(self, collection):
        return {d.id: d.data for d in await self.group.store.query(collection)}

    async def chunks(self):
        return await self.documents(chunks_path(CHAT))

    async def metas(self):
        return await self.documents(metas_path(CHAT))

    async def episodes(self):
        return await self.documents(episodes_path(CHAT))


async def everything(group, *, without=()):
    """All documents of the chat by path, but for the collections `without`."""
    dump = {}
    async for document in group.store.subtree(chat_path(CHAT)):
        if document.path.split("/")[2] not in without:
            dump[document.path] = copy.deepcopy(document.data)
    return dump


def remembering(request):
    """As a model: each task answered by what its prompt asks for."""
    if asks_to_read(request):
        return json.dumps(reading(request, "Оля платить рахунки.", ["Оля сплатила 100 грн"]))
    return json.dumps({}) if request.schema else "Десять частин разом."
