"""A portrait is read back as it was written, and one of an earlier day is read."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.portrait_codec import StoredPortrait, portrait_fields, portrait_names, read_portrait
from shared.application.ports.store import Document
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
    assert read_portrait({"culture_summary": portrait_fields(portrait)}, "culture_summary") == portrait


def test_one_without_the_later_fields_is_read_and_what_is_no_map_is_none():
    old = {"text": "Люблять чай.", "made_at": START, "speakers": [2, 1]}
    read = read_portrait({"profile_summary": old}, "profile_summary")
    assert read == StoredPortrait("Люблять чай.", START, frozenset({1, 2}))
    assert read_portrait({}, "profile_summary") is read_portrait({"profile_summary": "x"}, "profile_summary") is None


def test_the_fields_of_portraits_are_known_also_those_of_older_versions():
    stored = {"profile_summary": {}, "profile_made_at": START, "culture_x": 1, "name": "Оля"}
    assert portrait_names(Document("chats/-1/members/1", stored)) == ["profile_summary", "profile_made_at", "culture_x"]
    assert portrait_names(None) == []
