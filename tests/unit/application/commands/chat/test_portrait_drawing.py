"""The picture of a chat's character, and its words."""

import json

from shared.application.commands.chat.portrait_drawing import draw_portrait
from tests.support.commands.recaps import talk_without_olia


async def test_the_picture_of_the_chats_character_comes_as_a_reply_with_its_figures(group):
    for _ in range(2):
        await talk_without_olia(group)
    asked = await group.say("/gryadprofile")
    assert group.answers == []
    await group.settle()
    (told,) = group.api.sent
    assert told.file.content.startswith(b"\x89PNG")
    assert told.reply_to == asked["message"]["message_id"]
    assert "повідомлень 22, людей 4" in told.text
    assert "українською 100%" in told.text


async def test_a_young_chat_has_no_character_yet(group):
    await group.say("/gryadprofile")
    await group.settle()
    assert "Ще зарано" in group.answers[-1]


async def test_a_picture_that_was_sent_is_not_sent_again(group):
    for _ in range(2):
        await talk_without_olia(group)
    await group.say("/gryadprofile")
    requests = [stored.task.http_request for stored in group.tasks.tasks.values()]
    payload = next(json.loads(request.body) for request in requests if "portrait" in request.url)
    await group.settle()
    await draw_portrait(group.runtime.app, payload)
    assert len(group.api.sent) == 1
