"""`night`: the jobs of the night by hand, for one chat or all, in this process."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from infra.cli import frame
from infra.cli.frame import FAILED, TRY_AGAIN, Session
from shared.application.app import App
from shared.application.chats.marks import MalformedChat, read_record
from shared.application.documents import chat_path
from shared.application.intake.maintenance import jobs_of, run_through
from shared.application.night.fan_out import NIGHTLY, Job, due_jobs, next_chats
from shared.application.ports.store import Document
from shared.domain.errors import TransientError

_SHOWN = 50  # lines of a dry run, and failures, that a person is shown
_EXAMPLE = """\
python -m infra.cli night --dry-run
python -m infra.cli night -1001234567890 --job decay --now"""


@dataclass
class _NightRun:
    """The results of a night's run.

    Attributes:
        due: Of a dry run: chat, job and why.
        counts: By job: in how many chats it ran, and what was done there.
        failed: Chat, job and error.
    """

    chats: int = 0
    due: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    failed: list[dict[str, Any]] = field(default_factory=list)
    temporary: int = 0

    def fail(self, chat_id: str, job: str, error: BaseException) -> None:
        self.failed.append({"chat_id": chat_id, "job": job, "error": f"{type(error).__name__}: {error}"})
        self.temporary += isinstance(error, TransientError)

    @property
    def exit_code(self) -> int:
        if not self.failed:
            return 0
        return TRY_AGAIN if self.temporary == len(self.failed) else FAILED


@frame.command("night", example=_EXAMPLE)
@click.argument("chat_id", type=int, required=False)
@click.option("--job", "names", multiple=True, type=click.Choice(list(NIGHTLY)), help="Only this job; may be repeated.")
@click.option("--now", "whatever", is_flag=True, help="Also what is not due.")
@click.option("--dry-run", is_flag=True, help="Say what is due and why, and run nothing.")
async def command(
    session: Session, *, chat_id: int | None, names: tuple[str, ...], whatever: bool, dry_run: bool
) -> int:
    """Run the jobs of the night that are due, for one chat or all active ones, here and at once.

    It does what the scheduler's call does in each chat's own night, and notes it as done. A chat that fails is told at
    the end, and the others go on.
    """
    app, night = session.app, _NightRun()
    jobs = [job for name, job in jobs_of(app.archive).items() if not names or name in names]
    if chat_id is not None:
        await session.chat(chat_id)
    total = 1 if chat_id is not None else await app.store.count("chats")
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=session.progress, transient=True, disable=not session.progress.is_terminal
    ) as progress:
        task = progress.add_task("chats", total=total)
        async for document in _chats(app, chat_id):
            due = _due(app, night, document, jobs, whatever=whatever)
            if dry_run:
                night.due += [{"chat_id": document.id, "job": job.name, "why": why} for job, why in due]
            else:
                await _tend(app, night, document.id, [job for job, _ in due])
            night.chats += 1
            progress.advance(task)
    session.show(_to_json(night, dry_run=dry_run), lambda console: _tell(console, night, dry_run=dry_run))
    return night.exit_code


async def _chats(app: App, chat_id: int | None) -> AsyncIterator[Document]:
    if chat_id is not None:
        document = await app.store.get(chat_path(chat_id))
        if document is not None:
            yield document
        return
    after: str | None = None
    while page := await next_chats(app.store, after):
        for document in page:
            yield document
        after = page[-1].id


def _due(
    app: App, night: _NightRun, document: Document, jobs: Sequence[Job], *, whatever: bool
) -> list[tuple[Job, str]]:
    try:
        record = read_record(document)
    except MalformedChat as error:
        night.fail(document.id, "all", error)
        return []
    due = {each.job: each.why for each in due_jobs(app, record, jobs, since=app.clock.now(), at_once=True)}
    if whatever:
        due = {job: due.get(job, "it was asked for") for job in jobs if record.wants(job.name)}
    return list(due.items())


async def _tend(app: App, night: _NightRun, chat_id: str, jobs: Sequence[Job]) -> None:
    for job in jobs:
        (done,) = await asyncio.gather(run_through(app, job, int(chat_id)), return_exceptions=True)
        if isinstance(done, BaseException):
            night.fail(chat_id, job.name, done)
        else:
            night.counts[job.name].update(chats=1)
            night.counts[job.name].update(done)


def _to_json(night: _NightRun, *, dry_run: bool) -> dict[str, Any]:
    what = {"due": night.due} if dry_run else {"jobs": {job: dict(done) for job, done in night.counts.items()}}
    return {"chats": night.chats, **what, "failed": night.failed}


def _tell(console: Console, night: _NightRun, *, dry_run: bool) -> None:
    if dry_run:
        console.print(_table(("chat", "job", "why"), [tuple(row.values()) for row in night.due[:_SHOWN]]))
        console.print(f"{len(night.due)} jobs are due in {len({row['chat_id'] for row in night.due})} chats.")
    else:
        rows = [(job, str(done["chats"]), _format_counts(done)) for job, done in night.counts.items()]
        console.print(_table(("job", "chats", "done"), rows))
        console.print(f"{night.chats} chats were looked at.")
    for row in night.failed[:_SHOWN]:
        console.print(f"chat {row['chat_id']}, {row['job']}: {row['error']}", style="red")


def _format_counts(done: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in done.items() if name != "chats" and count) or "nothing to do"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(*heads)
    for row in rows:
        table.add_row(*row)
    return table
