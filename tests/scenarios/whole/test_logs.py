"""What the functions log: one line a request, and nothing that anybody said, is called or keeps secret."""

import asyncio
import inspect
import io
import json
import logging
import random  # noqa: TID251 - the same for the same seed
from datetime import timedelta

import pytest
from google.cloud import tasks_v2

from infra.observability import chat_hash, configure_cloud_logging
from infra.policy import log_key
from infra.tasks.retries import RetryPolicy
from infra.telegram.gateway import ALLOWED_UPDATES
from shared.application.delivery.closing import MOST_ATTEMPTS
from shared.application.intake.maintenance import run_job
from shared.domain.errors import StoreUnavailable
from tests.support import updates
from tests.support.faults import DyingStore
from tests.support.google.cloud_tasks import sign
from tests.support.group import ACCOUNT, CHAT, EXTRACT_URL, MAINTENANCE_URL, SECRET, TOKEN, running_group

LAST_ATTEMPT = RetryPolicy().max_attempts - 1

MARK = "zqxmarker"
"""In everything that anybody says or is called."""

SPEAKERS = {7_700_000_101 + n: f"{name} {MARK}" for n, name in enumerate(("Оля", "Петро", "Ганна"))}
HIDDEN = (MARK, TOKEN, TOKEN.partition(":")[2], SECRET, "test-key", str(abs(CHAT)), "770000010")
TRACE = "0af7651916cd43dd8448eb211c80319c"

TALK = (
    "я живу у Львові, {}", "мій кіт Мурчик {} знову спить", "давайте не будемо про {}", "зустріч у суботу о 18:00, {}",
    "обожнюю каву з {}", "I work at {}", "we always meet on Fridays at {}", "https://{}.example/secret?x={}",
)  # fmt: skip
ASKED = ("гряг, що ти знаєш про {}?", "@gryag_bot хто такий {}", "гряг, порахуй 2+2 {}", "гряг, запам'ятай: {} мій пес")
COMMANDS = (
    "/gryadfacts {}", "/gryadremember {} любить чай", "/gryadsettings", "/gryadwhy", "/gryadrecap {}", "/gryadforgetme",
    "/gryadstats", "/gryadhelp {}", "/gryadfix {}", "/nosuch {}",
)  # fmt: skip


class LeakyStore(DyingStore):
    """A store whose fatal call fails with everything that it was given in the error's words, and never the process."""

    kind = RuntimeError

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if not inspect.iscoroutinefunction(method) or name == "aclose":
            return method

        async def call(*args, **kwargs):
            self.calls += 1
            fatal = self.calls == self.die_at
            if fatal and not self.after:
                raise self.kind(f"{MARK} {args!r} {kwargs!r}")
            result = await method(*args, **kwargs)
            if fatal:
                raise self.kind(f"{MARK} {args!r} {result!r}")
            return result

        return call


class Log:
    """What was written, at the lowest level of every library."""

    def __init__(self, stream):
        self._stream = stream

    @property
    def text(self):
        return self._stream.getvalue()

    @property
    def lines(self):
        return [json.loads(line) for line in self.text.splitlines()]

    def of(self, *events):
        return [line for line in self.lines if line.get("event") in events]

    def clear(self):
        self._stream.seek(0)
        self._stream.truncate()

    def check(self):
        """Every line is one JSON object as Cloud Logging reads them, and none holds what is hidden."""
        severities = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}
        assert all(isinstance(line, dict) and line["severity"] in severities and line["message"] for line in self.lines)
        assert [line for line in self.text.splitlines() if any(word in line for word in HIDDEN)] == []


@pytest.fixture
def leaky(sqlite_store):
    return LeakyStore(sqlite_store)


@pytest.fixture
async def group(leaky, gemini):
    async with running_group(leaky, **gemini.environment) as running:
        running.api.webhook = {"url": f"https://webhook.example/{MARK}", "allowed_updates": list(ALLOWED_UPDATES)}
        yield running


@pytest.fixture
def log(group, logging_restored):
    stream = io.StringIO()
    settings = group.runtime.settings
    project, key = settings.google_cloud_project, log_key(settings)
    configure_cloud_logging("DEBUG", project=project, key=key, stream=stream)
    for name in ("httpx", "httpcore", "telegram", "google", "google_genai", "asyncio", "aiohttp", "uvicorn"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    return Log(stream)


async def say(group, text, user_id=None, **fields):
    user_id = user_id or min(SPEAKERS)
    sender = updates.user(user_id, SPEAKERS[user_id], username=f"u_{MARK}")
    where = updates.chat(title=f"Чат {MARK}")
    update = group.says(text.replace("{}", MARK), sender=sender, chat=where, **fields)
    try:
        return await group.deliver(update)
    finally:
        group.clock.advance(timedelta(seconds=20))


async def post_task(group, path, payload, **headers):
    oidc = tasks_v2.OidcToken(service_account_email=ACCOUNT)
    audience = EXTRACT_URL if path == "/extract" else MAINTENANCE_URL
    sent = {"authorization": "Bearer " + sign(oidc, audience, group.clock.now()), **headers}
    return (await group.http.post(path, json=payload, headers=sent)).status_code


def chat_of_test(group):
    return chat_hash(log_key(group.runtime.settings), CHAT)


# --- One line each ---------------------------------------------------------------------------------


async def test_a_message_an_answer_a_task_and_a_job_are_one_line_each(group, gemini, log):
    gemini.reply_with(lambda request: "Привіт!" if request.schema is None else {"facts": []})
    assert await say(group, TALK[0]) == 200
    (line,) = log.lines
    assert {name: line[name] for name in ("severity", "event", "outcome", "status", "chat")} == {
        "severity": "INFO",
        "event": "update",
        "outcome": "stored",
        "status": 200,
        "chat": chat_of_test(group),
    }
    log.clear()

    assert await say(group, ASKED[0]) == 200
    (answer,), (update,), (task,) = log.of("answer"), log.of("update"), log.of("task")
    assert (answer["outcome"], update["outcome"], task["outcome"]) == ("model", "asked", "answered")
    assert [task["job"], task["attempt"], task["chat"]] == ["answer", 1, chat_of_test(group)]
    assert [task["calls"], task["cost_usd"] > 0, task["tokens_in"] > task["tokens_out"] > 0] == [1, True, True]
    assert {"tokens_in", "cost_usd"} & set(answer) == set()
    log.clear()

    await group.settle()
    tasks = log.of("task")
    assert {line["job"] for line in tasks} == {"extract"}
    assert [tasks[-1]["outcome"], tasks[-1]["attempt"], tasks[-1]["chat"]] == ["done", 1, chat_of_test(group)]
    assert sum(line["counts"]["chunks"] for line in tasks) == 1
    assert sum(line.get("tokens_in", 0) for line in tasks) > 0
    log.clear()

    assert await post_task(group, "/maintenance/decay", {"chat_id": CHAT}) == 200
    (job,) = log.of("job")
    assert [job["job"], job["outcome"], job["counts"], "attempt" in job] == ["decay", "done", {"expired": 0}, False]
    log.check()


async def test_a_line_belongs_to_its_request(group, log):
    headers = {"x-cloud-trace-context": f"{TRACE}/1;o=1"}
    await group.deliver(group.says("привіт"), **headers)
    assert log.lines[0]["logging.googleapis.com/trace"] == f"projects/spomyn-test/traces/{TRACE}"
    assert log.lines[0]["logging.googleapis.com/spanId"] == "0000000000000001"


async def test_what_is_refused_has_a_line(group, log):
    assert await group.deliver(group.says(MARK), secret=MARK) == 401
    assert await group.deliver(b"{" + MARK.encode()) == 200
    assert await post_task(group, "/extract", {"chat_id": CHAT}, authorization=f"Bearer {MARK}") == 401
    assert await post_task(group, f"/maintenance/{MARK}", {}) == 404
    told = [
        (line["event"], line["outcome"], line["severity"], line["status"]) for line in log.of("update", "task", "job")
    ]
    assert told == [
        ("update", "refused", "WARNING", 401),
        ("update", "dead_letter", "ERROR", 200),
        ("task", "refused", "WARNING", 401),
        ("job", "refused", "WARNING", 404),
    ]
    assert [(line["outcome"], line["severity"]) for line in log.of("dead_letter")] == [("update", "ERROR")]
    assert log.of("job")[0]["job"] == "unknown"
    log.check()


@pytest.mark.parametrize(
    ("kind", "first"), [(StoreUnavailable, ("retry", "WARNING")), (RuntimeError, ("crashed", "ERROR"))]
)
async def test_a_task_that_fails_has_a_line_for_each_attempt_and_one_when_it_is_given_up(
    group, leaky, log, kind, first
):
    leaky.kind = kind
    for count, expected in ((0, first), (LAST_ATTEMPT, ("dead_letter", "ERROR"))):
        log.clear()
        leaky.arm(1)
        status = await post_task(group, "/extract", {"chat_id": CHAT}, **{"x-cloudtasks-taskretrycount": str(count)})
        (line,) = log.of("task")
        assert (line["outcome"], line["severity"], line["attempt"], line["status"]) == (*expected, count + 1, status)
        assert line["error"] == kind.__name__
        assert ("stack_trace" in line) is (kind is RuntimeError)
        log.check()
    assert [(line["outcome"], line["job"]) for line in log.of("dead_letter")] == [("task", "extract")]


async def test_an_update_that_fails_in_an_unforeseen_way_has_a_line_for_each_attempt_and_one_when_it_is_given_up(
    group, leaky, log
):
    leaky.kind, update = RuntimeError, group.says(MARK)
    for attempt in range(1, MOST_ATTEMPTS + 1):
        log.clear()
        leaky.arm(1)
        status = await group.deliver(update)
        (line,) = log.of("update")
        outcome = "crashed" if attempt < MOST_ATTEMPTS else "dead_letter"
        assert (line["outcome"], line["severity"], line["status"]) == (outcome, "ERROR", status)
        assert (line["error"], status) == ("RuntimeError", 503 if outcome == "crashed" else 200)
        assert "stack_trace" in line
        log.check()
    assert [(line["outcome"], line["severity"]) for line in log.of("dead_letter")] == [("update", "ERROR")]


async def test_a_model_that_fails_for_good_has_a_line_and_the_answer_says_so(group, gemini, log):
    gemini.fail_next(400, message=MARK, times=9)
    assert await say(group, ASKED[1]) == 200
    (error,), (answer,) = log.of("model_error"), log.of("answer")
    assert [error[name] for name in ("severity", "outcome", "purpose")] == ["WARNING", "refused", "answer"]
    assert error["error"] == "ModelRefused from ClientError 400"
    assert (answer["outcome"], answer["chat"], error["chat"]) == ("memory", chat_of_test(group), chat_of_test(group))
    log.check()


# --- The webhook as Telegram sees it ---------------------------------------------------------------


async def test_the_health_job_says_every_time_how_the_webhook_is(group, log):
    for _ in range(2):
        await run_job(group.runtime.app, "health", {})
    assert [(line["severity"], line["outcome"], line["pending"]) for line in log.of("webhook_status")] == [
        ("INFO", "ok", 0)
    ] * 2
    log.clear()
    failed_at = int((group.clock.now() - timedelta(minutes=5)).timestamp())
    group.api.webhook_error = (failed_at, f"Wrong response from https://webhook.example/{MARK}: 500")
    await run_job(group.runtime.app, "health", {})
    (line,) = log.of("webhook_status")
    assert [line[name] for name in ("severity", "outcome", "last_error_age_s")] == ["WARNING", "failing", 300]
    assert line["last_error"] == "Wrong response from … 500"
    assert [line["outcome"] for line in log.of("health")] == ["webhook_failing"]
    log.clear()
    group.api.webhook = {}
    await run_job(group.runtime.app, "health", {})
    assert [(line["severity"], line["outcome"]) for line in log.of("webhook_status")] == [("ERROR", "missing")]
    log.check()


REFUSED = {"status": 400, "description": MARK}


@pytest.mark.parametrize("fault", [REFUSED, {"status": 500}, {"cut": "after"}, {"body": b"{" + MARK.encode()}])
async def test_that_telegram_cannot_be_asked_is_a_line_and_no_failed_job(group, log, fault):
    group.api.fail_next("getWebhookInfo", times=5, **fault)
    assert await run_job(group.runtime.app, "health", {}) == {"errors": 0, "warnings": 1}
    (line,) = log.of("webhook_status")
    assert (line["severity"], line["outcome"], "pending" in line) == ("WARNING", "unknown", False)
    log.check()


# --- Nothing of anybody's --------------------------------------------------------------------------


async def attempt(group, leaky, text, *, calls):
    """One sentence again and again, with each of the store's calls failing once, before or after it took effect."""
    for number in range(1, calls + 1):
        leaky.kind = (RuntimeError, StoreUnavailable)[number % 2]
        leaky.arm(number, after=number % 3 == 0)
        await say(group, text)
    leaky.arm(None)


async def test_a_store_that_fails_at_any_call_with_everything_in_its_words_gives_nothing_away(group, leaky, log):
    await attempt(group, leaky, TALK[0], calls=4)
    await attempt(group, leaky, COMMANDS[1], calls=12)
    await attempt(group, leaky, ASKED[0], calls=20)
    leaky.arm(None)
    group.clock.advance(timedelta(hours=1))
    for number in range(1, 30):
        leaky.kind = (RuntimeError, StoreUnavailable)[number % 2]
        leaky.arm(number, after=number % 3 == 0)
        await post_task(group, "/extract", {"chat_id": CHAT})
    leaky.arm(None)
    log.check()
    assert {"crashed", "retry"} <= {line["outcome"] for line in log.of("update")}
    assert {"crashed", "retry"} <= {line["outcome"] for line in log.of("task")}


async def test_a_worker_of_a_command_that_fails_anywhere_gives_nothing_away(group, leaky, log):
    await say(group, "/gryadremember я живу у Львові, {}", message_id=5_001)
    place = {"chat_id": CHAT, "message_id": 5_001, "thread_id": None, "language": "uk"}
    for number in range(1, 30):
        leaky.kind = (RuntimeError, StoreUnavailable)[number % 2]
        leaky.arm(number, after=number % 3 == 0)
        await post_task(group, "/maintenance/remember", place)
        group.clock.advance(timedelta(minutes=2))
    leaky.arm(None)
    await say(group, "/gryadremember {} під килимком", message_id=6_002)
    group.api.fail_next("sendMessage", status=400, description=f"{MARK} {TOKEN}")
    await post_task(group, "/maintenance/remember", place | {"message_id": 6_002})
    await post_task(group, "/maintenance/remember", {"chat_id": CHAT, "message_id": MARK, "language": MARK})
    log.check()
    assert {line["job"] for line in log.of("job")} == {"remember"}
    assert {line["outcome"] for line in log.of("job")} == {"crashed", "retry", "done", "dead_letter"}


@pytest.mark.parametrize("seed", [1, 2])
async def test_whatever_a_group_says_and_whatever_breaks_the_log_has_none_of_it(group, leaky, gemini, log, seed):
    chance = random.Random(seed)
    gemini.reply_with(lambda request: f"- {MARK}" if request.schema is None else {"facts": [], "summary": MARK})
    sentences = chance.sample([*TALK, *ASKED, *COMMANDS], 10)
    for text in sentences:
        broken = chance.randrange(5)
        if broken == 1:
            gemini.fail_next(chance.choice((400, 401, 500)), message=f"{MARK} key=test-key", times=4)
        elif broken == 2:
            group.api.fail_next("sendMessage", status=chance.choice((400, 403)), description=f"{MARK} {TOKEN}")
        elif broken == 3:
            leaky.arm(chance.randrange(1, 30))
        await say(group, text, chance.choice([*SPEAKERS]))
        gemini.recover()
        leaky.arm(None)
    for body in updates.generate_updates(seed, 15):
        await group.deliver(body.replace(b"Olena", MARK.encode()))
    for job in ("decay", "dedup", "culture", "consolidate", "summaries", "retention"):
        await post_task(group, f"/maintenance/{job}", {"chat_id": CHAT})
    await post_task(group, "/maintenance/night", {"now": True})
    await group.settle()
    log.check()
    assert len(log.of("update")) == len(sentences) + 15
    assert len(log.of("job")) >= 7


async def test_a_task_that_nobody_looks_at_any_more_gives_nothing_away(log):
    """asyncio writes such an exception with its words, in the middle of a sentence of its own."""

    async def fails():
        raise RuntimeError(MARK)

    task = asyncio.create_task(fails())
    await asyncio.wait({task})
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": f"never retrieved {MARK}", "exception": task.exception(), "task": task})
    assert log.lines[-1]["error"] == "RuntimeError"
    log.check()
