"""What is said of a backfill: a summary for people, an estimate of what it would cost."""

import re

import pytest

from tests.support.telegram.export import exported, talk, written

pytestmark = pytest.mark.wall_clock
RECENT = ["--since", "2026-10-01"]


def test_for_people_it_is_a_summary(spomyn, tmp_path):
    done = spomyn("backfill", written(tmp_path, talk(12)), *RECENT)
    assert done.code == 0
    assert re.search(r"created +12 *\n", done.out)
    assert re.search(r"not learnt from yet +0 *\n", done.out)


def test_a_dry_run_counts_estimates_and_stores_nothing(spomyn, tmp_path):
    path = written(tmp_path, [*talk(40), exported(50, "Оберіть", 777, "Votebot")])
    told = spomyn("backfill", path, "--dry-run", *RECENT, "--json").json
    assert (told["messages"], told["chunks"], told["days"]) == (41, 5, 1)
    assert {member["name"] for member in told["members"]} == {"Тарас", "Оля", "Ann", "Votebot"}
    assert set(told["languages"]) == {"uk", "en"}
    assert told["input_tokens"] > 2_000  # a reading of the talk, with all that it is told of
    assert told["dollars"] == pytest.approx((told["input_tokens"] * 0.30 + told["output_tokens"] * 2.5) / 1e6, abs=1e-4)
    dry = spomyn("backfill", path, "--dry-run", *RECENT)
    assert "check your provider's price list" in dry.out
    assert "nothing was stored" in dry.out
    assert spomyn("stats", "--json").json["chats"]["known"] == 0
    assert spomyn("backfill", path, "--dry-run", "--bot", 777, *RECENT, "--json").json["skipped"] == {
        "of another bot": 1
    }
