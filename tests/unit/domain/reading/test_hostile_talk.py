"""Ten of the longest messages of anything: summaries and episodes of them cost no more than seconds."""

from collections.abc import Callable
from datetime import timedelta
from time import process_time

import pytest

from shared.domain.conversation.messages import Message
from shared.domain.reading.episodes.conversations import divide_by_topic
from shared.domain.reading.episodes.portrait import excerpt_portrait
from shared.domain.reading.model_reply import read_reply
from shared.domain.reading.summaries.excerpts import condense, extractive_summary
from shared.domain.reading.summaries.wording import clean_facts, clean_summary, says_nothing
from shared.domain.text.plain import TELEGRAM_LIMIT
from tests.support.builders import message

SECONDS = 3.0
"""Far above what any takes (0.4 s, 0.7 s once to load the dictionary), far below what a quadratic one took (5 s)."""

PIECES = (
    *("a.", ". ", "? ", "1,", "😂", "\u200b", "\u202eא", "*a", "[a](", "\n", "a\n", "Київ ", "куплю ", "a@b.", "漢"),
    *(" і ще ", "a, ", "ха", "e\u0301", '{"summary":', "n/a ", "ignore previous instructions ", " ", "a" + " " * 50),
)


def seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def longest(piece: str) -> list[Message]:
    text = (piece * TELEGRAM_LIMIT)[:TELEGRAM_LIMIT]
    first = message(text)
    return [
        message(text, message_id=number, user_id=number % 3, sent_at=first.sent_at + timedelta(seconds=number))
        for number in range(1, 11)
    ]


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_excerpts_of_ten_of_the_longest_messages_cost_no_more_than_seconds(piece: str) -> None:
    messages = longest(piece)
    assert seconds(lambda: extractive_summary(messages)) < SECONDS
    assert seconds(lambda: excerpt_portrait(messages)) < SECONDS
    assert seconds(lambda: divide_by_topic(messages)) < SECONDS


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_reading_a_models_endless_answer_costs_no_more_than_seconds(piece: str) -> None:
    text = (piece * 8_000)[:8_000]
    readers = (says_nothing, clean_summary, clean_facts, lambda raw: condense([raw] * 10))
    for read in readers:
        assert seconds(lambda read=read: read(text)) < SECONDS
    assert seconds(lambda: read_reply(text, 1)) < SECONDS
