"""An answer is composed in the asker's language, of what can be seen, and it is booked."""

import time
from datetime import timedelta

from shared.application.conversation.media import LONGEST_WAIT
from shared.application.documents import usage_path
from shared.domain.text.language import detect_language
from tests.support import updates
from tests.support.group import CHAT
from tests.support.media import group_with_files, photo
from tests.unit.application.answering.remembered import remembering

OFFLINE = "без мовної моделі"
NOTHING = {"uk": "нічого немає", "en": "nothing about this"}


async def test_the_bot_answers_in_the_language_of_the_one_who_asks(laptop):
    for question, client, language in (
        ("гряг, хто я?", "en", "uk"),
        ("@gryag_bot what do you know about me?", "uk", "en"),
        ("@gryag_bot 🙂?", "uk", "uk"),
        ("@gryag_bot 🙂?", "en", "en"),
    ):
        await laptop.say(question, sender=updates.user(101, "Оля", language_code=client))
        assert NOTHING[language] in laptop.answers[-1], question


async def test_names_do_not_decide_the_language_of_an_answer(laptop):
    await laptop.say("Завтра йдемо в гори, беріть воду", sender=updates.user(102, "Mykola", username="mykola_dron"))
    await laptop.settle()
    for question in ("гряг, де mykola_dron?", "гряг, @mykola_dron де?", "@gryag_bot Mykola?", "@gryag_bot mykola_dron"):
        await laptop.say(question, sender=updates.user(101, "Оля", language_code="uk"))
        assert detect_language(laptop.answers[-1].splitlines()[0]) == "uk", question
    await laptop.say("@gryag_bot, what does mykola_dron cook?", sender=updates.user(101, "Оля", language_code="uk"))
    assert detect_language(laptop.answers[-1].splitlines()[0]) == "en"


async def test_that_there_is_no_model_is_said_once_a_day(laptop):
    for _ in range(3):
        await laptop.say("гряг, які в нас правила?")
    assert [OFFLINE in answer for answer in laptop.answers] == [True, False, False]
    laptop.clock.advance(timedelta(days=1))
    await laptop.say("гряг, які в нас правила?")
    assert OFFLINE in laptop.answers[-1]


async def test_one_message_in_another_language_does_not_change_the_chats(laptop):
    async def spoken():
        await laptop.settle()
        return (await laptop.runtime.app.chats.state(CHAT, fresh=True)).language

    english = "Look at this nice photo of the old castle, it is really great"
    await laptop.say("Сьогодні говоримо українською про погоду")
    assert await spoken() == "uk"
    await laptop.say(english)
    assert await spoken() == "uk"
    for _ in range(10):
        await laptop.say(english)
    assert await spoken() == "en"


async def test_instead_of_an_answer_that_nobody_can_see_the_memory_is_quoted(minded, gemini):
    for unseen in ("[](http://x)", "# ", "```\n```", "> ", "[meta] chat_id=1", "гряг:", "\u200b\u2060"):
        gemini.reply_with(lambda _, unseen=unseen: unseen)
        assert await minded.deliver(minded.says("гряг, які плани?")) == 200
        assert NOTHING["uk"] in minded.answers[-1], unseen
    assert len(minded.answers) == 7


async def test_a_citation_is_sent_as_a_link_and_the_frame_of_the_talk_is_not(minded, gemini):
    await remembering(minded)
    gemini.reply_with(lambda _: "гряг → Оля: Намет у Тараса [#1], не в Марка [#77].\n[RESPOND]")
    await minded.say("гряг, у кого намет?")
    assert minded.answers[-1] == "Намет у Тараса ↗, не в Марка."
    (call,) = [call for call in minded.api.calls if call.method == "sendMessage"]
    assert f'<a href="https://t.me/c/{-CHAT - 10**12}/1">↗</a>' in call.params["text"]


async def test_what_the_cache_served_is_booked_by_day_and_purpose(minded, gemini):
    await minded.say("гряг, привіт")
    day = await minded.store.get(usage_path(CHAT, minded.clock.now().date()))
    assert day.data["answer_calls"] == 1
    assert day.data["answer_cached_tokens"] == day.data["cached_tokens"]


# --- As long as the operator's patience lasts -----------------------------------------------------


async def test_the_model_has_all_of_its_time_however_long_the_files_took(sqlite_store, gemini):
    gemini.reply_with(lambda _: "Мабуть, торт.")
    gemini.delay_next(5)
    async with group_with_files(sqlite_store, gemini, ANSWER_MODEL_SECONDS="8") as group:
        group.api.fail_next("download", delay=20)
        await group.say(None, **photo(), caption="гряг, що на фото?")
        assert group.answers == ["Мабуть, торт."]


async def test_memory_answers_soon_also_when_files_and_model_both_take_too_long(sqlite_store, gemini):
    gemini.delay_next(20, times=9)
    async with group_with_files(sqlite_store, gemini, ANSWER_MODEL_SECONDS="3") as group:
        group.api.fail_next("download", delay=20)
        begun = time.monotonic()
        await group.say(None, **photo(), caption="гряг, що на фото?")
        assert NOTHING["uk"] in group.answers[-1]
        assert LONGEST_WAIT + 3 <= time.monotonic() - begun < 20
