"""Builds short talks for tests of extraction: a test shows only who said what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS
from shared.domain.facts.fact import Candidate
from shared.domain.reading.patterns.extraction import read_talk

NOON = datetime(2026, 3, 6, 12, tzinfo=UTC)
BOT_NAMES = ("гряг", "gryag")


def said(text: str, *, by: int = 101, id: int = 1, **fields: Any) -> Message:  # noqa: A002
    """One message; the clock runs a minute per id."""
    return Message(
        chat_id=-1001,
        message_id=id,
        sent_at=NOON + timedelta(minutes=id),
        user_id=by,
        name=fields.pop("name", f"Member {by}"),
        text=text,
        **fields,
    )


def talk(*lines: str | tuple[str, dict[str, Any]]) -> list[Message]:
    """Messages of different members, in order; a pair gives fields besides the text."""
    messages = []
    for number, line in enumerate(lines, start=1):
        text, fields = (line, {}) if isinstance(line, str) else line
        messages.append(said(text, **{"id": number, "by": 100 + number, **fields}))
    return messages


def extract_patterns(messages: Sequence[Message], **known: Any) -> list[Candidate]:
    """The facts of `read_talk`."""
    return [candidate for candidate in read_talk(messages, **known) if candidate.holds]


def learnt(
    *lines: str | tuple[str, dict[str, Any]], admins: frozenset[int] = frozenset(), consensus: int = CONSENSUS_MEMBERS
) -> list[Candidate]:
    return extract_patterns(
        talk(*lines), admins=admins, bot_names=BOT_NAMES, bot_username="gryag_bot", consensus=consensus
    )
