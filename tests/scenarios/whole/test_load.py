"""Small loads over HTTP: nothing is lost, doubled or refused. How fast that is, `make load` says."""

from collections import Counter

import pytest

from tests.load.arrivals import SHAPES, arrivals
from tests.load.flood import Beside, Flood
from tests.load.kills import Kills
from tests.load.outcome import Outcome, answered, as_table
from tests.load.running import run
from tests.load.soak import Sample, as_lines, growth, is_flat
from tests.load.targets import deployed_target, local_target

pytestmark = pytest.mark.wall_clock

SMALL = {"hot": (20.0, 2.0)}


def whole(outcome):
    return (outcome.stored, outcome.lost, outcome.doubled, dict(outcome.failed))


@pytest.mark.parametrize("shape", SMALL)
async def test_on_one_machine_nothing_is_lost_doubled_or_refused(tmp_path, shape):
    coming = arrivals(SHAPES[shape], *SMALL[shape])
    async with local_target(tmp_path) as target:
        outcome = await run(shape, target, coming)
    assert whole(outcome) == (len(coming), 0, 0, {})
    assert outcome.asked == len(coming) // 20 > 0
    assert target.counts["writes"] >= len(coming)


async def test_as_functions_on_firestore_nothing_is_lost_doubled_or_refused(tmp_path, firestore_emulator):
    coming = arrivals(SHAPES["hot"], 20.0, 2.0)
    async with deployed_target(firestore_emulator, tmp_path) as target:
        outcome = await run("hot", target, coming)
    assert whole(outcome) == (len(coming), 0, 0, {})
    assert len(coming) <= target.counts["writes"] < 20 * len(coming)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_twentieth_message_of_every_shape_is_a_question(shape):
    coming = arrivals(SHAPES[shape], 2.0, 100.0)
    assert coming == sorted(coming, key=lambda each: each.at)
    asked = sum(each.question is not None for each in coming)
    assert abs(20 * asked - len(coming)) < 20


def test_questions_come_from_all_the_chats_that_talk():
    asking = Counter(each.chat_id for each in arrivals(SHAPES["steady"], 5.0, 240.0) if each.question is not None)
    assert len(asking) == 20
    assert set(asking.values()) == {3}


def test_answers_that_were_put_into_one_message_are_counted_each():
    assert answered(["відповідь №1\n\nвідповідь №2", "щось", "відповідь №1"]) == {1: 2, 2: 1}


def test_what_is_lost_or_doubled_is_told():
    outcome = Outcome("x", [0.1], [0.1], answered([]), 3, 2, 4, answered(["відповідь №1", "відповідь №1"]))
    assert (outcome.lost, outcome.doubled) == (1 + 3, 1)
    assert "| x | 3 | 100 | 100 | 100 | 100 |" in as_table([outcome])


def test_after_kills_nothing_is_lost_and_no_more_doubled_than_was_cut_off():
    once = dict.fromkeys(range(20), 1)
    right = Kills(20, 2, 20, Counter(once | {3: 2, 4: 2}), 2, 100.0)
    assert right.is_right
    assert (right.lost, right.doubles) == (0, 2)
    assert not right._replace(answers=Counter({**once, 3: 2, 4: 3})).is_right
    assert not right._replace(asked=21).is_right
    assert not right._replace(repeats=1).is_right, "a double that nobody counted"


def test_the_webhook_may_take_less_than_three_times_a_bare_create():
    assert Beside([0.029] * 100, [0.01] * 100).is_right
    assert not Beside([0.031] * 100, [0.01] * 100).is_right


def test_a_flood_is_told_beside_the_calm():
    told = Flood([0.01] * 10, [0.03] * 10, [0.02] * 10, most_at_once=200, still=180, answered=199)
    assert not told.is_right
    assert "p99 2.00 times that alone" in told.as_line()
    assert "200 to 180 answers at once, 199 of 200 sent" in told.as_line()


def test_what_grows_after_the_caches_are_filled_is_not_flat():
    even = [Sample(float(i), 10**8 + (10**7 * i if i < 30 else 3 * 10**8), 40, 10**6, 0.0) for i in range(90)]
    leaking = [sample._replace(memory=10**8 + 10**6 * i) for i, sample in enumerate(even)]
    late = [sample._replace(queue_age=float(i)) for i, sample in enumerate(even)]
    moment = [sample._replace(queue_age=0.9 if i >= 60 else 0.0) for i, sample in enumerate(even)]
    assert is_flat(even)
    assert not is_flat(leaking)
    assert not is_flat(late)
    assert is_flat(moment), "the model was asked once more"
    assert growth(even) == {"memory": 0.0, "open_files": 0.0, "log": 0.0, "queue_age": 0.0}
    answered_all = Outcome("soak", [], [], Counter(), 300, 300, 2, answered(["відповідь №1 відповідь №2"]))
    told = as_lines(even, answered_all)
    assert "memory +0.0%" in told
    assert told.endswith("flat. 300 messages, 2 questions: 0 lost, 0 doubled.")
    assert "NOT flat" in as_lines(leaking, answered_all)
