"""Charts drawn by matplotlib, which is loaded with the first picture: it takes a second, and only workers draw."""

from __future__ import annotations

import io
import os
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from shared.application.ports.charts import Bars

_INCHES, _DPI = (10.0, 6.0), 120
"""A phone shows 1,200 by 720 pixels sharply."""

_LAST = 0xFFFF
"""The last character among those of living languages; beyond are emoji."""

_BLUE, _GREY = "#3d7fc4", "#dfe6ee"


class MatplotlibCharts:
    """`Charts`. Its font is DejaVu Sans, which comes with matplotlib and has Cyrillic letters."""

    def draw(self, title: str, bars: Sequence[Bars]) -> bytes:
        # It keeps a list of fonts where it may write; in a function that is only here.
        os.environ.setdefault("MPLCONFIGDIR", str(Path(tempfile.gettempdir(), "matplotlib")))
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=_INCHES, dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(_printable(title), fontsize=17)
        grid = figure.add_gridspec(max(len(bars) - 1, 1), 2)
        for number, each in enumerate(bars):
            axes = figure.add_subplot(grid[:, 0] if number == 0 else grid[number - 1, 1])
            axes.set_title(_printable(each.title), fontsize=13)
            (_horizontal if each.horizontal else _vertical)(axes, each)
        picture = io.BytesIO()
        figure.savefig(picture, format="png")
        return picture.getvalue()


def _printable(text: str) -> str:
    """Return the text without emoji, which the font lacks, and with dollars escaped: they would begin a formula."""
    letters = (char for char in text if ord(char) <= _LAST and unicodedata.category(char) != "So")
    return "".join(letters).replace("$", r"\$").strip()


def _horizontal(axes: Axes, bars: Bars) -> None:
    places = range(len(bars.values))
    axes.barh(places, [1.0] * len(bars.values), color=_GREY)
    axes.barh(places, list(bars.values), color=_BLUE)
    axes.set_yticks(places, [_printable(label) for label in bars.labels], fontsize=12)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.12)
    axes.set_xticks([])
    for place, value in zip(places, bars.values, strict=True):
        axes.text(1.02, place, f"{value:.0%}", va="center", fontsize=11)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _vertical(axes: Axes, bars: Bars) -> None:
    places = range(len(bars.values))
    axes.bar(places, list(bars.values), color=_BLUE)
    labelled = [(place, label) for place, label in zip(places, bars.labels, strict=True) if label]
    axes.set_xticks([place for place, _ in labelled], [_printable(label) for _, label in labelled], fontsize=10)
    axes.set_yticks([])
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.tick_params(length=0)
