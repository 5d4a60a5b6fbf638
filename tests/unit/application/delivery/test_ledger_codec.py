"""The document of an update that calls for an answer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import (
    COUNTED_AT,
    LEASE,
    done_with_update,
    given_up_fields,
    is_forgotten,
    new_entry,
    notice_fields,
    order_of,
    read_counted_question,
    read_entry,
    read_notice,
    sending_fields,
    sent_fields,
    uncounted_fields,
    update_id_of,
    update_path,
    waiting_fields,
)
from shared.application.delivery.outbox_codec import outbox_to_fields
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DELETE_FIELD, Document, Increment
from shared.domain.delivery.limits import CountedQuestion, Limit
from shared.domain.delivery.outcomes import AnswerOutcome

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)


def entry(fields):
    return read_entry(Document(update_path(7), fields))


def test_a_new_update_is_leased_to_who_took_it_and_has_nothing_to_send_yet():
    new = entry(new_entry("mine", now=NOON, chat_id=-5))
    assert new.is_leased_by("mine")
    assert not new.is_leased_by("another's")
    assert new.lease_until == NOON + LEASE
    assert (new.outbox, new.sent, new.sending, new.chat_id, new.limit, new.asked_at) == (None, 0, None, -5, None, NOON)


def test_only_what_somebody_asked_counts():
    assert COUNTED_AT not in new_entry("mine", now=NOON)
    fields = new_entry("mine", now=NOON, user_id=101)
    assert read_counted_question(Document(update_path(7), fields)) == CountedQuestion(101, NOON)
    assert uncounted_fields() == {COUNTED_AT: DELETE_FIELD}


def test_when_it_was_asked_is_known_also_of_what_does_not_count():
    assert entry(new_entry("mine", now=NOON)).asked_at == NOON
    assert entry({}).asked_at is None


def test_what_is_sent_again_is_counted_and_what_was_sent_is_not_in_doubt():
    assert "repeats" not in sending_fields(1, 1, doubts=0)
    assert sending_fields(1, 2, doubts=1) == {"sent": 1, "sending": 2, "doubts": 1, "repeats": Increment(1)}
    assert sent_fields(2) == {"sent": 2, "sending": None, "doubts": 0}
    assert entry(given_up_fields(2)).outcome is AnswerOutcome.UNCERTAIN


def test_what_waits_belongs_to_nobody_and_keeps_its_pieces_and_its_limit():
    pieces = (AnswerPiece(OutgoingText("<b>так</b>", "так")),)
    limit = Limit("member", NOON + timedelta(hours=1))
    stored = {**new_entry("mine", now=NOON), "outbox": outbox_to_fields(pieces), "limit": limit._asdict(), "sending": 0}
    waits = entry({**stored, **waiting_fields()})
    assert waits.is_waiting
    assert not waits.is_leased_by("mine")
    assert (waits.outbox, waits.sending, waits.limit) == (pieces, None, limit)


def test_a_notice_says_whose_it_is():
    assert read_notice(Document(update_path("told-x"), notice_fields(7, now=NOON))) == "7"


@given(st.integers(1) | st.from_regex("say-[0-9a-f]{32}", fullmatch=True))
def test_an_update_is_found_under_its_id_and_known_by_its_path(update_id):
    assert update_id_of(Document(update_path(update_id), {})) == update_id


def test_updates_of_one_instant_are_ordered_by_their_numbers():
    assert sorted([10, 9, "say-b", "say-a"], key=order_of) == ["say-a", "say-b", 9, 10]


def test_what_is_done_holds_no_words_and_says_when_it_was_taken_back():
    stored = {**new_entry("mine", now=NOON), "outbox": [], "sending": 0}
    done = entry({**stored, **done_with_update("answered")})
    assert (done.state, done.outcome, done.outbox, done.sending) == ("done", "answered", None, None)
    assert not is_forgotten(None)
    assert is_forgotten(Document(update_path(7), {**stored, **done_with_update(AnswerOutcome.FORGOTTEN)}))
    assert replace(done, outcome=AnswerOutcome.FORGOTTEN) == entry(
        {**stored, **done_with_update(AnswerOutcome.FORGOTTEN)}
    )


@pytest.mark.parametrize(
    ("stored", "read"), [*((str(each), each) for each in AnswerOutcome), ("told", None), ("", None)]
)
def test_an_outcome_is_read_as_what_it_is_and_what_is_no_answers_as_none(stored, read):
    assert entry({"outcome": stored}).outcome is read
