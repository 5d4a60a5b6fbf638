"""Where a candidate comes from: every quote stands in a member's own message (laws 1 and 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.domain.conversation.messages import Message, other_names
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.reasons import Reason, subject_user
from shared.domain.reading.filters.retelling import is_retelling
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import has_injection, mentions_bot
from shared.domain.text.language import tokens
from shared.domain.text.quotes import verify_quote

_MIN_QUOTED_WORDS = 3


def refused_source(
    candidate: Candidate,
    messages: Mapping[int, Message],
    told: Sequence[str],
    bot_names: Sequence[str],
    *,
    corrects: bool = False,
) -> Reason | None:
    """Return what is wrong with the candidate's quotes, or None.

    Args:
        corrects: Whether they correct what the bot told: then they need not differ from its words.
    """
    if not candidate.evidence:
        return Reason.UNVERIFIABLE_QUOTE
    about, called = subject_user(candidate.subject), other_names(messages.values())
    for quote in candidate.evidence:
        message = messages.get(quote.message_id)
        if message is not None and is_anothers_line(message.text, called(message)):
            return Reason.FOREIGN_SOURCE
        if reason := _quote(quote, messages, about):
            return reason
    first = min(candidate.evidence, key=lambda quote: (quote.sent_at, quote.message_id))
    return Reason.RETOLD_MEMORY if _is_retold(first, messages, told, bot_names, corrects=corrects) else None


def is_anothers(quote: str, message: Message) -> bool:
    """Return whether the words are those that the author quoted from the message replied to; "+1" is anybody's."""
    return bool(message.quote) and len(tokens(quote)) >= _MIN_QUOTED_WORDS and verify_quote(quote, message.quote or "")


def _quote(quote: Evidence, messages: Mapping[int, Message], about: int | None) -> Reason | None:
    message = messages.get(quote.message_id)
    if message is None or not verify_quote(quote.quote, message.text):
        return Reason.UNVERIFIABLE_QUOTE
    if not message.may_teach or is_anothers(quote.quote, message):
        return Reason.FOREIGN_SOURCE
    if message.user_id != quote.user_id or (about is not None and about != message.user_id):
        return Reason.WRONG_AUTHOR
    return Reason.INJECTION_MARKER if has_injection(message.text) else None


def _is_retold(
    quote: Evidence, messages: Mapping[int, Message], told: Sequence[str], bot_names: Sequence[str], *, corrects: bool
) -> bool:
    message = messages[quote.message_id]
    earlier = [m for m in messages.values() if _precedes(m, message)]
    speeches = () if corrects else [*told, *(m.text for m in earlier if m.is_bot and m.text)]
    after_bot = _follows_bot(message, earlier, bot_names)
    return is_retelling(quote.quote, message.text, speeches, bot_names, after_bot=after_bot)


def _precedes(earlier: Message, message: Message) -> bool:
    return earlier.sent_at <= message.sent_at and earlier.message_id < message.message_id


def _follows_bot(message: Message, earlier: Sequence[Message], bot_names: Sequence[str]) -> bool:
    """Return whether the message answers talk of or about the bot, or comes right after it without answering anybody
    else."""
    if message.reply_to is not None:
        return any(m.message_id == message.reply_to and _of_bot(m, bot_names) for m in earlier)
    last = max(earlier, key=lambda m: m.message_id, default=None)
    return last is not None and _of_bot(last, bot_names)


def _of_bot(message: Message, bot_names: Sequence[str]) -> bool:
    return message.is_bot or mentions_bot(message.text, bot_names)
