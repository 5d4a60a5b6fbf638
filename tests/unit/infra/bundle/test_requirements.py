"""Which packages a bundle requires, from a lock that pins every one."""

import re
from importlib import metadata

import pytest

from infra.bundle import BundleError
from infra.bundle.requirements import read_lock, requirements_for
from tests.support.servers.deployment import ROOT

LOCKS = ("requirements.txt", "requirements-dev.txt")


def lock_of(*names):
    lines = (f"{name}=={metadata.version(name)} \\\n    --hash=sha256:{'0' * 64}\n    # via x\n" for name in names)
    return read_lock("# a header\n" + "".join(lines))


def test_a_lock_is_read_with_its_markers_and_hashes_and_without_its_comments():
    zope = "Zope.Interface==1.2 ; sys_platform == 'x' \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"
    pins = read_lock(f"# header\n{zope}    # via q\nb==2\n")
    assert pins["zope-interface"].version == "1.2"
    assert pins["zope-interface"].text == zope
    assert pins["b"].text == "b==2\n"


def test_a_package_brings_what_it_needs():
    lock = lock_of("httpx", "anyio", "certifi", "httpcore", "h11", "idna", "typing_extensions", "numpy", "sniffio")
    names = [pin.name for pin in requirements_for(["httpx.AsyncClient", "json"], lock)]
    assert {"httpx", "httpcore", "h11", "anyio", "certifi", "idna"} <= set(names)
    assert names == sorted(names)
    assert "numpy" not in names


def test_a_package_for_an_extra_comes_only_with_the_extra():
    everything = read_lock((ROOT / "requirements.txt").read_text())
    lock = {name: everything[name] for name in everything}
    assert "grpcio" not in {pin.name for pin in requirements_for(["google.auth"], lock)}


def test_time_zones_are_required_by_who_reads_them():
    assert [pin.name for pin in requirements_for(["zoneinfo.ZoneInfo"], lock_of("tzdata"))] == ["tzdata"]


def test_an_import_that_no_package_brings_names_the_remedy():
    with pytest.raises(BundleError, match=r"numpy is imported, and no package .* requirements\.in"):
        requirements_for(["numpy"], lock_of("idna"))


def test_a_package_that_another_needs_and_nobody_pins_names_the_remedy():
    with pytest.raises(BundleError, match=r"requests needs .*make lock"):
        requirements_for(["requests"], lock_of("requests"))


def test_other_packages_than_those_of_the_lock_name_the_remedy():
    with pytest.raises(BundleError, match=r"idna .* is installed, not 0\.1: run `make install`"):
        requirements_for(["idna"], read_lock("idna==0.1\n"))
    with pytest.raises(BundleError, match="no-such-package is not installed: run `make install`"):
        requirements_for(["idna"], read_lock("no_such_package==1\n"))


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_with_hashes(name):
    for pin in read_lock((ROOT / name).read_text()).values():
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", pin.text)) >= 1, pin.name


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_host_and_no_path(name):
    text = (ROOT / name).read_text()
    assert re.findall(r"https?://|--(?:extra-)?index|--find-links|file:|^/|\s/", text) == []


def test_the_two_locks_pin_nothing_twice():
    first, second = (read_lock((ROOT / name).read_text()) for name in LOCKS)
    assert first.keys() & second.keys() == set()


def test_what_is_asked_for_is_pinned():
    pinned = {name for lock in LOCKS for name in read_lock((ROOT / lock).read_text())}
    for name in ("requirements.in", "requirements-dev.in"):
        lines = (ROOT / name).read_text().splitlines()
        asked = {line.partition("==")[0] for line in lines if line and not line.startswith("#")}
        assert asked - pinned == set()
