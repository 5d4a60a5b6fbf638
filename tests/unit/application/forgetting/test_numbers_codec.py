"""The numbers of a forgetting are read back as they were kept, and say nothing of whose they are."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.forgetting.numbers_codec import ForgettingNumbers, numbers_fields, numbers_path, read_numbers
from shared.application.ports.store import Document
from tests.support.exports import NOW

NUMBERS = st.builds(
    ForgettingNumbers,
    counts=st.dictionaries(st.sampled_from(["messages", "facts", "notes"]), st.integers(0, 10**9)),
    searched=st.integers(0, 10**9),
    locked=st.integers(0, 10**9),
)


@given(NUMBERS)
def test_what_is_kept_is_read_back(numbers):
    fields = numbers_fields(numbers, now=NOW)
    assert read_numbers(Document("updates/forgot-x", fields)) == numbers
    assert (fields["state"], fields["expire_at"]) == ("done", NOW + timedelta(days=3))


def test_numbers_that_were_not_kept_are_none():
    assert read_numbers(Document("updates/forgot-x", {})) == ForgettingNumbers({}, 0, 0)
    assert read_numbers(Document("updates/forgot-x", {"numbers": {"searched": 5}})) == ForgettingNumbers({}, 5, 0)


def test_a_path_holds_no_id_and_differs_by_member_and_by_day():
    paths = {numbers_path(-1001, user_id, day) for user_id in (104, 105) for day in ("2026-11-22", "2026-11-23")}
    assert len(paths) == 4
    assert not any("1001" in path.split("-")[0] or "104" in path.split("/")[0] for path in paths)
    assert all(path.startswith("updates/forgot-") for path in paths)
