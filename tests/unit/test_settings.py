import re
from pathlib import Path

import pytest

from shared.application.chats.choices import Method
from shared.application.policy import TOOLS
from shared.domain.errors import SettingsError
from shared.domain.facts.weights import CATEGORY_WEIGHTS
from shared.settings import SETTINGS, Settings

ROOT = Path(__file__).resolve().parents[2]


def test_the_defaults_run_on_a_laptop():
    settings = Settings.from_env({})
    assert settings.sqlite_path == ".spomyn/spomyn.db"
    assert settings.spomyn_queue == "local"
    assert settings.bot_names == ("гряг", "gryag")
    assert settings.gemini_api_key is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_BOT_TOKEN", "nonsense"),
        ("TELEGRAM_WEBHOOK_SECRET", "with space"),
        ("TELEGRAM_WEBHOOK_SECRET", "x" * 257),
        ("TELEGRAM_WEBHOOK_SECRET", "new,"),
        ("TELEGRAM_WEBHOOK_SECRET", "same,same"),
        ("TELEGRAM_WEBHOOK_SECRET", "one,two,three"),
        ("OIDC_INVOKER_EMAIL", "spomyn-invoker"),
        ("OIDC_INVOKER_EMAIL", "a@b.c,d@e.f"),
        ("OIDC_AUDIENCE", "two words"),
        ("OIDC_CERTS_URL", "http://www.googleapis.com/oauth2/v1/certs"),
        ("OIDC_CERTS_URL", "http://127.0.0.1.evil.example/certs"),
        ("OIDC_CERTS_URL", "http://127.0.0.1@evil.example/certs"),
        ("OIDC_CHECK", "yes"),
        ("GEMINI_FLEX", "half"),
        ("TELEGRAM_API_URL", "api.telegram.org"),
        ("BOT_NAMES", ", ,"),
        ("SPOMYN_STORE", "mysql:x"),
        ("SPOMYN_QUEUE", "kafka"),
        ("SPOMYN_PORT", "99999"),
        ("FIRESTORE_EMULATOR_HOST", "localhost"),
        ("EXTRACTION_WINDOW_SECONDS", "soon"),
        ("MESSAGE_RETENTION_DAYS", "-1"),
        ("CATEGORY_WEIGHTS", "rules=1"),
        ("CATEGORY_WEIGHTS", "rule"),
        ("CATEGORY_WEIGHTS", "rule=heavy"),
        ("CATEGORY_WEIGHTS", "rule=-1"),
        ("CATEGORY_WEIGHTS", "rule=11"),
        ("CATEGORY_WEIGHTS", "rule=nan"),
        ("CATEGORY_WEIGHTS", "rule=1,rule=2"),
        ("CHAT_FACTS_LIMIT", "many"),
        ("CHAT_FACTS_TOKENS", "481"),
        ("MEDIA_MEGABYTES", "201"),
        ("MEDIA_DESCRIPTIONS_PER_CHUNK", "11"),
        ("LOG_LEVEL", "LOUD"),
        ("EXTRACTION_METHOD", "astrology"),
        ("MEMORY_PROFILE", "total"),
        ("PRIVATE_MODE_DEFAULT", "yes"),
        ("CONSENSUS_MEMBERS", "1"),
        ("CONSENSUS_MEMBERS", "51"),
        ("TOOLS", "calculator,abacus"),
        ("TOOLS", "calculator,calculator"),
        ("TOOLS", "none,calculator"),
        ("TOOLS", ","),
        ("WEATHER_API_URL", "api.open-meteo.com"),
        ("TIMEZONE", "Kyiv"),
        ("TIMEZONE", "../etc/passwd"),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence(name, value):
    with pytest.raises(SettingsError) as error:
        Settings.from_env({name: value})
    assert str(error.value).startswith(f"{name} is wrong")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("env", "missing"),
    [
        ({"SPOMYN_STORE": "firestore"}, "GOOGLE_CLOUD_PROJECT"),
        ({"SPOMYN_QUEUE": "cloud-tasks", "GOOGLE_CLOUD_PROJECT": "p"}, "ANSWER_URL"),
        (
            {
                "SPOMYN_QUEUE": "cloud-tasks",
                "GOOGLE_CLOUD_PROJECT": "p",
                "ANSWER_URL": "https://a",
                "EXTRACT_URL": "https://e",
                "MAINTENANCE_URL": "https://m",
            },
            "OIDC_INVOKER_EMAIL",
        ),
    ],
)
def test_a_missing_setting_is_named_with_the_reason(env, missing):
    with pytest.raises(SettingsError, match=f"^{missing} is not set, and it is needed because"):
        Settings.from_env(env)


def test_an_emulated_queue_delivers_to_this_machine():
    env = {"SPOMYN_QUEUE": "cloud-tasks", "GOOGLE_CLOUD_PROJECT": "p", "CLOUD_TASKS_EMULATOR_HOST": "127.0.0.1:9"}
    assert Settings.from_env(env).extract_url == "http://127.0.0.1:8080/extract"
    assert Settings.from_env({**env, "EXTRACT_URL": "http://e"}).extract_url == "http://e"


def test_a_weight_not_named_keeps_its_own():
    defaults = Settings.from_env({}).category_weights
    assert dict(defaults) == dict(CATEGORY_WEIGHTS)
    changed = Settings.from_env({"CATEGORY_WEIGHTS": " event = 2 , goal=0.25,"}).category_weights
    assert dict(changed) == {**defaults, "event": 2.0, "goal": 0.25}


@pytest.mark.parametrize(
    ("text", "secrets"), [("", None), ("one", ("one",)), ("new,old", ("new", "old")), (" new , old ", ("new", "old"))]
)
def test_a_webhook_has_two_secrets_while_they_are_changed(text, secrets):
    assert Settings.from_env({"TELEGRAM_WEBHOOK_SECRET": text}).telegram_webhook_secret == secrets


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/certs", "http://localhost/certs", "https://keys.example/certs"])
def test_signing_keys_come_over_tls_or_from_this_machine(url):
    assert Settings.from_env({"OIDC_CERTS_URL": url}).oidc_certs_url == url


def test_secrets_are_not_shown_in_errors():
    with pytest.raises(SettingsError) as error:
        Settings.from_env({"TELEGRAM_BOT_TOKEN": "hush-hush"})
    assert "hush" not in str(error.value)


def test_the_page_of_settings_says_of_every_setting_what_it_is_and_its_default():
    rows = re.findall(
        r"^\| `(\w+)` \| (?:`(.+)`)? ?\| (.+) \|$", (ROOT / "docs/settings.md").read_text("utf-8"), re.MULTILINE
    )
    assert [(name, default) for name, default, _ in rows] == [(setting.name, setting.default) for setting in SETTINGS]


def test_the_example_env_file_names_every_setting_with_its_default():
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    shown = {line.lstrip("# ").split("=", 1)[0]: line.split("=", 1)[1] for line in lines if "=" in line}
    assert shown == {setting.name: setting.default for setting in SETTINGS}


@pytest.mark.parametrize("method", Method)
def test_the_setting_takes_every_method_of_extraction(method):
    assert Settings.from_env({"EXTRACTION_METHOD": str(method)}).extraction_method == method


@pytest.mark.parametrize(("text", "private"), [("", False), ("false", False), ("true", True)])
def test_chats_are_private_by_default_only_when_the_operator_says_so(text, private):
    assert Settings.from_env({"PRIVATE_MODE_DEFAULT": text}).private_mode_default is private


@pytest.mark.parametrize(
    ("text", "tools"),
    [("none", ()), ("weather, recall", ("weather", "recall")), ("", TOOLS)],
)
def test_the_operator_says_which_tools_there_are(text, tools):
    assert Settings.from_env({"TOOLS": text}).tools == tools
