"""How well a group's memory is learnt and used: tests/data/desk, played through the product without a model.

The talk is replayed with its nights into a SQLite file; each question is put to a copy of that file, so that none
hears of another. Once with all messages, once with a week's retention.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.bootstrap import Models
from infra.local.assembly import assemble_local, files_folder, local_bot, open_observer
from infra.local.chat.messenger import Messenger
from infra.local.chat.raw_updates import Person
from infra.local.chat.room import Room
from infra.local.chat.terminal import TerminalGateway
from infra.local.clocks import ReplayClock
from infra.local.events import Event, Line
from infra.local.outcome import ReplayOutcome
from infra.local.script.replay import replay
from infra.local.script.steps import Say
from shared.application.documents import facts_path
from shared.application.facts.codec import fact_from_fields
from shared.application.ports.store import DocumentStore
from shared.application.spending.usage_codec import read_usage, usage_days_path
from shared.domain.facts.fact import Fact, Status
from shared.settings import Settings
from tests.evals.desk_group import CHAT, GROUPS, DeskGroup, DeskQuestion, Label, NoGroup, read_desk_group
from tests.evals.extraction import Report

A_WEEK = {"MESSAGE_RETENTION_DAYS": "7"}
RETENTIONS: Mapping[str, Mapping[str, str]] = {"all": {}, "week": A_WEEK}
_FIRST_QUESTION = 900_000
"""The id of a question's message, beyond those of every talk."""


@dataclass
class FactScore:
    """What is right and what is wrong about the facts that are believed at the end."""

    current: int = 0
    right: int = 0
    recalled: set[str] = field(default_factory=set)
    superseded: list[str] = field(default_factory=list)
    wrong_person: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)

    def metrics(self, must: int) -> dict[str, float]:
        return {
            "current": self.current,
            "recall": round(len(self.recalled) / must, 4),
            "precision": round(self.right / self.current, 4) if self.current else 0.0,
            "superseded": len(self.superseded),
            "wrong_person": len(self.wrong_person),
            "never": len(self.never),
            "twice": len(self.twice),
            "unlabelled": len(self.unlabelled),
        }


def evaluate_desk(name: str, kept: Path | None = None, *, folder: Path = GROUPS) -> Report:
    """Play a group and measure what was learnt, and what is answered with all messages and with a week of them.

    Args:
        kept: A SQLite file into which the talk was played already, perhaps with a model, to be measured instead.

    Raises:
        NoGroup: There is none of this name, or no such file.
    """
    group = read_desk_group(name, folder)
    if kept is not None and not kept.is_file():
        raise NoGroup(f"there is no file {kept}")
    return asyncio.run(_evaluate_kept(group, kept) if kept else _evaluate(group))


async def _evaluate(group: DeskGroup) -> Report:
    report = Report({"group": group.name, "messages": sum(1 for _ in group.script.messages)})
    with tempfile.TemporaryDirectory(prefix="spomyn-desk-") as folder:
        for retention, settings in RETENTIONS.items():
            place = Path(folder, retention)
            place.mkdir()
            await play(group, place / "spomyn.db", settings)
            await measure(group, place / "spomyn.db", retention, settings, report)
    return report


async def _evaluate_kept(group: DeskGroup, kept: Path) -> Report:
    report = Report({"group": group.name, "messages": sum(1 for _ in group.script.messages)})
    with tempfile.TemporaryDirectory(prefix="spomyn-desk-") as folder:
        await measure(group, Path(shutil.copy(kept, folder)), "kept", {}, report)
    return report


async def measure(
    group: DeskGroup,
    store: Path,
    name: str,
    settings: Mapping[str, str],
    report: Report,
    models_for: Callable[[DeskQuestion], Models | None] = lambda _: None,
) -> None:
    """Add to a report what a store holds and what is answered from it.

    Args:
        models_for: What answers a question; None: what the settings name.
    """
    score = score_facts(group, await facts_in(group, store))
    asked = asked_of(group, is_week=settings == A_WEEK)
    answers = {each.id: await ask(group, each, store, settings, models_for(each)) for each in asked}
    report.metrics[name] = {
        "facts": score.metrics(len(group.must)),
        "questions": question_metrics(asked, answers),
        "model": await calls_in(group, store),
    }
    report.failures += [f"[{name}] {line}" for line in _told(group, score, answers)]


async def facts_in(group: DeskGroup, store: Path) -> list[Fact]:
    """All facts of the group that a SQLite file holds."""
    async with _looking_at(store) as observer:
        found = await observer.query(facts_path(group.script.chat.chat_id))
        return [fact_from_fields(document.data) for document in found]


async def calls_in(group: DeskGroup, store: Path) -> dict[str, dict[str, int]]:
    """What was asked of a model while the talk was played: calls and tokens of each purpose."""
    total: dict[str, Counter[str]] = {}
    async with _looking_at(store) as observer:
        for document in await observer.query(usage_days_path(group.script.chat.chat_id)):
            for purpose, usage in read_usage(document).purposes.items():
                total.setdefault(purpose, Counter()).update(usage._asdict())
    return {purpose: dict(counts) for purpose, counts in sorted(total.items())}


@contextlib.asynccontextmanager
async def _looking_at(store: Path) -> AsyncIterator[DocumentStore]:
    observer = open_observer(Settings.from_env({"SPOMYN_STORE": f"sqlite:{store}"}))
    try:
        yield observer
    finally:
        await observer.aclose()


async def play(
    group: DeskGroup, store: Path, settings: Mapping[str, str], models: Models | None = None
) -> ReplayOutcome:
    """Replay the talk into a new SQLite file."""
    return await replay(Settings.from_env(settings), group.script, _ignore, keep=store, models=models)


async def ask(
    group: DeskGroup, question: DeskQuestion, store: Path, settings: Mapping[str, str], models: Models | None = None
) -> str:
    """Put one question to a copy of the store; all that the bot says to it."""
    with tempfile.TemporaryDirectory(dir=store.parent) as folder:
        copy = Path(shutil.copy(store, folder))
        given = Settings.from_env({**settings, "SPOMYN_STORE": f"sqlite:{copy}", "SPOMYN_QUEUE": "local"})
        said: list[str] = []

        def hear(event: Event) -> None:
            if isinstance(event, Line) and event.is_own:
                said.append(event.text)

        clock, observer = ReplayClock(group.asked_at), open_observer(given)
        messenger = Messenger(store=observer, bot=local_bot(given))
        gateway = TerminalGateway(hear, messenger, clock=clock, files=files_folder(given))
        async with assemble_local(given, clock, hear, gateway, observer, models) as local:
            room = Room(local, messenger, hear, group.script.chat, ahead=True)
            await room.recall()
            asker = group.members[question.asker]
            username = next(
                (s.person.username for s in group.script.messages if s.person.user_id == asker.user_id), None
            )
            person = Person(asker.user_id, asker.name, username)
            await room.take(Say(person, question.text, message_id=_FIRST_QUESTION))
            return "\n".join(said)


def score_facts(group: DeskGroup, facts: Sequence[Fact]) -> FactScore:
    """Compare the facts that are believed with the labels."""
    score, meanings = FactScore(), Counter[tuple[str, ...]]()
    for fact in (fact for fact in facts if fact.status is Status.ACTIVE):
        subject, text = group.subject_of(fact.subject), f"{fact.description} {fact.value}"
        told = f"{subject}: {fact.description}"
        score.current += 1
        if bad := _fitting(group.never, subject, text):
            (score.wrong_person if bad[0].reason == "namesake" else score.never).append(f"{told} ({bad[0].id})")
        elif bad := _fitting(group.superseded, subject, text):
            score.superseded.append(f"{told} ({bad[0].id})")
        elif meant := _fitting([*group.must, *group.may], subject, text):
            score.right += 1
            _count_meaning(score, meanings, meant, group.must, told)
        elif others := _of_somebody_else(group, subject, text):
            score.wrong_person.append(f"{told} ({others[0].id} of {others[0].subject})")
        else:
            score.unlabelled.append(told)
    return score


def _fitting(labels: Sequence[Label], subject: str, text: str) -> list[Label]:
    return [label for label in labels if label.fits(subject, text)]


def _of_somebody_else(group: DeskGroup, subject: str, text: str) -> list[Label]:
    """What must be known of another member; what is said of the chat is nobody else's."""
    others = [label for label in group.must if CHAT not in (subject, label.subject)]
    return [label for label in others if label.words.occur_in(text)]


def _count_meaning(
    score: FactScore, meanings: Counter[tuple[str, ...]], meant: Sequence[Label], must: Sequence[Label], told: str
) -> None:
    """Two facts that mean the very same labels, one of which must be known, are one thing learnt twice."""
    known = {label.id for label in meant}.intersection(label.id for label in must)
    score.recalled |= known
    meaning = tuple(sorted(label.id for label in meant))
    meanings[meaning] += 1
    if known and meanings[meaning] > 1:
        score.twice.append(f"{told} ({', '.join(meaning)})")


def asked_of(group: DeskGroup, *, is_week: bool) -> list[DeskQuestion]:
    """Return the questions that are put: with a week's retention those that can be answered then."""
    return [question for question in group.questions if question.after_a_week or not is_week]


def question_metrics(asked: Sequence[DeskQuestion], answers: Mapping[str, str]) -> dict[str, Any]:
    """Return how many are answered rightly."""
    right = [question for question in asked if question.is_answered_by(answers[question.id])]
    kinds, of_kind = Counter(q.kind for q in asked), Counter(q.kind for q in right)
    return {
        "asked": len(asked),
        "right": len(right),
        "share": round(len(right) / len(asked), 4),
        "by_kind": {kind: f"{of_kind[kind]}/{kinds[kind]}" for kind in sorted(kinds)},
    }


def _told(group: DeskGroup, score: FactScore, answers: Mapping[str, str]) -> list[str]:
    """Every miss in words."""
    missing = [label.id for label in group.must if label.id not in score.recalled]
    named = ("superseded", "wrong_person", "never", "twice", "unlabelled")
    wrong = [q for q in group.questions if q.id in answers and not q.is_answered_by(answers[q.id])]
    return [
        *(f"not known: {each}" for each in missing),
        *(f"{kind}: {each}" for kind in named for each in getattr(score, kind)),
        *(f"{q.id} ({q.kind}) {q.text} → {answers[q.id]}" for q in wrong),
    ]


def _ignore(_: Event) -> None:
    pass
