"""A drawing as SVG: rectangles, lines of text and curves, with text measured so that it fits where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

import matplotlib as mpl
from PIL import ImageFont

_FONTS = Path(mpl.get_data_path(), "fonts", "ttf")
_FAMILY = "'DejaVu Sans', Verdana, Arial, sans-serif"  # measured in the widest; in the others it fits, too
_MEASURED_AT = 100


@cache
def _font(*, bold: bool) -> ImageFont.FreeTypeFont:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(_FONTS / name, _MEASURED_AT, layout_engine=ImageFont.Layout.BASIC)


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return how many pixels wide a text is at a size in pixels."""
    return _font(bold=bold).getlength(text) * size / _MEASURED_AT


def wrapped(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines of at most `width` pixels, at spaces; its own line ends stay."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and width_of(longer, size, bold=bold) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


@dataclass
class Drawing:
    """What was drawn so far, on a sheet of `width` pixels; the card that it stands on is drawn at the end."""

    width: float
    title: str
    paper: str
    border: str
    parts: list[str] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float, fill: str, *, radius: float = 10) -> None:
        """Draw a rectangle with round corners."""
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}" fill="{fill}"/>'
        )

    def text(
        self, x: float, y: float, text: str, size: float, colour: str, *, bold: bool = False, **style: str
    ) -> None:
        """Write one line whose foot is at `y`; `style` are attributes of SVG with "_" for "-"."""
        marks = {"font_weight": "bold"} if bold else {}
        given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in {**marks, **style}.items())
        shown = escape(text, quote=False)
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}"{given}>{shown}</text>')

    def lines(
        self,
        x: float,
        y: float,
        lines: list[str],
        size: float,
        colour: str,
        *,
        step: float,
        gap: float = 0,
        bold: bool = False,
    ) -> float:
        """Write lines below each other, the first with its head at `y`; return where the next one would begin.

        Args:
            step: From one line to the next.
            gap: Height of an empty line.
        """
        for line in lines:
            if line:
                self.text(x, y + size, line, size, colour, bold=bold)
            y += step if line else gap
        return y

    def curve(self, start: tuple[float, float], end: tuple[float, float], colour: str, *, dashed: bool = False) -> None:
        """Draw a curve that leaves and arrives level, with a dot at its start."""
        middle = (start[0] + end[0]) / 2
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        self.parts.append(
            f'<path d="M{start[0]:.1f} {start[1]:.1f} C{middle:.1f} {start[1]:.1f} {middle:.1f} {end[1]:.1f} '
            f'{end[0]:.1f} {end[1]:.1f}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
            f'<circle cx="{start[0]:.1f}" cy="{start[1]:.1f}" r="3.5" fill="{colour}"/>'
        )

    def svg(self, height: float) -> str:
        """Return the file, on a card of its own: it reads on light pages and on dark ones."""
        page = f'width="{self.width:g}" height="{height:.0f}" viewBox="0 0 {self.width:g} {height:.0f}"'
        card = f'width="{self.width - 1:g}" height="{height - 1:.0f}" rx="14" fill="{self.paper}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {page} role="img" font-family="{_FAMILY}">',
            f"<title>{escape(self.title, quote=False)}</title>",
            f'<rect x="0.5" y="0.5" {card} stroke="{self.border}"/>',
        ]
        return "\n".join([*parts, *self.parts, "</svg>", ""])
