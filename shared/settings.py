"""Every setting: one environment variable each, typed, documented, validated once.

Both are named tuples because the webhook's cold start defines them, five times faster than data classes.

The README's table is rendered from `SETTINGS` and a test keeps the two equal. A missing or wrong setting raises
`SettingsError` with one sentence that names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from shared.application.policy import TOOLS
from shared.domain.errors import SettingsError
from shared.domain.timezones import timezone_named
from shared.domain.weights import CATEGORY_WEIGHTS, MAX_WEIGHT


class Setting(NamedTuple):
    """One environment variable.

    Attributes:
        name: Of the variable; lower-cased it is the attribute of `Settings`.
        default: Text used when the variable is absent or empty; "" means "not set".
        about: One line for the README.
        parse: Text to value; raises ValueError with what would be right.
        secret: Never printed.
    """

    name: str
    default: str
    about: str
    parse: Callable[[str], Any] = str
    secret: bool = False


def _matching(pattern: str, hint: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(hint)
        return text

    return parse


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError("use " + " or ".join(choices))
        return text

    return parse


def _switch(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("use true or false")
    return text == "true"


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not low <= int(text) <= high:
            raise ValueError(f"use a whole number from {low} to {high}")
        return int(text)

    return parse


def _seconds(low: int, high: int) -> Callable[[str], timedelta]:
    number = _number(low, high)
    return lambda text: timedelta(seconds=number(text))


def _days(low: int, high: int) -> Callable[[str], timedelta]:
    number = _number(low, high)
    return lambda text: timedelta(days=number(text))


def _weights(text: str) -> Mapping[str, float]:
    """Our weights with those named in the text instead."""
    named: dict[str, float] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        category, _, weight = (part.strip() for part in item.partition("="))
        if category not in CATEGORY_WEIGHTS or category in named:
            raise ValueError("use each of these once at most: " + ", ".join(CATEGORY_WEIGHTS))
        if not re.fullmatch(r"\d{1,2}(?:\.\d{1,4})?", weight) or float(weight) > MAX_WEIGHT:
            raise ValueError(f"use category=weight with a weight from 0 to {MAX_WEIGHT:.0f}, like rule=1.5,topic=0.8")
        named[category] = float(weight)
    return MappingProxyType({**CATEGORY_WEIGHTS, **named})


def _url(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]+[^\s]*", text):
        raise ValueError("use an http:// or https:// address")
    return text.rstrip("/")


def _store(text: str) -> str:
    if text != "firestore" and not re.fullmatch(r"sqlite:.+", text):
        raise ValueError("use sqlite:PATH or firestore")
    return text


def _archive(text: str) -> str:
    if not re.fullmatch(r"folder:.+|s3://[a-z0-9][a-z0-9._-]{1,221}(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/?", text):
        raise ValueError("use folder:PATH or s3://BUCKET/PREFIX, the prefix of A-Z a-z 0-9 _ . - and /")
    return text.rstrip("/")


def _tools(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if names == ("none",):
        return ()
    if not names or any(name not in TOOLS for name in names) or len(set(names)) < len(names):
        raise ValueError("use none, or each of these once at most: " + ", ".join(TOOLS))
    return names


def _zone(text: str) -> str:
    return timezone_named(text).key


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip().casefold() for name in text.split(",") if name.strip())
    if not names:
        raise ValueError("use one or more names, separated by commas")
    return names


_TOKEN = _matching(r"[0-9]{1,16}:[A-Za-z0-9_-]+", "use the token that @BotFather gave, like 123456:ABC…")
_SECRET = _matching(r"[A-Za-z0-9_-]{1,256}", "use 1 to 256 characters of A-Z a-z 0-9 _ -")
_HOST = _matching(r"[^\s/:]+:\d{1,5}", "use host:port, like 127.0.0.1:8791")
_WORD = _matching(r"[^\s/]{1,200}", "use a name without spaces or slashes")
_USERNAME = _matching(r"[A-Za-z0-9_]{3,64}", "use the bot's user name without @")

PERSONA = (
    "You are an old friend of this group: you remember what it said, agreed and laughed about, and you tell it when it "
    "helps. You are warm, brief and concrete. Ukrainian at heart, you are at home in Ukrainian and in English. You are "
    "witty but kind: you tease nobody who would not laugh along. You never invent what was not said; what you do not "
    "know, you say you do not know."
)
"""The bot's character where the operator describes none (own words)."""

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "TELEGRAM_BOT_TOKEN", "", "Token from @BotFather. Needed by the functions; lets `make run` poll.", _TOKEN, True
    ),
    Setting(
        "TELEGRAM_WEBHOOK_SECRET", "", "Shared with `setWebhook`; every webhook call must carry it.", _SECRET, True
    ),
    Setting("TELEGRAM_API_URL", "https://api.telegram.org", "Bot API server.", _url),
    Setting("BOT_USERNAME", "gryag_bot", "The bot's user name, without @.", _USERNAME),
    Setting("BOT_NAMES", "гряг, gryag", "Names it answers to, separated by commas.", _names),
    Setting("BOT_PERSONA", PERSONA, "The bot's character; a chat may have its own."),
    Setting("GEMINI_API_KEY", "", "Key of the Gemini API. Without it the offline model quotes memory.", str, True),
    Setting("GOOGLE_GEMINI_BASE_URL", "", "Another address of the Gemini API.", _url),
    Setting("GEMINI_CHAT_MODEL", "gemini-3.5-flash", "Model that answers.", _WORD),
    Setting("GEMINI_EXTRACTION_MODEL", "gemini-3.5-flash-lite", "Model that extracts facts and summarises.", _WORD),
    Setting(
        "GEMINI_EMBEDDING_MODEL", "gemini-embedding-001", "Model that embeds chunks of talk (768 dimensions).", _WORD
    ),
    Setting(
        "MODEL_TOKENS_PER_CHAT_PER_DAY",
        "200000",
        "Token budget of a chat per UTC day; 0 switches the model off.",
        _number(0, 10**9),
    ),
    Setting("GOOGLE_CLOUD_PROJECT", "", "Google Cloud project. Needed by `firestore` and `cloud-tasks`.", _WORD),
    Setting("FIRESTORE_DATABASE", "(default)", "Firestore database.", _WORD),
    Setting("FIRESTORE_EMULATOR_HOST", "", "host:port of a Firestore emulator.", _HOST),
    Setting("CLOUD_TASKS_EMULATOR_HOST", "", "host:port of a Cloud Tasks emulator.", _HOST),
    Setting("CLOUD_TASKS_LOCATION", "europe-west1", "Region of the Cloud Tasks queue.", _WORD),
    Setting("CLOUD_TASKS_QUEUE", "spomyn", "Name of the Cloud Tasks queue.", _WORD),
    Setting("EXTRACT_URL", "", "Address of the extract function. Needed by `cloud-tasks`, but for an emulator.", _url),
    Setting(
        "MAINTENANCE_URL",
        "",
        "Address of the maintenance function. Needed by `cloud-tasks`, but for an emulator.",
        _url,
    ),
    Setting(
        "TASKS_SERVICE_ACCOUNT",
        "",
        "Account whose OIDC token tasks carry and the workers demand.",
        _matching(r"[^\s@]+@[^\s@]+", "use the e-mail address of a service account"),
    ),
    Setting(
        "OIDC_CERTS_URL", "https://www.googleapis.com/oauth2/v1/certs", "Where OIDC signing keys are published.", _url
    ),
    Setting("SPOMYN_STORE", "sqlite:.spomyn/spomyn.db", "`sqlite:PATH` or `firestore`.", _store),
    Setting("SPOMYN_QUEUE", "local", "`local` (only in `make run`) or `cloud-tasks`.", _one_of("local", "cloud-tasks")),
    Setting("SPOMYN_PORT", "8080", "Port of `make run` on 127.0.0.1.", _number(0, 65535)),
    Setting(
        "EXTRACTION_WINDOW_SECONDS", "60", "At most one extraction task per chat in this time.", _seconds(1, 86_400)
    ),
    Setting(
        "EXTRACTION_IDLE_SECONDS",
        "600",
        "Silence after which fewer than 10 messages are extracted.",
        _seconds(0, 604_800),
    ),
    Setting(
        "EXTRACTION_METHOD",
        "hybrid",
        "Where facts come from: `pattern`, `statistical`, `model`, or `hybrid` for all; a chat may choose its own.",
        _one_of("hybrid", "pattern", "statistical", "model"),
    ),
    Setting(
        "MEMORY_PROFILE",
        "unbounded",
        "What is remembered: `minimal` (names, languages, rules), `standard` (facts, projects), `extended` "
        "(experiences and relationships, too) or `unbounded` (stories, too); a chat may choose its own.",
        _one_of("minimal", "standard", "extended", "unbounded"),
    ),
    Setting(
        "CONSENSUS_MEMBERS",
        "3",
        "Distinct members whose agreement about the chat counts as the chat's own word; votes that settle a conflict.",
        _number(2, 50),
    ),
    Setting(
        "PRIVATE_MODE_DEFAULT",
        "false",
        "`true`: chats store no facts unless their own private mode is switched off.",
        _switch,
    ),
    Setting(
        "MEDIA_MEGABYTES",
        "20",
        "Megabytes of files that the model is shown at once, 0 for none; above 20 only with a Bot API server of your "
        "own (--local).",
        _number(0, 200),
    ),
    Setting(
        "MEDIA_DESCRIPTIONS_PER_CHUNK",
        "5",
        "Files that the model describes per chunk of 10 messages, so that they can be found later; 0 for none.",
        _number(0, 10),
    ),
    Setting(
        "TOOLS",
        ",".join(TOOLS),
        "Tools that the model may use while it answers, separated by commas, or `none`; a chat may leave some out.",
        _tools,
    ),
    Setting("WEATHER_API_URL", "https://api.open-meteo.com", "Open-Meteo API that tells the weather.", _url),
    Setting("WEATHER_PLACES_URL", "https://geocoding-api.open-meteo.com", "Open-Meteo API that finds places.", _url),
    Setting("TIMEZONE", "Europe/Kyiv", "IANA name of the time zone of a chat that chose none.", _zone),
    Setting("MESSAGE_RETENTION_DAYS", "90", "Messages are deleted after this time.", _days(1, 36_500)),
    Setting(
        "FACT_EXPIRY_DAYS", "90", "A fact that nobody confirms for this long is no longer believed.", _days(1, 36_500)
    ),
    Setting(
        "FACT_HALF_LIFE_DAYS", "30", "Time in which an unconfirmed fact loses half of its recency.", _days(1, 36_500)
    ),
    Setting(
        "CATEGORY_WEIGHTS",
        "rule=1.5,preference=1.2,tradition=1.1,culture=1.0,norm=0.9,topic=0.8,shared_knowledge=0.7,event=0.6",
        "How much categories of facts matter in the ranking, 0 to 10; one not named keeps its weight "
        "(these, and 1 for those of members).",
        _weights,
    ),
    Setting("CHAT_FACTS_LIMIT", "8", "Facts about the chat in one answer's context, at most.", _number(0, 40)),
    Setting("CHAT_FACTS_TOKENS", "480", "Tokens that facts about the chat take there, at most.", _number(0, 480)),
    Setting(
        "CONTEXT_FORMAT",
        "compact",
        "How talk is shown to the model: `compact` (a line a message) or `meta` (a turn a message, for five times the "
        "tokens).",
        _one_of("compact", "meta"),
    ),
    Setting(
        "SPOMYN_ARCHIVE",
        "",
        "Where exports of the chats are kept: `folder:PATH` or `s3://BUCKET/PREFIX` of any S3 API; nowhere by default.",
        _archive,
    ),
    Setting(
        "ARCHIVE_ENDPOINT_URL",
        "",
        "The S3 API, unless it is AWS's; `https://storage.googleapis.com` for Google Cloud Storage.",
        _url,
    ),
    Setting("ARCHIVE_REGION", "", "Region of the bucket.", _WORD),
    Setting("ARCHIVE_ACCESS_KEY_ID", "", "Access key of the bucket (HMAC key on Google Cloud Storage).", _WORD),
    Setting("ARCHIVE_SECRET_ACCESS_KEY", "", "Secret of the access key.", str, True),
    Setting("ARCHIVE_EVERY_DAYS", "7", "Time between two exports of a chat that talks.", _days(1, 365)),
    Setting("LOG_LEVEL", "INFO", "DEBUG, INFO, WARNING or ERROR.", _one_of("DEBUG", "INFO", "WARNING", "ERROR")),
)


class Settings(NamedTuple):
    """The parsed values; None for what is not set. See `SETTINGS` for the meaning of each."""

    telegram_bot_token: str | None
    telegram_webhook_secret: str | None
    telegram_api_url: str
    bot_username: str
    bot_names: tuple[str, ...]
    bot_persona: str
    gemini_api_key: str | None
    google_gemini_base_url: str | None
    gemini_chat_model: str
    gemini_extraction_model: str
    gemini_embedding_model: str
    model_tokens_per_chat_per_day: int
    google_cloud_project: str | None
    firestore_database: str
    firestore_emulator_host: str | None
    cloud_tasks_emulator_host: str | None
    cloud_tasks_location: str
    cloud_tasks_queue: str
    extract_url: str | None
    maintenance_url: str | None
    tasks_service_account: str | None
    oidc_certs_url: str
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
                needed.append("TASKS_SERVICE_ACCOUNT")
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


def settings_table() -> str:
    """The README's table in Markdown, one row a setting."""
    rows = ["| setting | default | what it is |", "| --- | --- | --- |"]
    rows += [f"| `{s.name}` | {f'`{s.default}`' if s.default else ''} | {s.about} |" for s in SETTINGS]
    return "\n".join(rows)
