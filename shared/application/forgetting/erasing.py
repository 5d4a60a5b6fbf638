"""Deleting and writing any number of documents, in batches that every store takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.application.ports.store import Delete, DocumentStore, Write

_BATCH = 400


async def write_all(store: DocumentStore, writes: Sequence[Write]) -> None:
    """Apply writes in order; each batch takes effect by itself."""
    for start in range(0, len(writes), _BATCH):
        await store.batch(writes[start : start + _BATCH])


async def delete_all(store: DocumentStore, paths: Iterable[str]) -> int:
    """Delete documents; how many."""
    writes = [Delete(path) for path in paths]
    await write_all(store, writes)
    return len(writes)


async def delete_subtree(store: DocumentStore, path: str) -> int:
    """Delete every document below one, a page at a time; how many. The document itself stays."""
    page: list[str] = []
    deleted = 0
    async for document in store.subtree(path):
        page.append(document.path)
        if len(page) == _BATCH:
            deleted += await delete_all(store, page)
            page = []
    return deleted + await delete_all(store, page)
