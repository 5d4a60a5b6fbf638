"""Attribution: finds the memories that an answer leans on by the words that it repeats.

Nobody knows what a model made of its context, so this orders what is shown and decides nothing else.
"""

from collections import Counter
from collections.abc import Sequence
from math import log

from shared.domain.text.terms import words_of

_ASKED = 0.25
"""The weight of a word that the question has, too: to repeat it shows little."""

_SHARE = 0.5
"""The share of a memory's own words, or of the best memory's score, from which on the answer leans on it."""


def attribution_scores(answer: str, question: str, memories: Sequence[str]) -> list[float]:
    """Return how much of each memory the answer repeats: 0 for those that it does not lean on.

    A word weighs log(1 + memories / memories that have it).

    Args:
        answer, question: As text; markup does no harm.
        memories: What each of them says.
    """
    said, asked = frozenset(words_of(answer)), frozenset(words_of(question))
    held = [frozenset(words_of(memory)) for memory in memories]
    spread = Counter(word for words in held for word in words)
    weights = {word: log(1 + len(held) / times) * (_ASKED if word in asked else 1.0) for word, times in spread.items()}
    scores = [sum(weights[word] for word in words & said) for words in held]
    enough = _SHARE * max(scores, default=0.0)
    return [
        score if score and score >= min(enough, _SHARE * sum(map(weights.__getitem__, words))) else 0.0
        for score, words in zip(scores, held, strict=True)
    ]
