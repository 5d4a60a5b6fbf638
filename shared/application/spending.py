"""What the model costs a chat: counted per day and purpose, and capped."""

from __future__ import annotations

from shared.application.app import App
from shared.application.documents import usage_path
from shared.application.ports.model import ModelReply
from shared.application.ports.store import Increment
from shared.domain.messages import SCHEMA


async def is_over_budget(app: App, chat_id: int) -> bool:
    """Whether today's tokens of the chat are used up."""
    if app.policy.tokens_per_day == 0:
        return True
    document = await app.store.get(usage_path(chat_id, app.clock.now().date()))
    return document is not None and document.data.get("tokens", 0) >= app.policy.tokens_per_day


async def book_usage(app: App, chat_id: int, purpose: str, reply: ModelReply) -> None:
    """Add one call to the chat's usage of today (UTC)."""
    usage = reply.usage
    await app.store.upsert(
        usage_path(chat_id, app.clock.now().date()),
        {
            "schema": SCHEMA,
            "calls": Increment(1),
            "tokens": Increment(usage.total),
            "cached_tokens": Increment(usage.cached),
            f"{purpose}_calls": Increment(1),
            f"{purpose}_input_tokens": Increment(usage.input),
            f"{purpose}_output_tokens": Increment(usage.output),
            f"{purpose}_cached_tokens": Increment(usage.cached),
        },
    )
