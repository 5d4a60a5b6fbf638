"""A chat's subtree as a stream of bytes, holding one document at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from shared.application.archive.lines import Compressor, Header
from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore
from shared.application.ports.system import Clock
from shared.domain.errors import ExportRefused, NothingToExport


@dataclass(slots=True)
class TransferProgress:
    """How far an export or an import is: documents, and bytes of the compressed file."""

    documents: int = 0
    size: int = 0


async def export_chat(
    store: DocumentStore, clock: Clock, chat_id: int, *, tally: TransferProgress | None = None
) -> AsyncIterator[bytes]:
    """Everything under a chat and its own document, in the form that `lines` describes, about 64 KiB at a time.

    It is no snapshot: what is written meanwhile may or may not be in it, each document whole.

    Args:
        tally: Kept up to date, for who shows progress.

    Raises:
        NothingToExport: There is no document.
        ExportRefused: A document holds something that no export has a form for; named are its path and field.
    """
    tally = tally if tally is not None else TransferProgress()
    file = Compressor()
    file.header(Header(chat_id, clock.now()))
    async for document in _documents(store, chat_id):
        _add(file, document, chat_id)
        tally.documents = file.documents
        if ready := file.ready():
            tally.size += len(ready)
            yield ready
    if not file.documents:
        raise NothingToExport(f"there is nothing of chat {chat_id}")
    last = file.finish()
    tally.size += len(last)
    yield last


async def _documents(store: DocumentStore, chat_id: int) -> AsyncIterator[Document]:
    chat = await store.get(chat_path(chat_id))
    if chat is not None:
        yield chat
    async for document in store.subtree(chat_path(chat_id)):
        yield document


def _add(file: Compressor, document: Document, chat_id: int) -> None:
    try:
        file.entry(relative(document.path, chat_id), document.data)
    except ValueError as error:
        raise ExportRefused(f"{document.path} cannot be exported", problems=(str(error),)) from error


def relative(path: str, chat_id: int) -> str:
    """A document's path below its chat's; "" for the chat's own."""
    return path.removeprefix(chat_path(chat_id)).removeprefix("/")
