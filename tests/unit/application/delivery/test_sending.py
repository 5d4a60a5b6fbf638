"""An answer goes where it belongs, once, and what cannot be sent says so."""

from datetime import timedelta

import pytest

from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.own_messages import Destination
from shared.application.delivery.sending import answer_once, say_once
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.errors import TransientError
from tests.support.delivery.answers import Watch, fill_the_minute, saying
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group


async def test_private_pieces_take_no_room_in_the_group(laptop):
    laptop.api.add_chat(101, "private")
    await fill_the_minute(laptop)
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
    await fill_the_minute(laptop)
    assert await say_once(app, CHAT, "питання / 2", answer) == "waits"
    assert await say_once(app, CHAT, "питання / 2", answer) == "waits"
    await Watch(laptop).until_quiet()
    assert laptop.answers == ["Так?"] * 2


async def test_a_file_too_large_for_the_ledger_arrives_once_whoever_dies(store):
    async with running_group(store) as group:
        app, to, large = group.runtime.app, Destination(CHAT, 5), b"x" * 2_000_000
        made = []

        async def compose():
            made.append(1)
            return Answer.of(
                OutgoingText("перше", "перше"), OutgoingFile("a.txt", "text/plain", large), OutgoingText("далі", "далі")
            )

        group.store.arm(5, after=True)  # taken, the chat and its memory read, filled: it dies as the first is recorded
        with pytest.raises(Crashed):
            await answer_once(app, 7, to, compose)
        group.store.arm(None)
        assert group.answers == ["перше"]
        assert (await group.store.get("updates/7")).data["outbox"] is None
        group.clock.advance(LEASE)
        assert await answer_once(app, 7, to, compose) == "answered"
        assert (len(made), await answer_once(app, 7, to, compose)) == (2, "already answered")
        # The file had been marked as being sent: it is taken as sent.
        assert group.answers == ["перше", "далі"]
        assert await answer_once(app, 8, to, compose) == "answered"
        assert [len(sent.file.content) for sent in group.api.sent if sent.file] == [2_000_000]


async def test_a_large_file_for_which_there_is_no_room_is_made_again_when_there_is(laptop):
    app, to = laptop.runtime.app, Destination(CHAT)

    async def compose():
        return Answer((AnswerPiece(OutgoingFile("a.txt", "text/plain", b"x" * 2_000_000)),))

    async def chat():
        return Answer.of(*(OutgoingText(str(n), str(n)) for n in range(20)))

    assert await answer_once(app, 1, to, chat) == "answered"
    with pytest.raises(TransientError) as refused:
        await answer_once(app, 2, to, compose)
    assert refused.value.retry_after == 60
    laptop.clock.advance(timedelta(seconds=60))
    assert await answer_once(app, 2, to, compose) == "answered"
    assert laptop.api.sent[-1].file is not None
