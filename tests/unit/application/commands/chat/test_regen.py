"""Admins have a part of the talk read anew."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.chat.regen import MOST, Latest, read_range
from shared.application.documents import chunks_path, message_path, usage_path
from shared.application.reading.rereading import read_anew
from shared.domain.recall.time_phrases import Span
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading
from tests.support.reading.talks import Talk, remembering

ADMIN = (102, "Тарас")
KYIV = ZoneInfo("Europe/Kyiv")
NOW = datetime(2026, 11, 6, 20, 0, tzinfo=KYIV)


def day(year, month, number):
    return datetime(year, month, number, tzinfo=KYIV)


def better(request):
    """What the model says when it is asked again."""
    return reading(request, "Краще сказано.", ["Краще записано."]) if asks_to_read(request) else "Краще разом."


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
async def talk(sqlite_store, gemini):
    """Twelve chunks of one message; then the model learns to say it better."""
    gemini.reply_with(remembering)
    async with running_group(sqlite_store, **gemini.environment) as group:
        talk = Talk(group)
        await talk.chunks_of_one(12)
        gemini.reply_with(better)
        yield talk


async def summaries(group):
    """Of the twelve; what is said to the bot meanwhile makes another, of which nothing is told."""
    return [chunk.data["summary"] for chunk in await group.store.query(chunks_path(CHAT)) if chunk.data["summary"]]


async def ask(group, words="last 120", **fields):
    await group.say(f"/gryadregen {words}".strip(), *ADMIN, **fields)
    return group.answers[-1]


async def test_a_range_is_read_anew_after_the_question_in_few_calls(talk, gemini):
    group = talk.group
    assert "Перечитати уривків: 12" in await ask(group)
    assert "Краще сказано." not in await summaries(group)
    await group.settle()  # the command's own message
    before = len(gemini.requests)
    await group.press("Перечитати", *ADMIN)
    assert "Перечитую уривків: 12" in group.shown(group.api.sent[-1].message_id).text
    await group.settle()
    assert set(await summaries(group)) == {"Краще сказано."}
    assert sum(map(asks_to_read, gemini.requests[before:])) == 2


async def test_only_what_is_meant_is_made_anew(talk):
    group = talk.group
    assert "уривків: 2 " in await ask(group, "last 20")
    await group.press("Перечитати", *ADMIN)
    await group.settle()
    assert (await summaries(group)).count("Краще сказано.") == 2


async def test_as_a_reply_it_goes_from_that_message_up_to_now(talk):
    group = talk.group
    fourth = (await group.messages())[3]
    replied = {"message_id": fourth["message_id"], "date": int(fourth["sent_at"].timestamp())}
    original = {**replied, "chat": {"id": CHAT, "type": "supergroup", "title": "x"}}
    assert "уривків: 9 " in await ask(group, "", reply_to_message=original)


async def test_a_day_is_the_chats_own(talk):
    group = talk.group
    local = (await group.messages())[0]["sent_at"].astimezone(KYIV).date()
    assert "Перечитати уривків: 12" in await ask(group, local.isoformat())
    assert "нема чого" in await ask(group, (local - timedelta(days=1)).isoformat())
    assert "/gryadregen сьогодні" in await ask(group, "будь-що")
    assert "/gryadregen сьогодні" in await ask(group, "")


async def test_no_more_than_fifty_chunks_are_made_at_once(talk):
    group = talk.group
    (chunk, *_) = await group.store.query(chunks_path(CHAT))
    for n in range(100, 160):
        await group.store.set(f"{chunks_path(CHAT)}/{n}-{n}", chunk.data | {"first": n, "last": n})
    assert f"уривків: {MOST} " in await ask(group, "last 9999")
    assert f"спершу уривків: {MOST} " in await ask(group, chunk.data["last_at"].astimezone(KYIV).date().isoformat())


async def test_without_a_model_or_in_private_mode_nothing_is_asked(sqlite_store):
    async with running_group(sqlite_store) as group:
        assert "Модель не під'єднано" in await ask(group)
        await group.runtime.app.chats.change(CHAT, {"private_mode": True})
        assert "приватному режимі" in await ask(group)


async def run_tasks(group):
    """Those of a quarter of an hour: without a budget, extraction asks again every hour for ever."""
    for _ in range(5):
        group.clock.advance(timedelta(minutes=3))
        await group.tasks.dispatch_due(group.clock.now())


async def test_when_the_budget_is_used_up_it_waits_for_more(talk):
    group = talk.group
    await ask(group)
    today = usage_path(CHAT, group.clock.now().date())
    await group.press("Перечитати", *ADMIN)
    await group.store.upsert(today, {"tokens": 10**9})
    await run_tasks(group)
    assert "Краще сказано." not in await summaries(group)
    assert all(await summaries(group)), "what it had stays"
    await group.store.upsert(today, {"tokens": 0})
    await group.settle()
    assert set(await summaries(group)) == {"Краще сказано."}


async def test_pressing_is_for_who_asked_and_a_press_that_comes_twice_runs_once(talk, gemini):
    group = talk.group
    group.api.add_chat(CHAT, "supergroup", admins={102, 105})
    await ask(group, "last 20")
    await group.press("Перечитати", 105, "Інша")
    await group.settle()
    assert "Краще сказано." not in await summaries(group)
    before, update = len(gemini.requests), group.pressing("Перечитати", *ADMIN)
    await group.deliver(update)
    await group.deliver(update)
    await group.settle()
    assert (await summaries(group)).count("Краще сказано.") == 2
    assert sum(map(asks_to_read, gemini.requests[before:])) == 1


async def test_what_may_not_be_read_any_more_stays_as_it_was(talk):
    group = talk.group
    (before,) = set(await summaries(group))
    for number in (2, 5, 7):
        await group.store.delete(message_path(CHAT, number))
    await ask(group)
    await group.press("Перечитати", *ADMIN)
    await group.settle()
    after = await summaries(group)
    assert (after.count("Краще сказано."), after.count(before)) == (9, 3)


async def test_what_is_made_of_a_chunk_follows_it_although_nobody_speaks(talk, gemini):
    group = talk.group
    (meta,) = (await talk.metas()).values()
    assert "Краще сказано." not in meta["summary"]
    await ask(group)
    await group.settle()  # the command's own message
    await group.press("Перечитати", *ADMIN)
    await group.settle()
    (meta,) = (await talk.metas()).values()
    assert (meta["summary"], meta["stale"], meta["indexed"]) == ("Краще сказано.", False, True)
    assert all(chunk["indexed"] for chunk in (await talk.chunks()).values())


async def test_a_chunk_that_told_nothing_counts_again_when_it_tells_something(talk):
    path = f"{chunks_path(CHAT)}/12-12"
    await talk.group.store.update(path, {"summary": "", "episodic": "", "meta": "none"})
    assert await read_anew(talk.group.store, CHAT, after=11, last=12, most=1) == 1
    await talk.extract()
    chunk = await talk.group.store.get(path)
    assert (chunk.data["summary"], chunk.data["meta"]) == ("Краще сказано.", None)


async def test_what_the_chat_forbids_meanwhile_stops_it(talk, gemini):
    group = talk.group
    await ask(group)
    await group.press("Перечитати", *ADMIN)
    await talk.app.chats.change(CHAT, {"private_mode": True})
    before = len(gemini.requests)
    await run_tasks(group)
    assert "Краще сказано." not in await summaries(group)
    assert len(gemini.requests) == before


async def test_a_chat_without_a_budget_is_told_so_at_once(talk):
    await talk.app.chats.change(CHAT, {"settings": {"tokens_per_day": 0}})
    assert "бюджет - 0 токенів" in await ask(talk.group)


# --- which talk is meant ---------------------------------------------------------------------------


RANGES = {
    "today": Span(day(2026, 11, 6), day(2026, 11, 7)),
    "Сьогодні": Span(day(2026, 11, 6), day(2026, 11, 7)),
    "вчора": Span(day(2026, 11, 5), day(2026, 11, 6)),
    "yesterday today": Span(day(2026, 11, 5), day(2026, 11, 7)),
    "2026-11-02": Span(day(2026, 11, 2), day(2026, 11, 3)),
    "02.11": Span(day(2026, 11, 2), day(2026, 11, 3)),
    "20.11": Span(day(2025, 11, 20), day(2025, 11, 21)),
    "02.11.2024": Span(day(2024, 11, 2), day(2024, 11, 3)),
    "04.11 02.11": Span(day(2026, 11, 2), day(2026, 11, 5)),
    "02.11.2024 - 04.11.2024": Span(day(2024, 11, 2), day(2024, 11, 5)),
    "до 04.11": None,
    "позавчора": Span(day(2026, 11, 4), day(2026, 11, 5)),
    "2 листопада": Span(day(2026, 11, 2), day(2026, 11, 3)),
    "минулого тижня": Span(day(2026, 10, 26), day(2026, 11, 2)),
    "last 2 days": Span(day(2026, 11, 4), day(2026, 11, 7)),
    "last 200": Latest(200),
    "останні  20": Latest(20),
    "last 0": None,
    "last": None,
    "30.02": None,
    "2026-13-01": None,
    "today and more": None,
    "everything": None,
    "9999-12-31": None,
    "0001-01-01": None,
    "01.01.0001 31.12.9999": None,
    "2026-12-31": Span(day(2026, 12, 31), day(2027, 1, 1)),
}


@pytest.mark.parametrize("words", sorted(RANGES))
def test_a_range_is_days_as_people_name_them_or_the_latest_messages(words):
    assert read_range(words, now=NOW) == RANGES[words]


@given(st.dates(date(2001, 1, 1), date(2026, 11, 6)), st.booleans())
def test_every_day_is_found_by_its_date(day_, iso):
    found = read_range(day_.isoformat() if iso else f"{day_:%d.%m.%Y}", now=NOW)
    assert isinstance(found, Span)
    assert found.since.date() == day_
    assert found.until.date() == day_ + timedelta(days=1)


@given(st.text(max_size=30))
def test_nothing_that_is_typed_breaks_it(words):
    found = read_range(words, now=NOW)
    assert not isinstance(found, Span) or found.since < found.until
