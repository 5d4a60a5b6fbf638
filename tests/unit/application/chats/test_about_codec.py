"""Operators see of a chat what is stored."""

from shared.application.chats.about_codec import ChatAbout, read_about, read_schema
from shared.application.ports.store import Document
from tests.support.builders import START


def test_what_is_stored_is_shown():
    fields = {"title": "Друзі", "type": "group", "language": "uk", "active": False, "inactive_reason": "kicked"}
    document = Document("chats/-1", {"schema": 1, **fields, "last_active_at": START, "settings": {"language": "en"}})
    assert read_about(document) == ChatAbout("Друзі", "group", "uk", False, None, START, "kicked")
    assert read_schema(document) == 1


def test_a_document_without_fields_shows_nothing():
    assert set(read_about(Document("chats/-1", {}))) == {None}
    assert read_schema(Document("chats/-1", {})) is None
