"""Reactions to a message of the bot: written and read back, the last ones of too many."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.conversation.reaction_codec import (
    MOST_KEPT,
    Reacted,
    reacted_at,
    reaction_fields,
    read_reactions,
    without_reaction_fields,
)
from shared.application.ports.store import Document
from tests.support.builders import at

instants = st.integers(0, 999).map(at)
reactions = st.builds(
    Reacted, instants, st.integers(1, 9), st.none() | st.booleans(), st.none() | instants, st.just("f1")
)


@given(st.dictionaries(st.integers(1, 2**40), reactions, max_size=5))
def test_what_is_written_is_read_back(kept):
    fields = reaction_fields(kept)
    assert read_reactions(Document("chats/-1/messages/1", fields)) == kept
    assert fields["reacted_by"] == sorted(kept)


def test_the_last_ones_of_too_many_are_kept():
    everybody = {user_id: Reacted(at(user_id), 1, True, at(user_id), "f1") for user_id in range(1, MOST_KEPT + 2)}
    assert set(reaction_fields(everybody)["reacted_by"]) == set(range(2, MOST_KEPT + 2))


def test_a_message_without_reactions_and_one_that_is_gone_have_none():
    assert read_reactions(None) == {}
    assert read_reactions(Document("chats/-1/messages/1", {"text": "Привіт"})) == {}


def test_one_members_reaction_is_taken_out_and_all_others_stay_as_they_are():
    reacted = {"102": {"at": at(1), "emojis": ["x"]}, "104": {"at": at(2)}}
    message = Document("chats/-1/messages/1", {"reacted": reacted, "reacted_by": [102, 104]})
    assert (reacted_at(message, 104), reacted_at(message, 105)) == (at(2), None)
    assert without_reaction_fields(message, 104) == {"reacted": {"102": reacted["102"]}, "reacted_by": [102]}
    assert reacted_at(Document("chats/-1/messages/1", {}), 104) is None
