"""`/gryadoptout` and `/gryadoptin`: not to be remembered in a chat, and to be remembered again."""

from __future__ import annotations

from shared.application.app import App
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, answer
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import localized_text
from shared.application.forgetting import consent


async def opt_out(app: App, call: CommandCall) -> Answer:
    """Do not remember who asks any more, and offer to erase what there is."""
    changed = await consent.opt_out(app, call.state.chat_id, call.user_id, name=call.message.name)
    erase = call.scene(app.policy).option("optout_erase", "fga", owner=call.user_id)
    return answer(call, "optout_done" if changed else "optout_already", ((erase,),))


async def opt_out_by_button(app: App, press: ButtonPress) -> Pressed:
    """The same for who has been forgotten."""
    await consent.opt_out(app, press.state.chat_id, press.user_id, name=press.update.name)
    return Pressed(shows=localized_text(press.language, "optout_done_erased"))


async def opt_in(app: App, call: CommandCall) -> Answer:
    """Remember who asks again."""
    changed = await consent.opt_in(app, call.state.chat_id, call.user_id)
    return answer(call, "optin_done" if changed else "optin_already")
