"""What a call is billed for that nobody waited for to its end: no reply says so, and it counts all the same."""

from __future__ import annotations

from shared.application.ports.model import Media, ModelReply, ModelRequest, TokenUsage
from shared.domain.answering.context.budget import FILE_TOKENS
from shared.domain.spending.tokens import estimate_tokens


def estimated_reply(request: ModelRequest, model: str, written: str) -> ModelReply:
    """Return what there is of a reply, with the tokens of the request by the estimate that bounds contexts and of what
    was written. What a model thought until then nobody can tell."""
    return ModelReply(written, model, TokenUsage(request_tokens(request), estimate_tokens(written)))


def request_tokens(request: ModelRequest) -> int:
    """Return about how many tokens a request has, with its schema, tools and files."""
    parts = [part for turn in request.turns for part in turn.parts]
    files = sum(isinstance(part, Media) for part in parts)
    sent = [request.system, *map(str, request.tools), str(request.response_schema or "")]
    sent += [str(part) for part in parts if not isinstance(part, Media)]
    return files * FILE_TOKENS + sum(map(estimate_tokens, sent))
