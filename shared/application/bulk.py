"""Reads, changes and deletes any number of documents, in pages and batches that every store takes."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from shared.application.ports.store import Delete, Document, DocumentStore, Filter, Order, Write

_BATCH = 400
PAGE = 300
_AT_ONCE = 100


async def each_document(
    store: DocumentStore,
    collection: str,
    *,
    where: Sequence[Filter] = (),
    order_by: Sequence[Order] = (),
    after: Document | None = None,
) -> AsyncIterator[Document]:
    """Yield the documents of a collection, reading a page at a time.

    Args:
        after: A document of the collection: what follows it in the order is read.
    """
    page: list[Document] = []
    while not page or len(page) == PAGE:
        page = await store.query(collection, where=where, order_by=order_by, limit=PAGE, after=after)
        for document in page:
            yield document
        if not page:
            return
        after = page[-1]


async def write_all(store: DocumentStore, writes: Sequence[Write]) -> None:
    """Apply writes in order; each batch takes effect by itself."""
    for start in range(0, len(writes), _BATCH):
        await store.batch(writes[start : start + _BATCH])


async def update_all(store: DocumentStore, paths: Iterable[str], changes: Mapping[str, Any]) -> None:
    """Make the same changes in every document that is still there."""
    left = list(paths)
    for start in range(0, len(left), _AT_ONCE):
        await asyncio.gather(*(store.update(path, changes) for path in left[start : start + _AT_ONCE]))


async def delete_all(store: DocumentStore, paths: Iterable[str]) -> int:
    """Delete documents, and return how many."""
    writes = [Delete(path) for path in paths]
    await write_all(store, writes)
    return len(writes)


async def delete_subtree(store: DocumentStore, path: str) -> int:
    """Delete every document below one, a page at a time, and return how many. The document itself stays."""
    page: list[str] = []
    deleted = 0
    async for document in store.subtree(path):
        page.append(document.path)
        if len(page) == _BATCH:
            deleted += await delete_all(store, page)
            page = []
    return deleted + await delete_all(store, page)
