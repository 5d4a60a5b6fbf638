"""A chat in figures: what is believed, what waits, and what a day was like."""

from datetime import UTC, datetime, timedelta
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.application.commands.chat.stats import spending_table
from shared.application.documents import usage_path
from shared.application.night import figures
from shared.application.night.figures import chat_account
from shared.application.ports.model import Purpose
from shared.application.ports.store import Document
from shared.application.spending.usage_codec import read_usage
from shared.domain.delivery.markup import plain
from shared.domain.text.language import Language
from tests.support.group import CHAT, running_group


async def test_what_is_believed_and_what_waits_is_counted(store):
    async with running_group(store) as group:
        for n, status in enumerate(("active", "active", "active", "pending", "expired")):
            await group.store.set(f"chats/{CHAT}/facts/{n}", {"schema": 1, "status": status})
        app = group.runtime.app
        account = await chat_account(app, await app.chats.state(CHAT))
        assert (account.facts, account.conflicts) == (3, 1)


PURPOSES = st.sampled_from(get_args(Purpose))
DAY_OF_USAGE = st.dictionaries(PURPOSES, st.tuples(*(st.integers(0, 10**7) for _ in range(3))), max_size=4)


@given(st.dictionaries(st.integers(0, 29), DAY_OF_USAGE, max_size=6), st.sampled_from(get_args(Language)))
@settings(max_examples=25, deadline=None)
async def test_the_table_is_what_a_hand_count_gives_and_fits_a_phone(days, language):
    now = datetime(2026, 11, 6, 23, 59, tzinfo=UTC)
    usage = [
        read_usage(Document(usage_path(CHAT, now.date() - timedelta(days=back)), _fields(spent)))
        for back, spent in days.items()
    ]
    spells = tuple(figures.spell(now.date(), each, usage, 10**6, 10**6) for each in figures.SPELLS)
    for spell in spells:
        counted = [one for back, spent in days.items() if back < spell.days for one in spent.items()]
        assert sum(spell.tokens.values()) == sum(read + written for _, (read, written, _) in counted)
        assert sum(spell.calls.values()) == sum(calls for _, (_, _, calls) in counted)
        cost = sum(sum(c[0] for c in spent.values()) for back, spent in days.items() if back < spell.days)
        assert spell.dollars == cost / 1_000_000
    account = figures.Account(spells, 1, 1, 0, 0, [], {}, None, None)
    assert max(map(len, plain(spending_table(language, account)).splitlines())) <= 32


def _fields(spent):
    cost = {"microdollars": sum(counts[0] for counts in spent.values())}
    return cost | {
        f"{purpose}_{name}": count
        for purpose, counts in spent.items()
        for name, count in zip(("input_tokens", "output_tokens", "calls"), counts, strict=True)
    }
