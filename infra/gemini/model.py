"""Gemini as a `LanguageModel`."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from infra.gemini.fields import OptionalFields
from infra.gemini.gateway import Gateway, may_pass
from shared.domain.errors import ModelUnavailable

if TYPE_CHECKING:
    from google.genai.client import AsyncClient
    from google.genai.types import GenerateContentResponse

    from shared.application.ports.model import ModelReply, ModelRequest


log = logging.getLogger(__name__)


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
        flex: bool = True,
        flex_timeout: timedelta = timedelta(seconds=60),
        flex_rest: timedelta = timedelta(minutes=5),
    ) -> None:
        """Connects to nothing yet.

        Args:
            api_key: Of the Gemini API (GEMINI_API_KEY).
            base_url: Another endpoint than Google's, or None.
            chat_model: Name of the model of the "chat" tier.
            extraction_model: Name of the model of the "extraction" tier.
            timeout: Bound on one `generate` with all its retries and uploads.
            retry_delay: Before the first retry; doubles, with jitter.
            flex: Whether the "extraction" tier asks for Google's flex tier first, which takes half the price and may
                be slow or refuse.
            flex_timeout: How long the flex tier may take; then the standard one is asked, with its own `timeout`.
            flex_rest: How long a model is not asked on the flex tier after it did not answer there: what many calls
                wait for in vain, no task has the time for.
        """
        self._names = {"chat": chat_model, "extraction": extraction_model}
        self._gateway = Gateway(api_key=api_key, base_url=base_url, timeout=timeout, retry_delay=retry_delay)
        self._fields = OptionalFields()
        self._flex, self._flex_timeout, self._flex_rest = flex, flex_timeout, flex_rest.total_seconds()
        self._flex_from: dict[str, float] = {}

    async def generate(self, request: ModelRequest) -> ModelReply:
        """One reply; see `LanguageModel.generate`. A reply cut off at `max_output_tokens` is returned as it is.

        Files travel inside the request as long as it stays under 20 MB; larger ones are uploaded before and deleted
        after it. A model that bungles a call is asked once more, for an answer without calls. A field that a server
        may not know, and refuses by its name, is left out from then on.

        Raises:
            ModelUnavailable: No answer in time, quota, 5xx, broken connection, unreadable answer, or a key or model
                name that Google does not accept (the message names the setting).
            ModelRefused: Prompt or answer blocked, no candidate, neither text nor call, a file that cannot be read, or
                a request that Google finds invalid.
        """
        model, now = self._names[request.tier], asyncio.get_running_loop().time
        if self._flex and _can_wait(request) and now() >= self._flex_from.get(model, 0):
            try:
                return await self._call(request, within=self._flex_timeout)
            except ModelUnavailable as error:
                if not may_pass(error):
                    raise
                log.info("%s does not answer on the flex tier: %s", model, type(error).__name__)
                self._flex_from[model] = now() + self._flex_rest
        return await self._call(request)

    async def _call(self, request: ModelRequest, *, within: timedelta | None = None) -> ModelReply:
        """Ask the standard tier, or the flex tier once and not longer than `within`."""
        return await self._gateway.call(
            lambda client: self._answer(client, request, flex=within),
            model=self._names[request.tier],
            setting=f"GEMINI_{request.tier.upper()}_MODEL",
            within=within,
        )

    async def _answer(self, client: AsyncClient, request: ModelRequest, *, flex: timedelta | None) -> ModelReply:
        from infra.gemini.uploads import too_large_inline, upload_files
        from infra.gemini.wire import BrokenCall, content_of

        name = self._names[request.tier]
        async with upload_files(client, too_large_inline(request)) as files:
            contents: Any = [content_of(turn, files) for turn in request.turns]
            try:
                return await self._generate(client, name, contents, request, flex=flex)
            except BrokenCall as broken:
                if not request.may_call:
                    raise
                reply = await self._generate(client, name, contents, replace(request, may_call=False), flex=flex)
                return replace(reply, usage=broken.usage + reply.usage)

    async def _generate(
        self, client: AsyncClient, name: str, contents: Any, request: ModelRequest, *, flex: timedelta | None
    ) -> ModelReply:
        from google.genai import errors

        from infra.gemini.wire import config_of

        while True:
            config = config_of(request, name, flex=flex)
            self._fields.strip(name, config)
            try:
                return await _reply(client, name, contents, request, config)
            except errors.ClientError as error:
                if not self._fields.learn(name, config, error):
                    raise

    async def aclose(self) -> None:
        """Release connections."""
        await self._gateway.aclose()


def _can_wait(request: ModelRequest) -> bool:
    """Return whether the flex tier is asked: nobody waits, and no large file must be uploaded twice if it refuses."""
    from infra.gemini.uploads import too_large_inline

    return request.tier == "extraction" and not too_large_inline(request)


async def _reply(client: AsyncClient, name: str, contents: Any, request: ModelRequest, config: Any) -> ModelReply:
    from infra.gemini.estimating import estimate_reply
    from infra.gemini.wire import join_chunks, reply_of, text_of

    chunks: list[GenerateContentResponse] = []
    try:
        if request.on_text is None:
            return reply_of(await client.models.generate_content(model=name, contents=contents, config=config), name)
        async for chunk in await client.models.generate_content_stream(model=name, contents=contents, config=config):
            chunks.append(chunk)
            if text_of(chunk):
                request.on_text(text_of(join_chunks(chunks)))
    except asyncio.CancelledError:  # by the deadline of ours, or of who asks
        if request.on_given_up is not None:
            written = text_of(join_chunks(chunks)) if chunks else ""
            request.on_given_up(estimate_reply(request, name, written))
        raise
    return reply_of(join_chunks(chunks), name)
