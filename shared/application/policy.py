"""The choices of the operator, as the use cases see them; `infra.bootstrap` fills it from the settings."""

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from shared.domain.chats.hours import QuietHours
from shared.domain.facts.weights import CATEGORY_WEIGHTS

TOOLS = ("calculator", "current_time", "recall", "remember", "forget", "weather", "web_search")
"""Names of all tools that the model may be offered."""


class Policy(NamedTuple):
    """The operator's settings for all chats: who the bot is, what it may spend, and the defaults of choices.

    Attributes:
        bot_id: Telegram user id of the bot (the number before the token's colon), or 0 for a local bot.
        bot_username: Without "@".
        bot_names: Case-folded names it answers to.
        persona: The bot's character in the operator's words, "" for that of the prompt; a chat may have its own.
        window: At most one extraction task per chat in this time.
        idle: Silence after which fewer than `chunk_size` messages are extracted.
        reading_wait: How long fewer messages than one call of the model reads may wait to be read by it.
        retention: Age at which messages and summaries go.
        fact_expiry: Time without confirmation after which a fact is no longer believed.
        half_life: Of a fact's recency in the ranking.
        weights: Of categories of facts in the ranking.
        chat_facts: Facts about the chat in the context of an answer, at most.
        chat_facts_tokens: What they take there, at most.
        consensus: Members whose agreement about the chat counts as the chat's own word.
        answer_patience: Time that the model has for an answer once it is asked, tools included; then memory answers.
        tokens_per_day: Model budget of a chat per UTC day, in tokens.
        tokens_per_member: Model budget of what one member asks in a chat per UTC day, in tokens.
        asks_per_user, asks_per_chat: Questions (commands, addressed messages, presses) that one member, and all members
            of a chat together, may ask in a sliding hour.
        extraction_method: Where facts come from: hybrid, pattern, statistical or model.
        memory_profile: Which kinds of memory are kept: minimal, standard, extended or unbounded.
        private_mode: Whether a chat that did not choose stores no facts.
        tools: Names of the tools that the model may use; a chat may leave some out.
        media_bytes: Files that the model is shown at once have no more bytes together.
        media_per_chunk: Files of a chunk that the model describes, at most.
        timezone: IANA name of the zone in which a chat lives that did not choose.
        context_format: How talk is shown to the model where the chat did not choose: compact or meta.
        archive_every: Time between two exports of a chat that talks.
        unprompted, questions: Whether the bot may join in unasked, and ask a group whether what it noticed is so, in
            chats that did not choose.
        quiet_hours: In which it does neither, in chats that did not choose.
        when_leaving: What becomes of the words of a member who leaves, in chats that did not choose: "keep" or "erase".
        button_key: With which buttons are sealed; known to nobody else.
        chunk_size: Messages per extraction chunk (dual memory guide: 10).
    """

    bot_id: int
    bot_username: str
    bot_names: tuple[str, ...]
    persona: str = ""
    window: timedelta = timedelta(seconds=60)
    idle: timedelta = timedelta(minutes=10)
    reading_wait: timedelta = timedelta(days=5)
    retention: timedelta = timedelta(days=90)
    fact_expiry: timedelta = timedelta(days=90)
    half_life: timedelta = timedelta(days=30)
    weights: Mapping[str, float] = CATEGORY_WEIGHTS
    chat_facts: int = 8
    chat_facts_tokens: int = 480
    consensus: int = 3
    answer_patience: timedelta = timedelta(seconds=15)
    tokens_per_day: int = 200_000
    tokens_per_member: int = 60_000
    asks_per_user: int = 30
    asks_per_chat: int = 120
    extraction_method: str = "hybrid"
    memory_profile: str = "unbounded"
    private_mode: bool = False
    tools: tuple[str, ...] = ()
    media_bytes: int = 20_000_000
    media_per_chunk: int = 5
    timezone: str = "Europe/Kyiv"
    context_format: str = "compact"
    archive_every: timedelta = timedelta(days=7)
    unprompted: bool = False
    questions: bool = True
    quiet_hours: QuietHours = QuietHours(22, 8)
    when_leaving: str = "keep"
    button_key: bytes = b"a key for runs without a token"
    chunk_size: int = 10
