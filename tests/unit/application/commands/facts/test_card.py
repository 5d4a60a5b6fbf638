"""The card of a fact, for whom it is and how much it may say."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.application.commands.call import Scene
from shared.application.commands.facts.card import MOST_RIVALS, compose_card
from shared.application.documents import member_path
from shared.application.facts.writes import change_writes
from shared.domain.facts.claims import Verdict
from shared.domain.facts.evidence.claim import Authority, Vote
from shared.domain.facts.fact import Status
from shared.domain.facts.folding import fold
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice, expire
from shared.domain.intake.buttons import MAX_BYTES
from shared.domain.text.plain import TELEGRAM_LIMIT, utf16_length
from tests.support.builders import at, candidate, evidence
from tests.support.tool_chat import CHAT, OLYA, TARAS

SUPERGROUP = -1_001_000_000_001


async def keep(chat, *changes):
    """Store these steps; the id of the fact after the last."""
    for change in changes:
        await chat.app.store.batch(change_writes(CHAT, change, now=at(50)))
    return changes[-1].belief.id


async def card(chat, fact_id, language="uk", viewer=OLYA, **state):
    here = Scene(chat.app.policy, chat.state._replace(**state), language, viewer)
    return await compose_card(chat.app.store, here, fact_id)


def labels(shown):
    return [each.label for row in shown.buttons for each in row]


async def test_a_card_says_what_is_believed_since_when_by_whom_and_how_many_agree(chat):
    change = learn(None, candidate("friday", evidence(1, user_id=OLYA, quote="у п'ятницю"), evidence(2, user_id=TARAS)))
    voted = cast_voice(change.after, "friday", Vote(at(9), 103, supports=False))
    await chat.app.store.set(member_path(CHAT, OLYA), {"user_id": OLYA, "name": "Оля <b>"})
    shown = await card(chat, await keep(chat, change, voted))
    assert shown.plain.splitlines() == [
        "Recap on friday",
        "Традиції · ▰▰▰▰▱ 70%",
        "Чинне з 06.03.2026",
        "",
        "Хто це сказав",
        "«у п'ятницю» - Оля <b>, 06.03.2026",
        "«quote 2» - хтось, 06.03.2026",
        "",
        "За: 2 · проти: 1 · згода: 67%",
    ]
    assert labels(shown) == ["Так", "Ні", "Виправити", "Прибрати", "📌 Закріпити", "◀ До списку"]


async def test_a_card_speaks_english_too(chat):
    shown = await card(chat, await keep(chat, learn(None, candidate())), "en")
    assert "Who said so" in shown.plain
    assert "For: 1 · against: 0 · agreement: 100%" in shown.plain
    assert labels(shown) == ["Yes", "No", "Correct", "Drop", "📌 Pin", "◀ Back to the list"]


async def test_quotes_have_links_where_telegram_has_any(chat):
    fact_id = await keep(chat, learn(None, candidate("friday", evidence(7))))
    assert "t.me" not in (await card(chat, fact_id)).html
    await chat.app.store.batch(change_writes(SUPERGROUP, learn(None, candidate("friday", evidence(7))), now=at(9)))
    state = chat.state._replace(chat_id=SUPERGROUP, username="public_chat")
    shown = await compose_card(chat.app.store, Scene(chat.app.policy, state, "uk", OLYA), fact_id)
    assert '<a href="https://t.me/public_chat/7">→</a>' in shown.html


async def test_the_card_of_nothing_says_so_and_leads_to_the_list(chat):
    shown = await card(chat, "0" * 32)
    assert "вже немає" in shown.plain
    assert labels(shown) == ["◀ До списку"]


async def test_of_who_hides_it_a_group_sees_no_card_whoever_asks(chat):
    about = candidate("чай", evidence(1, user_id=OLYA), subject=f"user:{OLYA}", category="preference")
    fact_id = await keep(chat, learn(None, about))
    assert "Recap on чай" in (await card(chat, fact_id, viewer=TARAS)).plain
    await chat.app.store.upsert(member_path(CHAT, OLYA), {"user_id": OLYA, "name": "Оля", "visibility": "nobody"})
    for viewer in (TARAS, OLYA):
        hidden = await card(chat, fact_id, viewer=viewer)
        assert "чай" not in hidden.plain
        assert hidden.buttons == ()
    assert "/gryaddrop" in hidden.plain
    assert "чай" not in (await card(chat, fact_id, viewer=OLYA, opted_out=frozenset({OLYA}))).plain


async def test_in_private_a_card_is_shown_to_whose_it_is(chat):
    about = candidate("чай", evidence(1, user_id=OLYA), subject=f"user:{OLYA}", category="preference")
    change = learn(None, about)
    await chat.app.store.batch(change_writes(OLYA, change, now=at(50)))
    await chat.app.store.upsert(member_path(OLYA, OLYA), {"user_id": OLYA, "name": "Оля", "visibility": "nobody"})
    assert "Recap on чай" in (await card(chat, change.belief.id, chat_id=OLYA)).plain


async def test_who_opted_out_is_not_quoted_neither_for_it_nor_against(chat):
    friday = learn(None, candidate("friday", evidence(1, user_id=OLYA), evidence(2, user_id=TARAS)))
    monday = learn(friday.after, candidate("monday", evidence(3, user_id=OLYA), authority=Authority.MODEL))
    fact_id = await keep(chat, friday, monday)
    before, after = await card(chat, fact_id), await card(chat, fact_id, opted_out=frozenset({OLYA}))
    assert ("quote 1" in before.plain, "monday" in before.plain) == (True, True)
    assert ("quote 1" in after.plain, "monday" in after.plain, "quote 2" in after.plain) == (False, False, True)
    silent = await card(chat, fact_id, opted_out=frozenset({OLYA, TARAS}))
    assert "вже немає" in silent.plain


async def test_a_card_made_before_two_facts_became_one_shows_the_one(chat):
    one = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN))
    other = learn(None, candidate("friday", evidence(3, user_id=102), key="recap"))
    folding = fold(one.after, other.after, now=at(9), judge=lambda *_: Verdict.DUPLICATE)
    await keep(chat, one, folding.change)
    assert "quote 1" in (await card(chat, other.after.id)).plain


async def test_what_was_voted_out_says_so_and_lets_minds_be_changed(chat):
    change = learn(None, candidate("friday", evidence(1, user_id=OLYA), authority=Authority.OWN_STATEMENT))
    steps = [change]
    for user_id in (102, 103, 104):
        steps.append(cast_voice(steps[-1].after, "friday", Vote(at(user_id), user_id, supports=False)))
    assert steps[-1].after.status is Status.DEPRECATED
    shown = await card(chat, await keep(chat, *steps))
    assert "Уже не чинне" in shown.plain
    assert "За: 1 · проти: 3 · згода: 25%" in shown.plain
    assert labels(shown) == ["Так", "Ні", "◀ До списку"]


async def test_what_expired_says_so_and_may_be_confirmed(chat):
    change = learn(None, candidate())
    lapsed = expire(change.after, now=at(99), unconfirmed_since=at(50))
    shown = await card(chat, await keep(chat, change, lapsed))
    assert "Давно ніхто не підтверджував" in shown.plain
    assert "Так" in labels(shown)
    assert "📌 Закріпити" not in labels(shown)


texts = st.text(st.sampled_from("a<&>\"'\n🥦ї]*_"), min_size=1, max_size=40).map(lambda text: text * 40)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, texts, st.integers(1, 6), st.integers(0, MOST_RIVALS + 1), st.sampled_from(["uk", "en"]))
async def test_whatever_is_stored_a_card_fits_a_message_and_shows_words_as_words(
    chat, description, quote, quotes, others, language
):
    said = [evidence(n, user_id=OLYA, quote=quote) for n in range(1, quotes + 1)]
    changes = [learn(None, candidate("friday", *said, description=description))]
    for n in range(others):
        against = candidate(f"day {n}", evidence(20 + n), description=description, authority=Authority.STATISTICS)
        changes.append(replace(learn(changes[-1].belief, against), quality=()))
    fact_id = await keep(chat, *changes)
    await chat.app.store.set(member_path(CHAT, OLYA), {"user_id": OLYA, "name": description})
    shown = await card(chat, fact_id, language)
    assert utf16_length(shown.plain) <= TELEGRAM_LIMIT
    assert all(len(each.data.encode()) <= MAX_BYTES for row in shown.buttons for each in row)
    assert shown.html.count("<b>") == shown.html.count("</b>") <= 2 + MOST_RIVALS
    assert shown.plain.count("\n") < 12


@pytest.mark.parametrize("narrowed", [False, True])
async def test_the_way_back_remembers_from_where_it_came(chat, narrowed):
    fact_id = await keep(chat, learn(None, candidate()))
    here = Scene(chat.app.policy, chat.state, "uk", OLYA)
    shown = await compose_card(chat.app.store, here, fact_id, narrowed=narrowed)
    back = shown.buttons[-1][-1].data.split("|")
    assert (back[0], back[2]) == ("back", "1" if narrowed else "")
