"""CONTEXT.md: what a group is doing now, kept up to date night after night, edited by hand, and forgotten in."""

from shared.application.consolidation.board_codec import StoredBoard, read_board, read_revisions
from shared.application.consolidation.editing import BadEdit, edit_board
from shared.application.consolidation.erasing import forget_in_context
from shared.application.consolidation.moving import joined_context
from shared.application.consolidation.nightly import Consolidation, consolidate, consolidate_chat
from shared.application.consolidation.talk import REACH, newest_at

__all__ = [
    "REACH",
    "BadEdit",
    "Consolidation",
    "StoredBoard",
    "consolidate",
    "consolidate_chat",
    "edit_board",
    "forget_in_context",
    "joined_context",
    "newest_at",
    "read_board",
    "read_revisions",
]
