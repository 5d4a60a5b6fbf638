"""What people are shown of the memory: lists, cards, whose facts are whose to see, and what does not age."""

import pytest

from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.application.chats.migration import begin_migration
from shared.application.documents import facts_path, member_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.moderation import drop_fact
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import CHAT_CATEGORIES, Status
from shared.domain.text.plain import TELEGRAM_LIMIT, utf16_length
from tests.support import updates
from tests.support.builders import message
from tests.support.commands.cards import ADMIN, DAY, MEMBER, OLHA, about, believe, fact, proposed, shown
from tests.support.group import CHAT

RULE = "Нагадую: ніякої політики в чаті!"


async def believe_many(group, count, **more):
    await believe(group, *(proposed(group, f"правило {n:03}", key=f"rule_{n}", **more) for n in range(count)))


async def meet(group, user_id, name, username=None, *, days=0, **more):
    """A member as extraction knows them."""
    seen = {"user_id": user_id, "name": name, "username": username, "last_seen_at": group.clock.now() - days * DAY}
    await group.store.upsert(member_path(CHAT, user_id), seen | more)


async def opt_out(group, *user_ids):
    await group.runtime.app.chats.change(CHAT, {"opted_out": list(user_ids)})


# --- what is known of the chat -------------------------------------------------------------------


async def test_what_was_learnt_is_listed_by_category_with_confidence_and_a_link_to_its_quote(group):
    await group.say(RULE, *ADMIN)
    await group.settle()
    await group.say("/gryadchatfacts")
    assert "Правила" in group.answers[-1]
    assert "1. " in group.answers[-1]
    assert "▰▰▰▰▰ 92% · цитат: 1" in group.answers[-1]
    assert '<a href="https://t.me/c/1000000001/1">цитат: 1</a>' in group.api.sent[-1].raw
    await group.press("1", *MEMBER)
    assert f"«{RULE}» - Тарас, 06.11.2026" in shown(group).text
    assert await group.press("До списку", *MEMBER) == 200
    assert shown(group).text == group.answers[-1]


@pytest.mark.parametrize(("language", "says"), [("uk", "ще нічого не знаю"), ("en", "know nothing")])
async def test_a_chat_that_taught_nothing_is_told_how_it_learns(laptop, language, says):
    await laptop.say("/gryadchatfacts", sender=updates.user(*OLHA, language_code=language))
    assert says in laptop.answers[-1]
    assert "/gryadremember" in laptop.answers[-1]


@pytest.mark.parametrize("named", ["правила", "Правило", "rules", "RULE", "rule"])
async def test_a_category_is_named_in_either_language_or_by_its_key(laptop, named):
    await believe(laptop, proposed(laptop, "без політики"), proposed(laptop, "піца", category="tradition"))
    await laptop.say(f"/gryadchatfacts {named}")
    assert "без політики" in laptop.answers[-1]
    assert "піца" not in laptop.answers[-1]
    assert "• Правила" in laptop.buttons
    await laptop.press("Усі")
    assert "піца" in shown(laptop).text


async def test_a_category_that_there_is_not_is_answered_with_those_that_there_are(laptop):
    await believe(laptop, proposed(laptop, "без політики"), proposed(laptop, "піца", category="tradition"))
    await laptop.say("/gryadchatfacts <b>погода")
    assert "«<b>погода»" in laptop.answers[-1]
    assert "Традиції, Правила" in laptop.answers[-1]
    await laptop.say("/gryadchatfacts події")
    assert "«Події» поки нічого немає" in laptop.answers[-1]
    assert "Традиції" in laptop.buttons


async def test_pages_turn_in_place_and_keep_their_order_while_nothing_changes(laptop):
    await believe_many(laptop, 20)
    await laptop.say("/gryadchatfacts")
    first = laptop.answers[-1]
    assert "1/3" in laptop.buttons
    seen = [first]
    for _ in range(2):
        await laptop.press("▶")
        seen.append(shown(laptop).text)
    assert "17." in seen[-1]
    assert all(sum(f"правило {n:03}" in page for page in seen) == 1 for n in range(20))
    laptop.clock.advance(60 * DAY)
    for _ in range(2):
        await laptop.press("◀")
    assert shown(laptop).text == first
    assert len(laptop.api.sent) == 1


async def test_a_page_that_is_gone_shows_the_last_one(laptop):
    await believe_many(laptop, 9)
    await laptop.say("/gryadchatfacts")
    press = laptop.pressing("▶")
    (first, *_) = await laptop.store.query(facts_path(CHAT))
    await drop_fact(laptop.runtime.app, CHAT, first.id, user_id=102, cause=Cause.DROPPED_BY_ADMIN)
    assert await laptop.deliver(press) == 200
    assert "8." in shown(laptop).text
    assert not any("▶" in label for label in laptop.buttons)


async def test_the_longest_facts_of_all_stay_within_a_message_and_cannot_write_as_the_bot(laptop):
    hostile = "</b>\n<b>9. Адмін сказав</b> " + "🥦" * 400
    for n, category in enumerate(CHAT_CATEGORIES * 2):
        await believe(laptop, proposed(laptop, f"{n}", category=category, description=hostile, key=f"k{n}"))
    await laptop.say("/gryadchatfacts")
    assert utf16_length(laptop.answers[-1]) <= TELEGRAM_LIMIT
    assert laptop.answers[-1].count("</b> <b>9. Адмін сказав</b>") == 8
    await laptop.press("1")
    assert utf16_length(shown(laptop).text) <= TELEGRAM_LIMIT
    assert shown(laptop).text.startswith("</b> <b>9. Адмін")


async def test_facts_of_another_chat_are_not_shown_here(laptop):
    await believe(laptop, proposed(laptop, "наша таємниця"))
    await laptop.say("/gryadchatfacts")
    press = laptop.pressing("1")
    laptop.api.add_chat(-1_001_777, "supergroup")
    elsewhere = updates.chat(-1_001_777)
    await laptop.say("/gryadchatfacts", chat=elsewhere)
    assert "таємниця" not in laptop.answers[-1]
    press["callback_query"]["message"]["chat"] = elsewhere
    assert await laptop.deliver(press) == 200
    assert "не діє" in laptop.notices[-1]


async def test_a_list_of_two_hundred_facts_costs_one_read_more_than_any_command(laptop):
    await believe_many(laptop, 200)
    await laptop.say("/gryadchatfacts")  # the first one makes the profile
    cost = {}
    for text in ("/gryadchatfacts", "/gryadhelp"):
        await laptop.runtime.app.chats.state(CHAT, fresh=True)
        before = laptop.store.usage.reads
        await laptop.say(text)
        cost[text] = laptop.store.usage.reads - before
    assert cost["/gryadchatfacts"] == cost["/gryadhelp"] + 1


# --- what is known of people ---------------------------------------------------------------------


async def test_everybody_sees_what_is_known_of_themselves_and_may_hide_it_from_others(group):
    group.api.add_chat(101, "private")
    await meet(group, *OLHA, "olha")
    await about(group, 101, "любить чай")
    await group.say("/gryadfacts", *OLHA)
    assert "Оля: що я знаю" in group.answers[-1]
    assert "любить чай" in group.answers[-1]
    assert "бачити всі в чаті" in group.answers[-1]
    listed = group.api.sent[-1].message_id
    await group.press("лише мені", *MEMBER)
    assert "не для вас" in group.notices[-1]
    await group.press("лише мені", *OLHA)
    assert "чай" not in group.shown(listed).text
    await group.say("/gryadfacts @olha", *MEMBER)
    assert "чай" not in group.answers[-1]
    await group.press("Показувати всім", *OLHA)
    assert "чай" in group.shown(listed).text
    await group.say("/gryadfacts @olha", *MEMBER)
    assert "чай" in group.answers[-1]
    assert not group.api.sent[-1].buttons[-1][-1][0].startswith("Показувати")


async def test_who_hides_what_is_known_gets_it_as_a_file_in_private_and_nobody_else_learns_whether_there_is_any(laptop):
    laptop.api.add_chat(101, "private")
    await meet(laptop, *OLHA, "olha", visibility="nobody")
    await meet(laptop, *MEMBER, "marko", visibility="nobody")
    await about(laptop, 101, "любить чай")
    await laptop.say("/gryadfacts", *OLHA)
    private = laptop.api.sent[-1]
    assert private.chat_id == 101
    assert "любить чай" in private.file.content.decode()
    assert all("чай" not in sent.text for sent in laptop.api.sent)
    assert await laptop.store.get(message_path(101, private.message_id)) is None
    await laptop.say("/gryadfacts @olha", *ADMIN)
    await laptop.say("/gryadfacts @marko", *ADMIN)
    assert laptop.answers[-1] == laptop.answers[-2]
    assert "нічого не розповідаю" in laptop.answers[-1]


async def test_who_cannot_be_written_to_is_told_how(laptop):
    await meet(laptop, *OLHA, "olha", visibility="nobody")
    await laptop.say("/gryadfacts", *OLHA)
    assert "@gryag_bot" in laptop.answers[-1]
    assert laptop.api.sent[-1].chat_id == CHAT


async def test_old_lists_and_cards_of_somebody_who_hides_them_now_show_nothing_to_others(laptop):
    await meet(laptop, *OLHA, "olha")
    await about(laptop, 101, "любить чай", "любить каву")
    await laptop.say("/gryadfacts @olha", *MEMBER)
    listed = laptop.pressing("2", *MEMBER)
    await laptop.press("1", *MEMBER)
    back = laptop.pressing("До списку", *MEMBER)
    await meet(laptop, *OLHA, "olha", visibility="nobody")
    for press in (listed, back):
        assert await laptop.deliver(press) == 200
    assert "чай" not in shown(laptop).text
    assert "каву" not in shown(laptop).text


async def test_a_username_means_whoever_was_seen_last_under_it_however_it_is_spelt(laptop):
    await meet(laptop, *OLHA, "Olha", days=30)
    await meet(laptop, *MEMBER, "Olha", days=2)
    await meet(laptop, 104, "Ганна", "hanna")
    await about(laptop, 101, "любить чай")
    await about(laptop, 103, "любить каву")
    for spelt in ("@Olha", "@olha", "@OLHA"):
        await laptop.say(f"/gryadfacts {spelt}", *ADMIN)
        assert "каву" in laptop.answers[-1]
        assert "чай" not in laptop.answers[-1]


async def test_somebody_is_also_meant_by_a_mention_without_a_username_and_by_a_reply(laptop):
    await meet(laptop, *OLHA)
    await about(laptop, 101, "любить чай")
    text = "/gryadfacts Оля"
    entities = [{"type": "bot_command", "offset": 0, "length": 11},
                {"type": "text_mention", "offset": 12, "length": 3, "user": updates.user(*OLHA)}]  # fmt: skip
    await laptop.say(text, *ADMIN, entities=entities)
    assert "чай" in laptop.answers[-1]
    said = updates.message("Люблю чай", message_id=7, sender=updates.user(*OLHA))
    await laptop.say("/gryadfacts", *ADMIN, reply_to_message=said)
    assert "чай" in laptop.answers[-1]


async def test_a_reply_to_the_bot_means_oneself(laptop):
    await meet(laptop, *OLHA)
    await about(laptop, 101, "любить чай")
    await laptop.say("/gryadhelp", *OLHA)
    helped = laptop.api.chats[CHAT].message(laptop.api.sent[-1], laptop.api.bot)
    await laptop.say("/gryadfacts", *OLHA, reply_to_message=helped)
    assert "любить чай" in laptop.answers[-1]


@pytest.mark.parametrize("typed", ["Оля", "оля", "Олю", "Olia", "Ольга Коваль", "Коваль"])
async def test_a_member_is_found_by_a_name_that_only_they_have(laptop, typed):
    await meet(laptop, 101, "Ольга Коваль" if "Коваль" in typed else "Оля", "olha")
    await meet(laptop, *MEMBER)
    await believe(laptop, proposed(laptop, "любить чай", 101, subject="user:101", category="preference"))
    await laptop.say(f"/gryadfacts {typed}", *MEMBER)
    assert "любить чай" in laptop.answers[-1]


@pytest.mark.parametrize(("language", "says"), [("uk", "кілька людей на ім'я Оля"), ("en", "Several people")])
async def test_of_several_with_one_name_a_button_chooses(group, language, says):
    await group.runtime.app.chats.change(CHAT, {"settings": {"language": language}})
    await meet(group, 101, "Оля", "olha")
    await meet(group, 110, "Оля Бондар", days=3)
    await meet(group, 111, "Оля", "hidden", days=4, visibility="nobody")
    await meet(group, 112, "Оля", "gone", days=5)
    await opt_out(group, 112)
    for user_id, what in ((101, "любить чай"), (110, "любить каву"), (111, "любить сік")):
        await believe(group, proposed(group, what, user_id, subject=f"user:{user_id}", category="preference"))
    await group.say("/gryadfacts Оля", *MEMBER)
    assert says in group.answers[-1]
    assert "/gryadfacts @name" in group.answers[-1]
    assert group.buttons == ["Оля (@olha)", "Оля Бондар", "Оля (@hidden)"]
    asked = group.api.sent[-1].message_id
    await group.press("Бондар", *MEMBER)
    assert "любить каву" in group.shown(asked).text
    await group.say("/gryadfacts Оля", *MEMBER)
    await group.press("hidden", *MEMBER)
    assert "любить сік" not in shown(group).text


async def test_who_types_their_own_name_sees_their_own_and_of_nobody_known_it_is_said_in_words(laptop):
    await meet(laptop, *MEMBER)
    await laptop.say("/gryadfacts Марко", *MEMBER)
    assert "ще нічого не знаю про вас" in laptop.answers[-1]
    await laptop.say("/gryadfacts Марко", *ADMIN)
    assert "Марко: про цю людину я поки нічого не знаю" in laptop.answers[-1]
    stranger = updates.message("?", message_id=77, sender=updates.user(120, "Нова"))
    await laptop.say("/gryadfacts", *ADMIN, reply_to_message=stranger)
    assert "Про цю людину я поки нічого не знаю" in laptop.answers[-1]


@pytest.mark.parametrize("typed", ["@nobody", "Петро", "@", "<b>@x", "Оля Бондар"])
async def test_a_name_that_nobody_has_is_answered_with_how_names_work(laptop, typed):
    await meet(laptop, *OLHA, "olha")
    await laptop.say(f"/gryadfacts {typed}", *ADMIN)
    assert f"на ім'я {typed}" in laptop.answers[-1]
    assert "/gryadfacts @name" in laptop.answers[-1]


async def test_in_private_everything_is_ones_own(laptop):
    laptop.api.add_chat(101, "private")
    await laptop.say("/gryadfacts", *OLHA, chat=updates.chat(101))
    assert "ще нічого не знаю про вас" in laptop.answers[-1]
    assert not laptop.api.sent[-1].buttons


# --- who opted out -------------------------------------------------------------------------------


async def test_who_opted_out_is_quoted_in_no_list_and_no_card_and_nothing_about_them_is_shown(group):
    await meet(group, *OLHA, "olha")
    theirs, ours = await believe(group, proposed(group, "лише Оля", 101), proposed(group, "разом", 101, 103))
    await about(group, 101, "любить чай")
    await group.say("/gryadchatfacts")
    presses = [group.pressing(label) for label in ("1", "2")]
    assert "лише Оля" in group.answers[-1]
    await opt_out(group, 101)
    await group.say("/gryadchatfacts", *MEMBER)
    assert "лише Оля" not in group.answers[-1]
    assert "разом" in group.answers[-1]
    seen = []
    for press in presses:
        await group.deliver(press)
        seen.append(group.api.edited[-1].text)
    assert sorted(("Цього факту вже немає" in text, text.count("- так!")) for text in seen) == [(False, 1), (True, 0)]
    await group.say("/gryadfacts @olha", *MEMBER)
    assert "нічого не розповідаю" in group.answers[-1]
    await group.say("/gryadfacts", *OLHA)
    assert "/gryadoptin" in group.answers[-1]
    assert {(await fact(group, each)).status for each in (theirs, ours)} == {Status.ACTIVE}


async def test_an_answer_says_nothing_of_somebody_who_opted_out(laptop):
    await meet(laptop, *OLHA, "olha")
    await about(laptop, 101, "любить чай")
    await believe(laptop, proposed(laptop, "без політики", 101))
    for who in (OLHA, MEMBER):
        await laptop.say("Гряг, що ти знаєш про чай і політику?", *who)
    assert any("політики" in answer or "чай" in answer for answer in laptop.answers)
    before = len(laptop.answers)
    await opt_out(laptop, 101)
    await laptop.say("Гряг, що ти знаєш про чай і політику?", *MEMBER)
    assert len(laptop.answers) > before
    assert all("політики" not in answer and "чай -" not in answer for answer in laptop.answers[before:])


async def test_an_answer_tells_others_no_facts_about_who_hides_them(laptop):
    app, facts = laptop.runtime.app, {}
    await meet(laptop, *OLHA, "olha")
    await laptop.say("Я люблю чай", *OLHA)
    await laptop.settle()
    await about(laptop, 101, "любить тишу")
    for chosen in ("group", "nobody"):
        await meet(laptop, *OLHA, "olha", visibility=chosen)
        state = await app.chats.state(CHAT)
        asked = message(
            "Що любить Оля?", message_id=900, user_id=103, name="Марко", chat_id=CHAT, sent_at=app.clock.now()
        )
        gathered = await gather(app, state, UserQuestion(asked, asked.text, "uk", None), "rules")
        facts[chosen] = {fact.value for fact in gathered.material.named}
    assert "любить тишу" in facts["group"]
    assert facts["nobody"] == set()


async def test_who_hides_what_is_known_hides_it_in_the_supergroup_too(laptop):
    old, new = -777, -1_009_999
    for chat_id, kind in ((old, "group"), (new, "supergroup")):
        laptop.api.add_chat(chat_id, kind)
        member = {"schema": 1, "user_id": 101, "name": "Оля"} | ({"visibility": "nobody"} if chat_id == old else {})
        await laptop.store.set(member_path(chat_id, 101), member)
    await begin_migration(laptop.runtime.app, old, new)
    await laptop.settle()
    moved = await laptop.store.get(member_path(new, 101))
    assert moved.data["visibility"] == "nobody"


# --- the card ------------------------------------------------------------------------------------


async def test_a_card_shows_who_says_otherwise_and_their_card_is_a_button_away(laptop):
    friday = proposed(laptop, "п'ятниця", 102, category="tradition", key="meeting")
    saturday = proposed(laptop, "субота", 103, category="tradition", key="meeting", authority=Authority.MODEL)
    await believe(laptop, friday)
    (found,) = await laptop.store.query(facts_path(CHAT))
    await believe(laptop, saturday, before=fact_from_fields(found.data))
    await laptop.say("/gryadchatfacts")
    await laptop.press("1")
    assert "Факт: п'ятниця" in shown(laptop).text.splitlines()[0]
    assert "Інші кажуть: Факт: субота" in shown(laptop).text
    await laptop.press("Інша думка")
    assert "Факт: субота" in shown(laptop).text.splitlines()[0]
    assert "Інші кажуть: Факт: п'ятниця" in shown(laptop).text
    assert "Закріпити" not in "".join(laptop.buttons)


async def test_a_reply_to_a_card_means_its_fact_and_to_a_list_nothing(laptop):
    (fact_id,) = await believe(laptop, proposed(laptop, "без політики"))
    await laptop.say("/gryadchatfacts")
    path = message_path(CHAT, laptop.api.sent[-1].message_id)
    await laptop.press("1")
    asks = (await laptop.store.get(path)).data["asks"]
    assert (asks["command"], asks["action"], asks["fact"]) == ("gryadfix", "card", fact_id)
    await laptop.press("До списку")
    assert (await laptop.store.get(path)).data["asks"] is None


async def test_the_way_back_leads_to_the_page_and_category_from_which_a_card_was_opened(laptop):
    await believe_many(laptop, 10)
    await believe(laptop, proposed(laptop, "піца", category="tradition"))
    await laptop.say("/gryadchatfacts правила")
    await laptop.press("▶")
    page = shown(laptop).text
    await laptop.press("9")
    await laptop.press("До списку")
    assert shown(laptop).text == page
    assert "• Правила" in laptop.buttons


async def test_the_card_of_a_fact_that_was_dropped_says_so(laptop):
    (fact_id,) = await believe(laptop, proposed(laptop, "без політики"))
    await laptop.say("/gryadchatfacts")
    await drop_fact(laptop.runtime.app, CHAT, fact_id, user_id=102, cause=Cause.DROPPED_BY_ADMIN)
    await laptop.press("1")
    assert "Уже не чинне" in shown(laptop).text
    assert laptop.buttons == ["◀ До списку"]
    await laptop.press("До списку")
    assert "ще нічого не знаю" in shown(laptop).text


# --- what does not age ---------------------------------------------------------------------------
