"""What is remembered, as lines for the model."""

from datetime import UTC, datetime

from shared.domain.answering.context.blocks import board_lines
from shared.domain.answering.context.material import BoardText


def test_the_frame_of_the_board_costs_no_tokens():
    text = "<!-- spomyn:context v1 -->\n\n## Ongoing\n- Fair [2026-03-19]\n\n---\n*Last updated: 2026-03-20 04:00*\n"
    now = datetime(2026, 3, 20, 9, 0, tzinfo=UTC)
    assert board_lines(BoardText(text, now), now, budget_tokens=200) == ["## Ongoing", r"- Fair \[2026-03-19\]"]
