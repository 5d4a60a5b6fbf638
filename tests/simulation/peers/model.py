"""A language model that takes its time, fails, and writes what each task asks for, now and then nonsense."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.application.ports.model import ModelReply, ModelRequest, TokenUsage, ToolCall
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.simulation.peers.bot_api import UNSAYABLE
from tests.simulation.peers.errands import at_work
from tests.simulation.ports import Life

_VERBS = ("люблю", "живу", "працюю", "планую")
_SAID = re.compile(rf"([\w'’ ]*\b(?:{'|'.join(_VERBS)})\b[\w'’ ]*)")
_SECONDS = {"answer": 1.5, "search": 2.0}


_WORD, _RETOLD, _PART = (re.compile(each, re.MULTILINE) for each in (r"зелк\d+ович", r"чиво\d+клез", r"^\[part "))
_FOUND = re.compile(r"<found>.*?</found>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call that was answered, and is to be paid.

    Attributes:
        task: The payload of the task in which it was made.
        begun, ended: Virtual seconds.
        talk: The conversation that it was shown.
        found: The messages that it was shown because the question finds them: they are not told twice.
        skew: Seconds by which the caller's clock was ahead.
    """

    task: Mapping[str, Any]
    purpose: str
    begun: float
    ended: float
    tokens: int
    caller: Life
    talk: str
    found: str
    skew: float


class SimulatedModel:
    """`LanguageModel` of one instance.

    Args:
        calls: Where calls that were answered are noted.
    """

    def __init__(self, life: Life, calls: list[ModelCall]) -> None:
        self._life, self._calls = life, calls

    async def generate(self, request: ModelRequest) -> ModelReply:
        life, chance = self._life, self._life.weather.chance
        begun = asyncio.get_running_loop().time()
        prompt = "\n".join(part for turn in request.turns for part in turn.parts if isinstance(part, str))
        try:
            await life.before(_SECONDS.get(request.purpose, 1.0))
            if life.weather.strikes("model"):
                raise chance.choice((ModelUnavailable, ModelRefused))("simulated")
            if chance.random() < 0.01:
                await life.before(60.0)
        except asyncio.CancelledError:  # who asked waits no longer, and pays for what was asked
            usage = TokenUsage(len(prompt) // 4, 0)
            self._note(request, begun, usage, prompt)
            if request.on_given_up is not None:
                request.on_given_up(ModelReply("", "simulated-1", usage))
            raise
        called = self._call_tool(request, prompt)
        text = "" if called else self._reply(request, prompt)
        usage = TokenUsage(len(prompt) // 4, len(text) // 4)
        await life.after(0.05)
        self._note(request, begun, usage, prompt)
        return ModelReply(text, "simulated-1", usage, called)

    def _note(self, request: ModelRequest, begun: float, usage: TokenUsage, talk: str) -> None:
        ended = asyncio.get_running_loop().time()
        skew, task = self._life.skew.total_seconds(), at_work.get().task
        told = (talk, "".join(_FOUND.findall(request.system)))
        self._calls.append(ModelCall(task, request.purpose, begun, ended, usage.total, self._life, *told, skew))

    def _call_tool(self, request: ModelRequest, prompt: str) -> tuple[ToolCall, ...]:
        """Call one or two of the tools that are offered, now and then with arguments that mean nothing."""
        chance = self._life.weather.chance
        if not (request.tools and request.may_call) or chance.random() < 0.5:
            return ()
        names = chance.choices([tool.name for tool in request.tools], k=chance.choice((1, 1, 2)))
        quote = next(iter(_SAID.findall(_lines_with_verbs(prompt))[-1:]), "чай").strip()
        sensible = {
            "recall": {"query": chance.choice(("кава", "хто де живе", quote))},
            "remember": {
                "about": "asker",
                "category": "preference",
                "key": "likes",
                "value": quote.split()[-1],
                "quote": quote,
            },
            "forget": {"query": quote.split()[-1]},
            "calculator": {"expression": "2 * (3 + 4)"},
        }
        return tuple(
            ToolCall(name, sensible.get(name, {}) if chance.random() < 0.9 else {"x": 1}, f"call-{number}")
            for number, name in enumerate(names)
        )

    def _reply(self, request: ModelRequest, prompt: str) -> str:
        chance = self._life.weather.chance
        if chance.random() < 0.02:
            return chance.choice(("{", "[]", '```json\n{"facts": [{}]}\n```', "I cannot help with that."))
        match request.purpose:
            case "answer":
                mark = f"{chance.getrandbits(32):08x}"
                is_long = chance.random() < 0.1
                mark += UNSAYABLE if chance.random() < 0.01 else ""
                mark += "".join(f", {told}" for told in _RETOLD.findall(f"{request.system}\n{prompt}")[:1])
                return f"Думаю, так ({mark}). " + (f"Розкажу все по порядку {mark}. " * 200 if is_long else "")
            case "reading":
                told = map(_retelling, _WORD.findall(prompt)[::-1])  # the last words in the first chunk
                parts = [{"summary": next(told, "Говорили про своє."), "details": []} for _ in _PART.findall(prompt)]
                return json.dumps({"parts": parts, "facts": self._facts(prompt)}, ensure_ascii=False)
        return "Говорили про своє."

    def _facts(self, prompt: str) -> list[dict[str, object]]:
        """What people say of themselves, quoted, and sometimes a quote that nobody said."""
        chance, found = self._life.weather.chance, []
        for quote in _SAID.findall(_lines_with_verbs(prompt))[-3:]:
            forged = chance.random() < 0.2
            found.append(
                {
                    "subject": f"user:{chance.choice((101, 102, 103, 104))}",
                    "category": "preference",
                    "type": "fact",
                    "key": "likes",
                    "value": quote.split()[-1],
                    "description": quote.strip(),
                    "confidence": 0.9,
                    "message_id": chance.randint(1, 40),
                    "user_id": chance.choice((101, 102, 103, 104)),
                    "quote": f"{quote.strip()} завжди" if forged else quote.strip(),
                }
            )
        return found


def paraphrase(word: str) -> str:
    """Return what stands for a word in a summary that tells of it in other words."""
    return word[::-1]


def _retelling(word: str) -> str:
    return f"Хтось згадав, що є {paraphrase(word)}."


def _lines_with_verbs(prompt: str) -> str:
    return "\n".join(line for line in prompt.splitlines() if any(word in line for word in _VERBS))
