"""What is kept of an answer is read back, and that of an earlier day is read."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.answering.answer_codec import (
    FactGiven,
    Given,
    MessageGiven,
    answers_path,
    asked_by,
    asking_message_id,
    fact_ids_given,
    given_fields,
    made_between,
    made_since,
    read_given,
    read_sources,
)
from shared.application.ports.model import WebSource
from shared.application.ports.store import Document
from shared.domain.facts.profile import ProfileQuote
from tests.support.builders import at

TEXTS = st.text(max_size=30)
NUMBERS = st.integers(1, 200)
QUOTES = st.builds(ProfileQuote, NUMBERS, NUMBERS, TEXTS, TEXTS, st.just(at(3)))
FACTS = st.builds(
    FactGiven, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, st.floats(0, 0.99), st.lists(QUOTES, max_size=2).map(tuple)
)
FOUND = st.builds(MessageGiven, NUMBERS, st.just("found"), NUMBERS, TEXTS, st.just(at(4)), TEXTS, st.booleans())
TALK = st.builds(lambda message_id, leans: MessageGiven(message_id, "talk", leans=leans), NUMBERS, st.booleans())
ANSWERS = st.builds(
    Given,
    question=st.tuples(NUMBERS, NUMBERS, st.just(at(2))),
    made_at=st.just(at(60)),
    model=TEXTS,
    facts=st.lists(FACTS, max_size=3).map(tuple),
    messages=st.lists(FOUND | TALK, max_size=4).map(tuple),
    notes=st.lists(st.tuples(st.sampled_from(["chunk", "meta"]), TEXTS), max_size=2).map(tuple),
    revision=st.none() | NUMBERS,
    portrait=st.booleans(),
    tools=st.lists(st.tuples(TEXTS, st.just("ok")), max_size=2).map(tuple),
    pages=st.just((WebSource("НБУ", "https://bank.example"),)),
    left_out=NUMBERS,
)


@given(ANSWERS)
def test_what_is_written_is_read_back(answer):
    assert read_given(given_fields(answer)) == answer
    document = Document("chats/-1/answers/7", given_fields(answer))
    assert fact_ids_given(document) == tuple(fact.id for fact in answer.facts)
    assert asking_message_id(document) == answer.question[0]


def test_one_of_before_the_later_fields_is_read():
    question = {"message_id": 5, "user_id": 101, "sent_at": at(2)}
    old = {"schema": 1, "question": question, "made_at": at(3), "model": "offline", "facts": []}
    assert read_given(old) == Given(question=(5, 101, at(2)), made_at=at(3), model="offline")


@given(ANSWERS)
def test_whose_an_answer_is_is_read_without_the_rest_of_it(answer):
    sources = read_sources(Document("chats/-1/answers/7", {**given_fields(answer), "later": "x"}))
    assert sources.message_ids == {message.message_id for message in answer.messages}
    assert sources.fact_ids == {fact.id for fact in answer.facts}
    assert sources.subjects == {fact.subject for fact in answer.facts}
    assert sources.note_ids == tuple(note_id for _, note_id in answer.notes)
    assert (sources.made_at, sources.people, sources.left_out) == (
        answer.made_at,
        frozenset(answer.people),
        answer.left_out,
    )


def test_of_an_old_answer_what_was_not_noted_is_empty():
    sources = read_sources(Document("chats/-1/answers/7", {"made_at": at(1), "facts": [{"subject": "chat"}]}))
    assert (sources.message_ids, sources.note_ids, sources.people, sources.left_out) == (
        frozenset(),
        (),
        frozenset(),
        0,
    )
    assert (sources.fact_ids, sources.subjects) == ({""}, {"chat"})
    bare = read_sources(Document("chats/-1/answers/7", {}))
    assert bare.made_at < at(0)
    assert not (bare.fact_ids | bare.subjects)
    assert [(each.field, each.op, each.value) for each in made_between(at(1), at(2))] == [
        ("made_at", ">=", at(1)),
        ("made_at", "<=", at(2)),
    ]


async def test_answers_are_found_by_who_asked_and_since_when(sqlite_store):
    question = {"message_id": 5, "user_id": 101, "sent_at": at(2)}
    fields = {"schema": 1, "question": question, "made_at": at(3), "model": "offline", "facts": []}
    await sqlite_store.set(f"{answers_path(-1)}/7", fields)
    where = [asked_by(101), asked_by(102), made_since(at(3)), made_since(at(4))]
    assert [await sqlite_store.count(answers_path(-1), where=[each]) for each in where] == [1, 0, 1, 0]
