"""What always fails: it is tried a few times, becomes a dead letter, and the chat goes on."""

import asyncio
import itertools
import json
from datetime import timedelta
from types import SimpleNamespace

import pytest

from functions.webhook import main
from infra.local.chat.delivering import deliver
from infra.local.events import Line, Notice
from infra.local.polling import poll_for_ever
from infra.tasks.retries import ANSWERS
from infra.telegram.updates import parse_update
from shared.application.delivery.closing import MOST_ATTEMPTS
from shared.application.documents import message_path
from shared.application.intake.answering import answer_update
from shared.application.intake.receive import receive_update
from shared.domain.delivery.repeating import MOST_SENDS
from shared.domain.errors import StoreUnavailable, UnstorableDocument
from shared.domain.intake.updates import UpdateResult
from tests.support.faults import dead_letters
from tests.support.group import CHAT, running_group
from tests.support.updates import user

BUGS = (ValueError, KeyError, OverflowError, RecursionError, AttributeError, AssertionError)
ASKED = "гряг, ти тут?"
UNLIMITED = {"ASKS_PER_USER_PER_HOUR": "1000", "ASKS_PER_CHAT_PER_HOUR": "1000"}


class BrittleStore:
    """Forwards to a real store; its `fail_at`-th call fails, and every one that is to write the words `poison`.

    Attributes:
        calls: Calls since it was armed.
    """

    def __init__(self, store, poison=None, error=None):
        self._store, self._poison, self._poisoning = store, poison, error
        self.disarm()

    def arm(self, fail_at, error):
        self.calls, self.fail_at, self.error = 0, fail_at, error

    def disarm(self):
        self.calls, self.fail_at, self.error = 0, None, None

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if not asyncio.iscoroutinefunction(method):
            return method

        async def call(*args, **kwargs):
            self.calls += 1
            if self.calls == self.fail_at:
                raise self.error
            is_record = str(args[0]).startswith("dead_letters/")
            if self._poison and not is_record and self._poison in repr((args, kwargs)):
                raise self._poisoning
            return await method(*args, **kwargs)

        return call


async def delivered_for_good(group, update, arm):
    """Deliver as Telegram does, until the answer is 200, and answer until that is done or given up; the statuses."""
    statuses = []
    while statuses[-1:] != [200]:
        assert len(statuses) < 2 * MOST_ATTEMPTS, "no end of it"
        arm()
        statuses.append(await group.deliver(update))
        group.clock.advance(timedelta(seconds=1))
    while group.unanswered:
        arm()
        group.clock.advance(timedelta(minutes=10))
        await group.answer()
        for stored in group.tasks.tasks.values():  # as many others failed alike
            stored.attempts = max(stored.attempts, ANSWERS.max_attempts - 3)
    return statuses


# --- updates -----------------------------------------------------------------------------------


async def test_a_bug_at_any_call_of_the_store_ends_in_a_dead_letter_or_an_answer_and_the_chat_goes_on(store, request):
    brittle, given_up = BrittleStore(store), 0
    step = {"sqlite": 1, "firestore": 5}[request.node.callspec.params["store"]]  # every fifth call of the slower one
    async with running_group(brittle, **UNLIMITED) as group:
        await group.say("привіт")
        for fail_at, bug in zip(range(1, 60, step), itertools.cycle(BUGS), strict=False):
            poison, before, sent = group.says(ASKED), await dead_letters(group), len(group.answers)
            statuses = await delivered_for_good(group, poison, lambda at=fail_at, e=bug: brittle.arm(at, e("planted")))
            is_over = brittle.calls < fail_at and len(statuses) == 1
            brittle.disarm()
            assert len(statuses) <= MOST_ATTEMPTS
            letters = [letter for letter in await dead_letters(group) if letter not in before]
            assert all(bug.__name__ in letter["reason"] or "nobody knows" in letter["reason"] for letter in letters)
            assert bool(letters) or len(group.answers) > sent, "it was lost silently"
            assert len(letters) <= 1
            assert len(group.answers) <= sent + MOST_SENDS, "as often as nobody could know that it had arrived"
            given_up, sent = given_up + len(letters), len(group.answers)
            good = await group.say(ASKED)
            assert len(group.answers) == sent + 1
            assert await group.store.get(message_path(CHAT, good["message"]["message_id"])) is not None
            group.clock.advance(timedelta(minutes=2))
            if is_over:
                break
        assert is_over
        assert given_up > 5 // step


@pytest.mark.parametrize("bug", BUGS)
@pytest.mark.parametrize("port", ["queue.enqueue", "ids.token"])
async def test_a_bug_in_another_port_is_a_dead_letter_too(laptop, monkeypatch, port, bug):
    async def fails(*_, **__):
        raise bug("planted")

    part, _, method = port.partition(".")
    with monkeypatch.context() as patched:
        fault = fails if part != "ids" else lambda: 1 / 0
        patched.setattr(getattr(laptop.runtime.app, part), method, fault)
        statuses = await delivered_for_good(laptop, poison := laptop.says(ASKED), lambda: None)
    assert len(statuses) == (MOST_ATTEMPTS if port == "queue.enqueue" else 1)
    assert len(await dead_letters(laptop)) == 1
    await laptop.say(ASKED, 102, "Тарас")
    assert len(laptop.answers) == 1

    outcome = await receive_update(laptop.runtime.app, parse_update(poison))
    assert outcome.result is UpdateResult.ASKED
    await answer_update(laptop.runtime.app, poison["update_id"])  # as an operator has it replayed
    assert len(laptop.answers) == 2


@pytest.mark.parametrize("bug", BUGS)
async def test_after_a_bug_while_an_answer_is_on_its_way_nobody_knows_and_it_is_tried_as_often_as_then(
    laptop, monkeypatch, bug
):
    tried = []

    async def fails(*_, **__):
        tried.append(1)
        raise bug("planted")

    with monkeypatch.context() as patched:
        patched.setattr(laptop.runtime.app.gateway, "send", fails)
        statuses = await delivered_for_good(laptop, laptop.says(ASKED), lambda: None)
    assert (len(tried), statuses) == (MOST_SENDS, [200])
    (letter,) = await dead_letters(laptop)
    assert "nobody knows" in letter["reason"]
    await laptop.say(ASKED)
    assert len(laptop.answers) == 1


async def test_a_failure_of_the_moment_is_made_good_by_the_redelivery_and_leaves_no_dead_letter(store):
    brittle = BrittleStore(store)
    async with running_group(brittle) as group:
        update = group.says(ASKED)
        for _ in range(MOST_ATTEMPTS - 1):
            brittle.arm(1, KeyError("planted"))
            assert await group.deliver(update) == 503
        brittle.disarm()
        assert await group.deliver(update) == 200
        assert len(group.answers) == 1
        assert await dead_letters(group) == []


async def test_what_is_no_bug_comes_again_as_often_as_it_must(store):
    brittle = BrittleStore(store)
    async with running_group(brittle) as group:
        update = group.says(ASKED)
        for _ in range(3 * MOST_ATTEMPTS):
            brittle.arm(1, StoreUnavailable("away"))
            assert await group.deliver(update) == 503
        brittle.disarm()
        assert await group.deliver(update) == 200
        assert len(group.answers) == 1
        assert await dead_letters(group) == []


async def test_what_no_store_takes_is_a_dead_letter_at_once(store):
    brittle = BrittleStore(store)
    async with running_group(brittle) as group:
        for fail_at in range(1, 4):
            brittle.arm(fail_at, UnstorableDocument("it is over 1 MiB", paths=("chats/1",)))
            assert await group.deliver(group.says(ASKED)) == 200
        brittle.disarm()
        assert {letter["reason"] for letter in await dead_letters(group)} == {"chats/1: it is over 1 MiB"}


async def test_what_cannot_even_be_read_is_counted_by_its_bytes(group, monkeypatch):
    def fails(_):
        raise RecursionError("planted")

    bodies = [json.dumps(group.says(f"привіт {n}")).encode() for n in range(2)]
    with monkeypatch.context() as patched:
        patched.setattr(main, "parse_update", fails)
        for body in bodies:
            assert [await group.deliver(body) for _ in range(MOST_ATTEMPTS)] == [503] * (MOST_ATTEMPTS - 1) + [200]
    assert sorted(letter["body"].encode() for letter in await dead_letters(group)) == sorted(bodies)


async def test_an_ordinary_update_writes_nothing_of_its_attempts(group):
    await group.say("привіт")
    assert await group.store.query("updates") == []


# --- long polling and the console ---------------------------------------------------------------


class Telegram:
    """What `poll` needs: gives every update until a later offset confirms it, and ends the run when none is left."""

    def __init__(self, updates):
        self.left, self.polls = updates, 0

    async def poll(self, *, offset=None):
        self.polls += 1
        assert self.polls < 50, "the poller does not get on"
        self.left = [update for update in self.left if offset is None or update["update_id"] >= offset]
        if not self.left:
            raise asyncio.CancelledError
        return list(self.left)


async def polled(group, updates):
    """What was shown while these updates were polled, each until it was confirmed."""
    shown = []
    local = SimpleNamespace(app=group.runtime.app)
    with pytest.raises(asyncio.CancelledError):
        await poll_for_ever(local, Telegram(updates), shown.append, pause=0)
    await group.answer()
    return shown


def local_run(group):
    """What delivers lines of a console: here the answers are made at once by the group's queue."""

    async def answer(update_id):
        await group.answer()

    return SimpleNamespace(app=group.runtime.app, worker=SimpleNamespace(answer=answer))


@pytest.mark.parametrize("bug", [*BUGS, UnstorableDocument])
async def test_a_poisoned_update_never_stops_the_poller_and_is_confirmed_as_a_dead_letter(store, bug):
    error = bug("too large", paths=("chats/1",)) if bug is UnstorableDocument else bug("planted")
    async with running_group(BrittleStore(store, "отруйна змія", error)) as group:
        shown = await polled(group, [group.says("отруйна змія"), group.says(ASKED)])

        assert [event.text for event in shown if isinstance(event, Line)] == ["отруйна змія", ASKED]
        assert len([event for event in shown if isinstance(event, Notice)]) == 1
        assert len(await dead_letters(group)) == 1
        assert len(group.answers) == 1


async def test_a_store_that_is_away_for_a_moment_confirms_nothing(store):
    brittle = BrittleStore(store)
    async with running_group(brittle) as group:
        brittle.arm(1, StoreUnavailable("away"))
        await polled(group, [group.says("перше"), group.says("друге")])
        assert [message["text"] for message in await group.messages()] == ["перше", "друге"]


async def test_what_is_said_at_the_console_is_tried_as_often_as_telegram_would_deliver_it(sqlite_store):
    shown = []
    async with running_group(BrittleStore(sqlite_store, "отруйна змія", KeyError("planted"))) as group:
        await deliver(local_run(group), group.says("отруйна змія"), shown.append)
        await deliver(local_run(group), group.says(ASKED), shown.append)
        (letter,) = await dead_letters(group)
        assert "every attempt failed" in letter["reason"]
        assert [type(event) for event in shown] == [Notice]
        assert len(group.answers) == 1


# --- what once was tried against it and held ----------------------------------------------------

ODD = (
    {"message_id": 2**53},
    {"message_id": 0},
    {"date": 0},
    {"date": 221_845_391_999},
    {"message_thread_id": 5, "is_topic_message": True},
    {"from": user(2**52, "")},
    {"text": "гряг " * 800},
    {"text": "@gryag_bot " * 300},
    {"text": "гряг \u202e\u0000\ufffe"},
    {"text": "гряг, що було 99999999999999999999 днів тому?"},
    {"text": "гряг, порахуй 10^9^9^9"},
    {"text": "зустріч 32.13.9999 о 25:61, через 999 тижнів, мені ² років"},
    {"quote": {"text": "", "position": 0}},
    {"text": "/gryadfacts@gryag_bot", "entities": [{"type": "bot_command", "offset": 0, "length": 20}] * 100},
    {"entities": [{"type": "text_mention", "offset": 0, "length": 1, "user": user(9, "b", is_bot=True)}] * 100},
)


async def test_odd_but_legal_messages_and_their_edits_are_dealt_with_and_extracted(laptop):
    for n, odd in enumerate(ODD):
        update = laptop.says("Гряг, що було вчора?", 203, "Тарас", message_id=1_000 * (n + 1))
        update["message"] |= odd
        edit = {"edited_message": {**update["message"], "edit_date": int(laptop.clock.now().timestamp())}}
        assert await laptop.deliver(update) == 200
        assert await laptop.deliver({"update_id": 50_000 + n, **edit}) == 200
        laptop.clock.advance(timedelta(seconds=61))
    await laptop.settle()
    assert [letter for letter in await dead_letters(laptop) if "unsent" not in letter["body"]] == []
    assert [message["message_id"] for message in await laptop.messages() if message["chunk"] is None] == []
