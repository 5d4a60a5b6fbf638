"""Gemini as the language model and the embedder.

The SDK is imported by the first call: it costs a cold start more than everything else together, and most updates need
no model. One deadline bounds a call with all its retries; whatever goes wrong leaves as `ModelUnavailable` or
`ModelRefused`, so that the caller can fall back on quoting memory.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from shared.application.ports.model import ModelReply, ModelRequest, TokenUsage
from shared.application.ports.store import Vector
from shared.domain.errors import ModelRefused, ModelUnavailable, SpomynError

if TYPE_CHECKING:
    from google.genai import Client, errors, types
    from google.genai.models import AsyncModels
    from httpx2 import AsyncClient

MAX_EMBED_BATCH = 100
"""Most texts in one embedding request (Gemini's limit)."""

_ATTEMPTS = 3
_MAX_RETRY_DELAY = 4.0
_TRANSIENT_CODES = (408, 429, 500, 502, 503, 504)
_FINISHED = ("STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED")
_MESSAGE_CHARS = 200

R = TypeVar("R")


class _Gateway:
    """One SDK client, made by the first call, and the translation of everything that can go wrong in it."""

    def __init__(self, *, api_key: str, base_url: str | None, timeout: timedelta, retry_delay: timedelta) -> None:
        self._api_key = api_key
        self._base_url = base_url
        self._seconds = timeout.total_seconds()
        self._retry_delay = retry_delay.total_seconds()
        self._client: Client | None = None
        self._http: AsyncClient | None = None

    async def call(self, ask: Callable[[AsyncModels], Awaitable[R]], *, model: str, setting: str) -> R:
        """The answer of `ask`, all its retries included, within the deadline.

        Args:
            ask: Makes one SDK call.
            model: The model that it asks.
            setting: The environment variable that names the model, for the message of an unknown one.
        """
        import httpx2
        from google.genai import errors

        try:
            async with asyncio.timeout(self._seconds):
                return await ask(self._models())
        except TimeoutError as error:
            raise ModelUnavailable(f"Gemini did not answer within {self._seconds:g} s.") from error
        except errors.APIError as error:
            raise _translated(error, model, setting) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ModelUnavailable(f"No connection to Gemini: {type(error).__name__}.") from error
        except (ValueError, TypeError, AttributeError) as error:
            # The SDK has no error of its own for a body that is no JSON, or JSON of another shape.
            raise ModelUnavailable(f"Gemini's answer could not be read: {type(error).__name__}.") from error

    def _models(self) -> AsyncModels:
        if self._client is None:
            self._client = self._connect()
        return self._client.aio.models

    def _connect(self) -> Client:
        import httpx2
        from google.genai import Client, types

        # Our own connection pool: left to itself the SDK takes whichever HTTP library happens to be installed, and
        # each fails with errors of its own. And one TLS context for all that it builds: each takes 30 ms to load.
        tls = httpx2.create_ssl_context()
        self._http = httpx2.AsyncClient(verify=tls)
        retries = types.HttpRetryOptions(
            attempts=_ATTEMPTS,
            initial_delay=self._retry_delay,
            max_delay=_MAX_RETRY_DELAY,
            jitter=self._retry_delay,
            http_status_codes=list(_TRANSIENT_CODES),
        )
        options = types.HttpOptions(
            base_url=self._base_url,
            timeout=math.ceil(self._seconds * 1000),
            retry_options=retries,
            httpx_async_client=self._http,
            client_args={"verify": tls},
            async_client_args={"ssl": tls},
        )
        return Client(api_key=self._api_key, vertexai=False, http_options=options)

    async def aclose(self) -> None:
        client, self._client = self._client, None
        http, self._http = self._http, None
        if client is not None:
            await client.aio.aclose()
            client.close()
        if http is not None:
            await http.aclose()


class GeminiModel:
    """A `LanguageModel` on Gemini."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | None,
        chat_model: str,
        extraction_model: str,
        timeout: timedelta = timedelta(seconds=40),
        retry_delay: timedelta = timedelta(seconds=0.5),
    ) -> None:
        """Connects to nothing yet.

        Args:
            api_key: Of the Gemini API (GEMINI_API_KEY).
            base_url: Another endpoint than Google's, or None.
            chat_model: Name of the model of the "chat" tier.
            extraction_model: Name of the model of the "extraction" tier.
            timeout: Bound on one `generate` with all its retries.
            retry_delay: Before the first retry; doubles, with jitter.
        """
        self._names = {"chat": chat_model, "extraction": extraction_model}
        self._gateway = _Gateway(api_key=api_key, base_url=base_url, timeout=timeout, retry_delay=retry_delay)

    async def generate(self, request: ModelRequest) -> ModelReply:
        """One reply; see `LanguageModel.generate`. A reply cut off at `max_output_tokens` is returned as it is.

        Raises:
            ModelUnavailable: No answer in time, quota, 5xx, broken connection, unreadable answer, or a key or model
                name that Google does not accept (the message names the setting).
            ModelRefused: Prompt or answer blocked, no candidate, no text, or a request that Google finds invalid.
        """
        name = self._names[request.tier]
        contents: Any = _contents(request)
        config = _config(request, name)
        response = await self._gateway.call(
            lambda models: models.generate_content(model=name, contents=contents, config=config),
            model=name,
            setting=f"GEMINI_{request.tier.upper()}_MODEL",
        )
        return ModelReply(text=_text(response), model=name, usage=_usage(response))

    async def aclose(self) -> None:
        """Release connections."""
        await self._gateway.aclose()


class GeminiEmbedder:
    """An `Embedder` on Gemini. Shortened vectors do not come normalised from Google; here they are."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | None,
        model: str,
        dimensions: int = 768,
        timeout: timedelta = timedelta(seconds=40),
        retry_delay: timedelta = timedelta(seconds=0.5),
    ) -> None:
        """Connects to nothing yet; arguments as for `GeminiModel`, `timeout` bounds one request of up to 100 texts."""
        self._model = model
        self._dimensions = dimensions
        self._gateway = _Gateway(api_key=api_key, base_url=base_url, timeout=timeout, retry_delay=retry_delay)

    @property
    def name(self) -> str:
        """Model and dimension, e.g. `gemini-embedding-001/768`."""
        return f"{self._model}/{self._dimensions}"

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One unit vector a text, in order; see `Embedder.embed`.

        Raises:
            ModelUnavailable: As for `GeminiModel.generate`, a request that Google finds invalid included; or a vector
                is missing, of another dimension, or zero.
        """
        vectors: list[Vector] = []
        for start in range(0, len(texts), MAX_EMBED_BATCH):
            vectors += await self._embed_batch(texts[start : start + MAX_EMBED_BATCH], query=query)
        return vectors

    async def _embed_batch(self, texts: Sequence[str], *, query: bool) -> list[Vector]:
        from google.genai import types

        # Content objects, not strings: for some models the SDK merges a list of strings into one text.
        contents: Any = [types.Content(role="user", parts=[types.Part(text=text)]) for text in texts]
        config = types.EmbedContentConfig(
            task_type="RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT", output_dimensionality=self._dimensions
        )
        try:
            response = await self._gateway.call(
                lambda models: models.embed_content(model=self._model, contents=contents, config=config),
                model=self._model,
                setting="GEMINI_EMBEDDING_MODEL",
            )
        except ModelRefused as error:  # the port knows no refusal: without a vector the search goes on by words
            raise ModelUnavailable(str(error)) from error
        embeddings = response.embeddings or []
        if len(embeddings) != len(texts):
            raise ModelUnavailable(f"Gemini returned {len(embeddings)} vectors for {len(texts)} texts.")
        return [self._unit(embedding.values or []) for embedding in embeddings]

    def _unit(self, values: Sequence[float]) -> Vector:
        norm = math.hypot(*values)
        if len(values) != self._dimensions or not 0 < norm < math.inf:
            raise ModelUnavailable(
                f"Gemini returned {len(values)} dimensions of length {norm:g}, not {self._dimensions} of a direction."
            )
        return Vector(value / norm for value in values)

    async def aclose(self) -> None:
        """Release connections."""
        await self._gateway.aclose()


def _contents(request: ModelRequest) -> list[types.Content]:
    from google.genai import types

    return [
        types.Content(role=turn.role, parts=[types.Part(text=part) for part in turn.parts]) for turn in request.turns
    ]


def _config(request: ModelRequest, model: str) -> types.GenerateContentConfig:
    from google.genai import types

    config = types.GenerateContentConfig(
        system_instruction=request.system or None,
        temperature=request.temperature,
        max_output_tokens=request.max_output_tokens,
    )
    if request.response_schema is not None:
        config.response_mime_type = "application/json"
        config.response_json_schema = dict(request.response_schema)
    if model.rsplit("/", 1)[-1].startswith("gemini-3"):
        # Thoughts are billed as output and count against max_output_tokens: at the default level they can leave
        # nothing for the reply. Older models know no levels and refuse the field.
        config.thinking_config = types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW)
    return config


def _storable(text: str) -> str:
    """Halves of a surrogate pair put together, and lone ones replaced: no document holds those."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(response: types.GenerateContentResponse) -> str:
    feedback = response.prompt_feedback
    if feedback and feedback.block_reason:
        raise ModelRefused(f"Gemini blocked the prompt: {feedback.block_reason.name}.")
    if not response.candidates:
        raise ModelRefused("Gemini returned no candidate.")
    candidate = response.candidates[0]
    reason = candidate.finish_reason.name if candidate.finish_reason else "FINISH_REASON_UNSPECIFIED"
    if reason not in _FINISHED:
        raise ModelRefused(f"Gemini stopped its answer: {reason}.")
    parts = (candidate.content.parts if candidate.content else None) or []
    text = _storable("".join(part.text or "" for part in parts if not part.thought)).strip()
    if not text:
        raise ModelRefused(f"Gemini returned no text ({reason}).")
    return text


def _usage(response: types.GenerateContentResponse) -> TokenUsage:
    usage = response.usage_metadata
    if usage is None:
        return TokenUsage()
    return TokenUsage(
        input=usage.prompt_token_count or 0,
        output=(usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0),
        cached=usage.cached_content_token_count or 0,
    )


def _translated(error: errors.APIError, model: str, setting: str) -> SpomynError:
    """The error of ours that says what to do about one of Google's."""
    said = f"{error.code} {error.status or ''}".strip()
    if error.code in (401, 403) or _has_reason(error, "API_KEY_INVALID"):
        return ModelUnavailable(f"Gemini does not accept the API key ({said}): put a valid one into GEMINI_API_KEY.")
    if error.code == 404:
        return ModelUnavailable(f"Gemini has no model {model!r} ({said}): put the name of one it has into {setting}.")
    if error.code in _TRANSIENT_CODES or not 400 <= error.code < 500:
        return ModelUnavailable(f"Gemini is unavailable ({said}).", retry_after=_retry_after(error))
    message = str(error.message or "")[:_MESSAGE_CHARS]
    if error.status == "FAILED_PRECONDITION":
        return ModelUnavailable(f"Gemini does not serve the project of GEMINI_API_KEY ({said}): {message}")
    return ModelRefused(f"Gemini refused the request ({said}): {message}")


def _has_reason(error: errors.APIError, reason: str) -> bool:
    return any(detail.get("reason") == reason for detail in _details(error))


def _retry_after(error: errors.APIError) -> float | None:
    """Seconds of the RetryInfo among the error's details."""
    for detail in _details(error):
        delay = re.fullmatch(r"(\d+(?:\.\d+)?)s", str(detail.get("retryDelay")))
        if delay:
            return float(delay[1])
    return None


def _details(error: errors.APIError) -> Iterator[dict[str, Any]]:
    # A proxy may answer with any body.
    body = error.details.get("error") if isinstance(error.details, dict) else None
    details = body.get("details") if isinstance(body, dict) else None
    return (detail for detail in (details if isinstance(details, list) else ()) if isinstance(detail, dict))
