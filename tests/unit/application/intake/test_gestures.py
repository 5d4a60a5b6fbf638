"""A press of a button: what is obeyed, who is told what, and what of Telegram's refusals undoes nothing."""

import contextlib
import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from infra.telegram.updates import parse_update
from shared.application.commands.buttons import ACTIONS, Action
from shared.application.commands.call import Pressed
from shared.application.delivery.answer import SILENCE
from shared.application.documents import chat_path, message_path
from shared.application.intake.gestures import press_button, react
from shared.application.ports.chat import OutgoingText, SentMessage
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import ChatForbidden, MessageRejected
from shared.domain.intake.buttons import Sealed, seal
from shared.domain.intake.updates import ButtonPressed, ChatInfo, UpdateOutcome, UpdateResult
from tests.support import updates
from tests.support.commands.questions import GAMES, MARKO, OLYA, PETRO, asked, contradict, say_twice, the_fact
from tests.support.commands.questions import HANNA as ANNA
from tests.support.exports import app_on
from tests.support.faults import Crashed
from tests.support.group import CHAT as GROUP
from tests.support.queues import NOON as NOW

CHAT, NEW, HANNA, TARAS = -1001, -1009, 104, 102


class Telegram:
    """Notes what is told and shown; may refuse."""

    def __init__(self, error=None, changes=True):
        self.changes = changes
        self.error, self.told, self.shown, self.said = error, [], [], []

    async def whisper(self, chat_id, user_id, text, *, callback_id, thread_id=None):
        self.told.append((callback_id, text))
        if self.error is not None:
            raise self.error

    async def send(self, chat_id, content, *, reply_to=None, thread_id=None):
        self.said.append((chat_id, reply_to, content.plain))
        return SentMessage(1_000 + len(self.said), NOW)

    async def edit(self, chat_id, message_id, text):
        self.shown.append((chat_id, message_id, text.plain))
        if self.error is not None:
            raise self.error
        return self.changes


SHOWN = Pressed("told", OutgoingText("shown", "shown"))


@pytest.fixture
def done(monkeypatch):
    """Makes an action that shows something and notes its presses."""
    presses = []

    def made(pressed=SHOWN):
        async def act(app, press):
            presses.append(press)
            return pressed

        monkeypatch.setitem(ACTIONS, "keep", Action("keep", "people", lambda: act))
        return presses

    return made


async def app_with(store, telegram, **chat):
    await store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""} | chat)
    return replace(app_on(store), gateway=telegram)


def pressing(app, *, data=None, owner=None, **more):
    data = data or seal(app.policy.button_key, CHAT, Sealed("keep", ("a",), owner))
    fields = {"chat": ChatInfo(CHAT, "group"), "message_id": 7, "user_id": HANNA, "offered": frozenset({data})} | more
    return ButtonPressed(
        1,
        "press",
        fields["chat"],
        fields["message_id"],
        None,
        fields["user_id"],
        "Ганна",
        "en",
        data,
        fields["offered"],
    )


async def test_a_press_does_its_action_and_shows_what_is_so_now_which_tells_enough(sqlite_store, done):
    telegram, presses = Telegram(), done()
    app = await app_with(sqlite_store, telegram)
    await press_button(app, pressing(app, owner=HANNA))
    (press,) = presses
    assert (press.args, press.owner, press.message_id, press.user_id) == (("a",), HANNA, 7, HANNA)
    assert (telegram.told, telegram.said) == ([], [])
    assert telegram.shown == [(CHAT, 7, "shown")]


async def test_what_shows_nothing_leaves_the_message_as_it_is_and_tells_who_pressed_alone(sqlite_store, done):
    telegram, presses = Telegram(), done(Pressed("told"))
    app = await app_with(sqlite_store, telegram)
    await press_button(app, pressing(app))
    assert (len(presses), telegram.told, telegram.shown) == (1, [("press", "told")], [])


@pytest.mark.parametrize("people", [frozenset(), frozenset({HANNA, TARAS})], ids=["nobody", "two"])
async def test_a_message_that_shows_people_is_theirs_from_then_on(sqlite_store, done, people):
    done(Pressed(shows=OutgoingText("shown", "shown", people=people)))
    app = await app_with(sqlite_store, Telegram())
    await sqlite_store.set(message_path(CHAT, 7), {"text": "x"})
    await press_button(app, pressing(app))
    written = (await sqlite_store.get(message_path(CHAT, 7))).data.get("people")
    assert written == (sorted(people) or None)


@pytest.mark.parametrize(
    ("more", "refused"),
    [
        ({"data": "keep|a||AAAAAAAAAAA"}, True),
        ({"offered": frozenset()}, True),
        ({"offered": frozenset({"x"})}, True),
        ({"offered": None}, False),
        ({"owner": TARAS}, True),
        ({"owner": HANNA}, False),
    ],
)
async def test_only_what_we_offered_there_and_to_whom_is_obeyed(sqlite_store, done, more, refused):
    telegram, presses = Telegram(), done()
    app = await app_with(sqlite_store, telegram)
    outcome = await press_button(app, pressing(app, **more))
    assert len(presses) == (0 if refused else 1)
    assert len(telegram.told) == (1 if refused else 0)
    assert (outcome.result in (UpdateResult.REFUSED, UpdateResult.IGNORED)) is refused


async def test_an_action_that_is_there_no_more_is_an_old_button(sqlite_store, done):
    telegram, presses = Telegram(), done()
    app = await app_with(sqlite_store, telegram)
    gone = seal(app.policy.button_key, CHAT, Sealed("gone"))
    assert str(await press_button(app, pressing(app, data=gone))) == "refused: old_button"
    assert (presses, telegram.told[0][1] != "") == ([], True)


async def test_in_a_chat_that_moved_the_message_is_named_as_it_is_now(sqlite_store, done):
    telegram, presses = Telegram(), done()
    app = await app_with(sqlite_store, telegram, migrated_to=NEW)
    await sqlite_store.set(chat_path(NEW), {"schema": 1, "chat_id": NEW, "type": "supergroup", "title": ""})
    await press_button(app, pressing(app))
    (press,) = presses
    assert (press.state.chat_id, press.message_id) == (NEW, migrated_message_id(7))


@pytest.mark.parametrize("error", [ChatForbidden("no"), MessageRejected("no")])
async def test_that_telegram_refuses_to_tell_or_to_show_undoes_nothing(sqlite_store, done, error):
    telegram, presses = Telegram(error), done()
    app = await app_with(sqlite_store, telegram)
    await press_button(app, pressing(app))
    assert (len(presses), len(telegram.told), len(telegram.shown)) == (1, 1, 1)
    assert telegram.said == [(CHAT, 7, "told")], "in the chat, when it can be said nowhere else"


@pytest.mark.parametrize(("changes", "pressed"), [(False, SHOWN), (True, replace(SHOWN, is_done=False))])
async def test_who_pressed_is_told_also_where_the_message_reads_as_before_or_does_not_say_why_nothing_was_done(
    sqlite_store, done, changes, pressed
):
    telegram, _ = Telegram(changes=changes), done(pressed)
    app = await app_with(sqlite_store, telegram)
    await press_button(app, pressing(app))
    assert (telegram.told, telegram.said) == ([("press", "told")], [])


async def test_in_a_private_chat_who_pressed_is_told_in_it(sqlite_store, done):
    telegram, presses = Telegram(), done(Pressed("told"))
    app = await app_with(sqlite_store, telegram)
    data = seal(app.policy.button_key, HANNA, Sealed("keep", ("a",)))
    await press_button(app, pressing(app, data=data, chat=ChatInfo(HANNA, "private")))
    assert (len(presses), telegram.told, telegram.said) == (1, [], [(HANNA, 7, "told")])


async def test_what_comes_without_a_message_is_nothing_to_us(sqlite_store, done):
    telegram, presses = Telegram(), done()
    app = await app_with(sqlite_store, telegram)
    for missing in ({"chat": None, "message_id": None}, {"chat": None}, {"message_id": None}):
        assert str(await press_button(app, pressing(app, **missing))) == "ignored: unknown button"
    assert (presses, telegram.told) == ([], [])


async def test_delivered_twice_it_is_done_once(sqlite_store, done):
    telegram, presses = Telegram(), done(Pressed("told", answer=SILENCE))
    app = await app_with(sqlite_store, telegram)
    for _ in range(2):
        await press_button(app, pressing(app))
    assert len(presses) == 1


async def test_who_presses_too_often_is_told_so_every_time_and_nothing_is_said_in_the_chat(sqlite_store, done):
    telegram, presses = Telegram(), done()
    app, most = await app_with(sqlite_store, telegram), 3
    app = replace(app, policy=app.policy._replace(asks_per_user=most))
    for number in range(most + 3):
        await press_button(app, pressing(app)._replace(update_id=100 + number))
    assert len(presses) == most
    assert len({text for _, text in telegram.told}) == 1
    assert (len(telegram.told), telegram.said) == (3, [])


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
    await reacts(group, "👎", who=ANNA)
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
    for who in (MARKO, ANNA):
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
    await laptop.runtime.app.chats.change(GROUP, {"opted_out": [MARKO[0]]})
    await reacts(laptop, "👍", who=MARKO)
    laptop.api.chats[GROUP].left.add(ANNA[0])
    await reacts(laptop, "👍", who=ANNA)
    await reacts(laptop, "👍", user=None, actor_chat=updates.chat())
    await laptop.runtime.app.chats.change(GROUP, {"private_mode": True})
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
    await laptop.runtime.app.chats.state(GROUP)
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
