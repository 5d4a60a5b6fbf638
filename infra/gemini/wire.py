"""A request of ours as the SDK's types, and its response as a reply of ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from shared.application.ports.model import (
    Media,
    ModelReply,
    ModelRequest,
    ModelTurn,
    Part,
    TokenUsage,
    Tool,
    ToolCall,
    ToolResult,
    WebSource,
)
from shared.domain.errors import ModelRefused, ModelUnavailable
from shared.domain.text.plain import without_controls

if TYPE_CHECKING:
    from google.genai import types

T = TypeVar("T")

TIER_HEADER = "x-gemini-service-tier"
"""Names the tier that answered (Gemini API, "Priority inference", May 2026)."""

_FINISHED = ("STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED")
_BROKEN_CALL = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")


class BrokenCall(ModelRefused):
    """The model tried to call a tool and wrote something that is no call.

    Attributes:
        usage: What that cost.
    """

    def __init__(self, message: str, usage: TokenUsage) -> None:
        super().__init__(message)
        self.usage = usage


# --- to Google ----------------------------------------------------------------------------------


def content_of(turn: ModelTurn, files: Mapping[Media, types.File]) -> types.Content:
    """One turn; files that were uploaded are named, others travel with it."""
    from google.genai import types

    return types.Content(role=turn.role, parts=[_part(part, files) for part in turn.parts])


def _part(part: Part, files: Mapping[Media, types.File]) -> types.Part:
    from google.genai import types

    match part:
        case str():
            return types.Part(text=part)
        case Media() if part in files:
            return types.Part(file_data=types.FileData(file_uri=files[part].uri, mime_type=part.mime_type))
        case Media():
            return types.Part(inline_data=types.Blob(data=part.data, mime_type=part.mime_type))
        case ToolCall():
            call = types.FunctionCall(id=part.call_id or None, name=part.name, args=dict(part.arguments))
            # Models from Gemini 3 on answer 400 when the signature that came with a call is not sent back with it.
            return types.Part(function_call=call, thought_signature=part.signature)
        case ToolResult():
            response = types.FunctionResponse(id=part.call_id or None, name=part.name, response=dict(part.response))
            return types.Part(function_response=response)


def config_of(request: ModelRequest, model: str, *, flex: timedelta | None = None) -> types.GenerateContentConfig:
    """Return how to answer; on the flex tier at once or not at all, and within the time given."""
    from google.genai import types

    config = types.GenerateContentConfig(
        system_instruction=request.system or None,
        temperature=request.temperature,
        max_output_tokens=request.max_output_tokens,
        # Calls are ours to make: the SDK would make those of Python functions by itself.
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    if request.response_schema is not None:
        config.response_mime_type = "application/json"
        config.response_json_schema = dict(request.response_schema)
    if request.web_search:
        config.tools = [types.Tool(google_search=types.GoogleSearch())]
    elif request.tools:
        config.tools = [types.Tool(function_declarations=[_declaration(tool) for tool in request.tools])]
        if not request.may_call:
            none = types.FunctionCallingConfig(mode=types.FunctionCallingConfigMode.NONE)
            config.tool_config = types.ToolConfig(function_calling_config=none)
    if model.rsplit("/", 1)[-1].startswith("gemini-3"):
        # Thoughts are billed as output and count against max_output_tokens: at the default level they can leave
        # nothing for the reply. Older models know no levels and refuse the field.
        config.thinking_config = types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW)
    if flex is not None:
        config.service_tier = types.ServiceTier.FLEX
        once = types.HttpRetryOptions(attempts=1)
        config.http_options = types.HttpOptions(timeout=ceil(flex.total_seconds() * 1000), retry_options=once)
    return config


def _declaration(tool: Tool) -> types.FunctionDeclaration:
    from google.genai import types

    return types.FunctionDeclaration(
        name=tool.name, description=tool.about, parameters_json_schema=dict(tool.parameters)
    )


# --- from Google --------------------------------------------------------------------------------


class _SaidByModel(NamedTuple):
    text: str
    calls: tuple[ToolCall, ...]


def reply_of(response: types.GenerateContentResponse, model: str) -> ModelReply:
    """The first candidate.

    Raises:
        ModelRefused: Blocked, none, or empty.
        BrokenCall: It was to be a call, and is none.
    """
    candidate = _candidate(response)
    said = _read_said(candidate)
    text = without_controls(said.text)
    if not text and not said.calls:
        raise ModelRefused(f"Gemini returned no text ({_reason(candidate)}).")
    return ModelReply(text, model, _usage(response), said.calls, _sources(candidate), flex=_is_flex(response))


def _is_flex(response: types.GenerateContentResponse) -> bool:
    """Return whether the flex tier answered: Google says so in a header, whatever was asked for."""
    headers = (response.sdk_http_response.headers if response.sdk_http_response else None) or {}
    return headers.get(TIER_HEADER, "").lower() == "flex"


def text_of(response: types.GenerateContentResponse) -> str:
    """Return what the first candidate says so far, "" for nothing."""
    return _read_said(response.candidates[0]).text if response.candidates else ""


def join_chunks(chunks: Sequence[types.GenerateContentResponse]) -> types.GenerateContentResponse:
    """Return a response that came in chunks as one: parts add up, of all else the last that was told counts."""
    from google.genai import types

    heads = [chunk.candidates[0] for chunk in chunks if chunk.candidates]
    parts = [part for head in heads if head.content for part in head.content.parts or []]
    candidate = types.Candidate(
        content=types.Content(role="model", parts=parts),
        finish_reason=_last(head.finish_reason for head in heads),
        grounding_metadata=_last(head.grounding_metadata for head in heads),
    )
    return types.GenerateContentResponse(
        candidates=[candidate] if heads else None,
        prompt_feedback=_last(chunk.prompt_feedback for chunk in chunks),
        usage_metadata=_last(chunk.usage_metadata for chunk in chunks),
    )


def _last(told: Iterable[T | None]) -> T | None:
    return next((each for each in reversed(list(told)) if each is not None), None)


def _candidate(response: types.GenerateContentResponse) -> types.Candidate:
    feedback = response.prompt_feedback
    if feedback and feedback.block_reason:
        raise ModelRefused(f"Gemini blocked the prompt: {feedback.block_reason.name}.")
    if not response.candidates:
        raise ModelRefused("Gemini returned no candidate.")
    candidate = response.candidates[0]
    reason = _reason(candidate)
    if reason in _BROKEN_CALL:
        raise BrokenCall(f"Gemini stopped its answer: {reason}.", _usage(response))
    if reason not in _FINISHED:
        raise ModelRefused(f"Gemini stopped its answer: {reason}.")
    return candidate


def _reason(candidate: types.Candidate) -> str:
    return candidate.finish_reason.name if candidate.finish_reason else "FINISH_REASON_UNSPECIFIED"


def _read_said(candidate: types.Candidate) -> _SaidByModel:
    parts = (candidate.content.parts if candidate.content else None) or []
    text = storable("".join(part.text or "" for part in parts if not part.thought)).strip()
    calls = [_call(part.function_call, part.thought_signature) for part in parts if part.function_call]
    return _SaidByModel(text, tuple(calls))


def _call(call: types.FunctionCall, signature: bytes | None) -> ToolCall:
    if not call.name:  # it could not be answered: a result names its call
        raise ModelUnavailable("Gemini's answer could not be read: a call without a name.")
    return ToolCall(call.name, call.args or {}, call.id or "", signature)


def _sources(candidate: types.Candidate) -> tuple[WebSource, ...]:
    """The pages that a searched answer leans on, each once, in the order of the answer."""
    metadata = candidate.grounding_metadata
    pages = [chunk.web for chunk in (metadata.grounding_chunks if metadata else None) or () if chunk.web]
    found = (WebSource(storable(page.title or page.uri), page.uri) for page in pages if page.uri)
    return tuple(dict.fromkeys(found))


def _usage(response: types.GenerateContentResponse) -> TokenUsage:
    usage = response.usage_metadata
    if usage is None:
        return TokenUsage()
    return TokenUsage(
        # What a search brought in, and what is told of tools, is billed as input, too.
        input=(usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0),
        output=(usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0),
        cached=usage.cached_content_token_count or 0,
    )


def storable(text: str) -> str:
    """Halves of a surrogate pair put together, and lone ones replaced: no document holds those."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
