"""`doctor`: every part is looked at, whatever is wrong with the others; no secret is shown, nothing is left behind."""

import asyncio
import json
import os
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import grpc
import pytest

from infra.cli.checks import doctor
from infra.cli.checks.diagnosis import Environment, look_at_archive, run_checks, settings_checks, shown_settings
from infra.cli.checks.diagnosis_services import (
    INDEXES,
    RETIRING,
    Index,
    _knock,
    _refusal,
    declared_indexes,
    look_at_clock,
    look_at_models,
    missing_indexes,
)
from infra.cli.root import main
from infra.firestore import FirestoreStore
from infra.sqlite import SqliteStore
from infra.storage.object_folder import ObjectFolder
from infra.system import SystemClock
from infra.telegram.gateway import ALLOWED_UPDATES
from shared.application.dead_letters import record_dead_letter
from shared.application.ports.store import Vector
from shared.domain.errors import ModelUnavailable, ObjectLocked, StoreUnavailable
from shared.settings import SETTINGS, Settings
from tests.support.gemini.server import CHAT_MODEL, FakeGemini
from tests.support.google.cloud_tasks import FakeCloudTasks
from tests.support.group import EXTRACT_URL, MAINTENANCE_URL, QUEUE, SECRET, TOKEN, running_group
from tests.support.queues import INVOKER, SteppedClock, http_server
from tests.support.telegram.bot_api import FakeBotApi

pytestmark = pytest.mark.wall_clock

PARTS = set(doctor.LOOKS)
PROJECT = f"doctor-{os.getpid()}"  # of its own, on an emulator that others use, too


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs doctor in a folder of its own; its exit code and what it printed as JSON."""
    monkeypatch.chdir(tmp_path)
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)

    async def call(*arguments, **env):
        for name, value in {"SPOMYN_STORE": "sqlite:spomyn.db", **env}.items():
            monkeypatch.setenv(name, value)
        code = await asyncio.to_thread(main, ["doctor", "--json", *arguments])
        out = capsys.readouterr()
        assert out.err == ""
        return code, json.loads(out.out)

    return call


def of(result, part):
    return [(check["severity"], check["text"]) for check in result["checks"] if check["part"] == part]


def worst(result):
    order = ["ok", "unchecked", "warning", "error"]
    parts = {check["part"] for check in result["checks"]}
    return {part: max((s for s, _ in of(result, part)), key=order.index) for part in parts}


# --- On a laptop -------------------------------------------------------------------------------


async def test_a_laptop_without_accounts_is_well(run, tmp_path):
    code, result = await run()
    assert (code, result["errors"]) == (0, 0)
    assert {part for part, severity in worst(result).items() if severity == "ok"} == {
        *("store", "queue", "indexes", "dead letters", "time zones", "disk")
    }
    store = SqliteStore(tmp_path / "spomyn.db")
    assert await store.query("doctor") == []
    await store.aclose()


async def test_it_is_told_to_people_as_a_table(run, capsys, monkeypatch):
    await run()
    monkeypatch.setenv("COLUMNS", "150")
    assert await asyncio.to_thread(main, ["doctor"]) == 0
    told = capsys.readouterr().out
    assert "what to do" in told
    assert "0 errors, 2 warnings." in told
    assert "SPOMYN_STORE" in told
    assert "LOG_LEVEL" not in told
    await asyncio.to_thread(main, ["doctor", "--settings"])
    assert "LOG_LEVEL" in capsys.readouterr().out


async def test_what_was_given_up_is_told(run, tmp_path):
    store = SqliteStore(tmp_path / "spomyn.db")
    clock = SteppedClock(SystemClock().now())
    await record_dead_letter(store, clock, kind="update", body=b"secret words", reason="broken")
    await store.set("chats/-1", {"schema": 99})
    await store.aclose()
    code, result = await run()
    assert (code, worst(result)["dead letters"], worst(result)["store"]) == (1, "warning", "error")
    assert "secret words" not in json.dumps(result)


# --- Settings ----------------------------------------------------------------------------------


async def test_wrong_settings_are_all_named_and_nothing_else_is_tried(run):
    code, result = await run(LOG_LEVEL="loud", SPOMYN_PORT="x", TELEGRAM_BOT_TOKEN="my-secret")
    assert (code, result["errors"]) == (2, 3)
    assert [text.split()[0] for _, text in of(result, "settings")] == ["TELEGRAM_BOT_TOKEN", "SPOMYN_PORT", "LOG_LEVEL"]
    assert all(of(result, part) == [("unchecked", "The settings are wrong.")] for part in PARTS)
    assert "my-secret" not in json.dumps(result)


async def test_a_setting_that_another_one_needs_is_named(run):
    code, result = await run(SPOMYN_STORE="firestore")
    assert (code, result["errors"]) == (2, 1)
    assert "GOOGLE_CLOUD_PROJECT" in of(result, "settings")[0][1]


async def test_a_store_that_cannot_be_opened_is_a_wrong_setting(run, tmp_path):
    (tmp_path / "file").write_text("x")
    code, result = await run(SPOMYN_STORE="sqlite:file/below/spomyn.db")
    assert (code, worst(result)["settings"]) == (2, "error")


async def test_a_file_that_is_no_database_is_a_wrong_setting(run, tmp_path):
    (tmp_path / "notes.txt").write_text("these are no documents, but a text of some length" * 100)
    code, result = await run(SPOMYN_STORE="sqlite:notes.txt")
    assert (code, worst(result)["settings"], worst(result)["store"]) == (2, "error", "unchecked")


@pytest.mark.parametrize(
    ("changes", "severity", "told"),
    [
        ({}, "ok", "others have their defaults"),
        ({"TELEGRAM_WEBHOOK_SECRET": "new,old"}, "warning", "Two webhook secrets"),
        ({"OIDC_CHECK": "false"}, "warning", "look at no token"),
        ({"TELEGRAM_WEBHOOK_SECRET": ""}, "error", "Anybody may pretend to be Telegram"),
    ],
)
def test_what_opens_a_deployment_wider_than_it_should_be_is_told(changes, severity, told):
    env = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": SECRET, "GEMINI_API_KEY": "k"}
    env |= {"SPOMYN_QUEUE": "cloud-tasks", "GOOGLE_CLOUD_PROJECT": PROJECT, "OIDC_INVOKER_EMAIL": INVOKER}
    env |= {"EXTRACT_URL": EXTRACT_URL, "MAINTENANCE_URL": MAINTENANCE_URL} | changes
    checks = settings_checks(shown_settings(env), Settings.from_env(env))
    assert (checks[-1].severity, told in checks[-1].text) == (severity, True)
    assert "new" not in checks[-1].text


def test_settings_are_listed_with_secrets_masked():
    listed = {each.name: each for each in shown_settings({"GEMINI_API_KEY": "AIza-very-secret"})}
    assert list(listed) == [setting.name for setting in SETTINGS]
    assert (listed["GEMINI_API_KEY"].value, listed["GEMINI_API_KEY"].chosen) == ("(set)", True)
    assert (listed["TELEGRAM_BOT_TOKEN"].value, listed["TIMEZONE"].value) == ("", "Europe/Kyiv")


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
            "EXTRACT_URL": EXTRACT_URL,
            "MAINTENANCE_URL": MAINTENANCE_URL,
            "OIDC_INVOKER_EMAIL": INVOKER,
        }
        yield api, tasks, gemini, env | gemini.environment


async def test_a_healthy_deployment_on_firestore_is_well(run, firestore_emulator, sqlite_store):
    async with running_group(sqlite_store) as group, services() as (api, _, _, env):
        address = f"{group.url}/webhook"
        api.webhook = {"url": address, "allowed_updates": list(ALLOWED_UPDATES)}
        cloud = {"SPOMYN_STORE": "firestore", "FIRESTORE_EMULATOR_HOST": firestore_emulator}
        cloud |= {"SPOMYN_ARCHIVE": "folder:archive"}
        code, result = await run("--webhook-url", address + "/", **env, **cloud)
    assert (code, result["errors"], result["warnings"]) == (0, 0, 0)
    assert set(worst(result).values()) == {"ok"}
    assert ("ok", "Not checked on an emulator: it needs none.") in of(result, "indexes")
    assert ("ok", "Spomyn answers there, and knows the secret.") in of(result, "webhook")
    assert any("768 dimensions" in text for _, text in of(result, "models"))
    assert {call.method for call in api.calls} == {"getMe", "getWebhookInfo"}


async def test_every_part_is_looked_at_when_all_are_broken(run):
    async with services() as (api, tasks, gemini, env):
        api.fail_next("getMe", status=502, times=2)
        await tasks.stop()
        gemini.models.clear()
        code, result = await run(**env)
    assert code == 1
    assert {part for part, severity in worst(result).items() if severity == "error"} == {"queue", "telegram", "models"}
    assert {"store", "disk", "time zones", "clock"} <= {p for p, s in worst(result).items() if s == "ok"}
    assert all(check["remedy"] for check in result["checks"] if check["severity"] in ("warning", "error"))


async def test_a_webhook_that_leads_elsewhere_is_an_error_and_is_not_told_the_secret(run):
    asked = []

    async def stranger(request):
        asked.append(request)
        return 200

    async with services() as (api, _, _, env), http_server(stranger) as url:
        api.webhook = {"url": f"{url}/other", "allowed_updates": ["message"]}
        code, result = await run("--webhook-url", "https://ours.example/", **env, BOT_USERNAME="other_bot")
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


@pytest.mark.parametrize(
    ("status", "with_secret", "asks", "severity"),
    [
        (401, False, True, "ok"),
        (405, True, True, "ok"),
        (405, False, False, "ok"),
        (401, True, True, "error"),
        (405, False, True, "error"),
        (404, False, True, "error"),
        (200, True, True, "error"),
    ],
)
def test_the_webhook_is_known_by_how_it_refuses(status, with_secret, asks, severity):
    assert _refusal(status, with_secret=with_secret, asks=asks).severity == severity


# --- Indexes -----------------------------------------------------------------------------------


class Refusing(grpc.GenericRpcHandler):
    """A Firestore that has some indexes, or fails."""

    def __init__(self, code: grpc.StatusCode, text: bytes = b""):
        self._code, self._text = code, text

    def service(self, details):
        async def run_query(request, context):
            if self._text in request:
                await context.abort(self._code, "The query requires an index. You can create it here: …")
            yield b""

        return grpc.unary_stream_rpc_method_handler(run_query) if details.method.endswith("/RunQuery") else None


@asynccontextmanager
async def firestore_that(handler):
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    store = FirestoreStore("project-1", emulator_host=f"127.0.0.1:{port}", timeout=3)
    try:
        yield store
    finally:
        await store.aclose()
        await server.stop(None)


def cloud_settings():
    return Settings.from_env({"SPOMYN_STORE": "firestore", "GOOGLE_CLOUD_PROJECT": "project-1"})


def indexes():
    return list(declared_indexes(INDEXES.read_text("utf-8")))


async def test_indexes_that_are_missing_are_named_with_the_command_that_makes_them():
    async with firestore_that(Refusing(grpc.StatusCode.FAILED_PRECONDITION, b"indexed")) as store:
        checks = await missing_indexes(store, cloud_settings(), indexes())
    assert {check.severity for check in checks} == {"error"}
    assert [check.text.split(" is missing")[0] for check in checks] == [
        str(index) for index in indexes() if "indexed" in str(index)
    ]
    command = shlex.split(checks[0].remedy)
    assert command[:5] == ["gcloud", "firestore", "indexes", "composite", "create"]
    assert "--field-config=field-path=indexed,order=ascending" in command
    assert "--database=(default)" in command


async def test_a_firestore_that_is_away_has_no_missing_indexes():
    async with firestore_that(Refusing(grpc.StatusCode.PERMISSION_DENIED)) as store:
        with pytest.raises(StoreUnavailable):
            await missing_indexes(store, cloud_settings(), indexes())


async def test_indexes_that_are_there_are_well():
    async with firestore_that(Refusing(grpc.StatusCode.FAILED_PRECONDITION, b"nowhere")) as store:
        [check] = await missing_indexes(store, cloud_settings(), indexes())
    assert (check.severity, str(len(indexes())) in check.text) == ("ok", True)
    assert Index("chunks", (("told", "ASCENDING"), ("first", "ASCENDING"))) in indexes()
    assert Path(INDEXES).is_file()


# --- The archive -------------------------------------------------------------------------------


async def test_an_archive_is_tried_and_left_as_it_was(run, tmp_path):
    code, result = await run(SPOMYN_ARCHIVE="folder:archive")
    assert (code, of(result, "archive")) == (0, [("ok", "A probe was put, got and deleted (folder:archive).")])
    archive = ObjectFolder(tmp_path / "archive")
    assert [each async for each in archive.list("")] == []


class Locked(ObjectFolder):
    async def delete(self, key):
        raise ObjectLocked("retention", keys=(key,))


class Forgetful(ObjectFolder):
    async def get(self, key):
        yield b"something else"


@pytest.mark.parametrize(("kind", "severity"), [(Locked, "warning"), (Forgetful, "error")])
async def test_an_archive_that_keeps_or_changes_what_it_is_given_is_told(sqlite_store, tmp_path, kind, severity):
    async with running_group(sqlite_store) as group:
        patient = await patient_of(group, group.runtime.settings, archive=kind(tmp_path / "archive"))
        [check] = await look_at_archive(patient)
    assert check.severity == severity


# --- Models and the clock ----------------------------------------------------------------------


class Embeds:
    name = "e/768"

    def __init__(self, error=None):
        self._error = error

    async def embed(self, texts, *, query=False):
        if self._error:
            raise self._error
        return [Vector([1.0] * 768) for _ in texts]


async def patient_of(group, settings, **parts):
    return Environment(replace(group.runtime.app, **parts), settings)


async def test_a_model_that_is_gone_will_be_gone_or_is_of_another_kind_names_its_setting(sqlite_store):
    retiring = next(iter(RETIRING))
    async with FakeGemini(models=(retiring, "text-embedding-9")) as gemini, running_group(sqlite_store) as group:
        env = gemini.environment | {
            "GEMINI_EXTRACTION_MODEL": retiring,
            "GEMINI_EMBEDDING_MODEL": retiring,
        }
        broken = Embeds(ModelUnavailable("no vectors"))
        checks = await look_at_models(await patient_of(group, Settings.from_env(env), embedder=broken))
    assert [check.severity for check in checks] == ["error", "warning", "error", "error"]
    assert CHAT_MODEL in checks[0].text
    assert "GEMINI_CHAT_MODEL" in checks[0].remedy
    assert "2026-12-01" in checks[1].text
    assert "GEMINI_EMBEDDING_MODEL" in checks[2].remedy


@pytest.mark.parametrize(("ahead", "severity"), [(0, "ok"), (90, "warning"), (3_600, "error"), (-3_600, "error")])
async def test_a_clock_that_is_off_is_told(sqlite_store, ahead, severity):
    async with running_group(sqlite_store) as group:
        clock = SteppedClock(SystemClock().now() + timedelta(seconds=ahead))
        [check] = await look_at_clock(await patient_of(group, group.runtime.settings, clock=clock))
    assert check.severity == severity


async def test_a_check_that_breaks_does_not_stop_the_others(sqlite_store):
    async def breaks(_):
        raise OSError("no such device")

    async with running_group(sqlite_store) as group:
        patient = await patient_of(group, group.runtime.settings)
        checks = await run_checks(patient, {"disk": breaks, "clock": look_at_clock})
    assert [(check.part, check.severity) for check in checks] == [("disk", "error"), ("clock", "error")]
