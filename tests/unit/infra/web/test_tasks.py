"""What a queue is answered to one attempt at a task."""

import json
from types import SimpleNamespace

import pytest
from starlette.requests import Request

from infra.tasks.retries import RetryPolicy
from infra.web.http import BadRequest
from infra.web.tasks import handle_task
from shared.domain.errors import BadPayload, ModelUnavailable

LAST_ATTEMPT = RetryPolicy().max_attempts - 1


def request(body=b'{"chat_id": 7}', *, retries=None, method="POST", kind="application/json"):
    headers = [(b"content-type", kind.encode())]
    headers += [] if retries is None else [(b"x-cloudtasks-taskretrycount", str(retries).encode())]

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    return Request({"type": "http", "method": method, "path": "/", "headers": headers}, receive)


async def answered(laptop, asked, error=None, **given):
    """Status, Retry-After and body."""

    async def work(payload):
        if error is not None:
            raise error
        return {"chunks": payload["chat_id"]}

    runtime = SimpleNamespace(app=laptop.runtime.app, verifier=None)
    answer = await handle_task(runtime, asked, work, audience=None, event="task", job="extract", **given)
    return answer.status_code, answer.headers.get("retry-after"), answer.body.decode()


async def dead_letters(group):
    return [document.data["reason"] for document in await group.store.query("dead_letters")]


async def test_what_is_done_is_told_in_counts(laptop):
    status, _, body = await answered(laptop, request())
    assert (status, json.loads(body)) == (200, {"chunks": 7})


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (request(method="GET"), 405),
        (request(kind="text/plain"), 400),
        (request(b"[7]"), 400),
        (request(b"{"), 400),
    ],
)
async def test_what_is_no_task_is_refused_and_no_dead_letter(laptop, asked, status):
    assert (await answered(laptop, asked))[0] == status
    assert await dead_letters(laptop) == []


async def test_who_asks_for_what_there_is_not_is_told_so(laptop):
    assert (await answered(laptop, request(), refusal=BadRequest(404, "no such job")))[::2] == (404, "no such job\n")


async def test_what_can_never_be_done_need_not_come_again(laptop):
    assert (await answered(laptop, request(), BadPayload("no chat")))[0] == 200
    assert await dead_letters(laptop) == ["no chat"]


@pytest.mark.parametrize(("error", "later"), [(ModelUnavailable("busy", retry_after=30), "30"), (KeyError("x"), "5")])
@pytest.mark.parametrize("retries", [None, 0, LAST_ATTEMPT - 1, "many", -1])
async def test_what_fails_comes_again_after_a_while(laptop, error, later, retries):
    assert (await answered(laptop, request(retries=retries), error))[:2] == (503, later)
    assert await dead_letters(laptop) == []


@pytest.mark.parametrize("error", [ModelUnavailable("busy"), KeyError("x")])
async def test_what_fails_in_the_last_attempt_is_written_down(laptop, error):
    assert (await answered(laptop, request(retries=LAST_ATTEMPT), error))[0] == 200
    (reason,) = await dead_letters(laptop)
    assert reason.startswith("last attempt failed")
