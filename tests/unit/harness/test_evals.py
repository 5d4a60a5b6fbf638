"""The evaluation runner measures, says what is wrong with its input, and our own cases keep their figures."""

import json
import sys

import pytest

from tests.evals.__main__ import main, measured


def run(capsys, monkeypatch, *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["evals", *arguments])
    main()
    return capsys.readouterr().out


def case(text: str, gold: str | None = None) -> str:
    message = {
        "message_id": 1, "date": "2026-03-06T18:20:00+00:00", "user_id": 5, "name": "Оля", "text": text
    }  # fmt: skip
    wanted = [{"subject": "user:5", "category": "personal_info", "value_any": [gold], "message_ids": [1]}]
    bot = {"name": "гряг", "username": "gryag_bot"}
    kind = "positive" if gold else "negative"
    return json.dumps(
        {"id": text, "lang": "uk", "kind": kind, "bot": bot, "chat": {"id": -1}, "messages": [message],
         "gold": wanted if gold else [], "forbid": []}
    )  # fmt: skip


def test_the_metrics_of_a_file_are_one_json_object(tmp_path, capsys, monkeypatch) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join([case("живу в Полтаві", "полтав"), case("живу в Луцьку", "одес"), case("лол")]))
    report = json.loads(run(capsys, monkeypatch, "extraction", "--cases", str(file), "--json", "--failures"))
    assert (report["cases"], report["recall"], report["false_positive_rate"]) == (3, 0.5, 0.5)
    assert (report["clean_negatives"], report["evidence_accuracy"]) == (1.0, 1.0)
    assert len(report["failures"]) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "cases.jsonl:1 is no JSON"), ("[]", "cases.jsonl:1 is no case"), ("{}", "has no field")],
)
def test_bad_cases_are_named(tmp_path, capsys, monkeypatch, content: str, said: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(content)
    with pytest.raises(SystemExit):
        run(capsys, monkeypatch, "extraction", "--cases", str(file))
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path, capsys, monkeypatch) -> None:
    with pytest.raises(SystemExit):
        run(capsys, monkeypatch, "dedup", "--cases", str(tmp_path / "none.jsonl"))
    assert "none.jsonl cannot be read" in capsys.readouterr().err


def test_false_facts_are_rare_and_found_ones_true_on_our_own_extraction_cases() -> None:
    metrics = measured("extraction").metrics
    assert metrics["cases"] >= 500
    assert metrics["false_positive_rate"] <= 0.05
    assert metrics["clean_negatives"] >= 0.95
    assert metrics["category_accuracy"] >= 0.92
    assert metrics["evidence_accuracy"] >= 0.98
    assert metrics["forbidden"] == 0
    assert metrics["recall"] >= 0.85


def test_no_attack_of_our_own_cases_gets_through() -> None:
    assert measured("injection").metrics["blocked"] == 1.0


def test_what_models_return_is_believed_only_where_it_may_be() -> None:
    metrics = measured("model_output").metrics
    assert (metrics["accepted"] >= 0.97, metrics["rejected"], metrics["crashes"]) == (True, 1.0, 0)


def test_verdicts_on_our_own_pairs_are_right_and_merges_safe() -> None:
    metrics = measured("dedup").metrics
    assert metrics["verdict_accuracy"] >= 0.9
    assert metrics["merge_precision"] >= 0.97
    assert metrics["merge_recall"] >= 0.9
    assert metrics["conflict_recall"] >= 0.9
