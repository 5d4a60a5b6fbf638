"""A model that answers when it is let, and tells what it was asked."""

import asyncio

from shared.application.ports.model import ModelReply, TokenUsage


class SlowModel:
    """Replies when `go_on` is set. `asked` are its requests, `broken_off` how many calls were cancelled: of those it
    tells what they took, as Gemini's adapter does."""

    GIVEN_UP = 70

    def __init__(self, text="Готово."):
        self.text, self.asked, self.broken_off = text, [], 0
        self.there, self.go_on = asyncio.Event(), asyncio.Event()

    async def generate(self, request):
        self.asked.append(request)
        self.there.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.broken_off += 1
            request.on_given_up(ModelReply("", "slow-1", TokenUsage(input=self.GIVEN_UP)))
            raise
        return ModelReply(self.text, "slow-1")

    @property
    def shown(self):
        """All words of the last request's conversation."""
        return "\n".join(part for turn in self.asked[-1].turns for part in turn.parts if isinstance(part, str))
