"""Words that correct a fact: which words of a reply do, the gate that they pass, and the same again when the correcting
message was edited. Who speaks decides what they may do (laws 4 and 5), by command, by reply, and by edit alike.
"""

from dataclasses import replace

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.reply_codec import ReplyContext, reply_context_of
from shared.application.documents import message_path
from shared.application.facts.moderation import correct_fact, current_fact, no_voice
from shared.application.facts.remembering import member_names, obstacle
from shared.application.facts.statements import (
    Obstacle,
    as_talk,
    correct_value,
    is_right_for,
    obstacle_to_stating,
    words_after_command,
)
from shared.application.people.admins import admin_record
from shared.application.policy import Policy
from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, Fact, Status
from shared.domain.intake.addressing import without_address
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.filters.sources import is_retelling
from shared.domain.reading.own_words import repeats, retime, strip_no
from shared.domain.text.language import tokens

_STANDS = (Status.ACTIVE, Status.PENDING)
_SHOWS_FACT = ("card", "question")


def right_words(policy: Policy, fact: Fact, message: Message, *, admins: frozenset[int]) -> str | None:
    """The words behind the "no" of a message that tell how it really is with a fact ("Ні, у неділю"), or None."""
    words = strip_no(_strip_address(policy, message.text))
    return words if words and is_right_for(policy, fact, as_talk(message, words), admins=admins) else None


async def correct_by_words(
    app: App, state: ChatState, message: Message, fact: Fact, words: str, *, rules: bool
) -> Obstacle | Reason | None:
    """Have words of a stored message correct a fact; why they must not be kept, or None when they were taken.

    Args:
        fact: One about which the author has a voice (`no_voice`).
        words: Occur in the message as they are.
        rules: Whether the author decrees here (law 5).

    Raises:
        TransientError: Store or Telegram did not answer; doing it again is harmless.
    """
    words = _strip_address(app.policy, words)
    words = strip_no(words) or words
    if not tokens(words):
        return Obstacle.SPEECHLESS
    if (missing := obstacle_to_stating(words, form=fact.description)) is not None:
        return missing
    spoken = replace(message, kind="text")
    value, description = correct_value(app.policy, fact, spoken, retime(fact.description, words), admins=state.admins)
    quote = Evidence(message.sent_at, message.message_id, message.user_id, words)
    proposed = Candidate(fact.subject, fact.category, fact.key, value, description, 1.0, (quote,))
    if repeats(words, (fact.description, *(quote.quote for quote in fact.evidence))):
        return Obstacle.SAME
    names = await member_names(app.store, state)
    reason = await obstacle(app.store, app.policy, state, spoken, proposed, names=names, is_read=True, corrects=True)
    if reason is None:
        authority = Authority.ADMIN if rules and fact.subject == "chat" else Authority.OWN_STATEMENT
        await correct_fact(
            app, state.chat_id, fact.id, message.message_id,
            value=value, description=description, authority=authority, quote=words,
        )  # fmt: skip
    return reason


def _strip_address(policy: Policy, words: str) -> str:
    """The words without the name of the bot that they are said to; "gryag says …" is said of it."""
    username, names = policy.bot_username, policy.bot_names
    if is_retelling(words, words, (), (*names, username), after_bot=False):
        return words
    return without_address(words, bot_username=username, bot_names=names)


async def correct_again(app: App, state: ChatState, message: Message) -> None:
    """Correct anew what an edited message corrects: a reply to a card or a question, or `/gryadfix` with words.

    What it had taught is taken back already. Nobody is answered: who edits has had their answer.

    Raises:
        TransientError: As `correct_by_words`.
    """
    replied = None if message.reply_to is None else await app.store.get(message_path(state.chat_id, message.reply_to))
    asks = reply_context_of(replied)
    if asks is None or not asks.fact or asks.is_conflict:
        return
    fact = await current_fact(app.store, app.policy, state.chat_id, asks.fact)
    if fact is None or fact.status not in _STANDS or no_voice(app.policy, state, fact, message.user_id):
        return
    if message.forwarded or (message.user_id < 0 and message.is_admin is not True):
        return
    known = await admin_record(app, state)
    words = _words(app.policy, message, asks, fact, known.now)
    if words is not None:
        await correct_by_words(app, state, message, fact, words, rules=known.may_rule(message))


def _words(policy: Policy, message: Message, asks: ReplyContext, fact: Fact, admins: frozenset[int]) -> str | None:
    """The words of a message that correct the fact it replies to, or None when it is no correction."""
    if message.kind == "command":
        return words_after_command(policy, message, "gryadfix")
    if asks.action == "fix":
        return message.text.strip() if asks.user_id == message.user_id or message.is_admin is True else None
    if asks.action not in _SHOWS_FACT:
        return None
    words = right_words(policy, fact, message, admins=admins)
    if words is None and asks.action == "card" and is_right_for(policy, fact, message, admins=admins):
        return message.text.strip()
    return words
