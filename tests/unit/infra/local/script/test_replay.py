"""A script is replayed at its times, and one that fails leaves nothing behind."""

from __future__ import annotations

import pytest

from infra.local.script import ScriptError
from tests.support.scripts import replayed, script_of
from tests.unit.infra.local.script.plays import RULE, TARAS

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


def test_a_line_whose_time_has_passed_comes_at_once(play):
    minutes = [
        TARAS | {"text": text, "date": f"2026-11-06T18:0{n}:00"} for n, text in enumerate(("а", "гряг, га?", "о"))
    ]
    dates = [line["date"][11:19] for line in play(*minutes)["lines"]]
    assert dates[0] == "18:00:00"
    assert dates[1] > "18:10:00"
    assert dates[1] < dates[2] < "18:15:00"


def test_of_a_script_that_fails_nothing_is_kept(tmp_path):
    kept = tmp_path / "kept.db"
    with pytest.raises(ScriptError):
        replayed(script_of(tmp_path, [RULE, TARAS | {"edit": 1, "text": "a"}]), keep=kept)
    assert [path.name for path in tmp_path.iterdir()] == ["talk.jsonl"]
    replayed(script_of(tmp_path, [RULE]), keep=kept)
    assert kept.exists()


def test_lines_without_dates_come_twenty_seconds_after_one_another(replay_lines):
    lines = [{"name": "a", "text": "1"}, {"name": "b", "text": "2", "message_id": 2}, {"name": "a", "text": "3"}]
    done = replay_lines({"date": "2026-03-06T18:20:00"} | lines[0], *lines[1:])["lines"]
    assert [line["message_id"] for line in done] == [1, 2, 3]
    assert [line["date"] for line in done] == [f"2026-03-06T18:20:{second}+00:00" for second in ("00", "20", "40")]
