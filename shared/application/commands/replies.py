"""How commands speak: texts of the locales, buttons, pages under Telegram's limit."""

from __future__ import annotations

from shared.application.app import App
from shared.application.commands.call import ButtonPress, CommandCall, Pressed
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import Rows, localized_text
from shared.domain.delivery.markup import plain
from shared.domain.text.language import Language
from shared.locales import say


def answer(call: CommandCall, key: str, rows: Rows = (), **values: str) -> Answer:
    """A text of the locales as the whole answer."""
    return Answer.of(localized_text(call.language, key, rows, **values))


def usage(call: CommandCall) -> Answer:
    """Return how the command is written, with an example: for who wrote it otherwise."""
    return answer(call, f"usage_{call.command.name}")


def notice(language: Language, key: str, **values: str) -> Pressed:
    """A text of the locales shown to who pressed a button."""
    return Pressed(plain(say(language, key, **values))[:200])


async def leave(app: App, press: ButtonPress) -> Pressed:
    """Everything stays as it is: what a question's other button says."""
    del app
    return Pressed(shows=localized_text(press.language, "left_as_it_is"))
