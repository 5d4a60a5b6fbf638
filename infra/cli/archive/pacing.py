"""A model that is not asked about too many messages a minute."""

from __future__ import annotations

from aiolimiter import AsyncLimiter

from shared.application.ports.model import LanguageModel, ModelReply, ModelRequest


class PacedModel:
    """`LanguageModel` that waits: talk is read once, a stretch in one call, so the readings set the pace.

    Args:
        rate: Messages a minute.
        stretch: Messages that one call reads.
    """

    def __init__(self, model: LanguageModel, *, rate: int, stretch: int) -> None:
        self._model = model
        self._stretch = AsyncLimiter(1, 60 * stretch / rate)

    async def generate(self, request: ModelRequest) -> ModelReply:
        """Wait for a turn, then ask the model."""
        if request.purpose == "reading":
            await self._stretch.acquire()
        return await self._model.generate(request)
