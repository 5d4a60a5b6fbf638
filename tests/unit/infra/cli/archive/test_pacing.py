"""The model is asked about no more messages a minute than the operator said."""

import asyncio

from infra.cli.archive.pacing import PacedModel
from shared.application.ports.model import ModelReply, ModelRequest


class Counting:
    def __init__(self):
        self.asked = []

    async def generate(self, request):
        self.asked.append((request.purpose, asyncio.get_running_loop().time()))
        return ModelReply("так", "model")


async def test_chunks_come_at_the_chosen_pace_and_nothing_else_waits():
    model = Counting()
    paced = PacedModel(model, rate=6_000, stretch=10)
    asked = [ModelRequest(purpose, "", ()) for purpose in ("reading", "facts") for _ in range(3)]
    await asyncio.gather(*map(paced.generate, asked))
    summaries = [at for purpose, at in model.asked if purpose == "reading"]
    others = [at for purpose, at in model.asked if purpose == "facts"]
    assert summaries[-1] - summaries[0] >= 0.19
    assert max(others) < summaries[-1]
