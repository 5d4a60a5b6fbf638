"""What a model answers when it is asked to read a stretch of talk."""

import re

_PARTS = re.compile(r"^\[part (\d+)\]$", re.MULTILINE)


def asks_to_read(request):
    """Whether a request of Gemini's asks for what a stretch of talk gives."""
    return bool(request.schema) and "parts" in request.schema["properties"]


def reading(request, summary="", details=(), facts=()):
    """The same summary and details for every chunk that the request shows, and some facts."""
    parts = [{"part": int(n), "summary": summary, "details": list(details)} for n in _PARTS.findall(request.prompt)]
    return {"parts": parts, "facts": list(facts)}
