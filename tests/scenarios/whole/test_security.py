"""The three functions as a stranger meets them: real functions-framework, raw HTTP, nothing of ours in between."""

import json
import re
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from google.cloud import tasks_v2

from functions.extract.main import handle_extract
from functions.maintenance.main import handle_maintenance
from functions.webhook.main import handle_webhook
from infra.bootstrap import token_verifier
from infra.foundation import WEBHOOK_NEEDS, WORKER_NEEDS, function_settings
from infra.system import SystemClock
from infra.web.http import MAX_BODY
from shared.domain.errors import SettingsError
from shared.settings import SETTINGS, Settings
from tests.support.google.cloud_tasks import sign
from tests.support.group import ACCOUNT, ANSWER_URL, EXTRACT_URL, MAINTENANCE_URL, SECRET, running_group
from tests.support.servers.framework import function, send

ROOT = Path(__file__).resolve().parents[3]
FUNCTIONS = {"webhook": handle_webhook, "extract": handle_extract, "maintenance": handle_maintenance}
JSON = ("Content-Type", "application/json")
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"


@asynccontextmanager
async def deployed(store, **more):
    """A group, and its three functions at addresses of their own."""
    async with running_group(store, **more) as group, AsyncExitStack() as stack:
        urls = {
            name: await stack.enter_async_context(function(handle, group.runtime)) for name, handle in FUNCTIONS.items()
        }
        yield SimpleNamespace(group=group, **urls)


@pytest.fixture
async def spomyn(sqlite_store):
    async with deployed(sqlite_store) as running:
        yield running


def bearer(spomyn, audience, **claims):
    """The header that carries a token of our account; `claims` replace the regular ones."""
    oidc = tasks_v2.OidcToken(service_account_email=ACCOUNT, audience=audience)
    return ("Authorization", "Bearer " + sign(oidc, audience, spomyn.group.clock.now(), **claims))


def secret(value=SECRET):
    return (SECRET_HEADER, value)


async def post(url, *headers, target="/", body=b"{}"):
    return await send(url, "POST", target, JSON, *headers, body=body)


def update(spomyn, text="привіт"):
    return json.dumps(spomyn.group.says(text)).encode()


# --- Without a right to call -------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_whoever_shows_nothing_is_told_401_by_every_method_and_function(spomyn, method):
    for url in (spomyn.webhook, spomyn.extract, spomyn.maintenance):
        for headers in ([], [JSON], [("Content-Type", "text/html")]):
            answer = await send(url, method, "/", *headers)
            assert answer.status == 401
            assert len(answer.text) < 80
    assert spomyn.group.store.usage.reads == spomyn.group.store.usage.writes == 0


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PURGE"])
async def test_methods_that_nobody_needs_are_refused(spomyn, method):
    for url in (spomyn.webhook, spomyn.extract, spomyn.maintenance):
        assert (await send(url, method, "/")).status in (400, 405)


@pytest.mark.parametrize(
    "headers",
    [
        [secret("")],
        [secret(SECRET + "x")],
        [secret(SECRET[:-1])],
        [secret(SECRET.upper())],
        [secret(f"{SECRET},{SECRET}")],
        [secret("é" * 5)],
        [secret("x" * 10_000)],
        [secret("wrong"), secret()],
        [secret(","), secret()],
        [("Authorization", f"Bearer {SECRET}")],
        [("X-Telegram-Bot-Api-Secret", SECRET)],
    ],
)
async def test_an_update_without_the_secret_is_not_looked_at(spomyn, headers):
    assert (await post(spomyn.webhook, *headers, body=update(spomyn))).status == 401
    assert await spomyn.group.messages() == []


async def test_a_token_serves_one_account_one_function_and_one_hour(spomyn):
    now = int(spomyn.group.clock.now().timestamp())
    refused = [
        bearer(spomyn, MAINTENANCE_URL),
        bearer(spomyn, EXTRACT_URL + "/"),
        bearer(spomyn, EXTRACT_URL, email="invoker@other-project.iam.gserviceaccount.com"),
        bearer(spomyn, EXTRACT_URL, email_verified=False),
        bearer(spomyn, EXTRACT_URL, exp=now - 31),
        bearer(spomyn, EXTRACT_URL, iat=now + 31),
        bearer(spomyn, EXTRACT_URL, iss="https://evil.example"),
        (SECRET_HEADER, SECRET),
        ("X-CloudTasks-TaskName", "extract-1"),
        ("X-Serverless-Authorization", bearer(spomyn, EXTRACT_URL)[1]),
    ]
    for header in refused:
        assert (await post(spomyn.extract, header, body=b'{"chat_id": 1}')).status == 401, header
    good = bearer(spomyn, EXTRACT_URL, exp=now - 30)
    assert (await post(spomyn.extract, good, body=b'{"chat_id": 1}')).status == 200
    assert (await post(spomyn.extract, good, good, body=b'{"chat_id": 1}')).status == 401
    assert (await post(spomyn.extract, good, ("authorization", "Basic x"), body=b'{"chat_id": 1}')).status == 401


async def test_a_refusal_tells_neither_the_secret_nor_whom_it_would_serve(spomyn, caplog):
    answers = [
        await post(spomyn.webhook, secret("wrong"), body=update(spomyn)),
        await post(spomyn.extract, bearer(spomyn, MAINTENANCE_URL)),
        await post(spomyn.extract, bearer(spomyn, EXTRACT_URL, email="x@example.com")),
    ]
    details = [record.fields.get("detail") for record in caplog.records if hasattr(record, "fields")]
    assert details[-2:] == ["the token is for another audience", "the token is of another account"]
    told = "".join(answer.text for answer in answers) + caplog.text + str(details)
    for private in (SECRET, ACCOUNT, EXTRACT_URL, "x@example.com", "eyJ"):
        assert private not in told


# --- With the right to call, or after a theft ----------------------------------------------------


async def test_the_webhook_takes_json_by_post_and_nothing_else(spomyn):
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):
        assert (await send(spomyn.webhook, method, "/", JSON, secret())).status == 405
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", "application/json-seq"):
        answer = await send(spomyn.webhook, "POST", "/", ("Content-Type", kind), secret(), body=update(spomyn))
        assert answer.status == 400


@pytest.mark.parametrize(("function_name", "status"), [("webhook", 200), ("extract", 413)])
async def test_a_huge_body_is_cut_off(spomyn, function_name, status):
    who = secret() if function_name == "webhook" else bearer(spomyn, EXTRACT_URL)
    url = getattr(spomyn, function_name)
    body = b'{"a": "' + b"a" * MAX_BODY + b'"}'
    assert (await post(url, who, body=body)).status == status
    chunked = b"".join(b"10000\r\n" + b"a" * 65_536 + b"\r\n" for _ in range(10)) + b"0\r\n\r\n"
    assert (await post(url, who, ("Transfer-Encoding", "chunked"), body=chunked)).status == status


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"7", b'"x"', b"{", b"\xff", b"[" * 9_999, b"1" * 5_000, b"NaN"])
async def test_a_task_that_is_no_object_is_refused(spomyn, body):
    answer = await post(spomyn.maintenance, bearer(spomyn, MAINTENANCE_URL), target="/nonsense", body=body)
    assert answer.status == (404 if body == b"" else 400)


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "//",
        "/maintenance",
        "/maintenance/",
        "/maintenance/unknown",
        "/maintenance/NIGHT",
        "/Maintenance/night",
        "//maintenance/night",
        "/maintenance//night",
        "/maintenance/night/",
        "/maintenance/./night",
        "/maintenance/../night",
        "/maintenance/..%2fnight",
        "/maintenance/..%2Fnight",
        "/maintenance/%2e%2e/night",
        "/maintenance/x%2fnight",
        "/maintenance/night%00",
        "/maintenance/night%0a",
        "/maintenance/night%20",
        "/maintenance/night%3Fx",
        "/maintenance/night;x",
        "/maintenance/x/night",
        "/maintenance/maintenance/night",
        "/maintenance/%D0%BD%D1%96%D1%87",
        "/maintenance/%ff%fe",
        "/maintenance\\night",
        "/" + "a" * 4_000,
    ],
)
async def test_only_the_plain_path_of_a_job_runs_it(spomyn, target):
    answer = await post(spomyn.maintenance, bearer(spomyn, MAINTENANCE_URL), target=target)
    assert answer.status == 404
    assert spomyn.group.store.usage.writes == 0


@pytest.mark.parametrize("target", ["/night", "/maintenance/night", "/maintenance/night?x=1", "/%6eight"])
async def test_the_plain_path_of_a_job_does(spomyn, target):
    assert (await post(spomyn.maintenance, bearer(spomyn, MAINTENANCE_URL), target=target)).status == 200


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("/maintenance/unknown", "x/maintenance/night?"),
        ("/maintenance/unknown", "["),
        ("/maintenance/unknown", "x:y:z"),
        ("/maintenance/unknown?%ff=\xff", "x"),
    ],
)
async def test_neither_the_host_nor_the_query_chooses_the_job(spomyn, target, host):
    who = bearer(spomyn, MAINTENANCE_URL)
    answer = await post(spomyn.maintenance, who, ("Host", host), target=target)
    assert 400 <= answer.status < 500


@pytest.mark.parametrize("count", ["²", "9" * 5_000, "-1", "x", "", "1e3"])
async def test_a_retry_count_that_is_no_number_breaks_nothing(spomyn, count):
    counted = ("X-CloudTasks-TaskRetryCount", count)
    who = bearer(spomyn, EXTRACT_URL)
    spomyn.group.store.arm(1, error=KeyError)
    answer = await post(spomyn.extract, who, counted, body=b'{"chat_id": 1}')
    assert answer.status == 503


@pytest.mark.parametrize("value", ["x", "²/1;o=1", "a" * 9_000, "00-" + "z" * 32 + "-0-01", "/;", "%0a{}", '","a":"'])
async def test_headers_that_are_only_logged_break_nothing(spomyn, value):
    headers = [
        (name, value) for name in ("X-Cloud-Trace-Context", "traceparent", "X-CloudTasks-TaskName", "User-Agent")
    ]
    assert (await post(spomyn.webhook, secret(), *headers, body=update(spomyn))).status == 200
    assert (await post(spomyn.extract, bearer(spomyn, EXTRACT_URL), *headers, body=b'{"chat_id": 1}')).status == 200


@pytest.mark.parametrize("chat_id", ["null", "true", '"1"', "1.5", "[1]", "{}"])
async def test_a_task_for_no_chat_is_recorded_and_not_tried_again(spomyn, chat_id):
    body = b'{"chat_id": %s}' % chat_id.encode()
    assert (await post(spomyn.extract, bearer(spomyn, EXTRACT_URL), body=body)).status == 200
    assert len(await spomyn.group.store.query("dead_letters")) == 1


# --- Changing the secret -------------------------------------------------------------------------


async def test_the_secret_is_changed_without_a_refused_update(sqlite_store):
    """Deploy NEW,OLD; setWebhook with NEW, which takes effect at some moment; deploy NEW."""
    stages = [("old", ["old"]), ("new,old", ["old", "new", "old", "new"]), ("new", ["new"])]
    for setting, sent in stages:
        async with deployed(sqlite_store, TELEGRAM_WEBHOOK_SECRET=setting) as spomyn:
            assert spomyn.group.runtime.settings.telegram_webhook_secret[0] == setting.partition(",")[0]
            for value in sent:
                assert (await post(spomyn.webhook, secret(value), body=update(spomyn))).status == 200
            others = {"old", "new", "new,old", "", ","} - set(sent)
            assert {(await post(spomyn.webhook, secret(other))).status for other in others} == {401}


# --- Closed unless configured --------------------------------------------------------------------

CLOUD = {
    "K_SERVICE": "spomyn-extract",
    "TELEGRAM_BOT_TOKEN": "1:x",
    "TELEGRAM_WEBHOOK_SECRET": SECRET,
    "SPOMYN_QUEUE": "cloud-tasks",
    "GOOGLE_CLOUD_PROJECT": "p-1",
    "ANSWER_URL": ANSWER_URL,
    "EXTRACT_URL": EXTRACT_URL,
    "MAINTENANCE_URL": MAINTENANCE_URL,
    "OIDC_INVOKER_EMAIL": ACCOUNT,
}


def test_a_worker_that_does_not_know_its_caller_does_not_start():
    assert token_verifier(function_settings(WORKER_NEEDS, CLOUD), SystemClock()) is not None
    without = {name: value for name, value in CLOUD.items() if name != "OIDC_INVOKER_EMAIL"}
    for emulated in ({}, {"CLOUD_TASKS_EMULATOR_HOST": "127.0.0.1:9"}):
        with pytest.raises(SettingsError, match=r"^OIDC_INVOKER_EMAIL is not set"):
            function_settings(WORKER_NEEDS, without | emulated)


def test_a_webhook_without_a_secret_does_not_start():
    for value in ("", "  "):
        with pytest.raises(SettingsError, match=r"^TELEGRAM_WEBHOOK_SECRET is not set"):
            function_settings(WEBHOOK_NEEDS, CLOUD | {"TELEGRAM_WEBHOOK_SECRET": value})
    with pytest.raises(SettingsError, match=r"^TELEGRAM_WEBHOOK_SECRET is wrong"):
        function_settings(WEBHOOK_NEEDS, CLOUD | {"TELEGRAM_WEBHOOK_SECRET": ","})


async def test_a_webhook_without_a_secret_serves_nobody(sqlite_store):
    async with deployed(sqlite_store, TELEGRAM_WEBHOOK_SECRET="") as spomyn:
        for headers in ([], [secret("")], [secret("None")]):
            assert (await post(spomyn.webhook, *headers, body=update(spomyn))).status == 401


def test_tokens_go_unchecked_only_where_the_operator_says_so():
    assert token_verifier(Settings.from_env(CLOUD | {"OIDC_CHECK": "false"}), SystemClock()) is None
    for word in ("no", "0", "False", "off"):
        with pytest.raises(SettingsError, match=r"^OIDC_CHECK is wrong"):
            Settings.from_env(CLOUD | {"OIDC_CHECK": word})


async def test_one_audience_may_serve_both_workers_and_tasks_carry_it(sqlite_store):
    async with deployed(sqlite_store, OIDC_AUDIENCE="spomyn") as spomyn:
        for url in (spomyn.extract, spomyn.maintenance):
            for audience, status in (("spomyn", 200), (EXTRACT_URL, 401), (MAINTENANCE_URL, 401)):
                answer = await post(url, bearer(spomyn, audience), target="/decay", body=b'{"chat_id": 1}')
                assert answer.status == status
        await spomyn.group.say("привіт")
        (stored,) = spomyn.group.tasks.tasks.values()
        assert stored.task.http_request.oidc_token.audience == "spomyn"


# --- The page ------------------------------------------------------------------------------------


def test_the_page_tells_where_every_secret_lives():
    rows = (ROOT / "docs/security.md").read_text("utf-8").splitlines()
    told = {row.split("`")[1] for row in rows if "| Secret Manager |" in row}
    assert told == {setting.name for setting in SETTINGS if setting.secret}


def test_every_check_of_terraform_that_is_skipped_has_its_reason_beside_it():
    files = [path for path in (ROOT / "terraform").rglob("*.tf") if ".terraform" not in path.parts]
    skips = [line.strip() for path in files for line in path.read_text("utf-8").splitlines() if "checkov:skip" in line]
    assert skips
    assert [line for line in skips if not re.fullmatch(r"#checkov:skip=CKV2?_[A-Z0-9_]+:\S.{20,}\.", line)] == []
    assert "skip-check" not in (ROOT / ".checkov.yaml").read_text("utf-8")
