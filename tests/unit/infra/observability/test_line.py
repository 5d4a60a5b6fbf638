"""A request is one line: what became of it, what it cost, and where it broke."""

import asyncio

import pytest

from infra.observability import chat_hash
from infra.observability.line import RequestLine, one_line
from shared.application.ports.model import TokenUsage
from shared.application.telemetry import note_chat, note_usage
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.intake.updates import UpdateOutcome, UpdateResult

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
WORDS = "пароль від сейфа"


async def test_a_request_is_one_line_with_what_it_cost(log):
    with one_line("update", RequestLine(), {"traceparent": f"00-{TRACE}-{SPAN}-01"}) as line:
        note_chat(-1001234567890)
        note_usage(TokenUsage(1_000, 100, 10), 400)
        await asyncio.gather(*(asyncio.create_task(spend()) for _ in range(2)))
        line.end(UpdateOutcome(UpdateResult.IGNORED, "an older edit"))
    latency = log.only.pop("latency_ms")
    assert 0 <= latency < 60_000
    assert {name: value for name, value in log.only.items() if name != "latency_ms"} == {
        "severity": "INFO",
        "message": "update ignored",
        "logger": "spomyn",
        "event": "update",
        "outcome": "ignored",
        "detail": "an older edit",
        "status": 200,
        "chat": chat_hash(b"key", -1001234567890),
        "calls": 3,
        "tokens_in": 3_000,
        "tokens_out": 300,
        "cost_usd": 0.0012,
        "logging.googleapis.com/trace": f"projects/my-project/traces/{TRACE}",
        "logging.googleapis.com/spanId": SPAN,
        "logging.googleapis.com/trace_sampled": True,
    }


async def spend():
    note_usage(TokenUsage(1_000, 100), 400)


async def test_a_request_that_crashes_has_its_line_with_where_it_broke_and_no_words(log):
    with pytest.raises(KeyError), one_line("job", RequestLine(job="decay", attempt=2), {}):
        raise KeyError(WORDS)
    assert [log.only[name] for name in ("severity", "outcome", "status", "job", "attempt")] == [
        *("ERROR", "crashed", 500, "decay", 2)
    ]
    assert log.only["error"] == "KeyError"
    assert log.only["stack_trace"].startswith("Traceback (most recent call last):\n  File")
    assert log.only["stack_trace"].endswith("\nKeyError")
    assert WORDS not in log.text


async def test_requests_side_by_side_do_not_share_what_they_note(log):
    async def request(chat_id, pause):
        with one_line("update", RequestLine(), {}):
            note_chat(chat_id)
            await asyncio.sleep(pause)
            note_usage(TokenUsage(-chat_id, 0), 0)

    await asyncio.gather(request(-1, 0.02), request(-2, 0))
    assert {line["chat"]: line["tokens_in"] for line in log.lines} == {
        chat_hash(b"key", -1): 1,
        chat_hash(b"key", -2): 2,
    }


@pytest.mark.parametrize(
    ("outcome", "word", "detail"),
    [
        (UpdateOutcome(UpdateResult.STORED), "stored", None),
        (UpdateOutcome(UpdateResult.LEFT, "kept"), "left", "kept"),
        (UpdateOutcome(AnswerOutcome.ALREADY_ANSWERED), "already_answered", None),
    ],
)
def test_an_outcome_is_a_word_and_a_detail(outcome, word, detail):
    line = RequestLine()
    line.end(outcome)
    assert (line.outcome, line.fields()["detail"], line.fields()["status"]) == (word, detail, 200)
