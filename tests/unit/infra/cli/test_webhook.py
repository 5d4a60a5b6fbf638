"""`webhook`: what is set over the Bot API is what was meant, what cannot be is said before anything is set."""

import asyncio
import json

import pytest

from infra.cli.root import main
from infra.telegram.gateway import ALLOWED_UPDATES
from tests.support.telegram.bot_api import FakeBotApi
from tests.support.updates import message_update

pytestmark = pytest.mark.wall_clock

TOKEN = "123456:fake-token"
URL = "https://spomyn-webhook-123.europe-west1.run.app"


@pytest.fixture
async def api(spomyn, monkeypatch):
    async with FakeBotApi(TOKEN) as server:
        for name, value in {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_URL": server.url,
            "TELEGRAM_WEBHOOK_SECRET": "s-1",
            "BOT_USERNAME": "Spomyn_bot",
        }.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
def run(api, capsys):
    """Runs the command beside the server: code, standard output, standard error."""

    async def call(*arguments):
        code = await asyncio.to_thread(main, ["webhook", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def methods(api):
    return [call.method for call in api.calls if call.method != "setMyCommands"]


async def test_the_webhook_is_set_with_its_secret_and_kinds_and_looked_at(run, api):
    api.push(message_update(update_id=5))
    code, out, _ = await run(URL)
    assert code == 0
    assert api.webhook["url"] == URL
    assert api.webhook["secret_token"] == "s-1"
    assert (api.webhook["max_connections"], api.webhook["allowed_updates"]) == (40, list(ALLOWED_UPDATES))
    assert methods(api) == ["getMe", "getWebhookInfo", "setWebhook", "getWebhookInfo"]
    assert api.menus.of("default")
    assert f"Updates go to {URL}." in out
    assert "message_reaction, chat_member" in out
    assert "1 updates wait." in out
    assert "12 menus are set." in out
    assert "s-1" not in out


async def test_doing_it_again_changes_nothing(run, api):
    await run(URL)
    before = dict(api.webhook)
    code, out, _ = await run(URL, "--json")
    assert (code, api.webhook) == (0, before)
    assert {name: json.loads(out)[name] for name in ("url", "before", "menus", "findings")} == {
        "url": URL,
        "before": URL,
        "menus": 12,
        "findings": [],
    }


async def test_during_a_rotation_the_new_secret_is_the_one_that_telegram_sends(run, api, monkeypatch):
    monkeypatch.setenv("TELEGRAM_WEBHOOK_SECRET", "new,old")
    assert (await run(URL))[0] == 0
    assert api.webhook["secret_token"] == "new"


async def test_it_is_said_from_where_updates_were_taken(run, api):
    api.webhook = {"url": "https://old.example.org/hook"}
    _, out, _ = await run(URL)
    assert "Until now they went to old.example.org." in out


async def test_an_error_from_before_is_told_and_does_not_count(run, api, sometime):
    api.webhook_error = (sometime, "Wrong response from the webhook: 502 Bad Gateway")
    api.push(*(message_update(update_id=n) for n in range(3)))
    code, out, _ = await run(URL)
    assert code == 0
    assert "The last error of a delivery was at" in out
    assert "502 Bad Gateway" in out


@pytest.fixture
def sometime():
    """Half a minute ago, by the clock that commands look at."""
    from infra.system import SystemClock

    return int(SystemClock().now().timestamp()) - 30


async def test_waiting_updates_are_forgotten_when_asked_for(run, api):
    api.push(message_update(update_id=5))
    _, out, _ = await run(URL, "--drop-pending")
    assert "0 updates wait." in out


async def test_a_check_only_looks(run, api, sometime):
    code, out, _ = await run("--check")
    assert code == 1
    assert "no webhook is set" in out
    api.webhook = {"url": URL, "allowed_updates": list(ALLOWED_UPDATES)}
    assert (await run("--check", URL))[0] == 0
    code, out, _ = await run("--check", "https://other.example.org/")
    assert (code, f"Updates go to {URL}, not to https://other.example.org/." in out) == (1, True)
    api.webhook_error = (sometime, "Connection timed out")
    api.push(message_update(update_id=5))
    code, out, _ = await run("--check")
    assert (code, "Connection timed out" in out) == (1, True)
    assert set(methods(api)) == {"getMe", "getWebhookInfo"}


async def test_kinds_of_updates_that_are_left_out_are_found(run, api):
    api.webhook = {"url": URL, "allowed_updates": ["message"]}
    code, out, _ = await run("--check")
    assert code == 1
    assert "callback_query" in out


async def test_it_is_deleted_with_or_without_what_waits(run, api):
    api.webhook = {"url": URL}
    api.push(message_update(update_id=5))
    code, out, _ = await run("--delete")
    assert (code, api.webhook) == (0, {})
    assert "delivers nowhere; 1 updates wait" in out
    assert "; 0 updates wait" in (await run("--delete", "--drop-pending"))[1]


async def test_with_an_address_only_the_webhook_there_is_deleted(run, api):
    api.webhook = {"url": "https://new.example.org/"}
    code, _, errors = await run("--delete", URL)
    assert (code, api.webhook) == (1, {"url": "https://new.example.org/"})
    assert f"Updates go to https://new.example.org/, not to {URL}. Nothing was deleted" in errors
    api.webhook = {"url": URL}
    assert ((await run("--delete", URL))[0], api.webhook) == (0, {})


async def test_the_token_of_another_bot_is_refused_before_anything_is_set(run, api, monkeypatch):
    monkeypatch.setenv("BOT_USERNAME", "gryag_bot")
    code, _, errors = await run(URL)
    assert code == 1
    assert "that of @spomyn_bot, not of @gryag_bot: put spomyn_bot into BOT_USERNAME" in errors
    assert (methods(api), api.webhook) == (["getMe"], {})


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("http://spomyn.example.org/", "not an https address"),
        ("spomyn.example.org", "not an https address"),
        ("https://", "not an https address"),
        ("https://spomyn.example.org:444/", "not deliver to port 444: use 443, 80, 88 or 8443"),
        ("https://spomyn.example.org:70000/", "is no address"),
        ("https://[::1/", "is no address"),
        ("https://localhost/", "cannot reach localhost"),
        ("https://127.0.0.1/", "cannot reach 127.0.0.1"),
        ("https://10.1.2.3:8443/", "cannot reach 10.1.2.3"),
        ("https://[::1]/", "cannot reach ::1"),
        ("https://999.1.1.1/", "cannot reach 999.1.1.1"),
        ("https://metadata.google.internal/", "cannot reach metadata.google.internal"),
    ],
)
async def test_an_address_that_cannot_be_a_webhook_is_refused_in_one_sentence(run, api, url, complaint):
    code, _, errors = await run(url)
    assert (code, errors.count("\n")) == (1, 1)
    assert complaint in errors
    assert api.calls == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Give the webhook function's URL"),
        (["--check", "--delete"], "--check only looks"),
        (["--check", "--drop-pending"], "--check only looks"),
        ([URL, "--max-connections", "101"], "1<=x<=100"),
    ],
)
async def test_options_that_contradict_each_other_are_wrong(run, api, arguments, complaint):
    code, _, errors = await run(*arguments)
    assert (code, complaint in errors, api.calls) == (2, True, [])


async def test_an_address_that_telegram_refuses_is_refused_in_its_words(run, api):
    api.fail_next("setWebhook", status=400, description="Bad Request: bad webhook: Failed to resolve host")
    code, _, errors = await run(URL)
    assert (code, "resolve host" in errors) == (1, True)


async def test_a_telegram_that_is_down_means_to_try_again_and_a_short_wait_is_waited(run, api):
    api.fail_next("setWebhook", status=502)
    assert (await run(URL))[0] == 3
    api.fail_next("setWebhook", status=429, retry_after=1)
    assert (await run(URL))[0] == 0


async def test_a_webhook_that_did_not_stay_is_a_failure(run, api):
    none = {"url": "", "has_custom_certificate": False, "pending_update_count": 0}
    api.fail_next("getWebhookInfo", body=json.dumps({"ok": True, "result": none}).encode(), times=2)
    code, out, _ = await run(URL)
    assert (code, "no webhook is set" in out) == (1, True)


@pytest.mark.parametrize("missing", ["TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET"])
async def test_a_missing_setting_is_named(run, api, monkeypatch, missing):
    monkeypatch.delenv(missing)
    code, _, errors = await run(URL)
    assert (code, missing in errors, api.calls) == (2, True, [])
