"""What one piece of a group's life took: documents, tasks, runs of functions, tokens, messages."""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, get_args

from shared.application.documents import usage_path
from shared.application.ports.model import Purpose
from shared.domain.spending.tokens import estimate_tokens
from tests.cost.store import CountingStore, Operations
from tests.support.gemini.server import FakeGemini, GeminiRequest
from tests.support.group import ANSWER_URL, CHAT, EXTRACT_URL, MAINTENANCE_URL, QUEUE, Group

FUNCTIONS = ("webhook", "answer", "extract", "maintenance")
_URLS = {ANSWER_URL: "answer", EXTRACT_URL: "extract", MAINTENANCE_URL: "maintenance"}


@dataclass(slots=True)
class Counted:
    """One piece.

    Attributes:
        times: How often what it is named for happened in it.
        done: Documents.
        created: Calls to the queue; the deliveries are in `runs`.
        runs: Requests that each function served.
        calls, tokens_in, tokens_out: Of the language model, by purpose.
        tokens_shared: Of those read, in a prefix that an earlier request began with too.
        embedded: Tokens that were embedded.
        said: Calls of the Bot API that put a message into a chat.
        api_calls: All calls of the Bot API but "typing…", which is shown as long as it takes.
        cpu_seconds: Of the whole process, the fake peers and their clients included: an upper bound.
    """

    times: int = 1
    done: Operations = field(default_factory=Operations)
    created: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    tokens_in: Counter[str] = field(default_factory=Counter)
    tokens_out: Counter[str] = field(default_factory=Counter)
    tokens_shared: Counter[str] = field(default_factory=Counter)
    embedded: int = 0
    said: int = 0
    api_calls: int = 0
    cpu_seconds: float = 0.0

    @property
    def reads(self) -> int:
        return self.done.reads.total()

    @property
    def writes(self) -> int:
        return self.done.writes.total()

    @property
    def deletes(self) -> int:
        return self.done.deletes.total()


class CountedGemini(FakeGemini):
    """Gemini whose bill is the product's own estimate of tokens: of everything that is sent, schemas and tools too.

    As cached it tells what an earlier request to the model began with too, however short and however long ago: the most
    that a cache of prefixes could hold.
    """

    def __init__(self, api_key: str) -> None:
        super().__init__(api_key)
        self._read: dict[str, list[str]] = {}

    def _generate(self, request: GeminiRequest) -> dict[str, Any]:
        answer = super()._generate(request)
        sent = [request.prompt, json.dumps(request.body.get("tools", [])), json.dumps(request.schema or "")]
        parts = answer["candidates"][0].get("content", {}).get("parts", ())
        said = "".join(part.get("text", "") for part in parts)
        counts = {"promptTokenCount": sum(map(estimate_tokens, sent)), "candidatesTokenCount": estimate_tokens(said)}
        total = sum(counts.values())
        cached = {"cachedContentTokenCount": self._shared(request.model, f"{sent[1]}{request.prompt}")}
        return answer | {"usageMetadata": counts | cached | {"totalTokenCount": total}}

    def _shared(self, model: str, text: str) -> int:
        """Tokens of the longest beginning that a text has in common with one read before."""
        before = self._read.setdefault(model, [])
        longest = max((_in_common(text, each) for each in before), default=0)
        before.append(text)
        return estimate_tokens(text[:longest]) if longest else 0


class Meter:
    """Takes the group's life to pieces."""

    def __init__(self, group: Group, store: CountingStore, gemini: CountedGemini) -> None:
        self.group, self._store, self._gemini = group, store, gemini
        self.runs: Counter[str] = Counter()

    @contextlib.contextmanager
    def piece(self, into: Counted) -> Iterator[Counted]:
        """Add what happens inside to a piece."""
        store, group = self._store, self.group
        store.done, self.runs = into.done, into.runs
        before = (len(group.tasks.calls), self._spoken(), len(group.api.sent), len(self._gemini.requests))
        booked, began = self._booked(), time.process_time()
        yield into
        into.cpu_seconds += time.process_time() - began
        store.done, self.runs = Operations(), Counter()
        into.created += len(group.tasks.calls) - before[0]
        into.api_calls += self._spoken() - before[1]
        into.said += len(group.api.sent) - before[2]
        into.embedded += sum(map(_embedded, self._gemini.requests[before[3] :]))
        self._add_booked(into, booked)

    def _spoken(self) -> int:
        return sum(call.method != "sendChatAction" for call in self.group.api.calls)

    def _booked(self) -> Counter[str]:
        """What the product booked for this chat on all days; read beside the count."""
        rows = self._store._fetch(
            "SELECT data FROM documents WHERE parent = ?",
            (usage_path(CHAT, self.group.clock.now().date()).rsplit("/", 1)[0],),
        )
        found: Counter[str] = Counter()
        for (text,) in rows:
            found.update({name: n for name, n in json.loads(text).items() if isinstance(n, int)})
        return found

    def _add_booked(self, into: Counted, before: Counter[str]) -> None:
        more = self._booked() - before
        for purpose in get_args(Purpose):
            into.calls[purpose] += more[f"{purpose}_calls"]
            into.tokens_in[purpose] += more[f"{purpose}_input_tokens"]
            into.tokens_out[purpose] += more[f"{purpose}_output_tokens"]
            into.tokens_shared[purpose] += more[f"{purpose}_cached_tokens"]

    async def take_in(self, update: Any) -> None:
        """One update through the webhook."""
        self.runs["webhook"] += 1
        assert await self.group.post(update) == 200

    async def answer(self) -> None:
        """Let the function `answer` make what was asked for."""
        await self._run_due(QUEUE["answers"])

    async def work(self) -> int:
        """Let the workers do what is due; how many tasks that were."""
        return await self._run_due(None)

    async def _run_due(self, queue: str | None) -> int:
        now, tasks = self.group.clock.now(), self.group.tasks
        due = [stored for stored in tasks.tasks.values() if stored.due <= now and queue in (None, stored.queue)]
        self.runs.update(_function_of(stored.task.http_request.url) for stored in due)
        ran = await tasks.dispatch_due(now, queue=queue)
        assert not tasks.exhausted, tasks.exhausted
        return ran


def _function_of(url: str) -> str:
    return next(name for prefix, name in _URLS.items() if url.startswith(prefix))


def _in_common(one: str, other: str) -> int:
    """Characters that two texts both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (this, that) in pairs if this != that), min(len(one), len(other)))


def _embedded(request: GeminiRequest) -> int:
    if request.method != "batchEmbedContents":
        return 0
    return sum(estimate_tokens(part["text"]) for one in request.body["requests"] for part in one["content"]["parts"])
