"""Of what a tool found, the provenance names what the model was shown."""

import pytest

from shared.application.answering.tool_use import ToolUse, as_shown
from shared.application.ports.model import WebSource
from tests.support.builders import message

SAID = message("Зустріч перенесли на п'ятницю о сьомій")
PAGE = WebSource("https://example.org/a", "A")


def shown(response) -> list[str]:
    use = as_shown(ToolUse("probe", "ok", 3, messages=(SAID,), pages=(PAGE,)), response)
    assert (use.name, use.ending, use.milliseconds) == ("probe", "ok", 3)
    return [each.text for each in use.messages] + [each.url for each in use.pages]


@pytest.mark.parametrize(
    ("response", "seen"),
    [
        ({"found": [{"text": SAID.text}]}, [SAID.text]),
        ({"found": [{"text": "Зустріч перенесли на п'ятн…"}]}, [SAID.text]),
        ({"found": [{"text": "Зустріч…"}]}, []),
        ({"found": [{"text": "Зустріч перенесли на середу…"}]}, []),
        ({"found": f"Тарас: {SAID.text}"}, []),
        ({"pages": {"first": PAGE.url}}, [PAGE.url]),
        ({"found": [1, None]}, []),
        ({}, []),
    ],
)
def test_a_memory_counts_whose_words_stand_in_the_result_whole_or_with_their_end_cut_off(response, seen):
    assert shown(response) == seen


def test_a_memory_without_words_is_never_shown():
    use = ToolUse("probe", "ok", 3, messages=(message(""),))
    assert as_shown(use, {"text": ""}).messages == ()
