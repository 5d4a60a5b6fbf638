"""Every setting: one environment variable each, typed, documented, validated once.

All are named tuples because the webhook's cold start defines them, five times faster than data classes.

The table of docs/settings.md is rendered from `SETTINGS`, and a test keeps the two equal. A missing or wrong setting
raises `SettingsError` with one sentence that names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from shared.domain.chats.quiet_hours import QuietHours
from shared.domain.errors import SettingsError
from shared.settings.table import SETTINGS, Setting, settings_table

__all__ = ["SETTINGS", "Settings", "settings_table"]


class Settings(NamedTuple):
    """The parsed values; None for what is not set. See `SETTINGS` for the meaning of each."""

    telegram_bot_token: str | None
    telegram_webhook_secret: tuple[str, ...] | None
    telegram_api_url: str
    bot_username: str
    bot_names: tuple[str, ...]
    bot_persona: str | None
    gemini_api_key: str | None
    google_gemini_base_url: str | None
    gemini_chat_model: str
    gemini_extraction_model: str
    gemini_embedding_model: str
    model_tokens_per_chat_per_day: int
    model_tokens_per_member_per_day: int
    asks_per_user_per_hour: int
    asks_per_chat_per_hour: int
    google_cloud_project: str | None
    firestore_database: str
    firestore_emulator_host: str | None
    cloud_tasks_emulator_host: str | None
    cloud_tasks_location: str
    cloud_tasks_queue: str
    extract_url: str | None
    maintenance_url: str | None
    oidc_invoker_email: str | None
    oidc_audience: str | None
    oidc_certs_url: str
    oidc_check: bool
    spomyn_store: str
    spomyn_queue: str
    spomyn_port: int
    extraction_window_seconds: timedelta
    extraction_idle_seconds: timedelta
    extraction_method: str
    memory_profile: str
    consensus_members: int
    private_mode_default: bool
    media_megabytes: int
    media_descriptions_per_chunk: int
    tools: tuple[str, ...]
    weather_api_url: str
    weather_places_url: str
    timezone: str
    quiet_hours: QuietHours
    unprompted_default: bool
    group_questions_default: bool
    when_member_leaves: str
    message_retention_days: timedelta
    fact_expiry_days: timedelta
    fact_half_life_days: timedelta
    category_weights: Mapping[str, float]
    chat_facts_limit: int
    chat_facts_tokens: int
    context_format: str
    spomyn_archive: str | None
    archive_endpoint_url: str | None
    archive_region: str | None
    archive_access_key_id: str | None
    archive_secret_access_key: str | None
    archive_every_days: timedelta
    log_level: str

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Settings:
        """Read and check every setting.

        Args:
            env: Names to texts, e.g. the process environment; unknown names are ignored.
        Raises:
            SettingsError: One is wrong, or one that another needs is missing; the message names it.
        """
        values = {setting.name.lower(): _value(setting, env) for setting in SETTINGS}
        settings = cls(**values)
        if settings.spomyn_store == "firestore":
            settings.require(["GOOGLE_CLOUD_PROJECT"], because="SPOMYN_STORE is firestore")
        if settings.spomyn_queue == "cloud-tasks":
            settings = settings._with_emulated_workers()
            needed = ["GOOGLE_CLOUD_PROJECT", "EXTRACT_URL", "MAINTENANCE_URL"]
            if not settings.cloud_tasks_emulator_host:
                needed.append("OIDC_INVOKER_EMAIL")
            settings.require(needed, because="SPOMYN_QUEUE is cloud-tasks")
        if settings.archive_access_key_id or settings.archive_secret_access_key:
            both = ["ARCHIVE_ACCESS_KEY_ID", "ARCHIVE_SECRET_ACCESS_KEY"]
            settings.require(both, because="an access key has two parts")
        return settings

    def _with_emulated_workers(self) -> Settings:
        """An emulated queue delivers to this machine unless told otherwise: where `make run` serves the workers."""
        if not self.cloud_tasks_emulator_host:
            return self
        here = f"http://127.0.0.1:{self.spomyn_port}"
        return self._replace(
            extract_url=self.extract_url or f"{here}/extract",
            maintenance_url=self.maintenance_url or f"{here}/maintenance",
        )

    def require(self, names: Iterable[str], *, because: str) -> None:
        """Check that the named settings are set.

        Raises:
            SettingsError: The first one that is not, with the reason.
        """
        for name in names:
            if getattr(self, name.lower()) in (None, ""):
                raise SettingsError(f"{name} is not set, and it is needed because {because}.")

    @property
    def archive_folder(self) -> str | None:
        """Path of the archive's folder, or None when it is none."""
        kind, _, path = (self.spomyn_archive or "").partition(":")
        return path if kind == "folder" else None

    @property
    def archive_bucket(self) -> tuple[str, str] | None:
        """The archive's bucket and the prefix in it, or None when it is none."""
        kind, _, where = (self.spomyn_archive or "").partition("://")
        name, _, prefix = where.partition("/")
        return (name, prefix) if kind == "s3" else None

    @property
    def sqlite_path(self) -> str | None:
        """Path of the SQLite file, or None when the store is Firestore."""
        return self.spomyn_store.removeprefix("sqlite:") if self.spomyn_store.startswith("sqlite:") else None


def _value(setting: Setting, env: Mapping[str, str]) -> Any:
    text = env.get(setting.name, "").strip() or setting.default
    if not text:
        return None
    try:
        return setting.parse(text)
    except ValueError as error:
        shown = "" if setting.secret else f" ({text[:60]!r})"
        raise SettingsError(f"{setting.name} is wrong{shown}: {error}.") from error
