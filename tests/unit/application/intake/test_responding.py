"""Who is answered, where, and when nobody is."""

from tests.support import updates
from tests.support.group import CHAT


async def test_the_bot_answers_a_mention_a_reply_its_name_and_a_private_chat_only(group):
    group.api.add_chat(555, "private")
    await group.say("просто розмова про грягові справи")
    assert group.answers == []
    await group.say("@gryag_bot привіт")
    await group.say("Гряг, привіт")
    bot = {"id": 123456, "is_bot": True, "first_name": "gryag", "username": "gryag_bot"}
    await group.say("а ти?", reply_to_message=updates.message("відповідь", message_id=999, sender=bot))
    await group.say("привіт", chat=updates.chat(555))
    assert len(group.answers) == 4


async def test_an_answer_goes_to_the_same_topic_as_a_reply(group):
    group.api.add_chat(-1009, "supergroup", is_forum=True)
    await group.say(
        "гряг, ти тут?", chat=updates.chat(-1009, is_forum=True), message_thread_id=7, is_topic_message=True
    )
    (sent,) = group.api.sent
    assert sent.thread_id == 7
    assert sent.reply_to == 1


async def test_other_bots_forwards_and_media_are_stored_but_not_answered(group):
    bot = {"id": 900, "is_bot": True, "first_name": "інший", "username": "other_bot"}
    await group.say("гряг, привіт", sender=bot)
    await group.say(
        "гряг, привіт",
        forward_origin={"type": "hidden_user", "sender_user_name": "хтось", "date": 1_790_000_000},
    )
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9, "file_size": 100}]
    await group.say(None, photo=photo, caption="захід сонця")
    stored = await group.messages()
    assert [(m["kind"], m["is_bot"], m["forwarded"]) for m in stored] == [
        ("text", True, False),
        ("text", False, True),
        ("photo", False, False),
    ]
    assert stored[2]["text"] == "захід сонця"
    assert stored[2]["media"]["file_id"] == "f"
    assert group.answers == []


async def test_joining_greets_once_and_being_removed_marks_the_chat_inactive(group):
    joined = updates.membership_update("left", "member", update_id=600, chat=updates.chat())
    assert await group.deliver(joined) == 200
    assert await group.deliver(joined) == 200
    assert len(group.answers) == 1
    assert "/gryadhelp" in group.answers[0]
    assert await group.deliver(updates.membership_update("member", "kicked", update_id=601)) == 200
    assert not (await group.runtime.app.chats.state(CHAT, fresh=True)).active
