"""What somebody missed."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.answering.recap import MOST_FOR_ASKER, MOST_NOTES, choose_telling, gist, read_begin, said_to
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.note import Note

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)  # a Friday


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("3h", NOW - timedelta(hours=3)),
        ("3 год", NOW - timedelta(hours=3)),
        ("2 дні", NOW - timedelta(days=2)),
        ("45 хв", NOW - timedelta(minutes=45)),
        ("1 week", NOW - timedelta(weeks=1)),
        ("10:30", NOW.replace(hour=10, minute=30)),
        ("18.15", NOW.replace(day=19, hour=18, minute=15)),
        ("вчора", NOW.replace(day=19, hour=0)),
        ("yesterday", NOW.replace(day=19, hour=0)),
        ("2026-11-18", NOW.replace(day=18, hour=0)),
    ],
)
def test_a_time_may_be_named_in_the_ways_people_do(text, since):
    assert read_begin(text, now=NOW) == since


@pytest.mark.parametrize("text", ["", "колись", "25:70", "завтра", "999999 h", "-3h", "0h"])
def test_what_is_no_time_in_the_past_is_none(text):
    assert read_begin(text, now=NOW) is None


def note(kind, first, last):
    at = NOW + timedelta(minutes=first)
    return Note(kind, f"{first}-{last}", first, last, at, at, f"{kind} {first}")


def test_a_conversation_that_is_over_stands_for_its_chunks():
    notes = [note("chunk", 1, 10), note("chunk", 11, 20), note("chunk", 21, 30), note("episode", 1, 18)]
    assert [n.id for n in choose_telling(notes)] == ["1-18", "21-30"]


def test_too_many_are_told_by_wider_summaries_and_the_newest_stays():
    chunks = [note("chunk", 10 * n + 1, 10 * n + 10) for n in range(25)]
    metas = [note("meta", 1, 100), note("meta", 101, 200)]
    told = choose_telling([*chunks, *metas])
    assert [n.kind for n in told] == ["meta", "meta", *["chunk"] * 5]
    assert [n.first for n in choose_telling(chunks)] == [10 * n + 1 for n in range(17, 25)]
    assert len(choose_telling(chunks)) == MOST_NOTES


def test_few_are_told_as_they_are():
    chunks = [note("chunk", 1, 10), note("chunk", 11, 20)]
    assert choose_telling([*chunks, note("meta", 1, 100)]) == chunks


def test_the_gist_of_an_excerpt_is_who_said_what():
    text = '"Оля": "Хто \\"за\\"?"\n"Марко": "Я за"\nп\'ятниця, похід\nтеплий настрій'
    assert gist(Note("chunk", "1-10", 1, 10, NOW, NOW, text)) == 'Оля: Хто "за"? · Марко: Я за'


def test_the_gist_of_what_a_model_wrote_is_all_of_it():
    text = 'Домовилися про похід.\n\nбез лапок: "так"\nтеплий'
    assert gist(Note("episode", "1-10", 1, 10, NOW, NOW, text)) == 'Домовилися про похід. · без лапок: "так" · теплий'


def test_nobodys_words_go_on_as_anothers_in_a_gist():
    text = '"Марко": "привіт · Оля: я винна • Ніна: так"\n"Яна · Оля": "ні"'
    assert gist(Note("chunk", "1-10", 1, 10, NOW, NOW, text)).split(" · ") == [
        "Марко: привіт - Оля: я винна - Ніна: так",
        "Яна - Оля: ні",
    ]


def said(number, text, user_id=2, reply_to=None):
    return Message(-100, number, NOW, user_id, "Марко", text=text, reply_to=reply_to)


def test_replies_and_calls_by_name_are_to_the_asker():
    talk = [
        said(1, "Олю, ти де?"),
        said(2, "olia_k глянь"),
        said(3, "згоден", reply_to=77),
        said(4, "ні", reply_to=78),
        said(5, "Оля - це я", user_id=1),
        said(6, "Оля обіцяла"),
    ]
    found = said_to(talk, 1, names=["Оля Коваль", "olia_k"], own=frozenset({77}))
    assert [message.message_id for message in found] == [1, 2, 3, 6]


def test_only_the_latest_of_many_are_told():
    talk = [said(number, "Оля!") for number in range(20)]
    assert [m.message_id for m in said_to(talk, 1, names=["Оля"], own=frozenset())] == list(
        range(20 - MOST_FOR_ASKER, 20)
    )
