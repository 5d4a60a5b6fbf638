"""`/gryadoptout`, `/gryadoptin` and `/gryadforgetme`: not to be remembered, to be remembered again, to be erased."""

import asyncio

from shared.application.app import App
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, Scene, answer, notice
from shared.application.conversation.message_queries import by_author
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import localized_text
from shared.application.documents import facts_path, messages_path
from shared.application.facts.codec import about, supported_by
from shared.application.forgetting import consent
from shared.application.forgetting.request import ForgettingRequest
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore


async def opt_out(app: App, call: CommandCall) -> Answer:
    """Do not remember the asker any more, and offer to erase what there is."""
    changed = await consent.opt_out(app, call.state.chat_id, call.user_id, name=call.message.name)
    erase = call.scene(app.policy).option("optout_erase", "fga", owner=call.user_id)
    return answer(call, "optout_done" if changed else "optout_already", ((erase,),))


async def opt_out_by_button(app: App, press: ButtonPress) -> Pressed:
    """Opt out a member who was forgotten and presses the button below that."""
    await consent.opt_out(app, press.state.chat_id, press.user_id, name=press.update.name)
    return Pressed(shows=localized_text(press.language, "optout_done_erased"))


async def opt_in(app: App, call: CommandCall) -> Answer:
    """Remember the asker again."""
    changed = await consent.opt_in(app, call.state.chat_id, call.user_id)
    return answer(call, "optin_done" if changed else "optin_already")


async def ask(app: App, call: CommandCall) -> Answer:
    """Return what is stored of the asker, what would happen, and the question whether it is meant."""
    return Answer.of(await _question(app.store, call.scene(app.policy)))


async def ask_again(app: App, press: ButtonPress) -> Pressed:
    """Ask a member who presses a button that offers to forget them whether it is meant."""
    return Pressed(shows=await _question(app.store, press.scene(app.policy)))


async def confirm(app: App, press: ButtonPress) -> Pressed:
    """Have it done. Whoever presses twice, or whose press is delivered twice, asks for it once."""
    request = ForgettingRequest(press.state.chat_id, press.user_id, app.clock.now(), press.message_id, press.language)
    once_more = f"-{press.update.update_id}" if press.args == ("again",) else ""
    if not await app.queue.enqueue(request.task(f"{press.message_id}{once_more}")):
        return notice(press.language, "forget_under_way")
    return Pressed(shows=localized_text(press.language, "forget_erasing"))


async def _question(store: DocumentStore, here: Scene) -> OutgoingText:
    chat_id, user_id = here.state.chat_id, here.viewer
    yes, no = here.option("forget_yes", "fgt", owner=user_id), here.option("forget_no", "keep", owner=user_id)
    messages, about_them, backed = await asyncio.gather(
        store.count(messages_path(chat_id), where=[by_author(user_id)]),
        store.count(facts_path(chat_id), where=[about(f"user:{user_id}")]),
        store.count(facts_path(chat_id), where=[supported_by(user_id)]),
    )
    key = "forget_question_chat" if chat_id == user_id else "forget_question"
    return here.text(key, ((yes, no),), messages=str(messages), facts=str(about_them), backed=str(backed))
