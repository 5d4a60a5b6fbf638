"""What the model is asked for a portrait with, and what tells whether the same was asked before."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from shared.application.chats.choices import Choices
from shared.application.ports.model import ModelRequest
from shared.application.spending.asking import memory_request
from shared.domain.facts.profile import ProfileFact
from shared.domain.text.language import Language
from shared.domain.text.plain import quote_inline

ANSWER_TOKENS = 700
"""Of the model's answer: the longest portrait in Ukrainian, and what the model thinks before it."""

_LANGUAGES = {"uk": "Ukrainian", "en": "English"}


def culture_request(
    choices: Choices, whom: str, facts: Sequence[ProfileFact], language: Language, *, most_chars: int
) -> ModelRequest:
    """Return the request for a portrait of these facts, best first."""
    return memory_request(
        "culture",
        choices,
        most_tokens=ANSWER_TOKENS,
        whom=whom,
        language=_LANGUAGES[language],
        characters=str(most_chars),
        facts="\n".join(_render_fact(fact) for fact in facts),
    )


def _render_fact(fact: ProfileFact) -> str:
    """A fact and its quotes on one line, as data."""
    said = "".join(f"; {quote_inline(quote.name)} said {quote_inline(quote.quote)}" for quote in fact.evidence)
    return f"- {quote_inline(fact.category)}: {quote_inline(fact.description)}{said}"


def words_of(facts: Sequence[ProfileFact]) -> list[str]:
    """Return all words of the facts that the model was shown, and their values, which may be in the other language."""
    own = [text for fact in facts for text in (fact.description, fact.key, fact.value, fact.category)]
    return own + [text for fact in facts for quote in fact.evidence for text in (quote.name, quote.quote)]


def digest_of(facts: Sequence[ProfileFact], language: Language) -> str:
    """Return a digest, 16 hexadecimal digits, of everything that a portrait is made from."""
    told = sorted((fact.id, fact.description, [(q.name, q.quote) for q in fact.evidence]) for fact in facts)
    return hashlib.blake2s(repr((language, told)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
