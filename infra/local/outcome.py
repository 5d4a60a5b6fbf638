"""The outcome of a run: transcript, facts with evidence, usage. The same for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infra.local.assembly import Local
from infra.local.events import Line
from infra.local.script.record import LineRecord
from shared.application.documents import facts_path
from shared.application.facts.codec import fact_from_fields
from shared.application.spending.usage_codec import read_usage, usage_days_path
from shared.domain.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of the run: documents read and written, tasks enqueued, calls of the model and their tokens."""

    reads: int
    writes: int
    tasks: int
    model_calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ReplayOutcome:
    """The messages in the order in which they came, the chat's facts in a fixed order, the cost.

    Attributes:
        unextracted: Messages that nothing could be learnt from because extraction failed: 0 in a healthy run.
        lines: Of a script: what became of each line.
    """

    transcript: Sequence[Line]
    facts: Sequence[Fact]
    usage: Usage
    unextracted: int = 0
    lines: Sequence[LineRecord] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as `--json` prints it."""
        lines = {"lines": [line.to_json() for line in self.lines]} if self.lines else {}
        return {
            "transcript": [_line(line, self._find_answered(line)) for line in self.transcript],
            **lines,
            "facts": [_fact(fact) for fact in self.facts],
            "usage": {
                "reads": self.usage.reads,
                "writes": self.usage.writes,
                "tasks": self.usage.tasks,
                "model_calls": self.usage.model_calls,
                "tokens": self.usage.tokens,
            },
        }

    def _find_answered(self, said: Line) -> Line | None:
        """Return the message that the bot answers: the one that it replies to, else what made it speak."""
        if not said.is_own:
            return None
        by_id = {(line.chat_id, line.message_id): line for line in self.transcript}
        replied = by_id.get((said.chat_id, said.reply_to)) if said.reply_to is not None else None
        made = (line.done for line in self.lines if line.done is not None and said in line.sent)
        return replied or next((by_id.get((done.chat_id, done.message_id or 0)) for done in made), None)


async def outcome_of(
    local: Local, chat_id: int, transcript: Sequence[Line], lines: Sequence[LineRecord] = ()
) -> ReplayOutcome:
    """Extract the rest, and look at what is stored then."""
    unextracted = await local.worker.settle(chat_id, to_the_end=True)
    documents = await local.observer.query(facts_path(chat_id))
    facts = [fact_from_fields(document.data) for document in documents]
    facts.sort(key=lambda f: (f.subject != "chat", f.subject, f.category, f.key, f.value, f.status, f.id))
    days = [read_usage(document) for document in await local.observer.query(usage_days_path(chat_id))]
    store = local.app.store.usage
    usage = Usage(
        reads=store.reads,
        writes=store.writes,
        tasks=local.tasks.taken,
        model_calls=sum(day.calls for day in days),
        tokens=sum(day.tokens for day in days),
    )
    return ReplayOutcome(transcript, facts, usage, unextracted, lines)


def _line(line: Line, answered: Line | None) -> Mapping[str, Any]:
    answers = (
        {"message_id": answered.message_id, "author": answered.author, "text": answered.text} if answered else None
    )
    return {
        "message_id": line.message_id,
        "author": line.author,
        "text": line.text,
        "reply_to": line.reply_to,
        "is_bot": line.is_bot,
        "answers": answers,
        "private_to": line.private_to or None,
        "buttons": [label for row in line.buttons for label in row],
        "file": line.file or None,
    }


def _fact(fact: Fact) -> Mapping[str, Any]:
    return {
        "subject": fact.subject,
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "description": fact.description,
        "confidence": float(fact.confidence),
        "status": str(fact.status),
        "evidence": [{"message_id": e.message_id, "user_id": e.user_id, "quote": e.quote} for e in fact.evidence],
    }
