"""Meta summaries: ten nodes in one, ten of these in one, and so on; level 1 holds chunks. They are put
together of the nodes' own sentences; a model is asked where admins wish something of them.

A node knows what holds it (`meta`; None: nothing yet), and ten that nothing holds are put together, lowest ids first.
So a chunk that comes late joins the next group and no group ever changes, and neither private talk nor empty chunks
leave a hole. When the tenth node of a level completes a group of the next one, all are written in one transaction.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.consent_gate import consent_holds, may_retell, readable_by_ids, silent_members
from shared.application.documents import chunks_path, metas_path
from shared.application.policy import Policy
from shared.application.ports.model import Embedder, LanguageModel, ModelRequest
from shared.application.ports.store import DocumentStore, Set, Transaction, Upsert
from shared.application.reading.notes.codec import (
    AWAITS_META,
    Chunk,
    MetaSummary,
    at_level,
    held_fields,
    mark_work_due,
    meta_to_fields,
    new_note_path,
    read_chunk,
    read_meta_summary,
    read_node,
)
from shared.application.reading.notes.embeddings import embed_note
from shared.application.reading.notes.redoing import ask_if_possible, piece_of, redo_due, replace_note, waits
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.loading import load_names
from shared.application.recall.note_codec import NoteTexts
from shared.application.recall.note_queries import BY_FIRST
from shared.application.spending.asking import OFFLINE, memory_request, not_embedded
from shared.domain.people.naming import mark_names, plain_names
from shared.domain.reading.summaries.excerpts import condense, extractive_summary
from shared.domain.reading.summaries.wording import clean_summary
from shared.domain.text.plain import quote_inline
from shared.prompts import prompt

FAN_OUT = 10
"""Nodes in one meta summary (dual memory guide)."""

META_TOKENS, SHOWN_CHARS = 700, 400
"""Limits of the model's text, and of one by rules that a model is shown: two to four stand in an answer's context."""

_MOST_GROUPS = 5  # a task; the next one goes on

_Node = Chunk | MetaSummary


class _Group(NamedTuple):
    """A meta summary, its nodes, and what stands for it when it cannot be made."""

    meta: MetaSummary
    children: Sequence[_Node]
    empty: MetaSummary


async def group_nodes(app: App, state: ChatState, pieces: Pieces) -> bool:
    """Put every ten chunks that no meta summary holds into one; whether there are more than one task makes.

    May be repeated and run twice at once: a group is written only if nothing holds its nodes and none has changed. A
    summary that always fails is left empty in its place, so that what comes after it is put together all the same.
    """
    for _ in range(_MOST_GROUPS):
        if await app.store.count(chunks_path(state.chat_id), where=[AWAITS_META]) < FAN_OUT:
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


async def _groups(app: App, state: ChatState, pieces: Pieces) -> list[_Group] | None:
    """The next group of chunks, and those groups of metas that are complete with it; None when one is to come again."""
    found = await app.store.query(chunks_path(state.chat_id), where=[AWAITS_META], order_by=[BY_FIRST], limit=FAN_OUT)
    children: Sequence[Chunk | MetaSummary] = [read_chunk(document) for document in found]
    groups: list[_Group] = []
    while len(children) == FAN_OUT:
        empty = _empty_meta(app.embedder, state, len(groups) + 1, children, at=app.clock.now())
        piece = piece_of(state.chat_id, empty)
        made = await pieces.do(piece, partial(_compose, app, state, empty, children))
        if pieces.comes_again(piece):
            return None
        meta = made or empty  # which stands for one that is set aside
        groups.append(_Group(meta, children, empty))
        same_level = [at_level(len(groups)), AWAITS_META]
        beside = await app.store.query(metas_path(state.chat_id), where=same_level, order_by=[BY_FIRST], limit=FAN_OUT)
        children = sorted([*map(read_meta_summary, beside), meta], key=lambda node: node.first)[:FAN_OUT]
    return groups


def _empty_meta(
    embedder: Embedder | None, state: ChatState, level: int, children: Sequence[_Node], *, at: datetime
) -> MetaSummary:
    """A meta summary of these nodes that tells nothing, and is not to be made again by itself."""
    first, last = min(child.first for child in children), max(child.last for child in children)
    ends = [child.expire_at for child in children if child.expire_at is not None]
    return MetaSummary(
        path=new_note_path(state.chat_id, "meta", first, last, level=level),
        level=level,
        first=first,
        last=last,
        first_at=min(child.first_at for child in children),
        last_at=max(child.last_at for child in children),
        nodes=tuple(child.id for child in children),
        texts=NoteTexts(),
        made_by=OFFLINE,
        embedded=not_embedded(embedder),
        awaits_index=True,
        made_at=at,
        expire_at=max(ends, default=None),
    )


async def _compose(app: App, state: ChatState, empty: MetaSummary, children: Sequence[_Node]) -> MetaSummary:
    nodes = await _tell_nodes(app.store, state, children)
    asked = await ask_if_possible(app, state, meta_request(app.policy, state, nodes.texts), about=empty.id)
    told = clean_summary(asked.text, instructions=prompt("meta").text)
    names = await load_names(app.store, app.indexes, state)
    texts = NoteTexts(mark_names(told or _condense(app.model, nodes.texts), names))
    meta = replace(
        empty, texts=texts, speakers=nodes.speakers, made_by=asked.made_by("meta"), model_pending=asked.later
    )
    return await embed_note(app.embedder, state, meta)


def meta_request(policy: Policy, state: ChatState, texts: Sequence[str]) -> ModelRequest | None:
    """Ask for one summary of several where admins wish something of it; None elsewhere, and when they are all empty."""
    choices, told = choices_for(policy, state), [quote_inline(text) for text in texts if text]
    if not (told and choices.custom_instructions["meta"]):
        return None
    return memory_request("meta", choices, most_tokens=META_TOKENS, count=str(len(told)), summaries="\n".join(told))


def _condense(model: LanguageModel | None, texts: Sequence[str]) -> str:
    return condense(texts) if model is None else condense(texts, most_chars=SHOWN_CHARS)


async def _text_of(store: DocumentStore, state: ChatState, child: Chunk | MetaSummary) -> str:
    """Return what a node tells, without the words of those who opted out since it was made."""
    if may_retell(state, child.speakers):
        return child.texts.summary or child.texts.told
    if isinstance(child, MetaSummary):
        return ""  # who said what in it cannot be told apart
    return extractive_summary(await readable_by_ids(store, state, child.message_ids))


async def _write(app: App, state: ChatState, groups: Sequence[_Group]) -> bool:
    """Return whether the groups are stored, by this run or another; False when a node or who may be heard has
    changed."""
    holders = {child.path: group.meta.id for group in groups for child in group.children}
    made = {group.meta.path for group in groups}
    nodes = [child for group in groups for child in group.children if child.path not in made]

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        current = await tx.get_many([node.path for node in nodes])
        for node, document in zip(nodes, current, strict=True):
            now = None if document is None else read_node(document)
            if now is None or not now.awaits_meta or now.texts.told != node.texts.told:
                return False
        for group in groups:
            held = replace(group.meta, meta_id=holders.get(group.meta.path))
            tx.write(Set(held.path, meta_to_fields(held)))
        for node in nodes:
            tx.write(Upsert(node.path, held_fields(holders[node.path])))
        if any(waits(app.model, app.embedder, group.meta) for group in groups):
            tx.write(mark_work_due(state.chat_id, "waits"))
        return True

    return await app.store.transaction(commit)


async def _redo(app: App, state: ChatState, meta: MetaSummary) -> bool:
    inner = chunks_path(state.chat_id) if meta.level == 1 else metas_path(state.chat_id)
    found = await app.store.get_many([f"{inner}/{node}" for node in meta.nodes])  # those that have expired tell nothing
    nodes = await _tell_nodes(app.store, state, [read_node(document) for document in found if document is not None])
    request = meta_request(app.policy, state, nodes.texts)
    asked = await ask_if_possible(app, state, request, about=meta.id, payer=meta.edited_by)
    if asked.later and not meta.stale:
        return True  # what it says holds until the model is back
    again = replace(meta, model_pending=asked.later, stale=False)
    text = clean_summary(asked.text, instructions=prompt("meta").text)
    kept = "" if meta.stale and nodes.texts else meta.texts.summary
    if text or not kept:
        names = await load_names(app.store, app.indexes, state)
        texts = NoteTexts(mark_names(text or _condense(app.model, nodes.texts), names))
        again = replace(again, texts=texts, speakers=nodes.speakers, made_by=asked.made_by("meta"))
    return not await replace_note(app, state, meta, await embed_note(app.embedder, state, again)) or asked.later


redo_metas = partial(redo_due, path=metas_path, read=read_meta_summary, redo=_redo)
"""Make meta summaries again from their nodes, lowest level first."""


class Nodes(NamedTuple):
    """The material of a meta summary: the texts of its nodes, and whose words are in them."""

    texts: list[str]
    speakers: tuple[int, ...]


async def _tell_nodes(store: DocumentStore, state: ChatState, nodes: Sequence[_Node]) -> Nodes:
    speakers = {speaker for node in nodes for speaker in node.speakers} - silent_members(state)
    return Nodes([plain_names(await _text_of(store, state, node)) for node in nodes], tuple(sorted(speakers)))
