"""Extraction as the product does it: a chat is read, and then its group may be asked whether it is so."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.job import JobResult
from shared.application.commands.facts.asking_group import ask_group
from shared.application.night.summaries import summarize_chat
from shared.application.payload_codec import field_in, number_in
from shared.application.reading.extraction import Extracted, extract_chat
from shared.domain.errors import BadPayload

_MOST_SECONDS = 1 << 37  # in the year 6325


async def run_extraction(app: App, payload: Mapping[str, Any]) -> Extracted:
    """Run one extraction task `{"chat_id": …, "window": …, "only_when_due": …, "edits_until": …, "not_before": …}`.

    The last three may be missing.

    Raises:
        BadPayload: It names no chat, or says no time where it says one.
        TransientError: Run the task again; so it is of any other exception.
    """
    chat_id, only_when_due = number_in(payload, "chat_id"), bool(field_in(payload, "only_when_due", bool))
    until, not_before = _instant(payload, "edits_until"), _instant(payload, "not_before")
    return await extract_chat(
        app, chat_id, only_when_due=only_when_due, edits_until=until, not_before=not_before, ask_group=ask_group
    )


def _instant(payload: Mapping[str, Any], name: str) -> datetime | None:
    value = field_in(payload, name, int)
    if value is None:
        return None
    if not 0 <= value < _MOST_SECONDS:
        raise BadPayload(f"{name} of an extraction task is in whole seconds since 1970")
    return datetime.fromtimestamp(value, UTC)


async def extract_and_ask(app: App, chat_id: int) -> Extracted:
    """Extract all that is new in a chat, due or not, and ask its group."""
    return await extract_chat(app, chat_id, ask_group=ask_group)


async def summarize_and_ask(app: App, state: ChatState) -> JobResult:
    """Do the job `summaries` of a chat, and ask its group about what was learnt."""
    return await summarize_chat(app, state, extract=extract_and_ask)
