"""What a message is charged for is what it costs when it is written out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.renderers import CompactRenderer
from shared.domain.spending.tokens import tokens_of_lines
from tests.support.builders import message
from tests.unit.domain.answering.context.nasty import handles

KYIV = ZoneInfo("Europe/Kyiv")
BOT = 7


@pytest.mark.parametrize(
    ("pause", "told"),
    [
        (timedelta(minutes=59), []),
        (timedelta(hours=1), ["[19:00]"]),
        (timedelta(hours=6), ["[2026-03-07 00:00]"]),
        (timedelta(days=3), ["[2026-03-09 18:00]"]),
    ],
    ids=str,
)
def test_a_message_is_charged_for_the_line_that_tells_of_the_pause_after_it(pause, told):
    first = message("хто йде?", sent_at=datetime(2026, 3, 6, 18, tzinfo=UTC))
    second = message("я", message_id=first.message_id + 1, sent_at=first.sent_at + pause)
    renderer = CompactRenderer(handles([first]), {}, UTC, ())
    silent = replace(second, sent_at=first.sent_at)
    assert renderer.cost(first, second) - renderer.cost(first, silent) == tokens_of_lines(told)
    shown = renderer.turns([first, second], "")[0].parts[0].split("\n")
    assert [line for line in shown if line.startswith("[")][1:] == told


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.sampled_from([UTC, KYIV]))
def test_a_talk_with_silences_and_new_days_costs_no_more_than_its_messages_were_charged(hours, zone):
    at, talk = datetime(2026, 3, 6, 18, tzinfo=UTC), []
    for number, pause in enumerate(hours, start=1):
        at += timedelta(hours=pause)
        talk.append(message("так", message_id=number, sent_at=at))
    renderer = CompactRenderer(handles(talk), {}, zone, ())
    charged = sum(renderer.cost(said, newer) for said, newer in zip(talk, [*talk[1:], None], strict=True))
    lines = [line for part in renderer.turns(talk, "")[0].parts for line in part.split("\n")]
    assert tokens_of_lines(lines) <= charged
