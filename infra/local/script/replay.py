"""Replaying a script: a fresh store, the lines' own time, and everything extracted at the end."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

from infra.bootstrap import Models
from infra.local.assembly import Local, assemble_local, files_folder, local_bot, open_observer
from infra.local.chat.messenger import Impossible, Messenger
from infra.local.chat.room import Room
from infra.local.chat.terminal import TerminalGateway
from infra.local.clocks import ReplayClock
from infra.local.events import Listener, Notice
from infra.local.outcome import ReplayOutcome, outcome_of
from infra.local.script import Script, ScriptError
from infra.local.script.record import ReplayRecorder
from infra.local.script.steps import Comment, ScriptStep
from shared.application.ports.store import DocumentStore
from shared.settings import Settings

_PAUSE = timedelta(seconds=20)  # before a line that does not say when it is
_AT_ONCE = timedelta(seconds=1)  # before one whose time has passed


async def replay(
    settings: Settings, script: Script, listener: Listener, *, keep: Path | None, models: Models | None = None
) -> ReplayOutcome:
    """Replay a script and look at what became of it.

    Args:
        keep: The SQLite file to make, or None for one that is thrown away, as is that of a script that fails.
        models: In place of those that the settings name.

    Raises:
        ScriptError: A line has somebody do what Telegram does not allow.
        SettingsError: The file cannot be made.
        TransientError: The store failed.
    """
    if keep is not None:
        try:
            return await _replay_into(keep, settings, script, listener, models)
        except ScriptError:  # half a story is nothing to keep, and would be in the way of the next try
            for part in ("", "-wal", "-shm"):
                keep.with_name(keep.name + part).unlink(missing_ok=True)
            raise
    with tempfile.TemporaryDirectory(prefix="spomyn-") as folder:
        return await _replay_into(Path(folder, "spomyn.db"), settings, script, listener, models)


async def _replay_into(
    path: Path, settings: Settings, script: Script, listener: Listener, models: Models | None
) -> ReplayOutcome:
    settings = settings._replace(spomyn_store=f"sqlite:{path}", spomyn_queue="local")
    clock, record = ReplayClock(script.start), ReplayRecorder(listener)
    observer = open_observer(settings)
    messenger = _messenger(settings, script, observer)
    gateway = TerminalGateway(record.hear, messenger, clock=clock, files=files_folder(settings))
    async with assemble_local(settings, clock, record.hear, gateway, observer, models) as local:
        room = Room(local, messenger, record.hear, script.chat, ahead=True, is_excerpt=script.is_excerpt)
        for step in script.steps:
            if isinstance(step.action, Comment):
                listener(Notice(step.action.text))
            else:
                await _take(local, clock, room, step, record)
        return await outcome_of(local, script.chat.chat_id, record.transcript, record.lines)


def _messenger(settings: Settings, script: Script, observer: DocumentStore) -> Messenger:
    messenger = Messenger(store=observer, bot=local_bot(settings), strict=True)
    messenger.open_chat(script.chat, admins=script.admins, reserved=script.ids(), topics=script.topics)
    messenger.reserve_private(script.ids(private=True))
    return messenger


async def _take(local: Local, clock: ReplayClock, room: Room, step: ScriptStep, record: ReplayRecorder) -> None:
    _go_forward(clock, step, is_first=not record.lines)
    await local.worker.run_due()
    line = record.begin(step.line, clock.now())
    try:
        line.done = await room.take(step.action)
        line.date = line.date if line.done.night else clock.now()  # a question comes after the pause before it
    except Impossible as error:
        raise ScriptError(f"{step.where}: {error}.") from error


def _go_forward(clock: ReplayClock, step: ScriptStep, *, is_first: bool) -> None:
    """Let the clock reach a line. What was asked of the bot meanwhile may have taken it further than the line's time:
    then the line comes at once, for Telegram delivers nothing that is dated before what it delivered already."""
    if step.date is None:
        clock.skip(timedelta(0) if is_first else _PAUSE)
    elif step.date < clock.now():
        clock.skip(_AT_ONCE)
    else:
        clock.reach(step.date)
