"""What a model answers when it is asked to read a stretch of talk."""

import json
import re

_PARTS = re.compile(r"^\[part (\d+)\]$", re.MULTILINE)
_LINE = re.compile(r"^(\d+) (\d+)(?: \w+)?(?: >\d+)?: (.*?)(?: \[.*)?$", re.MULTILINE)
_QUOTE = re.compile(r'(?<!\\)"')  # in what was typed it stands bare


def asks_to_read(request):
    """Whether a request of Gemini's asks for what a stretch of talk gives."""
    return bool(request.schema) and "parts" in request.schema["properties"]


def lines_of(prompt):
    """The members' own lines of the talk that a prompt shows: number, member's number, text."""
    for number, member, typed in _LINE.findall(prompt.rpartition("<talk>")[2]):
        escaped = _QUOTE.sub('\\\\"', typed)
        yield int(number), int(member), json.loads(f'"{escaped}"')


def reading(request, summary="", details=(), facts=()):
    """The same summary and details for every chunk that the request shows, and some facts."""
    parts = [{"part": int(n), "summary": summary, "details": list(details)} for n in _PARTS.findall(request.prompt)]
    return {"parts": parts, "facts": list(facts)}
