"""How commands behave among people and other bots, and when Telegram or the store fails while one is carried out."""

import itertools
from datetime import timedelta

import pytest

from shared.application.commands.table import COMMANDS
from shared.application.delivery.ledger_codec import LEASE
from shared.application.documents import chat_path, facts_path
from tests.support import updates
from tests.support.group import CHAT, running_group

OLYA, ADMIN, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")
UNLIMITED = {"ASKS_PER_USER_PER_HOUR": "1000", "ASKS_PER_CHAT_PER_HOUR": "1000"}
BY_A_WORKER = ("gryadprofile", "gryadexport")
RESTS = {"uk": "я перепочину до", "en": "take a break until"}


@pytest.fixture
async def laptop(sqlite_store):
    async with running_group(sqlite_store, **UNLIMITED) as running:
        yield running


async def learnt(group):
    """A rule, a member's home, and both private chats open to the bot."""
    for who in (OLYA, ADMIN):
        group.api.add_chat(who[0], "private")
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.say("Я живу у Полтаві", *OLYA)
    await group.settle()


async def answered(group, before):
    """How many messages came, by a worker too."""
    await group.tasks.dispatch_due(group.clock.now())
    return len(group.api.sent) - before


# --- which commands are ours --------------------------------------------------------------------


async def test_no_command_for_another_bot_is_answered_and_ours_is_in_any_spelling_of_its_name(laptop):
    await learnt(laptop)
    for name in COMMANDS:
        for typed in (f"/{name}@other_bot", f"/{name}@gryag_bot_2 щось", f"скажу /{name}", f"@other_bot /{name}"):
            await laptop.say(typed, *ADMIN)
    for typed in ("/start", "/help", "/settings", "/gryad@other_bot", "/help@other_bot"):
        await laptop.say(typed, *ADMIN)
    assert laptop.answers == []
    assert not any("maintenance" in each.task.http_request.url for each in laptop.tasks.tasks.values())
    for typed in ("/gryadhelp", "/gryadhelp@gryag_bot", "/GryadHelp@GRYAG_BOT", "/help@gryag_bot", "/start@gryag_bot"):
        await laptop.say(typed, *MARKO)
        assert "/gryadchatfacts" in laptop.answers[-1]
    assert len(laptop.answers) == 5


async def test_what_is_forwarded_or_said_by_a_bot_is_no_command(laptop):
    origin = {"type": "user", "date": updates.START, "sender_user": updates.user(*ADMIN)}
    for name in COMMANDS:
        await laptop.say(f"/{name}", *ADMIN, forward_origin=origin)
        await laptop.say(f"/{name}", sender=updates.user(900, "Bot", is_bot=True))
    assert laptop.answers == []
    assert await answered(laptop, 0) == 0


# --- how many -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["uk", "en"])
async def test_over_the_limit_a_notice_comes_once_and_then_nothing_until_the_hour_is_over(sqlite_store, language):
    sender = updates.user(103, "Marko", language_code=language)
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="3") as group:
        begun = group.clock.now()
        for name in ("gryadhelp", "gryadchatfacts", "gryadfacts", *COMMANDS):
            await group.say(f"/{name}", sender=sender)
        assert len(group.answers) == 4
        assert RESTS[language] in group.answers[-1]
        assert await answered(group, 4) == 0
        assert await group.store.query("dead_letters") == []
        group.clock.advance(begun + timedelta(hours=1, minutes=10) - group.clock.now())
        await group.say("/gryadhelp", sender=sender)
        assert len(group.answers) == 5
        assert RESTS[language] not in group.answers[-1]


async def test_what_an_opted_out_member_may_still_say_to_the_bot_is_limited_like_all_else(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="2") as group:
        for name in ("gryadoptout", "gryadoptin", "gryadoptout", "gryadoptin"):
            await group.say(f"/{name}", *MARKO)
        assert [RESTS["uk"] in answer for answer in group.answers] == [False, False, True]


# --- when Telegram wants a pause ----------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_pause_that_telegram_asks_for_is_kept_and_the_answer_comes_once(laptop, name):
    await learnt(laptop)
    before = len(laptop.api.sent)
    for method in ("sendMessage", "sendDocument", "sendPhoto"):
        laptop.api.fail_next(method, status=429, retry_after=60)
    update = laptop.says(f"/{name}", *ADMIN)
    assert await laptop.deliver(update) == 200
    await laptop.tasks.dispatch_due(laptop.clock.now())
    assert len(laptop.api.sent) == before
    for _ in range(3):
        laptop.clock.advance(timedelta(seconds=90))
        assert await laptop.deliver(update) == 200
        await laptop.tasks.dispatch_due(laptop.clock.now())
    assert len(laptop.api.sent) == before + 1
    assert await laptop.store.query("dead_letters") == []


# --- when the store goes away -------------------------------------------------------------------


HELD = timedelta(minutes=5)
"""What is held of a chat is read anew after it, so that every try asks the store as often."""


async def until_unharmed(group, begin, finished, *, after):
    """Carry something out with the store dying at its first call, at its second, and so on until none is left.

    Args:
        begin: Makes everything ready; the update.
        finished: Whether what the update asks for is done, and was done once.
    Returns:
        How many calls of the store it takes, and one.
    """
    twice, die_at, is_unharmed = 0, 0, False
    while not is_unharmed:
        die_at += 1
        update = await begin()
        said, shown = len(group.api.sent), len(group.api.edited)
        group.store.arm(die_at, after=after)
        went_well = await group.deals_with(update)
        is_unharmed = group.store.calls < die_at
        group.store.arm(None)
        assert is_unharmed == went_well
        for _ in range(2):
            group.clock.advance(LEASE + HELD)
            assert await group.deals_with(update)
        came = len(group.api.sent) - said + len(group.api.edited) - shown
        assert await finished(), f"not finished after dying at call {die_at}"
        assert 1 <= came <= 2 or "callback_query" in update, f"{came} answers after dying at call {die_at}"
        twice += came == 2
    assert came == 1
    if "callback_query" not in update:
        assert twice == (not after), "what was sent when its sender died before it could say so comes again"
    return die_at


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_the_list_of_facts_comes_once_wherever_the_store_dies(laptop, after):
    await learnt(laptop)

    async def begin():
        return laptop.says("/gryadfacts", *OLYA)

    async def finished():
        return len(await laptop.facts()) == 2 and (not laptop.answers or "Полтав" in laptop.answers[-1])

    assert await until_unharmed(laptop, begin, finished, after=after) > 5


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_correction_is_made_once_wherever_the_store_dies(laptop, after):
    await learnt(laptop)
    cities = itertools.cycle(["Одесі", "Києві", "Харкові", "Львові"])
    wanted = []

    async def begin():
        await laptop.say("/gryadfix живу", *OLYA)
        card = laptop.api.chats[CHAT].message(laptop.api.sent[-1], laptop.api.bot)
        wanted.append(next(cities))
        return laptop.says(f"/gryadfix Я живу в {wanted[-1]}", *OLYA, reply_to_message=card)

    async def finished():
        (home,) = [f for f in await laptop.facts() if f["subject"] == "user:101" and f["status"] == "active"]
        (document,) = [d for d in await laptop.store.query(facts_path(CHAT)) if d.data["subject"] == "user:101"]
        versions = await laptop.store.query(f"{document.path}/versions")
        numbers = [version.data["change"] for version in versions]
        return wanted[-1][:-1] in home["description"] and len(numbers) == len(wanted) + 1

    assert await until_unharmed(laptop, begin, finished, after=after) > 8


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_opting_out_holds_wherever_the_store_dies(laptop, after):
    await learnt(laptop)

    async def begin():
        if OLYA[0] in await silent():
            await laptop.say("/gryadoptin", *OLYA)
        return laptop.says("/gryadoptout", *OLYA)

    async def silent():
        return (await laptop.store.get(chat_path(CHAT))).data.get("opted_out") or []

    async def finished():
        await laptop.say("Я таємно люблю пастернак", *OLYA)
        said = [message["text"] for message in await laptop.messages()]
        return (await silent()).count(OLYA[0]) == 1 and "Я таємно люблю пастернак" not in said

    assert await until_unharmed(laptop, begin, finished, after=after) > 3


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_pressed_setting_is_chosen_wherever_the_store_dies(laptop, after):
    await learnt(laptop)
    labels = itertools.cycle([("найменше", "minimal"), ("більше", "extended")])
    wanted = []

    async def begin():
        await laptop.say("/gryadsettings", *ADMIN)
        await laptop.press("Пам'ять", *ADMIN)
        label, code = next(labels)
        wanted.append(code)
        return laptop.pressing(label, *ADMIN)

    async def finished():
        chosen = (await laptop.store.get(chat_path(CHAT))).data["settings"]["memory_profile"]
        return chosen == wanted[-1]

    assert await until_unharmed(laptop, begin, finished, after=after) > 5
