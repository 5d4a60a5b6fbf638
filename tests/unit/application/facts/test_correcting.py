"""Replies in plain words to a card that must not correct its fact: jokes, other matters, and whoever may not."""

from datetime import timedelta

import pytest

from shared.application.documents import facts_path
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Status
from tests.support.group import CHAT
from tests.unit.application.commands.facts.test_fix import believe, card, replied, stored

OLYA, TARAS, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")  # Taras is an admin


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Підсумки у п'ятницю", "ні, у неділю ми помремо"),
        ("Підсумки у п'ятницю", "ні, я у неділю сплю"),
        ("Підсумки у п'ятницю", "ні, о 20:00 я вже сплю"),
        ("Підсумки у п'ятницю", "ні, о 20:00"),
        ("Recap every Friday", "no, we die on Sunday"),
        ("Recap every Friday", "no, Sunday is my birthday"),
        ("Граємо в шахи о 19:00", "ні, у неділю"),
        ("Збираємось у Львові", "Ні, ключ у Марка"),
    ],
)
async def test_a_no_that_tells_of_something_else_corrects_nothing(laptop, text, reply):
    fact = await believe(laptop, text)
    shown = await card(laptop, fact)
    await laptop.say(reply, *OLYA, reply_to_message=shown)
    known = await stored(laptop, fact)
    assert (known.description, [e.quote for e in known.evidence]) == (text, [text])
    await laptop.say(reply.partition(", ")[2], *OLYA, reply_to_message=shown)  # nor does it without the "no"
    assert (await stored(laptop, fact)).description == text


PASSWORD, ICE_CREAM = "Пароль від бази 1234 у Тараса", "хто спізнився - купує всім морозиво"
KEPT_WORDS = [
    (PASSWORD, "Пароль від бази 5678 у Тараса"),
    (PASSWORD, "Пароль від бази 1234 у Марка"),
    ("Граємо в шахи щосуботи о 19:00 у Галі вдома", "Граємо в шахи щосуботи о 20:00 у Галі вдома"),
    ("Ключ від дачі на столі", "Ключ від дачі під столом"),
    ("Ключ від дачі на столі", "Ключ від дачі не на столі"),
    ("The spare key is under the mat", "The spare key is on the mat"),
    ("Wi-Fi password of the office is 1234", "Wi-Fi password of the office is 5678"),
    (ICE_CREAM, "хто спізнився - купує всім піцу"),
    (ICE_CREAM, "хто спізнився, той купує всім піцу"),
    ("If it rains we meet at the office", "If it rains we meet at Kate's office"),
]


@pytest.mark.parametrize(("text", "reply"), KEPT_WORDS)
@pytest.mark.parametrize("way", ["reply", "button", "command", "no"])
async def test_a_correction_may_keep_most_words_of_what_it_corrects(laptop, text, reply, way):
    fact = await believe(laptop, text, category="shared_knowledge", key="k", single=False)
    shown = await card(laptop, fact, OLYA)
    if way == "button":
        await laptop.press("Виправити", *OLYA)
        shown = replied(laptop)
    said = {"command": f"/gryadfix {reply}", "no": f"Ні, {reply}"}.get(way, reply)
    await laptop.say(said, *OLYA, reply_to_message=shown)
    now = await stored(laptop, fact)
    assert (now.description, [quote.quote for quote in now.evidence]) == (reply, [reply])


@pytest.mark.parametrize("way", ["reply", "button", "command"])
@pytest.mark.parametrize("echo", [PASSWORD, PASSWORD.upper(), f"{PASSWORD}!", "Пароль з бази 1234 у Тараса"])
async def test_an_echo_of_the_card_corrects_nothing(laptop, echo, way):
    fact = await believe(laptop, PASSWORD, category="shared_knowledge", key="k")
    shown = await card(laptop, fact)
    if way == "button":
        await laptop.press("Виправити", *MARKO)
        shown = replied(laptop)
    await laptop.say(f"/gryadfix {echo}" if way == "command" else echo, *MARKO, reply_to_message=shown)
    if "від" in echo.casefold():
        assert "Саме так і записано" in laptop.answers[-1]
        assert await stored(laptop, fact) == fact
    else:  # another word is another statement
        assert (await stored(laptop, fact)).description == echo


@pytest.mark.parametrize(
    "words", ["Гряг каже, що пароль від бази 5678", "@gryag_bot каже, що пароль 5678", "За словами гряга пароль 5678"]
)
async def test_what_is_handed_on_as_the_bots_corrects_nothing(laptop, words):
    fact = await believe(laptop, PASSWORD, category="shared_knowledge", key="k")
    shown = await card(laptop, fact)
    await laptop.say(f"/gryadfix {words}", *MARKO, reply_to_message=shown)
    assert "Це я сам щойно казав" in laptop.answers[-1]
    assert await stored(laptop, fact) == fact


async def test_the_name_of_the_bot_is_no_part_of_a_correction(laptop):
    fact = await believe(laptop, PASSWORD, category="shared_knowledge", key="k")
    shown = await card(laptop, fact)
    for words in ("Гряг, пароль від бази 5678 у Тараса", "@gryag_bot ні, пароль від бази 9999 у Тараса"):
        await laptop.say(words, *OLYA, reply_to_message=shown)
        right = words[words.index("пароль") :]
        now = await stored(laptop, fact)
        assert (now.description, [quote.quote for quote in now.evidence]) == (right, [right])


@pytest.mark.parametrize("way", ["reply", "button", "command", "no"])
async def test_a_reply_to_an_outdated_card_corrects_what_holds_now(laptop, way):
    fact = await believe(laptop, "Підсумки у п'ятницю о 19:00 у Галі")
    shown = await card(laptop, fact, OLYA)
    await laptop.say("/gryadfix Галя переїхала, тож збираємось деінде", *OLYA, reply_to_message=shown)
    if way == "button":
        await laptop.press("Виправити", *OLYA, message_id=shown["message_id"])
        shown = replied(laptop)
    words = "Підсумки у суботу о 12:00 у Марка"
    said = {"command": f"/gryadfix {words}", "no": f"Ні, {words}"}.get(way, words)
    await laptop.say(said, *OLYA, reply_to_message=shown)
    assert (await stored(laptop, fact)).description == words
    before = "Підсумки у п'ятницю о 19:00 у Галі"
    await laptop.say(f"/gryadfix {before}", *OLYA, reply_to_message=shown)  # what it was corrects what it is
    assert (await stored(laptop, fact)).description == before


@pytest.mark.parametrize("hour", ["о 20", "о 20:30", "Ні, о 20"])
async def test_an_hour_alone_replaces_the_hour(laptop, hour):
    fact = await believe(laptop, "Граємо в шахи о 19:00")
    await laptop.say(hour, *OLYA, reply_to_message=await card(laptop, fact, OLYA))
    assert (await stored(laptop, fact)).description == f"Граємо в шахи {hour.removeprefix('Ні, ')}"


async def test_a_no_in_reply_to_the_card_of_what_is_gone_changes_nothing(laptop):
    fact = await believe(laptop)
    shown = await card(laptop, fact)
    await laptop.press("Прибрати", *TARAS)
    await laptop.press("Прибрати зараз", *TARAS)
    gone = await stored(laptop, fact)
    await laptop.say("Ні, у неділю", *MARKO, reply_to_message=shown)
    assert "вже немає" in laptop.answers[-1]
    assert await stored(laptop, fact) == gone
    await laptop.store.delete(f"{facts_path(CHAT)}/{fact.id}")  # forgotten
    await laptop.say("Ні, у неділю", *MARKO, reply_to_message=shown)
    assert await laptop.facts() == []


async def test_a_no_of_who_opted_out_is_not_heard(laptop):
    fact = await believe(laptop)
    shown = await card(laptop, fact)
    said = len(laptop.answers)
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [103]})
    await laptop.say("Ні, у неділю", *MARKO, reply_to_message=shown)
    assert (await stored(laptop, fact), len(laptop.answers)) == (fact, said)


async def test_no_member_corrects_an_admins_rule_by_words(laptop):
    rule = {"category": "rule", "key": "rule", "value": "no politics", "single": False}
    fact = await believe(laptop, "Без політики", TARAS, Authority.ADMIN, **rule)
    shown = await card(laptop, fact)
    for reply in ("Ні, політика дозволена", "Політика дозволена", "/gryadfix політика дозволена"):
        await laptop.say(reply, *MARKO, reply_to_message=shown)
        known = await stored(laptop, fact)
        assert (known.description, known.authority, known.status) == ("Без політики", Authority.ADMIN, Status.ACTIVE)
        laptop.clock.advance(timedelta(minutes=1))
