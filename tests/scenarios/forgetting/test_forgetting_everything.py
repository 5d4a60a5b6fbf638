"""The measured scenario of law 7: a member in everything that remembers, erased by a command, looked for in the bytes.

With five hundred messages it is `python -m tests.benchmarks erasure`.
"""

from infra.sqlite import SqliteStore
from tests.support.erasure import PLANTED, come_back, erase_member, lived_group, remains


async def leaves_nothing(store, folder, *, messages, file=None):
    everything = set(PLANTED.values())
    async with lived_group(store, folder, messages) as (group, said):
        before = await remains(group, file=file, archive=folder)
        assert before["documents"] == before["archive"] == everything
        assert before.get("file", everything) == everything
        assert "нічого не лишилося" in await erase_member(group)
        assert await remains(group, file=file, archive=folder) == {}
        assert await come_back(group, said) == messages
        assert await remains(group, file=file, archive=folder) == {}


async def test_no_planted_phrase_is_left_anywhere_and_nothing_brings_one_back(tmp_path):
    file = tmp_path / "documents.db"
    store = SqliteStore(file)
    await leaves_nothing(store, tmp_path / "archive", messages=50, file=file)
    await store.aclose()


async def test_none_is_left_on_firestore(firestore_store, tmp_path):
    await leaves_nothing(firestore_store, tmp_path / "archive", messages=50)
