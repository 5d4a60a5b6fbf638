"""What a member is called: by everything that is stored of them, and nothing that is empty."""

from dataclasses import replace

from shared.application.forgetting.traces.names import MemberNames, names_in
from shared.application.people.member_codec import StoredMember
from tests.support.builders import message


def test_all_names_count_that_messages_and_the_members_document_tell():
    said = replace(message("x"), name="Ганна", username="hanna")
    later = replace(message("y"), name="Ганнуся", username=None)
    names = names_in([said, later], StoredMember(104, "Ганна", "", ("hannochka",)))
    assert names == MemberNames(("Ганна", "Ганнуся"), ("hanna", "hannochka"))
    assert names.all == {"Ганна", "Ганнуся", "hanna", "hannochka"}


def test_who_is_nowhere_is_called_nothing():
    assert names_in([], None) == names_in([], StoredMember(104)) == MemberNames()
