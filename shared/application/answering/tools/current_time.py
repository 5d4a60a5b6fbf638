"""What time it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.application.answering.tools.arguments import text_of
from shared.application.answering.tools.binding import ToolBinding, ToolContext, ToolOutcome
from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.application.ports.model import Tool
from shared.domain.chats.hours import timezone_named
from shared.domain.errors import ToolRefused

_MAX_ZONE = 64

TOOL = Tool(
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


async def _run(app: App, context: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
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


BINDING = ToolBinding(TOOL, _run)
