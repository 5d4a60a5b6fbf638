"""How many messages a second one core reads: patterns, filters and deduplication against a thousand facts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from time import process_time

from shared.domain.conversation.messages import Message, known_members
from shared.domain.facts.dedup import FactIndex
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.facts.lifecycle import learn
from shared.domain.reading.filters.gate import reject_reason
from tests.benchmarks.report import Figure
from tests.evals.extraction import message_of
from tests.support.servers.deployment import ROOT
from tests.support.talk import extract_patterns

CASES = ROOT / "tests/evals/cases"
CHUNK, ROUNDS, FACTS = 10, 5, 1_000
BOT = ("гряг", "gryag_bot")


def measure() -> list[Figure]:
    """The first pass pays for dictionaries and compiled phrases; the figure is the median of five later ones."""
    messages = _talk()
    index = FactIndex(_thousand_facts(messages))
    first = _pass(messages, index)
    later = sorted(_pass(messages, index) for _ in range(ROUNDS))
    return [
        Figure("extraction", "messages a second per core", len(messages) / later[ROUNDS // 2], least=2_000),
        Figure("extraction", "messages a second in the very first pass", len(messages) / first),
        Figure("extraction", "messages", len(messages)),
        Figure("extraction", "facts compared with", FACTS),
    ]


def _pass(messages: Sequence[Message], index: FactIndex) -> float:
    """Seconds of processor time for every message once."""
    began = process_time()
    for start in range(0, len(messages), CHUNK):
        _chunk(messages[start : start + CHUNK], index)
    return process_time() - began


def _chunk(chunk: Sequence[Message], index: FactIndex) -> None:
    by_id = {message.message_id: message for message in chunk}
    participants = known_members(chunk)
    for candidate in extract_patterns(chunk, admins=frozenset(), bot_names=BOT[:1], bot_username=BOT[1]):
        if reject_reason(candidate, by_id, bot_names=BOT, participants=participants) is None:
            index.match(candidate)


def _talk() -> list[Message]:
    """Every message of the project's own extraction cases, as one talk: far denser in facts than ordinary chatter."""
    found: list[Message] = []
    for path in sorted(CASES.glob("extraction_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            found += [message_of(fields) for fields in json.loads(line)["messages"]]
    return [_numbered(message, number) for number, message in enumerate(found, start=1)]


def _numbered(message: Message, number: int) -> Message:
    return replace(message, message_id=number, reply_to=None)


def _thousand_facts(messages: Sequence[Message]) -> list[Fact]:
    """What the talk itself teaches, and variations of it until there are a thousand."""
    candidates: list[Candidate] = []
    for start in range(0, len(messages), CHUNK):
        candidates += extract_patterns(
            messages[start : start + CHUNK], admins=frozenset(), bot_names=BOT[:1], bot_username=BOT[1]
        )
    facts: list[Fact] = []
    for number in range(FACTS):
        candidate = candidates[number % len(candidates)]
        varied = replace(candidate, value=f"{candidate.value} {number // len(candidates) or ''}".strip(), single=False)
        change = learn(None, varied)
        if change is not None:
            facts.append(change.after)
    return facts
