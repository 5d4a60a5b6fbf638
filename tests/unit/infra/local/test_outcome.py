"""What a replay says happened: answers with what they answer, edits, what was shown."""

from __future__ import annotations

import json

import pytest

from tests.unit.infra.local.processes import SCRIPTS, run
from tests.unit.infra.local.script.plays import LIST, RULE, TARAS

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


def test_a_button_is_pressed_by_its_number_and_what_it_changes_is_told(play):
    told = play(RULE, LIST, TARAS | {"press": 1}, TARAS | {"press": 2, "message_id": 3})
    asked, opened, voted = told["lines"][1:]
    assert [answer["message_id"] for answer in asked["answers"]] == [3]
    assert "Чинне з" in opened["edits"][0]["text"]
    assert "Виправити" in opened["edits"][0]["buttons"]
    assert opened["message_id"] == voted["message_id"] == 3
    assert voted["edits"] or voted["shown"]


def test_each_answer_stands_with_the_message_that_it_answers(play):
    told = play(RULE, TARAS | {"text": "гряг, які в нас правила?", "message_id": 2})
    [answer] = [line for line in told["transcript"] if line["is_bot"]]
    assert answer["answers"] == {"message_id": 2, "author": "Тарас", "text": "гряг, які в нас правила?"}
    assert [line["answers"] for line in told["transcript"] if not line["is_bot"]] == [None, None]


def test_a_replay_comes_out_the_same_in_every_process(tmp_path, replay):
    done = run(tmp_path, "--script", str(SCRIPTS / "1-language.jsonl"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == replay("1-language.jsonl")


def test_an_export_of_telegram_desktop_is_replayed_without_learning_from_forwards(replay):
    outcome = replay("result.json")
    assert [line["message_id"] for line in outcome["transcript"]] == [2, 3, 5, 6, 7]
    assert outcome["transcript"][0]["text"] == "Хлопці, давайте більше українською спілкуватися"
    assert {fact["key"] for fact in outcome["facts"] if fact["subject"] == "chat"} == {"language_preference"}


def test_members_and_the_bot_are_numbered_in_one_sequence_and_given_ids_are_kept(replay_lines):
    said = [("гряг, ти тут?", None), ("Привіт", None), ("гряг, і ще?", 4), ("гряг, а тепер?", 5), ("Ага", None)]
    lines = [{"name": "Оля", "text": text, "message_id": message_id} for text, message_id in said]
    told = [(line["message_id"], line["is_bot"]) for line in replay_lines(*lines)["transcript"]]
    assert told == [(1, False), (2, True), (3, False), (4, False), (6, True), (5, False), (7, True), (8, False)]
