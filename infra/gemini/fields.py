"""Fields of a request that a server may not know: it names the one that it refuses, and gets no more of them."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.genai import errors, types

log = logging.getLogger(__name__)

OPTIONAL = {
    "thinking_config": ("thinkinglevel", "thinkingconfig"),
    "service_tier": ("servicetier", "flex"),
    "temperature": ("temperature",),
}
"""Fields without which an answer is as right, only dearer or later; and how a refusal names them, letters only."""


class OptionalFields:
    """The optional fields that the models of this process are sent: all, until one refuses one."""

    def __init__(self) -> None:
        self._refused: dict[str, set[str]] = {}

    def strip(self, model: str, config: types.GenerateContentConfig) -> None:
        """Leave out what the model refused before."""
        for field in self._refused.get(model, ()):
            setattr(config, field, None)

    def learn(self, model: str, config: types.GenerateContentConfig, error: errors.APIError) -> bool:
        """Return whether a refusal names an optional field that was sent; from now on it is not."""
        field = find_refused_field(config, error)
        if field is None:
            return False
        self._refused.setdefault(model, set()).add(field)
        log.warning("%s does not take %s: from now on it is left out", model, field)
        return True


def find_refused_field(config: types.GenerateContentConfig, error: errors.APIError) -> str | None:
    """Return the optional field that was sent and that an INVALID_ARGUMENT names; None: it names none."""
    if error.code != 400:
        return None
    said = re.sub(r"[^a-z]", "", str(error.message or "").lower())
    sent = (field for field in OPTIONAL if getattr(config, field) is not None)
    return next((field for field in sent if any(word in said for word in OPTIONAL[field])), None)
