"""Forgetting all facts about the chat and learning anew."""

from __future__ import annotations

from shared.application.answer import Answer
from shared.application.app import App
from shared.application.commands.call import Call, Press, Pressed
from shared.application.commands.replies import answer, button, said
from shared.application.memory import reset_chat_facts
from shared.locales import say


async def ask(app: App, call: Call) -> Answer:
    """Ask whether it is meant."""
    chat_id = call.state.chat_id
    yes = button(app, chat_id, say(call.language, "reset_yes"), "rst")
    no = button(app, chat_id, say(call.language, "reset_no"), "keep")
    return answer(call, "reset_question", ((yes, no),))


async def confirm(app: App, press: Press) -> Pressed:
    """Do it."""
    count = await reset_chat_facts(app, press.state.chat_id)
    return Pressed(shows=said(press.language, "reset_done", count=str(count)))
