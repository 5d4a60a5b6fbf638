"""Which messages answer a question: what is around them, who says them, and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.conversation.messages import Message
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.vectors import AskedVector, TextVector, pack_steps
from shared.domain.recall.question import read_question
from shared.domain.recall.ranking import CANDIDATES, rank

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NAMES = {1: "Оля", 2: "Taras", 3: "Леся", 4: "Bot"}


def said(message_id: int, user_id: int, text: str, *, minute: float | None = None, **fields) -> Message:
    at = START + timedelta(minutes=message_id if minute is None else minute)
    return Message(1, message_id, at, user_id, NAMES[user_id], text=text, **fields)


def found(
    messages: Sequence[Message] | Corpus, question: str, *, limit: int = 50, asker: int = 3, days: float = 30, **options
) -> list[int]:
    """Message ids, best first."""
    corpus = messages if isinstance(messages, Corpus) else Corpus.of(messages)
    read = read_question(question, asked_at=START + timedelta(days=days), names=corpus.names, asker=asker)
    return [int(corpus.message_ids[hit.row]) for hit in rank(corpus, read, limit=limit, **options)]


SIZE = 64
FURNITURE = tuple(np.random.default_rng(1).normal(size=SIZE).tolist())
ASKED = AskedVector(f"m/{SIZE}", FURNITURE)


def with_vectors(messages: Sequence[Message], about_furniture: int) -> Corpus:
    """A corpus in which one message has that vector, and the others any."""
    dice = np.random.default_rng(2)
    vectors = {m.message_id: dice.normal(size=SIZE).tolist() for m in messages} | {about_furniture: FURNITURE}
    packed = {number: TextVector(f"m/{SIZE}", pack_steps(vector)) for number, vector in vectors.items()}
    return Corpus.of_segments([Segment.build(messages, vectors=packed)])


def chatter(first: int, count: int, user_id: int = 3) -> list[Message]:
    return [said(first + at, user_id, f"щось інше номер{first + at}") for at in range(count)]


@pytest.mark.parametrize("question", ["Де зламалась машина?", "машини", "МАШИНУ"])
def test_a_message_is_found_by_any_form_of_its_word(question):
    assert found([said(1, 1, "Машина в ремонті"), *chatter(200, 5)], question)[0] == 1


def test_a_message_is_found_by_a_related_word_in_the_other_language():
    assert found([said(1, 1, "у мене дві дитини"), *chatter(200, 5)], "How many kids does Оля have?")[0] == 1


def test_what_was_asked_for_goes_before_what_is_related():
    assert found([said(1, 1, "the children sleep"), *chatter(200, 9), said(400, 1, "the kids sleep")], "kids")[0] == 400


def test_the_answer_to_a_question_is_found_by_the_words_of_the_question():
    talk = [
        *chatter(1, 8),
        said(20, 1, "Де ми ночуємо у Ворохті?"),
        said(21, 2, "У хатинці біля річки"),
        *chatter(300, 8),
    ]
    assert found(talk, "Де ночували у Ворохті?")[:2] == [20, 21]


def test_a_reply_far_from_its_question_is_found_by_it():
    talk = [
        said(1, 1, "Where shall we meet for the concert?"),
        *chatter(100, 30),
        said(400, 2, "at the fountain", reply_to=1),
        *chatter(500, 30),
    ]
    assert found(talk, "Where do we meet for the concert?")[:2] == [1, 400]


@pytest.mark.parametrize("asked", ["скільки?", "а за скільки віддаси"])
def test_what_answers_a_question_about_an_offer_is_found_by_the_offer(asked):
    talk = [
        said(1, 1, "Продаю зимову гуму"),
        *chatter(100, 6),
        said(200, 2, asked, reply_to=1),
        *chatter(300, 6),
        said(400, 1, "шість тисяч за комплект", reply_to=200),
        *chatter(500, 6),
    ]
    assert 400 in found(talk, "За скільки Оля віддавала зимову гуму?")[:2]


def test_one_who_answers_it_goes_before_a_neighbour_who_answers_somebody_else():
    talk = [
        *chatter(1, 8),
        said(20, 1, "який насос узяти на дачу"),
        said(21, 2, "приходь о шостій", reply_to=3),
        said(22, 2, "бери заглибний", reply_to=20),
        *chatter(300, 8),
    ]
    ranked = found(talk, "що Тарас казав про насос")
    assert ranked.index(22) < ranked.index(21)


def test_who_goes_on_speaking_says_more_about_it():
    talk = [
        said(20, 1, "забрала машину з ремонту"),
        said(21, 1, "вийшло дешевше"),
        *chatter(100, 8),
        said(320, 1, "забрала машину з ремонту"),
        said(321, 2, "вийшло дешевше"),
        *chatter(500, 8),
    ]
    ranked = found(talk, "ремонт машини")
    assert ranked.index(21) < ranked.index(321)


def test_of_two_answers_the_later_wins_when_the_outcome_is_asked_for():
    talk = [said(1, 1, "код від сараю 4471"), *chatter(100, 8), said(300, 1, "код від сараю 8026"), *chatter(400, 8)]
    assert found(talk, "який зараз код від сараю?")[0] == 300
    early, late = (found(talk, question) for question in ("код від сараю", "який зараз код від сараю"))
    assert set(early[:2]) == set(late[:2]) == {1, 300}


def test_a_message_without_words_does_not_go_before_one_that_tells_something():
    talk = [
        *chatter(1, 8),
        said(20, 1, "купили намет"),
        said(21, 2, "🎉"),
        said(22, 2, "чотиримісний"),
        *chatter(30, 8),
    ]
    ranked = found(talk, "намет")
    assert ranked[0] == 20
    assert ranked.index(22) < ranked.index(21)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("на балконі стоїть «Біолам», віддам", "who had the Biolam?"),
        ("we were in Cherkasy", "хто був у Черкасах"),
        ("бачила Соломію", "де Соля"),
        ("Mike is late", "чому нема Майка"),
    ],
)
def test_a_name_is_found_in_another_script_or_form(text, question):
    assert found([said(1, 1, text), *chatter(200, 5)], question)[0] == 1


def test_arrows_that_go_round_or_lead_to_themselves_do_no_harm():
    talk = [said(1, 1, "кава", reply_to=2), said(2, 2, "кава", reply_to=1), said(3, 1, "кава", reply_to=3)]
    assert set(found(talk, "кава")) == {1, 2, 3}


def test_neighbours_of_another_topic_lend_nothing():
    beside = [said(1, 1, "купили квитки на концерт", thread_id=5), said(2, 2, "класно", thread_id=7)]
    assert found(beside, "квитки") == [1]


def test_neighbours_after_a_long_silence_lend_nothing():
    assert found([said(1, 1, "купили квитки"), said(2, 2, "класно", minute=500)], "квитки") == [1]
    assert found([said(1, 1, "купили квитки"), said(2, 2, "класно", minute=5)], "квитки") == [1, 2]


def test_the_one_who_is_named_goes_before_another_who_says_the_same():
    talk = [said(1, 1, "люблю каву"), *chatter(200, 9), said(400, 2, "люблю каву"), *chatter(500, 9)]
    assert found(talk, "Що Оля любить?")[0] == 1
    assert found(talk, "What does Taras like? каву")[0] == 400


def test_a_question_about_me_is_about_the_asker():
    talk = [said(1, 1, "купив авто"), *chatter(200, 9, user_id=4), said(400, 2, "купив авто")]
    assert found(talk, "що я купив?", asker=1)[0] == 1
    assert found(talk, "що я купив?", asker=2)[0] == 400


@pytest.mark.parametrize("question", ["Що вирішили минулого понеділка про дачу?", "Що вирішили 2 березня про дачу?"])
def test_the_time_that_is_named_decides_between_equals(question):
    week = 7 * 24 * 60
    talk = [said(at + 1, 1, "вирішили про дачу", minute=(at - 1) * week) for at in range(4)]
    assert found(talk, question, days=5)[0] == 2


def test_when_is_answered_by_a_time_how_many_by_a_number_and_where_by_a_place():
    talk = [
        *(said(1, 1, "The wedding will be lovely"), said(100, 1, "The wedding is in June, next summer")),
        *(said(200, 1, "The wedding has 80 guests"), said(300, 1, "The wedding will be at the Castle")),
    ]
    talk = [message for at, one in enumerate(talk) for message in (one, *chatter(1_000 * (at + 1), 8))]
    assert found(talk, "When is the wedding?")[0] == 100
    assert found(talk, "How many people come to the wedding?")[0] == 200
    assert found(talk, "Where is the wedding?")[0] == 300


def test_bots_are_never_found_but_their_words_help():
    talk = [said(1, 4, "Чи купили квитки?", is_bot=True), said(2, 1, "так, ще вчора"), said(3, 1, "добре", minute=999)]
    assert found(talk, "квитки")[0] == 2
    assert 1 not in found(talk, "квитки")


def test_what_is_not_allowed_is_not_found_and_its_words_count_nowhere():
    corpus = Corpus.of([said(1, 1, "купили квитки?"), said(2, 2, "так")])
    assert found(corpus, "квитки", allowed=np.array([False, True])) == []
    assert found(corpus, "квитки", allowed=np.array([True, False])) == [1]


def test_without_a_known_word_the_newest_of_who_or_when_is_named():
    talk = [said(1, 1, "перше"), said(2, 2, "друге"), said(3, 1, "третє"), said(4, 1, "четверте", minute=60 * 24 * 3)]
    assert found(talk, "Що казала Оля?") == [4, 3, 1]
    assert found(talk, "що було 2 березня") == [3, 2, 1]
    assert found(talk, "Що казала Оля 2 березня?") == [3, 1]
    assert found(talk, "дирижабль") == []
    assert found(talk, "") == []


def test_a_word_of_saying_does_not_count_when_who_and_when_are_named():
    talk = [said(1, 1, "перше"), said(2, 2, "Оля сказала друге"), said(3, 1, "третє", minute=60 * 24 * 3)]
    assert found(talk, "Що сказала Оля 2 березня?") == [1]
    assert found(talk, "що сказала")[0] == 2


def test_a_message_of_the_named_day_is_found_though_it_shares_no_word():
    week = 7 * 24 * 60
    talk = [said(at + 1, 1, "гуляли", minute=at * week) for at in range(4)] + [said(9, 2, "дача", minute=9 * week)]
    assert 2 in found(talk, "Що було на дачі 9 березня?", days=90)


def test_an_empty_corpus_has_no_answer():
    assert found([], "що завгодно вчора") == []


def test_a_limit_of_nothing_finds_nothing():
    assert found([said(1, 1, "кава")], "кава", limit=0) == []


def test_of_equals_the_newest_comes_first():
    talk = [said(at, 1, "кава", minute=at * 500) for at in range(1, 6)]
    assert found(talk, "кава") == [5, 4, 3, 2, 1]


def test_empty_and_huge_messages_take_part():
    huge = " ".join(f"слово{at}" for at in range(1_500)) + " гелікоптер"
    talk = [said(1, 1, ""), said(2, 1, huge, minute=500), said(3, 2, "", kind="photo", minute=990)]
    assert found(talk, "гелікоптер") == [2]


def test_what_is_in_a_picture_is_found():
    assert found([said(1, 1, "", kind="photo", media_text="a red bicycle"), *chatter(200, 5)], "bicycle")[0] == 1


def test_a_chat_larger_than_the_close_look_gives_the_best_of_all():
    talk = [said(at, 1, "кава", minute=at * 100) for at in range(1, CANDIDATES + 500)]
    talk.insert(700, said(9_000, 2, "кава з молоком", minute=70_001))
    assert found(talk, "кава з молоком", days=200)[0] == 9_000
    assert len(found(talk, "кава", limit=CANDIDATES + 200, days=200)) == CANDIDATES + 200


def note(first: int, last: int, vector: tuple[float, ...]) -> Note:
    return Note("chunk", f"{first}-{last}", first, last, START, START, "нотатка", TextVector.of("m", vector))


def test_a_message_near_the_question_is_found_though_it_shares_no_word():
    corpus = with_vectors([*chatter(1, 30), said(60, 1, "беремо жорсткі крісла"), *chatter(200, 30)], 60)
    assert found(corpus, "меблі", vector=ASKED)[0] == 60
    assert found(corpus, "меблі", vector=AskedVector("other/64", FURNITURE)) == []
    assert found(corpus, "меблі", vector=AskedVector(f"m/{SIZE}", FURNITURE[:9])) == []
    assert found(corpus, "меблі") == []
    allowed = corpus.message_ids != 60
    assert 60 not in found(corpus, "меблі", allowed=allowed, vector=ASKED)


def test_what_is_meant_helps_to_find_what_answers_it():
    corpus = with_vectors(
        [*chatter(1, 30), said(60, 1, "які крісла беремо?"), said(61, 2, "жорсткі", reply_to=60), *chatter(200, 30)], 60
    )
    assert found(corpus, "меблі", vector=ASKED)[:2] == [60, 61]


def test_in_a_chat_larger_than_the_close_look_the_nearest_is_found_too():
    corpus = with_vectors(chatter(1, 5_000), 4_321)
    assert found(corpus, "меблі", vector=ASKED, limit=3)[0] == 4_321


def test_notes_near_the_question_lift_the_messages_they_are_about():
    talk = [said(1, 1, "перше"), *chatter(200, 3), said(400, 1, "друге", minute=700)]
    corpus = Corpus.of(talk, [note(1, 1, (1.0, 0.0)), note(200, 202, (0.0, 1.0)), note(400, 400, (0.0, -1.0))])
    assert found(corpus, "zeppelin", vector=AskedVector("m", (0.9, 0.1)))[0] == 1
    assert found(corpus, "zeppelin", vector=AskedVector("m", (0.0, -1.0)))[0] == 400


@pytest.mark.parametrize(
    ("vector", "model"),
    [((1.0,), "m"), ((1.0, 0.0, 0.0), "m"), ((1.0, 0.0), "another"), ((0.0, 0.0), "m"), (None, "m")],
)
def test_a_vector_that_does_not_compare_is_ignored(vector, model):
    corpus = Corpus.of([said(1, 1, "перше")], [note(1, 1, (1.0, 0.0))])
    assert found(corpus, "zeppelin", vector=vector and AskedVector(model, vector)) == []


_TEXTS = st.sampled_from(["", "кава", "кава?", "the kids went to Kyiv in May", "так", "Оля", "7 травня"]) | st.text(
    max_size=9
)
_MESSAGES = st.lists(
    st.tuples(
        _TEXTS, st.integers(1, 4), st.sampled_from([0, 1, 30, 90]), st.sampled_from([None, 7]), st.integers(0, 20)
    ),
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(_MESSAGES, _TEXTS, st.integers(1, 8), st.integers(0, 255))
def test_any_talk_is_ranked_the_same_way_twice_and_within_what_is_allowed(talk, question, limit, mask):
    messages, minute = [], 0
    for at, (text, user, pause, thread, reply) in enumerate(talk, start=1):
        minute += pause
        fields = {"thread_id": thread, "reply_to": reply or None, "is_bot": user == 4}
        messages.append(said(at, user, text, minute=minute, **fields))
    corpus = Corpus.of(messages)
    allowed = np.array([bool(mask >> (row % 8) & 1) for row in range(corpus.size)], np.bool_)
    first = found(corpus, question, limit=limit, allowed=allowed)
    assert first == found(Corpus.of(reversed(messages)), question, limit=limit, allowed=allowed)
    assert len(set(first)) == len(first) <= limit
    permitted = {int(i) for i, ok, bot in zip(corpus.message_ids, allowed, corpus.bots, strict=True) if ok and not bot}
    assert permitted.issuperset(first)
