"""Updates made here have the form that the Bot API describes."""

from __future__ import annotations

from infra.local.chat.composing import edit_message
from infra.local.chat.raw_updates import LOCAL_CHAT, Person, button_update, member_update, reaction_update
from tests.support.group import FRIDAY
from tests.support.telegram.bot_api_rules import check
from tests.unit.infra.local.chat.composed import Chat


def test_an_edited_message_and_the_other_updates_have_that_form_too():
    here, person = Chat(), Person(101, "Оля", "olia")
    new = edit_message(here.say(media="photo", caption="ой"), person, "ай", FRIDAY)
    assert (new["caption"], new["edit_date"]) == ("ай", int(FRIDAY.timestamp()))
    updates = [
        {"update_id": 1, "edited_message": new},
        button_update(2, person, here.say(text="?") | {"reply_markup": {"inline_keyboard": []}}, "data"),
        reaction_update(3, LOCAL_CHAT, person, 1, FRIDAY, "", "👍"),
    ]
    for update in updates:
        check(update, "Update", "update")
    changes = [("left", "member"), ("member", "left"), ("member", "kicked")]
    for old, status in changes:
        check(member_update(4, LOCAL_CHAT, person, FRIDAY, old, status), "Update", "update")
