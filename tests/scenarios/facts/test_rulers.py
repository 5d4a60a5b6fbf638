"""Rules come from who was an admin when they were said, whenever they are read (law 5)."""

from datetime import timedelta

import pytest

from shared.application.chats.migration import begin_migration
from shared.application.people.admins import chat_admins
from shared.application.reading.moving import move_chat
from tests.scenarios.facts.test_agreement import edit
from tests.support import updates
from tests.support.group import CHAT

TARAS, PETRO, OLYA = (102, "Тарас"), (203, "Петро"), (101, "Оля")  # Taras is an admin
POLITICS, ADS = "Нагадую: ніякої політики в чаті!", "Нагадую: ніякої реклами в чаті!"


async def becomes(group, who, new, old, **fields):
    """Telegram tells that somebody's status went from `old` to `new` now; it shows in the list, too."""
    admins = group.api.chats[CHAT].admins
    group.api.chats[CHAT].admins = [each for each in admins if each != who[0]] + (
        [who[0]] if new == "administrator" else []
    )
    at = fields.pop("date", int(group.clock.now().timestamp()))
    update = updates.member_update(old, new, update_id=next(group._ids), who=updates.user(*who), date=at)
    assert await group.deliver(update) == 200
    group.clock.advance(timedelta(seconds=20))
    return update


def listed(group, *admins):
    group.api.chats[CHAT].admins = list(admins)


async def rules(group):
    return sorted(
        fact["value"] for fact in await group.facts() if fact["category"] == "rule" and fact["status"] == "active"
    )


async def chatter(group, count=9):
    for number in range(count):
        await group.say(f"балачки {number}", *OLYA)


@pytest.mark.parametrize("new", ["member", "left", "kicked"])
async def test_who_was_demoted_rules_no_more_at_once_and_their_rules_stay(laptop, new):
    await laptop.say(POLITICS, *TARAS)
    await laptop.settle()
    await becomes(laptop, TARAS, new, "administrator")
    await laptop.say(ADS, *TARAS)
    await laptop.settle()
    assert await rules(laptop) == ["politics"]


async def test_who_was_promoted_rules_at_once(laptop):
    await laptop.say(ADS, *PETRO)
    await laptop.settle()
    await becomes(laptop, PETRO, "administrator", "member")
    await laptop.say(POLITICS, *PETRO)
    await chatter(laptop)
    await laptop.work()
    assert await rules(laptop) == ["politics"]


async def test_what_was_said_before_a_demotion_is_a_rule_however_late_it_is_read(laptop):
    await laptop.say(POLITICS, *TARAS)
    await becomes(laptop, TARAS, "member", "administrator")
    await laptop.settle()
    assert await rules(laptop) == ["politics"]


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "listed"])
@pytest.mark.parametrize("text", [f"{POLITICS}!", ADS])
async def test_an_edit_after_a_promotion_makes_no_rule_of_what_was_said_before(laptop, is_told, text):
    before = await laptop.say(POLITICS, *PETRO)
    await laptop.settle()
    if is_told:
        await becomes(laptop, PETRO, "administrator", "member")
    else:
        listed(laptop, 102, 203)
        laptop.clock.advance(timedelta(hours=2))
    await edit(laptop, before, text)
    await laptop.settle()
    assert await rules(laptop) == []


async def test_an_edit_after_a_demotion_decrees_nothing(laptop):
    before = await laptop.say("Доброго ранку", *TARAS)
    await laptop.settle()
    await becomes(laptop, TARAS, "member", "administrator")
    await edit(laptop, before, POLITICS)
    await laptop.settle()
    assert await rules(laptop) == []


async def test_where_nothing_is_told_the_list_tells_as_soon_as_it_is_read(laptop):
    await laptop.say("Доброго ранку", *PETRO)
    await laptop.settle()
    listed(laptop, 203)
    laptop.clock.advance(timedelta(hours=2))
    await laptop.say(POLITICS, *PETRO)
    await laptop.say(ADS, *TARAS)
    await laptop.settle()
    assert await rules(laptop) == ["politics"]


async def test_changes_told_late_again_and_in_the_wrong_order_leave_what_is(laptop):
    await laptop.settle()
    now = int(laptop.clock.now().timestamp())
    demoted = updates.member_update("administrator", "member", update_id=71, who=updates.user(*PETRO), date=now + 60)
    promoted = updates.member_update("member", "administrator", update_id=70, who=updates.user(*PETRO), date=now)
    for update in (demoted, promoted, demoted):
        assert await laptop.deliver(update) == 200
    between = await _said_at(laptop, POLITICS, now + 30)
    after = await _said_at(laptop, ADS, now + 90)
    for update in (between, after):
        assert await laptop.deliver(update) == 200
    laptop.clock.advance(timedelta(minutes=3))
    await laptop.settle()
    assert await rules(laptop) == ["politics"]


async def _said_at(group, text, date):
    return group.says(text, *PETRO, date=date)


@pytest.mark.parametrize("was", ["administrator", "member"])
async def test_what_another_instance_was_told_a_moment_ago_holds_for_a_command(laptop, was):
    who, new = (TARAS, "member") if was == "administrator" else (PETRO, "administrator")
    await laptop.say("/gryadstats", *TARAS)
    app, shown = laptop.runtime.app, laptop.answers[-1].splitlines()[0]
    unaware = await app.chats.state(CHAT, fresh=True)
    await becomes(laptop, who, new, was)
    app.chats._remember(unaware)  # what an instance keeps that was not told
    await laptop.say("/gryadstats", *who)
    assert (laptop.answers[-1].splitlines()[0] == shown) is (new == "administrator")


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "listed"])
async def test_who_was_an_admin_when_is_known_in_the_supergroup_too(laptop, is_told):
    new = -1_001_000_000_999
    await laptop.say(POLITICS, *TARAS)
    await laptop.say(ADS, *PETRO)
    if is_told:
        await becomes(laptop, TARAS, "member", "administrator")
        await becomes(laptop, PETRO, "administrator", "member")
    else:
        await chat_admins(laptop.runtime.app, await laptop.runtime.app.chats.state(CHAT))
        laptop.clock.advance(timedelta(minutes=9))
    laptop.api.add_chat(new, "supergroup", admins={PETRO[0]})
    await begin_migration(laptop.runtime.app, CHAT, new)
    await move_chat(laptop.runtime.app, CHAT, new)
    await laptop.settle(timedelta(hours=2))
    assert [fact["value"] for fact in await laptop.facts(new) if fact["category"] == "rule"] == ["politics"]
