"""`dead-letters`: what could not be dealt with, and once more."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from infra.cli import frame
from infra.cli.frame import FAILED, Failed, Session
from infra.telegram.updates import decode_update, parse_update
from shared.application.app import App
from shared.application.dead_letter_codec import DeadLetter, NotReplayable
from shared.application.dead_letters import dead_letters, find_dead_letter, settle
from shared.application.intake.dealing import deal_with_update
from shared.application.intake.extracting import extract_and_ask
from shared.application.intake.running import run_task
from shared.application.intake.tasks import deal_with_task
from shared.application.payload_codec import chat_in
from shared.application.reading.extraction import Extracted
from shared.application.reading.putting_back import read_again
from shared.application.reading.setting_aside import ExtractionPiece
from shared.application.schedule import ANSWER, EXTRACT
from shared.domain.errors import GivenUp, SpomynError
from shared.domain.intake.updates import UpdateOutcome, UpdateResult
from shared.domain.text.plain import one_line

_EXAMPLE = "python -m infra.cli dead-letters"


@click.group("dead-letters", epilog=f"\b\nExample:\n  {_EXAMPLE} list\n  {_EXAMPLE} replay --all")
def command() -> None:
    """List and replay what Spomyn could not deal with: updates that are none, tasks that failed to the last."""


@frame.command("list", example=f"{_EXAMPLE} list --limit 20")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="The newest so many.")
async def list_letters(session: Session, *, limit: int) -> None:
    """List dead letters with reason and age, the newest first. They are kept for thirty days."""
    found = await dead_letters(session.app.store, limit=limit)
    now = session.app.clock.now()
    session.show([_to_json(letter) for letter in found], lambda console: _tell(console, found, now))


@frame.command(
    "replay",
    example=f"""\
{_EXAMPLE} replay task-0123456789abcdef0123456789abcdef
{_EXAMPLE} replay --all""",
)
@click.argument("letter_id", required=False)
@click.option("--all", "everything", is_flag=True, help="All that there are, the oldest first.")
@click.option("--job", help="The job of a maintenance task whose record does not tell it.")
async def replay(session: Session, *, letter_id: str | None, everything: bool, job: str | None) -> int:
    """Deal with a dead letter once more, in this process: an update as if it came now, a task as if it were due.

    A stretch of talk, an edited message or a chunk that was set aside is put back in its place and read.
    What succeeds is removed, what fails again is kept with the new reason. An update that asks the bot something is
    answered now. A record whose body was cut (over 64 KiB) cannot be replayed.
    """
    if (letter_id is None) == (not everything):
        raise click.UsageError("Give either a dead letter's id or --all.")
    letters = await _choose_letters(session.app, letter_id)
    outcomes = [await _replay_letter(session.app, letter, job) for letter in letters]
    session.show([outcome._asdict() for outcome in outcomes], lambda console: _tell_outcomes(console, outcomes))
    return 0 if all(outcome.done for outcome in outcomes) else FAILED


async def _choose_letters(app: App, letter_id: str | None) -> Sequence[DeadLetter]:
    if letter_id is None:
        return list(reversed(await dead_letters(app.store)))
    letter = await find_dead_letter(app.store, letter_id)
    if letter is None:
        raise Failed(f"There is no dead letter {letter_id!r}: `dead-letters list` shows their ids.")
    return [letter]


class _Outcome(NamedTuple):
    """The outcome of one replay."""

    id: str
    done: bool
    outcome: str


async def _replay_letter(app: App, letter: DeadLetter, job: str | None) -> _Outcome:
    try:
        body = letter.body()
        outcome = await (_update(app, body) if letter.kind == "update" else _task(app, body, job))
    except SpomynError as failure:
        error = failure.__cause__ if isinstance(failure, GivenUp) else failure
        reason = str(error) if isinstance(error, SpomynError) else repr(error)
        if not isinstance(error, NotReplayable):
            await settle(app.store, letter, failed=reason)
        return _Outcome(letter.id, False, reason)
    await settle(app.store, letter, failed=None)
    return _Outcome(letter.id, True, outcome)


async def _update(app: App, body: bytes) -> str:
    outcome = await deal_with_update(app, body, lambda: parse_update(decode_update(body)))
    if outcome.result is not UpdateResult.ASKED:
        return str(outcome)
    update_id = parse_update(decode_update(body)).update_id  # here and now, not only by the task that was asked for
    return await _task(app, json.dumps({"target": ANSWER, "update_id": update_id}).encode(), None)


async def _task(app: App, body: bytes, job: str | None) -> str:
    done: list[str] = []

    async def work() -> dict[str, int]:
        done.append(await _run(app, body, job))
        return {}

    await deal_with_task(app.store, app.clock, body, work, job=job, is_last=True)
    return "".join(done)


async def _run(app: App, body: bytes, job: str | None) -> str:
    """Run a task as the functions do.

    Raises:
        NotReplayable: The record does not tell which task it was.
    """
    payload = json.loads(body)
    if not isinstance(payload, dict):
        raise NotReplayable("the payload is no JSON object: no task has such a one")
    match payload:
        case {"set_aside": _}:
            return await read_again(app, ExtractionPiece.of(payload), extract=extract_and_ask)
    target = _target(payload, job)
    done = await run_task(app, target, {"chat_id": _chat_id(payload)} if target == EXTRACT else payload)  # due or not
    if isinstance(done, UpdateOutcome):
        return str(done)
    if isinstance(done, Extracted):
        return f"extracted: {done.chunks} chunks, {len(done.changes)} changes of facts"
    return ", ".join(f"{name} {count}" for name, count in done.items()) or "nothing to do"


def _target(payload: Mapping[str, Any], job: str | None) -> str:
    match payload:
        case {"target": str(target)}:
            return target
        case _ if job is not None:
            return f"/maintenance/{job}"
        case {"new_chat_id": _}:
            return "/maintenance/migrate"
        case {"window": _}:
            return EXTRACT
    raise NotReplayable("the record does not tell which job it was: name it with --job")


def _chat_id(payload: Mapping[str, Any]) -> int:
    chat_id = chat_in(payload)
    if chat_id is None:
        raise NotReplayable("the task names no chat")
    return chat_id


def _to_json(letter: DeadLetter) -> dict[str, Any]:
    return {
        "id": letter.id,
        "kind": letter.kind,
        "at": letter.at,
        "reason": letter.reason,
        "bytes": letter.size,
        "replayable": letter.is_whole,
        "body": letter.text,
    }


def _tell(console: Console, letters: Sequence[DeadLetter], now: datetime) -> None:
    if not letters:
        console.print("No dead letters.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("id", "age", "reason"):
        table.add_column(column, overflow="fold")
    for letter in letters:
        reason = Text(one_line(letter.reason)).append("" if letter.is_whole else " (cut: cannot be replayed)", "red")
        table.add_row(letter.id, _age(letter, now), reason)
    console.print(table)


def _age(letter: DeadLetter, now: datetime) -> str:
    hours = (now - letter.at).total_seconds() / 3600
    return f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} d"


def _tell_outcomes(console: Console, outcomes: Sequence[_Outcome]) -> None:
    for outcome in outcomes:
        line = Text(f"{outcome.id}  ").append("done" if outcome.done else "failed", "green" if outcome.done else "red")
        console.print(line.append(f": {one_line(outcome.outcome)}"))
    console.print(f"{sum(outcome.done for outcome in outcomes)} of {len(outcomes)} done")


command.add_command(list_letters)
command.add_command(replay)
