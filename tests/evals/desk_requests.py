"""A request to a model as a reader sees it, and by what it is known again when its wording has changed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from infra.gemini.estimating import request_tokens
from shared.application.ports.model import Media, ModelRequest, Part, ToolCall, ToolResult

Numbers = Mapping[str, Mapping[str, str]]
"""By kind (members, known, open, messages): what each number of a request stands for."""

_MEMBER = re.compile(r"^(\d+) (.+)$", re.MULTILINE)
_KNOWN = re.compile(r"^f(\d+) \d+(?: later)?: (.+)$", re.MULTILINE)
_OPEN = re.compile(r"^(\d+): (.+)$", re.MULTILINE)
_MESSAGE = re.compile(r"^(?:#?(\d+) )?(bot|\d+)\b.*?: (.*)$", re.MULTILINE)
_SUMMARY = re.compile(r'^(".*")$', re.MULTILINE)
_VERDICT = re.compile(r"\s*(\w+) (f?)(\d+)\b")
_END = re.compile(r"\n</?[a-z]+>")


@dataclass(frozen=True, slots=True)
class Identity:
    """By what a request is known again.

    Attributes:
        kind: What it asks for: of a reading whether facts or texts alone, of an answer the round of its tools.
        pieces: What it is about: digests of the messages, summaries or facts in it, or the question.
        nth: How many of the same came before it in this run, and itself.
    """

    purpose: str
    kind: str
    pieces: tuple[str, ...]
    nth: int = 1

    @property
    def about(self) -> str:
        """What it is about, in a word or two."""
        return self.pieces[0] if len(self.pieces) == 1 else f"{len(self.pieces)} pieces"

    def likeness(self, other: Identity) -> float:
        """Return which share of the pieces of both they have in common; 0 when anything else differs."""
        if replace(self, pieces=()) != replace(other, pieces=()):
            return 0.0
        ours, theirs = set(self.pieces), set(other.pieces)
        return len(ours & theirs) / len(ours | theirs) if ours | theirs else 1.0


def identify(request: ModelRequest) -> Identity:
    """Return by what a request is known again, as the first of its like."""
    text = _text(request)
    match request.purpose:
        case "reading":
            lists = (request.response_schema or {}).get("properties", {})
            said = (words_in(said) for _, speaker, said in _lines(text) if speaker != "bot")
            return Identity("reading", "facts" if "facts" in lists else "texts", tuple(map(short_digest, said)))
        case "meta":
            found: list[str] = _SUMMARY.findall(_part_of(text, "summaries"))
            return Identity("meta", "", tuple(short_digest(words_in(each)) for each in found))
        case "culture":
            told = _part_of(text, "facts").splitlines()
            return Identity("culture", "", tuple(short_digest(words_in(fact)) for fact in told))
    question = request.grounding.question if request.grounding else short_digest(text)
    rounds = 1 + sum(turn.role == "model" and _calls(turn.parts) for turn in request.turns)
    return Identity(request.purpose, f"round {rounds}", (question,))


def _calls(parts: Sequence[Part]) -> bool:
    return any(isinstance(part, ToolCall) for part in parts)


def numbers_in(request: ModelRequest) -> Numbers:
    """Return what the numbers of a reading stand for; of other requests nothing, for they name things as they are."""
    if request.purpose != "reading":
        return {}
    text = _text(request)
    return {
        "members": _meanings(_MEMBER, _part_of(text, "members")),
        "known": _meanings(_KNOWN, _part_of(text, "known")),
        "open": _meanings(_OPEN, _part_of(text, "open")),
        "messages": {number: short_digest(words_in(said)) for number, _, said in _lines(text)},
    }


def _lines(text: str) -> list[tuple[str, str, str]]:
    """Return number, speaker and words of each line of a talk.

    Raises:
        ValueError: Not one is found: the prompt writes them otherwise than `_MESSAGE` reads them.
    """
    found = _MESSAGE.findall(_part_of(text, "talk"))
    if not found:
        raise ValueError(f"no message is found in {_part_of(text, 'talk')[:200]!r}")
    return found


def _meanings(line: re.Pattern[str], text: str) -> dict[str, str]:
    return {number: words_in(meant) for number, meant in line.findall(text)}


def words_in(text: str) -> str:
    """Return the letters and digits of a text, which stay the same however it is quoted."""
    return "".join(filter(str.isalnum, text))


def _part_of(text: str, name: str) -> str:
    """Return what stands between `<name>` and the next mark, for the last time: examples come before."""
    _, _, rest = text.rpartition(f"<{name}>\n")
    return _END.split(rest, maxsplit=1)[0]


def _text(request: ModelRequest) -> str:
    return "\n".join(part for turn in request.turns for part in turn.parts if isinstance(part, str))


def short_digest(text: str) -> str:
    """Return eight hexadecimal digits of a text."""
    return hashlib.blake2s(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def renumber(reply: Any, before: Numbers, now: Numbers) -> Any:
    """Return the reply to a reading with the numbers that stand now for what it meant when it was given.

    What it meant and is there no more: a fact about nobody, a message that there is not, an item that is settled by
    nothing, a verdict about nothing.
    """
    if not isinstance(reply, dict) or not before:
        return reply
    moved = {kind: _moved(before[kind], now.get(kind, {})) for kind in before}

    def changed(item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        item = dict(item)
        for field, kind in (("about", "members"), ("by", "members"), ("message", "messages"), ("settles", "open")):
            if item.get(field):
                gone = 0 if field == "settles" else -1
                item[field] = int(moved[kind].get(str(item[field]), gone))
        if isinstance(item.get("verdict"), str):
            item["verdict"] = _verdict(item["verdict"], moved["known"], moved["open"])
        return item

    return {
        name: [changed(item) for item in value] if name in ("facts", "items") and isinstance(value, list) else value
        for name, value in reply.items()
    }


def _verdict(verdict: str, known: Mapping[str, str], open_items: Mapping[str, str]) -> str:
    named = _VERDICT.match(verdict)
    if named is None:
        return verdict
    word, is_fact, number = named.groups()
    if not is_fact:
        return f"{word} {open_items.get(number, 0)}"
    return f"{word} f{known[number]}" if number in known else "new"


def _moved(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the new number of each old one; what occurs more than once stays in order."""
    places: dict[str, list[str]] = {}
    for number, meant in now.items():
        places.setdefault(meant, []).append(number)
    return {number: places[meant].pop(0) for number, meant in before.items() if places.get(meant)}


# --- As it is read ------------------------------------------------------------------------------


def readable(request: ModelRequest) -> str:
    """Return a request for a reader, as Markdown: everything that the model is sent, and nothing else."""
    wanted = "JSON of the schema below" if request.response_schema else "text"
    wanted += ", or calls of tools" if request.tools and request.may_call else ""
    lines = [f"# {request.purpose}: {wanted}, at most {request.max_output_tokens} tokens", "", "## system", ""]
    lines.append(request.system)
    for turn in request.turns:
        lines += ["", f"## {turn.role}", "", *map(_readable_part, turn.parts)]
    if request.tools:
        lines += ["", "## tools", "", "These may be called." if request.may_call else "None may be called any more."]
        lines += [f"- `{t.name}`: {t.about} `{json.dumps(t.parameters, ensure_ascii=False)}`" for t in request.tools]
    if request.response_schema:
        lines += ["", "## schema", "", json.dumps(request.response_schema, ensure_ascii=False)]
    return "\n".join(lines) + "\n"


def _readable_part(part: Part) -> str:
    match part:
        case str():
            return part
        case Media():
            return f"(a file: {part.mime_type}, {len(part.data)} bytes)"
        case ToolCall():
            return f"call `{part.name}` {json.dumps(dict(part.arguments), ensure_ascii=False)}"
        case ToolResult():
            return f"result of `{part.name}` {json.dumps(dict(part.response), ensure_ascii=False)}"


def raw(request: ModelRequest) -> dict[str, Any]:
    """Return a request as JSON."""
    return {
        "purpose": request.purpose,
        "tier": request.tier,
        "temperature": request.temperature,
        "max_output_tokens": request.max_output_tokens,
        "tokens": request_tokens(request),
        "system": request.system,
        "turns": [{"role": turn.role, "parts": list(map(_readable_part, turn.parts))} for turn in request.turns],
        "tools": [{"name": t.name, "about": t.about, "parameters": dict(t.parameters)} for t in request.tools],
        "may_call": request.may_call,
        "response_schema": request.response_schema,
    }
