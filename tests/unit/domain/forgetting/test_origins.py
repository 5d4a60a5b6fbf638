"""What answers a message of somebody who was forgotten is known by it, without a name."""

from shared.domain.conversation.messages import name_mark
from tests.unit.domain.forgetting.people import LATER, NOON, OTHER, YARYNA, forgotten, says


def test_an_answer_to_what_they_said_then_needs_no_name():
    known = forgotten()
    then = {"origin_ids": (YARYNA,), "origin_at": NOON}
    assert known.retold_in(says("О, скрипалька!", **then))
    assert known.retold_in(says("О, скрипалька!", origin_names=(name_mark("ярина коваль"),), origin_at=NOON))
    assert not known.retold_in(says("О!", **then))
    assert not known.retold_in(says("О, скрипалька!", origin_ids=(YARYNA,), origin_at=LATER))
    assert not known.retold_in(says("О, скрипалька!", origin_ids=(OTHER,), origin_at=NOON))


def test_who_said_it_then_is_kept_as_a_hash_by_which_it_is_still_known():
    known = forgotten()
    message = says("О, скрипалька!", origin_ids=(YARYNA, OTHER), origin_names=("0123",), origin_at=NOON)
    hashed = known.hash_origins(message)
    assert hashed.origin_ids == (OTHER,)
    assert "0123" in hashed.origin_names
    assert known.said_then(hashed)
    assert known.hash_origins(hashed) == hashed
    assert known.hash_origins(says("О!", origin_ids=(YARYNA,), origin_at=LATER)).origin_ids == (YARYNA,)
