"""One Spomyn in one process: the product over a SQLite file, its queue and what runs the queue's tasks."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from infra.bootstrap import Models, Runtime, build_app, queue_path, token_verifier
from infra.foundation import document_store
from infra.local.chat.raw_updates import Person
from infra.local.clocks import MovableClock
from infra.local.events import FactLearnt, Listener, Notice
from infra.tasks.local_queue import LocalQueue
from infra.telegram.updates import bot_id
from shared.application.app import App
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import UNREAD
from shared.application.dead_letters import record_dead_letter
from shared.application.documents import message_path, messages_path
from shared.application.intake.running import run_task
from shared.application.intake.tasks import Done, deal_with_task
from shared.application.payload_codec import number_in
from shared.application.ports.chat import ChatGateway
from shared.application.ports.model import LanguageModel
from shared.application.ports.store import DocumentStore
from shared.application.ports.tasks import Backlog, Task
from shared.application.reading.extraction import Extracted
from shared.application.reading.stretches import pace_of
from shared.application.schedule import ANSWER, EXTRACT, GRACE
from shared.domain.conversation.messages import Message
from shared.domain.errors import GivenUp, SettingsError
from shared.domain.facts.change import FactChange
from shared.domain.intake.updates import UpdateOutcome
from shared.domain.text.words import analyse
from shared.settings import Settings

_MARGIN = timedelta(seconds=2)
_CHATS_AT_ONCE = 4
"""Chats that are read or tended at once, as by one instance of `extract` (`terraform/variables.tf`)."""

_ANSWERING = ("intake.responding", "answering.tools.registry", "recall.search")
_MODEL = ("infra.gemini.estimating", "infra.gemini.uploads", "infra.gemini.wire", "google.genai")
_WORDS = "Що було вчора? What was said?"
"""Words in both languages: the first word of each loads a table of its forms."""
_TALK = ("Я живу в Києві, не люблю каву.", "I live in Kyiv and do not like coffee.", "так", *_WORDS.split("? "))
"""Messages in both languages: the first message of each makes the patterns of its rows."""


class CountedQueue:
    """`TaskQueue` that counts the tasks it took."""

    def __init__(self, queue: LocalQueue) -> None:
        self._queue = queue
        self.taken = 0

    async def enqueue(self, task: Task) -> bool:
        taken = await self._queue.enqueue(task)
        self.taken += taken
        return taken

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        return await self._queue.backlog(now, limit=limit)

    async def aclose(self) -> None:
        await self._queue.aclose()


@dataclass(frozen=True, slots=True)
class Local:
    """A local run.

    Attributes:
        observer: A second view of the store, so that what is only shown does not count as usage.
    """

    runtime: Runtime
    clock: MovableClock
    observer: DocumentStore
    tasks: CountedQueue
    worker: Worker

    @property
    def app(self) -> App:
        """The product."""
        return self.runtime.app


@contextlib.asynccontextmanager
async def assemble_local(
    settings: Settings,
    clock: MovableClock,
    listener: Listener,
    gateway: ChatGateway,
    observer: DocumentStore,
    models: Models | None = None,
) -> AsyncIterator[Local]:
    """Put a local run together, with `models` or else those of the settings, and close everything at the end, the
    gateway and the observer too.

    Raises:
        SettingsError: The store or the queue cannot be opened.
    """
    if settings.spomyn_queue != "local":
        raise SettingsError("SPOMYN_QUEUE is cloud-tasks, but a local run has a queue of its own: unset it.")

    async def on_dead_letter(task: Task, reason: str) -> None:
        await worker.record_dead_letter(task, reason)

    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(observer.aclose)
        stack.push_async_callback(gateway.aclose)
        queue = LocalQueue(queue_path(settings), clock=clock, on_dead_letter=on_dead_letter, concurrency=_CHATS_AT_ONCE)
        stack.push_async_callback(queue.aclose)
        tasks = CountedQueue(queue)
        app = build_app(settings, clock=clock, queue=tasks, gateway=gateway, models=models)
        stack.push_async_callback(app.store.aclose)
        worker = Worker(app, queue, clock, observer, listener)
        stack.push_async_callback(worker.stop)
        yield Local(Runtime(app, settings, token_verifier(settings, clock)), clock, observer, tasks, worker)


def open_observer(settings: Settings) -> DocumentStore:
    """The store, for looking at it without being counted.

    Raises:
        SettingsError: It cannot be opened.
    """
    queue_path(settings)
    return document_store(settings)


def local_bot(settings: Settings) -> Person:
    """Return the bot as the members of local chats see it."""
    token = settings.telegram_bot_token
    return Person(bot_id(token) if token else 0, settings.bot_names[0], settings.bot_username, is_bot=True)


def files_folder(settings: Settings) -> Path:
    """Return where the files that the bot sends to a terminal are kept: beside the store."""
    return queue_path(settings).parent / "files"


class Worker:
    """Runs the queue's tasks in this process, as they become due or, in replays, when it is told to."""

    def __init__(
        self, app: App, queue: LocalQueue, clock: MovableClock, observer: DocumentStore, listener: Listener
    ) -> None:
        self._app = app
        self._queue = queue
        self._clock = clock
        self._observer = observer
        self._listener = listener
        self._serving: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._preloading: asyncio.Future[None] | None = None
        self._making_patterns: asyncio.Future[None] | None = None
        self._answered: dict[int, UpdateOutcome] = {}

    def start(self) -> None:
        """Begin to run tasks as they become due; answers when a thread has loaded what makes them."""
        self._preloading = self._preloading or asyncio.ensure_future(asyncio.to_thread(preload, self._app.model))
        self._stop.clear()
        self._serving = asyncio.create_task(self._queue.serve(self.run, self._stop))

    async def stop(self) -> None:
        """Finish what runs and begin nothing more."""
        if self._serving is not None:
            self._stop.set()
            await self._serving
            self._serving = None

    async def run_due(self) -> None:
        """Run what is due by now."""
        await self._queue.run_due(self.run)

    async def answer(self, update_id: int) -> UpdateOutcome | None:
        """Have what an update asks dealt with now; what became of it, None when that is not known."""
        await self._queue.finish(f"answer-{update_id}", self.run)
        return self._answered.pop(update_id, None)

    async def settle(self, chat_id: int, *, to_the_end: bool = False) -> int:
        """Go forward in time until the chat has been idle for long enough, and extract what was said.

        Args:
            to_the_end: Whether time goes on until a model reads all that waits for more to be said.

        Returns:
            How many messages are not extracted: their tasks were given up, or they wait for a model.
        """
        serving = self._serving is not None
        await self.stop()
        policy = self._app.policy
        waits = pace_of(policy, self._app.model, await self._app.chats.state(chat_id)).wait * to_the_end
        self._clock.skip(policy.window + GRACE + policy.idle + waits + _MARGIN)
        await self._queue.drain(self.run)
        rest = await self._extract_rest(chat_id)
        if serving:
            self.start()
        return rest

    async def _extract_rest(self, chat_id: int) -> int:
        """Ask again for what no task was asked for: a window's task may have run before its last message came, and
        among the tasks was perhaps one that had the bot say something."""
        rest = await self._count_unextracted(chat_id)
        while rest:
            self._clock.skip(self._app.policy.idle + _MARGIN)
            mark = f"settle-{self._clock.now():%Y%m%d%H%M%S%f}-{rest}"
            await self._app.schedule.extraction_later(chat_id, mark=mark, run_at=None)
            await self._queue.drain(self.run)
            before, rest = rest, await self._count_unextracted(chat_id)
            if rest >= before:
                break
        return rest

    async def _count_unextracted(self, chat_id: int) -> int:
        return await self._observer.count(messages_path(chat_id), where=[UNREAD])

    async def run(self, task: Task, *, is_last: bool) -> None:
        """Run one attempt at a task, as the functions do.

        Raises:
            TransientError: It has to be tried again.
        """
        store, clock, body = self._app.store, self._app.clock, _body_of(task)
        job, work = task.target.rpartition("/")[2], lambda: self._work(task, is_last=is_last)
        try:
            done = await deal_with_task(store, clock, body, work, job=job, is_last=is_last)
        except GivenUp as error:
            self._listener(Notice(f"A task was given up: {task.name}: {error.__cause__!r}"))
            return
        if isinstance(done, UpdateOutcome):
            self._answered[number_in(task.payload, "update_id")] = done

    async def _work(self, task: Task, *, is_last: bool) -> Done:
        if task.target == ANSWER and self._preloading is not None:
            await asyncio.shield(self._preloading)  # an import that waits for another one holds up everybody
        if task.target == EXTRACT:
            # In a thread, and when first they are wanted: made by the reading itself they hold up everybody.
            self._making_patterns = self._making_patterns or asyncio.ensure_future(asyncio.to_thread(make_patterns))
            await asyncio.shield(self._making_patterns)
        done = await run_task(self._app, task.target, task.payload, is_last=is_last)
        if not isinstance(done, Extracted):
            return done
        chat_id = number_in(task.payload, "chat_id")
        self._app.chats.forget(chat_id)  # here the webhook shares this cache, and the chat's language may be new
        for change in done.changes:
            await self._tell(chat_id, change)
        return {}

    async def _tell(self, chat_id: int, change: FactChange) -> None:
        known = change.before.evidence if change.before else ()
        evidence = max((e for e in change.after.evidence if e not in known), default=None)
        if evidence is None:  # a correction or deprecation takes quotes away
            self._listener(FactLearnt(change.kind, change.after, "", ""))
            return
        state = await self._app.chats.state(chat_id)
        author = await author_of(self._observer, state.migrated_to or chat_id, evidence.message_id)
        self._listener(FactLearnt(change.kind, change.after, evidence.quote, author))

    async def record_dead_letter(self, task: Task, reason: str) -> None:
        """Record a task that the queue gave up: its last attempt took too long, or died with its process."""
        self._listener(Notice(f"A task was given up: {task.name}: {reason}"))
        await record_dead_letter(self._app.store, self._app.clock, kind="task", body=_body_of(task), reason=reason)


def _body_of(task: Task) -> bytes:
    """Return what is kept of a task when it becomes a dead letter."""
    return json.dumps({"target": task.target, **task.payload}).encode()


async def author_of(store: DocumentStore, chat_id: int, message_id: int) -> str:
    """The name of a stored message's author, "" when it is gone."""
    document = await store.get(message_path(chat_id, message_id))
    return read_message(document).message.name if document else ""


def preload(model: LanguageModel | None = None) -> None:
    """Import what answers, and load the tables of words; for a thread, because it takes seconds."""
    for name in (*(f"shared.application.{name}" for name in _ANSWERING), *(_MODEL if model else ())):
        importlib.import_module(name)
    analyse(_WORDS)
    importlib.import_module("shared.domain.recall.matching").relatives_of(_WORDS)


def make_patterns() -> None:
    """Make the patterns by which talk is read; for a thread, because it takes about two seconds."""
    from shared.domain.reading.patterns.extraction import read_talk

    said = datetime.fromtimestamp(0, UTC)
    talk = [Message(0, at, said, user_id=1, name="", text=text) for at, text in enumerate(_TALK)]
    read_talk(talk, admins=frozenset(), bot_names=(), bot_username="")
