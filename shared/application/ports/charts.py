"""Pictures of figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Bars:
    """A row of bars with a title.

    Attributes:
        labels: One for each bar, "" to leave one unlabelled.
        values: At least 0.
        horizontal: Labels are read beside the bars, and each bar is a share of 1 with its per cent written out.
    """

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    horizontal: bool = False


class Charts(Protocol):
    """Draws charts."""

    def draw(self, title: str, bars: Sequence[Bars]) -> bytes:
        """One picture as PNG, the first bars on the left and the others below one another on the right.

        Takes some tenths of a second of processor time: call it in a worker.
        """
        ...
