"""The settings of a deployment: names, defaults, what they are. The table of docs/settings.md is rendered from here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from shared.application.policy import TOOLS
from shared.domain.chats.quiet_hours import parse_quiet_hours
from shared.settings import parsing as of


class Setting(NamedTuple):
    """One environment variable.

    Attributes:
        name: Of the variable; lower-cased it is the attribute of `Settings`.
        default: Text used when the variable is absent or empty; "" means "not set".
        about: One line for docs/settings.md.
        parse: Text to value; raises ValueError with what would be right.
        secret: Never printed.
    """

    name: str
    default: str
    about: str
    parse: Callable[[str], Any] = str
    secret: bool = False


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "TELEGRAM_BOT_TOKEN",
        "",
        "Token from @BotFather. Needed by the functions; lets `make run` poll.",
        of.TOKEN,
        True,
    ),
    Setting(
        "TELEGRAM_WEBHOOK_SECRET",
        "",
        "Shared with `setWebhook`; every webhook call must carry it. `NEW,OLD` accepts both while it is changed.",
        of.secrets,
        True,
    ),
    Setting("TELEGRAM_API_URL", "https://api.telegram.org", "Bot API server.", of.url),
    Setting("BOT_USERNAME", "gryag_bot", "The bot's user name, without @.", of.USERNAME),
    Setting("BOT_NAMES", "гряг, gryag", "Names it answers to, separated by commas.", of.names),
    Setting("BOT_PERSONA", "", "The bot's character, else `shared/prompts/persona.md`; a chat may have its own."),
    Setting("GEMINI_API_KEY", "", "Key of the Gemini API. Without it the offline model quotes memory.", str, True),
    Setting("GOOGLE_GEMINI_BASE_URL", "", "Another address of the Gemini API.", of.url),
    Setting("GEMINI_CHAT_MODEL", "gemini-3.5-flash", "Model that answers.", of.WORD),
    Setting("GEMINI_EXTRACTION_MODEL", "gemini-3.5-flash-lite", "Model that extracts facts and summarises.", of.WORD),
    Setting(
        "GEMINI_EMBEDDING_MODEL", "gemini-embedding-001", "Model that embeds chunks of talk (768 dimensions).", of.WORD
    ),
    Setting(
        "MODEL_TOKENS_PER_CHAT_PER_DAY",
        "200000",
        "Token budget of a chat per UTC day; 0 switches the model off.",
        of.number(0, 10**9),
    ),
    Setting(
        "MODEL_TOKENS_PER_MEMBER_PER_DAY",
        "60000",
        "Token budget of what one member asks in a chat per UTC day; 0: the model answers nobody.",
        of.number(0, 10**9),
    ),
    Setting(
        "ASKS_PER_USER_PER_HOUR",
        "30",
        "Commands, questions and presses of one member in a chat within an hour.",
        of.number(1, 1_000),
    ),
    Setting(
        "ASKS_PER_CHAT_PER_HOUR",
        "120",
        "Commands, questions and presses of a whole chat within an hour.",
        of.number(1, 1_000),
    ),
    Setting("GOOGLE_CLOUD_PROJECT", "", "Google Cloud project. Needed by `firestore` and `cloud-tasks`.", of.WORD),
    Setting("FIRESTORE_DATABASE", "(default)", "Firestore database.", of.WORD),
    Setting("FIRESTORE_EMULATOR_HOST", "", "host:port of a Firestore emulator.", of.HOST),
    Setting("CLOUD_TASKS_EMULATOR_HOST", "", "host:port of a Cloud Tasks emulator.", of.HOST),
    Setting("CLOUD_TASKS_LOCATION", "europe-west1", "Region of the Cloud Tasks queue.", of.WORD),
    Setting("CLOUD_TASKS_QUEUE", "spomyn", "Name of the Cloud Tasks queue.", of.WORD),
    Setting(
        "EXTRACT_URL", "", "Address of the extract function. Needed by `cloud-tasks`, but for an emulator.", of.url
    ),
    Setting(
        "MAINTENANCE_URL",
        "",
        "Address of the maintenance function. Needed by `cloud-tasks`, but for an emulator.",
        of.url,
    ),
    Setting(
        "OIDC_INVOKER_EMAIL",
        "",
        "Account whose OIDC token tasks carry and the workers demand; they do not start without it.",
        of.matching(r"[^\s@,]+@[^\s@,]+", "use the e-mail address of a service account"),
    ),
    Setting(
        "OIDC_AUDIENCE",
        "",
        "What those tokens are made for and must name; by default the worker's own address.",
        of.matching(r"\S{1,500}", "use one address or name without spaces"),
    ),
    Setting(
        "OIDC_CERTS_URL",
        "https://www.googleapis.com/oauth2/v1/certs",
        "Where OIDC signing keys are published, as key ids and certificates.",
        of.guarded_url,
    ),
    Setting(
        "OIDC_CHECK",
        "true",
        "`false`: the workers look at no token and leave it to IAM alone who may call them.",
        of.switch,
    ),
    Setting("SPOMYN_STORE", "sqlite:.spomyn/spomyn.db", "`sqlite:PATH` or `firestore`.", of.store),
    Setting(
        "SPOMYN_QUEUE", "local", "`local` (only in `make run`) or `cloud-tasks`.", of.one_of("local", "cloud-tasks")
    ),
    Setting("SPOMYN_PORT", "8080", "Port of `make run` on 127.0.0.1.", of.number(0, 65535)),
    Setting(
        "EXTRACTION_WINDOW_SECONDS", "60", "At most one extraction task per chat in this time.", of.seconds(1, 86_400)
    ),
    Setting(
        "EXTRACTION_IDLE_SECONDS",
        "600",
        "Silence after which fewer than 10 messages are extracted.",
        of.seconds(0, 604_800),
    ),
    Setting(
        "EXTRACTION_METHOD",
        "hybrid",
        "Where facts come from: `pattern`, `statistical`, `model`, or `hybrid` for all; a chat may choose its own.",
        of.one_of("hybrid", "pattern", "statistical", "model"),
    ),
    Setting(
        "MEMORY_PROFILE",
        "unbounded",
        "What is remembered: `minimal` (names, languages, rules), `standard` (facts, projects), `extended` "
        "(experiences and relationships, too) or `unbounded` (stories, too); a chat may choose its own.",
        of.one_of("minimal", "standard", "extended", "unbounded"),
    ),
    Setting(
        "CONSENSUS_MEMBERS",
        "3",
        "Distinct members whose agreement about the chat counts as the chat's own word; votes that settle a conflict.",
        of.number(2, 50),
    ),
    Setting(
        "PRIVATE_MODE_DEFAULT",
        "false",
        "`true`: chats store no facts unless their own private mode is switched off.",
        of.switch,
    ),
    Setting(
        "MEDIA_MEGABYTES",
        "20",
        "Megabytes of files that the model is shown at once, 0 for none; above 20 only with a Bot API server of your "
        "own (--local).",
        of.number(0, 200),
    ),
    Setting(
        "MEDIA_DESCRIPTIONS_PER_CHUNK",
        "5",
        "Files that the model describes per chunk of 10 messages, so that they can be found later; 0 for none.",
        of.number(0, 10),
    ),
    Setting(
        "TOOLS",
        ",".join(TOOLS),
        "Tools that the model may use while it answers, separated by commas, or `none`; a chat may leave some out.",
        of.tools,
    ),
    Setting("WEATHER_API_URL", "https://api.open-meteo.com", "Open-Meteo API that tells the weather.", of.url),
    Setting("WEATHER_PLACES_URL", "https://geocoding-api.open-meteo.com", "Open-Meteo API that finds places.", of.url),
    Setting("TIMEZONE", "Europe/Kyiv", "IANA name of the time zone of a chat that chose none.", of.zone),
    Setting(
        "QUIET_HOURS",
        "22-8",
        "Hours of a chat's day in which the bot speaks only when spoken to, or `off`; a chat may choose its own.",
        parse_quiet_hours,
    ),
    Setting(
        "UNPROMPTED_DEFAULT",
        "false",
        "`true`: the bot may join in unasked, unless a chat forbids it.",
        of.switch,
    ),
    Setting(
        "GROUP_QUESTIONS_DEFAULT",
        "true",
        "Whether the bot asks groups now and then if what it noticed is so; a chat may choose.",
        of.switch,
    ),
    Setting(
        "WHEN_MEMBER_LEAVES",
        "keep",
        "What becomes of the words of a member who leaves a group: `keep` or `erase`; a chat may choose.",
        of.one_of("keep", "erase"),
    ),
    Setting(
        "MESSAGE_RETENTION_DAYS",
        "90",
        "Messages are deleted after this time; a chat may choose a shorter one.",
        of.days(1, 36_500),
    ),
    Setting(
        "FACT_EXPIRY_DAYS", "90", "A fact that nobody confirms for this long is no longer believed.", of.days(1, 36_500)
    ),
    Setting(
        "FACT_HALF_LIFE_DAYS", "30", "Time in which an unconfirmed fact loses half of its recency.", of.days(1, 36_500)
    ),
    Setting(
        "CATEGORY_WEIGHTS",
        "rule=1.5,preference=1.2,tradition=1.1,culture=1.0,norm=0.9,topic=0.8,shared_knowledge=0.7,event=0.6",
        "How much categories of facts matter in the ranking, 0 to 10; one not named keeps its weight "
        "(these, and 1 for those of members).",
        of.weights,
    ),
    Setting("CHAT_FACTS_LIMIT", "8", "Facts about the chat in one answer's context, at most.", of.number(0, 40)),
    Setting("CHAT_FACTS_TOKENS", "480", "Tokens that facts about the chat take there, at most.", of.number(0, 480)),
    Setting(
        "CONTEXT_FORMAT",
        "compact",
        "How talk is shown to the model: `compact` (a line a message) or `meta` (a turn a message, for five times the "
        "tokens).",
        of.one_of("compact", "meta"),
    ),
    Setting(
        "SPOMYN_ARCHIVE",
        "",
        "Where exports of the chats are kept: `folder:PATH` or `s3://BUCKET/PREFIX` of any S3 API; nowhere by default.",
        of.archive,
    ),
    Setting(
        "ARCHIVE_ENDPOINT_URL",
        "",
        "The S3 API, unless it is AWS's; `https://storage.googleapis.com` for Google Cloud Storage.",
        of.url,
    ),
    Setting("ARCHIVE_REGION", "", "Region of the bucket.", of.WORD),
    Setting("ARCHIVE_ACCESS_KEY_ID", "", "Access key of the bucket (HMAC key on Google Cloud Storage).", of.WORD),
    Setting("ARCHIVE_SECRET_ACCESS_KEY", "", "Secret of the access key.", str, True),
    Setting("ARCHIVE_EVERY_DAYS", "7", "Time between two exports of a chat that talks.", of.days(1, 365)),
    Setting("LOG_LEVEL", "INFO", "DEBUG, INFO, WARNING or ERROR.", of.one_of("DEBUG", "INFO", "WARNING", "ERROR")),
)


def settings_table() -> str:
    """Return the table of docs/settings.md in Markdown, one row a setting."""
    rows = ["| setting | default | what it is |", "| --- | --- | --- |"]
    rows += [f"| `{s.name}` | {f'`{s.default}`' if s.default else ''} | {s.about} |" for s in SETTINGS]
    return "\n".join(rows)
