"""Replies in plain words to a card that must not correct its fact: jokes, other matters, and whoever may not."""

from datetime import timedelta

import pytest

from shared.application.documents import facts_path
from shared.domain.facts import Authority, Status
from tests.functions.test_fix import believe, card, stored
from tests.support.group import CHAT, running_group

OLYA, TARAS, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")  # Taras is an admin


@pytest.fixture
async def laptop(sqlite_store):
    async with running_group(sqlite_store) as running:
        yield running


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
