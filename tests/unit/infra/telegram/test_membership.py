"""What becomes of members, administrators and the bot itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from infra.telegram.updates import parse_update
from shared.domain.intake.updates import (
    AdminChanged,
    ChatInfo,
    Ignored,
    MemberLeft,
    MembershipChanged,
)
from tests.support.updates import (
    BOT_ID,
    CHAT_ID,
    START,
    chat,
    leaving_update,
    member_update,
    membership_update,
    user,
)


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("left", "member", "joined"),
        ("kicked", "administrator", "joined"),
        ("member", "left", "left"),
        ("administrator", "kicked", "left"),
        ("member", "administrator", "promoted"),
        ("administrator", "member", "demoted"),
        ("administrator", "administrator", "changed"),
        ("left", "kicked", "changed"),
        ("member", "something_new", "left"),
    ],
)
def test_what_happened_to_the_bot(old, new, status):
    update = parse_update(membership_update(old, new, update_id=3))
    assert update == MembershipChanged(3, ChatInfo(CHAT_ID, "supergroup", "Test"), status, 100, "uk")


def test_a_restricted_bot_is_still_in_the_chat_when_telegram_says_so():
    restricted = {"status": "restricted", "user": user(BOT_ID), "is_member": True}
    assert parse_update(membership_update(new_chat_member=restricted)).status == "joined"
    assert parse_update(membership_update(new_chat_member={**restricted, "is_member": False})).status == "changed"


@pytest.mark.parametrize(
    ("old", "new"), [("member", "left"), ("administrator", "kicked"), ("creator", "left"), ("member", "something_new")]
)
def test_a_member_who_is_there_no_more_left(old, new):
    update = parse_update(member_update(old, new, update_id=3, who=user(7)))
    chat, at = ChatInfo(CHAT_ID, "supergroup", "Test"), datetime.fromtimestamp(START, UTC)
    assert update == MemberLeft(3, chat, 7, at, was_admin=old in ("administrator", "creator"))


@pytest.mark.parametrize(
    ("old", "new", "is_admin"),
    [("member", "administrator", True), ("left", "administrator", True), ("administrator", "member", False)],
)
def test_who_becomes_an_admin_or_is_none_any_more_changed(old, new, is_admin):
    update = parse_update(member_update(old, new, update_id=3, who=user(7)))
    chat, at = ChatInfo(CHAT_ID, "supergroup", "Test"), datetime.fromtimestamp(START, UTC)
    assert update == AdminChanged(3, chat, 7, at, is_admin)


def test_the_service_message_of_a_leaver_means_the_same():
    update = parse_update(leaving_update(user(7), update_id=3, message_id=5))
    assert update == MemberLeft(3, ChatInfo(CHAT_ID, "supergroup", "Test"), 7, datetime.fromtimestamp(START + 5, UTC))


def test_whom_an_admin_removed_left_and_not_the_admin():
    removed = leaving_update(user(7))
    removed["message"]["from"] = user(102)
    assert parse_update(removed).user_id == 7
    assert parse_update(member_update("member", "kicked", who=user(7), **{"from": user(102)})).user_id == 7


@pytest.mark.parametrize(
    ("is_member", "expected"), [(True, Ignored), (False, MemberLeft)], ids=["still there", "not there"]
)
def test_who_may_do_less_left_only_when_telegram_says_so(is_member, expected):
    restricted = {"status": "restricted", "user": user(7), "is_member": is_member}
    assert type(parse_update(member_update(new_chat_member=restricted, who=user(7)))) is expected


@pytest.mark.parametrize(
    "update",
    [
        member_update("left", "member"),
        member_update("administrator", "creator"),
        member_update("member", "administrator", who=user(9, "Other", is_bot=True)),
        member_update("left", "kicked"),
        member_update(who=user(9, "Other", is_bot=True)),
        member_update(chat=chat(-1009, "channel")),
        leaving_update(user(BOT_ID, "Spomyn", is_bot=True)),
        leaving_update(chat=chat(-1009, "channel")),
    ],
    ids=["joins", "another admin", "another bot", "banned later", "a bot", "a channel's", "our bot", "in a channel"],
)
def test_what_is_no_members_leaving_is_ignored(update):
    assert type(parse_update(update)) is Ignored
