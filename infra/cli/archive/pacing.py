"""A model that is not asked about too many messages a minute."""

from __future__ import annotations

from aiolimiter import AsyncLimiter

from shared.application.ports.model import LanguageModel, ModelReply, ModelRequest


class PacedModel:
    """`LanguageModel` that waits: each chunk is summarised once, so the summaries set the pace.

    Args:
        rate: Messages a minute.
        chunk_size: Messages of a chunk.
    """

    def __init__(self, model: LanguageModel, *, rate: int, chunk_size: int) -> None:
        self._model = model
        self._chunk = AsyncLimiter(1, 60 * chunk_size / rate)

    async def generate(self, request: ModelRequest) -> ModelReply:
        """Wait for a turn, then ask the model."""
        if request.purpose == "summary":
            await self._chunk.acquire()
        return await self._model.generate(request)
