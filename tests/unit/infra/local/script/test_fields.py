"""A line of a script is read field by field: what means nothing is refused with file and line."""

from __future__ import annotations

import pytest

from infra.local.script import ScriptError
from tests.support.scripts import replayed, script_of
from tests.unit.infra.local.script.plays import OLIA, RULE

pytestmark = pytest.mark.usefixtures("logging_restored")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (OLIA | {"txt": "a"}, '"txt" means nothing in a message; did you mean "text"?'),
        (OLIA | {"text": "a", "colour": 1}, '"colour" means nothing in a message; known are caption, comment, date'),
        (OLIA | {"edit": 1, "text": "a", "reply_to": 1}, '"reply_to" means nothing in an edit'),
        (OLIA | {"press": 1, "text": "a"}, '"text" means nothing in a pressed button'),
        (OLIA | {"react": "👍", "message_id": 1, "private": True}, '"private" means nothing in a reaction'),
        ({"night": True, "jobs": ["decay"]}, '"jobs" means nothing in a night'),
        (OLIA | {"text": "a", "forwarded": {"id": 1}}, '"id" means nothing in "forwarded"'),
        (OLIA | {"edit": 1, "press": 1}, "edit and press on one line"),
        (OLIA | {"edit": 1}, 'an edit has either the new "text" or the new "caption"'),
        (OLIA | {"edit": "1", "text": "a"}, '"edit" must be a whole number, not "1"'),
        (OLIA | {"press": 0}, '"press" must be 1 or more'),
        (OLIA | {"react": "👍"}, '"message_id" does not say'),
        (OLIA | {"member": "gone"}, '"member" is one of joined, left, banned, administrator, member, not "gone"'),
        ({"night": False}, '"night" must be true'),
        ({"press": 1}, "who speaks"),
        (OLIA | {"media": "photo", "text": "a"}, 'what is said with a photo is its "caption"'),
        (OLIA | {"media": "sticker", "caption": "a"}, "a sticker has no caption"),
        (OLIA | {"media": "film"}, '"media" is one of photo, voice, '),
        (OLIA | {"caption": "a"}, '"caption" belongs to "media"'),
        (OLIA | {"text": "a", "quote": "b"}, '"quote" needs "reply_to"'),
        (OLIA | {"text": "a", "private": True, "topic": 3}, "in private there are no topics"),
        (OLIA | {"text": "a", "sender_chat": 5}, "which is negative"),
        (OLIA | {"text": "a", "external_reply": {"message_id": 1}, "reply_to": 1}, "replies to one message"),
        (OLIA | {"text": "a", "external_reply": {"chat_id": -5, "message_id": 1}}, "says whose words they are"),
    ],
)
def test_a_line_of_no_known_form_is_refused_with_file_and_line(tmp_path, line, complaint):
    script = script_of(tmp_path, [RULE, line])
    with pytest.raises(ScriptError) as error:
        replayed(script)
    assert str(error.value).startswith(f"{script}:2: ")
    assert complaint in str(error.value)
