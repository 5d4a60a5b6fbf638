"""A portrait is read back as it was written, and one of an earlier day is read."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.portrait_codec import StoredPortrait, portrait_fields, read_portrait
from tests.support.builders import START

portraits = st.builds(
    StoredPortrait,
    st.text(min_size=1),
    st.just(START),
    st.frozensets(st.integers(min_value=1)),
    st.text(),
    st.lists(st.text()).map(tuple),
    st.none() | st.integers(min_value=0),
)


@given(portrait=portraits)
def test_what_is_written_is_read_back(portrait):
    assert read_portrait(portrait_fields(portrait)) == portrait


def test_one_without_the_later_fields_is_read_and_what_is_no_map_is_none():
    old = {"text": "Люблять чай.", "made_at": START, "speakers": [2, 1]}
    assert read_portrait(old) == StoredPortrait("Люблять чай.", START, frozenset({1, 2}))
    assert read_portrait(None) is None
