"""The choices of the operator, as the use cases see them; `infra.bootstrap` fills it from the settings."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple


class Policy(NamedTuple):
    """Who the bot is and what it may spend.

    Attributes:
        bot_id: Telegram user id of the bot (the number before the token's colon), or 0 for a local bot.
        bot_username: Without "@".
        bot_names: Case-folded names it answers to.
        persona: Extra lines of the system instruction, or "".
        window: At most one extraction task per chat in this time.
        idle: Silence after which fewer than `chunk_size` messages are extracted.
        retention: Age at which messages and summaries go.
        fact_expiry: Time without confirmation after which a fact is no longer believed.
        half_life: Of a fact's recency in the ranking.
        tokens_per_day: Model budget of a chat per UTC day, in tokens.
        chunk_size: Messages per extraction chunk (dual memory guide: 10).
    """

    bot_id: int
    bot_username: str
    bot_names: tuple[str, ...]
    persona: str = ""
    window: timedelta = timedelta(seconds=60)
    idle: timedelta = timedelta(minutes=10)
    retention: timedelta = timedelta(days=90)
    fact_expiry: timedelta = timedelta(days=90)
    half_life: timedelta = timedelta(days=30)
    tokens_per_day: int = 200_000
    chunk_size: int = 10
