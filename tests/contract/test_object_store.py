"""What every archive does, on a folder, on moto in this process, on moto's server, and where nothing is conditional."""

import asyncio

import pytest

from infra.storage.object_folder import ObjectFolder
from shared.domain.errors import (
    ArchiveUnavailable,
    ObjectGone,
    PreconditionFailed,
)
from tests.support.servers.archives import KEY, LARGE, SMALL, TEXT, keys, put, read
from tests.support.servers.objects import PART, store_on


@pytest.fixture(scope="module")
def stores(request):
    """One adapter of a kind, made when it is first asked for: making a client takes a fifth of a second."""
    made = {}

    def store(kind):
        if kind not in made:
            client = request.getfixturevalue("server" if kind == "server" else "inside")
            client.create_bucket(Bucket=f"all-{kind}")
            url = client.meta.endpoint_url if kind == "server" else None
            made[kind] = store_on(f"all-{kind}", url, conditional=False if kind == "unconditional" else None)
        return made[kind]

    return store


@pytest.fixture
async def archive(request, tmp_path):
    if request.param == "folder":
        return ObjectFolder(tmp_path / "archive")
    store = request.getfixturevalue("stores")(request.param)
    await store.erase("")
    return store


everywhere = pytest.mark.parametrize("archive", ["folder", "inside", "server"], indirect=True)
conditions = pytest.mark.parametrize("archive", ["folder", "inside", "server", "unconditional"], indirect=True)


@everywhere
@pytest.mark.parametrize("content", [b"", SMALL, LARGE[:PART], LARGE], ids=["empty", "small", "one part", "two parts"])
async def test_what_is_put_is_what_is_read(archive, content):
    head = await put(archive, content)
    assert await read(archive) == content
    assert await archive.head(KEY) == head
    assert (head.key, head.size) == (KEY, len(content))
    assert head.checksum
    assert head.modified_at.tzinfo is not None


@everywhere
async def test_what_is_not_there_is_none_and_gone(archive):
    assert await archive.head(KEY) is None
    with pytest.raises(ObjectGone, match="export-20261122"):
        await read(archive)
    assert await archive.delete(KEY) == 0
    assert await archive.erase("chats/-100/") == 0
    assert await keys(archive) == []


@everywhere
async def test_a_second_put_replaces_the_first(archive):
    first = await put(archive, SMALL)
    second = await put(archive, SMALL + b"!")
    assert await read(archive) == SMALL + b"!"
    assert first.etag != second.etag
    assert first.checksum != second.checksum


@conditions
async def test_only_the_first_of_two_conditional_puts_takes_effect(archive):
    await put(archive, SMALL, if_none_match=True)
    with pytest.raises(PreconditionFailed):
        await put(archive, b"another", if_none_match=True)
    with pytest.raises(PreconditionFailed):
        await put(archive, LARGE, if_none_match=True)
    assert await read(archive) == SMALL


@conditions
async def test_a_conditional_put_of_the_same_bytes_is_a_repetition(archive):
    first = await put(archive, SMALL, if_none_match=True)
    assert (await put(archive, SMALL, if_none_match=True)).etag == first.etag
    large = await put(archive, LARGE, if_match=first.etag)
    assert (await put(archive, LARGE, if_match=first.etag)).checksum == large.checksum
    assert await read(archive) == LARGE


@conditions
@pytest.mark.parametrize("content", [b"another", LARGE], ids=["small", "large"])
async def test_a_put_on_a_known_etag_needs_that_very_object(archive, content):
    first = await put(archive, SMALL)
    with pytest.raises(PreconditionFailed):
        await put(archive, content, if_match='"other"')
    await archive.delete(KEY)
    with pytest.raises(PreconditionFailed):
        await put(archive, content, if_match=first.etag)
    assert await keys(archive) == []


@everywhere
@pytest.mark.parametrize("before", [0, len(LARGE) - 1], ids=["at once", "in the second part"])
async def test_a_source_that_breaks_off_leaves_what_was_there(archive, before):
    await put(archive, SMALL)

    async def broken():
        yield LARGE[:before]
        raise ArchiveUnavailable("the store went away")

    with pytest.raises(ArchiveUnavailable):
        await archive.put(KEY, broken(), content_type=TEXT)
    assert await read(archive) == SMALL
    assert await archive.erase("chats/") == 1  # and no parts beside it


@everywhere
async def test_a_cancelled_put_leaves_nothing(archive):
    reached = asyncio.Event()

    async def endless():
        yield LARGE
        reached.set()
        await asyncio.sleep(60)

    writing = asyncio.create_task(archive.put(KEY, endless(), content_type=TEXT))
    await reached.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await archive.head(KEY) is None
    assert await archive.erase("") == 0


@everywhere
async def test_objects_are_listed_by_key_under_a_prefix(archive):
    for key in ("chats/-100/b", "chats/-100/a", "chats/-1001/a", "other/a"):
        await put(archive, SMALL, key)
    assert await keys(archive, "chats/-100/") == ["chats/-100/a", "chats/-100/b"]
    assert await keys(archive, "chats/-100") == ["chats/-100/a", "chats/-100/b", "chats/-1001/a"]
    assert [info.size async for info in archive.list("other/")] == [len(SMALL)]


@everywhere
async def test_erasing_a_prefix_takes_what_is_under_it_and_nothing_else(archive):
    for key in ("chats/-100/b", "chats/-100/a", "chats/-1001/a"):
        await put(archive, SMALL, key)
    assert await archive.erase("chats/-100/") == 2
    assert await keys(archive) == ["chats/-1001/a"]
    assert await archive.delete("chats/-1001/a") == 1
    assert await keys(archive) == []


@everywhere
async def test_deleting_an_object_spares_those_whose_keys_go_on(archive):
    for key in ("chats/1", "chats/10"):
        await put(archive, SMALL, key)
    assert await archive.delete("chats/1") == 1
    assert await keys(archive) == ["chats/10"]


@pytest.mark.parametrize("key", ["", "/a", "a/", "a//b", "../a", "a/../b", ".a", "a/.b", "a b", "є", "a\n", "a" * 513])
@pytest.mark.parametrize("make", [ObjectFolder, lambda _: store_on("bucket", None)], ids=["folder", "bucket"])
async def test_a_key_of_another_form_is_a_mistake(make, key, tmp_path):
    archive = make(tmp_path)
    for call in (put(archive, SMALL, key), read(archive, key), archive.head(key), archive.delete(key)):
        with pytest.raises(ValueError, match="Not the key"):
            await call
