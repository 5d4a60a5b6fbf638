"""An answer goes where it belongs, at least once, and what cannot be sent says so."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.ledger_codec import LEASE, read_entry, update_path
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once, say_once
from shared.application.delivery.turns import LONGEST_TURN
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.delivery.repeating import AGAIN_AFTER, MOST_SENDS
from shared.domain.errors import TransientError
from tests.support.delivery.answers import MINUTE, SECOND, Watch, fill_the_minute, saying
from tests.support.faults import Crashed, dead_letters
from tests.support.group import CHAT, running_group


async def test_private_pieces_take_no_room_in_the_group(laptop):
    laptop.api.add_chat(101, "private")
    fill_the_minute(laptop)
    secret = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=101)
    assert await answer_once(laptop.runtime.app, 1, Destination(CHAT), saying(secret)) == "answered"
    assert [sent.chat_id for sent in laptop.api.sent] == [101]


async def test_a_closed_private_chat_does_not_make_the_group_inactive(laptop):
    await laptop.say("привіт")
    laptop.api.add_chat(101, "private")
    laptop.api.chats[101].kicked = True
    secret = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=101)
    assert await answer_once(laptop.runtime.app, 1, Destination(CHAT), saying(secret)) == "rejected"
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active
    instead = AnswerPiece(
        OutgoingText("тсс", "тсс"), private_to=101, otherwise=OutgoingText("напишіть мені", "напишіть мені")
    )
    assert await answer_once(laptop.runtime.app, 2, Destination(CHAT), saying(instead)) == "answered"
    assert (await laptop.messages())[-1]["text"] == "напишіть мені"


async def test_what_is_said_for_a_key_is_said_once(laptop):
    app, answer = laptop.runtime.app, await saying("Так?")()
    assert await say_once(app, CHAT, "питання / 1", answer) == "answered"
    assert await say_once(app, CHAT, "питання / 1", answer) == "already answered"
    fill_the_minute(laptop)
    assert await say_once(app, CHAT, "питання / 2", answer) == "waits"
    assert await say_once(app, CHAT, "питання / 2", answer) == "waits"
    await Watch(laptop).until_quiet()
    assert laptop.answers == ["Так?"] * 2


async def test_a_file_too_large_for_the_ledger_arrives_whoever_dies(store):
    async with running_group(store) as group:
        app, to, large = group.runtime.app, Destination(CHAT, 5), b"x" * 2_000_000
        made = []

        async def compose():
            made.append(1)
            return Answer.of(
                OutgoingText("перше", "перше"), OutgoingFile("a.txt", "text/plain", large), OutgoingText("далі", "далі")
            )

        group.store.arm(6, after=True)  # taken, chat, memory and queue read, filled: it dies as the first is recorded
        with pytest.raises(Crashed):
            await answer_once(app, 7, to, compose)
        group.store.arm(None)
        assert group.answers == ["перше"]
        assert (await group.store.get("updates/7")).data["outbox"] is None
        group.clock.advance(LEASE)
        assert await answer_once(app, 7, to, compose) == "answered"
        assert (len(made), await answer_once(app, 7, to, compose)) == (2, "already answered")
        assert group.answers == ["перше", "", "далі"]
        assert [len(sent.file.content) for sent in group.api.sent if sent.file] == [2_000_000]


async def test_a_large_file_for_which_there_is_no_room_is_made_again_when_there_is(laptop):
    app, to = laptop.runtime.app, Destination(CHAT)

    async def compose():
        return Answer((AnswerPiece(OutgoingFile("a.txt", "text/plain", b"x" * 2_000_000)),))

    fill_the_minute(laptop)
    with pytest.raises(TransientError) as refused:
        await answer_once(app, 2, to, compose)
    assert refused.value.retry_after == 60
    laptop.clock.advance(timedelta(seconds=60))
    assert await answer_once(app, 2, to, compose) == "answered"
    assert laptop.api.sent[-1].file is not None


async def test_a_large_file_waits_for_nobody_else(laptop):
    app, to = laptop.runtime.app, Destination(CHAT)
    fill_the_minute(laptop)
    assert await answer_once(app, 1, to, saying("раніше")) == "waits"
    laptop.clock.advance(timedelta(seconds=60))
    large = AnswerPiece(OutgoingFile("a.txt", "text/plain", b"x" * 2_000_000))
    assert await answer_once(app, 2, to, saying(large)) == "answered"


# --- What nobody knows, and what is refused ------------------------------------------------------


async def until_said(group, messages):
    """Let time pass until so many messages arrived."""
    for _ in range(900):
        if len(group.api.sent) >= messages:
            return
        group.clock.advance(10 * SECOND)
        await group.tasks.dispatch_due(group.clock.now())
    raise AssertionError(group.answers)


async def test_a_piece_is_sent_four_times_while_nobody_knows_and_then_that_is_written_down(laptop):
    app, to = laptop.runtime.app, Destination(CHAT)
    laptop.api.fail_next("sendMessage", cut="after", times=MOST_SENDS)
    assert await answer_once(app, 7, to, saying("а" * 4000, "б" * 4000)) == "waits"
    began = laptop.clock.now()
    await until_said(laptop, MOST_SENDS)
    assert laptop.clock.now() - began < sum(AGAIN_AFTER, MINUTE)
    assert await dead_letters(laptop) == []
    await until_said(laptop, MOST_SENDS + 1)
    assert [said[0] for said in laptop.answers] == ["а", "а", "а", "а", "б"], "what comes behind it is said"
    entry = read_entry(await laptop.store.get(update_path(7)))
    assert (entry.outcome, entry.repeats) == ("uncertain", MOST_SENDS - 1)
    (letter,) = await dead_letters(laptop)
    assert json.loads(letter["body"]) == {"target": "/answer", "update_id": 7, "chat_id": CHAT, "unsent": "7"}
    assert await answer_once(app, 7, to, saying("а", "б")) == "already answered"


@pytest.mark.parametrize(
    ("fault", "arrived"),
    [
        ({"cut": "before"}, ["а", "б"]),
        ({"cut": "after"}, ["а", "а", "б"]),
        ({"body": b"<html>"}, ["а", "а", "б"]),
    ],
    ids=["lost on the way", "lost on the way back", "garbage"],
)
async def test_an_answer_of_which_nobody_knows_is_sent_again(laptop, fault, arrived):
    app, to = laptop.runtime.app, Destination(CHAT)
    laptop.api.fail_next("sendMessage", **fault)
    assert await answer_once(app, 7, to, saying("а" * 4000, "б" * 4000)) == "waits"
    assert await answer_once(app, 7, to, saying("не та")) == "waits"
    await until_said(laptop, len(arrived))
    assert [said[0] for said in laptop.answers] == arrived
    assert read_entry(await laptop.store.get(update_path(7))).repeats == 1


@pytest.mark.parametrize("times", [1, 30])
async def test_what_was_definitely_not_sent_is_tried_as_often_as_it_takes_and_never_doubled(laptop, times):
    laptop.api.fail_next("sendMessage", status=503, times=times)
    assert await answer_once(laptop.runtime.app, 7, Destination(CHAT), saying("а")) == "waits"
    await until_said(laptop, 1)
    assert laptop.answers == ["а"]
    assert read_entry(await laptop.store.get(update_path(7))).repeats == 0


async def test_what_telegram_refuses_is_written_down_without_its_words(laptop):
    laptop.api.fail_next("sendMessage", status=400, description="Bad Request: message is strange", times=2)
    assert await answer_once(laptop.runtime.app, 7, Destination(CHAT), saying("таємниця")) == "rejected"
    (letter,) = await dead_letters(laptop)
    assert json.loads(letter["body"]) == {"target": "/answer", "update_id": 7, "chat_id": CHAT, "unsent": "7"}
    assert "таємниця" not in str(letter)


async def test_a_chat_that_the_bot_may_not_speak_in_gets_nothing_and_no_letter(laptop):
    await laptop.say("привіт")
    laptop.api.chats[CHAT].kicked = True
    assert await answer_once(laptop.runtime.app, 7, Destination(CHAT), saying("а")) == "inactive"
    assert await dead_letters(laptop) == []


async def test_a_bug_while_a_piece_is_on_its_way_is_tried_again(laptop):
    class Buggy:
        async def send(self, *args, **kwargs):
            raise KeyError

    app = laptop.runtime.app
    with pytest.raises(KeyError):
        await answer_once(replace(app, gateway=Buggy()), 7, Destination(CHAT), saying("а"))
    assert await answer_once(app, 7, Destination(CHAT), saying("а")) == "answered"
    assert laptop.answers == ["а"]


async def test_however_slow_telegram_is_nobody_who_answers_is_cut_off_in_the_middle_of_a_message(laptop):
    """The function that runs it has two minutes."""
    app, clock, begun = laptop.runtime.app, laptop.clock, laptop.clock.now()
    compose = saying(*(str(number) for number in range(20)))

    class Slow:
        def __getattr__(self, name):
            return getattr(app.gateway, name)

        async def send(self, *args, **kwargs):
            clock.advance(9 * SECOND)
            return await app.gateway.send(*args, **kwargs)

    async def composed():
        clock.advance(MINUTE)
        return await compose()

    assert await answer_once(replace(app, gateway=Slow()), 1, Destination(CHAT), composed) == "waits"
    assert LONGEST_TURN <= clock.now() - begun < LONGEST_TURN + 10 * SECOND
    await Watch(laptop).until_quiet()
    assert " ".join(laptop.answers).split() == [str(number) for number in range(20)]
