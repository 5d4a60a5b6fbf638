"""Proving a forgetting: what will go, in numbers, and afterwards a look at everything for what is left.

The look is independent of how things are erased: it knows ids and runs of words, and opens every document, segment of
the index, waiting answer, recorded body and object of the archive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.documents import chat_path
from shared.application.forgetting.forget import Meant, chat_ids
from shared.application.forgetting.notes import affected
from shared.application.forgetting.outside import names_chat
from shared.application.forgetting.scope import Scope, references, texts
from shared.application.forgetting.survey import Found, is_echo, leave_others_words, survey
from shared.application.forgetting.words import Words
from shared.application.ports.store import Document, Filter
from shared.application.recall.head import segment_of
from shared.domain.recall.segment import SegmentUnreadable

_PAGE = 300


class Preview(NamedTuple):
    """What a forgetting is about, by which it is recognised afterwards: its scope, and words that nobody else said.

    Attributes:
        chat_ids: Of the chat: as `forget.chat_ids`.
        scope: None for a whole chat.
        counts: What will go, by kind.
    """

    chat_ids: Sequence[int]
    scope: Scope | None
    words: Words
    counts: Mapping[str, int]


async def preview(app: App, meant: Meant) -> Preview:
    """Look through the chat without changing anything; two reads a document."""
    words = meant.words()
    await leave_others_words(app, meant.scope, words)
    found = await survey(app, meant.scope, words, meant.names)
    return Preview(await chat_ids(app, meant.scope.chat_id), meant.scope, words, _counts(meant, found))


def _counts(meant: Meant, found: Found) -> dict[str, int]:
    gone = frozenset({*meant.scope.message_ids, *found.echoes, *found.quoting})
    return {
        "messages": len(meant.said),
        "answers of the bot and forwards": len(found.echoes),
        "facts that go or lose quotes": len(found.slots),
        "summaries made again": len(affected(found.notes, gone)),
        "quality records": len(found.quality),
        "descriptions of files": len(found.media),
    }


async def preview_chat(app: App, chat_id: int) -> Preview:
    """The same for a whole chat; a read a document."""
    counts, ids = Counter[str](), await chat_ids(app, chat_id)
    for each in ids:
        async for document in app.store.subtree(chat_path(each)):
            counts[document.path.split("/")[2]] += 1
    return Preview(ids, None, Words(), dict(counts.most_common()))


async def find_traces(app: App, sought: Preview) -> list[str]:
    """Paths of everything that still holds something of what was forgotten; empty when forgetting is complete."""
    found = {document.path async for document in _everything(app, sought.chat_ids) if _holds(document, sought)}
    return sorted(found) + [key async for key in _left_in_archive(app, sought)]


async def _everything(app: App, chat_ids: Sequence[int]) -> AsyncIterator[Document]:
    for chat_id in chat_ids:
        chat = await app.store.get(chat_path(chat_id))
        if chat is not None:
            yield chat
        async for document in app.store.subtree(chat_path(chat_id)):
            yield document
        for document in await app.store.query("updates", where=[Filter("chat_id", "==", chat_id)]):
            yield document
    last = None
    while page := await app.store.query("dead_letters", limit=_PAGE, after=last):
        last = page[-1]
        for document in page:
            yield document


def _holds(document: Document, sought: Preview) -> bool:
    kind, scope, words = document.path.split("/"), sought.scope, sought.words
    if kind[0] == "dead_letters":
        return any(names_chat(document.data, scope, chat_id, words) for chat_id in sought.chat_ids)
    if scope is None:
        return True
    if kind[0] == "updates":
        return any(words.repeated_in(text) for text in texts(document.data))
    return _holds_in_chat(document, scope, words)


def _holds_in_chat(document: Document, scope: Scope, words: Words) -> bool:
    data: Any = document.data
    kind = document.path.split("/")[2:3]
    if (
        kind == ["messages"]
        and not is_echo(data)
        and not scope.covers(data["message_id"], data["user_id"], data["sent_at"])
    ):
        data = {"quote": data["quote"]}  # the rest is somebody else's own word
    if "payload" in data:
        return _in_segment(document, scope, words)
    return (
        document.id == scope.subject
        or data.get("subject") == scope.subject is not None
        or any(scope.covers_fields(each) for each in references(data))
        or any(words.repeated_in(text) for text in texts(data))
    )


def _in_segment(document: Document, scope: Scope, words: Words) -> bool:
    try:
        segment, _ = segment_of(document)
    except SegmentUnreadable:
        return False
    said = segment.messages()
    told = [
        *(note.text for note in segment.notes()),
        *(m.quote or "" for m in said),
        *(m.text for m in said if m.is_bot),
    ]
    held = any(scope.covers(m.message_id, m.user_id, m.sent_at) for m in said)
    return held or any(words.repeated_in(text) for text in told)


async def _left_in_archive(app: App, sought: Preview) -> AsyncIterator[str]:
    """Objects of a chat that was forgotten, and those in which words of the scope stand.

    Segments are packed in exports: what is in them was looked at where they come from.
    """
    if app.archive is None:
        return
    from shared.application.archive.keeping import folder
    from shared.application.archive.lines import plain_lines

    for chat_id in sought.chat_ids:
        async for info in app.archive.list(folder(chat_id)):
            content = app.archive.get(info.key)
            lines = plain_lines(content) if info.key.endswith(".gz") else content
            told = [True async for line in lines if sought.words.repeated_in(line.decode("utf-8", "replace"))]
            if sought.scope is None or told:
                yield info.key
