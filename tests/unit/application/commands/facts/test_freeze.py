"""What an admin pins does not age, and only an admin pins it."""

import itertools
from datetime import timedelta

import pytest

from shared.application.documents import facts_path
from shared.application.intake.maintenance import run_job
from shared.domain.facts.fact import Status
from tests.support import updates
from tests.support.commands.cards import ADMIN, DAY, MEMBER, believe, fact, proposed, shown
from tests.support.group import CHAT


async def decay(group, days=100):
    group.clock.advance(days * DAY)
    await run_job(group.runtime.app, "decay", {"chat_id": CHAT})


async def test_what_an_admin_pins_on_its_card_outlives_what_nobody_confirms(group):
    pinned, other = await believe(group, proposed(group, "без політики"), proposed(group, "без реклами"))
    await group.say("/gryadchatfacts")
    await group.press("1", *MEMBER)
    opened = pinned if "без політики" in shown(group).text else other
    await group.press("Закріпити", *MEMBER)
    assert "лише адміни" in group.notices[-1]
    await group.press("Закріпити", *ADMIN)
    assert "📌 закріплено" in shown(group).text
    await decay(group)
    statuses = {each: (await fact(group, each)).status for each in (pinned, other)}
    assert statuses.pop(opened) is Status.ACTIVE
    assert set(statuses.values()) == {Status.EXPIRED}
    await group.press("Відкріпити", *ADMIN)
    await decay(group, days=1)
    assert (await fact(group, opened)).status is Status.EXPIRED
    versions = await group.store.query(f"{facts_path(CHAT)}/{opened}/versions")
    assert [version.data["change"] for version in versions] == ["creation", "pinned", "unpinned", "expiry"]


async def test_words_find_the_fact_to_pin(laptop):
    politics, _ = await believe(laptop, proposed(laptop, "без політики"), proposed(laptop, "без реклами"))
    await laptop.say("/gryadfreeze політика", *ADMIN)
    assert laptop.buttons == ["Факт: без політики"]
    await laptop.press("без політики", *ADMIN)
    assert (await fact(laptop, politics)).pinned_at is not None
    await laptop.say("/gryadfreeze політику", *ADMIN)
    assert "📌 Факт: без політики" in laptop.buttons
    await laptop.say("/gryadfreeze <i>погода", *ADMIN)
    assert "«<i>погода»" in laptop.answers[-1]


async def replied_card(group):
    """A message as Telegram shows it in a reply: the card of the first fact."""
    await group.say("/gryadchatfacts")
    await group.press("1")
    bot = updates.user(123456, "gryag", is_bot=True)
    return updates.message("картка", message_id=group.api.sent[-1].message_id, sender=bot)


async def test_a_reply_to_a_card_pins_and_the_same_again_unpins(laptop):
    (fact_id,) = await believe(laptop, proposed(laptop, "без політики"))
    card = await replied_card(laptop)
    for says, pinned in (("Закріплено", True), ("Відкріплено", False), ("Закріплено", True)):
        await laptop.say("/gryadfreeze", *ADMIN, reply_to_message=card)
        assert says in laptop.answers[-1]
        assert ((await fact(laptop, fact_id)).pinned_at is not None) is pinned


async def test_a_freeze_that_dies_anywhere_and_is_delivered_again_pins_once(laptop):
    (fact_id,) = await believe(laptop, proposed(laptop, "без політики"))
    card = await replied_card(laptop)
    pinned = False
    for die_at, after in itertools.product(range(1, 40), (False, True)):
        update = laptop.says("/gryadfreeze", *ADMIN, reply_to_message=card)
        laptop.store.arm(die_at, after=after)
        died = not await laptop.deals_with(update)
        laptop.store.arm(None)
        laptop.clock.advance(timedelta(minutes=5))
        assert await laptop.deals_with(update)
        pinned = not pinned
        assert ((await fact(laptop, fact_id)).pinned_at is not None) is pinned
        if not died:
            break
    assert die_at > 5


@pytest.mark.parametrize(("language", "says"), [("uk", "у відповідь на картку"), ("en", "in reply to the card")])
async def test_freezing_nothing_is_answered_with_how_to_do_it(laptop, language, says):
    await laptop.say("/gryadfreeze", sender=updates.user(*ADMIN, language_code=language))
    assert says in laptop.answers[-1]


async def test_freezing_is_for_admins(laptop):
    await believe(laptop, proposed(laptop, "без політики"))
    await laptop.say("/gryadfreeze політика", *MEMBER)
    assert "лише адміни" in laptop.answers[-1]
    assert not laptop.api.sent[-1].buttons
