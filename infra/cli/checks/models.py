"""Checks the models that the settings name, for `doctor` and `preflight`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from infra.cli.checks.diagnosis import Check
from infra.gemini.catalogue import GeminiCatalogue
from infra.gemini.probe import FieldRefusal, GeminiProbe
from shared.application.ports.model import Embedder
from shared.domain.errors import ModelUnavailable
from shared.domain.spending.tokens import price_of, retirement_of
from shared.settings import Settings

MODELS = {
    "GEMINI_CHAT_MODEL": "generateContent",
    "GEMINI_EXTRACTION_MODEL": "generateContent",
    "GEMINI_EMBEDDING_MODEL": "embedContent",
}
"""Settings that name a model, and what it must be able to do."""

_EMBEDDING = "GEMINI_EMBEDDING_MODEL"

NOTICE = timedelta(days=180)
"""The time before a model's last day at which it is warned of."""


async def check_models(settings: Settings, today: date) -> list[Check]:
    """Check that the models of the settings exist, take what they will be sent, are going to stay, and have a price.

    Args:
        settings: With a key of the Gemini API.
        today: The day (UTC) by which prices and last days are judged.
    """
    catalogue = GeminiCatalogue(api_key=settings.gemini_api_key or "", base_url=settings.google_gemini_base_url)
    try:
        names = {setting: getattr(settings, setting.lower()) for setting in MODELS}
        found = {setting: await _entry(catalogue, setting, name) for setting, name in names.items()}
    finally:
        await catalogue.aclose()
    there = [setting for setting, check in found.items() if check.severity == "ok"]
    judged = [check for name in dict.fromkeys(names[each] for each in there) for check in judge_model(name, today)]
    return [*found.values(), *await _probes(settings, [each for each in there if each != _EMBEDDING]), *judged]


async def _probes(settings: Settings, there: Sequence[str]) -> list[Check]:
    """Ask each model for a word, with everything that it is sent in its setting."""
    probe = GeminiProbe(api_key=settings.gemini_api_key or "", base_url=settings.google_gemini_base_url)
    try:
        return [check for setting in there for check in await _probe(probe, settings, setting)]
    finally:
        await probe.aclose()


async def _probe(probe: GeminiProbe, settings: Settings, setting: str) -> list[Check]:
    name: str = getattr(settings, setting.lower())
    flex = settings.gemini_flex and setting == "GEMINI_EXTRACTION_MODEL"
    try:
        return _tell_taken(name, setting, await probe.refusals(name, setting=setting, flex=flex))
    except ModelUnavailable as error:
        if not flex:
            remedy = "Wait for Google, or look at its status page."
            return [Check("models", "error", f"{name} ({setting}) does not answer: {error}", remedy)]
    standard = await _probe(probe, settings._replace(gemini_flex=False), setting)
    away = Check("models", "ok", f"{name} does not answer on the flex tier now: the standard one is asked.")
    return [*standard, away] if all(check.severity != "error" for check in standard) else standard


def _tell_taken(name: str, setting: str, refusals: Sequence[FieldRefusal]) -> list[Check]:
    if not refusals:
        return [Check("models", "ok", f"{name} takes what it is sent ({setting}).")]
    return [_refusal(name, setting, refusal) for refusal in refusals]


def _refusal(name: str, setting: str, refusal: FieldRefusal) -> Check:
    what = refusal.field or "the request as a whole"
    text = f"{name} ({setting}) does not take {what}: {refusal.why}"
    if refusal.optional:
        return Check("models", "warning", text, "Nothing: it is left out; another model may take it.")
    return Check("models", "error", text, f"Put another model into {setting}.")


async def check_vectors(embedder: Embedder | None) -> Check:
    """Check that an embedder gives vectors."""
    if embedder is None:
        return Check("models", "unchecked", "There is no embedder.")
    try:
        (vector,) = await embedder.embed(["doctor"])
    except ModelUnavailable as error:
        return Check("models", "error", f"No vectors: {error}", "Put an embedding model into GEMINI_EMBEDDING_MODEL.")
    return Check("models", "ok", f"{embedder.name} gives vectors of {len(vector)} dimensions.")


async def _entry(catalogue: GeminiCatalogue, setting: str, name: str) -> Check:
    try:
        entry = await catalogue.entry(name, setting=setting)
    except ModelUnavailable as error:
        remedy = f"Correct GEMINI_API_KEY, or put a model that Google serves into {setting}."
        return Check("models", "error", f"{name} does not answer: {error}", remedy)
    if entry.actions and MODELS[setting] not in entry.actions:
        text = f"{name} ({setting}) cannot do what it is for: {MODELS[setting]}."
        return Check("models", "error", text, f"Put another model into {setting}.")
    return Check("models", "ok", f"{name} is there ({setting}).")


def judge_model(name: str, today: date) -> Iterator[Check]:
    """Tell of a model what `prices.toml` says: that its last day is near or over, that its price is not known."""
    end = retirement_of(name)
    if end is not None and end - today <= NOTICE:
        text = f"{name} {'was to be' if today >= end else 'will be'} switched off on {end}."
        yield Check("models", "warning", text, "Put a newer model into the setting that names it.")
    if price_of(name, today) is None:
        text = f"What {name} costs is not known: it is counted at the dearest price there is."
        yield Check("models", "warning", text, "Put its price into shared/domain/spending/prices.toml.")
