"""`python -m infra.local` as a person runs it: seed scenarios, what is shown of them, wrong settings."""

from __future__ import annotations

import pytest

from infra.local.cli import main
from tests.unit.infra.local.processes import SCRIPTS

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


# --- Scripts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "category", "key", "value", "least", "quote"),
    [
        ("1-language.jsonl", "preference", "language_preference", "ukrainian", 0.8, "давайте більше українською"),
        ("2-tradition.jsonl", "tradition", "weekly_recap", "friday", 0.85, "в п'ятницю підіб'ємо підсумки"),
        ("3-rule.jsonl", "rule", "forbidden_topics", "politics", 0.9, "ніякої політики в чаті"),
    ],
)
def test_a_seed_scenario_is_learnt_and_the_bot_quotes_it(replay, script, category, key, value, least, quote):
    outcome = replay(script)
    facts = [f for f in outcome["facts"] if (f["subject"], f["category"], f["key"]) == ("chat", category, key)]
    assert [fact["value"] for fact in facts] == [value]
    assert facts[0]["status"] == "active"
    assert facts[0]["confidence"] >= least
    said = {line["message_id"]: line["text"] for line in outcome["transcript"]}
    assert all(evidence["quote"] in said[evidence["message_id"]] for evidence in facts[0]["evidence"])
    *_, question, answer = outcome["transcript"]
    assert (answer["is_bot"], answer["reply_to"]) == (True, question["message_id"])
    assert quote in answer["text"]
    assert "без мовної моделі" in answer["text"]
    assert outcome["usage"]["reads"] > 0
    assert outcome["usage"]["model_calls"] == outcome["usage"]["tokens"] == 0


def test_for_people_a_replay_is_a_transcript_with_facts_and_usage(tmp_path, here, capsys):
    assert main(["--script", str(SCRIPTS / "3-rule.jsonl"), "--keep", "kept.db"]) == 0
    shown = capsys.readouterr().out
    assert "Оля*  Нагадую: ніякої політики в чаті!" in shown
    assert "learnt · rule" in shown
    assert "0 model calls" in shown
    assert (tmp_path / "kept.db").exists()


def test_a_missing_script_and_a_wrong_setting_are_one_sentence(tmp_path, capsys, monkeypatch):
    assert main(["--script", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'none.jsonl'} cannot be read: No such file or directory.\n"
    monkeypatch.setenv("SPOMYN_PORT", "http")
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("SPOMYN_PORT is wrong")


# --- The servers -------------------------------------------------------------------------------


def test_a_local_run_has_its_own_queue(here, capsys):
    cloud = {
        "GOOGLE_CLOUD_PROJECT": "p",
        "ANSWER_URL": "http://a.test",
        "EXTRACT_URL": "http://e.test",
        "MAINTENANCE_URL": "http://m.test",
    }
    for name, value in {"SPOMYN_QUEUE": "cloud-tasks", "CLOUD_TASKS_EMULATOR_HOST": "127.0.0.1:1", **cloud}.items():
        here.setenv(name, value)
    assert main([]) == 2
    assert "SPOMYN_QUEUE" in capsys.readouterr().err
