"""Who opts out is told so, offered to be erased, and may come back."""

from dataclasses import replace

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.commands.call import ButtonPress, CommandCall
from shared.application.commands.privacy import consent
from shared.application.commands.table import COMMANDS
from shared.application.documents import chat_path, facts_path, message_path
from shared.application.forgetting.request import ForgettingRequest, render_failed
from shared.domain.conversation.messages import name_mark
from shared.domain.intake.buttons import unseal
from shared.domain.intake.updates import ButtonPressed, ChatInfo
from tests.support import updates
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.group import CHAT
from tests.support.stores.messages import new_message_fields

HANNA, TARAS, OLIA = (104, "Ганна"), (102, "Тарас"), (101, "Оля")


async def test_asking_twice_says_so_and_both_ways_are_open(laptop):
    await laptop.say("/gryadoptin", *HANNA, sender=updates.user(*HANNA, language_code="uk"))
    english = updates.user(110, "Sam", language_code="en")
    await laptop.say("/gryadoptout", sender=english)
    await laptop.say("/gryadoptout", sender=english)
    assert "do not remember your words as it is" in laptop.answers[-1]
    await laptop.say("/gryadoptin", sender=english)
    assert "Good to have you back" in laptop.answers[-1]
    await laptop.say("/gryadoptin", sender=english)
    assert "I do remember your words" in laptop.answers[-1]


async def test_the_buttons_lead_from_opting_out_to_erasing_and_back(laptop):
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.settle()
    await laptop.say("/gryadoptout", *HANNA)
    answer = laptop.api.sent[-1].message_id
    await laptop.press("Стерти й те, що вже є", *TARAS)
    assert "не для вас" in laptop.notices[-1]
    await laptop.press("Стерти й те, що вже є", *HANNA)
    assert "Стерти все про вас" in laptop.shown(answer).text
    await laptop.press("Так, стерти", *HANNA)
    await laptop.settle()
    assert "я теж не запам'ятовую" in laptop.shown(answer).text
    await laptop.say("/gryadoptin", *HANNA)
    await laptop.say("/gryadforgetme", *HANNA)
    again = laptop.api.sent[-1].message_id
    await laptop.press("Так, стерти", *HANNA)
    await laptop.settle()
    await laptop.press("І більше не запам'ятовувати", *HANNA)
    assert "не запам'ятовую ваших слів" in laptop.shown(again).text
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).opted_out == {HANNA[0]}


GROUP, HER, HIM = -1001, 104, 102


class Queue:
    """Takes a task once by its name."""

    def __init__(self):
        self.tasks = {}

    async def enqueue(self, task):
        known = task.name in self.tasks
        self.tasks[task.name] = task
        return not known


@pytest.fixture
async def app(sqlite_store):
    """Five messages of hers, three facts about her, and two that she stands behind; and somebody else's."""
    for number, user_id in enumerate([HER] * 5 + [HIM] * 7, 1):
        said = message(message_id=number, user_id=user_id, chat_id=GROUP)
        fields = new_message_fields(said, now=at(1), retention=at(9) - at(0))
        await sqlite_store.set(message_path(GROUP, number), fields)
    for name, subject, people in [
        *((f"a{n}", f"user:{HER}", []) for n in range(3)),
        *((f"b{n}", "chat", [HER, HIM]) for n in range(2)),
        *((f"c{n}", f"user:{HIM}", [HIM]) for n in range(9)),
    ]:
        await sqlite_store.set(f"{facts_path(GROUP)}/{name}", {"subject": subject, "supporters": people})
    return replace(app_on(sqlite_store), queue=Queue())


def call(chat_id=GROUP, user_id=HER):
    said = message("/gryadforgetme", user_id=user_id, chat_id=chat_id, name="Ганна")
    return CommandCall(COMMANDS["gryadforgetme"], read_chat(chat_id, None), None, said, "", "en")


def press(*args, update_id=1, message_id=7, chat_id=GROUP, user_id=HER):
    update = ButtonPressed(update_id, "x", ChatInfo(chat_id, "group"), message_id, None, user_id, "Ганна", "en", "")
    return ButtonPress(read_chat(chat_id, None), update, args, user_id, message_id, "en")


def sealed(app, shown, chat_id=GROUP):
    return [unseal(app.policy.button_key, chat_id, button.data) for row in shown.buttons for button in row]


async def test_what_there_is_of_who_asks_is_counted_and_nothing_of_others(app):
    (piece,) = (await consent.ask(app, call())).pieces
    numbers = [int(word) for word in piece.content.plain.replace("\n", " ").replace(".", " ").split() if word.isdigit()]
    assert numbers[:3] == [5, 3, 2]
    assert (await consent.ask_again(app, press())).shows == piece.content
    (others,) = (await consent.ask(app, call(user_id=HIM))).pieces
    assert others.content.plain != piece.content.plain


async def test_in_a_private_chat_it_is_said_that_all_of_it_goes(app):
    (private,) = (await consent.ask(app, call(HER))).pieces
    (group,) = (await consent.ask(app, call())).pieces
    assert private.content.plain.split("\n")[0] != group.content.plain.split("\n")[0]


async def test_all_buttons_about_somebodys_words_are_theirs_alone(app):
    (question,) = (await consent.ask(app, call())).pieces
    assert [(b.action, b.owner) for b in sealed(app, question.content)] == [
        ("fgt", HER),
        ("keep", HER),
    ]
    (told,) = (await consent.opt_out(app, call())).pieces
    assert [(b.action, b.owner) for b in sealed(app, told.content)] == [("fga", HER)]
    again = render_failed(app.policy, ForgettingRequest(GROUP, HER, at(0)))
    assert sealed(app, again) == [("fgt", ("again",), HER)]


async def test_who_confirms_twice_asks_once_and_who_tries_again_asks_again(app):
    first, second = await consent.confirm(app, press()), await consent.confirm(app, press(update_id=2))
    assert (first.shows is None, second.shows is None) == (False, True)
    assert second.notice != ""
    again = [await consent.confirm(app, press("again", update_id=number)) for number in (3, 3, 4)]
    assert [each.shows is None for each in again] == [False, True, False]
    assert (await consent.confirm(app, press(message_id=8))).shows is not None
    wished = [task.payload for task in app.queue.tasks.values()]
    assert {(wish["chat_id"], wish["user_id"]) for wish in wished} == {(GROUP, HER)}
    assert [wish["message_id"] for wish in wished] == [7, 7, 7, 8]


@pytest.mark.parametrize("by_button", [False, True], ids=["command", "button"])
async def test_who_opts_out_is_known_by_their_name_too_where_forwards_show_only_that(app, sqlite_store, by_button):
    await (consent.opt_out_by_button(app, press()) if by_button else consent.opt_out(app, call()))
    data = (await sqlite_store.get(chat_path(GROUP))).data
    assert data["opted_out"] == [HER]
    assert data["opted_out_names"] == [f"{HER}:{name_mark('Ганна')}"]
