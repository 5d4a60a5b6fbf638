"""`/gryadfix` and `/gryaddrop`: correct what is remembered, or have it dropped.

Both find the fact in the card or the answer that is replied to, else by words. Right words come with the command, as a
reply to a card, or as a reply to the bot's question; the message that brings them is the new value's evidence, so
what it may do is decided by whose words they are (laws 4 and 5).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from shared.application.answering.answer_codec import fact_ids_given
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.authority import is_admin, refusal
from shared.application.commands.call import ButtonPress, CommandCall, Pressed
from shared.application.commands.facts.card import render_card
from shared.application.commands.facts.listing import card_asks, find_facts
from shared.application.commands.facts.refusals import refused_words
from shared.application.commands.facts.subjects import MOST_NAME
from shared.application.commands.facts.votes import STANDS, cast_vote, drop_question, meant_fact, with_line
from shared.application.commands.replies import answer, notice, usage
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import button, column, showing, text
from shared.application.documents import answer_path, fact_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.moderation import no_voice
from shared.application.policy import Policy
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import escape
from shared.domain.facts.claims import claims_of
from shared.domain.facts.fact import Fact, rival_id
from shared.domain.facts.profile import people_in
from shared.domain.facts.slot import rivals
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.reading.filters.lists import word_set
from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from shared.domain.text.language import Language, tokens
from shared.domain.text.plain import one_line
from shared.locales import say

MOST_CHOICES = 8
"""Facts offered to choose among: as many as a page of a list holds."""

_LABEL = 60
"""Characters of a fact on a button: phones show hardly more."""

_POLITE = word_set("дякую дякс спасибі спс ок окей ok okay thanks thank thx you ага зрозуміло зрозумів ясно got it")
"""Words that, alone, correct nothing."""


async def fix(app: App, call: CommandCall) -> Answer:
    """Correct the fact whose card is replied to, ask for the right words, or offer facts to choose among."""
    fact_id, given = await _facts_replied_to(app.store, app.policy, call)
    if fact_id is None:
        return await _offer(app, call, given)
    if call.args:
        return await _correct(app, call, fact_id, call.args)
    fact = await meant_fact(app.store, app.policy, call.state, fact_id)
    refused = _reason_refused(app.policy, call, fact)
    return answer(call, refused) if fact is None or refused else Answer((_asking(fact, call.user_id, call.language),))


async def drop(app: App, call: CommandCall) -> Answer:
    """Have the fact dropped whose card is replied to, by vote or at once, or offer facts to choose among."""
    fact_id, given = await _facts_replied_to(app.store, app.policy, call)
    if fact_id is None:
        return await _offer(app, call, given)
    fact = await meant_fact(app.store, app.policy, call.state, fact_id)
    if fact is None or fact.status not in STANDS:
        return answer(call, "fix_gone")
    anonymous = call.message.is_admin is True
    if call.user_id < 0 and not anonymous:
        return answer(call, "people_only")
    question = await drop_question(app, call.state, fact, call.user_id, call.language)
    if question is not None:
        return Answer((AnswerPiece(question, asks=card_asks(fact.id)),))
    if outside := await refusal(app, call.state, call.user_id, "members"):
        return answer(call, outside)
    return await _cast(app, call, fact.id, supports=False)


async def ask_for_words(app: App, press: ButtonPress) -> Pressed:
    """Ask who presses for the right words; their reply to the question is the correction."""
    fact = await meant_fact(app.store, app.policy, press.state, long_id(press.args[0]))
    if fact is None or fact.status not in STANDS:
        return notice(press.language, "fix_gone")
    refused = no_voice(app.policy, press.state, fact, press.user_id)
    if refused is not None:
        return notice(press.language, f"no_voice_{refused}")
    return Pressed(answer=Answer((_asking(fact, press.user_id, press.language, press.update.name),)))


async def take_words(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply to the bot's question: right words of whom it asked."""
    if asks.user_id != call.user_id and call.message.is_admin is not True:
        return answer(call, "fix_not_yours")
    return await _correct(app, call, asks.fact, call.args)


async def take_reply(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply to a card: right words when it tells the same otherwise, also behind a "no"; a vote when it only agrees
    or objects; else talk."""
    said_words = tokens(call.args)
    if call.args.endswith("?") or not said_words or _POLITE.issuperset(said_words):
        return None
    if (corrected := await correct_objecting(app, call, asks.fact)) is not None:
        return corrected
    reaction = reaction_of(call.args)
    if reaction is None:
        return (
            await _correct(app, call, asks.fact, call.args)
            if await _is_right(app.store, app.policy, call, asks.fact)
            else None
        )
    if outside := await refusal(app, call.state, call.user_id, "members"):
        return answer(call, outside)
    return await _cast(app, call, asks.fact, supports=reaction is Reaction.SUPPORT)


async def correct_objecting(app: App, call: CommandCall, fact_id: str) -> Answer | None:
    """Return what a reply that says no and how it really is ("Ні, у неділю") comes to; None for any other reply."""
    from shared.domain.reading.own_words import after_no

    if not after_no(call.args):
        return None
    from shared.application.facts.correcting import right_words  # imported here: patterns take long to load

    fact = await meant_fact(app.store, app.policy, call.state, fact_id)
    words = None if fact is None else right_words(app.policy, fact, call.message, admins=call.state.admins)
    return None if words is None else await _correct(app, call, fact_id, words)


async def _is_right(store: DocumentStore, policy: Policy, call: CommandCall, fact_id: str) -> bool:
    from shared.application.facts.statements import is_right_for

    fact = await meant_fact(store, policy, call.state, fact_id)
    return fact is not None and is_right_for(policy, fact, call.message, admins=call.state.admins)


# --- finding the fact ---------------------------------------------------------------------------


async def _facts_replied_to(
    store: DocumentStore, policy: Policy, call: CommandCall
) -> tuple[str | None, tuple[str, ...]]:
    """Id of the fact whose card is replied to, or those of the facts that the answer replied to was given."""
    if call.message.reply_to is None or call.update.reply_to_user_id != policy.bot_id:
        return None, ()
    chat_id = call.state.chat_id
    document = await store.get(message_path(chat_id, call.message.reply_to))
    replied = None if document is None else read_message(document)
    fact_id = replied.reply_context.fact if replied is not None and replied.reply_context is not None else ""
    if fact_id or replied is None or replied.answer_id is None:
        return fact_id or None, ()
    given = await store.get(answer_path(chat_id, replied.answer_id))
    return None, () if given is None else fact_ids_given(given)


async def _offer(app: App, call: CommandCall, given: tuple[str, ...]) -> Answer:
    """Facts to choose among: those that the words may mean, or those of the answer that is replied to."""
    if call.args:
        subjects = ("chat", f"user:{call.user_id}")
        found = await asyncio.gather(*(find_facts(app, call.state, call.args, subject) for subject in subjects))
        return await _choices(
            app.store, app.policy, call, [fact for facts in found for fact in facts], none="fix_not_found"
        )
    if not given:
        return usage(call)
    documents = await app.store.get_many([fact_path(call.state.chat_id, fact_id) for fact_id in given])
    return await _choices(
        app.store,
        app.policy,
        call,
        [fact_from_fields(d.data) for d in documents if d is not None],
        none="fix_none_left",
    )


async def _choices(
    store: DocumentStore, policy: Policy, call: CommandCall, facts: Iterable[Fact], *, none: str
) -> Answer:
    """A button for the card of each fact that the caller may change; the card itself when there is but one."""
    shown = [fact for fact in facts if fact.status in STANDS and _is_shown(call, fact)][:MOST_CHOICES]
    if not shown:
        return answer(call, none, words=one_line(call.args, MOST_NAME))
    if len(shown) == 1:
        return await _with_card(store, policy, call, shown[0].id)
    labels = [one_line(fact.description, _LABEL) for fact in shown]
    rows = column(
        [
            button(policy, call.state.chat_id, label, "card", short_id(fact.id))
            for fact, label in zip(shown, labels, strict=True)
        ]
    )
    return showing(answer(call, "fix_which", rows), people_in(shown))


def _is_shown(call: CommandCall, fact: Fact) -> bool:
    """Return whether somebody may be shown a fact who wants to change it; nothing that only opted-out members said."""
    silent = call.state.opted_out
    theirs = fact.subject in ("chat", f"user:{call.user_id}") and fact.subject not in {
        f"user:{each}" for each in silent
    }
    return theirs and any(quote.user_id not in silent for quote in fact.evidence)


# --- correcting ---------------------------------------------------------------------------------


def _reason_refused(policy: Policy, call: CommandCall, fact: Fact | None) -> str:
    """Return why the caller may not correct a fact, as the name of a text; "" when they may."""
    if fact is None or fact.status not in STANDS:
        return "fix_gone"
    if call.user_id < 0 and call.message.is_admin is not True:
        return "people_only"
    refused = no_voice(policy, call.state, fact, call.user_id)
    return "" if refused is None else f"no_voice_{refused}"


def _asking(fact: Fact, user_id: int, language: Language, name: str = "") -> AnswerPiece:
    """The question for the right words; a reply of that user to it is the correction."""
    key = "fix_question_to" if name else "fix_question"
    question = text(say(language, key, name=one_line(name, MOST_NAME)) if name else say(language, key))
    return AnswerPiece(question, asks=ReplyContext("gryadfix", "fix", fact.id, user_id=user_id))


async def _correct(app: App, call: CommandCall, fact_id: str, words: str) -> Answer:
    """Have the words of the caller's message correct a fact."""
    from shared.application.facts.correcting import correct_by_words  # imported here: patterns take long to load

    fact = await meant_fact(app.store, app.policy, call.state, fact_id)
    refused = _reason_refused(app.policy, call, fact)
    if fact is None or refused:
        return answer(call, refused)
    rules = await is_admin(app, call.state, call.user_id, proven=call.message.is_admin is True)
    reason = await correct_by_words(app, call.state, call.message, fact, words, rules=rules)
    if reason is not None:
        told = _TOLD_OF_FIX.get(str(reason))
        return refused_words(call.language, reason) if told is None else answer(call, told)
    return await _outcome(app.store, app.policy, call, fact)


async def _outcome(store: DocumentStore, policy: Policy, call: CommandCall, corrected: Fact) -> Answer:
    """Return what the correction came to, read from what is stored: also when it was done by an earlier delivery."""
    root = await meant_fact(store, policy, call.state, corrected.conflicts_with or corrected.id)
    message_id = call.message.message_id
    claims = [] if root is None else claims_of(root)
    said_it = next((c for c in claims if any(e.message_id == message_id for e in c.evidence)), None)
    if root is None or said_it is None:
        return answer(call, "fix_not_taken")
    if said_it.value_key == root.value_key:
        return await _with_card(store, policy, call, root.id, say(call.language, "fix_done"))
    if said_it.value_key not in rivals(root):
        return showing(answer(call, "fix_rejected", now=one_line(root.description, 200)), people_in([root]))
    line = say(call.language, "fix_waits", now=one_line(root.description, 200), votes=str(policy.consensus))
    return await _with_card(store, policy, call, rival_id(root.id, said_it.value_key), line)


async def _cast(app: App, call: CommandCall, fact_id: str, *, supports: bool) -> Answer:
    told, fact = await cast_vote(app, call.state, fact_id, call.user_id, supports=supports, language=call.language)
    return (
        Answer.of(text(escape(told)))
        if fact is None
        else await _with_card(app.store, app.policy, call, fact.id, escape(told))
    )


async def _with_card(store: DocumentStore, policy: Policy, call: CommandCall, fact_id: str, line: str = "") -> Answer:
    return Answer((await card_piece(store, policy, call.state, fact_id, call.language, call.user_id, line),))


async def card_piece(
    store: DocumentStore,
    policy: Policy,
    state: ChatState,
    fact_id: str,
    language: Language,
    viewer: int,
    line: str = "",
) -> AnswerPiece:
    """The card of a fact as a message of its own, a reply to which means the fact; `line` is markup over it."""
    card: OutgoingText = await render_card(store, policy, state, fact_id, language, viewer)
    return AnswerPiece(with_line(card, line) if line else card, asks=card_asks(fact_id, card))


_TOLD_OF_FIX = {
    "another_member": "fix_another_member",
    "injection": "fix_injection",
    "same": "fix_same",
    "speechless": "fix_speechless",
    "unclear": "fix_unclear",
}
"""Those that are told otherwise to who corrects."""
