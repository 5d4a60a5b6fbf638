"""Small loads over HTTP: nothing is lost, doubled or refused. How fast that is, `make load` says."""

import asyncio
from collections import Counter

import pytest

from tests.load.__main__ import SMALL
from tests.load.arrivals import SHAPES, arrivals
from tests.load.burst import Behind, Burst, allowed, behind, burst
from tests.load.flood import Beside, Flood
from tests.load.kills import Kills
from tests.load.outcome import Outcome, answered, as_table
from tests.load.running import run, warm_up
from tests.load.soak import Sample, as_lines, growth, is_flat
from tests.load.targets import deployed_target, local_target
from tests.support.telegram.delivery import TelegramDelivery

pytestmark = pytest.mark.wall_clock

_ON_FIRESTORE = ("hot", "backlog")
"""The shapes that once locked a group up, or all of them."""


async def loads(target, shapes):
    """Small loads at once; what is wrong with each, and how many messages were said in all."""
    await warm_up(target, TelegramDelivery(target.api, target.post))
    coming = {shape: arrivals(SHAPES[shape], *SMALL[shape], place=place) for place, shape in enumerate(shapes, 1)}
    runs = (run(shape, target, coming[shape], warm=False, first_update=1_000 * n) for n, shape in enumerate(shapes, 1))
    outcomes = {outcome.name: outcome for outcome in await asyncio.gather(*runs)}
    wrong = {
        shape: (outcome.lost, outcome.doubled, dict(outcome.failed))
        for shape, outcome in outcomes.items()
        if outcome.lost or outcome.doubled or outcome.failed
    }
    assert {shape: outcomes[shape].asked for shape in shapes} == {shape: len(coming[shape]) // 20 for shape in shapes}
    return wrong, sum(map(len, coming.values()))


async def test_on_one_machine_nothing_of_any_shape_is_lost_doubled_or_refused(tmp_path):
    async with local_target(tmp_path) as target:
        wrong, messages = await loads(target, SMALL)
    assert wrong == {}
    assert target.counts["writes"] >= messages


async def test_as_functions_on_firestore_nothing_is_lost_doubled_refused_or_held_up(tmp_path, firestore_emulator):
    async with deployed_target(firestore_emulator, tmp_path, ANSWER_MODEL_SECONDS="50") as target:
        at_once = (loads(target, _ON_FIRESTORE), burst(target, messages=40, questions=8))
        (wrong, messages), asked = await asyncio.gather(*at_once)
        talk = await behind(target)
    assert wrong == {}
    assert messages <= target.counts["writes"] < 20 * messages
    assert asked.is_whole, asked.as_line()
    assert talk.is_whole, talk.as_line()


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
    right = Kills(20, 2, 20, Counter(once | {3: 2, 4: 2}), 0, 2, 100.0)
    assert right.is_right
    assert (right.lost, right.doubles) == (0, 2)
    assert not right._replace(answers=Counter({**once, 3: 2, 4: 3})).is_right
    assert not right._replace(asked=21).is_right
    assert not right._replace(repeats=1).is_right, "a double that nobody counted"


def test_a_burst_is_answered_as_soon_as_a_group_may_be_told():
    assert allowed(22) == [*map(float, range(2, 22)), 62.0, 63.0]
    right = Burst(2, Counter({1: 1, 2: 1}), 0.9, Counter(), (2.5, 13.0))
    assert right.is_right
    assert not right._replace(answered_after=(2.5, 13.1)).is_right, "ten seconds later than it might be"
    assert not right._replace(slowest_request=1.1).is_right
    for wrong in ({"asked": 3}, {"answers": Counter({1: 1, 2: 2})}, {"failed": Counter({503: 1})}):
        assert not right._replace(**wrong).is_whole


def test_nobody_waits_behind_a_question_until_it_is_answered():
    assert Behind(0.9, 15.0).is_right
    assert not Behind(0.9, None).is_whole
    assert not Behind(0.9, 15.0, waited=True).is_whole
    assert Behind(1.1, 15.0).is_whole
    assert not Behind(1.1, 15.0).is_right


def test_the_webhook_may_take_less_than_three_times_a_bare_create():
    assert Beside([0.029] * 100, [0.01] * 100).is_right
    assert not Beside([0.031] * 100, [0.01] * 100).is_right


def test_a_flood_is_told_beside_the_calm():
    told = Flood([0.01] * 10, [0.03] * 10, [0.02] * 10, most_at_once=200, still=180, answered=199)
    assert not told.is_right
    assert told._replace(answered=200).is_right
    assert not told._replace(answered=200, under_way=[0.021] * 10).is_right
    assert "p99 2.00 times that alone" in told.as_line()
    assert "200 to 180 answers at once, 199 of 200 sent" in told.as_line()


def test_what_grows_after_the_caches_are_filled_is_not_flat():
    even = [Sample(float(i), 10**8 + (10**7 * i if i < 30 else 3 * 10**8), 40, 10**6, 0.0) for i in range(90)]
    leaking = [sample._replace(memory=10**8 + 10**6 * i) for i, sample in enumerate(even)]
    late = [sample._replace(queue_age=float(i)) for i, sample in enumerate(even)]
    moment = [sample._replace(queue_age=0.9 if i >= 60 else 0.0) for i, sample in enumerate(even)]
    sawing = [
        sample._replace(log=10**5 * (i % 41) if i < 60 else 10**5 * (40 - i % 7)) for i, sample in enumerate(even)
    ]
    swelling = [sample._replace(log=sample.log * (1 + i // 30)) for i, sample in enumerate(even)]
    assert is_flat(even)
    assert is_flat(sawing), "the log is emptied whenever it has grown so far"
    assert not is_flat(swelling)
    assert not is_flat(leaking)
    assert not is_flat(late)
    assert is_flat(moment), "the model was asked once more"
    assert growth(even) == {"memory": 0.0, "open_files": 0.0, "log": 0.0, "queue_age": 0.0}
    answered_all = Outcome("soak", [], [], Counter(), 300, 300, 2, answered(["відповідь №1 відповідь №2"]))
    told = as_lines(even, answered_all)
    assert "memory +0.0%" in told
    assert told.endswith("flat. 300 messages, 2 questions: 0 lost, 0 doubled.")
    assert "NOT flat" in as_lines(leaking, answered_all)
