"""How commands speak: texts of the locales, buttons, pages under Telegram's limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.application.answer import Answer
from shared.application.app import App
from shared.application.commands.call import Call, Press, Pressed
from shared.application.ports.chat import Button, OutgoingText
from shared.domain import buttons
from shared.domain.language import Language
from shared.domain.markup import plain
from shared.domain.text import TELEGRAM_LIMIT, utf16_length
from shared.locales import say

Rows = tuple[tuple[Button, ...], ...]


def text(markup: str, rows: Rows = ()) -> OutgoingText:
    """Telegram HTML as a message."""
    return OutgoingText(markup, plain(markup), rows)


def said(language: Language, key: str, rows: Rows = (), **values: str) -> OutgoingText:
    """A text of the locales as a message."""
    return text(say(language, key, **values), rows)


def answer(call: Call, key: str, rows: Rows = (), **values: str) -> Answer:
    """A text of the locales as the whole answer."""
    return Answer.of(said(call.language, key, rows, **values))


def usage(call: Call) -> Answer:
    """How the command is written, with an example: for who wrote it otherwise."""
    return answer(call, f"usage_{call.command.name}")


def notice(language: Language, key: str, **values: str) -> Pressed:
    """A text of the locales shown to who pressed a button."""
    return Pressed(plain(say(language, key, **values))[:200])


def button(app: App, chat_id: int, label: str, action: str, *args: str | int, owner: int | None = None) -> Button:
    """A sealed button.

    Args:
        label: Plain text.
        owner: The only one who may press it, or None.
    """
    sealed = buttons.Sealed(action, tuple(map(str, args)), owner)
    return Button(label, buttons.seal(app.policy.button_key, chat_id, sealed))


def pages(lines: Iterable[str]) -> list[OutgoingText]:
    """Lines put together into messages under Telegram's limit; each line is whole markup of its own."""
    filled: list[list[str]] = [[]]
    for line in lines:
        if utf16_length(plain("\n".join([*filled[-1], line]))) > TELEGRAM_LIMIT:
            filled.append([])
        filled[-1].append(line)
    return [text("\n".join(page).strip()) for page in filled]


async def leave(app: App, press: Press) -> Pressed:
    """Everything stays as it is: what a question's other button says."""
    del app
    return Pressed(shows=said(press.language, "left_as_it_is"))


def column(buttons_: Sequence[Button]) -> Rows:
    """Each button in a row of its own."""
    return tuple((each,) for each in buttons_)
