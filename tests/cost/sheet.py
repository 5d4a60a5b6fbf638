"""From what was counted to a month's bill, and to the limit that is met first."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.cost import prices
from tests.cost.life import COMMANDS, MESSAGES, Life
from tests.cost.metering import FUNCTIONS, Counted
from tests.cost.prices import GIB, PRICES, WRITTEN

TERRAFORM = Path(__file__).resolve().parents[2] / "terraform/variables.tf"

DAYS, KEPT = 30, 90
"""Of a month; for which messages are kept (`MESSAGE_RETENTION_DAYS`)."""

SIZES = (1, 100, 10_000)
TALK, ANSWERS, ASKED_COMMANDS, VOTES = 100, 5, 2, 1
"""What a group of the sheet does a day: messages that are for nobody, questions to the bot, commands, votes."""

_HEALTH = 144
"""Health checks a day, for all groups together."""


class Size(NamedTuple):
    """Of a function's instances, from Terraform's defaults."""

    gib: float
    cpu: float
    concurrency: int
    most: int


def sizes() -> dict[str, Size]:
    """By function."""
    text = TERRAFORM.read_text("utf-8")
    return {
        name: _size(re.search(rf"^    {name} = optional\(object\((.*?)\}}\), ", text, re.DOTALL | re.MULTILINE)[1])
        for name in FUNCTIONS
    }  # type: ignore[index]


def queue_rate() -> int:
    """Tasks that the queue hands out a second, from Terraform's defaults."""
    return int(_default(TERRAFORM.read_text("utf-8"), "dispatches_per_second"))


def _size(text: str) -> Size:
    amount, unit = re.fullmatch(r'"(\d+)(Mi|Gi)"', _default(text, "memory")).groups()  # type: ignore[union-attr]
    gib = int(amount) / (1024 if unit == "Mi" else 1)
    most = (int(_default(text, "concurrency")), int(_default(text, "max_instances")))
    return Size(gib, float(_default(text, "cpu")), *most)


def _default(text: str, name: str) -> str:
    found = re.search(rf"{name}\s*= optional\(\w+, (.+?)\)", text)
    assert found, f"terraform/variables.tf has no default of {name}"
    return found[1]


def a_day(life: Life) -> dict[str, float]:
    """How often each piece happens to one group in a day, in units of the piece's `times`."""
    spoken = TALK + 2 * (ANSWERS + ASKED_COMMANDS)
    commands = {f"command {command.split()[0]}": ASKED_COMMANDS / len(COMMANDS) for command in COMMANDS}
    return {
        "message": TALK / life.pieces["message"].times,
        "extraction": spoken / MESSAGES,
        "night: passes": 1,
        "night: jobs": 1,
        "taken in": (ANSWERS + ASKED_COMMANDS + VOTES) / life.pieces["taken in"].times,
        "answer": ANSWERS / life.pieces["answer"].times,
        **commands,
        "vote": VOTES,
        # What becomes too old is as much as what comes anew.
        "expiry: jobs": spoken / life.talked,
    }


def busy_seconds(piece: Counted, cpu: float) -> float:
    """How long the requests of a piece were under way: processor, store, model and Telegram, one after the other.

    Args:
        cpu: Processor seconds of one time, measured.
    """
    asked = sum(n * prices.MODEL_SECONDS.get(purpose, prices.OTHER_MODEL_SECONDS) for purpose, n in piece.calls.items())
    waited = piece.done.trips * prices.TRIP_SECONDS + piece.api_calls * prices.TELEGRAM_SECONDS
    return cpu * piece.times + waited + asked


class Usage:
    """What one group, or the deployment itself, uses in a day.

    Attributes:
        amounts: By the names of `PRICES`.
        runs, seconds: Requests, and how long they are under way, by function.
        calls: Of the models.
    """

    def __init__(self) -> None:
        self.amounts: Counter[str] = Counter()
        self.runs: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.said = 0.0

    def add(self, piece: Counted, share: float, cpu: float) -> None:
        """Some share of a piece."""
        done = {"reads": piece.reads, "writes": piece.writes, "deletes": piece.deletes, "embedded": piece.embedded}
        done |= {"tasks": piece.created + piece.runs.total() - piece.runs["webhook"]}
        for purpose, calls in piece.calls.items():
            tier = "chat" if purpose in ("answer", "search") else "memory"
            self.amounts[f"{tier}_in"] += piece.tokens_in[purpose] * share
            self.amounts[f"{tier}_out"] += calls * WRITTEN[purpose] * share
            self.calls[tier] += calls * share
        for name, amount in done.items():
            self.amounts[name] += amount * share
        runs = piece.runs.total()
        for function, number in piece.runs.items():
            self.runs[function] += number * share
            self.seconds[function] += busy_seconds(piece, cpu) * number / runs * share
        self.amounts["requests"] += runs * share
        self.amounts["logs"] += runs * prices.LOG_BYTES / GIB * share
        self.amounts["egress"] += piece.said * prices.SENT_BYTES / GIB * share
        self.said += piece.said * share


def of_a_group(life: Life, cpu: dict[str, float]) -> Usage:
    """A day of one group that has lived for `KEPT` days."""
    usage = Usage()
    for name, share in a_day(life).items():
        usage.add(life.pieces[name], share, cpu[name])
    documents, gib = stored(life)
    usage.amounts["reads"] += documents / 7  # the weekly export reads everything
    usage.amounts["stored"] = gib
    usage.amounts["recovery"] = gib * 7 / KEPT
    usage.amounts["backups"] = 7 * gib
    usage.amounts["archive"] = KEPT / 7 * documents * _ARCHIVED_BYTES / GIB
    _run(usage)
    return usage


_ARCHIVED_BYTES = 410
"""Of a document in the compressed export (docs/benchmarks.md, "The archive": 24,030 documents are 9.8 MB)."""


def stored(life: Life) -> tuple[float, float]:
    """Documents and GiB with their index entries that a group has after `KEPT` days."""
    each = KEPT * (TALK + 2 * (ANSWERS + ASKED_COMMANDS)) / life.talked
    size = sum(life.stored.bytes.values()) + sum(life.stored.index.values())
    return each * sum(life.stored.documents.values()), each * size / GIB


def of_the_deployment(life: Life, cpu: dict[str, float]) -> Usage:
    """A day of what runs once for all groups."""
    usage = Usage()
    usage.add(life.pieces["health"], _HEALTH, cpu["health"])
    usage.amounts["schedules"], usage.amounts["secrets"] = 2, 4
    _run(usage)
    return usage


def _run(usage: Usage) -> None:
    for function, size in sizes().items():
        usage.amounts["cpu"] += usage.seconds[function] * size.cpu
        usage.amounts["memory"] += usage.seconds[function] * size.gib


_HELD = ("stored", "recovery", "backups", "archive", "schedules", "secrets")
"""Amounts that are there all month, not used up day by day."""


def month(group: Usage, deployment: Usage, groups: int) -> dict[str, float]:
    """Amounts of a month by the names of `PRICES`."""

    def amount(name: str) -> float:
        days = 1 if name in _HELD else DAYS
        return days * (groups * group.amounts[name] + deployment.amounts[name])

    return {name: amount(name) for name in PRICES}


def dollars(amounts: dict[str, float], *, free: bool) -> dict[str, float]:
    """What they cost, with or without the free quotas."""
    return {
        name: max(0.0, amount - (PRICES[name].free if free else 0)) * PRICES[name].dollars
        for name, amount in amounts.items()
    }


def more_for(tier: str, model: str, amounts: dict[str, float]) -> float:
    """Return how many dollars more the tokens of a tier cost at another price: that of a model on the standard tier."""
    price, read, written = prices.model_price(model), f"{tier}_in", f"{tier}_out"
    dearer = (amounts[read] * price.input + amounts[written] * price.output) / prices.MILLION
    return dearer - sum(amounts[name] * PRICES[name].dollars for name in (read, written))


# --- limits --------------------------------------------------------------------------------------


class Limit(NamedTuple):
    """Something that there is only so much of.

    Attributes:
        most: Of it, in `unit`.
        used: By so many groups, at the busiest time.
        lever: What moves it.
    """

    name: str
    unit: str
    most: float
    used: dict[int, float]
    lever: str


def limits(life: Life, group: Usage, cpu: dict[str, float]) -> list[Limit]:
    """All of them, that of the busiest hour for each size."""
    return [*_own_limits(life, group, cpu), *_limits_of_peers(group)]


_HOUR = prices.PEAK / 3600
"""Of a day's amounts, what is used in a second of the busiest hour."""


def _grows(each: float) -> dict[int, float]:
    return {groups: groups * each for groups in SIZES}


def _own_limits(life: Life, group: Usage, cpu: dict[str, float]) -> list[Limit]:
    """Those that Terraform sets."""
    size, night = sizes(), life.pieces["night: jobs"]
    at_night = busy_seconds(night, cpu["night: jobs"]) / night.runs.total()
    worker = size["maintenance"]
    return [
        Limit(
            "webhook, requests at once",
            "",
            size["webhook"].concurrency * size["webhook"].most,
            _grows(group.seconds["webhook"] * _HOUR),
            "`functions.webhook.max_instances`, `concurrency`",
        ),
        Limit(
            "answer, answers at once",
            "",
            size["answer"].concurrency * size["answer"].most,
            _grows(group.seconds["answer"] * _HOUR),
            "`functions.answer.max_instances`, `concurrency`; what is more waits in its queue",
        ),
        Limit(
            "extract, tasks at once",
            "",
            size["extract"].concurrency * size["extract"].most,
            _grows(group.seconds["extract"] * _HOUR),
            "`functions.extract.max_instances`; `EXTRACTION_WINDOW_SECONDS` makes fewer",
        ),
        Limit(
            "a nightly job of all groups of one zone",
            "s until the next job",
            600,
            _grows(at_night / (worker.concurrency * worker.most)),
            "`functions.maintenance.max_instances`; late is harmless, every job waits its turn",
        ),
        Limit(
            "queue of all but answers",
            "tasks/s",
            queue_rate(),
            _grows(group.runs["extract"] * _HOUR),
            "`queue.dispatches_per_second`, 500 at most; then a second queue",
        ),
        Limit(
            "queue of answers",
            "tasks/s",
            queue_rate(),
            _grows(group.runs["answer"] * _HOUR),
            "the same",
        ),
    ]


def _limits_of_peers(group: Usage) -> list[Limit]:
    """Those of Telegram and Gemini."""
    tokens, calls = group.amounts["memory_in"] + group.amounts["memory_out"], group.calls
    return [
        Limit(
            "Telegram, all chats",
            "messages/s",
            30,
            _grows(group.said * _HOUR),
            "`ASKS_PER_CHAT_PER_HOUR`; what Telegram refuses waits, and is merged",
        ),
        Limit(
            "Gemini, memory",
            "requests/min",
            4_000,
            _grows(calls["memory"] * _HOUR * 60),
            "the project's tier; `EXTRACTION_METHOD=pattern` asks for no facts",
        ),
        Limit(
            "Gemini, memory",
            "tokens/min",
            4_000_000,
            _grows(tokens * _HOUR * 60),
            "the same; what Gemini refuses is done an hour later",
        ),
        Limit("Gemini, answers", "requests/min", 1_000, _grows(calls["chat"] * _HOUR * 60), "the project's tier"),
    ]


class Hot(NamedTuple):
    """A document that a whole chat writes to."""

    path: str
    piece: str
    writes: float


def hot_documents(life: Life, *, most: int = 3) -> list[Hot]:
    """For a chunk, an answer and a message, the documents that are written most often, a time."""
    found = []
    for name, unit in (("extraction", "chunk"), ("answer", "answer"), ("message", "message")):
        piece = life.pieces[name]
        for path, writes in piece.done.documents.most_common(most):
            if writes >= piece.times:
                place = re.sub(r"\d{4}-\d\d-\d\d", "DAY", re.sub(r"chats/-\d+", "chats/CHAT", path))
                found.append(Hot(re.sub(r"members/\d+", "members/MEMBER", place), unit, writes / piece.times))
    return found


def shared_documents(life: Life) -> dict[str, int]:
    """Documents outside any one chat that were written more than a handful of times in the whole life."""
    written: Counter[str] = Counter()
    for piece in life.pieces.values():
        written.update({p: n for p, n in piece.done.documents.items() if not p.startswith("chats/")})
    return {path: number for path, number in written.items() if number > 2 * len(COMMANDS)}
