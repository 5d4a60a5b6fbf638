"""A terminal in Telegram's place, and what it told."""

from __future__ import annotations

from infra.local.chat.messenger import Messenger
from infra.local.chat.raw_updates import LOCAL_CHAT, Person
from infra.local.chat.terminal import TerminalGateway
from infra.local.clocks import ReplayClock
from shared.application.ports.chat import Button, OutgoingText
from tests.support.group import FRIDAY


class Terminal:
    """A terminal gateway, and what it told."""

    def __init__(self, store, folder, *, strict=False):
        self.told = []
        self.clock = ReplayClock(FRIDAY)
        self.messenger = Messenger(store=store, bot=Person(0, "гряг", is_bot=True), strict=strict)
        self.gateway = TerminalGateway(self.told.append, self.messenger, clock=self.clock, files=folder)
        self.messenger.open_chat(LOCAL_CHAT, admins=frozenset())
        self.messenger.keep_id(-1001, 4)


def rows(*labels):
    return OutgoingText("?", "?", tuple((Button(label, f"data-{label}"),) for label in labels))
