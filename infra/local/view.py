"""Shows a local run on a terminal, and in a pipe."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from infra.local.events import ButtonNotice, Deleted, Event, FactLearnt, Line, LineEdited, Notice
from infra.local.outcome import ReplayOutcome, Usage
from shared.domain.facts.fact import Fact, Status

_CHANGES = {
    "creation": "learnt",
    "reinforcement": "confirmed",
    "evolution": "changed",
    "correction": "corrected",
    "deprecation": "believed no more",
    "expiry": "expired",
    "revival": "learnt again",
}
_COLOURS = ("cyan", "yellow", "magenta", "blue", "bright_red", "bright_cyan")


class TerminalView:
    """Prints what happens."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._colours: dict[str, str] = {}

    def show(self, event: Event) -> None:
        """Print one event."""
        self._print(self._render(event))

    def say(self, text: str) -> None:
        """Print a line of our own."""
        self._print(Text(text, style="dim"))

    def summary(self, outcome: ReplayOutcome) -> None:
        """Print the facts and the cost."""
        names = {line.message_id: line.author for line in outcome.transcript if not line.private_to}
        self._console.print()
        self._console.print(_facts_table(outcome.facts, names) if outcome.facts else Text("No facts.", style="dim"))
        self._console.print(_usage(outcome.usage))

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)

    def _render(self, event: Event) -> Text:
        match event:
            case Line():
                return self._line(event)
            case LineEdited():
                text = Text().append(f"{event.message_id:>5}  ", "dim")
                if event.author:
                    text.append(f"{printable_text(event.author)}  ", self._colour(event.author))
                text.append(_indent(event.text), "" if event.author else "green").append(" ✎", "dim")
                return text.append(_choices(event.buttons))
            case Deleted():
                return Text(f"{event.message_id:>5}  deleted", style="dim italic")
            case FactLearnt():
                return _render_learnt(event)
            case Notice() | ButtonNotice():
                return Text(f"       {printable_text(event.text)}", style="dim italic")

    def _line(self, line: Line) -> Text:
        colour = "bold green" if line.is_bot else self._colour(line.author)
        text = Text().append(f"{line.message_id:>5}  ", "dim")
        text.append(printable_text(line.author), colour)
        text.append("*" if line.is_admin else "", "bold")
        text.append(_note_private(line), "dim")
        text.append(f" ↩ {line.reply_to}" if line.reply_to is not None else "", "dim")
        text.append("  ")
        text.append(_indent(line.text), "green" if line.is_bot else "")
        if line.file:
            text.append(f"\n       file: {printable_text(line.file)}", "bold")
        return text.append(_choices(line.buttons))

    def _colour(self, author: str) -> str:
        return self._colours.setdefault(author, _COLOURS[len(self._colours) % len(_COLOURS)])


def terminal_view(stream: TextIO | None = None, *, stderr: bool = False) -> TerminalView:
    """Return a view on a stream; without one on standard output or error, whatever they are when it prints."""
    return TerminalView(Console(highlight=False, emoji=False, markup=False, file=stream, stderr=stderr))


def printable_text(text: str) -> str:
    """Text that cannot steer a terminal: what is not printable, except line ends and hard spaces, becomes "·"."""
    return "".join(c if c.isprintable() or c == "\n" else "·" for c in text.replace("\u00a0", " "))


def _note_private(line: Line) -> str:
    if not line.private_to:
        return ""
    return f" (privately to {printable_text(line.private_to)})" if line.is_bot else " (privately)"


def _indent(text: str) -> str:
    return printable_text(text).replace("\n", "\n       ")


def _choices(rows: Sequence[Sequence[str]]) -> Text:
    """The buttons, row by row as Telegram shows them, with the numbers that press them."""
    text, numbers = Text(), itertools.count(1)
    for row in rows:
        for column, label in enumerate(row):
            text.append("  " if column else "\n       ").append(f"/{next(numbers)} ", "bold")
            text.append(f"[{printable_text(label)}]", "reverse")
    return text


def _render_learnt(event: FactLearnt) -> Text:
    fact = event.fact
    what = "in doubt" if fact.status is Status.PENDING else _CHANGES.get(event.change, event.change)
    text = Text().append("    ✦  ", "yellow")
    text.append(what, "bold yellow").append(f" · {fact.category} · ", "dim")
    text.append(printable_text(fact.description)).append(f" · {fact.confidence:.0%}", "bold")
    if event.quote:
        text.append(f" · «{_short(event.quote)}»", "italic").append(f" — {printable_text(event.author) or '?'}", "dim")
    return text


def _short(quote: str) -> str:
    line = " ".join(printable_text(quote).split())
    return line if len(line) <= 120 else line[:119] + "…"


def _facts_table(facts: Sequence[Fact], names: dict[int, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title="What was learnt", title_justify="left", expand=False)
    table.add_column("about")
    table.add_column("fact", ratio=2)
    table.add_column("confidence", no_wrap=True)
    table.add_column("evidence", ratio=3)
    people = {e.user_id: names[e.message_id] for fact in facts for e in fact.evidence if e.message_id in names}
    for fact in facts:
        table.add_row(_subject_text(fact, people), _fact_text(fact), _bar(fact.confidence), _evidence(fact, people))
    return table


def _subject_text(fact: Fact, people: dict[int, str]) -> Text:
    if fact.subject == "chat":
        return Text("chat")
    return Text(printable_text(people.get(int(fact.subject.removeprefix("user:")), fact.subject)))


def _fact_text(fact: Fact) -> Text:
    text = Text(printable_text(fact.description))
    text.append(f"\n{fact.category} · {fact.key} = {printable_text(fact.value)}", "dim")
    if fact.status is not Status.ACTIVE:
        text.append(f" · {fact.status}", "red")
    return text


def _bar(confidence: float) -> Text:
    filled = round(confidence * 10)
    return Text.assemble(("█" * filled, "green"), ("░" * (10 - filled), "dim"), f" {confidence:.0%}")


def _evidence(fact: Fact, people: dict[int, str]) -> Text:
    quotes = [
        f"«{_short(e.quote)}» — {printable_text(people.get(e.user_id, str(e.user_id)))} ({e.message_id})"
        for e in fact.evidence
    ]
    rest = [f"and {len(quotes) - 3} more"] if len(quotes) > 3 else []
    return Text("\n".join(quotes[:3] + rest), style="italic")


def _usage(usage: Usage) -> Text:
    return Text(
        f"{usage.reads} reads · {usage.writes} writes · {usage.tasks} tasks · "
        f"{usage.model_calls} model calls · {usage.tokens} tokens",
        style="dim",
    )
