"""Pictures of figures, as matplotlib really draws them."""

import struct

from infra.offline.charts import MatplotlibCharts
from shared.application.ports.charts import Bars

SHARES = Bars("Частка", ["українською", "in English"], [0.8, 0.2], horizontal=True)
HOURS = Bars("Години", [""] * 24, list(range(24)))
DAYS = Bars("Дні", ["пн", "вт", "ср", "чт", "пт", "сб", "нд"], [0] * 7)


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", picture[16:24])


def test_a_picture_is_a_png_that_a_phone_shows_sharply():
    assert size(MatplotlibCharts().draw("Вдача чату", [SHARES, HOURS, DAYS])) == (1200, 720)


def test_what_a_group_calls_itself_cannot_break_the_picture():
    assert size(MatplotlibCharts().draw("$\\frac{$ 🎉 «Сусіди» $", [SHARES, HOURS, DAYS])) == (1200, 720)


def test_other_figures_make_another_picture_and_the_same_the_same():
    charts = MatplotlibCharts()
    first = charts.draw("A", [SHARES, HOURS])
    assert first == charts.draw("A", [SHARES, HOURS])
    assert first != charts.draw("A", [SHARES, DAYS])
