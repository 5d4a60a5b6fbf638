"""Gemini as a `LanguageModel`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from infra.gemini.gateway import Gateway

if TYPE_CHECKING:
    from google.genai.client import AsyncClient

    from shared.application.ports.model import ModelReply, ModelRequest


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
            timeout: Bound on one `generate` with all its retries and uploads.
            retry_delay: Before the first retry; doubles, with jitter.
        """
        self._names = {"chat": chat_model, "extraction": extraction_model}
        self._gateway = Gateway(api_key=api_key, base_url=base_url, timeout=timeout, retry_delay=retry_delay)

    async def generate(self, request: ModelRequest) -> ModelReply:
        """One reply; see `LanguageModel.generate`. A reply cut off at `max_output_tokens` is returned as it is.

        Files travel inside the request as long as it stays under 20 MB; larger ones are uploaded before and deleted
        after it. A model that bungles a call is asked once more, for an answer without calls.

        Raises:
            ModelUnavailable: No answer in time, quota, 5xx, broken connection, unreadable answer, or a key or model
                name that Google does not accept (the message names the setting).
            ModelRefused: Prompt or answer blocked, no candidate, neither text nor call, a file that cannot be read, or
                a request that Google finds invalid.
        """
        return await self._gateway.call(
            lambda client: self._answer(client, request),
            model=self._names[request.tier],
            setting=f"GEMINI_{request.tier.upper()}_MODEL",
        )

    async def _answer(self, client: AsyncClient, request: ModelRequest) -> ModelReply:
        from infra.gemini.uploads import too_large_inline, upload_files
        from infra.gemini.wire import BrokenCall, content_of

        name = self._names[request.tier]
        async with upload_files(client, too_large_inline(request)) as files:
            contents: Any = [content_of(turn, files) for turn in request.turns]
            try:
                return await _generate(client, name, contents, request)
            except BrokenCall as broken:
                if not request.may_call:
                    raise
                reply = await _generate(client, name, contents, replace(request, may_call=False))
                return replace(reply, usage=broken.usage + reply.usage)

    async def aclose(self) -> None:
        """Release connections."""
        await self._gateway.aclose()


async def _generate(client: AsyncClient, name: str, contents: Any, request: ModelRequest) -> ModelReply:
    from infra.gemini.wire import config_of, join_chunks, reply_of, text_of

    config = config_of(request, name)
    if request.on_text is None:
        return reply_of(await client.models.generate_content(model=name, contents=contents, config=config), name)
    chunks = []
    async for chunk in await client.models.generate_content_stream(model=name, contents=contents, config=config):
        chunks.append(chunk)
        if text_of(chunk):
            request.on_text(text_of(join_chunks(chunks)))
    return reply_of(join_chunks(chunks), name)
