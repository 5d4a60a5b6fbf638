"""What is not well is found, said once, and kept; looking changes nothing and private words stay where they are."""

import json
import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from infra.local.chat.messenger import Messenger
from infra.local.chat.raw_updates import Person
from infra.local.chat.terminal import ShownGateway, TerminalGateway
from infra.telegram.gateway import ALLOWED_UPDATES
from shared.application.dead_letters import record_dead_letter
from shared.application.intake.maintenance import run_job
from shared.application.night.health import (
    LATE,
    MANY_DEAD_LETTERS,
    NEEDED_UPDATES,
    PENDING_UPDATES,
    STUCK,
    WANTED_UPDATES,
    check_health,
    examine,
    judge_backlog,
    judge_webhook,
)
from shared.application.night.health_codec import HEALTH_PATH, HealthFinding
from shared.application.ports.chat import WebhookInfo
from shared.application.ports.tasks import Backlog, Task
from shared.domain.errors import StoreUnavailable
from tests.support.faults import Crashed, FailingStore
from tests.support.group import CHAT, FRIDAY, running_group
from tests.support.updates import message_update

URL = "https://webhook.example/path-with-secret"


@pytest.fixture
async def well(group):
    """A group whose webhook works."""
    group.api.webhook = {"url": URL, "allowed_updates": list(ALLOWED_UPDATES)}
    return group


async def kinds(group):
    return {finding.kind: finding.severity for finding in await examine(group.runtime.app)}


async def kept(group):
    return (await group.store.get(HEALTH_PATH)).data


async def give_up(group, *payloads, kind="task"):
    for payload in payloads:
        body = json.dumps(payload).encode()
        await record_dead_letter(group.store, group.clock, kind=kind, body=body, reason="it broke")


def said(caplog):
    return [
        (record.levelname, {**record.fields, "words": record.words})
        for record in caplog.records
        if getattr(record, "fields", {}).get("event") == "health"
    ]


# --- Nothing to say ----------------------------------------------------------------------------


async def test_where_all_is_well_nothing_is_said(well, caplog):
    outcome = await check_health(well.runtime.app)
    assert outcome.counts == {"errors": 0, "warnings": 0}
    assert await kept(well) == {"schema": 1, "at": well.clock.now(), "findings": []}
    assert said(caplog) == []


async def test_the_scheduler_asks_for_it_by_its_name(well):
    await give_up(well, {"x": 1})
    assert await run_job(well.runtime.app, "health", {}) == {"errors": 0, "warnings": 1}
    assert [row["kind"] for row in (await kept(well))["findings"]] == ["dead_letters"]


async def test_looking_changes_nothing(well):
    writes = well.store.usage.writes
    await examine(well.runtime.app)
    assert (well.store.usage.writes, {call.method for call in well.api.calls}) == (writes, {"getWebhookInfo"})


async def test_a_terminal_has_no_webhook_to_complain_of(well, tmp_path):
    app = well.runtime.app
    messenger = Messenger(store=app.store, bot=Person(0, "гряг", is_bot=True))
    terminal = TerminalGateway(print, messenger, clock=app.clock, files=tmp_path)
    assert await examine(replace(app, gateway=terminal)) == []
    assert await examine(replace(app, gateway=ShownGateway(app.gateway, print, bot_name="гряг"))) == []


def test_what_is_asked_of_telegram_is_what_is_needed():
    assert set(ALLOWED_UPDATES) == NEEDED_UPDATES | WANTED_UPDATES


# --- What is found -----------------------------------------------------------------------------


async def test_a_failing_webhook_is_found_without_its_secret_address(well, caplog):
    well.api.push(message_update("секретне слово"))
    well.api.webhook_error = (int((FRIDAY - timedelta(minutes=5)).timestamp()), "Wrong response: 500")
    await check_health(well.runtime.app)
    [(level, line)] = said(caplog)
    assert (level, line["outcome"], line["host"]) == ("ERROR", "webhook_failing", "webhook.example")
    assert "5 min ago: Wrong response: 500" in line["words"]
    assert "path-with-secret" not in str(line) + str(await kept(well))
    assert "секретне" not in str(line)


NOW = FRIDAY


@pytest.mark.parametrize(
    ("backlog", "found"),
    [
        (Backlog(), {}),
        (Backlog(1, 10_000, NOW - LATE), {}),
        (Backlog(1, 0, NOW - LATE - timedelta(seconds=1)), {"queue_late": "warning"}),
        (Backlog(1, 0, NOW - STUCK - timedelta(seconds=1)), {"queue_late": "error"}),
        (Backlog(501, 0, NOW), {"queue_deep": "warning"}),
        (Backlog(1, 0, NOW + timedelta(hours=1)), {}),
    ],
)
def test_a_backlog_is_judged(backlog, found):
    assert {finding.kind: finding.severity for finding in judge_backlog(backlog, NOW)} == found


async def test_a_task_that_nobody_runs_is_found(well):
    await well.runtime.app.queue.enqueue(Task("x", "/extract", {"chat_id": CHAT}, well.clock.now()))
    assert await kinds(well) == {}
    well.clock.advance(timedelta(minutes=16))
    assert await kinds(well) == {"queue_late": "warning"}
    well.clock.advance(timedelta(hours=1))
    assert await kinds(well) == {"queue_late": "error"}


async def test_what_was_given_up_within_a_day_is_found_and_later_forgotten(well, caplog):
    await give_up(well, {"update_id": 1, "message": {"text": "секретне слово"}}, kind="update")
    assert await kinds(well) == {"dead_letters": "warning"}
    await give_up(well, *({"n": n} for n in range(MANY_DEAD_LETTERS - 1)))
    assert await kinds(well) == {"dead_letters": "error"}
    await check_health(well.runtime.app)
    assert "секретне" not in caplog.text + str(await kept(well))
    well.clock.advance(timedelta(days=1, seconds=1))
    assert await kinds(well) == {}


async def test_chats_whose_night_failed_are_named(well):
    await give_up(well, {"chat_id": -7, "day": "2026-11-06"}, {"chat_id": -8, "day": "2026-11-06", "part": 2})
    await give_up(well, {"chat_id": -9, "window": 5}, ["no payload"], {"chat_id": "x", "day": 5})
    found = {finding.kind: finding for finding in await examine(well.runtime.app)}
    assert found["night_failed"].figures == {"chats": 2, "ids": "-8, -7"}
    assert "night_stopped" not in found


async def test_a_night_that_stopped_half_way_is_an_error(well):
    await give_up(well, {"from": "2026-11-06T00:00:00+00:00", "after": "-7"})
    assert (await kinds(well))["night_stopped"] == "error"


# --- What cannot be asked ----------------------------------------------------------------------


async def test_a_service_that_is_away_is_a_finding_and_the_others_are_still_looked_at(well):
    well.api.fail_next("getWebhookInfo", status=502)
    await well.tasks.stop()
    await give_up(well, {"x": 1})
    found = {"telegram_unreachable": "warning", "queue_unreachable": "warning", "dead_letters": "warning"}
    assert await kinds(well) == found


async def test_a_token_that_telegram_does_not_know_is_an_error(well):
    well.api.token = "123456:other"
    assert await kinds(well) == {"telegram_refuses": "error"}


async def test_without_the_store_nothing_is_claimed(sqlite_store):
    async with running_group(FailingStore(sqlite_store)) as group:
        group.api.webhook = {"url": URL}
        group.store._store.arm(1)
        with pytest.raises(StoreUnavailable):
            await check_health(group.runtime.app)


# --- Once --------------------------------------------------------------------------------------


async def test_a_finding_is_said_when_it_begins_gets_worse_and_ends(well, caplog):
    app = well.runtime.app
    caplog.set_level(logging.INFO)
    await app.queue.enqueue(Task("x", "/extract", {"chat_id": CHAT}, well.clock.now()))
    began = None
    for minutes in (16, 5, 5):
        well.clock.advance(timedelta(minutes=minutes))
        began = began or well.clock.now()
        await check_health(app)
    assert [level for level, _ in said(caplog)] == ["WARNING"]
    assert (await kept(well))["findings"][0]["since"] == began
    well.clock.advance(timedelta(hours=1))
    await check_health(app)
    await check_health(app)
    assert [level for level, _ in said(caplog)] == ["WARNING", "ERROR"]
    assert (await kept(well))["findings"][0]["since"] == began
    well.tasks.tasks.clear()
    await check_health(app)
    await check_health(app)
    over = {"event": "health", "outcome": "queue_late", "state": "over", "words": ""}
    assert said(caplog)[2:] == [("INFO", over)]
    assert (await kept(well))["findings"] == []


async def test_who_dies_while_looking_looks_again(well):
    app = well.runtime.app
    await give_up(well, {"chat_id": -7, "day": "2026-11-06"})
    await check_health(app)
    undisturbed = await kept(well)
    await well.store.delete(HEALTH_PATH)
    for after in (False, True):
        for number in range(1, 6):
            well.store.arm(number, after=after)
            with pytest.raises(Crashed):
                await check_health(app)
            well.store.arm(None)
            await check_health(app)
            assert await kept(well) == undisturbed
            await well.store.delete(HEALTH_PATH)


def test_every_finding_says_what_to_do():
    found = [*judge_webhook(WebhookInfo(""), NOW), *judge_webhook(WebhookInfo(URL, 999, "x", NOW, ("poll",)), NOW)]
    found += judge_backlog(Backlog(1_000, 0, NOW - STUCK * 2, complete=False), NOW)
    assert len(found) == 6
    assert all(isinstance(each, HealthFinding) and each.text.endswith(".") and each.remedy for each in found)


@pytest.mark.parametrize(
    ("info", "found"),
    [
        (WebhookInfo(""), {"webhook_missing": "error"}),
        (WebhookInfo(URL), {}),
        (WebhookInfo(URL, PENDING_UPDATES), {}),
        (WebhookInfo(URL, PENDING_UPDATES + 1), {"updates_pending": "warning"}),
        (WebhookInfo(URL, 1, "x", NOW - timedelta(minutes=59)), {"webhook_failing": "error"}),
        (WebhookInfo(URL, 0, "x", NOW - timedelta(minutes=59)), {"webhook_failing": "warning"}),
        (WebhookInfo(URL, 1, "x", NOW - timedelta(hours=23)), {"webhook_failing": "warning"}),
        (WebhookInfo(URL, 1, "x", NOW - timedelta(hours=24)), {}),
        (WebhookInfo(URL, allowed_updates=("message", "callback_query")), {"updates_left_out": "error"}),
        (WebhookInfo(URL, allowed_updates=tuple(NEEDED_UPDATES)), {"updates_left_out": "warning"}),
    ],
)
def test_a_webhook_is_judged(info, found):
    info = replace(info, allowed_updates=info.allowed_updates or ALLOWED_UPDATES)
    assert {finding.kind: finding.severity for finding in judge_webhook(info, NOW)} == found


def test_a_webhook_that_names_no_kinds_delivers_no_reactions():
    [finding] = judge_webhook(WebhookInfo(URL), NOW)
    assert (finding.severity, finding.figures) == ("warning", {"missing": "chat_member,message_reaction"})
