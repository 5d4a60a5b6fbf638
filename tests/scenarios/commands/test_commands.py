"""Commands and buttons over the Bot API: what all of them have in common, the help, and the reset."""

from tests.support import updates
from tests.support.commands.reset import ADMIN, MEMBER, YES, learn_a_rule


async def test_an_answer_is_in_the_language_of_who_asks_while_the_chat_has_none(group):
    await group.say("/gryadchatfacts@gryag_bot")
    assert "ще нічого не знаю" in group.answers[-1]
    await group.say("/gryadchatfacts", sender=updates.user(110, "Sam", language_code="en"))
    assert "know nothing" in group.answers[-1]


async def test_a_button_pressed_by_another_member_does_nothing(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    assert await group.press(YES, *MEMBER) == 200
    assert len(await group.facts()) == 1
    (refused,) = group.notices
    assert refused
    assert group.api.edited == []


async def test_what_this_bot_did_not_seal_for_this_chat_is_no_button_of_ours(group):
    await learn_a_rule(group)
    await group.say("/gryadchatreset", *ADMIN)
    sealed = group.pressing(YES, *ADMIN)["callback_query"]["data"]
    for forged in ("x" * 64, "reset:yes", "rst||", f"{sealed[:-1]}{'B' if sealed[-1] == 'A' else 'A'}"):
        assert await group.press(YES, *ADMIN, data=forged) == 200
        assert "не діє" in group.notices[-1]
    assert len(await group.facts()) == 1
    assert group.api.edited == []


async def test_a_button_under_a_message_that_telegram_does_not_show_is_acknowledged(group):
    assert await group.deliver(updates.button_update("rst||", update_id=901)) == 200


async def test_the_admin_of_another_chat_is_refused(group):
    group.api.add_chat(-100777, "supergroup", admins={500})
    await group.say("/gryadchatreset", 500, "Чужий")
    assert "лише адміни" in group.answers[-1]


async def test_commands_are_not_talk(group):
    await group.say("/gryadhelp ніякої політики", *ADMIN)
    await group.settle()
    assert await group.facts() == []
    assert (await group.messages())[0]["kind"] == "command"
