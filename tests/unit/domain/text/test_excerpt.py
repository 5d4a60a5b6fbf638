"""Of a long text the part is shown that a question is about."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text.excerpt import excerpt_around
from shared.domain.text.terms import terms_of

FILLER = "Погода сьогодні така, що нікуди не хочеться йти. " * 12
POINT = "Код від підвалу чотири вісім п'ятнадцять."


def test_the_sentence_that_was_asked_for_stands_in_the_excerpt_with_what_is_around_it():
    shown = excerpt_around(FILLER + POINT + " " + FILLER, terms_of("який код від підвалу?"), 200)
    assert POINT in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert 150 < len(shown) <= 200
    assert "Погода" in shown


def test_a_sentence_longer_than_the_room_is_shown_from_the_word_that_was_asked_for():
    shown = excerpt_around("слово " * 100 + "підвал замкнено " + "слово " * 100, terms_of("підвал"), 80)
    assert shown.startswith("…підвал замкнено слово")
    assert len(shown) <= 80


def test_where_nothing_matches_the_text_is_cut_at_its_end_and_a_short_one_stays():
    assert excerpt_around(FILLER, terms_of("підвал"), 60).startswith("Погода сьогодні")
    assert excerpt_around("Рядок\nі ще", ["рядок"], 60) == "Рядок\nі ще"


@given(st.text(alphabet="абв .!?\n…", max_size=300), st.integers(20, 120))
def test_an_excerpt_is_never_longer_than_asked_for_and_made_of_the_text(text, limit):
    shown = excerpt_around(text, terms_of("абв"), limit)
    assert len(shown) <= limit
    assert shown.strip("…").strip() in " ".join(text.split()) or len(text) <= limit
