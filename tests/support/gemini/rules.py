"""What the Gemini API refuses, with the error body of the real one: the strict half of `FakeGemini`."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Mapping
from typing import Any

from aiohttp import web

MAX_BATCH = 100
NATIVE_DIMENSIONS = 3072
MAX_REQUEST_BYTES = 20 * 1024 * 1024

_STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_REQUEST_FIELDS = {"contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "serviceTier"}
_CONFIG_FIELDS = {
    "temperature",
    "topP",
    "topK",
    "maxOutputTokens",
    "stopSequences",
    "seed",
    "responseMimeType",
    "responseJsonSchema",
    "thinkingConfig",
}
_EMBED_FIELDS = {"model", "content", "taskType", "outputDimensionality"}
_TASK_TYPES = {"RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"}
_TIERS = {"standard", "flex", "priority"}
_THINKING_LEVELS = {"MINIMAL", "LOW", "MEDIUM", "HIGH"}
_KINDS = {"text", "inlineData", "fileData", "functionCall", "functionResponse"}
_USERS, _MODELS = _KINDS - {"functionCall"}, {"text", "functionCall"}
_NO_DATA = "required oneof field 'data' must have one initialized field"


class GoogleError(Exception):
    """Becomes Google's error body."""

    def __init__(self, code: int, message: str, details: Collection[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, list(details)

    def response(self) -> web.Response:
        error: dict[str, Any] = {"code": self.code, "message": self.message, "status": status_name(self.code)}
        if self.details:
            error["details"] = self.details
        return web.json_response({"error": error}, status=self.code)


def status_name(code: int) -> str:
    return _STATUS_NAMES.get(code, "UNKNOWN")


def camel(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Protobuf's JSON takes both spellings of a field, and the SDK passes some objects on in its own."""
    return {re.sub(r"_([a-z])", lambda m: m[1].upper(), name): value for name, value in fields.items()}


def only(fields: Mapping[str, Any], known: Collection[str]) -> None:
    for name in fields:
        require(name in known, f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.')


def require(holds: object, message: str) -> None:
    if not holds:
        raise GoogleError(400, message)


# --- generateContent ---


def check_generate(
    body: Mapping[str, Any], model: str, *, files: Mapping[str, str], signatures: Collection[str], require_meta: bool
) -> None:
    """Raises GoogleError unless the body of a `generateContent` is one that Google takes.

    Args:
        files: MIME types of the files that were uploaded and are ready, by URI.
        signatures: Those that were given out with calls.
        require_meta: Refuse turns of users whose first part is no `[meta]` line.
    """
    only(body, _REQUEST_FIELDS)
    contents = body.get("contents")
    require(isinstance(contents, list) and bool(contents), "contents is not specified")
    for turn in contents:
        require(turn.get("role") in {"user", "model"}, "Please use a valid role: user, model.")
        _check_content(turn, _USERS if turn["role"] == "user" else _MODELS)
        _check_files(turn, files)
        meta = turn["role"] == "model" or turn["parts"][0].get("text", "").startswith("[meta]")
        require(meta or not require_meta or _answers_calls(turn), "a user turn has no [meta] line")
    require(contents[-1]["role"] == "user", "Please ensure that the last turn is the user's.")
    _check_calls(contents)
    if model.startswith("gemini-3"):
        _check_signatures(contents, signatures)
    if "systemInstruction" in body:
        _check_content(body["systemInstruction"], {"text"})
    require(body.get("serviceTier", "standard") in _TIERS, "Invalid value at 'service_tier'")
    config = body.get("generationConfig", {})
    _check_config(config, model)
    _check_tools(body, config)


def _check_content(content: Any, kinds: Collection[str]) -> None:
    require(isinstance(content, dict), "content is not specified")
    only(content, {"role", "parts"})
    parts = content.get("parts")
    require(isinstance(parts, list) and bool(parts), "contents.parts must not be empty.")
    for part in parts:
        only(part, {*_KINDS, "thoughtSignature"})
        (kind,) = set(part) & _KINDS or {""}
        require(kind in kinds, _NO_DATA if not kind else f"{kind} is not allowed in this turn.")
        if kind == "text":
            require(isinstance(part["text"], str) and bool(part["text"]), _NO_DATA)


def _check_files(turn: Mapping[str, Any], files: Mapping[str, str]) -> None:
    for part in turn["parts"]:
        if "inlineData" in part:
            blob = camel(part["inlineData"])
            only(blob, {"data", "mimeType"})
            require(re.fullmatch(r"[\w.+-]+/[\w.+-]+", blob.get("mimeType", "")), "Unsupported MIME type.")
            require(_decodes(blob.get("data")), "Base64 decoding failed.")
        if "fileData" in part:
            named = camel(part["fileData"])
            only(named, {"fileUri", "mimeType"})
            uri = named.get("fileUri", "")
            if uri not in files:
                name = uri.rsplit("/", 1)[-1]
                raise GoogleError(403, f"You do not have permission to access the File {name} or it may not exist.")
            require(files[uri] != "", "The File is not in an ACTIVE state and usage is not allowed.")
            require(files[uri] == named.get("mimeType"), "The mime type of the File differs.")


def _decodes(data: Any) -> bool:
    try:
        return bool(base64.b64decode(data, altchars=b"-_", validate=True))
    except (TypeError, ValueError, binascii.Error):
        return False


def _answers_calls(turn: Mapping[str, Any]) -> bool:
    return any("functionResponse" in part for part in turn["parts"])


def _named(turn: Mapping[str, Any], kind: str) -> list[tuple[str, str]]:
    found = [part[kind] for part in turn["parts"] if kind in part]
    for each in found:
        only(each, {"id", "name", "args" if kind == "functionCall" else "response"})
        require(each.get("name"), f"{kind}.name: [FIELD_INVALID]")
    return [(each["name"], each.get("id", "")) for each in found]


def _check_calls(contents: list[dict[str, Any]]) -> None:
    """A turn with calls is followed by a turn with as many results, in the same order."""
    for at, turn in enumerate(contents):
        called = _named(contents[at - 1], "functionCall") if at else []
        answered = _named(turn, "functionResponse")
        require(
            len(called) == len(answered),
            "Please ensure that the number of function response parts is equal to the number of function call parts "
            "of the function call turn.",
        )
        require(called == answered, "Please ensure that function response parts name the calls that they answer.")
        for part in turn["parts"]:
            response = part.get("functionResponse", {"response": {}}).get("response")
            require(isinstance(response, dict), "function_response.response: [REQUIRED]")


def _check_signatures(contents: list[dict[str, Any]], known: Collection[str]) -> None:
    """In the turn under way the first call of every step brings the signature that it came with."""
    begins = max((n for n, t in enumerate(contents) if t["role"] == "user" and not _answers_calls(t)), default=0)
    for at, turn in enumerate(contents[begins:], begins):
        for position, part in enumerate(p for p in turn["parts"] if "functionCall" in p):
            signature = part.get("thoughtSignature")
            require(
                signature or position,
                "Function call is missing a thought_signature in functionCall parts. This is required for tools to "
                f"work correctly. Additional data, function call `{part['functionCall']['name']}`, position {at}.",
            )
            require(signature is None or plain_base64(signature) in known, "Invalid thought signature.")


def plain_base64(text: str) -> str:
    return text.replace("-", "+").replace("_", "/").rstrip("=")


def _check_config(config: Mapping[str, Any], model: str) -> None:
    only(config, _CONFIG_FIELDS)
    require(0 <= config.get("temperature", 1) <= 2, "temperature must be in the range [0, 2].")
    tokens = config.get("maxOutputTokens", 1)
    require(isinstance(tokens, int) and tokens > 0, "max_output_tokens must be positive.")
    if "responseJsonSchema" in config:
        require(isinstance(config["responseJsonSchema"], dict), "Invalid JSON schema.")
        require(config.get("responseMimeType") == "application/json", "JSON schema needs application/json.")
    if "thinkingConfig" in config:
        level = camel(config["thinkingConfig"])
        only(level, {"thinkingLevel"})
        require(model.startswith("gemini-3"), "Thinking level is not supported for this model.")
        require(level.get("thinkingLevel") in _THINKING_LEVELS, "Invalid thinking level.")


def _check_tools(body: Mapping[str, Any], config: Mapping[str, Any]) -> None:
    tools = [camel(tool) for tool in body.get("tools", ())]
    kinds = [kind for tool in tools for kind in tool]
    for kind in kinds:
        require(kind in {"functionDeclarations", "googleSearch"}, f'Unknown name "{kind}" at tools: Cannot find field.')
    require(len(set(kinds)) < 2, "Tool use with function calling is unsupported")
    declared = [camel(each) for tool in tools for each in tool.get("functionDeclarations", ())]
    for each in declared:
        only(each, {"name", "description", "parametersJsonSchema"})
        require(re.fullmatch(r"[A-Za-z_][\w.:-]{0,127}", each.get("name", "")), "Invalid function name.")
        require(each.get("parametersJsonSchema", {}).get("type") == "object", "parameters schema must be an object.")
    names = [each["name"] for each in declared]
    require(len(set(names)) == len(names), "Duplicate function declaration found.")
    typed = config.get("responseMimeType") == "application/json"
    require(not (tools and typed), "Function calling with a response mime type: 'application/json' is unsupported")
    mode = camel(camel(body.get("toolConfig", {})).get("functionCallingConfig", {"mode": "AUTO"}))
    only(mode, {"mode"})
    require(mode["mode"] in {"AUTO", "NONE", "ANY"}, "Invalid function calling mode.")
    require("toolConfig" not in body or declared, "Function calling config is set without function_declarations.")


# --- batchEmbedContents ---


def check_embed(body: Mapping[str, Any], model: str) -> None:
    """Raises GoogleError unless the body of a `batchEmbedContents` is one that Google takes."""
    only(body, {"requests"})
    requests = body.get("requests", [])
    require(0 < len(requests) <= MAX_BATCH, "at most 100 requests can be in one batch")
    for one in requests:
        only(one, _EMBED_FIELDS)
        require(one.get("model") == f"models/{model}", "model in the request differs from that of the batch")
        _check_content(one.get("content"), {"text"})
        require(one.get("taskType") in _TASK_TYPES, "Invalid value at 'task_type'")
        require(1 <= one.get("outputDimensionality", 1) <= NATIVE_DIMENSIONS, "Invalid output_dimensionality.")


# --- What fits a schema ---


def emptiest(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """The emptiest value that a JSON schema allows, required properties included."""
    if "$ref" in schema:
        return emptiest(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return emptiest(schema["anyOf"][0], root)
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        return {name: emptiest(properties[name], root) for name in schema.get("required", ())}
    if schema.get("type") == "array":
        return [emptiest(schema["items"], root)] * schema.get("minItems", 0)
    empty = {"string": "", "number": 0.0, "integer": 0, "boolean": False}
    return empty.get(schema.get("type", "null"))
