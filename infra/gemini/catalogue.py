"""Google's catalogue of models: tells if there is one of a name, and what it can do."""

from __future__ import annotations

from typing import NamedTuple

from infra.gemini.gateway import BriefAsker


class ModelEntry(NamedTuple):
    """A model that there is.

    Attributes:
        actions: What it can be asked for, as Google calls it: `generateContent`, `embedContent`, …; empty when Google
            does not say.
    """

    name: str
    actions: tuple[str, ...]


class GeminiCatalogue(BriefAsker):
    """The models that a key can use; asking costs nothing."""

    async def entry(self, name: str, *, setting: str) -> ModelEntry:
        """The model of this name.

        Args:
            setting: The environment variable that names it, for the message of an unknown one.

        Raises:
            ModelUnavailable: There is none (retired ones are gone), the key is not accepted, or Google does not answer.
        """
        model = await self._gateway.call(lambda client: client.models.get(model=name), model=name, setting=setting)
        return ModelEntry(model.name or name, tuple(model.supported_actions or ()))

    async def aclose(self) -> None:
        """Release connections."""
        await self._gateway.aclose()
