"""`doctor`: every part is looked at, whatever is wrong with the others; no secret is shown, nothing is left behind."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from infra.cli.checks.diagnosis_services import (
    _knock,
)
from infra.cli.root import main
from infra.sqlite import SqliteStore
from infra.system import SystemClock
from infra.telegram.gateway import ALLOWED_UPDATES
from shared.application.dead_letters import record_dead_letter
from tests.support.gemini.server import FakeGemini
from tests.support.google.cloud_tasks import FakeCloudTasks
from tests.support.group import ANSWER_URL, EXTRACT_URL, MAINTENANCE_URL, QUEUE, SECRET, TOKEN, running_group
from tests.support.queues import INVOKER, SteppedClock, http_server
from tests.support.telegram.bot_api import FakeBotApi
from tests.unit.infra.cli.checks.doctors import of, worst

pytestmark = pytest.mark.wall_clock

PROJECT = f"doctor-{os.getpid()}"  # of its own, on an emulator that others use, too


# --- On a laptop -------------------------------------------------------------------------------


async def test_a_laptop_without_accounts_is_well(run_doctor, tmp_path):
    code, result = await run_doctor()
    assert (code, result["errors"]) == (0, 0)
    assert {part for part, severity in worst(result).items() if severity == "ok"} == {
        *("store", "queue", "indexes", "dead letters", "time zones", "disk")
    }
    store = SqliteStore(tmp_path / "spomyn.db")
    assert await store.query("doctor") == []
    await store.aclose()


async def test_it_is_told_to_people_as_a_table(run_doctor, capsys, monkeypatch):
    await run_doctor()
    monkeypatch.setenv("COLUMNS", "150")
    assert await asyncio.to_thread(main, ["doctor"]) == 0
    told = capsys.readouterr().out
    assert "what to do" in told
    assert "0 errors, 2 warnings." in told
    assert "SPOMYN_STORE" in told
    assert "LOG_LEVEL" not in told
    await asyncio.to_thread(main, ["doctor", "--settings"])
    assert "LOG_LEVEL" in capsys.readouterr().out


async def test_what_was_given_up_is_told(run_doctor, tmp_path):
    store = SqliteStore(tmp_path / "spomyn.db")
    clock = SteppedClock(SystemClock().now())
    await record_dead_letter(store, clock, kind="update", body=b"secret words", reason="broken")
    await store.set("chats/-1", {"schema": 99})
    await store.aclose()
    code, result = await run_doctor()
    assert (code, worst(result)["dead letters"], worst(result)["store"]) == (1, "warning", "error")
    assert "secret words" not in json.dumps(result)


# --- A deployment ------------------------------------------------------------------------------


@asynccontextmanager
async def services() -> AsyncIterator[tuple[FakeBotApi, FakeCloudTasks, FakeGemini, dict[str, str]]]:
    """The peers of a deployment, and its settings."""
    clock = SteppedClock(SystemClock().now())
    async with (
        FakeBotApi(TOKEN, username="gryag_bot") as api,
        FakeCloudTasks(clock, **QUEUE | {"project": PROJECT}) as tasks,
        FakeGemini() as gemini,
    ):
        env = {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_WEBHOOK_SECRET": SECRET,
            "TELEGRAM_API_URL": api.url,
            "GOOGLE_CLOUD_PROJECT": PROJECT,
            "SPOMYN_QUEUE": "cloud-tasks",
            "CLOUD_TASKS_EMULATOR_HOST": tasks.host,
            "ANSWER_URL": ANSWER_URL,
            "EXTRACT_URL": EXTRACT_URL,
            "MAINTENANCE_URL": MAINTENANCE_URL,
            "OIDC_INVOKER_EMAIL": INVOKER,
        }
        yield api, tasks, gemini, env | gemini.environment


async def test_a_healthy_deployment_on_firestore_is_well(run_doctor, firestore_emulator, sqlite_store):
    async with running_group(sqlite_store) as group, services() as (api, _, _, env):
        address = f"{group.url}/webhook"
        api.webhook = {"url": address, "allowed_updates": list(ALLOWED_UPDATES)}
        cloud = {"SPOMYN_STORE": "firestore", "FIRESTORE_EMULATOR_HOST": firestore_emulator}
        cloud |= {"SPOMYN_ARCHIVE": "folder:archive"}
        code, result = await run_doctor("--webhook-url", address + "/", **env, **cloud)
    assert (code, result["errors"], result["warnings"]) == (0, 0, 0)
    assert set(worst(result).values()) == {"ok"}
    assert ("ok", "Not checked on an emulator: it needs none.") in of(result, "indexes")
    assert ("ok", "Spomyn answers there, and knows the secret.") in of(result, "webhook")
    assert any("768 dimensions" in text for _, text in of(result, "models"))
    assert {call.method for call in api.calls} == {"getMe", "getWebhookInfo"}


async def test_every_part_is_looked_at_when_all_are_broken(run_doctor):
    async with services() as (api, tasks, gemini, env):
        api.fail_next("getMe", status=502, times=2)
        await tasks.stop()
        gemini.models.clear()
        code, result = await run_doctor(**env)
    assert code == 1
    assert {part for part, severity in worst(result).items() if severity == "error"} == {"queue", "telegram", "models"}
    assert {"store", "disk", "time zones", "clock"} <= {p for p, s in worst(result).items() if s == "ok"}
    assert all(check["remedy"] for check in result["checks"] if check["severity"] in ("warning", "error"))


async def test_a_webhook_that_leads_elsewhere_is_an_error_and_is_not_told_the_secret(run_doctor):
    asked = []

    async def stranger(request):
        asked.append(request)
        return 200

    async with services() as (api, _, _, env), http_server(stranger) as url:
        api.webhook = {"url": f"{url}/other", "allowed_updates": ["message"]}
        code, result = await run_doctor("--webhook-url", "https://ours.example/", **env, BOT_USERNAME="other_bot")
    texts = " ".join(text for severity, text in of(result, "webhook") if severity == "error")
    assert code == 1
    assert "not to https://ours.example/" in texts
    assert "does not deliver" in texts
    assert asked == []
    assert of(result, "telegram") == [
        ("error", "The token is that of @gryag_bot, not of @other_bot: nobody can mention the bot.")
    ]


async def test_our_secret_goes_only_where_the_operator_says(sqlite_store):
    asked = []

    async def stranger(request):
        asked.append(request.headers.get("x-telegram-bot-api-secret-token"))
        return 401

    async with http_server(stranger) as url:
        assert (await _knock(url, None, asks=True)).severity == "ok"
        assert (await _knock(url, SECRET, asks=True)).severity == "error"
    assert asked == [None, SECRET]
    assert (await _knock("http://127.0.0.1:9", None, asks=True)).severity == "warning"
