"""A small labelled group for the desk: two members, a fact, a question."""

from pathlib import Path

from tests.evals.desk_group import DeskGroup, read_desk_group

TALK = """\
{"date": "2026-11-01T10:00:00+00:00", "user_id": 1, "name": "Оля", "message_id": 1, "text": "у мене алергія на горіхи"}
{"date": "2026-11-12T10:00:00+00:00", "user_id": 2, "name": "Макс", "message_id": 2, "text": "домовились, поїхали"}
{"date": "2026-11-12T20:00:00+00:00", "night": true}
"""
LABELS = """\
may = []
superseded = []
never = []
[members.olia]
user_id = 1
name = "Оля"
called = []
[[must]]
id = "nuts"
subject = "olia"
category = "personal_info"
words = ["горіх"]
messages = [1]
quote = "алергія"
"""
QUESTIONS = """\
asked_at = 2026-11-13T10:00:00+00:00
refusals = ["не знаю"]
[[question]]
id = "q"
asker = "olia"
kind = "single"
text = "гряг, на що в мене алергія?"
accept = [["горіх"]]
forbid = []
messages = [1]
after_a_week = true
"""


def small_group(folder: Path) -> DeskGroup:
    """Two members, a fact and a question."""
    place = folder / "small"
    place.mkdir()
    for name, text in (("talk.jsonl", TALK), ("labels.toml", LABELS), ("questions.toml", QUESTIONS)):
        (place / name).write_text(text, "utf-8")
    return read_desk_group("small", folder)
