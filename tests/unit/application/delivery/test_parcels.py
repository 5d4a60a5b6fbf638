"""What waits becomes as few messages as it can."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import sent_fields, waiting_fields
from shared.application.delivery.outbox_codec import outbox_to_fields
from shared.application.delivery.parcels import Destination, own_message, pack, read_waiting
from shared.application.documents import message_path
from shared.application.ports.chat import Button, OutgoingFile, OutgoingText, SentMessage
from shared.application.ports.store import Document
from shared.domain.text.plain import TELEGRAM_LIMIT, utf16_length
from tests.support.exports import app_on
from tests.support.queues import NOON as SENT_AT
from tests.support.updates import CHAT_ID as CHAT

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)


def text(said):
    return AnswerPiece(OutgoingText(f"<b>{said}</b>", said))


def waiting(place, *pieces, sent=0, **fields):
    made = [text(piece) if isinstance(piece, str) else piece for piece in pieces]
    when = {"received_at": NOON + timedelta(seconds=place)}
    stored = {"outbox": outbox_to_fields(made), **sent_fields(sent), **waiting_fields(), "reply_to": 100 + place}
    stored |= {**when, **fields}
    return read_waiting(Document(f"updates/{place}", stored))


def plains(parcels):
    return [parcel.piece.content.plain for parcel in parcels]


def test_short_texts_become_one_message_oldest_first_that_replies_to_nobody():
    (parcel,) = pack([waiting(1, "перша"), waiting(2, "друга"), waiting(3, "третя")])
    assert parcel.piece.content == OutgoingText(
        "<b>перша</b>\n\n<b>друга</b>\n\n<b>третя</b>", "перша\n\nдруга\n\nтретя"
    )
    assert parcel.reply_to is None
    assert [(part.path, part.first, part.end) for part in parcel.parts] == [(f"updates/{n}", 0, 1) for n in (1, 2, 3)]


def test_an_answer_alone_stays_a_reply_and_its_later_messages_are_none():
    parcels = pack([waiting(1, "а" * 4000, "б" * 4000), waiting(2, "в" * 4000)])
    assert [parcel.reply_to for parcel in parcels] == [101, None, 102]
    assert pack([waiting(1, "а", "б", sent=1)])[0].reply_to is None
    assert pack([waiting(1, "а", "б")])[0].reply_to == 101


def test_what_has_more_than_words_goes_alone_and_the_order_stays():
    button = AnswerPiece(OutgoingText("?", "?", ((Button("так", "x"),),)))
    file = AnswerPiece(OutgoingFile("a.md", "text/markdown", b"x"))
    asks = AnswerPiece(OutgoingText("!", "!"), asks=ReplyContext("gryadfix", "fix"))
    private = AnswerPiece(OutgoingText("тсс", "тсс"), private_to=7)
    parcels = pack([waiting(n, each) for n, each in enumerate(["а", button, "б", file, asks, private, "в", "г"])])
    assert plains(parcels) == ["а", "?", "б", "", "!", "тсс", "в\n\nг"]


def test_topics_are_not_mixed():
    parcels = pack([waiting(1, "а", thread_id=7), waiting(2, "б"), waiting(3, "в", thread_id=7)])
    assert [(parcel.piece.content.plain, parcel.thread_id) for parcel in parcels] == [("а\n\nв", 7), ("б", None)]


LENGTHS = st.lists(st.lists(st.integers(1, TELEGRAM_LIMIT // 2), min_size=1, max_size=3), max_size=12)


@given(LENGTHS)
def test_every_piece_is_in_one_message_in_order_and_none_is_too_long(answers):
    pieces = [["🥦" * length for length in lengths] for lengths in answers]
    parcels = pack([waiting(n, *each) for n, each in enumerate(pieces)])
    assert all(utf16_length(plain) <= TELEGRAM_LIMIT for plain in plains(parcels))
    assert "\n\n".join(plains(parcels)) == "\n\n".join(piece for each in pieces for piece in each)
    parts = [
        (part.waiting.update_id, index) for p in parcels for part in p.parts for index in range(part.first, part.end)
    ]
    assert parts == [(place, index) for place, each in enumerate(pieces) for index in range(len(each))]


def test_what_waits_is_in_the_order_in_which_it_was_asked_whoever_noted_it_first():
    asked = [waiting(number, "а") for number in (3, 1, 2)]
    at_once = [waiting(number, "а", received_at=NOON) for number in (12, 9)]
    assert [each.update_id for each in sorted([*asked, *at_once], key=lambda each: each.place)] == [9, 12, 1, 2, 3]


def test_what_may_have_arrived_says_the_same_again_and_nothing_new_joins_it():
    tried = [waiting(2, "б", sending=0), waiting(3, "в", "г", sending=0)]
    parcels = pack([waiting(1, "а"), *tried, waiting(4, "ґ")])
    assert plains(parcels) == ["а", "б\n\nв", "г\n\nґ"]
    assert [[part.is_doubtful for part in parcel.parts] for parcel in parcels] == [
        [False],
        [True, True],
        [False, False],
    ]


def test_a_piece_of_which_nobody_knew_four_times_is_given_up_and_those_behind_it_are_not():
    ((first,), (second,)) = (parcel.parts for parcel in pack([waiting(1, "а" * 4000, "б" * 4000, sending=0, doubts=3)]))
    assert (first.doubts, first.gives_up, second.doubts, second.gives_up) == (4, True, 0, False)
    ((again,),) = (parcel.parts for parcel in pack([waiting(1, "а", sending=0, doubts=2)]))
    assert (again.doubts, again.gives_up) == (3, False)


def asked_by(place, name, user_id, *pieces, chat_id=CHAT, **fields):
    return waiting(place, *pieces, chat_id=chat_id, whom=name, user_id=user_id, is_given=True, **fields)


def test_what_a_model_said_in_a_group_is_joined_and_says_whom_it_answers_by_a_link_to_the_question():
    (parcel,) = pack(
        [asked_by(1, "Оля", 101, "а", "б"), asked_by(2, "<Марко>", 102, "в"), waiting(3, "г", chat_id=CHAT)]
    )
    assert parcel.piece.content.plain == "Оля:\nа\n\nб\n\n<Марко>:\nв\n\nг"
    link = '<a href="https://t.me/c/1000000001/102">&lt;Марко&gt;</a>'
    assert f"\n\n<b>{link}:</b>\n<b>в</b>\n\n<b>г</b>" in parcel.piece.content.html
    assert parcel.piece.content.people == {101, 102}, "it goes with either of them"
    assert parcel.given == (1, 2)


def test_an_answer_alone_names_nobody_it_is_a_reply():
    (parcel,) = pack([asked_by(1, "Оля", 101, "а", "б")])
    assert (parcel.piece.content.plain, parcel.reply_to, parcel.given) == ("а\n\nб", 101, (1,))


def test_what_a_model_said_in_a_private_chat_stays_a_reply_to_its_question():
    assert plains(pack([asked_by(n, "Оля", 101, each, chat_id=101) for n, each in enumerate("аб")])) == ["а", "б"]


def test_what_telegram_refused_together_goes_piece_by_piece():
    both = [waiting(1, "а", "б"), waiting(2, "в")]
    assert plains(pack([*both, waiting(3, "г"), waiting(4, "ґ")], apart={"updates/1", "updates/2"})) == [
        *("а", "б", "в"),
        "г\n\nґ",
    ]


def test_twenty_four_answers_of_a_model_are_a_few_messages():
    said = "Так, у суботу о шостій збираємося біля старого млина, а дрова бере Марко. " * 4
    parcels = pack([asked_by(n, f"Член {n}", 100 + n, f"{n}. {said}") for n in range(24)])
    assert len(parcels) <= 3
    assert all(utf16_length(plain) <= TELEGRAM_LIMIT for plain in plains(parcels))
    assert [update for parcel in parcels for update in parcel.given] == list(range(24))


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
        app.clock, app.policy, to, PIECE, SentMessage(12, SENT_AT), answers=[77], retention=timedelta(days=30)
    )
    assert write.path == message_path(went_to, 12)
    fields = write.data
    assert (fields["text"], fields["people"], fields["answer"]) == (text, people, 77)
    assert (fields["user_id"], fields["is_bot"]) == (app.policy.bot_id, True)
    assert (fields["reply_to"], fields["thread_id"]) == (3, 9)
