"""What is typed at the console says who speaks, to whom, and what is pressed."""

from __future__ import annotations

import pytest

from infra.local.typed import Typed, read_line


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("Оля: Привіт", Typed("Привіт", "Оля")),
        ("Оля*: Нагадую: ніякої політики!", Typed("Нагадую: ніякої політики!", "Оля", is_admin=True)),
        ("Тарас > 12: згоден", Typed("згоден", "Тарас", reply_to=12)),
        ("Ігор Бондар* > 3 :так", Typed("так", "Ігор Бондар", is_admin=True, reply_to=3)),
        ("> 12: згоден", Typed("згоден", reply_to=12)),
        ("Оля: /1", Typed("/1", "Оля", press=1)),
        ("Оля > 12: /2", Typed("/2", "Оля", reply_to=12, press=2)),
        ("Оля~: /gryadexport", Typed("/gryadexport", "Оля", is_private=True)),
        ("Оля*~ > 3: так", Typed("так", "Оля", is_admin=True, reply_to=3, is_private=True)),
        ("~: і ще", Typed("і ще", is_private=True)),
        ("десь ~: там", Typed("там", "десь", is_private=True)),
        ("просто далі", Typed("просто далі")),
        (" Увага: збори", Typed("Увага: збори")),
        ("о 12:30 зустріч", Typed("о 12:30 зустріч")),
        ("12:30 зустріч", Typed("12:30 зустріч")),
        ("https://example.org", Typed("https://example.org")),
        ("ось ще один приклад: такий", Typed("ось ще один приклад: такий")),
        ("/gryadchatfacts", Typed("/gryadchatfacts")),
    ],
)
def test_a_typed_line_says_who_speaks(line, typed):
    assert read_line(line) == typed
