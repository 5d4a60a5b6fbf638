"""Reads Telegram Desktop's export ("Machine-readable JSON") as the messages that the Bot API would have delivered.

Read as a stream: memory does not grow with the file. A message that cannot be read is told with its id, and the rest
goes on; a file that cannot be read any further is told with the place, and what came before it counts. The format has
no specification: fields and their traps are those of Telegram Desktop's own writer (export_output_json.cpp).
"""

from infra.telegram.export.chat import ExportedChat, ExportError, exported_chat
from infra.telegram.export.file import Export
from infra.telegram.export.messages import LeftOut, MessageReader

__all__ = ["Export", "ExportError", "ExportedChat", "LeftOut", "MessageReader", "exported_chat"]
