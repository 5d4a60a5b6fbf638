"""/gryadrecap and /gryadcontext over the Bot API."""

from datetime import timedelta

from shared.application.consolidation.nightly import consolidate
from tests.support.commands.recaps import talk_without_olia
from tests.support.group import CHAT


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
