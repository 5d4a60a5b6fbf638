"""Which answers go, by what they were given: each thing that may tell so, alone."""

import pytest

from shared.application.conversation.message_codec import StoredMessage
from shared.application.forgetting.traces.retelling import Retellings
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.ports.store import Document
from tests.support.builders import at, message

HANNA, TARAS = 104, 102
SCOPE = Scope(-1001, HANNA, frozenset({50}), at(100))


def answer(name="7", **more):
    given = {"question": {"message_id": 1, "user_id": TARAS, "sent_at": at(1)}, "made_at": at(60), "left_out": 0}
    given |= {"facts": [], "messages": [], "notes": [], "people": [TARAS]}
    return Document(f"chats/-1001/answers/{name}", given | more)


def goes(document, *, scope=SCOPE, noted_until=None, fact_ids=()):
    told = Retellings(scope, HANNA, ForgottenWords(["quasars dance all night"]), noted_until)
    told.add_answer(document)
    return told.find(scope.message_ids, fact_ids)[0] == {document.path}


def by_bot(*, reply_to=None, people=(), received_at=None):
    return StoredMessage(message("x", reply_to=reply_to), received_at or at(1), people=tuple(people))


def note(note_id):
    return {"notes": [{"kind": "chunk", "id": note_id}]}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({"people": [TARAS, HANNA]}, True),
        ({"people": [HANNA], "made_at": at(101)}, False),
        ({"people": [HANNA], "made_at": at(101), "left_out": 1}, True),
        ({"people": [TARAS], "left_out": 1}, False),
        ({"messages": [{"message_id": 50}]}, True),
        ({"messages": [{"message_id": 51}]}, False),
        ({"messages": [{"message_id": 51, "user_id": HANNA, "sent_at": at(99)}]}, True),
        ({"messages": [{"message_id": 51, "user_id": HANNA, "sent_at": at(101)}]}, False),
        ({"messages": [{"message_id": 51, "text": "quasars dance all day"}]}, True),
        ({"facts": [{"subject": f"user:{HANNA}"}]}, True),
        ({"facts": [{"subject": "chat", "id": "f"}]}, False),
        (note("41-50"), True),
        (note("50-59"), True),
        (note("51-60"), False),
        (note("40-49"), False),
        (note("1-1-100"), True),
        (note("1-51-100"), False),
        (note("of another form"), True),
    ],
)
def test_an_answer_goes_by_any_one_thing_that_it_was_given(more, expected):
    assert goes(answer(**more)) is expected


@pytest.mark.parametrize(("whose", "expected"), [(HANNA, True), (TARAS, False)])
def test_of_who_opts_out_an_answer_goes_that_was_given_what_they_said_by_their_id_alone(whose, expected):
    """The scope names nobody then: what they said is only to be used no more."""
    opts_out = SCOPE._replace(user_id=None)
    given = answer(messages=[{"message_id": 51, "user_id": whose, "sent_at": at(99)}])
    assert goes(given, scope=opts_out) is expected


def test_a_fact_in_which_the_member_is_quoted_takes_the_answer_along():
    given = answer(facts=[{"subject": "chat", "id": "f"}])
    assert goes(given, fact_ids={"f"})
    assert not goes(given, fact_ids={"g"})


def test_summaries_given_later_are_without_what_was_forgotten():
    assert not goes(answer(**note("41-50")), noted_until=at(59))
    assert goes(answer(**note("41-50")), noted_until=at(60))


@pytest.mark.parametrize(
    ("people", "received_at", "expected"),
    [([HANNA], at(100), True), ([HANNA], at(101), False), ([TARAS], at(99), False), ([], at(99), False)],
)
def test_a_message_shows_who_is_in_it_until_they_are_forgotten(people, received_at, expected):
    told = Retellings(SCOPE, HANNA, ForgottenWords())
    assert told.shows(by_bot(people=people, received_at=received_at)) is expected


def test_replies_go_with_what_they_answer_unless_the_member_only_opts_out():
    assert Retellings(SCOPE, HANNA, ForgottenWords()).answers(by_bot(reply_to=50))
    assert not Retellings(SCOPE, HANNA, ForgottenWords()).answers(by_bot(reply_to=51))
    assert Retellings(SCOPE._replace(user_id=None), None, ForgottenWords()).answers(by_bot(reply_to=50))
    assert not Retellings(SCOPE._replace(user_id=None), HANNA, ForgottenWords()).answers(by_bot(reply_to=50))
