"""How a bundle is derived and written, on sources and locks made up here; and the lock itself."""

import hashlib
import os
import re
import shutil
import zipfile
from importlib import metadata

import pytest

from infra.bundle import BundleError, bundles, pack, stage
from infra.bundle.requirements import read_lock, requirements_for
from infra.bundle.sources import Module, files_of, imports_of, needs_of
from tests.support.servers.deployment import ROOT, made_bundles

LOCKS = ("requirements.txt", "requirements-dev.txt")


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


# --- What is imported --------------------------------------------------------------------------


def test_imports_in_functions_classes_and_branches_count(tmp_path):
    source = """
import a.b
from c import d, e as f
def one():
    from g import h
    try:
        import i
    except ValueError:
        import j
class Two:
    async def three(self):
        if True:
            pass
        else:
            with open("x"):
                import k
        match 1:
            case 1:
                import l
"""
    found = set(imports_of(written(tmp_path / "m.py", source)))
    assert found == {"a.b", "c.d", "c.e", "g.h", "i", "j", "k", "l"}


def test_imports_for_types_alone_do_not_count(tmp_path):
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
    assert set(imports_of(written(tmp_path / "m.py", source))) == {"typing.TYPE_CHECKING", "b"}


def test_a_relative_import_is_refused(tmp_path):
    with pytest.raises(BundleError, match=r"m\.py, line 1"):
        list(imports_of(written(tmp_path / "m.py", "from . import x\n")))


def test_what_is_imported_by_what_is_imported_comes_along_with_its_packages(tmp_path):
    entry = written(tmp_path / "main.py", "from infra.a import thing\nimport json\n")
    imports = {
        "infra": (),
        "infra.a": ("shared.deep.b.NAME",),
        "infra.c": (),
        "shared": (),
        "shared.deep": ("numpy",),
        "shared.deep.b": ("infra.a",),
    }
    modules = {name: Module(tmp_path / name, frozenset(found)) for name, found in imports.items()}
    needs = needs_of(entry, modules)
    assert needs.own == {"infra", "infra.a", "shared", "shared.deep", "shared.deep.b"}
    assert needs.outside == {"json", "numpy"}


def test_an_import_of_nothing_is_refused(tmp_path):
    with pytest.raises(BundleError, match=r"shared\.gone is imported"):
        needs_of(written(tmp_path / "main.py", "import shared.gone\n"), {})


def test_a_package_brings_its_data_and_no_other_packages(tmp_path):
    package = written(tmp_path / "p/__init__.py", "")
    own = {written(tmp_path / "p/a.md", ""), written(tmp_path / "p/uk/b.toml", "")}
    written(tmp_path / "p/notes.txt~", "")
    written(tmp_path / "p/inner/__init__.py", "")
    written(tmp_path / "p/inner/deeper/c.md", "")
    assert set(files_of(["p"], {"p": Module(package, frozenset())})) == {package, *own}


# --- What is required --------------------------------------------------------------------------


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


# --- The same bytes ----------------------------------------------------------------------------


def hashes(made, into):
    return [hashlib.sha256(pack(bundle, into).read_bytes()).hexdigest() for bundle in made]


def copied(into):
    """The checkout, its files made in another order, at another time, with other permissions, and with litter."""
    sources = [path for name in ("shared", "infra", "functions") for path in (ROOT / name).rglob("*")]
    for path in sorted(sources, reverse=True):
        if path.suffix in (".py", ".md", ".toml"):
            target = into / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            target.chmod(0o700)
            os.utime(target, (9e8, 9e8))
    shutil.copyfile(ROOT / "requirements.txt", into / "requirements.txt")
    written(into / "shared/__pycache__/x.cpython-311.pyc", "")
    written(into / "shared/domain/text.py.orig", "")
    return into


@pytest.fixture
def other_umask():
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_the_same_sources_give_the_same_bytes(tmp_path, monkeypatch, other_umask):
    first = hashes(made_bundles(), tmp_path / "first")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    assert hashes(bundles(copied(tmp_path / "elsewhere/other")), tmp_path / "second") == first
    assert len(set(first)) == len(first)


def test_a_zip_that_would_be_the_same_is_left_as_it_is(tmp_path):
    bundle = bundles(ROOT)[0]
    os.utime(pack(bundle, tmp_path), (1, 1))
    assert pack(bundle, tmp_path).stat().st_mtime == 1
    (tmp_path / "webhook.zip").write_bytes(b"older")
    assert pack(bundle, tmp_path).stat().st_mtime > 1


def test_a_zip_is_plain_sorted_and_what_is_staged(tmp_path):
    bundle = made_bundles()[1]
    folder = stage(bundle, tmp_path)
    with zipfile.ZipFile(pack(bundle, tmp_path)) as archive:
        entries = archive.infolist()
        assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
        assert {(entry.date_time, entry.external_attr, entry.compress_type) for entry in entries} == {
            ((1980, 1, 1, 0, 0, 0), 0o100644 << 16, zipfile.ZIP_STORED)
        }
        assert {"main.py", "requirements.txt"} <= set(archive.namelist())
        assert archive.testzip() is None
        for entry in entries:
            assert (folder / entry.filename).read_bytes() == archive.read(entry)


def test_staging_anew_leaves_nothing_of_before(tmp_path):
    bundle = made_bundles()[1]
    written(tmp_path / "extract/old.py", "")
    assert not (stage(bundle, tmp_path) / "old.py").exists()


# --- The lock ----------------------------------------------------------------------------------


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


def test_the_hashes_of_a_bundle_are_those_of_the_lock():
    lock = read_lock((ROOT / "requirements.txt").read_text())
    for bundle in made_bundles():
        deployed = read_lock(bundle.files["requirements.txt"].decode())
        assert deployed == {pin.name: lock[pin.name] for pin in bundle.requirements}
