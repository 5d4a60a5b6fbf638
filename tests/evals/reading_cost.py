"""What learning asks of a model: a group of tests/data/desk, read by a stand-in that finds what the labels say.

Its replies are as long as a reader's: a summary and a detail for each part, the labelled facts in their own words, a
portrait or a summary of ten of usual length. So what is known and told again grows as it would.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from shared.domain.text.plain import one_line
from tests.cost.metering import CountedGemini
from tests.evals.desk import calls_in, play
from tests.evals.desk_group import DeskGroup, Label, read_desk_group
from tests.evals.extraction import Report
from tests.support.gemini.server import GeminiRequest, echo
from tests.support.reading.replies import asks_to_read, lines_of, reading

_SUMMARY, _DETAIL, _PROSE = 160, 110, 350
"""Characters that a reader writes of ten messages, of what is to be looked up later, and of ten summaries."""

_FACT = re.compile(r'^\w+: (".*")$', re.MULTILINE)
_NOT_LEARNING = frozenset({"answer"})


def evaluate_reading_cost(names: Sequence[str], settings: dict[str, str] | None = None) -> Report:
    """Play groups with a model that reads, and count what it is asked for per 100 messages, by purpose."""
    report = Report({})
    for name in names:
        report.metrics[name] = asyncio.run(_measure(read_desk_group(name), settings or {}))
    return report


async def _measure(group: DeskGroup, settings: dict[str, str]) -> dict[str, Any]:
    hundreds = sum(1 for _ in group.script.messages) / 100
    with tempfile.TemporaryDirectory(prefix="spomyn-desk-") as folder:
        async with CountedGemini("test-key") as gemini:
            gemini.reply_with(_Reader(group).reply)
            store = Path(folder, "spomyn.db")
            await play(group, store, {**gemini.environment, "MODEL_TOKENS_PER_CHAT_PER_DAY": "100000000", **settings})
        spent = {name: used for name, used in (await calls_in(group, store)).items() if name not in _NOT_LEARNING}
    found: dict[str, Any] = {
        name: {each: round(count / hundreds, 1) for each, count in used.items() if count}
        for name, used in spent.items()
        if any(used.values())
    }
    total = {"calls": sum(used["calls"] for used in spent.values())}
    total |= {"input_tokens": sum(used["input_tokens"] for used in spent.values())}
    return {"all": {name: round(count / hundreds, 1) for name, count in total.items()}, **found}


class _Reader:
    """Answers as somebody would who knows the labels."""

    def __init__(self, group: DeskGroup) -> None:
        self._by_text: dict[str, list[Label]] = {}
        texts = {said.message_id: said.text for said in group.script.messages}
        for label in (*group.must, *group.may):
            self._by_text.setdefault(texts.get(label.messages[0], ""), []).append(label)

    def reply(self, request: GeminiRequest) -> str | dict[str, Any]:
        if "<facts>" in request.prompt:
            told = _FACT.findall(request.prompt)
            return " ".join(json.loads(text) for text in told)[:_PROSE]
        if request.schema is None:
            return one_line(request.turns[-1][1][-1][-2 * _PROSE :], _PROSE)
        if not asks_to_read(request):
            return echo(request)
        said = list(lines_of(request.prompt))
        tail = request.prompt[-700:]
        return reading(request, one_line(tail, _SUMMARY), [one_line(tail, _DETAIL)], self._facts(said))

    def _facts(self, said: Sequence[tuple[int, int, str]]) -> Iterator[dict[str, Any]]:
        for number, member, text in said:
            for label in self._by_text.get(text, ()):
                quote = label.quote or text
                fact = {"about": 0 if label.subject == "chat" else member, "message": number, "quote": quote}
                fact |= {"key": f"{label.category or 'experience'}.{label.id}", "value": quote[:60], "text": quote}
                yield fact | {"verdict": "new", "until": "", "confidence": 0.95}
