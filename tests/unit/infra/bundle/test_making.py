"""A bundle is the same byte for byte wherever it is made."""

import hashlib
import os
import shutil
import zipfile

import pytest

from infra.bundle import bundles, pack, stage
from infra.bundle.requirements import read_lock
from tests.support.servers.deployment import ROOT, made_bundles
from tests.unit.infra.bundle.files import written


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


def test_the_hashes_of_a_bundle_are_those_of_the_lock():
    lock = read_lock((ROOT / "requirements.txt").read_text())
    for bundle in made_bundles():
        deployed = read_lock(bundle.files["requirements.txt"].decode())
        assert deployed == {pin.name: lock[pin.name] for pin in bundle.requirements}
