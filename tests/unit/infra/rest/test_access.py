import pytest

from infra.rest.access import Access
from shared.domain.errors import SettingsError
from tests.unit.infra.rest.servers import peer


@pytest.fixture(autouse=True)
def nowhere(monkeypatch):
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)


def token(name, seconds):
    return 200, {"access_token": name, "expires_in": seconds, "token_type": "Bearer"}


async def test_an_emulator_is_told_what_the_sdks_tell_it():
    assert await Access(emulated=True).headers() == {"authorization": "Bearer owner"}


async def test_the_metadata_server_is_asked_once_for_a_token_that_lasts(monkeypatch):
    async with peer(token("a", 3600)) as server:
        monkeypatch.setenv("GCE_METADATA_HOST", server.host)
        access = Access(emulated=False)
        assert [await access.headers() for _ in range(3)] == [{"authorization": "Bearer a"}] * 3
    ((path, headers, _),) = server.asked
    assert path == "/computeMetadata/v1/instance/service-accounts/default/token"
    assert headers["metadata-flavor"] == "Google"


async def test_a_token_that_ends_soon_or_was_refused_is_renewed(monkeypatch):
    async with peer(token("a", 60), token("b", 3600), token("c", 3600)) as server:
        monkeypatch.setenv("GCE_METADATA_HOST", server.host)
        access = Access(emulated=False)
        said = [(await access.headers())["authorization"] for _ in range(3)]
        access.forget()
        assert [*said, (await access.headers())["authorization"]] == ["Bearer a", "Bearer b", "Bearer b", "Bearer c"]


async def test_a_metadata_server_that_gives_no_token_is_away(monkeypatch):
    async with peer((404, {})) as server:
        monkeypatch.setenv("GCE_METADATA_HOST", server.host)
        with pytest.raises(OSError, match="no token: HTTP 404"):
            await Access(emulated=False).headers()


async def test_on_cloud_run_an_absent_metadata_server_is_an_outage(monkeypatch):
    monkeypatch.setenv("GCE_METADATA_HOST", "127.0.0.1:1")
    monkeypatch.setenv("K_SERVICE", "webhook")
    with pytest.raises(OSError):
        await Access(emulated=False).headers()


async def test_elsewhere_missing_credentials_name_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "absent.json"))
    with pytest.raises(SettingsError, match="gcloud auth"):
        await Access(emulated=False).headers()
