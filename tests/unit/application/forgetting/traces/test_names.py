"""What a member is called: by everything that is stored of them, and nothing that is empty."""

from shared.application.forgetting.traces.names import MemberNames, names_in
from shared.application.ports.store import Document


def test_all_names_count_that_messages_and_the_members_document_tell():
    said = Document("chats/-1/messages/1", {"name": "Ганна", "username": "hanna"})
    later = Document("chats/-1/messages/2", {"name": "Ганнуся", "username": None})
    member = Document("chats/-1/members/104", {"name": "Ганна", "username": "", "usernames_seen": ["hannochka"]})
    names = names_in([said, later, None, member])
    assert names == MemberNames(("Ганна", "Ганнуся"), ("hanna", "hannochka"))
    assert names.all == {"Ганна", "Ганнуся", "hanna", "hannochka"}


def test_who_is_nowhere_is_called_nothing():
    assert names_in([None, Document("chats/-1/members/104", {})]) == MemberNames()
