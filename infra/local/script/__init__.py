"""Scripts: what is replayed, read from JSON lines or from an export of Telegram Desktop."""

from infra.local.script.fields import ScriptError
from infra.local.script.reading import Script, read_script

__all__ = ["Script", "ScriptError", "read_script"]
