"""Making bundles: their files in memory, as a folder, as a zip that is the same byte for byte wherever it is made."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from infra.bundle.requirements import PinnedPackage, read_lock, requirements_for
from infra.bundle.sources import Module, files_of, needs_of, read_modules

FUNCTIONS = ("webhook", "answer", "extract", "maintenance")

_ONLY_IN_TASKS = "the maintenance function's tasks"
NEVER_REACHED: Mapping[str, Mapping[str, str]] = {
    "webhook": {},
    "answer": {"boto3": _ONLY_IN_TASKS, "botocore": _ONLY_IN_TASKS, "matplotlib": _ONLY_IN_TASKS},
    "extract": {"boto3": _ONLY_IN_TASKS, "botocore": _ONLY_IN_TASKS, "matplotlib": _ONLY_IN_TASKS},
    "maintenance": {},
}
"""Packages that a function has an adapter for and never calls, with who does: `App.archive` and `App.charts` are made
for every worker, load nothing until they are used, and are used by maintenance only; a test follows every call."""

_HEADER = "# Made by `make bundle` from requirements.txt: what main.py can import, and what that needs.\n"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o100644 << 16
_UNIX = 3


class Bundle(NamedTuple):
    """One function as it is deployed.

    Attributes:
        files: Content by path, sorted.
        modules: Those of the product, by dotted name.
        requirements: Its packages, sorted by name.
    """

    function: str
    files: Mapping[str, bytes]
    modules: frozenset[str]
    requirements: Sequence[PinnedPackage]


def bundles(root: Path, functions: Sequence[str] = FUNCTIONS) -> list[Bundle]:
    """The bundles of a checkout, in memory.

    Raises:
        BundleError: Something is imported that is not there, or the packages installed here are not those of the lock.
    """
    modules, lock = read_modules(root), read_lock((root / "requirements.txt").read_text("utf-8"))
    return [_bundle(root, name, modules, lock) for name in functions]


def _bundle(root: Path, function: str, modules: Mapping[str, Module], lock: Mapping[str, PinnedPackage]) -> Bundle:
    entry = root / "functions" / function / "main.py"
    needs = needs_of(entry, modules)
    outside = (name for name in needs.outside if name.partition(".")[0] not in NEVER_REACHED[function])
    pins = requirements_for(outside, lock)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in files_of(needs.own, modules)}
    files["main.py"] = entry.read_bytes()
    files["requirements.txt"] = (_HEADER + "".join(pin.text for pin in pins)).encode()
    return Bundle(function, dict(sorted(files.items())), needs.own, pins)


def stage(bundle: Bundle, into: Path) -> Path:
    """Write a bundle as the folder `into/<function>`, which is made anew; its path."""
    target = into / bundle.function
    shutil.rmtree(target, ignore_errors=True)
    for name, content in bundle.files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return target


def pack(bundle: Bundle, into: Path) -> Path:
    """Write a bundle as `into/<function>.zip`; its path.

    Not compressed: builds of zlib differ in the bytes they make, and a function would be deployed anew for nothing.
    """
    target = into / f"{bundle.function}.zip"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, content in bundle.files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system, entry.external_attr = _UNIX, _PLAIN_FILE
            archive.writestr(entry, content)
    if not target.is_file() or target.read_bytes() != made.getvalue():  # else a plan made of it stays newer than it
        into.mkdir(parents=True, exist_ok=True)
        target.write_bytes(made.getvalue())
    return target
