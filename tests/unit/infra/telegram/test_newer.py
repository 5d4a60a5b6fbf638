"""Calls that are newer than the SDK, and what Telegram says of who is in a chat."""

import pytest

from shared.domain.errors import MessageRejected, MethodUnknown
from tests.support.telegram.gateways import CHAT, PRIVATE


async def test_a_draft_is_sent_with_its_button_to_stop_it(gateway, api):
    await gateway.show_draft(PRIVATE, 7, "Намет у…")
    assert api.calls[-1].params == {"chat_id": PRIVATE, "draft_id": 7, "text": "Намет у…", "can_stop": True}


async def test_a_server_that_is_too_old_for_drafts_is_asked_once(gateway, api):
    api.too_old_for.append("sendMessageDraft")
    for _ in range(3):
        with pytest.raises(MethodUnknown):
            await gateway.show_draft(PRIVATE, 7, "Намет у…")
    assert [call.method for call in api.calls] == ["sendMessageDraft"]


async def test_who_was_never_there_is_not_there_and_another_refusal_is_none_of_that(gateway, api):
    api.add_chat(CHAT, members={8})
    assert await gateway.is_member(CHAT, 8)
    assert not await gateway.is_member(CHAT, 9)
    api.fail_next("getChatMember", status=400, description="Bad Request: CHAT_ADMIN_REQUIRED")
    with pytest.raises(MessageRejected):
        await gateway.is_member(CHAT, 8)
