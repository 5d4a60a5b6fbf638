"""The chat's character as a picture: counted from its latest messages and drawn by a worker."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import Scene
from shared.application.commands.later import CommandOrigin
from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import memory_of
from shared.application.delivery.sending import say_once
from shared.application.delivery.wording import text
from shared.application.payload_codec import read_payload
from shared.application.ports.charts import Bars
from shared.application.ports.chat import Outgoing, OutgoingFile
from shared.application.recall.loading import load_corpus
from shared.application.recall.search import messages_shown
from shared.domain.answering.character import FEWEST, MOST_READ, TRAITS, Character, character_of
from shared.domain.conversation.messages import Message
from shared.domain.delivery.markup import escape
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line, split_text

_PORTRAIT = 420
"""UTF-16 units of the portrait in words under the picture: with the figures it stays under a caption's 1,024."""


async def draw_portrait(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Draw the picture that a member asked for and send it as a reply, once.

    Args:
        payload: As of `later.place_of`.

    Raises:
        BadPayload: It is not of this shape.
        TransientError: Run it again.
    """
    place = read_payload(CommandOrigin, payload)
    state = await app.chats.current(place.chat_id, fresh=True)
    as_of, reply_to = await memory_of(app.store, state.chat_id), place.message_in(state.chat_id)
    answer, key = Answer.of(await compose_portrait(app, state, place.language)), f"portrait-{place.mark}"
    await say_once(app, state.chat_id, key, answer, as_of=as_of, reply_to=reply_to, thread_id=place.thread_id)
    return {"sent": 1}


async def compose_portrait(app: App, state: ChatState, language: Language) -> Outgoing:
    """The picture with its figures as a caption, or what to do when there is too little to draw."""
    here = Scene(app.policy, state, language)
    character = character_of(await _read_latest(app, state), zone=here.zone)
    if character is None:
        return here.text("portrait_too_early", count=str(FEWEST))
    caption = text(_caption(here, character), people=state.portrait_of if state.portrait else frozenset())
    if app.charts is None:
        return caption
    title = here.word("portrait_title", title=one_line(state.title, 60) or "…")
    picture = await asyncio.to_thread(app.charts.draw, title, _bars(here, character))
    return OutgoingFile("character.png", "image/png", picture, caption)


async def _read_latest(app: App, state: ChatState) -> list[Message]:
    corpus = await load_corpus(app, state)
    rows = np.flatnonzero(messages_shown(app.clock, app.policy, state, corpus, topic=None, before=None) & ~corpus.bots)
    return [corpus.message(int(row)) for row in rows[np.argsort(corpus.sent_at[rows], kind="stable")][-MOST_READ:]]


def _bars(here: Scene, character: Character) -> Sequence[Bars]:
    hours = ["" if hour % 6 else f"{hour:02}" for hour in range(24)]
    traits = [here.word(f"trait_{name}") for name in TRAITS]
    shares = [character.shares[name] for name in TRAITS]
    return (
        Bars(here.word("portrait_traits"), traits, shares, horizontal=True),
        Bars(here.word("portrait_hours"), hours, character.hours),
        Bars(here.word("portrait_weekdays"), here.word("weekdays").split(), character.weekdays),
    )


def _caption(here: Scene, character: Character) -> str:
    counted = {"messages": str(character.messages), "people": str(character.people)}
    since, until = f"{character.since:%d.%m.%Y}", f"{character.until:%d.%m.%Y}"
    lines = [
        here.say("portrait_figures", since=since, until=until, **counted),
        "; ".join(f"{here.say(f'trait_{name}')} {character.shares[name]:.0%}" for name in TRAITS),
    ]
    if character.emojis:
        lines.append(" ".join(f"{emoji} {count}" for emoji, count in character.emojis))
    if here.state.portrait:
        lines += ["", *map(escape, split_text(one_line(here.state.portrait, _PORTRAIT), _PORTRAIT)[:1])]
    return "\n".join(lines)
