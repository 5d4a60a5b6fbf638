"""HTTP manners that the functions share."""

import pytest

from infra.web.http import try_later
from shared.domain.errors import TransientError


@pytest.mark.parametrize(
    ("asked", "told"), [(None, "5"), (0.0, "5"), (0.2, "1"), (1.4, "1"), (7.0, "7"), (11.6, "12"), (90.0, "90")]
)
def test_who_is_to_come_again_is_told_in_how_many_seconds_and_never_at_once(asked, told):
    answer = try_later(TransientError("away", retry_after=asked))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, told)
