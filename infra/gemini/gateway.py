"""One SDK client, made by the first call, and the translation of everything that can go wrong in it."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from infra.web.tls import tls_context
from shared.domain.errors import ModelRefused, ModelUnavailable, SpomynError

if TYPE_CHECKING:
    from google.genai import Client, errors
    from google.genai.client import AsyncClient
    from httpx2 import AsyncClient as HttpClient

_ATTEMPTS = 3
_MAX_RETRY_DELAY = 4.0
_TRANSIENT_CODES = (408, 429, 500, 502, 503, 504)
_MESSAGE_CHARS = 200
_SECRET = re.compile(r"https?://\S+|\bAIza[\w-]+|\bapi_key:\S+")
"""Secrets that Google may name in a message and no log may hold."""

R = TypeVar("R")


class Gateway:
    """The way to Google: one connection pool, one deadline for each call."""

    def __init__(self, *, api_key: str, base_url: str | None, timeout: timedelta, retry_delay: timedelta) -> None:
        self._api_key = api_key
        self._base_url = base_url
        self._seconds = timeout.total_seconds()
        self._retry_delay = retry_delay.total_seconds()
        self._client: Client | None = None
        self._http: HttpClient | None = None

    async def call(
        self,
        ask: Callable[[AsyncClient], Awaitable[R]],
        *,
        model: str,
        setting: str,
        within: timedelta | None = None,
    ) -> R:
        """The answer of `ask`, all its requests and their retries included, within the deadline.

        Args:
            ask: Makes the SDK calls.
            model: The model that it asks.
            setting: The environment variable that names the model, for the message of an unknown one.
            within: Another deadline.
        """
        seconds = self._seconds if within is None else within.total_seconds()
        import httpx2
        from google.genai import errors

        try:
            async with asyncio.timeout(seconds):
                return await ask(self._get_client())
        except TimeoutError as error:
            raise ModelUnavailable(f"Gemini did not answer within {seconds:g} s.") from error
        except errors.APIError as error:
            raise translate_error(error, model, setting) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ModelUnavailable(f"No connection to Gemini: {type(error).__name__}.") from error
        except RecursionError as error:  # the SDK reads every answer to a schema as JSON
            raise ModelRefused("Gemini's answer is nested too deeply to be read.") from error
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            # The SDK has no error of its own for a body that is no JSON, or JSON of another shape.
            raise ModelUnavailable(f"Gemini's answer could not be read: {type(error).__name__}.") from error

    def _get_client(self) -> AsyncClient:
        if self._client is None:
            self._client = self._connect()
        return self._client.aio

    def _connect(self) -> Client:
        import httpx2
        from google.genai import Client, types

        # Our own connection pool: left to itself the SDK takes whichever HTTP library happens to be installed, and
        # each fails with errors of its own.
        tls = tls_context()
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
        """Release connections; the next call makes new ones."""
        client, self._client = self._client, None
        http, self._http = self._http, None
        if client is not None:
            await client.aio.aclose()
            client.close()
        if http is not None:
            await http.aclose()


def translate_error(error: errors.APIError, model: str, setting: str) -> SpomynError:
    """The error of ours that says what to do about one of Google's."""
    said = f"{error.code} {error.status or ''}".strip()
    message = _SECRET.sub("…", str(error.message or ""))[:_MESSAGE_CHARS]
    if error.code in (403, 404) and "File" in message:
        return ModelUnavailable(f"Gemini lost a file that was uploaded ({said}): {message}")
    if error.code in (401, 403) or _has_reason(error, "API_KEY_INVALID"):
        return ModelUnavailable(f"Gemini does not accept the API key ({said}): put a valid one into GEMINI_API_KEY.")
    if error.code == 404:
        return ModelUnavailable(f"Gemini has no model {model!r} ({said}): put the name of one it has into {setting}.")
    if error.code in _TRANSIENT_CODES or not 400 <= error.code < 500:
        return ModelUnavailable(f"Gemini is unavailable ({said}).", retry_after=_retry_after(error))
    if error.status == "FAILED_PRECONDITION":
        return ModelUnavailable(f"Gemini does not serve the project of GEMINI_API_KEY ({said}): {message}")
    return ModelRefused(f"Gemini refused the request ({said}): {message}")


def may_pass(error: ModelUnavailable) -> bool:
    """Return whether it may be answered elsewhere or later: not when the key, the model or the project is refused."""
    code = getattr(error.__cause__, "code", None)
    return code is None or code in _TRANSIENT_CODES or not 400 <= code < 500


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


class BriefAsker:
    """Asks Google little and seldom, while an operator waits."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | None,
        timeout: timedelta = timedelta(seconds=15),
        retry_delay: timedelta = timedelta(seconds=0.5),
    ) -> None:
        """Connects to nothing yet; arguments as for `GeminiModel`."""
        self._gateway = Gateway(api_key=api_key, base_url=base_url, timeout=timeout, retry_delay=retry_delay)
