"""What an admin chose for a chat."""

from shared.application.chats.choices import changes_of
from shared.application.documents import chat_path
from tests.support.group import CHAT

ADMIN = (102, "Тарас")


async def chosen(group, chat_id=CHAT):
    document = await group.store.get(chat_path(chat_id))
    return document.data.get("settings") or {}


async def changes(group):
    return changes_of((await group.store.get(chat_path(CHAT))).data)


def said(group):
    return group.shown(group.api.sent[-1].message_id)


async def type_as_admin(group, words):
    await group.say(f"/gryadsettings {words}", *ADMIN)
    return group.answers[-1]
