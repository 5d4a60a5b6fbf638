"""The pinned packages that a function needs: those that it imports and, by their metadata, what they need.

Read from the packages that are installed here, which have to be those of the lock.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from infra.bundle.sources import BundleError

RUNTIME = "3.13"
"""Python that the functions run on (terraform: python313)."""

NOT_IMPORTED = {"zoneinfo": "tzdata"}
"""Packages of data, by the module of the standard library that reads them."""

_PIN = re.compile(r"([A-Za-z0-9._-]+)==([^ ;\\]+)")


class PinnedPackage(NamedTuple):
    """A package of the lock.

    Attributes:
        name: In its canonical form.
        text: Its lines in the lock, hashes included, comments not.
    """

    name: str
    version: str
    text: str


class _Requirement(NamedTuple):
    name: str
    extras: frozenset[str]


class _Installed(NamedTuple):
    """A package as it is installed here: the modules that it brings, and what it needs."""

    modules: frozenset[str]
    requires: tuple[Requirement, ...]


def read_lock(text: str) -> dict[str, PinnedPackage]:
    """The pins of a requirements file by name; a pin's further lines are indented."""
    pins: dict[str, PinnedPackage] = {}
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line[:1].isspace() and line.strip():
            lines += [] if line.lstrip().startswith("#") else [line]
        else:
            pins |= _pin(lines)
            lines = [line]
    return pins


def _pin(lines: list[str]) -> dict[str, PinnedPackage]:
    match = _PIN.match(lines[0]) if lines else None
    if match is None:
        return {}
    name = canonicalize_name(match[1])
    return {name: PinnedPackage(name, match[2], "\n".join(lines).rstrip("\\ ") + "\n")}


def requirements_for(names: Iterable[str], lock: Mapping[str, PinnedPackage]) -> list[PinnedPackage]:
    """The pins that imported names need, sorted by name.

    Args:
        names: Dotted names from outside the product, the standard library's among them.
        lock: What may be needed.

    Raises:
        BundleError: A name is in no package of the lock, or the packages installed here are not those of the lock.
    """
    owners = _owners(lock)
    waiting = [_Requirement(name, frozenset()) for name in _roots(names, owners)]
    seen: set[_Requirement] = set()
    while waiting:
        wanted = waiting.pop()
        if wanted not in seen:
            seen.add(wanted)
            waiting += _find_needed(wanted, lock)
    return [lock[name] for name in sorted({wanted.name for wanted in seen})]


def installed_bytes(pin: PinnedPackage) -> int:
    """Size of a package as it is installed here, without compiled bytecode."""
    files = [file for file in metadata.distribution(pin.name).files or () if file.suffix != ".pyc"]
    return sum(path.stat().st_size for file in files if (path := Path(file.locate())).exists())


def _owners(lock: Mapping[str, PinnedPackage]) -> dict[str, str]:
    """Return the package that brings each module."""
    owners: dict[str, str] = {}
    for pin in lock.values():
        owners |= dict.fromkeys(_read_installed(pin).modules, pin.name)
    return owners


@cache  # all functions ask for the same, and nothing is installed meanwhile
def _read_installed(pin: PinnedPackage) -> _Installed:
    try:
        found = metadata.distribution(pin.name)
    except metadata.PackageNotFoundError:
        raise BundleError(f"{pin.name} is not installed: run `make install`") from None
    if found.version != pin.version:
        raise BundleError(f"{pin.name} {found.version} is installed, not {pin.version}: run `make install`")
    return _Installed(frozenset(_modules(found)), tuple(map(Requirement, found.requires or ())))


def _modules(distribution: metadata.Distribution) -> Iterator[str]:
    for file in distribution.files or ():
        if file.suffix == ".py":
            parts = file.with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _roots(names: Iterable[str], owners: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        top = name.partition(".")[0]
        if top in NOT_IMPORTED:
            yield NOT_IMPORTED[top]
        elif top not in sys.stdlib_module_names:
            yield _owner(name, owners)


def _owner(name: str, owners: Mapping[str, str]) -> str:
    module = name
    while module not in owners and module:
        module = module.rpartition(".")[0]
    if not module:
        raise BundleError(
            f"{name} is imported, and no package of requirements.txt brings it: name it in requirements.in"
        )
    return owners[module]


def _find_needed(wanted: _Requirement, lock: Mapping[str, PinnedPackage]) -> Iterator[_Requirement]:
    for requirement in _read_installed(lock[wanted.name]).requires:
        name = canonicalize_name(requirement.name)
        if _applies(requirement, wanted.extras):
            if name not in lock:
                raise BundleError(f"{wanted.name} needs {name}, which requirements.txt does not pin: run `make lock`")
            yield _Requirement(name, frozenset(requirement.extras))


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    """Return whether it is needed where the functions run, or here, where a bundle is tried."""
    marker = requirement.marker
    if marker is None:
        return True
    return any(marker.evaluate({**env, "extra": extra}) for env in _environments() for extra in extras or {""})


def _environments() -> tuple[dict[str, str], dict[str, str]]:
    here = {name: str(value) for name, value in default_environment().items()}
    linux = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"}
    return here, {**here, **linux, "python_version": RUNTIME, "python_full_version": f"{RUNTIME}.0"}
