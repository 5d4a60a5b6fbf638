"""CONTEXT.md, what a group is doing now: suggested from its talk, verified, merged night after night, and rendered."""

from shared.domain.consolidation.document import EditedDocument, fitting, read_back, render
from shared.domain.consolidation.items import (
    Item,
    Quote,
    Section,
    Suggestion,
    item_from_fields,
    item_to_fields,
)
from shared.domain.consolidation.merging import OpenBoard, merge, settle
from shared.domain.consolidation.resolving import resolve_items
from shared.domain.consolidation.reviewing import Refusal, Refused, verify
from shared.domain.consolidation.suggesting import suggest

__all__ = [
    "EditedDocument",
    "Item",
    "OpenBoard",
    "Quote",
    "Refusal",
    "Refused",
    "Section",
    "Suggestion",
    "fitting",
    "item_from_fields",
    "item_to_fields",
    "merge",
    "read_back",
    "render",
    "resolve_items",
    "settle",
    "suggest",
    "verify",
]
