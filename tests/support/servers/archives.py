"""An archive's object: how it is put, read and listed."""

KEY = "chats/-100/export-20261122.jsonl.gz"
TEXT = "text/markdown"
SMALL, LARGE = b"memory" * 100, bytes(range(256)) * 4096 * 6  # 6 MiB: two parts


async def pieces(content, size=1 << 20):
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def put(archive, content, key=KEY, **conditions):
    return await archive.put(key, pieces(content), content_type=TEXT, **conditions)


async def read(archive, key=KEY):
    return b"".join([piece async for piece in archive.get(key)])


async def keys(archive, prefix=""):
    return [info.key async for info in archive.list(prefix)]
