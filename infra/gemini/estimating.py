"""Estimates the bill of a call that nobody waited for to its end: no reply tells it, and it counts all the same."""

from __future__ import annotations

from shared.application.ports.model import ModelReply, ModelRequest, TokenUsage
from shared.application.spending.estimating import request_tokens
from shared.domain.spending.tokens import estimate_tokens


def estimate_reply(request: ModelRequest, model: str, written: str) -> ModelReply:
    """Return what there is of a reply, with the tokens of the request by the estimate that bounds contexts and of what
    was written. What a model thought until then nobody can tell."""
    return ModelReply(written, model, TokenUsage(request_tokens(request), estimate_tokens(written)))
