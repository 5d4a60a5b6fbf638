"""What an admin lays down later is in the list beside what stood; what an admin changes is there once."""

import pytest

ADMIN = (102, "Тарас")


@pytest.mark.parametrize("at_once", [True, False], ids=["in one go", "one after the other"])
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            ("Нагадую: ніякої політики та реклами в чаті!", "Нагадую: ніякого спаму (флуду) в чаті!"),
            ("політики та реклами", "спаму (флуду)"),
        ),
        (
            ("Нагадую: без флуду, капсу в чаті!", "Нагадую: без образ (флуду) в чаті!"),
            ("без флуду, капсу", "без образ (флуду)"),
        ),
        (
            ("Reminder: no politics or ads in here!", "Reminder: no flooding (spam) in here!"),
            ("politics or ads", "flooding (spam)"),
        ),
        (("Нагадую: реклама заборонена в чаті!", "Дозволяємо рекламу в чаті"), ("Дозволяємо рекламу",)),
        (("Голосові заборонені після 22:00", "Голосові заборонені після 23:00"), ("після 23:00",)),
    ],
    ids=["beside", "overlapping", "in English", "allowed", "another hour"],
)
async def test_the_list_shows_every_rule_that_an_admin_laid_down_and_that_stands(laptop, said, shown, at_once):
    for text in said:
        await laptop.say(text, *ADMIN)
        if not at_once:
            await laptop.settle()
    await laptop.settle()
    await laptop.say("/gryadchatfacts", *ADMIN)
    assert all(words in laptop.answers[-1] for words in shown)
    assert len([fact for fact in await laptop.facts() if fact["status"] == "active"]) == len(shown)
