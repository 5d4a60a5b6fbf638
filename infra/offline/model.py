"""The language model of a deployment without one: it quotes memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.domain.errors import ModelUnavailable

if TYPE_CHECKING:
    from shared.application.ports.model import ModelReply, ModelRequest


class OfflineModel:
    """A `LanguageModel` that answers from `ModelRequest.grounding` alone; deterministic, free, never fails at it."""

    async def generate(self, request: ModelRequest) -> ModelReply:
        """The answer that memory alone gives, booked as the model "offline" with no tokens.

        Raises:
            ModelUnavailable: Anything but an answer with grounding: facts, summaries and episodes need a real model.
        """
        grounding = request.grounding
        if request.purpose != "answer" or grounding is None:
            raise ModelUnavailable(
                f"The offline model does not do {request.purpose!r}; set GEMINI_API_KEY to use a language model."
            )
        from shared.application.ports.model import ModelReply
        from shared.domain.answering.offline_answer import compose_offline_answer

        text = compose_offline_answer(
            question=grounding.question,
            language=grounding.language,
            facts=grounding.facts,
            found=grounding.found,
            meant=grounding.meant,
            small_talk=grounding.small_talk,
        )
        return ModelReply(text=text, model="offline")
