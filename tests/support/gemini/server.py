"""A strict Gemini API on 127.0.0.1: what the real one refuses, this one refuses with the same error body.

    async with FakeGemini("key") as fake:
        model = GeminiModel(api_key="key", base_url=fake.url, chat_model=CHAT_MODEL, extraction_model=EXTRACTION_MODEL)
        fake.reply_with(lambda request: "Привіт")

A responder answers with a text, a dict that becomes JSON text, `Calls` of tools or a `Searched` text. Each of the
`*_next` methods queues what the next request gets instead of a reply; they are used up in order, retries included.
What is refused is in `rules`, the Files API in `files`.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.support.gemini.files import HeldFiles
from tests.support.gemini.rules import (
    MAX_REQUEST_BYTES,
    NATIVE_DIMENSIONS,
    GoogleError,
    camel,
    check_embed,
    check_generate,
    emptiest,
    plain_base64,
    status_name,
)

CHAT_MODEL = "gemini-3.5-flash"
EXTRACTION_MODEL = "gemini-3.5-flash-lite"
EMBEDDING_MODEL = "gemini-embedding-001"


STREAMED = "streamGenerateContent"


@dataclass(frozen=True)
class Calls:
    """A reply that calls tools: (name, arguments) each, after a text or without one."""

    calls: tuple[tuple[str, Mapping[str, Any]], ...]
    text: str = ""


@dataclass(frozen=True)
class Searched:
    """A reply that leans on pages: (title, address) each."""

    text: str
    pages: tuple[tuple[str, str], ...] = ()


def calls(name: str, **arguments: Any) -> Calls:
    """One call."""
    return Calls(((name, arguments),))


@dataclass(frozen=True)
class GeminiRequest:
    """One authenticated call: the model's short name, the method after the colon, the parsed body."""

    model: str
    method: str
    body: dict[str, Any]

    @property
    def system(self) -> str:
        parts = self.body.get("systemInstruction", {}).get("parts", [])
        return "".join(part["text"] for part in parts)

    @property
    def turns(self) -> list[tuple[str, list[str]]]:
        """The conversation as (role, texts of the parts)."""
        return [(t["role"], [part["text"] for part in t["parts"] if "text" in part]) for t in self.body["contents"]]

    def _parts(self, kind: str) -> list[dict[str, Any]]:
        return [camel(part[kind]) for turn in self.body["contents"] for part in turn["parts"] if kind in part]

    @property
    def media(self) -> list[tuple[str, bytes]]:
        """Files inside the request as (MIME type, bytes)."""
        return [(blob["mimeType"], base64.b64decode(blob["data"], b"-_")) for blob in self._parts("inlineData")]

    @property
    def files(self) -> list[str]:
        """Addresses of uploaded files that the request names."""
        return [named["fileUri"] for named in self._parts("fileData")]

    @property
    def called(self) -> list[tuple[str, dict[str, Any]]]:
        """Calls so far as (name, arguments)."""
        return [(call["name"], call.get("args", {})) for call in self._parts("functionCall")]

    @property
    def results(self) -> list[tuple[str, dict[str, Any]]]:
        """Results so far as (name, response)."""
        return [(result["name"], result["response"]) for result in self._parts("functionResponse")]

    @property
    def tools(self) -> list[str]:
        """Names of the tools that it offers; `google_search` for the search."""
        offered = [camel(tool) for tool in self.body.get("tools", ())]
        names = [each["name"] for tool in offered for each in tool.get("functionDeclarations", ())]
        return names + ["google_search" for tool in offered if "googleSearch" in tool]

    @property
    def may_call(self) -> bool:
        """Whether it offers functions and lets the model call them."""
        mode = self.body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode")
        return bool(self.tools) and self.tools != ["google_search"] and mode != "NONE"

    @property
    def prompt(self) -> str:
        """Everything that the model is given to read."""
        return "\n".join([self.system, *("\n".join(texts) for _, texts in self.turns)])

    @property
    def config(self) -> dict[str, Any]:
        return self.body.get("generationConfig", {})

    @property
    def schema(self) -> dict[str, Any] | None:
        return self.config.get("responseJsonSchema")


Reply = str | dict[str, Any] | Calls | Searched
Responder = Callable[[GeminiRequest], Reply]
Fault = Callable[[GeminiRequest, web.Request], Awaitable[web.StreamResponse | None]]


def echo(request: GeminiRequest) -> str | dict[str, Any]:
    """The default responder: the last text back, or the emptiest value that fits the schema."""
    if request.schema is not None:
        return emptiest(request.schema, request.schema)
    return f"echo: {request.turns[-1][1][-1]}"


def bag_of_words(text: str, dimensions: int) -> list[float]:
    """A hashed bag of words and word beginnings, of any length but one; texts without a word get zeros."""
    values = [0.0] * dimensions
    for word in re.findall(r"\w+", text.casefold()):
        for feature, weight in ((word, 1.0), (word[:5] + "…", 2.0)):
            digest = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest())
            values[digest % dimensions] += weight if digest >> 63 else -weight
    return values


class FakeGemini:
    """The server.

    Attributes:
        requests: Every call whose key was accepted and whose body was JSON, in order, refused ones included.
        require_meta: Refuse user turns whose first part is no `[meta]` line.
        thoughts: Text of a thought part put before every reply, "" for none.
        cached_tokens: Reported as served from the prefix cache.
        files: The Files API.
        signatures: Given out with calls; Gemini 3 wants them back.
        refused: Messages for requests that send a field, by its name in the body or in its `generationConfig`.
        flex: What becomes of requests for the flex tier: the tier that answers, or the status of a refusal.
        flex_seconds: How long the flex tier takes.
    """

    def __init__(
        self,
        api_key: str = "test-key",
        *,
        models: Collection[str] = (CHAT_MODEL, EXTRACTION_MODEL, EMBEDDING_MODEL),
        require_meta: bool = False,
    ) -> None:
        self.api_key = api_key
        self.models = set(models)
        self.require_meta = require_meta
        self.requests: list[GeminiRequest] = []
        self.thoughts = ""
        self.cached_tokens = 0
        self.url = ""
        self.files = HeldFiles()
        self.signatures: set[str] = set()
        self.refused: dict[str, str] = {}
        self.flex: str | int = "flex"
        self.flex_seconds = 0.0
        self._numbers = 1
        self._responder: Responder = echo
        self._faults: deque[Fault] = deque()
        self._runner: web.AppRunner | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Settings with which Spomyn talks to this server."""
        return {
            "GEMINI_API_KEY": self.api_key,
            "GOOGLE_GEMINI_BASE_URL": self.url,
            "GEMINI_CHAT_MODEL": CHAT_MODEL,
            "GEMINI_EXTRACTION_MODEL": EXTRACTION_MODEL,
            "GEMINI_EMBEDDING_MODEL": EMBEDDING_MODEL,
        }

    async def __aenter__(self) -> FakeGemini:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/{version:v1|v1beta}/models/{model}:{method}", self._serve)
        app.router.add_get("/{version:v1|v1beta}/models/{model}", self._describe)
        self.files.add_routes(app.router, self._authorise)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    # --- What it answers ---

    def reply_with(self, responder: Responder) -> None:
        """From now on `generateContent` answers with this: a text, a dict that becomes JSON text, or calls."""
        self._responder = responder

    def refuse(self, field: str, message: str = "") -> None:
        """From now on this server does not know a field, or says something else of it."""
        unknown = f'Invalid JSON payload received. Unknown name "{field}": Cannot find field.'
        self.refused[field] = message or unknown

    def fail_next(self, status: int, *, times: int = 1, retry_delay: float | None = None, message: str = "") -> None:
        """An error of Google's; with `retry_delay` seconds in a RetryInfo."""
        info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{retry_delay}s"}
        details = [] if retry_delay is None else [info]

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse:
            raise GoogleError(status, message or status_name(status), details)

        self._queue(fault, times)

    def delay_next(self, seconds: float, *, times: int = 1) -> None:
        """The reply comes, but late."""

        async def fault(request: GeminiRequest, raw: web.Request) -> None:
            await asyncio.sleep(seconds)

        self._queue(fault, times)

    def stall_next(self, seconds: float) -> None:
        """A stream begins, and goes on with its second piece only after a while."""

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse:
            first, *rest = in_chunks(self._answer(request))
            stream = web.StreamResponse(headers={"content-type": "text/event-stream"})
            await stream.prepare(raw)
            await stream.write(_event(first).encode())
            await asyncio.sleep(seconds)
            await stream.write("".join(map(_event, rest)).encode())
            return stream

        self._queue(fault, 1)

    def cut_next(self, *, times: int = 1) -> None:
        """The connection closes without an answer."""

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse:
            assert raw.transport is not None
            raw.transport.abort()
            return web.Response()

        self._queue(fault, times)

    def send_next(
        self, body: str | dict[str, Any], *, status: int = 200, times: int = 1, method: str | None = None
    ) -> None:
        """This body as it is, JSON or not; to the next call of `method`, when one is named."""

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse | None:
            if method not in (None, request.method):
                self._faults.appendleft(fault)
                return None
            text = body if isinstance(body, str) else json.dumps(body)
            return web.Response(text=text, status=status, content_type="application/json")

        self._queue(fault, times)

    def block_next(self, reason: str = "PROHIBITED_CONTENT") -> None:
        """The prompt is blocked: no candidate at all."""
        self.send_next(
            {"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 1}},
            method="generateContent",
        )

    def finish_next(self, reason: str, text: str = "") -> None:
        """The candidate ends for this reason, with this text."""
        candidate: dict[str, Any] = {"finishReason": reason, "index": 0}
        if text:
            candidate["content"] = {"role": "model", "parts": [{"text": text}]}
        self.send_next({"candidates": [candidate]}, method="generateContent")

    def lose_files_next(self) -> None:
        """The uploaded files expire just before the next request is read."""

        async def fault(request: GeminiRequest, raw: web.Request) -> None:
            self.files.expire()

        self._queue(fault, 1)

    def recover(self) -> None:
        """Forget the faults that have not happened yet."""
        self._faults.clear()

    def _queue(self, fault: Fault, times: int) -> None:
        self._faults.extend([fault] * times)

    # --- How it answers ---

    async def _serve(self, raw: web.Request) -> web.StreamResponse:
        try:
            request = await self._accepted(raw)
            self.requests.append(request)
            response = await self._faults.popleft()(request, raw) if self._faults else None
            tier = await self._tier(request)
            answer = response or self._answer(request)
            if isinstance(answer, web.StreamResponse):
                return answer
            if request.method == STREAMED:
                return web.Response(text="".join(map(_event, in_chunks(answer))), content_type="text/event-stream")
            return web.json_response(answer, headers={"x-gemini-service-tier": tier})
        except GoogleError as error:
            return error.response()

    async def _tier(self, request: GeminiRequest) -> str:
        """The tier that answers; the flex tier in its own time, or not at all."""
        for field, message in self.refused.items():
            if field in request.body or field in request.config:
                raise GoogleError(400, message)
        tier = request.body.get("serviceTier", "standard")
        if tier != "flex":
            return str(tier)
        await asyncio.sleep(self.flex_seconds)
        if isinstance(self.flex, int):
            raise GoogleError(self.flex, "The flex tier has no capacity now.")
        return self.flex

    async def _describe(self, raw: web.Request) -> web.StreamResponse:
        name = raw.match_info["model"]
        if raw.headers.get("x-goog-api-key") != self.api_key or name not in self.models:
            return GoogleError(404, f"models/{name} is not found for API version v1.").response()
        methods = ["embedContent" if "embedding" in name else "generateContent"]
        return web.json_response({"name": f"models/{name}", "supportedGenerationMethods": methods})

    def _authorise(self, raw: web.Request) -> None:
        key = raw.headers.get("x-goog-api-key")
        if not key:
            raise GoogleError(403, "Method doesn't allow unregistered callers.")
        if key != self.api_key:
            reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            raise GoogleError(400, "API key not valid. Please pass a valid API key.", [reason])

    async def _accepted(self, raw: web.Request) -> GeminiRequest:
        self._authorise(raw)
        if len(await raw.read()) > MAX_REQUEST_BYTES:
            raise GoogleError(400, f"Request payload size exceeds the limit: {MAX_REQUEST_BYTES} bytes.")
        try:
            body = await raw.json()
        except ValueError as error:
            raise GoogleError(400, "Invalid JSON payload received.") from error
        return GeminiRequest(model=raw.match_info["model"], method=raw.match_info["method"], body=body)

    def _answer(self, request: GeminiRequest) -> dict[str, Any]:
        methods = {"generateContent": self._generate, STREAMED: self._generate, "batchEmbedContents": self._embed}
        if request.model not in self.models or request.method not in methods:
            raise GoogleError(404, f"models/{request.model} is not found for API version v1, or is not supported.")
        return methods[request.method](request)

    def _generate(self, request: GeminiRequest) -> dict[str, Any]:
        check_generate(
            request.body,
            request.model,
            files=self.files.ready(),
            signatures=self.signatures,
            require_meta=self.require_meta,
        )
        reply = self._responder(request)
        if isinstance(reply, Calls):
            return self._calling(request, reply)
        candidate = self._saying(request, reply)
        said = candidate["content"]["parts"][-1]["text"]
        return {
            "candidates": [candidate],
            "usageMetadata": self._usage(request.prompt, said),
            "modelVersion": request.model,
        }

    def _saying(self, request: GeminiRequest, reply: str | dict[str, Any] | Searched) -> dict[str, Any]:
        text = reply.text if isinstance(reply, Searched) else reply
        text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        limit = 4 * request.config.get("maxOutputTokens", 65536)
        parts: list[dict[str, Any]] = [{"text": text[:limit]}]
        if self.thoughts:
            parts.insert(0, {"text": self.thoughts, "thought": True})
        finish = "STOP" if len(text) <= limit else "MAX_TOKENS"
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
        if isinstance(reply, Searched):
            assert request.tools == ["google_search"], "a search was not offered"
            chunks = [{"web": {"uri": uri, "title": title}} for title, uri in reply.pages]
            candidate["groundingMetadata"] = {"webSearchQueries": ["…"], "groundingChunks": chunks}
        return candidate

    def _calling(self, request: GeminiRequest, reply: Calls) -> dict[str, Any]:
        """Calls in one turn; as from Gemini 3 the first one carries the signature."""
        usage = self._usage(request.prompt, str(reply.calls))
        if not request.may_call:
            return {"candidates": [{"finishReason": "UNEXPECTED_TOOL_CALL", "index": 0}], "usageMetadata": usage}
        parts: list[dict[str, Any]] = [{"text": reply.text}] if reply.text else []
        for name, arguments in reply.calls:
            parts.append({"functionCall": {"id": f"call-{self._numbers}", "name": name, "args": dict(arguments)}})
            self._numbers += 1
        signature = base64.b64encode(hashlib.blake2b(f"{self._numbers}".encode(), digest_size=20).digest()).decode()
        self.signatures.add(plain_base64(signature))
        next(part for part in parts if "functionCall" in part)["thoughtSignature"] = signature
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": request.model}

    def _usage(self, prompt: str, reply: str) -> dict[str, int]:
        counts = {"promptTokenCount": len(prompt) // 4, "candidatesTokenCount": len(reply) // 4}
        if self.thoughts:
            counts["thoughtsTokenCount"] = len(self.thoughts) // 4
        total = sum(counts.values())
        if self.cached_tokens:
            counts["cachedContentTokenCount"] = self.cached_tokens
        return counts | {"totalTokenCount": total}

    def _embed(self, request: GeminiRequest) -> dict[str, Any]:
        check_embed(request.body, request.model)
        return {"embeddings": [{"values": _vector(one)} for one in request.body["requests"]]}


def _vector(one: Mapping[str, Any]) -> list[float]:
    text = " ".join(part["text"] for part in one["content"]["parts"])
    return bag_of_words(text, one.get("outputDimensionality", NATIVE_DIMENSIONS))


def in_chunks(answer: dict[str, Any], *, most: int = 4) -> list[dict[str, Any]]:
    """An answer as it is streamed: a text in up to `most` pieces, how it ended and what it cost in the last."""
    (candidate,) = answer["candidates"]
    parts = candidate.get("content", {}).get("parts", [])
    if not parts or "text" not in parts[-1]:
        return [answer]
    text = parts[-1]["text"]
    size = max(1, -(-len(text) // most))
    pieces = [text[at : at + size] for at in range(0, len(text), size)] or [""]
    heads = [{"content": {"role": "model", "parts": [{"text": piece}]}, "index": 0} for piece in pieces]
    heads[0]["content"]["parts"][:0] = parts[:-1]
    heads[-1] |= {key: value for key, value in candidate.items() if key != "content"}
    chunks: list[dict[str, Any]] = [{"candidates": [head]} for head in heads]
    chunks[-1] |= {key: value for key, value in answer.items() if key != "candidates"}
    return chunks


def _event(chunk: dict[str, Any]) -> str:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
