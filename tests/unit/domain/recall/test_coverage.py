"""How much of a question a message answers: the floor below which nothing is told without a model."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.conversation.messages import Message
from shared.domain.recall.coverage import coverage
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.question import read_question

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
OLHA, TARAS, LESIA = 1, 2, 3
NAMES = {OLHA: "Оля", TARAS: "Тарас", LESIA: "Леся"}


def said(message_id, user_id, text, **fields):
    at = START + timedelta(hours=3 * message_id)  # each a talk of its own
    return Message(1, message_id, at, user_id, NAMES[user_id], text=text, **fields)


TALK = (
    said(1, OLHA, "вайфай у бібліотеці сьогодні поганий"),
    said(2, TARAS, "я живу на Подолі, біля метро"),
    said(3, LESIA, "живу з котом"),
    said(4, OLHA, "Леся вчора купила собаку"),
    said(5, LESIA, "на вулиці дощ", reply_to=2),
)


def shares(question, *, asker=OLHA, talk=TALK):
    corpus = Corpus.of(talk)
    read = read_question(question, asked_at=START + timedelta(days=9), names=corpus.names, asker=asker)
    return dict(zip(range(1, len(talk) + 1), coverage(corpus, read, range(len(talk))), strict=True))


def test_what_holds_every_word_answers_all_of_it_and_what_holds_none_nothing():
    found = shares("що з вайфаєм у бібліотеці?")
    assert found[1] == pytest.approx(1)
    assert found[3] == 0


def test_a_word_that_nobody_ever_said_counts_most():
    assert shares("хто варить каву в бібліотеці?")[1] < 0.4


def test_a_question_about_somebody_is_answered_by_their_words_or_by_words_that_name_them():
    found = shares("де живе Тарас?")
    assert found[2] > 0.4
    assert found[3] == 0
    assert shares("яку собаку купила Леся?")[4] > 0.4


def test_a_question_about_oneself_is_answered_by_ones_own_words_alone():
    assert shares("де я живу?", asker=TARAS)[2] > 0.4
    assert shares("де я живу?", asker=TARAS)[3] == 0


def test_a_reply_answers_with_what_it_replies_to():
    assert shares("хто живе біля метро?")[5] == pytest.approx(shares("хто живе біля метро?")[2])


def test_a_question_of_names_alone_fits_all_that_they_said():
    assert shares("Тарас?")[2] == 1
    assert shares("Тарас?")[1] == 0
