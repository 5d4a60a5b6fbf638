"""Shares the tokens of one answer among its layers.

Each layer has a share; what a layer leaves over flows on to those after it. An item is taken whole or not at all, and
when one does not fit, the next is tried. With more tokens the first item that is treated otherwise is one that is now
taken: more budget never drops an item for one of lower rank.
"""

from collections.abc import Mapping

from shared.domain.text.data_files import read_data

CONTEXT_TOKENS = 8_000
"""Everything that the model is given for one answer (DESIGN, law 9)."""

BACKGROUND_TOKENS = 1_200
"""The background layer, of which the chat's profile takes 40 % at most (DESIGN; chat public memory plan)."""

FILE_TOKENS = 900
"""Kept free when files may be sent beside the text: three pictures or half a minute of sound (258 tokens a
picture, 32 a second: Gemini API, token counting). What larger ones take above it is bounded by their own limits."""

SHARES: Mapping[str, int] = read_data(__package__, "layers")["shares"]
"""Tokens of each layer, in the order in which they are filled, within the budgets above. They are
more than there is room for beside the rules and the tools: the last layers have what the others leave over."""

STABLE = ("context", "metas", "summaries")
"""Layers that are told before everything that depends on the question."""


class Purse:
    """The tokens left, layer by layer.

    Attributes:
        spent: Tokens by layer, of those begun.
    """

    def __init__(self, tokens: int) -> None:
        self._left = max(0, tokens)
        self._granted = 0
        self._open = 0
        self._layer = ""
        self.spent: dict[str, int] = {}

    def begin(self, layer: str, *, most: int | None = None) -> None:
        """Go on to a layer: it has its share and what those before it left over, `most` tokens at most.

        A layer of the stable prefix has no more than its share: what it tells must not depend on the question.
        """
        self._layer = layer
        self._granted += SHARES[layer]
        unspent = self._granted - sum(self.spent.values())
        limit = SHARES[layer] if layer in STABLE else unspent
        self._open = min(unspent, self._left, limit if most is None else most)
        self.spent[layer] = 0

    @property
    def available(self) -> int:
        """Return how many tokens the layer may still spend."""
        return self._open

    def take(self, tokens: int) -> bool:
        """Spend on one item; False, and nothing is spent, when it does not fit."""
        if tokens > self._open:
            return False
        self._open -= tokens
        self._left -= tokens
        self.spent[self._layer] += tokens
        return True
