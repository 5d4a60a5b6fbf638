"""The last three weeks of a group, a consolidation each night at two, without a model: CONTEXT.md reads well."""

import asyncio
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from infra.sqlite import SqliteStore
from shared.application.consolidation.context_file_codec import load_context_file
from shared.application.consolidation.nightly import consolidate
from shared.application.recall.upkeep import index_chat
from shared.domain.consolidation.items import Section
from shared.domain.conversation.messages import Message
from tests.support.archive import archive
from tests.support.nights import Nights
from tests.support.tool_chat import CHAT
from tests.support.weeks import read_weeks

KYIV = ZoneInfo("Europe/Kyiv")
LINE = re.compile(r"- \S.*\[\d{4}-\d\d-\d\d\]")


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """CONTEXT.md after every night."""
    return asyncio.run(_live(tmp_path_factory.mktemp("weeks") / "weeks.db"))


async def _live(path):
    store = SqliteStore(path)
    nights = await Nights(store).begin()
    clock = nights.app.clock
    files = []
    for evening, told in _days():
        await archive(store, told)
        clock.advance(evening - clock.now())
        await index_chat(nights.app, await nights.read_chat())
        await consolidate(nights.app, await nights.read_chat())
        files.append(await load_context_file(nights.app.store, CHAT))
    await store.aclose()
    return files


def _days():
    """Each night at two with what was said since the one before."""
    told = [_message(said) for said in read_weeks().messages]
    last = told[-1].sent_at.astimezone(KYIV).replace(hour=2, minute=0, second=0) + timedelta(days=1)
    for ago in range(21, -1, -1):
        night = last - timedelta(days=ago)
        yield night, [m for m in told if night - timedelta(days=1) <= m.sent_at < night]


def _message(said):
    named = {key: said[key] for key in ("user_id", "name", "username", "text", "reply_to", "forwarded", "kind")}
    return Message(CHAT, said["message_id"], datetime.fromisoformat(said["date"]), **named)


def test_every_item_is_shown_by_verbatim_words_of_its_author(lived):
    said = {m["message_id"]: m for m in read_weeks().messages}
    quotes = [quote for file in lived if file for item in file.items for quote in item.quotes]
    assert quotes
    assert all(quote.text in said[quote.message_id]["text"] for quote in quotes)
    assert all(quote.user_id == said[quote.message_id]["user_id"] for quote in quotes)


def test_the_document_is_short_dated_and_of_few_topics(lived):
    for file in filter(None, lived):
        assert len(file.text.encode()) <= 2_048
        lines = [line for line in file.text.splitlines() if line.startswith("- ")]
        assert len(lines) == len(file.items)
        assert all(LINE.fullmatch(line) for line in lines)
        assert sum(item.section is Section.TOPICS for item in file.items) <= 5


def test_nothing_stays_whose_day_is_long_past_or_that_nobody_mentioned_for_two_weeks(lived):
    for file in filter(None, lived):
        today = file.updated_at.astimezone(KYIV).date()
        for item in file.items:
            assert item.due is None or max(item.due, item.mentioned_at.date()) >= today - timedelta(days=3)
            assert file.updated_at - item.mentioned_at <= timedelta(days=14)
