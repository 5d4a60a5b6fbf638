"""What a store holds, and a command with an event loop of its own."""

import asyncio

from infra.sqlite import SqliteStore
from tests.support.exports import contents


def in_thread(run, *argv, **env):
    """The command has an event loop of its own."""
    return asyncio.to_thread(run, *argv, **env)


async def there(path):
    store = SqliteStore(path)
    found = await contents(store)
    await store.aclose()
    return found
