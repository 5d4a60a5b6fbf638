"""The chat's character as a picture: counted from its latest messages and drawn by a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.commands.later import read_place
from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import memory_of
from shared.application.delivery.sending import say_once
from shared.application.delivery.wording import text
from shared.application.ports.charts import Bars
from shared.application.ports.chat import Outgoing, OutgoingFile
from shared.application.recall.loading import load_corpus
from shared.application.recall.search import messages_shown
from shared.domain.answering.character import FEWEST, MOST_READ, TRAITS, Character, character_of
from shared.domain.conversation.messages import Message
from shared.domain.delivery.markup import escape, plain
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line, split_text
from shared.locales import say

_CULTURE = 420
"""UTF-16 units of the portrait in words under the picture: with the figures it stays under a caption's 1,024."""


async def draw_portrait(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Draw the picture that a member asked for and send it as a reply, once.

    Args:
        payload: As of `later.place_of`.

    Raises:
        BadPayload: It is not of this shape.
        TransientError: Run it again.
    """
    place = read_place(payload)
    state = await app.chats.current(place.chat_id, fresh=True)
    as_of, reply_to = await memory_of(app.store, state.chat_id), place.message_in(state.chat_id)
    answer, key = Answer.of(await compose_portrait(app, state, place.language)), f"portrait-{place.mark}"
    await say_once(app, state.chat_id, key, answer, as_of=as_of, reply_to=reply_to, thread_id=place.thread_id)
    return {"sent": 1}


async def compose_portrait(app: App, state: ChatState, language: Language) -> Outgoing:
    """The picture with its figures as a caption, or what to do when there is too little to draw."""
    character = character_of(await _latest(app, state), zone=choices_for(app.policy, state).timezone)
    if character is None:
        return text(say(language, "portrait_too_early", count=str(FEWEST)))
    caption = text(_caption(character, state, language), people=state.culture_of if state.culture else frozenset())
    if app.charts is None:
        return caption
    title = say_plain(language, "portrait_title", title=one_line(state.title, 60) or "…")
    picture = await asyncio.to_thread(app.charts.draw, title, _bars(character, language))
    return OutgoingFile("character.png", "image/png", picture, caption)


async def _latest(app: App, state: ChatState) -> list[Message]:
    corpus = await load_corpus(app, state)
    rows = np.flatnonzero(messages_shown(app.clock, app.policy, state, corpus, topic=None, before=None) & ~corpus.bots)
    newest = rows[np.argsort(corpus.sent_at[rows], kind="stable")][-MOST_READ:]
    return [corpus.message(int(row)) for row in newest]


def _bars(character: Character, language: Language) -> Sequence[Bars]:
    hours = ["" if hour % 6 else f"{hour:02}" for hour in range(24)]
    days = say_plain(language, "weekdays").split()
    traits = [say_plain(language, f"trait_{name}") for name in TRAITS]
    shares = [character.shares[name] for name in TRAITS]
    return (
        Bars(say_plain(language, "portrait_traits"), traits, shares, horizontal=True),
        Bars(say_plain(language, "portrait_hours"), hours, character.hours),
        Bars(say_plain(language, "portrait_weekdays"), days, character.weekdays),
    )


def _caption(character: Character, state: ChatState, language: Language) -> str:
    shares = [f"{say(language, f'trait_{name}')} {character.shares[name]:.0%}" for name in TRAITS]
    lines = [
        say(
            language,
            "portrait_figures",
            messages=str(character.messages),
            people=str(character.people),
            since=f"{character.since:%d.%m.%Y}",
            until=f"{character.until:%d.%m.%Y}",
        ),
        "; ".join(shares),
    ]
    if character.emojis:
        lines.append(" ".join(f"{emoji} {count}" for emoji, count in character.emojis))
    if state.culture:
        lines += ["", *map(escape, split_text(one_line(state.culture, _CULTURE), _CULTURE)[:1])]
    return "\n".join(lines)


def say_plain(language: Language, key: str, **values: str) -> str:
    """A text of the locales without markup, as a picture shows it."""
    return plain(say(language, key, **values))
