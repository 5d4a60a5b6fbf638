"""Sums that language models get wrong, and what time it is."""

from collections.abc import Mapping
from typing import Any

from shared.application.answering.tools.binding import ToolBinding, ToolContext, ToolOutcome, text_of
from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.application.ports.model import Tool
from shared.domain.answering.calculation import MAX_EXPRESSION, CalculationError, calculate
from shared.domain.chats.hours import timezone_named
from shared.domain.errors import ToolRefused

_MAX_ZONE = 64

_CALCULATOR = Tool(
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


async def _calculate(_: App, __: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    expression = text_of(arguments, "expression", most=MAX_EXPRESSION)
    try:
        return ToolOutcome({"value": calculate(expression)})
    except CalculationError as error:
        raise ToolRefused(str(error)) from error


CALCULATOR = ToolBinding(_CALCULATOR, _calculate)


_TIME = Tool(
    "current_time",
    "Tells the date, weekday and time now, in the chat's own time zone or another one.",
    {
        "type": "object",
        "properties": {
            "zone": {
                "type": "string",
                "description": "IANA name of a time zone such as America/New_York; leave it out for the chat's own.",
            }
        },
    },
)


async def _tell_time(app: App, context: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    if arguments.get("zone"):
        try:
            zone = timezone_named(text_of(arguments, "zone", most=_MAX_ZONE))
        except ValueError as error:
            raise ToolRefused(str(error)) from error
    else:
        zone = choices_for(app.policy, context.state).timezone
    now = app.clock.now().astimezone(zone)
    return ToolOutcome(
        {
            "date": f"{now:%Y-%m-%d}",
            "weekday": f"{now:%A}",
            "time": f"{now:%H:%M}",
            "zone": zone.key,
            "utc_offset": f"{now:%z}",
        }
    )


CURRENT_TIME = ToolBinding(_TIME, _tell_time)
