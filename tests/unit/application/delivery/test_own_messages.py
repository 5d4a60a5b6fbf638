"""What the bot said is remembered as a message of its own."""

from datetime import timedelta

import pytest

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.own_messages import Destination, own_message
from shared.application.documents import message_path
from shared.application.ports.chat import OutgoingText, SentMessage
from tests.support.exports import app_on
from tests.support.queues import NOON
from tests.support.updates import CHAT_ID as CHAT

OLYA = 101
PIECE = AnswerPiece(
    OutgoingText("<b>Для Олі</b>", "Для Олі", people=frozenset({OLYA})),
    private_to=OLYA,
    otherwise=OutgoingText("Відкрий розмову зі мною", "Відкрий розмову зі мною"),
)


@pytest.mark.parametrize(
    ("went_to", "text", "people"), [(OLYA, "Для Олі", [OLYA]), (CHAT, "Відкрий розмову зі мною", [])]
)
def test_it_is_what_was_really_said_there_and_names_whom_it_mentions(sqlite_store, went_to, text, people):
    app = app_on(sqlite_store)
    to = Destination(went_to, reply_to=3, thread_id=9)
    write = own_message(
        app.clock, app.policy, to, PIECE, SentMessage(12, NOON), answer=77, retention=timedelta(days=30)
    )
    assert write.path == message_path(went_to, 12)
    fields = write.data
    assert (fields["text"], fields["people"], fields["answer"]) == (text, people, 77)
    assert (fields["user_id"], fields["is_bot"]) == (app.policy.bot_id, True)
    assert (fields["reply_to"], fields["thread_id"]) == (3, 9)
