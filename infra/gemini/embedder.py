"""Gemini as an `Embedder`. Shortened vectors do not come normalised from Google; here they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from infra.gemini.gateway import Gateway
from shared.application.ports.store import Vector
from shared.domain.errors import ModelRefused, ModelUnavailable

MAX_EMBED_BATCH = 100
"""Most texts in one embedding request (Gemini's limit)."""


class GeminiEmbedder:
    """An `Embedder` on Gemini."""

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
        self._gateway = Gateway(api_key=api_key, base_url=base_url, timeout=timeout, retry_delay=retry_delay)

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
                lambda client: client.models.embed_content(model=self._model, contents=contents, config=config),
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
