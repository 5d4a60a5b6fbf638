"""The context of an answer: what gathering and assembling it costs on the emulator, and what its formats weigh."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from infra.bootstrap import build_app
from infra.firestore import FirestoreStore
from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.application.app import App
from shared.application.documents import chat_path
from shared.application.facts.memory import learn_candidates
from shared.application.recall.upkeep import index_chat
from shared.domain.answering.context.assembly import assemble
from shared.domain.answering.context.budget import CONTEXT_TOKENS
from shared.domain.answering.context.compact import END, talk_lines
from shared.domain.answering.context.material import Context
from shared.domain.answering.context.meta_parts import parts
from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.people.labels import Identity, labels_of
from shared.domain.spending.tokens import estimate_tokens
from shared.prompts import prompt
from shared.settings import Settings
from tests.benchmarks.recall import NoQueue
from tests.benchmarks.report import Figure, percentile
from tests.support.archive import SIZE, START, archive, chunk_document, group_state, leave
from tests.support.queues import SteppedClock
from tests.support.servers.deployment import ROOT

CHAT = -1001234567890
STATE = group_state(CHAT)
MESSAGES, FACTS, MEMBERS, TAIL = 2_000, 100, 20, 9
SHOWN = 200
ANSWERS, WARM_UP = 60, 5
UKRAINIAN = ("recall_uk.jsonl", "extraction_uk.jsonl")
TOPICS = ("hobby", "food", "music", "film", "game", "book", "city", "job", "pet", "drink")


async def measure(emulator: str, talk: Path) -> list[Figure]:
    """The formats on `SHOWN` messages of each language, then `ANSWERS` contexts of one chat."""
    english = [_message(i, json.loads(line)) for i, line in enumerate(_lines(talk)[:MESSAGES], start=1)]
    ukrainian = [_message(i, said) for i, said in enumerate(_ukrainian(), start=1)]
    store = FirestoreStore("bench-context", emulator_host=emulator)
    app = build_app(
        Settings.from_env({}),
        clock=SteppedClock(START + timedelta(days=20)),
        queue=NoQueue(),
        gateway=None,
        store=store,
    )
    try:
        await _furnished(app, (english * 2)[:MESSAGES])
        return [
            Figure("context", "compact format: tokens saved, English", saved(english[:SHOWN]), "%", least=70),
            Figure("context", "compact format: tokens saved, Ukrainian", saved(ukrainian[:SHOWN]), "%", least=70),
            *await _answers(app),
        ]
    finally:
        await store.aclose()


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _ukrainian() -> list[dict[str, Any]]:
    """The talk of the project's own Ukrainian cases, one after the other."""
    cases = [json.loads(line) for name in UKRAINIAN for line in _lines(ROOT / "tests/evals/cases" / name)]
    return [said for case in cases for said in case.get("messages", ()) if said.get("text")]


def _message(number: int, said: dict[str, Any]) -> Message:
    """A message of a talk as the supergroup's; ids as large as a year's."""
    return Message(
        CHAT,
        45_000 + number,
        sent_at=datetime.fromisoformat(said["date"]).astimezone(UTC),
        user_id=900_000_000 + said["user_id"] % MEMBERS,
        name=said["name"],
        username=said.get("username"),
        text=said["text"],
        reply_to=45_000 + number - 2 if number % 4 == 0 else None,
    )


def wire_form(messages: Sequence[Message]) -> str:
    """The talk as JSON: a role and parts a message, the meta part first (conversation pattern seed)."""
    by_id = {m.message_id: m for m in messages}
    turns = [{"role": "user", "parts": [{"text": part} for part in parts(m, by_id)]} for m in messages]
    return json.dumps(turns, ensure_ascii=False)


def compact_form(messages: Sequence[Message]) -> str:
    """The talk as lines."""
    handles = labels_of((Identity(m.user_id, m.name) for m in messages), bot_id=None, bot_name="гряг")
    return "\n".join([*talk_lines(messages, handles, UTC), END])


def saved(messages: Sequence[Message]) -> float:
    """Per cent of tokens that the compact form saves."""
    return 100 * (1 - estimate_tokens(compact_form(messages)) / estimate_tokens(wire_form(messages)))


async def _furnished(app: App, talk: Sequence[Message]) -> None:
    """A chat with its messages, index and facts; the last messages are in no chunk yet."""
    messages = [_at(m, number) for number, m in enumerate(talk, start=1)]
    await app.store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "supergroup", "title": "Bench"})
    await archive(app.store, messages[:-TAIL])
    for start in range(0, MESSAGES - TAIL, SIZE):
        summary = " ".join(m.text for m in messages[start : start + SIZE])[:300]
        await app.store.update(
            chunk_document(messages[start : min(start + SIZE, MESSAGES - TAIL)]).path, {"summary": summary}
        )
    await leave(app.store, messages[-TAIL:])
    while await index_chat(app, STATE):
        pass
    await learn_candidates(app, CHAT, [_candidate(messages[n * 7], n) for n in range(FACTS)])


def _at(message: Message, number: int) -> Message:
    return replace(message, message_id=number, sent_at=START + timedelta(minutes=10 * number), reply_to=None)


def _candidate(message: Message, number: int) -> Candidate:
    """A fact about the chat, or about a member in turn."""
    subject = "chat" if number % 2 else f"user:{900_000_000 + number % MEMBERS}"
    category = "shared_knowledge" if number % 2 else "preference"
    key = f"{TOPICS[number % len(TOPICS)]}_{number}"
    quote = Evidence(message.sent_at, message.message_id, message.user_id, message.text[:200] or "…", 0.9)
    value = f"{TOPICS[number % len(TOPICS)]} number {number}"
    return Candidate(subject, category, key, value, f"{key}: {message.text[:80]}", 0.9, (quote,))


async def _answers(app: App) -> list[Figure]:
    """Contexts for questions of different askers, the first ones cold."""
    times, reads, contexts = [], [], []
    for number in range(ANSWERS + WARM_UP):
        before, began = app.store.usage.reads, perf_counter()
        contexts.append(await _context(app, number))
        times.append((perf_counter() - began) * 1_000)
        reads.append(app.store.usage.reads - before)
    warm, last = contexts[WARM_UP:], contexts[-1]
    most = max(context.total for context in warm)
    return [
        Figure("context", "gathered and assembled warm: p50", percentile(times[WARM_UP:], 0.5), "ms"),
        Figure("context", "gathered and assembled warm: p95", percentile(times[WARM_UP:], 0.95), "ms", most=100),
        Figure("context", "cold: documents read", reads[0]),
        Figure("context", "warm: documents read, at most", max(reads[WARM_UP:]), most=40),
        Figure("context", "tokens of the largest context", most, "", most=CONTEXT_TOKENS),
        *(Figure("context", f"tokens of the last: {layer}", tokens) for layer, tokens in last.tokens.items()),
    ]


async def _context(app: App, number: int) -> Context:
    asker = 900_000_000 + number % MEMBERS
    words = ("wireless card", "dvd player", "ubuntu server", "nvidia driver", "my question", "partition table")
    text = f"gryag, what did we say about the {words[number % len(words)]}?"
    message = Message(CHAT, 10_000 + number, app.clock.now(), asker, f"member {asker % MEMBERS}", text=text)
    gathered = await gather(app, STATE, UserQuestion(message, text, "en", None), prompt("answer").text)
    return assemble(gathered.material)
