"""The call of the Bot API that may stand in a webhook's response: it saves a request, and its result is not told."""

from __future__ import annotations

from collections.abc import Mapping

from shared.domain.intake.updates import Acknowledgement


def call_for(acknowledges: Acknowledgement) -> Mapping[str, str]:
    """Return the call that ends the waiting of the user who pressed a button, as the body of a response."""
    shown = {"text": acknowledges.text} if acknowledges.text else {}
    return {"method": "answerCallbackQuery", "callback_query_id": acknowledges.callback_id, **shown}
