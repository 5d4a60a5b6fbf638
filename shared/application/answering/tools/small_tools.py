"""Sums that language models get wrong, and what time it is."""

from collections.abc import Mapping
from typing import Any

from shared.application.answering.tools.binding import ToolContext, ToolOutcome, bind, text_of
from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.domain.answering.calculation import MAX_EXPRESSION, CalculationError, calculate
from shared.domain.chats.hours import timezone_named
from shared.domain.errors import ToolRefused

_MAX_ZONE = 64


async def _calculate(_: App, __: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    expression = text_of(arguments, "expression", most=MAX_EXPRESSION)
    try:
        return ToolOutcome({"value": calculate(expression)})
    except CalculationError as error:
        raise ToolRefused(str(error)) from error


CALCULATOR = bind("calculator", _calculate)


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


CURRENT_TIME = bind("current_time", _tell_time)
