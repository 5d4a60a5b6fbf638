"""What a model writes as arguments is taken at its word only where it is of the form that was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.answering.tools.binding import choice_of, number_of, text_of
from shared.domain.errors import ToolRefused

ANYTHING = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.lists(st.text(), max_size=2)
)
ZONES = ("Kyiv", "Warsaw")


@given(ANYTHING)
def test_a_text_is_one_line_of_no_more_than_was_asked_for_or_refused(given_text):
    try:
        taken = text_of({"place": given_text}, "place", most=20)
    except ToolRefused:
        return
    assert 1 <= len(taken) <= 20
    assert taken == " ".join(taken.split())
    assert set(taken) <= {*given_text, " "}


def test_a_text_of_several_lines_becomes_one():
    assert text_of({"query": "  що \n було\tвчора "}, "query", most=20) == "що було вчора"


@pytest.mark.parametrize("arguments", [{}, {"query": None}, {"query": " \n"}, {"query": 7}, {"other": "words"}])
def test_a_text_that_is_not_there_is_refused_by_its_name(arguments):
    with pytest.raises(ToolRefused, match="query must be a text"):
        text_of(arguments, "query", most=20)


@given(ANYTHING)
def test_only_what_can_be_chosen_is_chosen(wanted):
    if wanted in ZONES:
        assert choice_of({"zone": wanted}, "zone", ZONES) == wanted
    else:
        with pytest.raises(ToolRefused, match="zone must be one of: Kyiv, Warsaw"):
            choice_of({"zone": wanted}, "zone", ZONES)


@given(ANYTHING)
def test_a_number_is_whole_and_within_its_bounds_or_refused(wanted):
    try:
        taken = number_of({"days": wanted}, "days", low=1, high=7, default=3)
    except ToolRefused:
        assert isinstance(wanted, bool) or not isinstance(wanted, int | float) or wanted != wanted // 1
        return
    assert taken == min(7, max(1, wanted))
    assert type(taken) is int


def test_what_is_not_said_is_the_default():
    assert number_of({}, "days", low=1, high=7, default=3) == 3


@pytest.mark.parametrize(("wanted", "meant"), [(2.0, 2), (0, 1), (-5, 1), (8, 7), (1e300, 7)])
def test_a_number_beyond_the_bounds_becomes_the_nearer_of_them(wanted, meant):
    assert number_of({"days": wanted}, "days", low=1, high=7, default=3) == meant
