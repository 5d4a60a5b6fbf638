"""Every setting: one environment variable each, typed, documented, validated once.

All are named tuples because the webhook's cold start defines them, five times faster than data classes.

What each of them means stands in docs/settings.md; a test keeps the two alike. A missing or wrong setting raises
`SettingsError` with one sentence that names it.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Annotated, Any, NamedTuple, Self

from shared.application.policy import TOOLS
from shared.domain.chats.hours import QuietHours, parse_quiet_hours
from shared.domain.errors import SettingsError
from shared.settings import parsing as of


class Setting(NamedTuple):
    """One environment variable.

    Attributes:
        default: Text used when the variable is absent or empty; "" means "not set".
        parse: Text to value; raises ValueError with what would be right.
        secret: Never printed.
        name: Of the variable: the attribute's in capitals.
    """

    default: str
    parse: Callable[[str], Any] = str
    secret: bool = False
    name: str = ""


class Settings(NamedTuple):
    """The parsed values, None for what is not set; each with how the environment says it."""

    telegram_bot_token: Annotated[str | None, Setting("", of.TOKEN, secret=True)]
    telegram_webhook_secret: Annotated[tuple[str, ...] | None, Setting("", of.secrets, secret=True)]
    telegram_api_url: Annotated[str, Setting("https://api.telegram.org", of.URL)]
    bot_username: Annotated[str, Setting("gryag_bot", of.USERNAME)]
    bot_names: Annotated[tuple[str, ...], Setting("гряг, gryag", of.names)]
    bot_persona: Annotated[str | None, Setting("")]
    gemini_api_key: Annotated[str | None, Setting("", secret=True)]
    google_gemini_base_url: Annotated[str | None, Setting("", of.URL)]
    gemini_chat_model: Annotated[str, Setting("gemini-3.5-flash", of.WORD)]
    gemini_extraction_model: Annotated[str, Setting("gemini-3.5-flash-lite", of.WORD)]
    gemini_embedding_model: Annotated[str, Setting("gemini-embedding-001", of.WORD)]
    gemini_flex: Annotated[bool, Setting("true", of.switch)]
    answer_model_seconds: Annotated[timedelta, Setting("15", of.seconds(1, 50))]
    model_tokens_per_chat_per_day: Annotated[int, Setting("200000", of.number(0, 10**9))]
    model_tokens_per_member_per_day: Annotated[int, Setting("60000", of.number(0, 10**9))]
    asks_per_user_per_hour: Annotated[int, Setting("30", of.number(1, 1_000))]
    asks_per_chat_per_hour: Annotated[int, Setting("120", of.number(1, 1_000))]
    google_cloud_project: Annotated[str | None, Setting("", of.WORD)]
    firestore_database: Annotated[str, Setting("(default)", of.WORD)]
    firestore_emulator_host: Annotated[str | None, Setting("", of.HOST)]
    cloud_tasks_emulator_host: Annotated[str | None, Setting("", of.HOST)]
    cloud_tasks_location: Annotated[str, Setting("europe-west1", of.WORD)]
    cloud_tasks_queue: Annotated[str, Setting("spomyn", of.WORD)]
    cloud_tasks_answers_queue: Annotated[str, Setting("spomyn-answers", of.WORD)]
    answer_url: Annotated[str | None, Setting("", of.URL)]
    extract_url: Annotated[str | None, Setting("", of.URL)]
    maintenance_url: Annotated[str | None, Setting("", of.URL)]
    oidc_invoker_email: Annotated[
        str | None, Setting("", of.matching(r"[^\s@,]+@[^\s@,]+", "use the e-mail address of a service account"))
    ]
    oidc_audience: Annotated[
        str | None, Setting("", of.matching(r"\S{1,500}", "use one address or name without spaces"))
    ]
    oidc_certs_url: Annotated[str, Setting("https://www.googleapis.com/oauth2/v1/certs", of.GUARDED_URL)]
    oidc_check: Annotated[bool, Setting("true", of.switch)]
    spomyn_store: Annotated[str, Setting("sqlite:.spomyn/spomyn.db", of.STORE)]
    spomyn_queue: Annotated[str, Setting("local", of.one_of("local", "cloud-tasks"))]
    spomyn_port: Annotated[int, Setting("8080", of.number(0, 65535))]
    extraction_window_seconds: Annotated[timedelta, Setting("60", of.seconds(1, 86_400))]
    extraction_idle_seconds: Annotated[timedelta, Setting("600", of.seconds(0, 604_800))]
    reading_wait_seconds: Annotated[timedelta, Setting("432000", of.seconds(0, 604_800))]
    extraction_method: Annotated[str, Setting("hybrid", of.one_of("hybrid", "pattern", "statistical", "model"))]
    memory_profile: Annotated[str, Setting("unbounded", of.one_of("minimal", "standard", "extended", "unbounded"))]
    consensus_members: Annotated[int, Setting("3", of.number(2, 50))]
    private_mode_default: Annotated[bool, Setting("false", of.switch)]
    media_megabytes: Annotated[int, Setting("20", of.number(0, 200))]
    media_descriptions_per_chunk: Annotated[int, Setting("5", of.number(0, 10))]
    tools: Annotated[tuple[str, ...], Setting(",".join(TOOLS), of.tools)]
    weather_api_url: Annotated[str, Setting("https://api.open-meteo.com", of.URL)]
    weather_places_url: Annotated[str, Setting("https://geocoding-api.open-meteo.com", of.URL)]
    timezone: Annotated[str, Setting("Europe/Kyiv", of.zone)]
    quiet_hours: Annotated[QuietHours, Setting("22-8", parse_quiet_hours)]
    unprompted_default: Annotated[bool, Setting("false", of.switch)]
    group_questions_default: Annotated[bool, Setting("true", of.switch)]
    when_member_leaves: Annotated[str, Setting("keep", of.one_of("keep", "erase"))]
    message_retention_days: Annotated[timedelta, Setting("90", of.days(1, 36_500))]
    fact_expiry_days: Annotated[timedelta, Setting("90", of.days(1, 36_500))]
    fact_half_life_days: Annotated[timedelta, Setting("30", of.days(1, 36_500))]
    category_weights: Annotated[
        Mapping[str, float],
        Setting(
            "rule=1.5,preference=1.2,tradition=1.1,culture=1.0,norm=0.9,topic=0.8,shared_knowledge=0.7,event=0.6",
            of.weights,
        ),
    ]
    chat_facts_limit: Annotated[int, Setting("8", of.number(0, 40))]
    chat_facts_tokens: Annotated[int, Setting("480", of.number(0, 480))]
    context_format: Annotated[str, Setting("compact", of.one_of("compact", "meta"))]
    spomyn_archive: Annotated[str | None, Setting("", of.ARCHIVE)]
    archive_endpoint_url: Annotated[str | None, Setting("", of.URL)]
    archive_region: Annotated[str | None, Setting("", of.WORD)]
    archive_access_key_id: Annotated[str | None, Setting("", of.WORD)]
    archive_secret_access_key: Annotated[str | None, Setting("", secret=True)]
    archive_every_days: Annotated[timedelta, Setting("7", of.days(1, 365))]
    log_level: Annotated[str, Setting("INFO", of.one_of("DEBUG", "INFO", "WARNING", "ERROR"))]

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
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
            needed = ["GOOGLE_CLOUD_PROJECT", "ANSWER_URL", "EXTRACT_URL", "MAINTENANCE_URL"]
            if not settings.cloud_tasks_emulator_host:
                needed.append("OIDC_INVOKER_EMAIL")
            settings.require(needed, because="SPOMYN_QUEUE is cloud-tasks")
        if settings.archive_access_key_id or settings.archive_secret_access_key:
            both = ["ARCHIVE_ACCESS_KEY_ID", "ARCHIVE_SECRET_ACCESS_KEY"]
            settings.require(both, because="an access key has two parts")
        return settings

    def _with_emulated_workers(self) -> Self:
        """An emulated queue delivers to this machine unless told otherwise: where `make run` serves the workers."""
        if not self.cloud_tasks_emulator_host:
            return self
        here = f"http://127.0.0.1:{self.spomyn_port}"
        return self._replace(
            answer_url=self.answer_url or f"{here}/answer",
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


SETTINGS = tuple(each.__metadata__[0]._replace(name=name.upper()) for name, each in Settings.__annotations__.items())
"""All settings, in the order of docs/settings.md."""


def _value(setting: Setting, env: Mapping[str, str]) -> Any:
    text = env.get(setting.name, "").strip() or setting.default
    if not text:
        return None
    try:
        return setting.parse(text)
    except ValueError as error:
        shown = "" if setting.secret else f" ({text[:60]!r})"
        raise SettingsError(f"{setting.name} is wrong{shown}: {error}.") from error
