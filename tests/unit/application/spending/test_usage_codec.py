"""What calls cost is added to the day of their chat and of the member who asked, and read back."""

from datetime import date, timedelta
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infra.sqlite.store import SqliteStore
from shared.application.documents import usage_path
from shared.application.ports.model import ModelReply, Purpose, TokenUsage
from shared.application.ports.store import Document, Upsert
from shared.application.spending.usage_codec import (
    DaySpending,
    DayUsage,
    PurposeUsage,
    cost_of,
    notice_fields,
    read_spending,
    read_usage,
    refused_fields,
    repeated_fields,
    spending_fields,
    spending_path,
    tokens_of,
    usage_day,
    usage_days_path,
    usage_fields,
)
from tests.support.builders import START

DAY = date(2026, 11, 2)
PATH, OWN = usage_path(-1, DAY), spending_path(-1, 101, DAY)
LATER = START + timedelta(days=2)

counts = st.integers(min_value=0, max_value=10**6)
replies = st.builds(lambda a, b, c: ModelReply("", "m", TokenUsage(a, b, c)), counts, counts, counts)
calls = st.lists(st.tuples(st.sampled_from(get_args(Purpose)), replies), min_size=1, max_size=5)


def summed(said):
    return {
        purpose: PurposeUsage(
            len(own := [reply.usage for each, reply in said if each == purpose]),
            sum(usage.input for usage in own),
            sum(usage.output for usage in own),
            sum(usage.cached for usage in own),
        )
        for purpose in get_args(Purpose)
        if any(each == purpose for each, _ in said)
    }


@given(first=calls, second=calls)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_what_is_booked_adds_up(tmp_path_factory, first, second):
    store = SqliteStore(tmp_path_factory.mktemp("usage") / "store.db")
    try:
        for said in (first, second):
            own = spending_fields(101, [reply for _, reply in said], expire_at=LATER, tokens=0)
            await store.batch([Upsert(PATH, usage_fields(said, DAY)), Upsert(OWN, own)])
        both = [*first, *second]
        total = sum(reply.usage.total for _, reply in both)
        cached = sum(reply.usage.cached for _, reply in both)
        used = await store.get(PATH)
        cost = sum(cost_of(reply, DAY) for _, reply in both)
        assert read_usage(used) == DayUsage(DAY, len(both), total, cached, summed(both), microdollars=cost)
        assert read_spending(await store.get(OWN)) == DaySpending(total, len(both))
        assert tokens_of(used) == total
    finally:
        await store.aclose()


def test_a_call_costs_what_its_model_and_its_tier_take_on_its_day_and_what_was_cached_less():
    usage = TokenUsage(input=1_000_000, output=100_000, cached=400_000)
    january = date(2027, 1, 1)

    def cost(model, day, **tier):
        return cost_of(ModelReply("", model, usage, **tier), day) / 1_000_000

    assert cost("gemini-3.5-flash-lite", january) == pytest.approx(0.6 * 0.30 + 0.1 * 2.50 + 0.4 * 0.03)
    assert cost("gemini-3.5-flash-lite", january, flex=True) == pytest.approx((0.6 * 0.30 + 0.25) / 2 + 0.012)
    assert cost("gemini-3.8-flash", date(2026, 12, 31)) == pytest.approx(cost("gemini-3.8-flash", january) / 2)
    assert cost("somebody's own", january, flex=True) == pytest.approx(1.50 + 0.1 * 9.00)


async def test_refused_candidates_are_counted_beside_what_calls_cost(sqlite_store):
    for reasons in ({"question": 2}, {"question": 1, "no_evidence": 4}):
        await sqlite_store.upsert(PATH, refused_fields(reasons))
    day = read_usage(await sqlite_store.get(PATH))
    assert day == DayUsage(DAY, refused={"question": 3, "no_evidence": 4})


async def test_what_was_sent_again_is_counted_beside_what_calls_cost(sqlite_store):
    for _ in range(2):
        await sqlite_store.upsert(PATH, repeated_fields())
    assert read_usage(await sqlite_store.get(PATH)) == DayUsage(DAY, answers_repeated=2)


async def test_that_somebody_was_told_stands_beside_what_they_cost(sqlite_store):
    await sqlite_store.upsert(OWN, notice_fields(7, user_id=101, expire_at=LATER))
    assert read_spending(await sqlite_store.get(OWN)) == DaySpending(told=7)
    assert "user_id" not in notice_fields(7, user_id=None, expire_at=LATER)


def test_a_day_of_before_purposes_were_told_apart_has_its_sums():
    day = Document(PATH, {"schema": 1, "calls": 3, "tokens": 900})
    assert read_usage(day) == DayUsage(DAY, 3, 900)
    assert (tokens_of(None), read_spending(None)) == (0, DaySpending())


def test_days_are_sorted_by_their_ids():
    paths = [usage_path(-1, DAY + timedelta(days=each)) for each in range(60)]
    assert sorted(paths) == paths
    assert all(path.startswith(f"{usage_days_path(-1)}/") for path in paths)
    assert usage_day(Document(paths[59], {})) == DAY + timedelta(days=59)
