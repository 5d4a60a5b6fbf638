"""How well messages are found: on LoCoMo (a file that is not shipped), and on the project's own group conversations.

Short ones stand with their questions in a case; groups over weeks in two files each (tests/data/recall). All are ranked
over a corpus read from segments, as in the product. No network, and no model but for `--vectors`, which runs here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.intake.addressing import without_address
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.segment import MOST_MESSAGES, Segment
from shared.domain.recall.index.vectors import AskedVector
from shared.domain.recall.question import read_question
from shared.domain.recall.ranking import rank
from tests.evals.extraction import Report, message_of
from tests.evals.local_vectors import MODEL, Embed, vectors_of

DEPTHS = (1, 5, 10, 25, 50)
OWN_DEPTHS = (1, 5)
GROUP_DEPTHS = (1, 3, 5, 10, 25)
GROUPS = Path(__file__).parents[1] / "data/recall"
_BOT_NAMES = ("гряг", "gryag")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_EPOCH = datetime(2023, 1, 1, tzinfo=UTC)

TurnId = tuple[int, int]


class NoConversations(Exception):
    """The file is not LoCoMo's."""


@dataclass(frozen=True)
class Asked:
    """A question, and the messages that answer it."""

    text: str
    evidence: frozenset[int]
    category: str
    asked_at: datetime
    asker: int | None = None


@dataclass
class Tally:
    """What came out, question by question."""

    recalls: list[dict[int, float]] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    warm_ms: list[float] = field(default_factory=list)
    cold_ms: list[float] = field(default_factory=list)
    index_bytes: int = 0
    failures: list[str] = field(default_factory=list)

    def mean(self, depths: Sequence[int], category: str | None = None) -> dict[str, float]:
        """Evidence recall by depth, of all questions or of one category."""
        chosen = [r for r, c in zip(self.recalls, self.categories, strict=True) if category in (None, c)]
        return {str(depth): round(fmean(r[depth] for r in chosen), 4) if chosen else 0.0 for depth in depths}


def evaluate_locomo(file: Path, embed: Embed | None = None) -> Report:
    """LoCoMo's metrics as FORMAT prescribes them; with vectors of messages when something makes them.

    Raises:
        NoConversations: It cannot be read, or is no list of conversations.
    """
    tally = Tally()
    for conversation in _conversations(file):
        turns, messages = read_conversation(conversation)
        _measure(messages, list(read_questions(conversation, turns, messages)), tally, embed)
    by_category = {c: tally.mean(DEPTHS, c) for c in sorted(set(tally.categories))}
    latency = {
        "p50": _percentile(tally.warm_ms, 0.5),
        "p95": _percentile(tally.warm_ms, 0.95),
        "cold": round(median(tally.cold_ms), 2) if tally.cold_ms else 0.0,
    }
    metrics = {
        "questions": len(tally.recalls),
        "recall": tally.mean(DEPTHS),
        "by_category": by_category,
        "latency_ms": latency,
        "index_bytes": tally.index_bytes,
    }
    return Report(metrics, tally.failures)


def evaluate_recall(cases: list[dict[str, Any]]) -> Report:
    """Recall on the project's own conversations, each with `questions` of {question, asker, asked_at, message_ids}."""
    tally = Tally()
    for case in cases:
        messages = [_own_message(fields) for fields in case["messages"]]
        _measure(messages, [_own_question(fields, case["lang"]) for fields in case["questions"]], tally)
    languages = sorted(set(tally.categories))
    metrics = {
        "cases": len(tally.recalls),
        "recall": tally.mean(OWN_DEPTHS),
        "by_lang": {lang: tally.mean(OWN_DEPTHS, lang) for lang in languages},
    }
    return Report(metrics, tally.failures)


def evaluate_groups(folder: Path = GROUPS, embed: Embed | None = None) -> dict[str, Any]:
    """For each group of a folder, how often one of the messages that answer is among the first so many.

    `X_questions.jsonl` asks about `X.jsonl`, and `questions.jsonl` about `weeks.jsonl`. Questions that nobody ever
    answered are not counted.
    """
    files = sorted(folder.glob("*questions.jsonl"))
    return {name: _group_hits(file, folder / f"{name}.jsonl", embed) for file in files for name in [_group_name(file)]}


def _group_name(questions: Path) -> str:
    return questions.stem.removesuffix("questions").removesuffix("_") or "weeks"


def _group_hits(questions: Path, said: Path, embed: Embed | None) -> dict[str, Any]:
    messages = [_own_message(fields) for fields in _lines(said)]
    corpus = Corpus.of_segments([Segment.build(messages, vectors=vectors_of(messages, embed))])
    firsts: dict[str, list[int]] = {}
    for fields in _lines(questions):
        if fields["evidence"]:
            firsts.setdefault(fields["kind"], []).append(_first_hit(corpus, fields, messages[-1].sent_at, embed))
    everything = [first for kind in firsts.values() for first in kind]
    by_kind = {kind: _hit_rates(firsts[kind]) for kind in sorted(firsts)}
    return {"questions": len(everything), "hits": _hit_rates(everything), "by_kind": by_kind}


def _first_hit(corpus: Corpus, fields: Mapping[str, Any], last: datetime, embed: Embed | None) -> int:
    """How many are found before the first that answers; as many as are looked at when none of them does."""
    text = without_address(fields["text"], bot_username="gryag_bot", bot_names=_BOT_NAMES)
    asked = Asked(text, frozenset(fields["evidence"]), fields["kind"], last + timedelta(hours=1), fields["asker"])
    found = _found(corpus, asked, _vector(asked, embed))
    return next((at for at, message_id in enumerate(found) if message_id in asked.evidence), DEPTHS[-1])


def _hit_rates(firsts: Sequence[int]) -> dict[str, float]:
    return {str(depth): round(fmean(first < depth for first in firsts), 4) for depth in GROUP_DEPTHS}


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def _conversations(file: Path) -> list[dict[str, Any]]:
    try:
        conversations = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NoConversations(f"{file} cannot be read: {error}") from error
    if not isinstance(conversations, list) or not all(isinstance(c, dict) and "qa" in c for c in conversations):
        raise NoConversations(f"{file} is no list of LoCoMo's conversations")
    return conversations


def read_conversation(conversation: Mapping[str, Any]) -> tuple[dict[TurnId, int], list[Message]]:
    """The turns as messages of a chat, a minute apart from their session's time, and each turn's message id.

    A session without a time that can be read follows the one before by a day.
    """
    said = conversation["conversation"]
    numbers = sorted(int(match[1]) for key in said if (match := _SESSION.fullmatch(key)))
    messages: list[Message] = []
    turns: dict[TurnId, int] = {}
    speakers: dict[str, int] = {}
    for number in numbers:
        before = messages[-1].sent_at if messages else _EPOCH
        at = _session_time(said.get(f"session_{number}_date_time")) or before + timedelta(days=1)
        for turn in said[f"session_{number}"] or []:
            message_id = len(messages) + 1
            for found in _EVIDENCE.findall(str(turn.get("dia_id", ""))):
                turns[_turn_id(found)] = message_id
            messages.append(_turn_message(turn, message_id, at, speakers))
            at += timedelta(minutes=1)
    return turns, messages


def _turn_message(turn: Mapping[str, Any], message_id: int, at: datetime, speakers: dict[str, int]) -> Message:
    name, caption = str(turn.get("speaker", "?")), turn.get("blip_caption")
    return Message(
        chat_id=-1,
        message_id=message_id,
        sent_at=at,
        user_id=speakers.setdefault(name, len(speakers) + 1),
        name=name,
        text=str(turn.get("text") or ""),
        media_text=f"[image: {caption}]" if caption else "",
    )


def _session_time(text: object) -> datetime | None:
    try:
        return datetime.strptime(str(text), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _turn_id(found: tuple[str, str]) -> TurnId:
    return int(found[0]), int(found[1])


def read_questions(
    conversation: Mapping[str, Any], turns: Mapping[TurnId, int], messages: Sequence[Message]
) -> Iterator[Asked]:
    """The questions with evidence that is there, asked a day after the last turn."""
    asked_at = (messages[-1].sent_at if messages else _EPOCH) + timedelta(days=1)
    for row in conversation["qa"]:
        named = [_turn_id(found) for text in row.get("evidence") or [] for found in _EVIDENCE.findall(str(text))]
        evidence = frozenset(turns[turn] for turn in named if turn in turns)
        if evidence:
            yield Asked(str(row.get("question", "")), evidence, str(row.get("category", "")), asked_at)


def _own_message(fields: Mapping[str, Any]) -> Message:
    return replace(message_of(fields), thread_id=fields.get("thread_id"))


def _own_question(fields: Mapping[str, Any], lang: str) -> Asked:
    at = datetime.fromisoformat(fields["asked_at"])
    return Asked(fields["question"], frozenset(fields["message_ids"]), lang, at, fields["asker"])


def _measure(messages: Sequence[Message], questions: Sequence[Asked], tally: Tally, embed: Embed | None = None) -> None:
    """Put one conversation into an index, and ask it everything."""
    stretches = [messages[at : at + MOST_MESSAGES] for at in range(0, len(messages), MOST_MESSAGES)]
    payloads = [Segment.build(stretch, vectors=vectors_of(stretch, embed)).encode() for stretch in stretches]
    tally.index_bytes += sum(map(len, payloads))
    started = perf_counter()
    corpus = Corpus.of_segments([Segment.decode(payload) for payload in payloads])
    if questions:
        _found(corpus, questions[0])
        tally.cold_ms.append(_since(started))
    for asked in questions:
        vector = _vector(asked, embed)
        started = perf_counter()
        found = _found(corpus, asked, vector)
        tally.warm_ms.append(_since(started))
        _count(asked, found, corpus, tally)


def _vector(asked: Asked, embed: Embed | None) -> list[float] | None:
    return embed([asked.text], True)[0] if embed is not None else None


def _found(corpus: Corpus, asked: Asked, vector: Sequence[float] | None = None) -> list[int]:
    """Message ids, best first."""
    question = read_question(asked.text, asked_at=asked.asked_at, names=corpus.names, asker=asked.asker)
    found = rank(corpus, question, limit=DEPTHS[-1], vector=vector and AskedVector(MODEL, vector))
    return [int(corpus.message_ids[hit.row]) for hit in found]


def _count(asked: Asked, found: Sequence[int], corpus: Corpus, tally: Tally) -> None:
    recalls = {depth: len(asked.evidence.intersection(found[:depth])) / len(asked.evidence) for depth in DEPTHS}
    tally.recalls.append(recalls)
    tally.categories.append(asked.category)
    missed = sorted(asked.evidence.difference(found[:5]))
    if missed:
        tally.failures.append(_miss(asked, missed, found, corpus))


def _miss(asked: Asked, missed: Sequence[int], found: Sequence[int], corpus: Corpus) -> str:
    """A question with what was not among its first five, and what was first."""
    rows = {int(message_id): row for row, message_id in enumerate(corpus.message_ids)}
    shown = [*(("missed", m, rows[m]) for m in missed), *(("first", f, rows[f]) for f in found[:1])]
    lines = (f"  {kind} {number}: {_said(corpus.message(row))}" for kind, number, row in shown)
    return "\n".join([f"[{asked.category}] {asked.text}", *lines])


def _said(message: Message) -> str:
    return f"{message.name}: {' '.join(f'{message.text} {message.media_text}'.split())}"


def _since(started: float) -> float:
    return 1_000 * (perf_counter() - started)


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 2) if ordered else 0.0
