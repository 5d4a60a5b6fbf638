"""The corpus: rows in the order of talk, each message once, whatever the layers it comes from."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.talk import IndexedTalk
from shared.domain.recall.index.vectors import AskedVector
from shared.domain.recall.layout import layout_of
from shared.domain.recall.similarity import cosines
from shared.domain.text.terms import terms_of, words_of
from tests.support.builders import at, message
from tests.unit.domain.recall.index.stretches import note

WORDS = ["кава", "чай", "борщ", "coffee", "tea"]
SAID = st.builds(
    message,
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    message_id=st.integers(-5, 30).filter(bool),
    user_id=st.integers(101, 104),
    thread_id=st.none() | st.integers(1, 2),
    sent_at=st.integers(0, 20).map(at),
    reply_to=st.none() | st.integers(1, 30),
    is_bot=st.booleans(),
    forwarded=st.booleans(),
)


def in_order(messages):
    return sorted(messages, key=lambda m: (m.thread_id or 0, m.sent_at, m.message_id))


def expected_postings(messages, word):
    (term,) = words_of(word)
    counts = [(row, Counter(terms_of(m.text))[term]) for row, m in enumerate(messages)]
    return [(row, count) for row, count in counts if count]


@settings(max_examples=80, deadline=None, database=None)
@given(st.lists(st.lists(SAID, max_size=10), max_size=5), st.integers(0, 5))
def test_layers_laid_over_one_another_are_what_a_plain_loop_would_make_of_them(stretches, sealed):
    segments = [Segment.build(stretch) for stretch in stretches]
    corpus = Corpus([Corpus.of_segments(segments[:sealed]), *(s.talk for s in segments[sealed:])])
    check(corpus, in_order({m.message_id: m for stretch in stretches for m in stretch}.values()))


@settings(max_examples=80, deadline=None, database=None)
@given(st.lists(st.lists(SAID, max_size=10), max_size=5), st.booleans())
def test_a_corpus_grown_talk_by_talk_is_what_it_would_be_made_at_once(stretches, ordered):
    if ordered:  # nearly all the talk of a group: what is new comes after what is known
        messages = in_order({m.message_id: m for stretch in stretches for m in stretch}.values())
        stretches = [messages[start : start + 7] for start in range(0, len(messages), 7)]
    corpus = Corpus()
    for stretch in stretches:
        corpus = Corpus([corpus, IndexedTalk.of(stretch)])
    messages = in_order({m.message_id: m for stretch in stretches for m in stretch}.values())
    check(corpus, messages)
    assert not ordered or not messages or corpus.before is not None
    known = layout_of(Corpus.of(messages))
    assert [column.tolist() for column in layout_of(corpus)] == [column.tolist() for column in known]


def test_postings_are_joined_only_when_every_layer_has_its_own_in_one_piece():
    first, second, third = (
        [message("кава з молоком", message_id=n, sent_at=at(n)), message("чай", message_id=n + 1, sent_at=at(n + 1))]
        for n in (5, 11, 1)
    )
    sealed = Corpus.of(first)
    grown = Corpus([sealed, IndexedTalk.of(second)])
    for base, said, is_joined in ((sealed, first, True), (grown, first + second, False)):
        corpus = Corpus([base, IndexedTalk.of(third)], in_one_piece=True)
        assert (corpus.index is not None) is is_joined
        check(corpus, in_order(said + third))


def test_the_last_place_of_a_corpus_is_that_of_its_last_message_even_when_nothing_was_added():
    corpus = Corpus.of([message("кава", message_id=5, sent_at=at(1)), message("чай", message_id=6, sent_at=at(2))])
    silent = Corpus([corpus, IndexedTalk.of([])])
    assert silent.last_place == corpus.last_place == (0, int(at(2).timestamp()) * 1_000_000, 6)
    later = Corpus([silent, IndexedTalk.of([message("борщ", message_id=7, sent_at=at(3))])])
    assert later.before is silent


def test_a_talk_that_never_falls_silent_is_divided_as_if_it_had_been_known_at_once():
    messages = [message(f"{n}?" if n % 3 else "", message_id=n, sent_at=at(n)) for n in range(1, 200)]
    grown = Corpus([Corpus.of(messages[:150]), IndexedTalk.of(messages[150:])])
    assert [c.tolist() for c in layout_of(grown)] == [c.tolist() for c in layout_of(Corpus.of(messages))]


def check(corpus, messages):
    rows = {m.message_id: row for row, m in enumerate(messages)}
    assert [corpus.message(row) for row in range(corpus.size)] == messages
    assert corpus.message_ids.tolist() == [m.message_id for m in messages]
    assert corpus.sent_at.tolist() == [int(m.sent_at.timestamp()) for m in messages]
    assert corpus.speakers.tolist() == [m.user_id for m in messages]
    assert corpus.threads.tolist() == [m.thread_id or 0 for m in messages]
    assert corpus.replies.tolist() == [rows.get(m.reply_to, -1) for m in messages]
    assert corpus.bots.tolist() == [m.is_bot for m in messages]
    assert corpus.rows_between(2, 20).tolist() == [rows[n] for n in sorted(rows) if 2 <= n <= 20]
    assert corpus.lengths.tolist() == [len(terms_of(m.text)) for m in messages]
    for word in WORDS:
        found, counts = corpus.postings(words_of(word)[0])
        assert list(zip(found.tolist(), counts.tolist(), strict=True)) == expected_postings(messages, word)


def test_an_empty_corpus_has_no_rows_and_finds_nothing():
    for corpus in (Corpus(), Corpus.of([]), Corpus([Corpus.of_segments([])])):
        assert corpus.size == corpus.notes.size == 0
        assert corpus.postings("кав")[0].tolist() == []
        assert corpus.replies.tolist() == []
        assert corpus.vectors.stack.kinds == corpus.notes.vectors.stack.kinds == set()


def test_the_columns_have_the_types_that_ranking_counts_on():
    corpus = Corpus.of([message("кава")], [note(embedding=(0.6, 0.8), embedding_model="m/2")])
    kinds = {name: getattr(corpus, name).dtype.str for name in ("message_ids", "sent_at", "speakers", "threads")}
    assert set(kinds.values()) == {"<i8"}
    assert [corpus.replies.dtype.str, corpus.lengths.dtype.str, corpus.bots.dtype.str] == ["<i4", "<i4", "|b1"]
    rows, counts = corpus.postings(words_of("кава")[0])
    near = cosines(corpus.notes, AskedVector("m/2", (1.0, 0.0)))
    assert (rows.dtype.str, counts.dtype.str, near.dtype.str) == ("<i4", "<f4", "<f4")


def test_names_are_those_seen_in_any_layer():
    layers = [
        IndexedTalk.of([message(name="Оля")]),
        IndexedTalk.of([message(name="Ольга", username="olia", message_id=2)]),
    ]
    assert Corpus(layers).names == {101: ("Оля", "Ольга", "olia")}


def test_names_that_nobody_added_to_are_the_same_object_as_before():
    sealed = Corpus.of([message(name="Оля")])
    once = Corpus([sealed, IndexedTalk.of([message(name="Оля", message_id=2)])])
    again = Corpus([sealed, IndexedTalk.of([message(name="Оля", message_id=3)])], names_before=once.names)
    assert again.names is once.names
    more = Corpus([sealed, IndexedTalk.of([message(name="Ганна", user_id=7, message_id=3)])], names_before=once.names)
    assert more.names == {101: ("Оля",), 7: ("Ганна",)}


def test_more_than_a_segments_messages_become_one_corpus():
    corpus = Corpus.of([message(f"слово x{n}", message_id=n) for n in range(1, 2502)])
    assert corpus.size == 2501
    assert [int(corpus.message_ids[row]) for row in corpus.postings("x2400")[0]] == [2400]
