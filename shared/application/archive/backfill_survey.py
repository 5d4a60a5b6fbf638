"""Estimates what a backfill would do and cost before it runs: counts, and tokens estimated from the real prompts.

The model is asked once for each stretch of several chunks, which shows what is known of who speaks, too; then for metas
(one a ten chunks, at every level).
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from math import ceil

from shared.domain.conversation.messages import Message
from shared.domain.reading.fact_keys import describe_keys
from shared.domain.reading.numbered_talk import KNOWN_TOKENS
from shared.domain.reading.stretch import MOST_CHUNKS
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.language import detect_language
from shared.prompts import prompt
from shared.prompts.reading import reading_schema

SUMMARY_WORDS, EPISODIC_WORDS, FACTS_WORDS = 120, 120, 350
"""Tokens of the model's answers about one chunk (own guess: a paragraph, a few lines, three facts as JSON)."""

_SYSTEM = 15  # tokens of the system instruction
_LINE_TOKENS = 8  # of a line of a stretch beside what was typed


@dataclass
class Survey:
    """Counts what would be stored.

    Attributes:
        members: How many messages each speaker wrote, by id.
        names: The last name of each.
        languages: Messages by language; those too short to tell are not among them.
    """

    chunk_size: int
    messages: int = 0
    members: Counter[int] = field(default_factory=Counter)
    names: dict[int, str] = field(default_factory=dict)
    days: set[date] = field(default_factory=set)
    languages: Counter[str] = field(default_factory=Counter)
    _shown: int = 0

    def add(self, messages: Iterable[Message]) -> None:
        """Count these, too."""
        for message in messages:
            self.messages += 1
            self.days.add(message.sent_at.date())
            self._shown += estimate_tokens(f"{message.text} {message.media_text}") + _LINE_TOKENS
            if not message.is_bot:
                self.members[message.user_id] += 1
                self.names[message.user_id] = message.name
            if message.may_teach and (language := detect_language(message.text)):
                self.languages[language] += 1

    @property
    def chunks(self) -> int:
        """Return how many chunks the messages would make."""
        return ceil(self.messages / self.chunk_size)

    def tokens(self) -> tuple[int, int]:
        """Return how many tokens the model would be shown and would answer."""
        # The prompt of a reading without the talk, with the schema of its answer.
        instructions = prompt("reading").text + json.dumps(reading_schema()) + describe_keys()
        asked = ceil(self.chunks / MOST_CHUNKS) * (_SYSTEM + estimate_tokens(instructions) + KNOWN_TOKENS)
        return ceil(asked + self._shown), self.chunks * (SUMMARY_WORDS + EPISODIC_WORDS + FACTS_WORDS)
