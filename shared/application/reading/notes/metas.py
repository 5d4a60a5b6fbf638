"""Meta summaries: ten nodes in one, ten of these in one, and so on; level 1 holds chunks.

A node knows what holds it (`meta`; None: nothing yet), and ten that nothing holds are put together, lowest ids first.
So a chunk that comes late joins the next group and no group ever changes, and neither private talk nor empty chunks
leave a hole. When the tenth node of a level completes a group of the next one, all are written in one transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.hearing import consent_holds, readable_messages
from shared.application.documents import chunks_path, message_path, metas_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Set, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.notes.chunks import Redone, embeddable, is_as_read, payer_of, told_by, waits
from shared.application.reading.notes.redoing import redo_due, stale_parent
from shared.application.reading.notes.upkeep_codec import left_to_do
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.spending.asking import (
    OFFLINE,
    Embedded,
    ModelAnswer,
    ask,
    can_ask,
    embed_text,
    memory_request,
    not_embedded,
)
from shared.domain.conversation.messages import SCHEMA
from shared.domain.reading.summaries import clean_summary, condense, extractive_summary
from shared.domain.text.plain import quote_inline
from shared.prompts import prompt

if TYPE_CHECKING:
    from shared.application.ports.model import Embedder


log = logging.getLogger(__name__)

FAN_OUT = 10
"""Nodes in one meta summary (dual memory guide)."""

META_TOKENS = 700

_MOST_GROUPS = 5  # a task; the next one goes on
_UNHELD = Filter("meta", "==", None)


class _Group(NamedTuple):
    meta: Document
    children: Sequence[Document]
    empty: Document


async def group_nodes(app: App, state: ChatState, pieces: Pieces) -> bool:
    """Put every ten chunks that no meta summary holds into one; whether there are more than one task makes.

    May be repeated and run twice at once: a group is written only if nothing holds its nodes and none has changed. A
    summary that always fails is left empty in its place, so that what comes after it is put together all the same.
    """
    for _ in range(_MOST_GROUPS):
        if await app.store.count(chunks_path(state.chat_id), where=[_UNHELD]) < FAN_OUT:
            return False
        groups = await _groups(app, state, pieces)
        if groups is None:
            return False  # it comes again with the task
        if not groups:
            continue  # another run was faster
        piece, empty = piece_of(state.chat_id, groups[0].meta), [group._replace(meta=group.empty) for group in groups]
        written = await pieces.do(piece, partial(_write, app, state, groups), partial(_write, app, state, empty))
        if pieces.comes_again(piece):
            return False
        if written is False:
            return True
    return True


def piece_of(chat_id: int, meta: Document) -> ExtractionPiece:
    """Return what a meta summary is set aside as."""
    first_and_last = (meta.data["first"], meta.data["last"])
    return ExtractionPiece(chat_id, "meta", first_and_last, meta.data.get("outdated", 0), meta.data["level"])


async def _groups(app: App, state: ChatState, pieces: Pieces) -> list[_Group] | None:
    """The next group of chunks, and those groups of metas that are complete with it; None when one is to come again."""
    lowest = [Order("first")]
    children = await app.store.query(chunks_path(state.chat_id), where=[_UNHELD], order_by=lowest, limit=FAN_OUT)
    groups: list[_Group] = []
    while len(children) == FAN_OUT:
        empty = _empty_meta(app.embedder, app.clock, state, len(groups) + 1, children)
        piece = piece_of(state.chat_id, empty)
        made = await pieces.do(piece, partial(_compose, app, state, empty, children))
        if pieces.comes_again(piece):
            return None
        meta = made or empty  # which stands for one that is set aside
        groups.append(_Group(meta, children, empty))
        same_level = [Filter("level", "==", len(groups)), _UNHELD]
        beside = await app.store.query(metas_path(state.chat_id), where=same_level, order_by=lowest, limit=FAN_OUT)
        children = sorted([*beside, meta], key=lambda node: node.data["first"])[:FAN_OUT]
    return groups


def _empty_meta(
    embedder: Embedder | None, clock: Clock, state: ChatState, level: int, children: Sequence[Document]
) -> Document:
    """A meta summary of these nodes that tells nothing, and is not to be made again by itself."""
    first = min(child.data["first"] for child in children)
    last = max(child.data["last"] for child in children)
    data = {
        "schema": SCHEMA,
        "level": level,
        "first": first,
        "last": last,
        "first_at": min(child.data["first_at"] for child in children),
        "last_at": max(child.data["last_at"] for child in children),
        "nodes": [child.id for child in children],
        "summary": "",
        "speakers": [],
        "meta": None,
        "made_by": OFFLINE,
        "model_pending": False,
        "stale": False,
        **not_embedded(embedder).fields(),
        "indexed": False,
        "made_at": clock.now(),
        "expire_at": max(child.data["expire_at"] for child in children),
    }
    return Document(f"{metas_path(state.chat_id)}/{level}-{first}-{last}", data)


async def _compose(app: App, state: ChatState, empty: Document, children: Sequence[Document]) -> Document:
    texts = [await _telling(app.store, state, child) for child in children]
    asked = await ask_for_meta(app, state, texts) if await can_ask(app, state) else ModelAnswer(later=True)
    text = read_meta(asked.text) or condense(texts)
    embedded = Embedded() if asked.later or app.embedder is None else await embed_text(app.embedder, text)
    fields = {"summary": text, "speakers": _speakers(state, children), "made_by": asked.made_by("meta")}
    return Document(empty.path, {**empty.data, **fields, "model_pending": asked.later, **embedded.fields()})


def _speakers(state: ChatState, nodes: Sequence[Document]) -> list[int]:
    return sorted({speaker for node in nodes for speaker in node.data["speakers"]} - state.opted_out)


async def ask_for_meta(app: App, state: ChatState, texts: Sequence[str], *, payer: int | None = None) -> ModelAnswer:
    """The model's summary of summaries; nothing is asked when they are all empty."""
    return (
        await ask(app, state.chat_id, meta_request(app.policy, state, texts), payer=payer)
        if any(texts)
        else ModelAnswer()
    )


def meta_request(policy: Policy, state: ChatState, texts: Sequence[str]) -> ModelRequest:
    """Asks for one summary of several."""
    lines = "\n".join(quote_inline(text) for text in texts if text)
    choices = choices_for(policy, state)
    return memory_request("meta", choices, most_tokens=META_TOKENS, count=str(len(texts)), summaries=lines)


def read_meta(text: str) -> str:
    """Return what is kept of the model's meta summary."""
    return clean_summary(text, instructions=prompt("meta").text)


async def _telling(store: DocumentStore, state: ChatState, child: Document) -> str:
    """Return what a node tells, without the words of those who opted out since it was made."""
    if state.opted_out.isdisjoint(child.data["speakers"]):
        return str(child.data["summary"]) or told_by(child.data)
    if "message_ids" not in child.data:
        return ""  # a meta summary: who said what in it cannot be told apart
    paths = [message_path(state.chat_id, message_id) for message_id in child.data["message_ids"]]
    return extractive_summary(readable_messages(state, [d for d in await store.get_many(paths) if d is not None]))


async def _write(app: App, state: ChatState, groups: Sequence[_Group]) -> bool:
    """Return whether the groups are stored, by this run or another; False when a node or who may be heard has
    changed."""
    made = {group.meta.path for group in groups}

    async def commit(tx: Transaction) -> bool:
        known = {group.meta.path: group for group in groups}
        nodes = [child for group in groups for child in group.children if child.path not in made]
        if not await consent_holds(tx, state):
            return False
        current = await tx.get_many([node.path for node in nodes])
        for node, now in zip(nodes, current, strict=True):
            if now is None or now.data["meta"] is not None or told_by(now.data) != told_by(node.data):
                return False
        for path, group in known.items():
            holder = next((g.meta.id for g in groups if path in {child.path for child in g.children}), None)
            tx.write(Set(path, {**group.meta.data, "meta": holder}))
        for group in groups:
            for child in group.children:
                if child.path not in made:
                    tx.write(Upsert(child.path, {"meta": group.meta.id}))
        if any(waits(app.model, app.embedder, group.meta.data) for group in groups):
            tx.write(left_to_do(state.chat_id, "waits"))
        return True

    return await app.store.transaction(commit)


async def redo_metas(app: App, state: ChatState, pieces: Pieces, *, which: Filter, limit: int) -> Redone:
    """Make meta summaries again from their nodes, lowest level first.

    Args:
        which: `stale`: what their nodes tell has changed; `model_pending`: they were made without the model.
    """
    metas = metas_path(state.chat_id)
    return await redo_due(app, state, metas, which, pieces, most=limit, piece_of=piece_of, redo=_redo)


async def _redo(app: App, state: ChatState, document: Document) -> bool:
    """Return whether the model is still to be asked about it."""
    nodes = await read_nodes(app.store, state, document)
    payer = payer_of(document)
    can = await can_ask(app, state, payer=payer)
    asked = await ask_for_meta(app, state, nodes.texts, payer=payer) if can else ModelAnswer(later=True)
    if asked.later and not document.data["stale"]:
        return True  # what it says holds until the model is back
    text = read_meta(asked.text)
    kept = document.data["summary"] if not document.data["stale"] or not nodes.texts else ""
    changes: dict[str, Any] = {
        "summary": text or kept or condense(nodes.texts),
        "speakers": document.data["speakers"] if kept and not text else nodes.speakers,
        "made_by": asked.made_by("meta") if text or not kept else document.data["made_by"],
        "model_pending": asked.later,
        "stale": False,
        **({} if asked.later else {"edited_by": None}),
    }
    due = app.embedder is not None and not asked.later
    embedded = await embed_text(app.embedder, embeddable(state, changes)) if due else Embedded()
    return not await replace_meta(app, state, document, {**changes, **embedded.fields()}) or asked.later


class Nodes(NamedTuple):
    """What a meta summary is made from: the texts of its nodes, and whose words are in them."""

    texts: list[str]
    speakers: list[int]


async def read_nodes(store: DocumentStore, state: ChatState, document: Document) -> Nodes:
    """Return what the nodes of a meta summary tell now; those that have expired tell nothing."""
    inner = chunks_path(state.chat_id) if document.data["level"] == 1 else metas_path(state.chat_id)
    found = await store.get_many([f"{inner}/{node}" for node in document.data["nodes"]])
    nodes = [node for node in found if node is not None]
    return Nodes([await _telling(store, state, node) for node in nodes], _speakers(state, nodes))


async def replace_meta(app: App, state: ChatState, document: Document, changes: dict[str, Any]) -> bool:
    """Give a meta summary another text, unless another run was faster; the one that holds it becomes stale.

    False when somebody opted out or in meanwhile.
    """

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        known = await tx.get(document.path)
        if known is None or known.data["summary"] != document.data["summary"] or not is_as_read(known, document):
            return True
        parent = await stale_parent(tx, state.chat_id, known, changed=changes["summary"] != known.data["summary"])
        owed = [left_to_do(state.chat_id, "waits")] if waits(app.model, app.embedder, {**known.data, **changes}) else []
        for write in (Upsert(document.path, {**changes, "indexed": False}), *parent, *owed):
            tx.write(write)
        return True

    return await app.store.transaction(commit)
