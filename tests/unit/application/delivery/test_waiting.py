"""What Telegram does not take now waits, and arrives: in order, merged, and none of it is lost."""

import contextlib
import itertools
import json
import re
from dataclasses import replace

import grpc
import pytest

from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery import waiting
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.ledger_codec import LEASE, LONGEST, done_with_update, update_path
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once
from shared.application.delivery.turns import LONGEST_TURN
from shared.application.delivery.waiting import deliver_waiting
from shared.application.documents import usage_path
from shared.application.forgetting.forget import forget_member
from shared.application.intake.answering import run_answer
from shared.application.ports.chat import Button, OutgoingFile, OutgoingText
from shared.application.ports.store import Document
from shared.application.spending.usage_codec import read_usage
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.repeating import AGAIN_AFTER, MOST_SENDS
from shared.domain.errors import StoreUnavailable, TransientError
from shared.domain.intake.updates import UpdateOutcome
from tests.support import updates
from tests.support.delivery.answers import (
    MESSAGES_PER_MINUTE,
    MINUTE,
    SECOND,
    Watch,
    fill_the_minute,
    limit_messages,
    saying,
)
from tests.support.faults import Crashed, dead_letters
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, QUEUE, running_group

MEMBERS = range(101, 107)


@pytest.fixture
async def minded(sqlite_store):
    """A group with a model."""
    async with FakeGemini("test-key") as gemini:
        gemini.reply_with(lambda request: {} if request.schema else "Нічого." if request.tools else "- NOTHING")
        async with running_group(sqlite_store, **gemini.environment) as running:
            yield running


async def states(group):
    found = [document.data for document in await group.store.query("updates")]
    return sorted((data["state"], data.get("outcome")) for data in found)


async def test_a_burst_of_sixty_commands_is_answered_whole_once_in_order_and_never_too_fast(group):
    watch, limits = Watch(group), limit_messages(group)
    for number in range(60):
        assert await group.deliver(group.says(f"/gryadx{number:02}y", MEMBERS[number % 6])) == 200
        watch.look()
        group.clock.advance(SECOND)
    assert len(watch.arrived) == MESSAGES_PER_MINUTE
    await watch.until_quiet()
    assert watch.busiest_minute <= MESSAGES_PER_MINUTE
    answered = [int(n) for n in re.findall(r"gryadx(\d\d)y", " ".join(sent.text for _, sent in watch.arrived))]
    assert sorted(answered) == list(range(60))
    for member in range(6):
        own = [number for number in answered if number % 6 == member]
        assert own == sorted(own)
    assert set(await states(group)) == {("done", "answered")}
    stored = [message for message in await group.messages() if message["is_bot"]]
    assert [message["text"] for message in stored] == [sent.text for _, sent in watch.arrived]
    assert len(watch.arrived) < 30, "short answers are merged"
    assert limits.refused <= 5, "Telegram is not asked again before it said"


async def test_a_new_answer_does_not_overtake_those_that_wait(laptop):
    watch = Watch(laptop)
    fill_the_minute(laptop)
    assert await answer_once(laptop.runtime.app, 1, Destination(CHAT), saying("перша")) == "waits"
    laptop.clock.advance(MINUTE)
    assert await answer_once(laptop.runtime.app, 2, Destination(CHAT), saying("друга")) == "waits"
    await watch.until_quiet()
    assert laptop.answers == ["перша\n\nдруга"]
    assert await answer_once(laptop.runtime.app, 3, Destination(CHAT), saying("третя")) == "answered"


@pytest.mark.parametrize("taken_back", [1, 2])
async def test_of_two_answers_in_one_message_the_one_taken_back_at_the_last_moment_is_not_sent(
    laptop, monkeypatch, taken_back
):
    fill_the_minute(laptop)
    for number, text in ((1, "перша"), (2, "друга")):
        await answer_once(laptop.runtime.app, number, Destination(CHAT), saying(text))
    read = waiting._Deliverer.parcels

    async def read_and_taken_back(worker):
        parcels = await read(worker)
        await laptop.store.update(update_path(taken_back), done_with_update("forgotten"))
        return parcels

    monkeypatch.setattr(waiting._Deliverer, "parcels", read_and_taken_back)
    await Watch(laptop).until_quiet()
    assert laptop.answers == [{1: "друга", 2: "перша"}[taken_back]]


async def test_an_answer_that_waited_alone_is_a_reply_and_keeps_its_buttons_and_meaning(laptop):
    app, to = laptop.runtime.app, Destination(CHAT, 5)
    laptop.ids().keep(5)
    fill_the_minute(laptop)
    asks = AnswerPiece(OutgoingText("?", "?", ((Button("так", "x"),),)), asks=ReplyContext("gryadfix", "fix"))
    await answer_once(app, 1, to, saying(asks))
    await Watch(laptop).until_quiet()
    (sent,) = laptop.api.sent
    assert (sent.reply_to, bool(sent.buttons)) == (5, True)
    (own,) = await laptop.messages()
    assert own["asks"] == {"command": "gryadfix", "action": "fix"}
    assert own["reply_to"] == 5


async def test_an_answer_that_the_model_gave_keeps_its_provenance_when_it_waits(laptop):
    fill_the_minute(laptop)

    async def compose():
        return Answer.of(OutgoingText("так", "так"), given={"facts": []})

    await answer_once(laptop.runtime.app, 77, Destination(CHAT), compose)
    await answer_once(laptop.runtime.app, 78, Destination(CHAT), saying("ні"))
    await Watch(laptop).until_quiet()
    assert [(own["text"], own["answer"]) for own in await laptop.messages()] == [("так\n\nні", 77)]


async def test_an_answer_of_more_messages_than_a_minute_takes_goes_out_over_several(laptop):
    texts = ["a" * 4000 + f"{number:02}" for number in range(45)]
    limit_messages(laptop)
    laptop.ids().keep(5)
    watch = Watch(laptop)
    assert await answer_once(laptop.runtime.app, 1, Destination(CHAT, 5), saying(*texts)) == "waits"
    await watch.until_quiet()
    assert laptop.answers == texts
    assert watch.busiest_minute == MESSAGES_PER_MINUTE
    assert [sent.reply_to for sent in laptop.api.sent] == [5] + [None] * 44


async def test_whoever_dies_before_asking_for_the_task_is_helped_by_the_next_attempt(group):
    await group.say("привіт")
    fill_the_minute(group)
    update = group.says("/gryadx01y")
    assert await group.post(update) == 200
    group.tasks.fail_next(1, grpc.StatusCode.RESOURCE_EXHAUSTED)
    await group.answer()
    assert [state for state, _ in await states(group)] == ["waiting"]
    await Watch(group).until_quiet()
    assert sum("gryadx01y" in text for text in group.answers) == 1


async def test_a_group_that_the_bot_left_gets_nothing_and_nothing_waits_for_ever(laptop):
    fill_the_minute(laptop)
    for number in (1, 2):
        await answer_once(
            laptop.runtime.app, number, Destination(CHAT), saying(AnswerPiece(OutgoingFile("a", "text/plain", b"x")))
        )
    laptop.api.chats[CHAT].kicked = True
    await Watch(laptop).until_quiet()
    assert await states(laptop) == [("done", "inactive")] * 2
    assert not (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active


async def test_told_to_wait_the_worker_comes_back_and_nothing_is_doubled(laptop):
    fill_the_minute(laptop)
    await answer_once(laptop.runtime.app, 1, Destination(CHAT), saying("перша"))
    laptop.api.fail_next("sendMessage", status=429, retry_after=60)
    laptop.api.fail_next("sendMessage", status=500)
    await Watch(laptop).until_quiet()
    assert laptop.answers == ["перша"]


async def test_what_waits_for_a_group_that_became_a_supergroup_goes_there(laptop):
    laptop.api.add_chat(-5, "group")
    laptop.api.add_chat(-1005, "supergroup")
    await laptop.say("привіт", chat=updates.chat(-5, "group"))
    fill_the_minute(laptop, -5)
    await answer_once(laptop.runtime.app, 900, Destination(-5, 1), saying("перша"))
    laptop.api.chats[-5].migrated_to = -1005
    assert await laptop.deliver(updates.migration_update(-5, -1005, update_id=901)) == 200
    await Watch(laptop).until_quiet()
    (sent,) = laptop.api.sent
    assert (sent.chat_id, sent.reply_to, sent.text) == (-1005, None, "перша")


async def test_an_answer_whose_maker_died_before_its_group_became_a_supergroup_goes_there(laptop):
    """Its record stays under the old id, also when what is left of it has to wait."""
    app = laptop.runtime.app
    for chat_id, kind in ((-5, "group"), (-1005, "supergroup")):
        laptop.api.add_chat(chat_id, kind)
    ledger = Ledger(app.store, app.clock, app.ids)
    await ledger.fill(await ledger.take(900, chat_id=-5), await saying("перша", "друга")(), Destination(-5))
    laptop.api.chats[-5].migrated_to = -1005
    assert await laptop.deliver(updates.migration_update(-5, -1005, update_id=901)) == 200
    laptop.clock.advance(LEASE)
    fill_the_minute(laptop, -1005)
    assert await answer_once(app, 900, Destination(-1005, 1), saying("перша", "друга")) == AnswerOutcome.WAITS
    await Watch(laptop).until_quiet()
    assert [(sent.chat_id, sent.text) for sent in laptop.api.sent] == [(-1005, "перша\n\nдруга")]


async def test_two_workers_at_once_send_nothing_twice(laptop):
    app = laptop.runtime.app
    fill_the_minute(laptop)
    for number in range(3):
        await answer_once(app, number, Destination(CHAT), saying("а" * 4000 + str(number)))
    laptop.clock.advance(MINUTE)
    send, within = app.gateway.send, []

    class Meddling:
        """While a message is on its way, another worker wakes up."""

        def __getattr__(self, name):
            return getattr(app.gateway, name)

        async def send(self, *args, **kwargs):
            within.append(await deliver_waiting(app, CHAT))
            return await send(*args, **kwargs)

    assert await deliver_waiting(replace(app, gateway=Meddling()), CHAT) == {"sent": 3}
    assert within == [{"sent": 0}] * 3
    assert [text[-1] for text in laptop.answers] == ["0", "1", "2"]


# --- Dying ---------------------------------------------------------------------------------------


async def die_and_go_on(group, call, *, after):
    """Let the worker die at a store call, and others do the rest; whether it lived, and what arrived."""
    app, first = group.runtime.app, call * 20 + 10 * after
    fill_the_minute(group)
    button = AnswerPiece(OutgoingText("?", "?", ((Button(f"{first}", "x"),),)))
    for number, contents in enumerate([["а", "б"], ["в"], [button], ["г" * 4000, "ґ" * 4000], ["д"]]):
        assert await answer_once(app, first + number, Destination(CHAT), saying(*contents)) == "waits"
    group.clock.advance(MINUTE)
    before = len(group.answers)
    group.store.arm(call, after=after)
    with contextlib.suppress(Crashed, TransientError):
        await deliver_waiting(app, CHAT)
    lived = group.store.calls < call
    group.store.arm(None)
    group.tasks.tasks.clear()  # the dead one's own task comes again
    group.clock.advance(LONGEST)
    await deliver_waiting(app, CHAT)
    group.clock.advance(MINUTE)
    return lived, group.answers[before:]


def doubled(arrived):
    return [text for text in dict.fromkeys(arrived) if arrived.count(text) > 1]


WHOLE = ["а\n\nб\n\nв", "?", "г" * 4000, "ґ" * 4000 + "\n\nд"]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_worker_may_die_at_any_store_call_and_loses_nothing(laptop, after):
    twice = []
    for call in itertools.count(1):
        lived, arrived = await die_and_go_on(laptop, call, after=after)
        assert list(dict.fromkeys(arrived)) == WHOLE, "in order, none lost"
        twice += doubled(arrived)
        assert all(state == "done" for state, _ in await states(laptop))
        if lived:
            break
    assert arrived == WHOLE
    assert twice == ([] if after else WHOLE), "only a death between sending a message and recording it"


async def test_a_worker_that_dies_on_the_emulator_loses_as_little(firestore_store):
    async with running_group(firestore_store) as group:
        for call, after in ((4, False), (4, True), (5, False), (6, True)):
            _, arrived = await die_and_go_on(group, call, after=after)
            assert list(dict.fromkeys(arrived)) == WHOLE
            assert len(doubled(arrived)) <= 1


@pytest.mark.parametrize(
    ("fault", "twice"),
    [
        ({"cut": "before"}, False),
        ({"cut": "after"}, True),
        ({"body": b"?"}, True),
        ({"status": 502}, False),
        ({"status": 502, "late": True}, True),
    ],
    ids=["lost", "unconfirmed", "garbage", "502", "502 after its effect"],
)
async def test_what_waited_is_sent_again_when_nobody_knows_nothing_new_joins_it_and_others_go_on(laptop, fault, twice):
    app = laptop.runtime.app
    fill_the_minute(laptop)
    for number, text in enumerate("аб"):
        assert await answer_once(app, number, Destination(CHAT), saying(text)) == "waits"
    laptop.clock.advance(MINUTE)
    laptop.api.fail_next("sendMessage", **fault)
    assert await deliver_waiting(app, CHAT) == {"sent": 0}
    laptop.clock.advance(MINUTE / 4)
    assert await answer_once(app, 3, Destination(CHAT), saying("в")) == "waits"
    assert await deliver_waiting(app, CHAT) == {"sent": 1}
    laptop.clock.advance(AGAIN_AFTER[0])
    assert await deliver_waiting(app, CHAT) == {"sent": 1}
    assert laptop.answers == ["а\n\nб"] * twice + ["в", "а\n\nб"]
    assert await states(laptop) == [("done", "answered")] * 3
    day = read_usage(
        await laptop.store.get(usage_path(CHAT, laptop.clock.now().date())) or Document("u/2026-11-06", {})
    )
    assert day.answers_repeated == 1


async def test_what_nobody_ever_knows_of_is_given_up_after_four_times_and_the_rest_goes_on(laptop):
    app = laptop.runtime.app
    fill_the_minute(laptop)
    assert await answer_once(app, 1, Destination(CHAT), saying("а" * 4000, "б" * 4000)) == "waits"
    laptop.clock.advance(MINUTE)
    laptop.api.fail_next("sendMessage", cut="before", times=MOST_SENDS)
    for pause in AGAIN_AFTER:
        assert await deliver_waiting(app, CHAT) == {"sent": 0}
        tried = len(laptop.api.calls)
        laptop.clock.advance(pause - MINUTE / 2)
        assert await deliver_waiting(app, CHAT) == {"sent": 0}
        assert len(laptop.api.calls) == tried, "not before its time"
        laptop.clock.advance(MINUTE / 2)
    assert await deliver_waiting(app, CHAT) == {"sent": 0}
    laptop.clock.advance(5 * MINUTE)
    assert await deliver_waiting(app, CHAT) == {"sent": 1}
    assert laptop.answers == ["б" * 4000]
    assert await states(laptop) == [("done", "uncertain")]
    assert len(await dead_letters(laptop)) == 1


async def test_a_few_seconds_a_worker_waits_itself_and_more_it_leaves_to_a_later_task(laptop):
    app = laptop.runtime.app
    fill_the_minute(laptop)
    for number, text in enumerate(("а" * 4000, "б" * 4000)):
        await answer_once(app, number, Destination(CHAT), saying(text))
    laptop.clock.advance(MINUTE)
    laptop.tasks.tasks.clear()
    laptop.api.fail_next("sendMessage", status=429, retry_after=3)
    laptop.api.fail_next("sendMessage", status=429, retry_after=30)
    before = laptop.clock.now()
    assert await deliver_waiting(app, CHAT) == {"sent": 0}
    assert laptop.clock.now() - before == 3 * SECOND
    tried = len(laptop.api.calls)
    assert await deliver_waiting(app, CHAT) == {"sent": 0}
    assert len(laptop.api.calls) == tried, "Telegram is not asked before it said"
    asked_for = [each.task.schedule_time.timestamp() for each in laptop.tasks.tasks.values()]
    assert 30 <= min(asked_for) - laptop.clock.now().timestamp() <= 31
    laptop.clock.advance(31 * SECOND)
    await laptop.work()
    assert [text[0] for text in laptop.answers] == ["а", "б"]


async def test_however_slow_telegram_is_no_worker_is_cut_off_in_the_middle_of_a_message(laptop):
    """The function that runs it has two minutes."""
    app, lasted = laptop.runtime.app, []
    fill_the_minute(laptop)
    for number in range(20):
        await answer_once(app, number, Destination(CHAT), saying(f"{number:02}" * 2000))

    class Slow:
        def __getattr__(self, name):
            return getattr(app.gateway, name)

        async def send(self, *args, **kwargs):
            laptop.clock.advance(9 * SECOND)
            return await app.gateway.send(*args, **kwargs)

    for _ in range(30):
        laptop.clock.advance(10 * SECOND)
        for each in [each for each in laptop.tasks.tasks.values() if each.due <= laptop.clock.now()]:
            begun = laptop.clock.now()
            await deliver_waiting(replace(app, gateway=Slow()), CHAT)
            lasted.append(laptop.clock.now() - begun)
            del laptop.tasks.tasks[each.task.name]
    assert [text[:2] for text in laptop.answers] == [f"{number:02}" for number in range(20)]
    assert max(lasted) < LONGEST_TURN + 10 * SECOND
    assert set(await states(laptop)) == {("done", "answered")}


async def test_whoever_dies_when_its_time_is_over_has_asked_for_a_task_that_goes_on(laptop, monkeypatch):
    fill_the_minute(laptop)
    await answer_once(laptop.runtime.app, 1, Destination(CHAT), saying("перша"))
    laptop.clock.advance(MINUTE)
    laptop.tasks.tasks.clear()

    async def dies(turn, **_):
        raise Crashed

    monkeypatch.setattr(waiting, "LONGEST_TURN", 0 * SECOND)
    monkeypatch.setattr(waiting.HeldTurn, "end", dies)
    with pytest.raises(Crashed):
        await deliver_waiting(laptop.runtime.app, CHAT)
    monkeypatch.undo()
    laptop.clock.advance(LONGEST)
    await Watch(laptop).until_quiet()
    assert laptop.answers == ["перша"]


async def test_an_answer_that_comes_to_wait_as_the_worker_ends_is_sent_by_it(laptop):
    app = laptop.runtime.app
    fill_the_minute(laptop)
    await answer_once(app, 1, Destination(CHAT), saying("а"))
    laptop.clock.advance(MINUTE)
    seen = []

    class Late:
        """After the worker has found that nothing waits any more, another answer does."""

        def __getattr__(self, name):
            return getattr(app.store, name)

        async def query(self, collection, **options):
            found = await app.store.query(collection, **options)
            if collection == "updates" and not found and not seen:
                seen.append(1)
                fill_the_minute(laptop)
                assert await answer_once(app, 2, Destination(CHAT), saying("б")) == "waits"
                laptop.clock.advance(MINUTE)
            return found

    assert await deliver_waiting(replace(app, store=Late()), CHAT) == {"sent": 2}
    assert laptop.answers == ["а", "б"]


async def test_answers_that_wait_are_taken_back_when_something_is_forgotten(group):
    from shared.application.forgetting.traces.outside import take_back_answers

    fill_the_minute(group)
    await answer_once(group.runtime.app, 1, Destination(CHAT), saying("Мурчик живе у Ганни"))
    assert await take_back_answers(group.runtime.app.store, CHAT) == 1
    await Watch(group).until_quiet()
    assert group.answers == []
    assert await states(group) == [("done", "forgotten")]
    assert await answer_once(group.runtime.app, 2, Destination(CHAT), saying("далі")) == "answered"


# --- For long, and refused -----------------------------------------------------------------------


async def test_of_a_message_that_telegram_refuses_only_the_answer_that_it_refuses_alone_is_lost(laptop):
    fill_the_minute(laptop)
    for number, text in enumerate(["перша", "друга", "третя"], start=1):
        assert await answer_once(laptop.runtime.app, number, Destination(CHAT), saying(text)) == "waits"
    laptop.clock.advance(MINUTE)
    laptop.api.fail_next("sendMessage", status=400, description="Bad Request: message is strange")
    laptop.api.fail_next("sendMessage")
    laptop.api.fail_next("sendMessage", status=400, description="Bad Request: message is strange")
    assert await deliver_waiting(laptop.runtime.app, CHAT) == {"sent": 2}
    assert laptop.answers == ["перша", "третя"]
    assert await states(laptop) == [("done", "answered"), ("done", "answered"), ("done", "rejected")]
    (letter,) = await dead_letters(laptop)
    assert json.loads(letter["body"])["update_id"] == 2


async def minutes(group, count, *, step=1):
    """Let time pass, and deliver what is due after every `step` of the minutes."""
    for _ in range(0, count, step):
        group.clock.advance(step * MINUTE)
        await group.tasks.dispatch_due(group.clock.now(), queue=QUEUE["answers"])


@pytest.fixture
def without_pause(monkeypatch):
    """A connection that is refused is tried again at once: that pause is no time of the group's clock."""
    monkeypatch.setattr("infra.telegram.errors._RECONNECT_PAUSE", 0)


@pytest.mark.usefixtures("without_pause")
async def test_telegram_may_be_away_for_a_day_and_longer_than_any_task_is_tried(group):
    await group.say("/gryadx01y")
    group.api.sent.clear()
    await group.api.refuse_connections()
    assert await group.deliver(group.says("/gryadx02y")) == 200
    await minutes(group, 60)
    await minutes(group, 23 * 60, step=30)  # more often than a task is tried
    assert [state for state, _ in await states(group)] == ["done", "waiting"]
    await group.api.take_connections()
    await minutes(group, 6)
    assert sum("gryadx02y" in text for text in group.answers) == 1
    assert await dead_letters(group) == []


@pytest.mark.usefixtures("without_pause")
async def test_what_waited_as_long_as_its_record_lasts_is_a_dead_letter_that_can_be_answered_anew(group):
    await group.api.refuse_connections()
    assert await group.deliver(group.says("/gryadx02y")) == 200
    await minutes(group, 61 * 60, step=60)
    assert await states(group) == [("done", "rejected")]
    assert group.unanswered == 0, "and no task goes on for ever"
    (letter,) = await dead_letters(group)
    await group.api.take_connections()
    group.clock.advance(24 * 60 * MINUTE)
    assert await run_answer(group.runtime.app, json.loads(letter["body"])) == UpdateOutcome(AnswerOutcome.ANSWERED)
    assert sum("gryadx02y" in text for text in group.answers) == 1
    assert await run_answer(group.runtime.app, json.loads(letter["body"])) == UpdateOutcome(
        AnswerOutcome.ALREADY_ANSWERED
    )


async def test_of_what_is_given_up_no_words_are_kept_that_are_stored_nowhere_else(group):
    """A command of who opted out stands in its record until it is dealt with."""
    await group.say("/gryadoptout")
    await minutes(group, 2)
    group.api.fail_next("sendMessage", status=400, description="Bad Request: strange", times=2)
    assert await group.deliver(group.says("/gryadx03y")) == 200
    assert await states(group) == [("done", "answered"), ("done", "rejected")]
    assert "gryadx03y" not in str([document.data for document in await group.store.query("updates")])


async def test_a_store_that_is_away_for_longer_than_a_task_is_tried_loses_nothing(laptop):
    app = laptop.runtime.app
    fill_the_minute(laptop)
    await answer_once(app, 1, Destination(CHAT), saying("а"))
    laptop.tasks.tasks.clear()
    laptop.clock.advance(MINUTE)

    class Away:
        def __getattr__(self, name):
            return getattr(app.store, name)

        async def query(self, *args, **options):
            raise StoreUnavailable("away")

    for _ in range(30):
        with pytest.raises(StoreUnavailable):
            await deliver_waiting(replace(app, store=Away()), CHAT)
    assert len(laptop.tasks.tasks) == 2, "one look in the next hour, and one behind it"
    await minutes(laptop, 61)
    assert laptop.answers == ["а"]


# --- Many ----------------------------------------------------------------------------------------


async def test_a_hundred_answers_that_wait_are_read_few_times(laptop):
    app, reads = laptop.runtime.app, []
    limit_messages(laptop)
    fill_the_minute(laptop)

    class Counting:
        def __getattr__(self, name):
            return getattr(app.store, name)

        async def query(self, collection, **options):
            found = await app.store.query(collection, **options)
            reads.append(max(1, len(found)) if collection == "updates" else 0)
            return found

    counting = replace(app, store=Counting())
    for number in range(100):
        assert await answer_once(counting, number, Destination(CHAT), saying(f"{number:03}" * 1100)) == "waits"
        laptop.clock.advance(SECOND / 2)
    waiting_before, tasks = sum(reads), 0
    for _ in range(60):
        laptop.clock.advance(10 * SECOND)
        while due := [each for each in laptop.tasks.tasks.values() if each.due <= laptop.clock.now()]:
            for each in due:
                tasks += 1
                assert await deliver_waiting(counting, CHAT) is not None
                del laptop.tasks.tasks[each.task.name]
    assert len(laptop.answers) == 100
    assert [text[:3] for text in laptop.answers] == [f"{number:03}" for number in range(100)]
    assert sum(reads) - waiting_before < 250, "of the records; before, each of some hundred tasks read them all"
    assert tasks < 120


async def test_answers_to_questions_are_merged_and_each_is_explained_and_taken_back_by_its_own(minded):
    members = [(101, "Оля"), (102, "Тарас"), (103, "Марко")]
    fill_the_minute(minded)
    for user_id, name in members:
        assert await minded.deliver(minded.says("гряг, що в нас нового?", user_id, name)) == 200
        minded.clock.advance(SECOND)
    await minutes(minded, 2)
    (sent,) = minded.api.sent
    assert re.findall(r"(?m)^(\w+):$", sent.text) == ["Оля", "Тарас", "Марко"]
    (own,) = [message for message in await minded.messages() if message["is_bot"]]
    assert len(own["answers"]) == 3
    assert own["people"] == [101, 102, 103]
    replied = minded.api.chats[CHAT].message(sent, minded.api.bot)
    await minded.say("/gryadwhy", 102, "Тарас", reply_to_message=replied)
    mine = minded.answers[-1]
    await minded.say("/gryadwhy", 104, "Ганна", reply_to_message=replied)
    everybodys = minded.answers[-1]
    assert ("Тарас," in mine, everybodys.count(mine.splitlines()[0])) == (False, 3)
    assert [everybodys.index(f"{name}, ") for _, name in members] == sorted(
        everybodys.index(f"{name}, ") for _, name in members
    )
    await forget_member(minded.runtime.app, CHAT, 102)
    assert not [message for message in await minded.messages() if message.get("answers")]
