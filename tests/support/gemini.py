"""A strict Gemini API on 127.0.0.1: what the real one refuses, this one refuses with the same error body.

    async with FakeGemini("key") as fake:
        model = GeminiModel(api_key="key", base_url=fake.url, chat_model=CHAT_MODEL, extraction_model=EXTRACTION_MODEL)
        fake.reply_with(lambda request: "Привіт")

Each of the `*_next` methods queues what the next request gets instead of a reply; they are used up in order, retries
included.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

CHAT_MODEL = "gemini-3.5-flash"
EXTRACTION_MODEL = "gemini-3.5-flash-lite"
EMBEDDING_MODEL = "gemini-embedding-001"

_STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_REQUEST_FIELDS = {"contents", "systemInstruction", "generationConfig"}
_CONFIG_FIELDS = {
    "temperature",
    "topP",
    "topK",
    "maxOutputTokens",
    "stopSequences",
    "seed",
    "responseMimeType",
    "responseJsonSchema",
    "thinkingConfig",
}
_EMBED_FIELDS = {"model", "content", "taskType", "outputDimensionality"}
_TASK_TYPES = {"RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"}
_THINKING_LEVELS = {"MINIMAL", "LOW", "MEDIUM", "HIGH"}
_MAX_BATCH = 100
_NATIVE_DIMENSIONS = 3072


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
        return [(turn["role"], [part["text"] for part in turn["parts"]]) for turn in self.body["contents"]]

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


Responder = Callable[[GeminiRequest], str | dict[str, Any]]
Fault = Callable[[GeminiRequest, web.Request], Awaitable[web.StreamResponse | None]]


class GoogleError(Exception):
    """Becomes Google's error body."""

    def __init__(self, code: int, message: str, details: Collection[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, list(details)

    def response(self) -> web.Response:
        error: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "status": _STATUS_NAMES.get(self.code, "UNKNOWN"),
        }
        if self.details:
            error["details"] = self.details
        return web.json_response({"error": error}, status=self.code)


def echo(request: GeminiRequest) -> str | dict[str, Any]:
    """The default responder: the last text back, or the emptiest value that fits the schema."""
    if request.schema is not None:
        return emptiest(request.schema, request.schema)
    return f"echo: {request.turns[-1][1][-1]}"


def emptiest(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """The emptiest value that a JSON schema allows, required properties included."""
    if "$ref" in schema:
        return emptiest(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return emptiest(schema["anyOf"][0], root)
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        return {name: emptiest(properties[name], root) for name in schema.get("required", ())}
    if schema.get("type") == "array":
        return [emptiest(schema["items"], root)] * schema.get("minItems", 0)
    empty = {"string": "", "number": 0.0, "integer": 0, "boolean": False}
    return empty.get(schema.get("type", "null"))


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
        app = web.Application(client_max_size=8 * 1024 * 1024)
        app.router.add_post("/{version:v1|v1beta}/models/{model}:{method}", self._serve)
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
        """From now on `generateContent` answers with this: a text, or a dict that becomes JSON text."""
        self._responder = responder

    def fail_next(self, status: int, *, times: int = 1, retry_delay: float | None = None, message: str = "") -> None:
        """An error of Google's; with `retry_delay` seconds in a RetryInfo."""
        info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{retry_delay}s"}
        details = [] if retry_delay is None else [info]

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse:
            raise GoogleError(status, message or _STATUS_NAMES.get(status, "failure"), details)

        self._queue(fault, times)

    def delay_next(self, seconds: float, *, times: int = 1) -> None:
        """The reply comes, but late."""

        async def fault(request: GeminiRequest, raw: web.Request) -> None:
            await asyncio.sleep(seconds)

        self._queue(fault, times)

    def cut_next(self, *, times: int = 1) -> None:
        """The connection closes without an answer."""

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse:
            assert raw.transport is not None
            raw.transport.abort()
            return web.Response()

        self._queue(fault, times)

    def send_next(self, body: str | dict[str, Any], *, status: int = 200, times: int = 1) -> None:
        """This body as it is, JSON or not."""

        async def fault(request: GeminiRequest, raw: web.Request) -> web.StreamResponse:
            text = body if isinstance(body, str) else json.dumps(body)
            return web.Response(text=text, status=status, content_type="application/json")

        self._queue(fault, times)

    def block_next(self, reason: str = "PROHIBITED_CONTENT") -> None:
        """The prompt is blocked: no candidate at all."""
        self.send_next({"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 1}})

    def finish_next(self, reason: str, text: str = "") -> None:
        """The candidate ends for this reason, with this text."""
        candidate: dict[str, Any] = {"finishReason": reason, "index": 0}
        if text:
            candidate["content"] = {"role": "model", "parts": [{"text": text}]}
        self.send_next({"candidates": [candidate]})

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
            return response or web.json_response(self._answer(request))
        except GoogleError as error:
            return error.response()

    async def _accepted(self, raw: web.Request) -> GeminiRequest:
        key = raw.headers.get("x-goog-api-key")
        if not key:
            raise GoogleError(403, "Method doesn't allow unregistered callers.")
        if key != self.api_key:
            reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            raise GoogleError(400, "API key not valid. Please pass a valid API key.", [reason])
        try:
            body = await raw.json()
        except ValueError as error:
            raise GoogleError(400, "Invalid JSON payload received.") from error
        return GeminiRequest(model=raw.match_info["model"], method=raw.match_info["method"], body=body)

    def _answer(self, request: GeminiRequest) -> dict[str, Any]:
        methods = {"generateContent": self._generate, "batchEmbedContents": self._embed}
        if request.model not in self.models or request.method not in methods:
            raise GoogleError(404, f"models/{request.model} is not found for API version v1, or is not supported.")
        return methods[request.method](request)

    def _generate(self, request: GeminiRequest) -> dict[str, Any]:
        check_generate(request, require_meta=self.require_meta)
        reply = self._responder(request)
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        limit = 4 * request.config.get("maxOutputTokens", 65536)
        parts = [{"text": text[:limit]}]
        if self.thoughts:
            parts.insert(0, {"text": self.thoughts, "thought": True})
        finish = "STOP" if len(text) <= limit else "MAX_TOKENS"
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
        return {
            "candidates": [candidate],
            "usageMetadata": self._usage(request.prompt, text[:limit]),
            "modelVersion": request.model,
        }

    def _usage(self, prompt: str, reply: str) -> dict[str, int]:
        counts = {"promptTokenCount": len(prompt) // 4, "candidatesTokenCount": len(reply) // 4}
        if self.thoughts:
            counts["thoughtsTokenCount"] = len(self.thoughts) // 4
        total = sum(counts.values())
        if self.cached_tokens:
            counts["cachedContentTokenCount"] = self.cached_tokens
        return counts | {"totalTokenCount": total}

    def _embed(self, request: GeminiRequest) -> dict[str, Any]:
        check_embed(request)
        return {"embeddings": [{"values": _vector(one)} for one in request.body["requests"]]}


def _vector(one: Mapping[str, Any]) -> list[float]:
    text = " ".join(part["text"] for part in one["content"]["parts"])
    return bag_of_words(text, one.get("outputDimensionality", _NATIVE_DIMENSIONS))


# --- What it refuses ---


def check_generate(request: GeminiRequest, *, require_meta: bool) -> None:
    """Raises GoogleError unless the body of a `generateContent` is one that Google takes."""
    body = request.body
    _only(body, _REQUEST_FIELDS)
    contents = body.get("contents")
    _require(isinstance(contents, list) and bool(contents), "contents is not specified")
    for turn in contents:
        _check_content(turn)
        _require(turn.get("role") in {"user", "model"}, "Please use a valid role: user, model.")
        starts_with_meta = turn["parts"][0]["text"].startswith("[meta]")
        _require(turn["role"] == "model" or starts_with_meta or not require_meta, "a user turn has no [meta] line")
    _require(contents[-1]["role"] == "user", "Please ensure that the last turn is the user's.")
    if "systemInstruction" in body:
        _check_content(body["systemInstruction"])
    _check_config(request.config, request.model)


def _check_config(config: Mapping[str, Any], model: str) -> None:
    _only(config, _CONFIG_FIELDS)
    _require(0 <= config.get("temperature", 1) <= 2, "temperature must be in the range [0, 2].")
    tokens = config.get("maxOutputTokens", 1)
    _require(isinstance(tokens, int) and tokens > 0, "max_output_tokens must be positive.")
    if "responseJsonSchema" in config:
        _require(isinstance(config["responseJsonSchema"], dict), "Invalid JSON schema.")
        _require(config.get("responseMimeType") == "application/json", "JSON schema needs application/json.")
    if "thinkingConfig" in config:
        # Protobuf's JSON takes both spellings, and the SDK passes this object on in its own.
        level = {name.replace("thinking_level", "thinkingLevel"): at for name, at in config["thinkingConfig"].items()}
        _only(level, {"thinkingLevel"})
        _require(model.startswith("gemini-3"), "Thinking level is not supported for this model.")
        _require(level.get("thinkingLevel") in _THINKING_LEVELS, "Invalid thinking level.")


def check_embed(request: GeminiRequest) -> None:
    """Raises GoogleError unless the body of a `batchEmbedContents` is one that Google takes."""
    _only(request.body, {"requests"})
    requests = request.body.get("requests", [])
    _require(0 < len(requests) <= _MAX_BATCH, "at most 100 requests can be in one batch")
    for one in requests:
        _only(one, _EMBED_FIELDS)
        _require(one.get("model") == f"models/{request.model}", "model in the request differs from that of the batch")
        _check_content(one.get("content"))
        _require(one.get("taskType") in _TASK_TYPES, "Invalid value at 'task_type'")
        _require(1 <= one.get("outputDimensionality", 1) <= _NATIVE_DIMENSIONS, "Invalid output_dimensionality.")


def _check_content(content: Any) -> None:
    _require(isinstance(content, dict), "content is not specified")
    _only(content, {"role", "parts"})
    parts = content.get("parts")
    _require(isinstance(parts, list) and bool(parts), "contents.parts must not be empty.")
    for part in parts:
        _only(part, {"text"})
        text = part.get("text")
        _require(isinstance(text, str) and bool(text), "required oneof field 'data' must have one initialized field")


def _only(fields: Mapping[str, Any], known: Collection[str]) -> None:
    for name in fields:
        _require(name in known, f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.')


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise GoogleError(400, message)
