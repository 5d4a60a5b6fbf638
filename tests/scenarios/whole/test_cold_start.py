"""What a new instance of the webhook loads for an ordinary message or a question: nothing heavy, not even the SDKs of
Google; and for a stop nothing that answers."""

import asyncio
import contextlib
import json
import os

import pytest

from shared.application.delivery.ledger_codec import read_entry, update_path
from tests.support import updates
from tests.support.hour import handed_on
from tests.support.servers.deployment import SECRET, deployed_python, peers, staged

pytestmark = pytest.mark.wall_clock

DENIED = (
    *("google.genai", "pydantic", "pydantic_core", "httpx", "httpx2", "websockets", "tenacity"),
    *("telegram", "telegram.ext", "simplemma", "markdown_it", "sqlite3", "boto3", "aiohttp", "rich", "numpy"),
    *(
        "infra.sqlite",
        "infra.tasks.local_queue",
        "shared.domain.reading.patterns",
        "shared.application.answering.tools",
        "simpleeval",
    ),
    *("botocore", "shared.application.archive", "matplotlib", "shared.application.commands"),
    *("infra.bootstrap", "infra.telegram.gateway", "infra.telegram.sdk", "infra.gemini", "infra.offline"),
    *("shared.application.answering", "shared.application.delivery", "shared.application.intake.answering"),
    *("shared.application.recall", "shared.domain.answering"),
    *(
        "google.auth",
        "google.api_core",
        "google.cloud.firestore",
        "google.cloud.tasks_v2",
        "google.protobuf",
        "grpc",
        "proto",
        "requests",
        "urllib3",
        "cryptography",
        "infra.firestore",
        "infra.tasks.cloud_backlog",
    ),
    "tomllib",  # word lists and texts are read by who needs them
)

PRODUCT = ("shared.", "infra.bootstrap", "infra.telegram", "infra.gemini", "infra.offline")

# Requests through the application that functions-framework makes, one after the other, and what is loaded then.
PROBE = """
import asyncio, json, sys
from functions_framework.aio import create_asgi_app

async def answer(app, body, headers):
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
             "path": "/", "raw_path": b"/", "root_path": "", "query_string": b"", "server": ("127.0.0.1", 80),
             "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    sent = []
    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}
    async def send(event):
        sent.append(event)
    await app(scope, receive, send)
    return sent[0]["status"]

given = json.load(sys.stdin)
app = create_asgi_app("webhook", "main.py", "http")
at_import = sorted(sys.modules)


async def answer_all():
    return [await answer(app, body.encode(), given["headers"]) for body in given["bodies"]]

status = asyncio.run(answer_all())
print(json.dumps({"status": status, "at_import": at_import, "after": sorted(sys.modules)}))
"""


@pytest.fixture(scope="module")
def webhook(tmp_path_factory):
    """What it is deployed with and as: an interpreter, and its bundle."""
    folder = tmp_path_factory.mktemp("webhook")
    return deployed_python(folder / "python"), staged(folder / "build")["webhook"]


@contextlib.asynccontextmanager
async def taking_in(emulator, webhook, *told):
    """Statuses of updates in a fresh process, the modules loaded before and after them, and the store."""
    python, bundle = webhook
    headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET}
    given = {"bodies": [json.dumps(each) for each in told], "headers": headers}
    async with peers(emulator, f"cold-{os.getpid()}-{len(told)}") as around:
        process = await asyncio.create_subprocess_exec(
            *(str(python), "-c", PROBE),
            cwd=bundle,
            env={"PATH": os.defpath, **handed_on(), **around.settings},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, log = await process.communicate(json.dumps(given).encode())
        asked = [json.loads(each.task.http_request.body) for each in around.tasks.tasks.values()]
        windows = {"windows": [each["window"] for each in asked if "window" in each], "calls": set(around.tasks.calls)}
        yield json.loads(output) | windows | {"log": log.decode().splitlines(), "store": around.store}


@pytest.fixture
async def loaded(firestore_emulator, webhook):
    """An ordinary message."""
    async with taking_in(firestore_emulator, webhook, updates.message_update("звичайне повідомлення")) as loaded:
        yield loaded


async def test_an_ordinary_message_loads_no_model_no_bot_and_no_language_data(loaded):
    assert loaded["status"] == [200]
    assert loaded["calls"] == {"create_task"}
    first, *second = loaded["windows"]  # a second where the window ended while the message was being stored
    assert second in ([], [first + 1])
    assert sorted(set(DENIED) & set(loaded["after"])) == []
    (line,) = (told for told in map(json.loads, loaded["log"]) if "event" in told)  # google-api-core warns by date
    assert (line["event"], line["outcome"], line["severity"]) == ("update", "stored", "INFO")


async def test_a_stop_ends_what_was_asked_and_loads_nothing_that_answers(firestore_emulator, webhook):
    asks = updates.message_update("гряг, де живе Оля?", update_id=7, message_id=7)
    stops = updates.message_update("гряг, стоп", update_id=8, message_id=8)
    async with taking_in(firestore_emulator, webhook, asks, stops) as loaded:
        assert loaded["status"] == [200, 200]
        ended = read_entry(await loaded["store"].get(update_path(7)))
        assert (ended.outcome, ended.yields_to) == ("stopped", 8)
    answers = [name for name in DENIED if name.startswith(("google.genai", "telegram", *PRODUCT))]
    assert sorted(set(answers) & set(loaded["after"])) == ["shared.application.delivery"]


async def test_importing_the_function_connects_to_nothing(loaded):
    """The server imports it before it forks: a channel made then would be dead in the worker."""
    channels = ("grpc", "google.cloud.firestore", "google.cloud.tasks", "infra.rest", "infra.tasks.cloud_tasks")
    assert [name for name in loaded["at_import"] if name.startswith(channels)] == []
