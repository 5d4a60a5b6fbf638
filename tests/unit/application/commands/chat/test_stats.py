"""What admins see of cost and memory."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest

from shared.application.commands.chat.stats import dollars, shorten
from shared.application.documents import usage_path
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.night.figures import chat_account
from shared.application.ports.model import Purpose
from shared.domain.errors import QueueUnavailable
from shared.domain.reading.filters.reasons import Reason
from shared.domain.text.language import Language
from shared.locales import say
from tests.support import updates
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.unit.application.reading.test_proposals import CAT, answer_facts, talk

ADMIN = (102, "Тарас")


class Away:
    """A queue that cannot be asked."""

    async def backlog(self, now, *, limit):
        raise QueueUnavailable("away")


def row(text, label):
    """The cells of a table's row."""
    line = next(line for line in text.splitlines() if line.strip().startswith(label))
    return re.split(r"\s{1,}", line.strip().removeprefix(label).strip())


async def used(group, back, **fields):
    day = group.clock.now().date() - timedelta(days=back)
    await group.store.upsert(usage_path(CHAT, day), {"schema": 1, **fields})


async def test_the_days_add_up_and_the_cost_is_what_the_tokens_cost(store):
    async with running_group(store) as group:
        call = {"calls": 1, "answer_calls": 1, "answer_output_tokens": 0, "cached_tokens": 0}
        for back, tokens in ((0, 1_000), (6, 20_000), (7, 400_000), (29, 5_000_000), (30, 10**9)):
            await used(group, back, **call, tokens=tokens, answer_input_tokens=tokens, microdollars=tokens // 4)
        await used(
            group, 0, reading_calls=2, reading_output_tokens=500, tokens=1_500, cached_tokens=250, microdollars=750
        )
        await group.say("привіт")
        await group.say("/gryadstats", *ADMIN)
        told = group.answers[-1]
        assert row(told, "Запити моделі") == ["3", "4", "6"]
        assert row(told, "Токени") == ["1500", "22k", "5.4M"]
        assert row(told, "читання") == ["2", "2", "2"]
        assert row(told, "З кешу") == ["25%", "1%", "0%"]
        assert row(told, "Ціна, близько") == ["$0.00", "$0.01", "$1.36"]
        assert row(told, "Повідомлення") == ["2", "2", "2"]
        assert "лишилося токенів: 198\u00a0500 із 200\u00a0000" in told


async def test_memory_nights_health_and_refusals_are_told(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        answer_facts(gemini, CAT, CAT | {"quote": "мій собака Рекс"})
        await talk(group)
        await group.say("гряг, які правила?", 104, "Ганна")
        await group.settle()
        await run_job(group.runtime.app, "decay", {"chat_id": CHAT})
        await run_job(group.runtime.app, "health", {})
        await group.say("/gryadsettings budget 0", *ADMIN)
        english = updates.user(102, "Taras", language_code="en")
        await group.runtime.app.chats.change(CHAT, {"settings": {"language": "en", "tokens_per_day": 0}})
        await group.say("/gryadstats", sender=english)
        told = group.answers[-1]
        assert row(told, "My answers") == ["1", "1", "1"]
        assert row(told, "Facts") == ["1"]
        assert row(told, "Conflicts")[-1] == "0"
        assert row(told, "no such quote") == ["1"]
        assert row(told, "decay")[0] == "06.11"
        assert "The model is off here" in told
        assert "checked 06.11" in told
        assert "Queue: " in told


async def test_an_unreachable_queue_is_said_to_be_unknown_and_no_health_is_none(sqlite_store):
    async with running_group(sqlite_store) as group:
        app = replace(group.runtime.app, queue=Away())
        account = await chat_account(app, await app.chats.state(CHAT))
        assert (account.backlog, account.health) == (None, None)


@pytest.mark.parametrize("language", get_args(Language))
def test_everything_that_may_be_told_has_a_name(language):
    keys = [f"job_{job}" for job in NIGHTLY] + [f"reason_{reason}" for reason in Reason]
    keys += [f"purpose_{purpose}" for purpose in get_args(Purpose)]
    assert all(0 < len(say(language, key)) <= 20 for key in keys)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (9_999, "9999"),
        (10_000, "10k"),
        (999_400, "999k"),
        (999_500, "1.0M"),
        (123_456_789, "123M"),
        (9_876_543_210, "9877M"),
    ],
)
def test_large_numbers_are_shortened(number, shown):
    assert shorten(number) == shown


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0, "$0.00"), (9.994, "$9.99"), (9.996, "$10.0"), (99.94, "$99.9"), (99.96, "$100"), (12_345, "$12k")],
)
def test_the_more_money_the_fewer_cents(amount, shown):
    assert dollars(amount) == shown
