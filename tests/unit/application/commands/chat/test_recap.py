"""/gryadrecap and /gryadcontext over the Bot API."""

import json
from datetime import timedelta

from shared.application.commands.chat.portrait_drawing import draw_portrait
from shared.application.consolidation import consolidate
from tests.support.group import CHAT

TALK = (
    ("Хто візьме намет на вихідні?", 102, "Тарас"),
    ("Я візьму намет, і ще котелок", 103, "Марко"),
    ("Олю, а ти береш гітару?", 104, "Ніна"),
    ("Зустрічаємось у суботу о дев'ятій на вокзалі", 102, "Тарас"),
    ("Домовились, субота, вокзал", 103, "Марко"),
    ("Хто купить квитки?", 104, "Ніна"),
    ("Я куплю квитки завтра", 103, "Марко"),
    ("Дякую!", 104, "Ніна"),
    ("І дощовики не забудьте", 102, "Тарас"),
    ("Не забудемо", 103, "Марко"),
)


async def talk_without_olia(group):
    await group.say("Я відійду до вечора")
    for text, user_id, name in TALK:
        await group.say(text, user_id, name)
    await group.settle()


async def test_a_recap_tells_what_came_after_the_askers_last_word_with_links(group):
    await talk_without_olia(group)
    await group.say("/gryadrecap")
    told = group.api.sent[-1]
    assert "повідомлень 10, людей 3" in told.text
    assert "Ніна: Олю, а ти береш гітару?" in told.text
    assert "Про що говорили" in told.text
    assert f'href="https://t.me/c/{-CHAT - 10**12}/4"' in told.raw
    assert told.raw.count("<a href=") >= 3


async def test_a_recap_may_begin_at_a_time_that_is_named(group):
    await group.say("Давно сказане", 102, "Тарас")
    group.clock.advance(timedelta(hours=5))
    await talk_without_olia(group)
    await group.say("/gryadrecap 2 год", 102, "Тарас")
    assert "людей 3" in group.answers[-1]
    assert "Давно сказане" not in group.answers[-1]
    await group.say("/gryadrecap 1 тиждень", 105, "Леся")
    assert "людей 4" in group.answers[-1]


async def test_who_missed_nothing_is_told_so_and_no_time_shows_how_to_name_one(group):
    await group.say("Я тут")
    await group.say("/gryadrecap")
    assert "нічого не пропустили" in group.answers[-1]
    await group.say("/gryadrecap колись")
    assert "/gryadrecap 3 год" in group.answers[-1]


async def test_nobody_who_opted_out_is_in_a_recap(group):
    await talk_without_olia(group)
    await group.runtime.app.chats.change(CHAT, {"opted_out": [104]})
    await group.say("/gryadrecap")
    assert "гітару" not in group.answers[-1]
    assert "людей 2" in group.answers[-1]


async def test_context_is_shown_with_links_behind_its_lines(group):
    await group.say("/gryadcontext")
    assert "ще порожній" in group.answers[-1]
    await talk_without_olia(group)
    app = group.runtime.app
    await consolidate(app, await app.chats.state(CHAT, fresh=True))
    await group.say("/gryadcontext")
    told = group.api.sent[-1]
    assert "квитки" in told.text
    assert "https://t.me/c/" in told.raw
    assert "spomyn:context" not in told.text


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
