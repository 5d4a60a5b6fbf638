"""Replaying a script: a fresh store, the messages' own time, and everything extracted at the end."""

from __future__ import annotations

import tempfile
from pathlib import Path

from infra.local.assembly import assembled, files_folder, open_observer
from infra.local.clocks import ReplayClock
from infra.local.events import Event, Line, Listener
from infra.local.outcome import Outcome, outcome_of
from infra.local.room import Room
from infra.local.script import Script
from infra.local.terminal import TerminalGateway
from shared.settings import Settings


async def replay(settings: Settings, script: Script, listener: Listener, *, keep: Path | None) -> Outcome:
    """Replay a script and look at what became of it.

    Args:
        keep: The SQLite file to make, or None for one that is thrown away.

    Raises:
        SettingsError: The file cannot be made.
        TransientError: The store failed.
    """
    if keep is not None:
        return await _replay_into(keep, settings, script, listener)
    with tempfile.TemporaryDirectory(prefix="spomyn-") as folder:
        return await _replay_into(Path(folder, "spomyn.db"), settings, script, listener)


async def _replay_into(path: Path, settings: Settings, script: Script, listener: Listener) -> Outcome:
    settings = settings._replace(spomyn_store=f"sqlite:{path}", spomyn_queue="local")
    clock = ReplayClock(script.entries[0].date)
    transcript: list[Line] = []

    def record(event: Event) -> None:
        if isinstance(event, Line):
            transcript.append(event)
        listener(event)

    observer = open_observer(settings)
    gateway = TerminalGateway(
        record, clock=clock, bot_name=settings.bot_names[0], store=observer, files=files_folder(settings)
    )
    gateway.open_chat(script.chat.chat_id, script.chat.type, admins=script.admins, reserved=script.ids)
    async with assembled(settings, clock, record, gateway, observer) as local:
        room = Room(local, gateway, record, script.chat, ahead=True)
        for entry in script.entries:
            clock.reach(entry.date)
            await local.worker.run_due()
            await room.post(entry)
        return await outcome_of(local, script.chat.chat_id, transcript)
