"""A chat, and commands on a store and an archive of their own; what they write is bytes."""

import pytest

from infra.cli.root import main
from infra.sqlite import SqliteStore
from tests.support.exports import contents, fill


@pytest.fixture
def transfer(tmp_path, monkeypatch, capfdbinary):
    """Runs a command on a store of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"SPOMYN_STORE": "sqlite:here.db", "SPOMYN_ARCHIVE": "folder:archive"}.items():
        monkeypatch.setenv(name, value)

    def run(*argv, **env):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            code = main([str(each) for each in argv])
        output = capfdbinary.readouterr()
        return code, output.out, output.err.decode()

    return run


@pytest.fixture
async def chat(tmp_path, transfer):
    """A chat in the store; its documents."""
    store = SqliteStore(tmp_path / "here.db")
    await fill(store, 20)
    found = await contents(store)
    await store.aclose()
    return found
