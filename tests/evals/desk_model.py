"""A model whose replies are written by readers, or were: the desk's folder of requests and replies, and transcripts."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from infra.gemini.estimating import request_tokens
from shared.application.ports.model import ModelReply, ModelRequest, TokenUsage, ToolCall
from shared.application.ports.store import Vector
from shared.domain.errors import ModelRefused, ModelUnavailable
from shared.domain.spending.tokens import estimate_tokens
from tests.evals.desk_requests import Identity, identify, numbers_in, raw, readable, renumber
from tests.evals.desk_transcript import Entry, Transcript, digest_of
from tests.support.gemini.rules import emptiest
from tests.support.gemini.server import bag_of_words

NAME = "desk"
_DIMENSIONS = 256
_WORDS = re.compile(r"\w")
_POLL_SECONDS, _WRITING_SECONDS = 0.5, 0.1
_SHAPES = ("text", "json", "function_call", "raw", "fault")


class PatientLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still while somebody reads: no deadline in it passes meanwhile."""

    _stood = 0.0

    def time(self) -> float:
        return super().time() - self._stood

    def stand_still(self, wait: Callable[[], None]) -> None:
        """Do nothing else until `wait` returns."""
        begun = time.monotonic()
        wait()
        self._stood += time.monotonic() - begun


class DeskFolder:
    """Requests and replies as files: `requests/NNN.md` to read, `NNN.json` raw; `replies/NNN.json` or `NNN.txt`."""

    def __init__(self, folder: Path) -> None:
        self._requests, self._replies = folder / "requests", folder / "replies"
        for each in (self._requests, self._replies):
            each.mkdir(parents=True, exist_ok=True)
        self._known: dict[Identity, str] = {}
        for file in sorted(self._requests.glob("*.json")):
            self._known[_identity_in(json.loads(file.read_text("utf-8")))] = file.stem

    def write(self, identity: Identity, request: ModelRequest) -> str:
        """Write a request down, unless it lies there already; its number."""
        if identity in self._known:
            return self._known[identity]
        number = f"{max(map(int, self._known.values()), default=0) + 1:03d}"
        sent = raw(request) | {
            "identity": {"purpose": identity.purpose, "kind": identity.kind, "pieces": identity.pieces}
            | {"nth": identity.nth},
            "digest": digest_of(request),
            "numbers": numbers_in(request),
        }
        self._requests.joinpath(f"{number}.json").write_text(json.dumps(sent, ensure_ascii=False, indent=1), "utf-8")
        self._requests.joinpath(f"{number}.md").write_text(readable(request), "utf-8")
        self._known[identity] = number
        return number

    def reply(self, number: str) -> Any:
        """Return the reply to a request, None while there is none."""
        for file in (self._replies / f"{number}.json", self._replies / f"{number}.txt"):
            if file.is_file() and (written := file.read_text("utf-8")).strip():
                return _shaped(file.suffix, written)
        return None

    def whole_reply(self, number: str) -> Any:
        """Return the reply to a request, None while there is none or somebody still writes it."""
        first = self.reply(number)
        time.sleep(_WRITING_SECONDS if first is not None else 0)
        return first if first == self.reply(number) else None

    def entries(self, place: str = "") -> list[tuple[Entry, str]]:
        """Return all that was answered, with the request as it was read."""
        found = []
        for number in sorted(self._known.values()):
            sent = json.loads(self._requests.joinpath(f"{number}.json").read_text("utf-8"))
            if (reply := self.reply(number)) is not None:
                entry = Entry(_identity_in(sent), sent["digest"], sent["numbers"], reply, place)
                found.append((entry, self._requests.joinpath(f"{number}.md").read_text("utf-8")))
        return found


def _identity_in(sent: dict[str, Any]) -> Identity:
    identity = sent["identity"]
    return Identity(identity["purpose"], identity["kind"], tuple(identity["pieces"]), identity["nth"])


def _shaped(suffix: str, written: str) -> Any:
    """Return a reply as transcripts keep it; what is no JSON is a text, as from a model."""
    if suffix == ".txt":
        return {"text": written.rstrip("\n")}
    try:
        value = json.loads(written)
    except ValueError:
        return {"text": written}
    directed = isinstance(value, dict) and len(value) == 1 and next(iter(value)) in _SHAPES
    return value if directed else {"json": value}


@dataclass
class DeskModel:
    """A `LanguageModel` that says what was answered, and has what was not be read.

    Attributes:
        transcript: What was answered earlier; it comes first.
        folder: Where requests are laid, None: nobody reads, and what was not answered gets the emptiest reply.
        waits: Whether it waits for readers; else who asks is told that the model is away.
        is_waiting: A request was not answered.
        asked, changed, missing: How many requests there were, whose wording is another than when they were read, and
            which are in no transcript.
    """

    transcript: Transcript
    folder: DeskFolder | None = None
    waits: bool = False
    is_waiting: bool = False
    asked: int = 0
    changed: int = 0
    missing: list[Identity] = field(default_factory=list)
    _times: Counter[Identity] = field(default_factory=Counter)

    async def generate(self, request: ModelRequest) -> ModelReply:
        """Return what a reader says.

        Raises:
            ModelUnavailable: Nobody has answered yet, it searches the web, or a reader said so.
            ModelRefused: A reader said so.
        """
        if request.web_search:
            raise ModelUnavailable("nothing is searched at the desk")
        self.asked += 1
        identity = self._count(identify(request))
        if entry := self.transcript.find(identity):
            return self._known(request, entry)
        if self.folder is None:
            return self._unknown(request, identity)
        number = self.folder.write(identity, request)
        if self.waits:
            self._wait(number, identity)
        reply = self.folder.reply(number) if self.waits else self.folder.whole_reply(number)
        self.is_waiting |= reply is None
        if reply is None:
            raise ModelUnavailable(f"nobody has answered {number} yet")
        return _as_reply(request, reply)

    def _count(self, identity: Identity) -> Identity:
        self._times[identity] += 1
        return replace(identity, nth=self._times[identity])

    def _known(self, request: ModelRequest, entry: Entry) -> ModelReply:
        if entry.digest == digest_of(request):
            return _as_reply(request, entry.reply)
        self.changed += 1
        if "json" not in entry.reply:
            return _as_reply(request, entry.reply)
        return _as_reply(request, {"json": renumber(entry.reply["json"], entry.numbers, numbers_in(request))})

    def _unknown(self, request: ModelRequest, identity: Identity) -> ModelReply:
        self.missing.append(identity)
        if request.response_schema is None:
            raise ModelRefused("this was never answered at the desk")
        return _as_reply(request, {"json": emptiest(request.response_schema, request.response_schema)})

    def _wait(self, number: str, identity: Identity) -> None:
        folder, loop = self.folder, asyncio.get_running_loop()
        if folder is None or folder.reply(number) is not None:
            return
        if not isinstance(loop, PatientLoop):
            raise TypeError("only a PatientLoop waits for readers")
        print(f"{number} {identity.purpose} ({identity.about}) waits for a reply", file=sys.stderr, flush=True)

        def wait() -> None:
            while folder.whole_reply(number) is None:
                time.sleep(_POLL_SECONDS)

        loop.stand_still(wait)


def _as_reply(request: ModelRequest, reply: Any) -> ModelReply:
    (shape, said), *_ = reply.items()
    calls: tuple[ToolCall, ...] = ()
    if shape == "fault":
        raise (ModelUnavailable if said == "unavailable" else ModelRefused)(f"the desk: {said}")
    if shape == "function_call":
        made = said if isinstance(said, list) else [said]
        calls = tuple(ToolCall(each["name"], each.get("args", {})) for each in made)
    text = "" if calls else said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    written = json.dumps(said, ensure_ascii=False) if calls else text
    return ModelReply(text, NAME, TokenUsage(request_tokens(request), estimate_tokens(written)), calls)


class WordEmbedder:
    """An `Embedder` to which texts are alike that share words."""

    name = f"words/{_DIMENSIONS}"

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """Return hashed bags of words, each of length 1."""
        return [_unit(bag_of_words(text if _WORDS.search(text) else "-0-", _DIMENSIONS)) for text in texts]


def _unit(values: Sequence[float]) -> Vector:
    length = sum(value * value for value in values) ** 0.5
    return Vector(value / length for value in values)
