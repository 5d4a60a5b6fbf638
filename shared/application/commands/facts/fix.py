"""`/gryadfix` and `/gryaddrop`: correct what is remembered, or have it dropped.

Both find the fact in the card or the answer that is replied to, else by words. Right words come with the command, as a
reply to a card, or as a reply to the bot's question; the message that brings them is the new value's evidence, so
what it may do is decided by whose words they are (laws 4 and 5).
"""

import asyncio

from shared.application.answering.answer_codec import fact_ids_given
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import (
    ButtonPress,
    CommandCall,
    Pressed,
    Scene,
    answer,
    is_admin,
    notice,
    refusal,
    usage,
)
from shared.application.commands.facts.card import card_asks, compose_card_message
from shared.application.commands.facts.listing import MOST_NAME, find_facts
from shared.application.commands.facts.votes import STANDS, cast_vote, drop_question
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import column, localized_text, show_people, text
from shared.application.documents import answer_path, fact_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.moderation import current_fact, no_voice
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import escape
from shared.domain.facts.claims import claims_of
from shared.domain.facts.fact import Fact, rival_id
from shared.domain.facts.profile import people_in
from shared.domain.facts.slot import rivals
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from shared.domain.text.data_files import read_data, word_sets
from shared.domain.text.language import Language, tokens
from shared.domain.text.plain import one_line

MOST_CHOICES = 8
"""Facts offered to choose among: as many as a page of a list holds."""

LABEL = 60
"""Characters of a fact on a button: phones show hardly more."""

_WORDS = word_sets(__package__, "words")


async def fix(app: App, call: CommandCall) -> Answer:
    """Correct the fact whose card is replied to, ask for the right words, or offer facts to choose among."""
    fact_id, given = await _facts_replied_to(app.store, call, app.policy.bot_id)
    if fact_id is None:
        return await _offer(app, call, given)
    if call.args:
        return await _correct(app, call, fact_id, call.args)
    fact = await current_fact(app.store, app.policy, call.state.chat_id, fact_id)
    refused = _reason_refused(app.policy, call.state, call.user_id, fact, proven=call.message.is_admin is True)
    return answer(call, refused) if fact is None or refused else _ask_for_words(call.scene(app.policy), fact)


async def drop(app: App, call: CommandCall) -> Answer:
    """Have the fact dropped whose card is replied to, by vote or at once, or offer facts to choose among."""
    fact_id, given = await _facts_replied_to(app.store, call, app.policy.bot_id)
    if fact_id is None:
        return await _offer(app, call, given)
    fact = await current_fact(app.store, app.policy, call.state.chat_id, fact_id)
    if fact is None or fact.status not in STANDS:
        return answer(call, "fix_gone")
    if call.user_id < 0 and call.message.is_admin is not True:
        return answer(call, "people_only")
    question = await drop_question(app, call.scene(app.policy), fact)
    if question is not None:
        return Answer((AnswerPiece(question, asks=card_asks(fact.id)),))
    return await _cast(app, call, fact.id, supports=False)


async def ask_for_words(app: App, press: ButtonPress) -> Pressed:
    """Ask who presses for the right words; their reply to the question is the correction."""
    fact = await current_fact(app.store, app.policy, press.state.chat_id, long_id(press.args[0]))
    refused = _reason_refused(app.policy, press.state, press.user_id, fact)
    if fact is None or refused:
        return notice(press.language, refused)
    return Pressed(answer=_ask_for_words(press.scene(app.policy), fact, press.update.name))


async def take_words(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply to the bot's question: right words of whom it asked."""
    if asks.user_id != call.user_id and call.message.is_admin is not True:
        return answer(call, "fix_not_yours")
    return await _correct(app, call, asks.fact, call.args)


async def take_reply(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply to a card: right words when it tells the same otherwise, also behind a "no"; a vote when it only agrees
    or objects; else talk."""
    said_words = tokens(call.args)
    if call.args.endswith("?") or not said_words or _WORDS["polite"].issuperset(said_words):
        return None
    if (corrected := await correct_objecting(app, call, asks.fact)) is not None:
        return corrected
    reaction = reaction_of(call.args)
    if reaction is not None:
        return await _cast(app, call, asks.fact, supports=reaction is Reaction.SUPPORT)
    from shared.application.facts.statements import is_right_for

    fact = await current_fact(app.store, app.policy, call.state.chat_id, asks.fact)
    is_right = fact is not None and is_right_for(app.policy, fact, call.message, admins=call.state.admins)
    return await _correct(app, call, asks.fact, call.args) if is_right else None


async def correct_objecting(app: App, call: CommandCall, fact_id: str) -> Answer | None:
    """Return what a reply that says no and how it really is ("Ні, у неділю") comes to; None for any other reply."""
    from shared.domain.reading.own_words import strip_no

    if not strip_no(call.args):
        return None
    from shared.application.facts.correcting import right_words  # imported here: patterns take long to load

    fact = await current_fact(app.store, app.policy, call.state.chat_id, fact_id)
    words = None if fact is None else right_words(app.policy, fact, call.message, admins=call.state.admins)
    return None if words is None else await _correct(app, call, fact_id, words)


# --- finding the fact ---------------------------------------------------------------------------


async def _facts_replied_to(store: DocumentStore, call: CommandCall, bot_id: int) -> tuple[str | None, tuple[str, ...]]:
    """Id of the fact whose card is replied to, or those of the facts that the answer replied to was given."""
    if call.message.reply_to is None or call.update.reply_to_user_id != bot_id:
        return None, ()
    document = await store.get(message_path(call.state.chat_id, call.message.reply_to))
    replied = None if document is None else read_message(document)
    fact_id = replied.reply_context.fact if replied is not None and replied.reply_context is not None else ""
    if fact_id or replied is None or not replied.answer_ids:
        return fact_id or None, ()
    given = await store.get_many([answer_path(call.state.chat_id, each) for each in replied.answer_ids])
    return None, tuple(dict.fromkeys(fact for each in given if each is not None for fact in fact_ids_given(each)))


async def _offer(app: App, call: CommandCall, given: tuple[str, ...]) -> Answer:
    """Facts to choose among: those that the words may mean, or those of the answer that is replied to. A button for the
    card of each that the caller may change; the card itself when there is but one."""
    if call.args:
        subjects = ("chat", f"user:{call.user_id}")
        found = await asyncio.gather(*(find_facts(app, call.state, call.args, subject) for subject in subjects))
        facts = [fact for each in found for fact in each]
    elif given:
        documents = await app.store.get_many([fact_path(call.state.chat_id, fact_id) for fact_id in given])
        facts = [fact_from_fields(d.data) for d in documents if d is not None]
    else:
        return usage(call)
    here = call.scene(app.policy)
    shown = [fact for fact in facts if fact.status in STANDS and _is_shown(call, fact)][:MOST_CHOICES]
    if not shown:
        return answer(call, "fix_not_found" if call.args else "fix_none_left", words=one_line(call.args, MOST_NAME))
    if len(shown) == 1:
        return Answer((await compose_card_message(app.store, here, shown[0].id),))
    rows = column([here.button(one_line(f.description, LABEL), "card", short_id(f.id)) for f in shown])
    return show_people(answer(call, "fix_which", rows), people_in(shown))


def _is_shown(call: CommandCall, fact: Fact) -> bool:
    """Return whether somebody may be shown a fact who wants to change it; nothing that only opted-out members said."""
    theirs = fact.subject == "chat" or (fact.subject == f"user:{call.user_id}" and may_speak(call.state, call.user_id))
    return theirs and any(may_speak(call.state, quote.user_id) for quote in fact.evidence)


# --- correcting ---------------------------------------------------------------------------------


def _reason_refused(policy: Policy, state: ChatState, user_id: int, fact: Fact | None, *, proven: bool = False) -> str:
    """Return why somebody may not correct a fact, as the name of a text; "" when they may.

    Args:
        proven: An anonymous admin speaks as the chat.
    """
    if fact is None or fact.status not in STANDS:
        return "fix_gone"
    if user_id < 0 and not proven:
        return "people_only"
    refused = no_voice(policy, state, fact, user_id)
    return "" if refused is None else f"no_voice_{refused}"


def _ask_for_words(here: Scene, fact: Fact, name: str = "") -> Answer:
    """The question for the right words; a reply of that user to it is the correction."""
    question = here.text("fix_question_to" if name else "fix_question", name=one_line(name, MOST_NAME))
    return Answer((AnswerPiece(question, asks=ReplyContext("gryadfix", "fix", fact.id, user_id=here.viewer)),))


async def _correct(app: App, call: CommandCall, fact_id: str, words: str) -> Answer:
    """Have the words of the caller's message correct a fact, and tell what it came to as it is stored: also when that
    was done by an earlier delivery."""
    from shared.application.facts.correcting import correct_by_words  # imported here: patterns take long to load

    fact = await current_fact(app.store, app.policy, call.state.chat_id, fact_id)
    proven = call.message.is_admin is True
    refused = _reason_refused(app.policy, call.state, call.user_id, fact, proven=proven)
    if fact is None or refused:
        return answer(call, refused)
    rules = await is_admin(app, call.state, call.user_id, proven=proven)
    reason = await correct_by_words(app, call.state, call.message, fact, words, rules=rules)
    if reason is not None:
        return answer(call, f"fix_{reason}") if reason in _TOLD_OF_FIX else explain_refusal(call.language, reason)
    root = await current_fact(app.store, app.policy, call.state.chat_id, fact.conflicts_with or fact.id)
    claims = [] if root is None else claims_of(root)
    said_it = next((c for c in claims if any(e.message_id == call.message.message_id for e in c.evidence)), None)
    if root is None or said_it is None:
        return answer(call, "fix_not_taken")
    here, now = call.scene(app.policy), one_line(root.description, 200)
    if said_it.value_key == root.value_key:
        return Answer((await compose_card_message(app.store, here, root.id, here.say("fix_done")),))
    if said_it.value_key not in rivals(root):
        return show_people(answer(call, "fix_rejected", now=now), people_in([root]))
    line, waits = here.say("fix_waits", now=now, votes=str(app.policy.consensus)), rival_id(root.id, said_it.value_key)
    return Answer((await compose_card_message(app.store, here, waits, line),))


async def _cast(app: App, call: CommandCall, fact_id: str, *, supports: bool) -> Answer:
    if outside := await refusal(app, call.state, call.user_id, "members"):
        return answer(call, outside)
    here = call.scene(app.policy)
    told, fact = await cast_vote(app, here, fact_id, supports=supports)
    if fact is None:
        return Answer.of(text(escape(told)))
    return Answer((await compose_card_message(app.store, here, fact.id, escape(told)),))


_TOLD_OF_FIX = frozenset({"another_member", "injection", "same", "speechless", "unclear"})
"""Reasons that are worded otherwise for a correction (`fix_<reason>`)."""


# --- why words are not kept ---------------------------------------------------------------------


def explain_refusal(language: Language, reason: str, **values: str) -> Answer:
    """Return why words are not kept, as people understand it, and what to say instead."""
    told = read_data(__package__, "refusals")["told_as"].get(str(reason), "unclear")
    return Answer.of(localized_text(language, f"refused_{told}", (), **values))
