"""Makes the use cases' policy of the settings: the operator's choices, and the keys that come of the bot's token."""

from __future__ import annotations

import hmac

from infra.telegram.updates import bot_id
from shared.application.policy import Policy
from shared.settings import Settings


def policy_from(settings: Settings) -> Policy:
    """Return the operator's choices as the use cases see them."""
    return Policy(
        bot_id=bot_id(settings.telegram_bot_token) if settings.telegram_bot_token else 0,
        bot_username=settings.bot_username,
        bot_names=settings.bot_names,
        persona=settings.bot_persona or "",
        window=settings.extraction_window_seconds,
        idle=settings.extraction_idle_seconds,
        reading_wait=settings.reading_wait_seconds,
        retention=settings.message_retention_days,
        fact_expiry=settings.fact_expiry_days,
        half_life=settings.fact_half_life_days,
        weights=settings.category_weights,
        chat_facts=settings.chat_facts_limit,
        chat_facts_tokens=settings.chat_facts_tokens,
        answer_patience=settings.answer_model_seconds,
        tokens_per_day=settings.model_tokens_per_chat_per_day,
        tokens_per_member=settings.model_tokens_per_member_per_day,
        asks_per_user=settings.asks_per_user_per_hour,
        asks_per_chat=settings.asks_per_chat_per_hour,
        extraction_method=settings.extraction_method,
        memory_profile=settings.memory_profile,
        private_mode=settings.private_mode_default,
        consensus=settings.consensus_members,
        media_bytes=settings.media_megabytes * 1_000_000,
        media_per_chunk=settings.media_descriptions_per_chunk,
        tools=settings.tools,
        timezone=settings.timezone,
        quiet_hours=settings.quiet_hours,
        unprompted=settings.unprompted_default,
        questions=settings.group_questions_default,
        when_leaving=settings.when_member_leaves,
        context_format=settings.context_format,
        archive_every=settings.archive_every_days,
        button_key=_button_key(settings),
    )


def _button_key(settings: Settings) -> bytes:
    """Return what buttons are sealed with: the same in every instance, and new with a new token; without a token nobody
    else can press a button."""
    return hmac.digest((settings.telegram_bot_token or "").encode(), b"buttons", "sha256")


def log_key(settings: Settings) -> bytes:
    """Return what the log's hashes of chats are keyed with: without the bot's token nobody can tell whose they are."""
    return hmac.digest((settings.telegram_bot_token or "").encode(), b"logs", "sha256")
