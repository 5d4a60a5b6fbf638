"""A few days of a group of usual size, counted piece by piece.

The talk is invented (`tests/data/recall/weeks.jsonl`) and real in kind: `MESSAGES` a day, in conversations of ten, 40 s
from one to the next. Everything goes through the webhook, the queue and the workers, with the real SDKs against strict
servers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest import mock

from shared.application.delivery import lease
from shared.application.delivery.lease import LOOKED_AFTER, is_ours
from shared.application.intake.maintenance import run_job
from shared.domain.text.plain import one_line
from tests.cost.metering import Counted, CountedGemini, Meter
from tests.cost.prices import MODEL_SECONDS
from tests.cost.sizes import document_bytes, index_bytes
from tests.cost.store import CountingStore, kind_of
from tests.support import updates
from tests.support.gemini.server import GeminiRequest, echo
from tests.support.google.indexes import declared
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, lines_of, reading
from tests.support.weeks import Weeks, read_weeks

MESSAGES, CONVERSATION = 50, 10
"""Messages a day, and in one conversation."""

BEGINS = datetime(2026, 11, 9, 7, 0, tzinfo=UTC)  # nine in the morning in Kyiv
_BETWEEN, _BEYOND = timedelta(seconds=40), timedelta(minutes=174)
_DAY, _PASS = timedelta(days=1), timedelta(hours=8)
ASKED = 5
LOOKS = int(MODEL_SECONDS["answer"] / LOOKED_AFTER)
"""How often who waits for a model's answer looks whether it is still theirs to make (`compose_while_ours`)."""

ADMIN = (102, "Тарас")
COMMANDS = (
    "/gryadhelp",
    "/gryadfacts",
    "/gryadchatfacts",
    "/gryadwhy",
    "/gryadremember ключ під килимком",
    "/gryadfix ключ",
    "/gryadrecap 3 год",
    "/gryadcontext",
    "/gryadprofile",
    "/gryadsettings",
    "/gryadstats",
    "/gryadregen last 20",
    "/gryadexport",
    "/gryadforgetme",
    "/gryadoptout",
    "/gryadoptin",
)
"""One of each kind; they ask no model while they are answered."""


class Stored:
    """What lies in the store.

    Attributes:
        documents, bytes, index: How many, their bytes, and those of their index entries, by kind.
        fields: Bytes of index entries by (kind, field); "" for composite ones.
    """

    def __init__(self) -> None:
        self.documents: dict[str, int] = {}
        self.bytes: dict[str, int] = {}
        self.index: dict[str, int] = {}
        self.fields: dict[tuple[str, str], int] = {}


class Life:
    """What was counted: pieces by name, and what is stored after the talk."""

    def __init__(self) -> None:
        self.pieces: dict[str, Counted] = {}
        self.stored = Stored()
        self.facts = 0
        self.talked = 0

    def piece(self, name: str, times: int = 1) -> Counted:
        """The piece of this name, made when it is new."""
        return self.pieces.setdefault(name, Counted(times))


async def live(folder: Path) -> Life:
    """The whole life, on SQLite; how long the machine takes for it decides nothing: looks are counted as `LOOKS`."""
    life = Life()
    with mock.patch.object(lease, "LOOKED_AFTER", 3_600.0):
        return await _live(life, folder)


async def _live(life: Life, folder: Path) -> Life:
    async with _group(folder) as meter:
        said, weeks = _said(read_weeks()), read_weeks()
        meter.group.api.add_chat(ADMIN[0], "private")
        for day in range(2):
            await _day(life, meter, said, counted=day == 1)
            await _night(life, meter, "night" if day == 1 else "")
        await _store(life, meter)
        for _ in range(7):  # what a night changes is looked at once more, and what waits for the model is read
            await _night(life, meter, "")
        await _night(life, meter, "silent night")
        with meter.piece(life.piece("health")):
            meter.runs["maintenance"] += 1
            await run_job(meter.group.runtime.app, "health", {})
        await _answers(life, meter, weeks)
        await _commands(life, meter)
        await _votes(life, meter)
        await _work(life, meter, "afterwards")
        await _erasure(life, meter)
        await _expiry(life, meter)
    return life


@asynccontextmanager
async def _group(folder: Path) -> AsyncIterator[Meter]:
    store = CountingStore(folder / "life.db")
    async with CountedGemini("test-key") as gemini:
        more = {"MODEL_TOKENS_PER_CHAT_PER_DAY": "100000000", "READING_WAIT_SECONDS": "432000"}
        settings = gemini.environment | more
        async with running_group(store, at=BEGINS, SPOMYN_ARCHIVE=f"folder:{folder / 'archive'}", **settings) as group:
            gemini.reply_with(_reply)
            yield Meter(group, store, gemini)
    await store.aclose()


def _reply(request: GeminiRequest) -> str | dict[str, Any]:
    """As long as a model's: what is asked for as text is about the talk; by a schema nothing is found."""
    if request.schema is not None:
        return _noticed(request) if asks_to_read(request) else echo(request)
    return one_line(request.turns[-1][1][-1][-700:], 400) if request.tools == [] else SPOKEN


def _noticed(request: GeminiRequest) -> dict[str, Any]:
    """A fact for each ten messages about who speaks, in their own words, and as much text as a model would write."""
    facts = []
    for number, member, quote in list(lines_of(request.prompt))[9::10]:
        fact = {"about": member, "message": number, "key": f"experience.told_{number}", "value": quote[:80]}
        facts.append(fact | {"quote": quote, "text": quote, "verdict": "new", "until": "", "confidence": 0.9})
    text = one_line(request.prompt[-700:], 400)
    return reading(request, text, [text], facts)


SPOKEN = (
    "Так, пам'ятаю: ви домовлялися зустрітися в суботу зранку біля станції, Олена обіцяла взяти термос і бутерброди, а "
    "Тарас - мапу та аптечку. Потім погода зіпсувалася, і перенесли все на наступні вихідні. Квитки досі в Марка."
)


# --- talk --------------------------------------------------------------------------------------


def _said(weeks: Weeks) -> Iterator[dict[str, Any]]:
    """What members say, over and over."""
    return cycle([each for each in weeks.messages if each["kind"] == "text" and "гряг" not in each["text"].lower()])


async def _day(life: Life, meter: Meter, said: Iterator[dict[str, Any]], *, counted: bool) -> None:
    webhook = life.piece("message", MESSAGES) if counted else Counted()
    workers = life.piece("extraction", MESSAGES // 10) if counted else Counted()
    for number in range(MESSAGES):
        each = next(said)
        with meter.piece(webhook):
            await meter.take_in(meter.group.says(each["text"], each["user_id"], each["name"]))
        life.talked += 1
        last = number % CONVERSATION == CONVERSATION - 1
        await _pass_time(meter, workers, _BEYOND if last else _BETWEEN)


async def _pass_time(meter: Meter, into: Counted, span: timedelta) -> None:
    """Let time pass, and the workers do each task when it is due."""
    clock, tasks = meter.group.clock, meter.group.tasks
    until = clock.now() + span
    while (due := min((stored.due for stored in tasks.tasks.values()), default=until)) < until:
        clock.advance(max(due - clock.now(), timedelta()))
        with meter.piece(into):
            await meter.work()
    clock.advance(until - clock.now())


async def _night(life: Life, meter: Meter, name: str) -> None:
    """A day's three passes of the night shift at 14, 22 and 6 o'clock (UTC), and the jobs that they ask for."""
    passes = life.piece(f"{name}: passes") if name else Counted()
    jobs = life.piece(f"{name}: jobs") if name else Counted()
    clock = meter.group.clock
    ends = (clock.now() + timedelta(hours=12)).replace(hour=7, minute=0)
    ends += _DAY if ends <= clock.now() else timedelta()
    for hour in (14, 22, 30):
        at = ends.replace(hour=0) - _DAY + timedelta(hours=hour)
        await _pass_time(meter, jobs, max(at - clock.now(), timedelta()))
        with meter.piece(passes):
            meter.runs["maintenance"] += 1
            await run_job(meter.group.runtime.app, "night", {})
    await _pass_time(meter, jobs, ends - clock.now())


async def _store(life: Life, meter: Meter) -> None:
    stored, indexes = life.stored, declared()
    async for document in meter.group.store.subtree(f"chats/{CHAT}"):
        kind = kind_of(document.path)
        stored.documents[kind] = stored.documents.get(kind, 0) + 1
        stored.bytes[kind] = stored.bytes.get(kind, 0) + document_bytes(document)
        for name, size in index_bytes(document, indexes).items():
            stored.index[kind] = stored.index.get(kind, 0) + size
            stored.fields[kind, name] = stored.fields.get((kind, name), 0) + size
    life.facts = len(await meter.group.facts())


# --- what people want of the bot -----------------------------------------------------------------


async def _ask(life: Life, meter: Meter, piece: Counted, update: Any) -> None:
    """One update that calls for an answer: what takes it in is counted together with that of all others."""
    with meter.piece(life.piece("taken in", 0)) as taken:
        taken.times += 1
        await meter.take_in(update)
    with meter.piece(piece):
        await meter.answer()


async def _answers(life: Life, meter: Meter, weeks: Weeks) -> None:
    for asked in weeks.questions[:ASKED]:
        update = meter.group.says(asked.text, sender=weeks.sender(asked.asker))
        await _ask(life, meter, life.piece("answer", ASKED), update)
        with meter.piece(life.piece("answer")):  # the fake model answers at once: a real one is waited for
            for _ in range(LOOKS):
                await is_ours(meter.group.store, update["update_id"], "")
        await _pass_time(meter, life.piece("afterwards"), timedelta(minutes=10))


async def _commands(life: Life, meter: Meter) -> None:
    for command in COMMANDS:
        piece = life.piece(f"command {command.split()[0]}")
        await _ask(life, meter, piece, meter.group.says(command, *ADMIN))
        await _pass_time(meter, life.piece("afterwards"), timedelta(minutes=10))


async def _votes(life: Life, meter: Meter) -> None:
    group = meter.group
    await group.say("/gryadfix ключ", *ADMIN)
    await _ask(life, meter, life.piece("vote"), group.pressing("Ні", 501003, "Марко"))
    await _ask(life, meter, life.piece("reaction"), _reaction(meter))


def _reaction(meter: Meter) -> dict[str, Any]:
    sent = meter.group.api.sent[-1]
    return updates.reaction_update("👍", update_id=999_999, message_id=sent.message_id)


async def _work(life: Life, meter: Meter, name: str) -> None:
    await _pass_time(meter, life.piece(name), timedelta(hours=1))


async def _erasure(life: Life, meter: Meter) -> None:
    """A member who said a fifth of it asks to be forgotten."""
    who = (501002, "Тарас Бондар")
    with meter.piece(life.piece("erasure")):
        await meter.take_in(meter.group.says("/gryadforgetme", *who))
        await meter.answer()
        await meter.take_in(meter.group.pressing("Так, стерти", *who))
        await meter.answer()
    await _pass_time(meter, life.piece("erasure"), timedelta(hours=2))


async def _expiry(life: Life, meter: Meter) -> None:
    """Three months later the night deletes the talk."""
    await _pass_time(meter, Counted(), timedelta(days=92))
    await _night(life, meter, "expiry")
