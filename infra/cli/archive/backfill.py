"""`backfill`: old talk becomes memory, from an export of Telegram Desktop or from what is stored already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import click
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from infra.cli import frame
from infra.cli.archive.backfill_report import BackfillSummary, Estimate, Report
from infra.cli.archive.pacing import PacedModel
from infra.cli.frame import FAILED, TRY_AGAIN, Failed, Session
from infra.telegram.export import Export, ExportedChat, ExportError, LeftOut, MessageReader
from shared.application.app import App
from shared.application.archive.backfill import (
    PAGE,
    Left,
    learn_all,
    open_chat,
    sift_messages,
    store_messages,
    what_is_left,
)
from shared.application.archive.backfill_survey import Survey
from shared.application.intake.extracting import extract_and_ask
from shared.domain.conversation.messages import Message
from shared.domain.errors import TransientError
from shared.domain.intake.updates import ChatInfo
from shared.domain.reading.stretch import MOST_CHUNKS
from shared.domain.spending.tokens import price_to_count

_RATE = 300
"""Messages a minute: thirty chunks, six calls of the model, well within Gemini's paid limits."""


@frame.command(
    "backfill",
    example="""\
python -m infra.cli backfill result.json --dry-run
python -m infra.cli backfill result.json --admin 123456789
python -m infra.cli backfill --chunks -1001234567890""",
)
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--chunks", "again", type=int, metavar="CHAT_ID", help="Instead of a file: learn from what is stored.")
@click.option("--chat", "chat_id", type=int, metavar="CHAT_ID", help="The chat, where the export tells no id.")
@click.option("--admin", "admins", type=int, multiple=True, metavar="USER_ID", help="Who may lay down rules.")
@click.option("--bot", "bots", type=int, multiple=True, metavar="USER_ID", help="Another bot, to be left out.")
@click.option("--since", type=click.DateTime(("%Y-%m-%d",)), help="From this day on (UTC), however old.")
@click.option(
    "--rate", type=click.IntRange(1, 100_000), default=_RATE, show_default=True, help="Messages a minute with a model."
)
@click.option("--dry-run", is_flag=True, help="Only count, and estimate tokens and cost; nothing is stored.")
async def command(
    session: Session,
    *,
    file: Path | None,
    again: int | None,
    chat_id: int | None,
    admins: tuple[int, ...],
    bots: tuple[int, ...],
    since: datetime | None,
    rate: int,
    dry_run: bool,
) -> int | None:
    """Make memory of old talk: FILE is result.json of a group's export by Telegram Desktop ("Machine-readable JSON").

    Messages are stored as the bot would have stored them, unless they are there, and learnt from in this process,
    chunk by chunk. Nothing is answered. Run it again after any failure: it goes on where it stopped, and a second run
    creates nothing. Members who opted out, what was forgotten, service messages and other bots are left out; the export
    does not say who is a bot, so look through the members that --dry-run lists and name bots with --bot.

    Messages older than MESSAGE_RETENTION_DAYS are skipped. With --since they are stored, teach, and go in the next
    night; facts keep their quotes. --admin and --bot may be given several times.

    The model is asked as far as the chat's budget of the day goes (MODEL_TOKENS_PER_CHAT_PER_DAY), which its answers
    share; then chunks are made without it and wait. --chunks makes those again, on another day or with a larger budget,
    and learns from messages that nobody learnt from yet.

    What it would cost is counted at the prices of docs/cost.md: check your provider's price list.
    """
    if (file is None) == (again is None):
        raise click.UsageError("Give either FILE or --chunks CHAT_ID.")
    app = _pace_model(session.app, rate)
    if again is not None:
        return await _finish(session, await _learn_again(session, app, again, dry_run=dry_run))
    try:
        with Export(file or Path()) as export:
            chat = await _chat(session, export.chat, chat_id)
            run = _BackfillRun(session, app, export, chat, bots=bots, since=_begin_at(app, since))
            if dry_run:
                model = session.settings.gemini_extraction_model
                price = price_to_count(model, app.clock.now().date())
                estimate = Estimate(run.report, Survey(app.policy.chunk_size), model, price)
                await run.survey(estimate.survey)
                session.show(estimate.to_json(), estimate.tell)
                return FAILED if run.report.broken else 0
            return await _finish(session, await _store_and_learn(session, app, run, admins))
    except ExportError as error:
        raise Failed(f"{error}.") from error


def _pace_model(app: App, rate: int) -> App:
    if app.model is None:
        return app
    return replace(app, model=PacedModel(app.model, rate=rate, stretch=MOST_CHUNKS * app.policy.chunk_size))


def _begin_at(app: App, since: datetime | None) -> datetime:
    return app.clock.now() - app.policy.retention if since is None else since.replace(tzinfo=UTC)


async def _chat(session: Session, exported: ExportedChat, chat_id: int | None) -> ChatInfo:
    """The chat under the id that the messages have.

    Raises:
        Failed: It is no group, tells no id, or another one than was asked for.
    """
    if exported.type not in ("group", "supergroup"):
        raise Failed("The export is not of a group: of private chats and channels the bot keeps no talk of others.")
    told = exported.chat_id if exported.chat_id is not None else chat_id
    if told is None:
        raise Failed("The export does not tell its chat's id: give it with --chat.")
    if chat_id is not None and chat_id != told:
        gone_on = (await session.app.chats.state(told)).migrated_to
        if gone_on != chat_id:
            raise Failed(f"The export is of chat {told}, not of {chat_id}: leave --chat out, or export that chat.")
    return ChatInfo(told, exported.type, exported.title)


class _BackfillRun:
    """One pass over an export's messages."""

    def __init__(
        self, session: Session, app: App, export: Export, chat: ChatInfo, *, bots: tuple[int, ...], since: datetime
    ) -> None:
        self._session, self._app, self._export, self._since = session, app, export, since
        self.chat = chat
        self.report = Report(chat.chat_id)
        policy = app.policy
        self._reader = MessageReader(chat.chat_id, bot_id=policy.bot_id, bot_names=policy.bot_names, bots=bots)

    async def survey(self, survey: Survey) -> None:
        """Count what is new."""
        for page in self._pages("Reading"):
            sifted = await sift_messages(self._app, self.chat.chat_id, page, since=self._since)
            self.report.sift(sifted)
            survey.add(sifted.new)

    async def store(self) -> None:
        """Store what is new."""
        for page in self._pages("Storing"):
            sifted = await sift_messages(self._app, self.chat.chat_id, page, since=self._since)
            self.report.sift(sifted)
            if sifted.new:
                self.report.store(await store_messages(self._app, sifted.state, sifted.new))

    def _pages(self, what: str) -> Iterator[list[Message]]:
        """The messages a page at a time, while a bar moves; at a broken place the file counts as ended."""
        with _bar(self._session, DownloadColumn(), TransferSpeedColumn()) as bar:
            task = bar.add_task(what, total=self._export.size)
            messages = self._messages()
            while page := list(islice(messages, PAGE)):
                yield page
                bar.update(task, completed=self._export.position)

    def _messages(self) -> Iterator[Message]:
        try:
            for read in self._export.messages(self._reader):
                self.report.processed += 1
                if isinstance(read, LeftOut):
                    self.report.leave_out(read)
                else:
                    yield read
        except ExportError as error:
            self.report.broken = str(error)


async def _learn_again(session: Session, app: App, chat_id: int, *, dry_run: bool) -> Report:
    """Learn from what is stored, or only count what there is to learn from."""
    report = Report((await session.chat(chat_id)).chat_id)
    if not dry_run:
        return await _learn(session, app, chat_id, report)
    report.left = await what_is_left(app, chat_id)
    return report


async def _store_and_learn(session: Session, app: App, run: _BackfillRun, admins: tuple[int, ...]) -> Report:
    known = frozenset(admins) if admins or not session.settings.telegram_bot_token else None
    try:
        state = await open_chat(app.clock, app.chats, run.chat, admins=known)
        run.report.chat_id = state.chat_id
        await run.store()
    except TransientError as error:
        run.report.stopped = str(error)
        return run.report
    return await _learn(session, app, state.chat_id, run.report)


async def _learn(session: Session, app: App, chat_id: int, report: Report) -> Report:
    try:
        with _bar(session, TextColumn("{task.completed:.0f} of {task.total:.0f} messages"), _Rate()) as bar:
            report.learn(await learn_all(app, chat_id, _teller(app, bar), extract=extract_and_ask))
    except TransientError as error:
        report.stopped = str(error)
    return report


def _teller(app: App, bar: Progress) -> Callable[[Left], None]:
    task = bar.add_task("Learning", total=0)

    def tell(left: Left) -> None:
        messages = left.messages + app.policy.chunk_size * left.chunks
        total = max(bar.tasks[0].total or 0, messages)
        bar.update(task, total=total, completed=total - messages)

    return tell


class _Rate(ProgressColumn):
    """The speed of a backfill."""

    def render(self, task: Task) -> Text:
        return Text(f"{60 * task.speed:,.0f} a minute" if task.speed else "")


def _bar(session: Session, *columns: ProgressColumn) -> Progress:
    """Draw what is done, how fast, and when it will be over."""
    shown = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), *columns, TimeRemainingColumn())
    return Progress(*shown, console=session.progress, transient=True, disable=not session.progress.is_terminal)


async def _finish(session: Session, report: Report) -> int:
    session.show(report.to_json(), BackfillSummary(report).tell)
    if report.stopped:
        return TRY_AGAIN
    return FAILED if report.failed or report.broken else 0
