"""Forgetting all facts about the chat and learning anew."""

import asyncio

from shared.application.app import App
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, answer
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import localized_text
from shared.application.documents import facts_path
from shared.application.facts.codec import about, with_status
from shared.application.forgetting.forget import reset_chat_facts
from shared.domain.facts.fact import Status


async def ask(app: App, call: CommandCall) -> Answer:
    """Say how much would go, and ask whether it is meant."""
    chat_id, owner = call.state.chat_id, call.user_id if call.user_id > 0 else None
    # Those that are believed and those that are not any more; values that only wait for a decision are no facts yet.
    about_chat, waits = about("chat"), with_status(Status.PENDING)
    every, waiting = await asyncio.gather(
        app.store.count(facts_path(chat_id), where=[about_chat]),
        app.store.count(facts_path(chat_id), where=[about_chat, waits]),
    )
    count = every - waiting
    here = call.scene(app.policy)
    yes, no = here.option("reset_yes", "rst", count, owner=owner), here.option("reset_no", "keep", owner=owner)
    return answer(call, "reset_question", ((yes, no),), count=str(count))


async def confirm(app: App, press: ButtonPress) -> Pressed:
    """Do it. A repetition finds nothing left, and tells the number that was asked about."""
    count = await reset_chat_facts(app, press.state.chat_id)
    asked = int(press.args[0]) if press.args else 0
    return Pressed(shows=localized_text(press.language, "reset_done", count=str(count or asked)))
