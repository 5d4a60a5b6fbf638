"""Probes if a model takes what is sent to it: one tiny request, and when it is refused, what of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from infra.gemini.fields import OPTIONAL, find_refused_field
from infra.gemini.gateway import BriefAsker
from shared.application.ports.model import ModelRequest, ModelTurn, Tool
from shared.domain.errors import ModelRefused

if TYPE_CHECKING:
    from collections.abc import Collection

    from google.genai import types
    from google.genai.client import AsyncClient

_PARTS = ("system_instruction", "tools", "response_json_schema", "thinking_config", "service_tier", "temperature")
_OBJECT = {"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]}
_REQUEST = ModelRequest(
    purpose="answer",
    system="This is a test. Answer with one word.",
    turns=(ModelTurn("user", ("Say yes.",)),),
    max_output_tokens=64,
    response_schema=_OBJECT,
    tools=(Tool("say", "Says something.", _OBJECT),),
)


class FieldRefusal(NamedTuple):
    """The part of a request that a model does not take.

    Attributes:
        field: As the SDK calls it; "" when it is none of them alone.
        why: What Google said.
        optional: Whether it is left out, and all else goes on.
    """

    field: str
    why: str
    optional: bool


class GeminiProbe(BriefAsker):
    """Asks models for a word each, with all that the product sends."""

    async def refusals(self, model: str, *, setting: str, flex: bool) -> list[FieldRefusal]:
        """Return what the model does not take of a schema, a tool, a thinking level and a system instruction.

        A model that takes tools and schemas, but not both at once, is asked twice more: they are never sent together.

        Args:
            setting: The environment variable that names it, for the message of an unknown one.
            flex: Whether it is asked on the flex tier, which is one more field.

        Raises:
            ModelUnavailable: It does not answer, is not there, or the key is not accepted.
        """
        refused: list[FieldRefusal] = []
        while whole := await self._ask(model, setting, _PARTS, without=refused, flex=flex):
            if whole.optional:
                refused.append(whole)
                continue
            for left_out in ("tools", "response_json_schema"):
                parts = [part for part in _PARTS if part != left_out]
                if await self._ask(model, setting, parts, without=refused, flex=flex):
                    return [*refused, *(await self._probe_alone(model, setting, refused, flex=flex) or [whole])]
            break
        return refused

    async def _probe_alone(
        self, model: str, setting: str, known: Collection[FieldRefusal], *, flex: bool
    ) -> list[FieldRefusal]:
        """Those that are refused without any of the others."""
        found = [
            (part, await self._ask(model, setting, [part], without=known, flex=flex))
            for part in _PARTS
            if part not in {refusal.field for refusal in known}
        ]
        return [FieldRefusal(part, told.why, part in OPTIONAL) for part, told in found if told]

    async def _ask(
        self, model: str, setting: str, parts: Collection[str], *, without: Collection[FieldRefusal], flex: bool
    ) -> FieldRefusal | None:
        """Ask with some parts; None: it was answered."""
        from google.genai import errors

        from infra.gemini.wire import config_of

        config = config_of(_REQUEST, model, flex=timedelta(seconds=15) if flex else None)
        for part in _PARTS:
            if part not in parts or part in {refusal.field for refusal in without}:
                setattr(config, part, None)
        if config.response_json_schema is None:
            config.response_mime_type = None
        named: list[str] = []

        async def ask(client: AsyncClient) -> types.GenerateContentResponse:
            try:
                return await client.models.generate_content(model=model, contents="Say yes.", config=config)
            except errors.ClientError as error:
                named.extend(filter(None, [find_refused_field(config, error)]))
                raise

        try:
            await self._gateway.call(ask, model=model, setting=setting)
        except ModelRefused as error:
            return FieldRefusal(named[0] if named else "", str(error), optional=bool(named))
        return None

    async def aclose(self) -> None:
        """Release connections."""
        await self._gateway.aclose()
