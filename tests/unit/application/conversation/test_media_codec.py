"""What is in a file that is sent over and over is written and read back."""

from shared.application.conversation.media_codec import (
    MediaDescription,
    media_description_fields,
    read_media_description,
)
from shared.application.ports.store import Document
from tests.support.builders import at


def test_what_is_written_is_read_back():
    told = MediaDescription("Кіт махає лапою", "sticker", 101, 7, at(1), at(2))
    assert read_media_description(Document("chats/-1/media/u", media_description_fields(told))) == told
