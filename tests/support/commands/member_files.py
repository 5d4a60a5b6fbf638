"""What members told, and the files in which they get it."""

import json

from shared.application.documents import facts_path
from shared.application.facts.moderation import vote
from tests.support.group import CHAT

HANNA, TARAS = (104, "Ганна"), (102, "Тарас")


async def told(group):
    """What two members say of themselves, and a rule that both are for."""
    await group.say("Я живу у Житомирі", *HANNA)
    await group.say("Нагадую: ніякої політики в чаті!", *TARAS)
    await group.say("Я живу у Львові", *TARAS)
    await group.settle()
    for document in await group.store.query(facts_path(CHAT)):
        if document.data["subject"] == "chat":
            await vote(group.runtime.app, CHAT, document.id, HANNA[0], supports=True)


def opens_private_chat(group, who):
    group.api.add_chat(who[0], "private")


def file_of(group):
    """The last file that was sent: to whom, and what is in it."""
    sent = group.api.sent[-1]
    return sent.chat_id, json.loads(sent.file.content)
