"""Reactions to what the bot said about a fact, as votes: by a question to the group, and by a fact's card.

A member's last reaction is kept in the message's document (`reacted`: when, and what it says); what is kept there is
carried out, and looked at again afterwards. So of updates that come twice, late or in the wrong order the newest wins,
and whoever dies in between is made good by the task's next run, without a lease.
"""

from __future__ import annotations

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.reaction_codec import Reacted, reaction_fields, read_reactions
from shared.application.conversation.reply_codec import ReplyContext, reply_context_of
from shared.application.documents import message_path
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.domain.facts.fact import Fact
from shared.domain.facts.group_question import voted_by
from shared.domain.intake.outcomes import UpdateOutcome, UpdateResult
from shared.domain.intake.updates import ReactionChanged


async def react(app: App, update: ReactionChanged) -> UpdateOutcome:
    """Count changed reactions; what became of them, for the log.

    Raises:
        TransientError: Try again; nothing is counted twice.
    """
    state = await app.chats.state(update.chat.chat_id)
    if state.migrated_to is not None or update.user_id < 0 or update.user_id in state.opted_out:
        return UpdateOutcome(UpdateResult.IGNORED, "a reaction that is no vote")
    message = await app.store.get(message_path(state.chat_id, update.message_id))
    asks = reply_context_of(message)
    if asks is None or not asks.takes_votes:
        return UpdateOutcome(UpdateResult.IGNORED, "a reaction that is no vote")
    return await _count(app, state, update, asks)


async def _count(app: App, state: ChatState, update: ReactionChanged, asks: ReplyContext) -> UpdateOutcome:
    from shared.application.commands.authority import is_member

    if not await is_member(app, state, update.user_id):
        return UpdateOutcome(UpdateResult.REFUSED, "members_only")
    if await _is_forgotten(app.store, state, update):
        return UpdateOutcome(UpdateResult.IGNORED, "forgotten")
    noted = await _note_reaction(app.store, state, update, asks.fact)
    if noted is None:
        return UpdateOutcome(UpdateResult.IGNORED, "an older reaction")
    voted, carried_out = False, None
    while noted is not None and noted != carried_out:
        voted = await _carry_out(app, state, update.user_id, asks, noted)
        noted, carried_out = await _last_reaction(app.store, state, update), noted
    if not voted:
        return UpdateOutcome(UpdateResult.REFUSED, "no vote")
    await _show(app, state, update.message_id, asks, update.user_id)
    return UpdateOutcome(UpdateResult.REACTION)


async def _is_forgotten(store: DocumentStore, state: ChatState, update: ReactionChanged) -> bool:
    """Return whether they reacted before they were forgotten, and it comes late, or again."""
    if state.forgotten_at is None or update.at > state.forgotten_at:
        return False
    from shared.application.conversation.tombstone_codec import read_tombstone
    from shared.application.conversation.tombstones import member_tombstone

    mark = await store.get(member_tombstone(state.chat_id, update.user_id))
    return mark is not None and read_tombstone(mark).bars(update.at)


async def _note_reaction(
    store: DocumentStore, state: ChatState, update: ReactionChanged, fact_id: str
) -> Reacted | None:
    """The reaction as it is kept now, also when it was kept before; None when a newer one is."""
    path, user, says = message_path(state.chat_id, update.message_id), update.user_id, voted_by(update.emojis)

    async def note(tx: Transaction) -> Reacted | None:
        message = await tx.get(path)
        if message is None:
            return None
        kept = read_reactions(message)
        before = kept.get(user)
        order = (update.at, update.update_id)
        if before is not None and (before.at, before.update_id) >= order:
            return before if (before.at, before.update_id) == order else None
        if says is not None or before is None:
            kept[user] = Reacted(*order, says, None if says is None else update.at, fact_id)
        else:
            kept[user] = before._replace(at=update.at, update_id=update.update_id, supports=None)
        tx.write(Upsert(path, reaction_fields(kept)))
        return kept[user]

    return await store.transaction(note)


async def _last_reaction(store: DocumentStore, state: ChatState, update: ReactionChanged) -> Reacted | None:
    message = await store.get(message_path(state.chat_id, update.message_id))
    return read_reactions(message).get(update.user_id)


async def _carry_out(app: App, state: ChatState, user_id: int, asks: ReplyContext, noted: Reacted) -> bool:
    """Vote as the reaction says, or take its vote back; False when there is nothing that they have a voice in."""
    from shared.application.commands.facts.questions import is_open
    from shared.application.commands.facts.votes import meant_fact
    from shared.application.facts.moderation import no_voice, vote, withdraw_vote

    fact = await meant_fact(app.store, app.policy, state, noted.fact)
    if fact is None or not _is_about(fact, asks, noted):
        return False
    if not is_open(fact, asks) or no_voice(app.policy, state, fact, user_id):
        return False
    if noted.supports is not None:
        await vote(app, state.chat_id, fact.id, user_id, supports=noted.supports, at=noted.at)
    elif noted.voted_at is not None:
        await withdraw_vote(app, state.chat_id, fact.id, user_id, at=noted.voted_at)
    return True


def _is_about(fact: Fact, asks: ReplyContext, noted: Reacted) -> bool:
    """Return whether who reacted had the words before them that the fact has now: a card may have shown others then."""
    from shared.domain.facts.group_question import wording_of

    given_at = noted.voted_at if noted.supports is None else noted.at
    too_old = asks.since is not None and given_at is not None and given_at < asks.since
    return noted.supports is None or not (too_old or asks.words not in ("", wording_of(fact)))


async def _show(app: App, state: ChatState, message_id: int, asks: ReplyContext, viewer: int) -> None:
    """Bring the message up to date."""
    from shared.application.commands.facts.questions import show_question
    from shared.application.commands.facts.votes import meant_fact
    from shared.domain.text.language import interface_language

    language = interface_language(state.language, None)
    if asks.action == "question":
        fact = await meant_fact(app.store, app.policy, state, asks.fact)
        await show_question(app.gateway, app.policy, state, message_id, fact, asks, language)
        return
    from shared.application.commands.facts.card import render_card
    from shared.application.commands.facts.questions import show_instead

    await show_instead(
        app.gateway, state, message_id, await render_card(app.store, app.policy, state, asks.fact, language, viewer)
    )
