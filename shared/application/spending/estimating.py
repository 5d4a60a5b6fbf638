"""Estimates the tokens of a model call, before it is made or when it is given up."""

from shared.application.ports.model import Media, ModelRequest
from shared.domain.answering.context.budget import FILE_TOKENS
from shared.domain.spending.tokens import estimate_tokens


def request_tokens(request: ModelRequest) -> int:
    """Return about how many tokens a request has, with its schema, tools and files."""
    parts = [part for turn in request.turns for part in turn.parts]
    files = sum(isinstance(part, Media) for part in parts)
    sent = [request.system, *map(str, request.tools), str(request.response_schema or "")]
    sent += [str(part) for part in parts if not isinstance(part, Media)]
    return files * FILE_TOKENS + sum(map(estimate_tokens, sent))


def call_tokens(request: ModelRequest) -> int:
    """Return about how many tokens a call takes at most: of its reply, its thoughts included, as many as it may."""
    return request_tokens(request) + request.max_output_tokens
