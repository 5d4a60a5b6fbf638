"""A group that remembers long ago."""

from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.domain.answering.context.assembly import assemble
from tests.support.builders import message
from tests.support.group import CHAT

ADMIN = (102, "Тарас")


async def remembering(group):
    """A group that talked about a trip long ago, and of other things since."""
    await group.say("Намет у мене, на чотирьох", 102, "Тарас")
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    for i in range(40):
        await group.say(f"про каву {i}", 104, "Ганна")
    await group.settle()
    group.runtime.app.indexes.forget(CHAT)
    return group.runtime.app


async def asked(app, text="у кого намет?", **more):
    said = message(text, chat_id=CHAT, message_id=500, user_id=101, sent_at=app.clock.now(), **more)
    state = await app.chats.state(CHAT, fresh=True)
    gathered = await gather(app, state, UserQuestion(said, text, "uk", None), "rules")
    return gathered, assemble(gathered.material)
