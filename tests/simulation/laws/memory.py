"""Laws of memory: what must be true of facts, profiles, the index and what was forgotten, after every run."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.documents import chat_path, facts_path, messages_path, profile_path, subjects_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.profiles import subject_facts
from shared.application.recall.head_codec import segment_of
from shared.domain.facts.claims import claims_of
from shared.domain.facts.fact import Fact
from shared.domain.facts.slot import rebuild
from shared.domain.text.plain import verify_quote
from tests.simulation.observing import Observer
from tests.simulation.peers.model import paraphrase
from tests.simulation.story import Story
from tests.simulation.world import World

_SENT_UP_TO = timedelta(seconds=2)
"""Telegram dates messages in whole seconds."""


async def stored_messages(world: World, chat_id: int) -> dict[int, StoredMessage]:
    """Return what is stored of a chat's talk, by message id."""
    found = [read_message(document) for document in await world.store.query(messages_path(chat_id))]
    return {each.message.message_id: each for each in found}


async def every_quote_was_said(world: World, story: Story, observer: Observer) -> list[str]:
    """A fact leans on words of messages that say them, by who said them."""
    problems = []
    for chat_id in world.api.chats:
        said = await stored_messages(world, chat_id)
        for fact in await _facts(world, chat_id):
            for quote in (quote for claim in claims_of(fact) for quote in claim.evidence):
                message = said[quote.message_id].message if quote.message_id in said else None
                if message is None or message.user_id != quote.user_id or not verify_quote(quote.quote, message.text):
                    text = "gone" if message is None else repr(message.text)
                    problems.append(f"fact {fact.description!r} quotes {quote.quote!r} of {quote.message_id}: {text}")
    return problems


async def belief_follows_from_what_was_said(world: World, story: Story, observer: Observer) -> list[str]:
    """What is believed is what a replay of everything said in its slot comes to."""
    problems = []
    for chat_id in world.api.chats:
        for fact in await _facts(world, chat_id):
            if fact.conflicts_with is not None:
                continue
            again = rebuild(fact, claims_of(fact), closed_at=fact.closed_at)
            if (fact.value, fact.status, set(fact.evidence)) != (again.value, again.status, set(again.evidence)):
                problems.append(f"{fact.subject} {fact.key}: {fact.value!r} {fact.status}, by replay {again.value!r}")
    return problems


async def _facts(world: World, chat_id: int) -> list[Fact]:
    return [fact_from_fields(document.data) for document in await world.store.query(facts_path(chat_id))]


async def profiles_are_current(world: World, story: Story, observer: Observer) -> list[str]:
    """A profile that is there says what the facts say."""
    problems, now = [], world.clock.now()
    for chat_id in world.api.chats:
        state, subjects = ChatState(chat_id), [each.id for each in await world.store.query(subjects_path(chat_id))]
        kept = await subject_facts(world.store, world.policy, state, subjects, now=now)
        for subject in subjects:
            await world.store.delete(profile_path(chat_id, subject))
        made = await subject_facts(world.store, world.policy, state, subjects, now=now)
        problems += [
            f"the profile of {subject} in {chat_id} says {[fact.value for fact in kept[subject]]}"
            f" instead of {[fact.value for fact in made[subject]]}"
            for subject in subjects
            if Counter(fact.id for fact in kept[subject]) != Counter(fact.id for fact in made[subject])
        ]
    return problems


async def the_index_holds_what_is_stored(world: World, story: Story, observer: Observer) -> list[str]:
    """Each message is in the index at most once, and as it reads now."""
    problems = []
    for chat_id in world.api.chats:
        said, seen = await stored_messages(world, chat_id), Counter[int]()
        async for document in world.store.subtree(chat_path(chat_id)):
            if "payload" not in document.data:
                continue
            for message in segment_of(document)[0].messages():
                seen[message.message_id] += 1
                known = said.get(message.message_id)
                if known is None or known.message.text != message.text:
                    problems.append(f"the index of {chat_id} holds {message.message_id}: {message.text!r}")
        problems += [f"message {each} of {chat_id} is in the index {n} times" for each, n in seen.items() if n > 1]
    return problems


async def nothing_is_left_of_the_forgotten(world: World, story: Story, observer: Observer) -> list[str]:
    """No document, no task and no message of the bot that stands holds a word of who was forgotten, or retells it.

    A message of which the bot was not told that it arrived has no number that it could delete it by.
    """
    problems = []
    forgettings = world.forgettings()
    held = await _everything_held(world) if forgettings else []
    for chat_id, user_id, until in forgettings:
        chats = {chat_id, *(old for old, new in story.moved.items() if new == chat_id)}
        for said in story.said:
            at = world.clock.at(said.at) + _SENT_UP_TO
            if said.word and said.user_id == user_id and said.chat_id in chats and at <= until:
                problems += [
                    f"{word!r} of {said.message_id} in {said.chat_id} is left in {where}"
                    for word in (said.word, paraphrase(said.word))
                    for where, text in held
                    if word in text
                ]
    return problems


async def nothing_is_kept_of_who_opted_out(world: World, story: Story, observer: Observer) -> list[str]:
    """What was said when every instance knew that its author opted out lies nowhere."""
    held = await _everything_held(world) if story.unkept else []
    return [
        f"{said.word!r} of {said.user_id}, who opted out, is left in {where}"
        for said in story.unkept
        for where, text in held
        if said.word in text
    ]


async def _everything_held(world: World) -> list[tuple[str, str]]:
    held = [(task.name, task.body.decode()) for task in world.queue.tasks.values()]
    for collection in ("chats", "updates", "dead_letters", "tombstones"):
        held += [(document.path, repr(document.data)) for document in await world.store.query(collection)]
    for chat_id in world.api.chats:
        async for document in world.store.subtree(chat_path(chat_id)):
            if "payload" in document.data:
                segment, _ = segment_of(document)
                held.append((document.path, repr([*segment.messages(), *segment.notes()])))
            else:
                held.append((document.path, repr(document.data)))
    return held + [
        (f"the bot's message {shown.message_id} in {shown.chat_id}", shown.text)
        for shown in world.api.sent
        if not shown.is_gone and shown.is_surely_noted
    ]
