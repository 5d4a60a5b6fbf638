"""Reactions of members to a question or a card of the bot are votes."""

import contextlib
import itertools
from datetime import timedelta

import pytest

from infra.telegram.updates import parse_update
from shared.application.intake.reactions import react
from shared.domain.intake.outcomes import UpdateOutcome, UpdateResult
from tests.support import updates
from tests.support.commands.questions import GAMES, HANNA, MARKO, OLYA, PETRO, asked, contradict, say_twice, the_fact
from tests.support.faults import Crashed
from tests.support.group import CHAT

_IDS = itertools.count(50_000)


def reaction(group, *emojis, who=MARKO, at=None, update_id=None, **fields):
    """The update for somebody's reactions to the bot's last message; `at` is in seconds from now."""
    date = group.clock.now() + timedelta(seconds=at or 0)
    return updates.reaction_update(
        *emojis,
        update_id=update_id or next(_IDS),
        message_id=fields.pop("message_id", None) or group.api.sent[-1].message_id,
        **{"user": updates.user(*who), "date": int(date.timestamp()), **fields},
    )


async def reacts(group, *emojis, **fields):
    assert await group.deliver(reaction(group, *emojis, **fields)) == 200
    group.clock.advance(timedelta(seconds=20))


def tally(group):
    return asked(group)[0].removeprefix(GAMES).strip()


async def test_a_reaction_to_a_question_is_a_vote_that_the_question_shows(group):
    await say_twice(group)
    await reacts(group, "👍")
    await reacts(group, "👎", who=HANNA)
    assert tally(group) == "так 2 · ні 1"
    assert [v["supports"] for v in (await the_fact(group))["voices"]] == [True, False]


@pytest.mark.parametrize(
    ("emojis", "shown"),
    [
        (["❤"], "так 2 · ні 0"),
        (["🔥"], "так 2 · ні 0"),
        (["👌"], "так 2 · ні 0"),
        (["💯", "👍"], "так 2 · ні 0"),
        (["👎"], "так 1 · ні 1"),
        (["🤔"], ""),
        (["👍", "👎"], ""),
    ],
    ids=["heart", "fire", "ok", "two", "down", "unclear", "both"],
)
async def test_what_an_emoji_says(laptop, emojis, shown):
    await say_twice(laptop)
    await reacts(laptop, *emojis)
    assert tally(laptop) == shown


async def test_the_last_reaction_counts_and_taking_it_away_takes_the_voice_back(laptop):
    await say_twice(laptop)
    await reacts(laptop, "👍")
    await reacts(laptop, "👎")
    assert tally(laptop) == "так 1 · ні 1"
    await reacts(laptop)
    assert tally(laptop) == ""
    assert (await the_fact(laptop))["voices"] == []


async def test_a_reaction_and_a_button_of_one_member_are_one_vote_the_last(laptop):
    await say_twice(laptop)
    await reacts(laptop, "👍")
    await laptop.press("Ні", *MARKO)
    assert tally(laptop) == "так 1 · ні 1"
    await reacts(laptop)  # the reaction goes, the button's vote stays
    assert tally(laptop) == "так 1 · ні 1"
    await reacts(laptop, "👍")
    assert tally(laptop) == "так 2 · ні 0"


async def test_of_reactions_in_any_order_and_repeated_the_newest_wins(laptop):
    await say_twice(laptop)
    told = [reaction(laptop, *emojis, at=at) for at, emojis in enumerate([("👍",), ("👎",), (), ("🔥",), ()])]
    outcomes = set()
    for order in itertools.islice(itertools.permutations(told), 0, None, 7):
        laptop.clock.advance(timedelta(seconds=20))
        fresh = [later(update, laptop) for update in order]
        for update in [*fresh, fresh[0]]:
            assert await laptop.deliver(update) == 200
        outcomes.add(tally(laptop))
    assert outcomes == {""}


def later(update, group):
    """The same, at a later time of the clock, as if all of it had happened anew."""
    body = dict(update["message_reaction"])
    offset = body["date"] % 10
    body["date"] = int(group.clock.now().timestamp()) // 10 * 10 + offset
    return {"update_id": next(_IDS), "message_reaction": body}


async def test_two_reactions_within_one_second_count_by_the_order_of_their_updates(laptop):
    await say_twice(laptop)
    first, second = (reaction(laptop, *emojis) for emojis in (("👍",), ()))
    for update in (second, first):
        assert await laptop.deliver(update) == 200
    assert tally(laptop) == ""


async def test_three_reactions_settle_a_question(laptop):
    await say_twice(laptop)
    for who in (MARKO, HANNA):
        await reacts(laptop, "👍", who=who)
    assert asked(laptop) == [f"{GAMES}\n\n✅ Домовились, так і запам'ятав: так 3 · ні 0."]
    await reacts(laptop, "👎", who=PETRO)  # it is over
    assert len((await the_fact(laptop))["voices"]) == 2


async def test_a_reaction_to_two_values_or_to_other_messages_says_nothing(laptop):
    await contradict(laptop)
    before = await laptop.facts()
    await reacts(laptop, "👍")
    await reacts(laptop, "👍", message_id=1)
    await reacts(laptop, "👍", message_id=999_999)
    assert await laptop.facts() == before


async def test_nobody_votes_who_may_not(laptop):
    await say_twice(laptop)
    before = await laptop.facts()
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [MARKO[0]]})
    await reacts(laptop, "👍", who=MARKO)
    laptop.api.chats[CHAT].left.add(HANNA[0])
    await reacts(laptop, "👍", who=HANNA)
    await reacts(laptop, "👍", user=None, actor_chat=updates.chat())
    await laptop.runtime.app.chats.change(CHAT, {"private_mode": True})
    await reacts(laptop, "👍", who=PETRO)
    assert await laptop.facts() == before
    assert tally(laptop) == ""


async def test_a_reaction_to_a_card_votes_and_the_card_shows_it(laptop):
    await say_twice(laptop)
    await laptop.say("/gryadchatfacts", *OLYA)
    await laptop.press("1", *OLYA)
    before = laptop.shown(laptop.api.sent[-1].message_id).text
    await reacts(laptop, "👎")
    assert [(v["user_id"], v["supports"]) for v in (await the_fact(laptop))["voices"]] == [(MARKO[0], False)]
    assert laptop.shown(laptop.api.sent[-1].message_id).text != before


async def test_an_ordinary_reaction_costs_one_read_and_no_write(laptop):
    await laptop.say("привіт", *OLYA)
    await laptop.runtime.app.chats.state(CHAT)
    usage = laptop.store.usage
    reads, writes = usage.reads, usage.writes
    assert await laptop.deliver(reaction(laptop, "👍", message_id=1)) == 200
    assert (usage.reads - reads, usage.writes - writes) == (1, 0)


async def test_a_reaction_whose_handler_dies_anywhere_counts_once_when_it_comes_again(laptop):
    await say_twice(laptop)
    for die_at in range(1, 30):
        who = (300 + die_at, "Хтось")
        update = parse_update(reaction(laptop, "👎", who=who))
        laptop.store.arm(die_at, after=bool(die_at % 2))
        with contextlib.suppress(Crashed):
            await react(laptop.runtime.app, update)
        laptop.store.arm(None)
        assert await react(laptop.runtime.app, update) == UpdateOutcome(UpdateResult.REACTION)
        assert [v["user_id"] for v in (await the_fact(laptop))["voices"]] == [who[0]]
        await reacts(laptop, who=who)
    assert (await the_fact(laptop))["voices"] == []
