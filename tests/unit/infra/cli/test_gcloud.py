"""gcloud that is missing, old or logged out is said with its remedy."""

import shutil

import pytest

pytestmark = pytest.mark.wall_clock


async def test_gcloud_alone_may_be_missing(run_preflight, checkout, tmp_path, monkeypatch):
    only = tmp_path / "only"
    only.mkdir()
    (only / "terraform").symlink_to(shutil.which("terraform"))
    monkeypatch.setenv("PATH", str(only))
    code, told = await run_preflight()
    assert code == 1
    assert "gcloud is not installed: install the Google Cloud CLI" in told["gcloud"][0]
    assert told["bot"] == ["ok: The token is that of @spomyn_bot."]


async def test_an_old_gcloud_is_to_be_updated(run_preflight, tmp_path, gcloud):
    (tmp_path / "bin" / "gcloud").write_text("#!/bin/sh\necho \"ERROR: (gcloud) Invalid choice: 'x'.\" >&2; exit 2\n")
    code, told = await run_preflight()
    assert code == 1
    assert "it does not know `gcloud projects describe my-project`: run `gcloud components update`" in told["gcloud"][0]


async def test_who_is_not_logged_in_is_told_how(run_preflight, gcloud):
    gcloud.update(account=False)
    code, told = await run_preflight()
    assert (code, told["project"]) == (1, ["error: Nobody is logged in to gcloud. Run `gcloud auth login`."])
    assert "names" not in told
