"""A press of a button: what is obeyed, who is told what, and what of Telegram's refusals undoes nothing."""

from dataclasses import replace

import pytest

from shared.application.commands.buttons import ACTIONS, Action
from shared.application.commands.call import Pressed
from shared.application.delivery.answer import SILENCE
from shared.application.documents import chat_path, message_path
from shared.application.intake.callbacks import press_button
from shared.application.ports.chat import OutgoingText, SentMessage
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import ChatForbidden, MessageRejected
from shared.domain.intake.buttons import Sealed, seal
from shared.domain.intake.outcomes import UpdateResult
from shared.domain.intake.updates import ButtonPressed, ChatInfo
from tests.support.exports import app_on
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
