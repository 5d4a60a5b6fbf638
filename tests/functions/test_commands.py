"""Commands and buttons over the Bot API."""

from tests.support import updates
from tests.support.group import CHAT

ADMIN = (102, "Тарас")


async def learn_a_rule(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()


def pressed(group, data, user_id, update_id, name="Хтось"):
    question = next(sent for sent in reversed(group.api.sent) if sent.buttons)
    bot = {"id": 123456, "is_bot": True, "first_name": "gryag"}
    message = updates.message("?", message_id=question.message_id, sender=bot)
    return updates.button_update(data, update_id=update_id, sender=updates.user(user_id, name), message=message)


async def test_chat_facts_are_listed_by_category_with_confidence(group):
    await learn_a_rule(group)
    await group.say("/gryadchatfacts")
    assert "Правила" in group.answers[-1]
    assert "політик" in group.answers[-1]
    assert "▰" in group.answers[-1]
    assert "%" in group.answers[-1]


async def test_a_chat_that_taught_nothing_is_told_so_in_its_language(group):
    await group.say("/gryadchatfacts@gryag_bot")
    assert "ще нічого не знаю" in group.answers[-1]
    english = updates.user(110, "Sam", language_code="en")
    await group.say("/gryadchatfacts", sender=english)
    assert "know nothing" in group.answers[-1]


async def test_help_shows_how_to_talk_to_the_bot(group):
    await group.say("/gryadhelp")
    assert "/gryadchatfacts" in group.answers[-1]
    assert "@gryag_bot" in group.answers[-1]


async def test_an_unknown_command_of_ours_points_to_the_help_and_others_are_left_alone(group):
    await group.say("/gryadnonsense")
    assert "/gryadhelp" in group.answers[-1]
    await group.say("/start")
    await group.say("/start@other_bot")
    await group.say("/gryadhelp@other_bot")
    assert len(group.answers) == 1
    await group.say("/start@gryag_bot")
    assert len(group.answers) == 2


async def test_only_admins_of_this_chat_may_ask_for_a_reset(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", 103, "Марко")
    assert "лише адміни" in group.answers[-1]
    assert not group.api.sent[-1].buttons
    assert len(await group.facts()) == 1


async def test_an_admin_resets_after_confirming(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    assert len(await group.facts()) == 1
    update = pressed(group, "reset:yes", 102, 900)
    assert await group.deliver(update) == 200
    assert await group.deliver(update) == 200
    assert await group.facts() == []
    assert "Забуто фактів: 1" in group.api.edited[-1].text
    await group.settle()
    assert await group.facts() == []
    versions = [d async for d in group.store.subtree(f"chats/{CHAT}") if "/versions/" in d.path]
    assert versions == []


async def test_a_button_pressed_by_another_member_does_nothing(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    assert await group.deliver(pressed(group, "reset:yes", 103, 900)) == 200
    assert len(await group.facts()) == 1
    assert [c.params["text"] for c in group.api.calls if c.method == "answerCallbackQuery"] == [
        "Це можуть лише адміни цього чату."
    ]


async def test_a_cancelled_reset_keeps_everything(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    assert await group.deliver(pressed(group, "reset:no", 102, 900)) == 200
    assert len(await group.facts()) == 1
    assert "Лишаю" in group.api.edited[-1].text


async def test_a_button_of_nobody_knows_what_is_acknowledged(group):
    await group.say("/gryadchatreset", *ADMIN)
    assert await group.deliver(pressed(group, "x" * 64, 102, 900)) == 200
    assert await group.deliver(updates.button_update("reset:yes", update_id=901)) == 200


async def test_an_anonymous_admin_may_reset(group):
    await group.say("/gryadchatreset", sender_chat=updates.chat(), sender=updates.user(1087968824, "Group"))
    assert group.api.sent[-1].buttons


async def test_the_admin_of_another_chat_is_refused(group):
    group.api.add_chat(-100777, "supergroup", admins={500})
    await group.say("/gryadchatreset", 500, "Чужий")
    assert "лише адміни" in group.answers[-1]


async def test_commands_are_not_talk(group):
    await group.say("/gryadhelp ніякої політики", *ADMIN)
    await group.settle()
    assert await group.facts() == []
    assert (await group.messages())[0]["kind"] == "command"
