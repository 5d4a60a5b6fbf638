"""What was forgotten does not come back with an old file."""

import pytest

from shared.application.archive.importing import import_chat
from shared.application.conversation.tombstones import chat_tombstone, lay, member_tombstone, message_tombstone
from shared.domain.errors import ExportRefused
from tests.support.exports import CHAT, NOW, app_on, contents, source


@pytest.mark.parametrize(
    "mark", [chat_tombstone(CHAT), member_tombstone(CHAT, 102), message_tombstone(CHAT, 7)], ids=["chat", "who", "what"]
)
async def test_what_was_forgotten_does_not_come_back_with_an_old_file(sqlite_store, export, mark):
    content, _ = export
    await lay(sqlite_store, [mark], until=NOW)
    with pytest.raises(
        ExportRefused, match=r"was forgotten on 2026-\d\d-\d\d at .* after it was made, and stays forgotten"
    ):
        await import_chat(app_on(sqlite_store), source(content), replace=True)
    assert await contents(sqlite_store) == {}


async def test_what_was_forgotten_before_the_export_is_not_in_it_and_does_not_matter(sqlite_store, export):
    content, before = export
    await lay(sqlite_store, [chat_tombstone(CHAT), member_tombstone(CHAT, 102)], until=NOW.replace(hour=1))
    await import_chat(app_on(sqlite_store), source(content))
    assert await contents(sqlite_store) == before
