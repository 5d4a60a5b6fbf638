"""A night at the console runs every job and says what each did."""

from __future__ import annotations

import pytest

from tests.unit.infra.local.script.plays import RULE, rules

pytestmark = pytest.mark.usefixtures("logging_restored")


def test_a_night_runs_all_its_jobs_and_says_what_they_did(play):
    later = {"night": True, "date": "2027-02-20T01:00:00+00:00"}
    told = play(RULE | {"date": "2026-11-06T18:00:00+00:00"}, {"night": True}, later)
    first, second = (line["night"] for line in told["lines"][1:])
    assert {"decay", "dedup", "summaries", "episodes", "culture", "consolidate", "retention", "sweep"} <= set(first)
    assert (first["decay"], second["decay"]) == ({"expired": 0}, {"expired": 1})
    assert rules(told) == {"politics": "expired"}
