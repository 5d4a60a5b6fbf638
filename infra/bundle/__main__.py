"""`python -m infra.bundle [--report]`: write build/<function>/ and build/<function>.zip, and say how large they are."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from infra.bundle import Bundle, BundleError, bundles, pack, stage
from infra.bundle.requirements import installed_bytes

_CHECKOUT = Path(__file__).resolve().parents[2]
_ROW = "{:<12} {:>7} {:>10} {:>10} {:>12} {:>13}\n"


def main() -> None:
    """Make the bundles; with `--report` a table of their sizes."""
    parser = argparse.ArgumentParser(prog="python -m infra.bundle", description="Make what Terraform deploys.")
    parser.add_argument("--report", action="store_true", help="say how large they are, with what is installed for them")
    options = parser.parse_args()
    try:
        made = bundles(_CHECKOUT)
    except BundleError as error:
        sys.exit(f"No bundle is made: {error}")
    paths = [_write_bundle(bundle) for bundle in made]
    sys.stdout.write(_report(made, paths) if options.report else "".join(f"{_relative_path(path)}\n" for path in paths))


def _write_bundle(bundle: Bundle) -> Path:
    stage(bundle, _CHECKOUT / "build")
    return pack(bundle, _CHECKOUT / "build")


def _relative_path(path: Path) -> str:
    return path.relative_to(_CHECKOUT).as_posix()


def _report(made: list[Bundle], paths: list[Path]) -> str:
    header = _ROW.format("function", "modules", "zip", "unpacked", "requirements", "installed")
    return header + "".join(map(_row, made, paths))


def _row(bundle: Bundle, path: Path) -> str:
    unpacked = sum(map(len, bundle.files.values()))
    installed = sum(map(installed_bytes, bundle.requirements))
    sizes = (f"{path.stat().st_size / 1e6:.2f} MB", f"{unpacked / 1e6:.2f} MB")
    count = len(bundle.requirements)
    return _ROW.format(bundle.function, len(bundle.modules), *sizes, count, f"{installed / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
