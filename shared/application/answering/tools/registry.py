"""All tools, and those that a chat's model is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.application.answering.tools import forecast, forget, recalling, remember, small_tools, web_search
from shared.application.answering.tools.binding import ToolBinding, ToolContext
from shared.application.chats.choices import choices_for
from shared.application.policy import Policy
from shared.domain.reading.requests import asks_to_forget, asks_to_remember

if TYPE_CHECKING:
    from shared.application.ports.weather import Weather


BINDINGS: tuple[ToolBinding, ...] = (
    small_tools.CALCULATOR,
    small_tools.CURRENT_TIME,
    recalling.BINDING,
    remember.BINDING,
    forget.BINDING,
    forecast.BINDING,
    web_search.BINDING,
)
"""All tools, in the order of their declaration; always the same, so that the prompt's prefix stays the same, too."""


def bindings_for(policy: Policy, weather: Weather | None, context: ToolContext) -> tuple[ToolBinding, ...]:
    """Return what the operator and the chat let the model use, as far as it can be used here and the asker asks for
    it."""
    chosen = choices_for(policy, context.state).tools
    missing = {"weather"} if weather is None else set()
    # Nearly no message asks for these two, and to declare them costs as much as all the others.
    missing |= set() if asks_to_remember(context.message.text) else {"remember"}
    missing |= set() if asks_to_forget(context.message.text) else {"forget"}
    return tuple(each for each in BINDINGS if each.tool.name in chosen - missing)
