"""The counted parts of `docs/cost.md`: tables between markers; the words around them are written by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from shared.application.ports.model import Purpose
from tests.cost import prices, sheet
from tests.cost.life import COMMANDS, Life
from tests.cost.metering import Counted
from tests.cost.prices import MILLION, PRICES, WRITTEN

Row = Sequence[Any]
_REGION = re.compile(r"(<!-- counted: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def rendered(page: str, life: Life, cpu: dict[str, float]) -> str:
    """The page with every region made anew.

    Raises:
        KeyError: A region of no such name.
    """
    return _REGION.sub(lambda found: f"{found[1]}\n{_PARTS[found[2]](life, cpu)}\n\n{found[3]}", page)


def _table(head: Sequence[str], rows: Sequence[Row], *, words: int = 1) -> str:
    """Markdown; the first `words` columns hold text."""
    line = [*["---"] * words, *["---:"] * (len(head) - words)]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, line, *rows])


def number(value: float) -> str:
    """Three digits that matter, at most."""
    if value == 0:
        return "0"
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if value >= 0.001 else "< 0.001"


# --- counted -------------------------------------------------------------------------------------

_NAMES = {
    "message": "an ordinary message (webhook)",
    "extraction": "a chunk of 10 messages (workers)",
    "taken in": "a question, command or button, taken in (webhook)",
    "answer": "an answer by the model (answer)",
    "vote": "a vote (answer)",
    "reaction": "a reaction (answer)",
    "night: passes": "a night, the three passes",
    "night: jobs": "a night, the jobs of a chat that talked",
    "silent night: passes": "a silent night, the three passes",
    "silent night: jobs": "a silent night, its jobs",
    "health": "a health check",
}


def _operations(life: Life, _: dict[str, float]) -> str:
    rows = [_row(name, life.pieces[key]) for key, name in _NAMES.items()]
    rows.append(_row("100 messages past their time, deleted", life.pieces["expiry: jobs"], life.talked / 100))
    rows.append(_row("erasing a member who said a fifth of it", life.pieces["erasure"]))
    return _table(["", "reads", "writes", "deletes", "calls of the store", "tasks made", "runs of a function"], rows)


def _row(name: str, piece: Counted, times: float | None = None) -> Row:
    done = (piece.reads, piece.writes, piece.deletes, piece.done.trips, piece.created, piece.runs.total())
    return [name, *(number(value / (times or piece.times)) for value in done)]


def _commands(life: Life, _: dict[str, float]) -> str:
    rows = []
    for command in COMMANDS:
        name = command.split()[0]
        piece = life.pieces[f"command {name}"]
        rows.append([f"`{name}`", piece.reads, piece.writes, piece.deletes, piece.created, piece.api_calls])
    return _table(["command", "reads", "writes", "deletes", "tasks made", "calls of Telegram"], rows)


def _tokens(life: Life, _: dict[str, float]) -> str:
    rows = []
    for purpose, per in _PER.items():
        pieces = [piece for piece in life.pieces.values() if piece.calls[purpose]]
        calls = sum(piece.calls[purpose] for piece in pieces)
        read = sum(piece.tokens_in[purpose] for piece in pieces)
        if calls:
            shared = sum(piece.tokens_shared[purpose] for piece in pieces) / read
            rows.append([purpose, per, calls, number(read / calls), f"{shared:.0%}", WRITTEN[purpose]])
    head = ["call", "made", "counted", "tokens read, mean", "in a prefix read before", "tokens written, assumed"]
    return _table(head, rows, words=2)


_PER: dict[Purpose, str] = {
    "answer": "for an answer, once a round of tools",
    "reading": "for a stretch of about seventy messages",
    "meta": "for ten chunks or metas, where admins wish something of it",
    "culture": "at night, for the chat and each member whose facts changed",
}


def _stored(life: Life, _: dict[str, float]) -> str:
    kept, rows = life.stored, []
    per = 1_000 / life.talked
    for kind, documents in sorted(kept.documents.items(), key=lambda item: -kept.bytes[item[0]] - kept.index[item[0]]):
        sizes = (documents, kept.bytes[kind] / 1_000, kept.index.get(kind, 0) / 1_000)
        rows.append([f"`{kind}`", *(number(size * per) for size in sizes)])
    totals = (sum(kept.documents.values()), sum(kept.bytes.values()) / 1_000, sum(kept.index.values()) / 1_000)
    rows.append(["all", *(number(total * per) for total in totals)])
    return _table(["documents of", "documents", "kB", "kB of index entries"], rows)


def _hot(life: Life, _: dict[str, float]) -> str:
    rows = [
        [f"`{hot.path}`", hot.piece, number(hot.writes), number(60 / hot.writes)] for hot in sheet.hot_documents(life)
    ]
    return _table(["document", "for each", "writes", "a minute until it is written once a second"], rows, words=2)


# --- money ---------------------------------------------------------------------------------------


def _prices(_: Life, __: dict[str, float]) -> str:
    rows = []
    answering = {model: prices.model_price(model) for model in prices.ANSWERING}
    beside = [
        prices.Price(f"token {done}, answers by {model}", dollars / MILLION, 0, PRICES["chat_in"].source.split(";")[0])
        for model, price in answering.items()
        for done, dollars in (("read", price.input), ("written", price.output))
    ]
    for price in (*PRICES.values(), *beside):
        free = number(price.free) if price.free else ""
        dollars, unit = (
            (price.dollars, price.unit)
            if price.dollars >= 0.001
            else (price.dollars * MILLION, f"million: {price.unit}")
        )
        rows.append([unit, price.source, f"${dollars:g}", free])
    return _table(["unit", "published at", "price", "free a month"], rows, words=2)


def _groups(life: Life, cpu: dict[str, float]) -> dict[int, dict[str, float]]:
    group, deployment = sheet.of_a_group(life, cpu), sheet.of_the_deployment(life, cpu)
    return {groups: sheet.month(group, deployment, groups) for groups in sheet.SIZES}


def _amounts(life: Life, cpu: dict[str, float]) -> str:
    months = _groups(life, cpu)
    rows = [[price.unit, *(number(months[groups][name]) for groups in sheet.SIZES)] for name, price in PRICES.items()]
    return _table(["a month", *_heads()], rows)


def _heads() -> list[str]:
    return [f"{groups:,} group{'s' if groups > 1 else ''}" for groups in sheet.SIZES]


def bills(life: Life, cpu: dict[str, float], *, free: bool) -> dict[int, dict[str, float]]:
    """Dollars of a month by size, then by part of the bill."""
    found = {}
    for groups, amounts in _groups(life, cpu).items():
        costs = sheet.dollars(amounts, free=free)
        found[groups] = {part: sum(costs[name] for name in names) for part, names in PARTS.items()}
    return found


PARTS = {
    "model, answers": ("chat_in", "chat_out"),
    "model, memory": ("memory_in", "memory_out", "embedded"),
    "functions": ("requests", "cpu", "memory"),
    "Firestore, operations": ("reads", "writes", "deletes"),
    "Firestore, storage": ("stored", "recovery", "backups"),
    "the rest": ("tasks", "logs", "egress", "archive", "schedules", "secrets"),
}


def _bill(life: Life, cpu: dict[str, float]) -> str:
    full, less = bills(life, cpu, free=False), bills(life, cpu, free=True)
    rows = [
        [part, *(f"${cell[groups][part]:,.2f}" for groups in sheet.SIZES for cell in (full, less))] for part in PARTS
    ]
    sums = [(groups, sum(cell[groups].values())) for groups in sheet.SIZES for cell in (full, less)]
    months = _groups(life, cpu)
    rows += [_sums("all", sums), _sums("all, for each group", [(groups, cost / groups) for groups, cost in sums])]
    others = [(f"{model} answers", "chat", model) for model in prices.ANSWERING]
    for when, tier, model in [*others, ("the flex tier never answers", "memory", prices.LITE)]:
        dearer = [(groups, cost + sheet.more_for(tier, model, months[groups])) for groups, cost in sums]
        rows.append(_sums(f"all, when {when}", dearer))
        rows.append(_sums("the same, for each group", [(groups, cost / groups) for groups, cost in dearer]))
    return _table(["a month", *(head for each in _heads() for head in (each, "less what is free"))], rows)


def _sums(name: str, sums: Sequence[tuple[int, float]]) -> Row:
    return [name, *(f"${cost:,.2f}" for _, cost in sums)]


def _limits(life: Life, cpu: dict[str, float]) -> str:
    rows = []
    for limit in sheet.limits(life, sheet.of_a_group(life, cpu), cpu):
        used = [f"{number(used)} ({_percent(used / limit.most)})" for used in limit.used.values()]
        rows.append([limit.name, limit.lever, f"{number(limit.most)} {limit.unit}".strip(), *used])
    return _table(["limit", "lever", "there is", *_heads()], rows, words=2)


def _first(life: Life, cpu: dict[str, float]) -> str:
    found = sheet.limits(life, sheet.of_a_group(life, cpu), cpu)
    lines = []
    for groups, head in zip(sheet.SIZES, _heads(), strict=True):
        first = max(found, key=lambda limit: limit.used[groups] / limit.most)
        unit = f" ({first.unit})" if first.unit else ""
        lines.append(
            f"- {head}: {first.name}{unit}, at {_percent(first.used[groups] / first.most)}. Lever: {first.lever}."
        )
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "< 1%"


def _seconds(life: Life, cpu: dict[str, float]) -> str:
    rows = []
    for key, name in _NAMES.items():
        piece = life.pieces[key]
        runs = piece.runs.total() / piece.times or 1
        busy = sheet.busy_seconds(piece, cpu[key]) / piece.times
        rows.append([name, number(cpu[key] * 1000), number(busy), number(runs), number(busy / runs)])
    return _table(["", "processor, ms, measured", "seconds under way", "runs", "seconds a run"], rows)


def _assumed(_: Life, __: dict[str, float]) -> str:
    rows = [
        [
            f"messages a day that are for nobody, in conversations of ten, {prices.PEAK:.0%} in the busiest hour",
            sheet.TALK,
        ],
        ["questions to the bot a day, one call of the model each", sheet.ANSWERS],
        ["commands a day, each kind as often", sheet.ASKED_COMMANDS],
        ["votes a day", sheet.VOTES],
        ["days for which messages are kept", sheet.KEPT],
        ["ms that a call of Firestore is waited for", number(prices.TRIP_SECONDS * 1000)],
        [
            "s that the model takes to answer, and for anything else",
            f"{prices.MODEL_SECONDS['answer']:g}, {prices.OTHER_MODEL_SECONDS:g}",
        ],
        ["bytes of log a request", f"{prices.LOG_BYTES:,}"],
        ["bytes sent a message of the bot", f"{prices.SENT_BYTES:,}"],
    ]
    return _table(["assumed", ""], rows)


_PARTS: dict[str, Callable[[Life, dict[str, float]], str]] = {
    "operations": _operations,
    "commands": _commands,
    "tokens": _tokens,
    "stored": _stored,
    "hot": _hot,
    "prices": _prices,
    "amounts": _amounts,
    "bill": _bill,
    "limits": _limits,
    "first": _first,
    "seconds": _seconds,
    "assumed": _assumed,
}
