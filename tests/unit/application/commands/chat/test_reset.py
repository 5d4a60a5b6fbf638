"""The facts about a chat are forgotten when an admin has confirmed it."""

from tests.support import updates
from tests.support.commands.reset import ADMIN, MEMBER, NO, YES, learn_a_rule
from tests.support.group import CHAT


async def test_only_admins_of_this_chat_may_ask_for_a_reset(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *MEMBER)
    assert "лише адміни" in group.answers[-1]
    assert not group.api.sent[-1].buttons
    assert len(await group.facts()) == 1


async def test_an_admin_resets_after_confirming(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    assert len(await group.facts()) == 1
    press = group.pressing(YES, *ADMIN)
    assert await group.deliver(press) == 200
    assert await group.deliver(press) == 200
    assert await group.facts() == []
    assert "Забуто фактів: 1" in group.api.edited[-1].text
    await group.settle()
    assert await group.facts() == []
    versions = [d async for d in group.store.subtree(f"chats/{CHAT}") if "/versions/" in d.path]
    assert versions == []


async def test_a_cancelled_reset_keeps_everything(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    assert await group.press(NO, *ADMIN) == 200
    assert len(await group.facts()) == 1
    assert "Лишаю" in group.api.edited[-1].text


async def test_an_anonymous_admin_may_reset(group):
    await group.say("/gryadchatreset", sender_chat=updates.chat(), sender=updates.user(1087968824, "Group"))
    assert group.api.sent[-1].buttons
