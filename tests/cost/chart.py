"""The bill as a picture: what each part costs, at each size."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from tests.cost.page import PARTS


def draw(bills: dict[int, dict[str, float]], path: Path) -> None:
    """Dollars a group and month, a bar a size, into an SVG file."""
    mpl.rcParams["svg.hashsalt"] = "cost"
    figure = Figure(figsize=(8, 3), layout="constrained")
    axes = figure.subplots()
    names = [f"{groups:,} group{'s' if groups > 1 else ''}" for groups in bills]
    left = [0.0] * len(bills)
    for part in PARTS:
        widths = [bill[part] / groups for groups, bill in bills.items()]
        axes.barh(names, widths, left=left, label=part)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("dollars a group and month at list prices, nothing free")
    axes.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.45, -0.25), frameon=False)
    figure.savefig(path, format="svg", metadata={"Date": None})
