"""`/gryadprofile`: the chat's character as a picture, drawn by a worker."""

from __future__ import annotations

from shared.application.app import App
from shared.application.commands.call import CommandCall
from shared.application.commands.later import leave_to_worker, place_of
from shared.application.delivery.answer import Answer


async def show_profile(app: App, call: CommandCall) -> Answer:
    """Have the picture drawn; it comes as a reply within seconds."""
    return await leave_to_worker(app.gateway, app.schedule, call, "portrait", place_of(call))
