"""How a chat's document says who opted out, what they are called there, and who was forgotten."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from shared.application.ports.store import ArrayUnion, Document
from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.forgotten import Hearsay


def read_seen_names(document: Document | None) -> tuple[str, ...]:
    """Return what those who opted out are called, as stored (`seen_name`); also of some who opted in again."""
    return () if document is None else tuple(map(str, document.data.get("opted_out_names") or ()))


def seen_name(user_id: int, name: str) -> str:
    """Return a name of somebody who opted out, as their chat's document keeps it."""
    return f"{user_id}:{name_mark(name)}"


def consent_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return who opted out, the marks of their names (not of who opted in again), and who was forgotten."""
    opted_out = frozenset(data.get("opted_out", ()))
    seen = (str(each).partition(":") for each in data.get("opted_out_names", ()))
    names = frozenset(name for user_id, _, name in seen if int(user_id) in opted_out)
    return {"opted_out": opted_out, "opted_out_names": names, "hearsay": Hearsay(data.get("hearsay", ()))}


def opt_out_fields(user_id: int, *names: str) -> dict[str, Any]:
    """Return that a member's words are left out, and what they are called."""
    return {"opted_out": ArrayUnion((user_id,)), **(seen_names_fields(user_id, *names) if names else {})}


def seen_names_fields(user_id: int, *names: str) -> dict[str, Any]:
    """Return, as marks, what a member who opted out is called, beside what is known."""
    return {"opted_out_names": ArrayUnion(tuple(seen_name(user_id, name) for name in names))}


def opt_in_fields(user_id: int, opted_out: Collection[int], seen_names: Iterable[str]) -> dict[str, Any]:
    """Return who is left out without one member, and what they are called."""
    names = [name for name in seen_names if not name.startswith(f"{user_id}:")]
    return {"opted_out": sorted({*opted_out} - {user_id}), "opted_out_names": names}


def hearsay_fields(hearsay: Hearsay) -> dict[str, Any]:
    """Return who was forgotten, by hashes."""
    return {"hearsay": hearsay.fields()}
