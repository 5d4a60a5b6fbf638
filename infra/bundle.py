"""Stage `build/<function>/` as it is deployed: main.py, requirements.txt, shared/ and infra/ side by side.

Served from a checkout, a function's own folder is the only one on `sys.path`; a bundle is whole.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

FUNCTIONS = ("webhook", "extract", "maintenance")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "local", "cli", "telegram_export", "bundle.py")


def stage(root: Path, into: Path, functions: Sequence[str] = FUNCTIONS) -> list[Path]:
    """Make the folders anew; their paths.

    Args:
        root: The checkout.
        into: Where the folders go; each of them is replaced.
    """
    return [_stage(root, into / name, name) for name in functions]


def _stage(root: Path, target: Path, name: str) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copy(root / "functions" / name / "main.py", target)
    shutil.copy(root / "requirements.txt", target)
    for package in ("shared", "infra"):
        shutil.copytree(root / package, target / package, ignore=_LEFT_OUT)
    return target


if __name__ == "__main__":
    checkout = Path(__file__).resolve().parents[1]
    for folder in stage(checkout, checkout / "build"):
        sys.stdout.write(f"{folder.relative_to(checkout)}\n")
