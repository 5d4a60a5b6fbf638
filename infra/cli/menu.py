"""`menu`: the commands that Telegram offers while people type."""

from __future__ import annotations

from rich.console import Console

from infra.cli import frame
from infra.cli.frame import Session
from shared.application.commands.dispatch import publish_menu


@frame.command("menu", example="python -m infra.cli menu")
async def command(session: Session) -> None:
    """Set the bot's menus of commands, for every kind of chat, for administrators, in every language.

    It needs TELEGRAM_BOT_TOKEN. Do it after an update that brings other commands; doing it again changes nothing.
    """
    session.settings.require(("TELEGRAM_BOT_TOKEN",), because="the menus are the bot's")
    count = await publish_menu(session.app.gateway)

    def tell(console: Console) -> None:
        console.print(f"{count} menus are set. Apps may show the old one until they are opened again.")

    session.show({"menus": count}, tell)
