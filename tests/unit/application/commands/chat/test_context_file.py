"""CONTEXT.md as people see it: each line with the link of its own words, and theirs as words."""

import itertools
import re
from datetime import UTC, datetime

import pytest

from shared.application.chats.context_codec import context_path
from shared.application.commands.call import CommandCall
from shared.application.commands.chat.context_file import show_context
from shared.application.commands.table import COMMANDS
from shared.application.consolidation.context_file_codec import ContextFile, context_file_fields
from shared.domain.consolidation.document import render
from shared.domain.consolidation.items import Item, Quote, Section

SUPERGROUP = -1_001_000_000_001
NOW = datetime(2026, 11, 6, 18, tzinfo=UTC)
numbers = itertools.count(1)


def item(text, **more):
    quote = Quote(next(numbers), 101, text, NOW)
    return Item(Section.PENDING, text, (quote,), NOW, **more)


async def context(chat, *items):
    """What the command says of a context file with these items."""
    text = render(items, language="uk", updated_at=NOW, zone=UTC)
    await chat.app.store.set(context_path(SUPERGROUP), context_file_fields(ContextFile(1, text, items, updated_at=NOW)))
    state = chat.state._replace(chat_id=SUPERGROUP)
    answer = await show_context(chat.app, CommandCall(COMMANDS["gryadcontext"], state, None, None, "", "uk"))
    return answer.pieces[0].content


async def test_a_line_has_the_link_of_its_own_words_also_when_another_begins_alike(chat):
    short, long = item("Купити хліб"), item("Купити хліб і молоко")
    for items in ((short, long), (long, short)):
        lines = {line.split(" [")[0]: line for line in (await context(chat, *items)).html.splitlines()}
        for each in items:
            link = f'<a href="https://t.me/c/1000000001/{each.quotes[0].message_id}">→</a>'
            assert lines[f"• {each.text}"].endswith(link)


async def test_a_line_that_somebody_wrote_by_hand_keeps_its_own_markup(chat):
    shown = await context(chat, item("див. [план](https://plan.example)", by_hand=True))
    assert '<a href="https://plan.example">план</a>' in shown.html


HOSTILE = ("# Рішення", "> цитата", "[тут](tg://x)", "\\[тут](tg://x)", "<b>так</b>", "1. ```", "](tg://x)", "---")
"""Two of them begin with what `inert` writes itself."""


@pytest.mark.parametrize("words", HOSTILE)
async def test_what_people_said_and_are_called_makes_no_heading_no_link_and_no_tag(chat, words):
    shown = await context(chat, item(words, starter="Адмін](tg://x) <i>"), item("Купити хліб", starter=words))
    assert words.replace("://", ":") in shown.plain, "Telegram would make a link of a bare tg://x"
    assert re.findall('href="([^"]*)"', shown.html) == [f"https://t.me/c/1000000001/{n}" for n in _quoted(shown)]
    assert re.findall("<(?!/?a[ >])[^>]*>", shown.html) == ["<b>", "</b>", "<i>", "</i>"]  # the heading and the frame


def _quoted(shown):
    return re.findall(r"/(\d+)\">→", shown.html)
