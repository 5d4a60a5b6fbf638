"""What `doctor` and `preflight` say of the models that the settings name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from infra.cli.checks.diagnosis import Check
from infra.gemini.catalogue import GeminiCatalogue
from shared.domain.errors import ModelUnavailable
from shared.domain.spending.prices import price_of, retirement_of
from shared.settings import Settings

MODELS = {
    "GEMINI_CHAT_MODEL": "generateContent",
    "GEMINI_EXTRACTION_MODEL": "generateContent",
    "GEMINI_EMBEDDING_MODEL": "embedContent",
}
"""Settings that name a model, and what it must be able to do."""

NOTICE = timedelta(days=180)
"""How long before a model's last day it is warned of."""


async def check_models(settings: Settings, today: date) -> list[Check]:
    """Check that the models of the settings exist, are going to, and have a price.

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
    there = dict.fromkeys(names[setting] for setting, check in found.items() if check.severity == "ok")
    return [*found.values(), *(check for name in there for check in judge_model(name, today))]


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
