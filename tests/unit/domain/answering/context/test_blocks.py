"""What is remembered, as lines for the model."""

from datetime import UTC, datetime, timedelta

from shared.domain.answering.context.blocks import context_file_lines, note_lines, sentence_keys
from shared.domain.answering.context.material import ContextFileText
from shared.domain.recall.index.note import Note


def test_the_frame_of_the_context_file_costs_no_tokens():
    text = "<!-- spomyn:context v1 -->\n\n## Ongoing\n- Fair [2026-03-19]\n\n---\n*Last updated: 2026-03-20 04:00*\n"
    now = datetime(2026, 3, 20, 9, 0, tzinfo=UTC)
    assert context_file_lines(ContextFileText(text, now), now, budget_tokens=200) == [
        "## Ongoing",
        r"- Fair \[2026-03-19\]",
    ]


def test_a_note_about_several_days_says_from_when_to_when():
    since = datetime(2026, 3, 17, 9, 0, tzinfo=UTC)
    note = Note("meta", "1", 1, 9, since, since + timedelta(days=3), "Їздили в гори.")
    assert note_lines(note, UTC) == ("- #1 2026-03-17 to 2026-03-20: Їздили в гори.",)


def test_of_what_somebody_is_quoted_with_all_is_told_or_nothing():
    at = datetime(2026, 3, 17, 9, 0, tzinfo=UTC)
    told = sentence_keys('"Taras": "the oars are broken. again"')
    again = Note("chunk", "1", 1, 9, at, at, '"Taras": "the oars are broken. again"')
    more = Note("chunk", "1", 1, 9, at, at, '"Taras": "the oars are broken. forever"')
    assert note_lines(again, UTC, told=told) == ()
    assert note_lines(more, UTC, told=told) == ('- #1 2026-03-17: "Taras": "the oars are broken. forever"',)
