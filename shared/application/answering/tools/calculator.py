"""Arithmetic that language models get wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.application.answering.tools.arguments import text_of
from shared.application.answering.tools.binding import ToolBinding, ToolContext, ToolOutcome
from shared.application.app import App
from shared.application.ports.model import Tool
from shared.domain.answering.calculation import MAX_EXPRESSION, CalculationError, calculate
from shared.domain.errors import ToolRefused

TOOL = Tool(
    "calculator",
    "Works out an arithmetic expression exactly. Use it for every calculation beyond the simplest.",
    {
        "type": "object",
        "properties": {
            "expression": {
                "type": "string",
                "description": "Numbers with a decimal point, + - * / // % **, brackets, and abs round sqrt exp ln log "
                "log10 log2 sin cos tan floor ceil factorial gcd min max hypot. Example: (1250 * 0.15 + 40) / 3",
            }
        },
        "required": ["expression"],
    },
)


async def _run(_: App, __: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    expression = text_of(arguments, "expression", most=MAX_EXPRESSION)
    try:
        return ToolOutcome({"value": calculate(expression)})
    except CalculationError as error:
        raise ToolRefused(str(error)) from error


BINDING = ToolBinding(TOOL, _run)
