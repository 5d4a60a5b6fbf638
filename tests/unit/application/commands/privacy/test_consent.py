"""Who opts out is told so, offered to be erased, and may come back."""

from tests.support import updates
from tests.support.group import CHAT

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
