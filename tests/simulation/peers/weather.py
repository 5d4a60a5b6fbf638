"""How bad it is at the moment of a run: how long calls take, which fail, who dies. All of it is drawn from the seed."""

from __future__ import annotations

import random  # noqa: TID251  seeded: the same seed gives the same run
from dataclasses import dataclass

PARTS = ("store", "queue", "chat", "model", "crash", "stall")
"""What a storm may be about."""


@dataclass(slots=True)
class Weather:
    """What may happen at a call now.

    Attributes:
        odds: By part, of trouble at one call; empty in calm weather.
        is_over: No trouble begins any more: what was begun is to be finished.
    """

    chance: random.Random
    odds: dict[str, float]
    is_over: bool = False

    def strikes(self, part: str, *, peril: float = 1.0) -> bool:
        """Return whether there is trouble at this call, `peril` times as likely as at others."""
        odds = self.odds.get(part)
        return odds is not None and self.chance.random() < odds * peril

    def latency(self, usual: float) -> float:
        """Return how long something takes, in seconds: mostly about the usual time, sometimes much longer."""
        draw = self.chance.random()
        return usual * (0.3 + draw) if draw < 0.95 else usual * (1 + 400 * (draw - 0.95))

    def stall(self) -> float:
        """Return for how many seconds a process stands still."""
        return self.chance.choice((3.0, 20.0, 100.0, 200.0))

    def brew(self) -> None:
        """Begin a storm about two to four parts."""
        chosen = self.chance.sample(PARTS, self.chance.randint(2, 4))
        most = {"crash": 0.02, "stall": 0.01, "store": 0.15}
        self.odds = {part: most.get(part, 0.5) * self.chance.choice((0.1, 0.4, 1.0)) for part in chosen}

    def calm(self) -> None:
        """End the storm."""
        self.odds = {}
