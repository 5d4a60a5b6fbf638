"""A language model that takes its time, fails, and writes what each task asks for, now and then nonsense."""

from __future__ import annotations

import json
import re

from shared.application.ports.model import ModelReply, ModelRequest, TokenUsage
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.simulation.ports import Life

_VERBS = ("люблю", "живу", "працюю", "планую")
_SAID = re.compile(rf"([\w'’ ]*\b(?:{'|'.join(_VERBS)})\b[\w'’ ]*)")
_SECONDS = {"answer": 1.5, "search": 2.0}


class SimulatedModel:
    """`LanguageModel` of one instance."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.calls = 0

    async def generate(self, request: ModelRequest) -> ModelReply:
        life, chance = self._life, self._life.weather.chance
        self.calls += 1
        await life.before(_SECONDS.get(request.purpose, 1.0))
        if life.weather.strikes("model"):
            raise chance.choice((ModelUnavailable, ModelRefused))("simulated")
        if chance.random() < 0.01:
            await life.before(60.0)
        prompt = "\n".join(part for turn in request.turns for part in turn.parts if isinstance(part, str))
        text = self._reply(request, prompt)
        await life.after(0.05)
        return ModelReply(text, "simulated-1", TokenUsage(len(prompt) // 4, len(text) // 4))

    def _reply(self, request: ModelRequest, prompt: str) -> str:
        chance = self._life.weather.chance
        if chance.random() < 0.02:
            return chance.choice(("{", "[]", '```json\n{"facts": [{}]}\n```', "I cannot help with that."))
        match request.purpose:
            case "answer":
                mark = f"{chance.getrandbits(32):08x}"
                is_long = chance.random() < 0.1
                return f"Думаю, так ({mark}). " + (f"Розкажу все по порядку {mark}. " * 200 if is_long else "")
            case "facts":
                return json.dumps({"facts": self._facts(prompt)}, ensure_ascii=False)
            case "episode":
                return json.dumps(
                    {
                        "summary": "Говорили про своє.",
                        "themes": ["побут"],
                        "tone": "теплий",
                        "emotional_arc": "рівний",
                        "participants": [],
                        "key_topics": ["побут"],
                    },
                    ensure_ascii=False,
                )
            case "consolidate":
                return json.dumps({"items": []})
            case "episodes":
                return "NOTHING"
        return "Говорили про своє."

    def _facts(self, prompt: str) -> list[dict[str, object]]:
        """What people say of themselves, quoted, and sometimes a quote that nobody said."""
        chance, found = self._life.weather.chance, []
        lines = [line for line in prompt.splitlines() if any(word in line for word in _VERBS)]
        for quote in _SAID.findall("\n".join(lines))[-3:]:
            forged = chance.random() < 0.2
            found.append(
                {
                    "subject": f"user:{chance.choice((101, 102, 103, 104))}",
                    "category": "preference",
                    "memory_type": "fact",
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
