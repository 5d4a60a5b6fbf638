"""How lines, files and buttons look on a terminal."""

from __future__ import annotations

import io

from infra.local.events import Line
from infra.local.view import terminal_view


def test_a_long_list_of_buttons_is_shown_row_by_row():
    output = io.StringIO()
    buttons = (("«", "1/9", "»"), *((f"факт {number}",) for number in range(4, 12)))
    terminal_view(output).show(Line(-1001, 5, "гряг", "Факти:\nусі", is_bot=True, buttons=buttons, file="a.json"))
    shown = output.getvalue().splitlines()
    assert shown[:4] == ["    5  гряг  Факти:", "       усі", "       file: a.json", "       /1 [«]  /2 [1/9]  /3 [»]"]
    assert shown[4:] == [f"       /{number} [факт {number}]" for number in range(4, 12)]
