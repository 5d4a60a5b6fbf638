"""How a chat wants to be remembered: the deployment's defaults, and what the chat's own document says instead."""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import NamedTuple, TypeVar

from shared.application.chats import ChatState
from shared.application.policy import Policy
from shared.domain.memory_profile import Profile
from shared.domain.patterns.guards import has_injection
from shared.domain.text import one_line

log = logging.getLogger(__name__)

MAX_INSTRUCTIONS = 600
"""Characters of a chat's own instructions that reach the prompt (own choice): a few sentences."""

_Choice = TypeVar("_Choice", bound=StrEnum)


class Method(StrEnum):
    """Where facts come from. Summaries and episodic facts of chunks do not depend on it."""

    HYBRID = "hybrid"
    PATTERN = "pattern"
    STATISTICAL = "statistical"
    MODEL = "model"

    def includes(self, method: Method) -> bool:
        """Whether facts come from `method`; all of them do in hybrid."""
        return self in (Method.HYBRID, method)


class Choices(NamedTuple):
    """What holds for one chat now.

    Attributes:
        instructions: The chat's own wishes for the model, one line of at most `MAX_INSTRUCTIONS` characters, or "".
    """

    private: bool
    method: Method
    profile: Profile
    instructions: str


def choices_for(policy: Policy, state: ChatState) -> Choices:
    """What a chat chose, and the deployment's defaults for the rest.

    An override that is no choice is ignored, and so are instructions that try to instruct more than memory.
    """
    return Choices(
        private=state.is_private(by_default=policy.private_mode),
        method=_chosen(Method(policy.extraction_method), state.extraction_method, state),
        profile=_chosen(Profile(policy.memory_profile), state.memory_profile, state),
        instructions=_instructions(state),
    )


def _chosen(default: _Choice, override: str | None, state: ChatState) -> _Choice:
    if override is None:
        return default
    try:
        return type(default)(override)
    except ValueError:
        log.warning("chat=%s has no valid choice of %s", state.chat_id, type(default).__name__.lower())
        return default


def _instructions(state: ChatState) -> str:
    if has_injection(state.extraction_instructions):
        log.warning("chat=%s: its instructions for extraction are left out: injection", state.chat_id)
        return ""
    return one_line(state.extraction_instructions, MAX_INSTRUCTIONS)
