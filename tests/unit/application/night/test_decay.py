"""Facts that nobody confirms expire in a night, page by page."""

from datetime import timedelta

from shared.application.documents import chat_path, facts_path
from shared.application.night import decay as decay_module
from shared.application.night.decay import decay_chat
from shared.application.ports.store import Filter
from tests.support.group import CHAT
from tests.support.queues import NOON
from tests.unit.application.night.chats import believe, changed_at, state_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_decay_says_when_the_next_fact_will_be_too_old(app):
    assert await decay_chat(app, await state_of(app)) == ({"expired": 0}, None, False)
    await believe(app, 1, days_ago=10)
    await believe(app, 1, days_ago=60, start=1)
    await believe(app, 1, days_ago=95, start=2)
    outcome = await decay_chat(app, await state_of(app))
    assert outcome == ({"expired": 1}, NOON + 30 * DAY - timedelta(seconds=1), False)


async def test_decay_takes_more_facts_than_a_page_and_no_more_than_a_task_should(app, monkeypatch):
    monkeypatch.setattr(decay_module, "PAGE", 7)
    monkeypatch.setattr(decay_module, "MOST_REVISED", 20)
    await believe(app, 45, days_ago=100)
    state, outcomes = await state_of(app), []
    while not outcomes or outcomes[-1].more:
        outcomes.append(await decay_chat(app, state))
    assert [outcome.counts["expired"] for outcome in outcomes] == [20, 20, 5]
    assert await app.store.count(facts_path(CHAT), where=[Filter("status", "==", "active")]) == 0


async def test_what_expires_is_for_the_other_jobs_of_the_next_night_to_see(app):
    await believe(app, 1, days_ago=100)
    for job in ("decay", "dedup", "summaries"):
        await app.store.update(
            chat_path(CHAT), {"nightly": {job: {"at": NOON - DAY, "next_at": None, "day": "2026-11-01", "by": ""}}}
        )
    await decay_chat(app, await state_of(app))
    assert await changed_at(app) == NOON
    await believe(app, 1, days_ago=1, start=1)
    app.clock.advance(HOUR)
    await decay_chat(app, await state_of(app))
    assert await changed_at(app) == NOON  # nothing more has expired


async def test_what_holds_no_more_by_its_own_words_expires_then_and_says_when(app):
    until = NOON + 3 * DAY
    await believe(app, 1, days_ago=1, until=until)
    assert await decay_chat(app, await state_of(app)) == ({"expired": 0}, until, False)
    app.clock.advance(3 * DAY)
    assert (await decay_chat(app, await state_of(app))).counts == {"expired": 1}
    (fact,) = await app.store.query(facts_path(CHAT))
    assert (fact.data["status"], fact.data["valid_to"]) == ("expired", until)
    assert (await decay_chat(app, await state_of(app))).counts == {"expired": 0}
