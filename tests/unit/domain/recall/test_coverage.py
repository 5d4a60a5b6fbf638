"""How much of a question a message answers: the floor below which nothing is told without a model."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.conversation.messages import Message
from shared.domain.recall.coverage import coverage
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.layout import SILENCE
from shared.domain.recall.matching import find_word, weigh_rarity
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


WORDS = ("вайфай", "собака", "кава", "ліс")
TALKS = st.lists(
    st.tuples(
        st.sampled_from(sorted(NAMES)),
        st.lists(st.sampled_from((*WORDS, *NAMES.values())), max_size=3),
        st.integers(0, 3),  # times 40 minutes since the message before: after two of them another talk begins
        st.none() | st.integers(1, 12),
    ),
    min_size=1,
    max_size=12,
)


def plain_coverage(talk, question, asker):
    """Return what `coverage` counts, one message after the other."""
    corpus = Corpus.of(talk)
    read = read_question(question, asked_at=START + timedelta(days=9), names=corpus.names, asker=asker)
    asked = [term for term in read.terms if term not in read.light_terms]
    weights = {term: weigh_rarity(read, term, find_word(corpus, read, term, 1)[2], corpus.size) for term in asked}
    shares = []
    for row, each in enumerate(talk):
        first = last = row
        while first > max(0, row - 2) and talk[first].sent_at - talk[first - 1].sent_at <= SILENCE:
            first -= 1
        while last < min(len(talk) - 1, row + 2) and talk[last + 1].sent_at - talk[last].sent_at <= SILENCE:
            last += 1
        near = {
            *range(first, last + 1),
            *(n for n, other in enumerate(talk) if other.message_id == each.reply_to),
            *(n for n, other in enumerate(talk) if other.reply_to == each.message_id),
        }
        held = sum(w for term, w in weights.items() if near & set(find_word(corpus, read, term, 1)[0].tolist()))
        replied = [other.user_id for other in talk if other.message_id == each.reply_to]
        naming = {row for term in read.name_terms for row in find_word(corpus, read, term, 1)[0].tolist()}
        others = not read.by_asker and (row in naming or bool(read.speakers.intersection(replied)))
        meant = not read.speakers or each.user_id in read.speakers or others
        shares.append((held / sum(weights.values()) if weights else 1) * meant)
    return shares


@settings(deadline=None, max_examples=60)
@given(TALKS, st.lists(st.sampled_from((*WORDS, "Тарас", "Леся", "я")), min_size=1, max_size=4))
def test_a_share_is_that_of_all_words_that_stand_around_a_message_one_by_one(lines, asked):
    now, talk = START, []
    for number, (user_id, words, pause, reply_to) in enumerate(lines, start=1):
        now += timedelta(minutes=40 * pause + 1)
        known = reply_to if reply_to is not None and reply_to < number else None
        talk.append(Message(1, number, now, user_id, NAMES[user_id], text=" ".join(words), reply_to=known))
    question = " ".join(asked)
    assert list(shares(question, talk=talk).values()) == pytest.approx(plain_coverage(talk, question, OLHA))
