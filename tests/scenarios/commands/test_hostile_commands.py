"""Attacks on commands and buttons: what people type, press, hide and replay, and what breaks while it is dealt with."""

import itertools
from datetime import timedelta

import pytest

from shared.application.chats.migration import begin_migration
from shared.application.commands.buttons import ACTIONS, Action
from shared.application.commands.chat.portrait_drawing import draw_portrait
from shared.application.documents import facts_path, member_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.writes import change_writes
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import MessageRejected
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.facts.group_question import mark_of
from shared.domain.facts.lifecycle import learn
from shared.domain.intake.buttons import Sealed, seal, short_id
from tests.support import updates
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group

ADMIN, MEMBER, OLHA = (102, "Тарас"), (103, "Марко"), (101, "Оля")
RULE = "Нагадую: ніякої політики в чаті!"
NEW = -1_001_000_000_999
MOMENT = timedelta(minutes=3)


async def believe(
    group, value, *, user_id=103, subject="chat", category="rule", chat_id=CHAT, message_id=9_000, **more
):
    """A fact as if it had been learnt; its id."""
    quote = Evidence(group.clock.now() - timedelta(days=1), message_id, user_id, more.pop("quote", f"{value} - так!"))
    about = {"key": f"key_{message_id}", "description": f"Факт: {value}", "authority": Authority.ADMIN, "single": True}
    change = learn(None, Candidate(subject=subject, category=category, value=value, confidence=0.8,
                                   evidence=(quote,), **(about | more)))  # fmt: skip
    await group.store.batch(change_writes(chat_id, change, now=group.clock.now()))
    return change.after.id


async def meet(group, user_id, name, **more):
    seen = {"schema": 1, "user_id": user_id, "name": name, "last_seen_at": group.clock.now()}
    await group.store.upsert(member_path(CHAT, user_id), seen | more)


def shown(group):
    """The newest message as it stands now."""
    return group.shown(group.api.sent[-1].message_id)


# --- what somebody types ---


@pytest.mark.parametrize(
    "text",
    ["Gryag, what happened on 9999-12-31?", "Гряг, що було 31.12.9999?", "гряг 0001-01-01 що було?",
     "Гряг, що було 31 грудня 9999?", "@gryag_bot 9999-12-31", "/gryadrecap 9999-12-31",
     "хто пам'ятає, що було 9999-12-31?"],
)  # fmt: skip
async def test_a_day_at_the_end_of_the_calendar_is_no_day_and_the_chat_goes_on(laptop, text):
    await laptop.say(text, *OLHA)
    await laptop.say("гряг, ти тут?", *MEMBER)

    assert laptop.answers[-1]
    assert await laptop.store.query("dead_letters") == []


# --- what somebody hides ---


async def test_what_a_member_hides_is_not_shown_in_the_group_even_when_they_press_an_old_list(laptop):
    await meet(laptop, *OLHA, username="olha")
    for n in range(10):
        await believe(
            laptop, f"любить чай {n}", user_id=101, subject="user:101", category="preference", message_id=9_100 + n
        )
    await laptop.say("/gryadfacts", *OLHA)
    turn = laptop.pressing("▶", *OLHA)
    await laptop.press("1", *OLHA)
    back = laptop.pressing("До списку", *OLHA)
    await meet(laptop, *OLHA, visibility="nobody")
    for press in (turn, back):
        assert await laptop.deliver(press) == 200
        assert "чай" not in shown(laptop).text
        laptop.clock.advance(MOMENT)


async def test_old_buttons_of_who_opted_out_show_nothing_and_note_nothing(laptop):
    await meet(laptop, *OLHA, username="olha")
    for n in range(10):
        about = {"subject": "user:101", "category": "preference", "message_id": 9_100 + n}
        await believe(laptop, f"любить чай {n}", user_id=101, **about)
    await laptop.say("/gryadfacts", *OLHA)
    hide, turn = laptop.pressing("лише мені", *OLHA), laptop.pressing("▶", *OLHA)
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [101]})
    assert await laptop.deliver(hide) == 200
    assert "/gryadoptin" in laptop.notices[-1]
    assert "visibility" not in (await laptop.store.get(member_path(CHAT, 101))).data
    assert await laptop.deliver(turn) == 200
    assert "чай" not in shown(laptop).text
    assert shown(laptop).buttons == ()


async def test_a_reaction_of_who_hides_a_fact_does_not_show_it_to_the_group(laptop):
    await meet(laptop, *OLHA, username="olha")
    await believe(laptop, "любить чай", user_id=101, subject="user:101", category="preference")
    await laptop.say("/gryadfacts", *OLHA)
    card = laptop.pressing("1", *MEMBER)
    await meet(laptop, *OLHA, visibility="nobody")
    assert await laptop.deliver(card) == 200
    sent = laptop.api.sent[-1].message_id
    reacted = updates.reaction_update(
        "👍", update_id=990, message_id=sent, user=updates.user(*OLHA), date=int(laptop.clock.now().timestamp())
    )
    assert await laptop.deliver(reacted) == 200
    assert "чай" not in shown(laptop).text


async def test_who_hides_a_fact_may_still_have_it_corrected_and_dropped(laptop):
    await meet(laptop, *OLHA, visibility="nobody")
    fact_id = await believe(laptop, "любить чай", user_id=101, subject="user:101", category="preference")
    await laptop.say("/gryadfix чай", *OLHA)
    assert "чай" not in laptop.answers[-1]
    replied = laptop.api.chats[CHAT].message(laptop.api.sent[-1], laptop.api.bot)
    await laptop.say("/gryaddrop", *OLHA, reply_to_message=replied)
    assert "чай" not in laptop.answers[-1]
    assert await laptop.press(laptop.buttons[0], *OLHA) == 200
    document = await laptop.store.get(f"{facts_path(CHAT)}/{fact_id}")
    assert document.data["status"] == "deprecated"


# --- votes ---


async def test_a_reply_to_a_question_is_a_vote_of_members_only(laptop):
    laptop.api.add_chat(CHAT, "supergroup", admins={102}, members={103})
    fact_id = await believe(laptop, "настолки щосереди", category="tradition", authority=Authority.MODEL)
    fact = fact_from_fields((await laptop.store.get(f"{facts_path(CHAT)}/{fact_id}")).data)
    await laptop.say("/gryadhelp")
    told = laptop.api.sent[-1]
    asks = {"command": "gryadfix", "action": "question", "fact": fact_id, "about": mark_of(fact), "conflict": False}
    await laptop.store.update(message_path(CHAT, told.message_id), {"asks": asks})
    reply = laptop.api.chats[CHAT].message(told, laptop.api.bot)
    for user_id, counted in ((600, False), (103, True)):
        await laptop.say("Ні", user_id, "Хтось", reply_to_message=reply)
        fact = fact_from_fields((await laptop.store.get(f"{facts_path(CHAT)}/{fact_id}")).data)
        assert (user_id in {voice.user_id for voice in fact.objectors}) is counted
        assert ("лише учасники" in laptop.answers[-1]) is not counted


# --- a chat that is not read ---


async def test_a_recap_does_not_say_that_nobody_spoke_where_it_does_not_read(laptop):
    await laptop.runtime.app.chats.change(CHAT, {"private_mode": True})
    await laptop.say("Щось", *MEMBER)
    await laptop.say("/gryadrecap", *OLHA)
    assert "приватний режим" in laptop.answers[-1]


# --- a group that became a supergroup ---


def shown_to_have(press, data):
    """The press of a button as if its message had one with this data."""
    press["callback_query"]["message"] = updates.with_button(press["callback_query"]["message"], data)
    return press


async def test_a_press_under_a_message_of_the_old_group_touches_no_message_of_the_new_one(laptop):
    old = -777
    laptop.api.add_chat(old, "group")
    laptop.api.add_chat(NEW, "supergroup", admins={102})
    fact_id = await believe(laptop, "без політики", chat_id=old)
    await laptop.say("/gryadchatfacts", chat=updates.chat(old))
    listed = laptop.api.sent[-1]
    press = laptop.pressing("1", chat_id=old)
    await begin_migration(laptop.runtime.app, old, NEW)
    await laptop.settle()
    innocent = message_path(NEW, listed.message_id)
    await laptop.store.set(innocent, {"schema": 1, "asks": None, "text": "інше"})
    assert await laptop.deliver(press) == 200
    assert (await laptop.store.get(innocent)).data["asks"] is None
    moved = await laptop.store.get(message_path(NEW, migrated_message_id(listed.message_id)))
    assert moved.data["asks"]["fact"] == fact_id


async def test_what_a_press_under_an_old_message_says_replies_to_nothing(laptop):
    old = -777
    laptop.api.add_chat(old, "group")
    laptop.api.add_chat(NEW, "supergroup", admins={102}, members={103})
    fact_id = await believe(laptop, "без політики", chat_id=old)
    await laptop.say("/gryadchatfacts", chat=updates.chat(old))
    await begin_migration(laptop.runtime.app, old, NEW)
    await laptop.settle()
    key = laptop.runtime.app.policy.button_key
    data = seal(key, old, Sealed("whyc", (short_id(fact_id),)))
    pressed = laptop.pressing("1", *MEMBER, chat_id=old, data=data)
    assert await laptop.deliver(shown_to_have(pressed, data)) == 200
    said = laptop.api.sent[-1]
    assert (said.chat_id, said.reply_to) == (NEW, None)


async def test_a_picture_that_was_asked_for_in_the_old_group_replies_to_no_message_of_the_new_one(laptop):
    old = -777
    laptop.api.add_chat(NEW, "supergroup", admins={102})
    await begin_migration(laptop.runtime.app, old, NEW)
    await laptop.settle()
    await draw_portrait(laptop.runtime.app, {"chat_id": old, "message_id": 5, "thread_id": None, "language": "uk"})
    (said,) = laptop.api.sent
    assert (said.chat_id, said.reply_to) == (NEW, None)


# --- when telling who pressed fails ---


@pytest.mark.parametrize(
    "fault",
    [{"status": 403, "description": "Forbidden: whatever"}, {"status": 400, "description": "Bad Request: whatever"}],
    ids=["403", "400"],
)
async def test_a_press_that_cannot_be_acknowledged_is_done_all_the_same(laptop, fault):
    await believe(laptop, "без політики")
    await laptop.say("/gryadchatfacts")
    laptop.api.fail_next("answerCallbackQuery", **fault)
    assert await laptop.press("1") == 200
    assert "Хто це сказав" in shown(laptop).text
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active


async def refuse(app, press):
    """An action that can never be carried out."""
    raise MessageRejected("never")


@pytest.mark.parametrize(("language", "told"), [("uk", "Не вийшло"), ("en", "did not work out")])
async def test_who_presses_what_fails_for_good_is_told_so_and_does_not_wait(laptop, monkeypatch, language, told):
    await believe(laptop, "без політики")
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"language": language}})
    await laptop.say("/gryadchatfacts")
    monkeypatch.setitem(ACTIONS, "card", Action("card", "everybody", lambda: refuse))
    press = laptop.pressing("1")
    for _ in range(2):  # nor is it tried again
        assert await laptop.deliver(press) == 200
        assert [told in notice for notice in laptop.notices] == [True]
        laptop.clock.advance(MOMENT)


@pytest.mark.parametrize("method", ["getChatAdministrators", "editMessageText"])
async def test_a_press_that_telegram_does_not_take_now_is_tried_again_and_done_once(laptop, method):
    fact_id = await believe(laptop, "без політики")
    await laptop.say("/gryadchatfacts")
    await laptop.press("1")
    press = laptop.pressing("Закріпити", *ADMIN)
    laptop.api.fail_next(method, status=503, times=2)
    assert await laptop.deliver(press) == 200
    await laptop.answer_later()
    assert "закріплено" in shown(laptop).text
    versions = [d async for d in laptop.store.subtree(f"{facts_path(CHAT)}/{fact_id}") if "/versions/" in d.path]
    assert len(versions) == 2


# --- dying in the middle ---


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_press_that_dies_anywhere_is_done_once_when_it_is_delivered_again(sqlite_store, after):
    async with running_group(sqlite_store) as laptop:
        fact_id = await believe(laptop, "без політики")
        await laptop.say("/gryadchatfacts")
        await laptop.press("1")
        press = laptop.pressing("Закріпити", *ADMIN)
        for die_at in itertools.count(1):
            laptop.store.arm(die_at, after=after)
            try:
                status = await laptop.deliver(press)
                survived = status == 200
            except Crashed:
                survived = False
            laptop.store.arm(None)
            laptop.clock.advance(MOMENT)
            if survived:
                break
            assert die_at < 40
        assert await laptop.deliver(press) == 200
        assert "закріплено" in shown(laptop).text
        versions = [d async for d in laptop.store.subtree(f"{facts_path(CHAT)}/{fact_id}") if "/versions/" in d.path]
        assert len(versions) == 2


# --- questions of the bot that are stored otherwise than now ---

OTHERWISE = (
    {},
    {"fact": "x"},
    {"action": "fix"},
    {"command": "gone", "action": "card", "fact": "0" * 32},
    {"command": "gryadfix", "action": "gone"},
    "talk",
    7,
)


async def test_a_reply_to_a_question_of_another_version_is_talk(laptop):
    await laptop.say("/gryadhelp")
    told = laptop.api.sent[-1]
    reply = laptop.api.chats[CHAT].message(told, laptop.api.bot)
    for asks in OTHERWISE:
        await laptop.store.update(message_path(CHAT, told.message_id), {"asks": asks})
        before = len(laptop.answers)
        await laptop.say("Дякую, зрозуміло, що далі?", *MEMBER, reply_to_message=reply)
        assert len(laptop.answers) == before + 1


# --- the time of a recap ---


async def test_a_recap_says_since_when_in_the_chats_own_time(laptop):
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"timezone": "Europe/Kyiv"}})
    await laptop.say("Я відійду", *OLHA)
    for n in range(3):
        await laptop.say(f"Щось сталося {n}", *MEMBER)
    await laptop.settle()
    await laptop.say("/gryadrecap", *OLHA)
    assert "з 06.11 20:00" in laptop.answers[-1]


# --- words that pretend to be somebody's ---


FORGED = "гаразд» - Тарас, 06.11.2026 «Адмін: так"


async def test_a_quote_cannot_end_our_quotation_marks_and_go_on_as_anothers(laptop):
    await meet(laptop, *OLHA, username="olha")
    await believe(laptop, "щось", user_id=101, quote=FORGED)
    await believe(laptop, "ще щось", user_id=101, subject="user:101", category="goal", message_id=9_001, quote=FORGED)
    await laptop.say("/gryadchatfacts")
    await laptop.press("1")
    assert "«гаразд“ - Тарас, 06.11.2026 „Адмін: так» - Оля" in shown(laptop).text
    await meet(laptop, *OLHA, visibility="nobody")
    laptop.api.add_chat(101, "private")
    await laptop.say("/gryadfacts", *OLHA)
    file = laptop.api.sent[-1].file.content.decode()
    assert "«гаразд“ - Тарас, 06.11.2026 „Адмін: так» - Оля" in file


async def test_in_english_too(laptop):
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"language": "en"}})
    await believe(laptop, "x", user_id=101, quote='fine” - Taras, 06.11.2026 "so"')
    await laptop.say("/gryadchatfacts")
    await laptop.press("1")
    assert "“fine’ - Taras, 06.11.2026 'so'” - somebody" in shown(laptop).text


# --- the picture ---


async def test_the_longest_portrait_in_words_fits_under_the_picture(laptop):
    for n in range(24):
        await laptop.say(f"Слово за слово {n} 😂", *MEMBER)
    await laptop.settle()
    culture = {"text": "<b>😀" * 500, "made_at": laptop.clock.now(), "speakers": []}
    await laptop.runtime.app.chats.change(CHAT, {"culture_summary": culture, "title": "</b> $x$ \\ \u202e" * 20})
    await laptop.say("/gryadprofile", *OLHA)
    await laptop.settle()
    (told,) = laptop.api.sent
    assert told.file is not None
    assert "<b>😀" in told.text


# --- topics ---


async def test_what_a_press_says_stays_in_the_topic_of_its_message(laptop):
    forum, topic = -1_001_000_000_777, 7
    laptop.api.add_chat(forum, "supergroup", admins={102}, is_forum=True)
    fact_id = await believe(laptop, "без політики", chat_id=forum)
    where = {"chat": updates.chat(forum, is_forum=True), "message_thread_id": topic, "is_topic_message": True}
    await laptop.say("/gryadchatfacts", *MEMBER, **where)
    key = laptop.runtime.app.policy.button_key
    data = seal(key, forum, Sealed("whyc", (short_id(fact_id),)))
    assert await laptop.deliver(shown_to_have(laptop.pressing("1", *MEMBER, data=data), data)) == 200
    assert (laptop.api.sent[-1].chat_id, laptop.api.sent[-1].thread_id) == (forum, topic)
    assert "Хто це сказав" in laptop.answers[-1]
