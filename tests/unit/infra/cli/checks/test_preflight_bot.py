"""The bot, its settings, its model and the bundles, before they are deployed."""

import pytest

from infra.cli.checks.preflight_bot import deployed_settings, look_at_bot, look_at_bundles, look_at_key
from infra.cli.checks.preflight_google import Target
from infra.system import SystemClock
from shared.settings import Settings
from tests.support.telegram.gateways import FixedClock
from tests.unit.infra.cli.checkout import TOKEN, lines

TARGET = Target("my-project", "europe-west1", "spomyn", "(default)", "987")


def settings_of(env, **values):
    checks, settings = deployed_settings({"BOT_USERNAME": "a_bot"} | env, values)
    return lines(checks), settings


SECRETS = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": "s-1", "GEMINI_API_KEY": "a-key"}
NAMED = {"BOT_USERNAME": "a_bot"}


def test_the_functions_have_the_secrets_and_what_terraform_says_and_nothing_else():
    told, settings = settings_of({**SECRETS, "TIMEZONE": "Europe/London"}, settings=NAMED)
    assert (told, settings.bot_username, settings.timezone) == ([], "a_bot", "Europe/Kyiv")


def test_settings_of_the_wrong_form_are_all_refused():
    env = {**SECRETS, "TELEGRAM_BOT_TOKEN": "fake", "TELEGRAM_WEBHOOK_SECRET": "a b"}
    told, _ = settings_of(env, settings=NAMED | {"TIMEZONE": "Kyiv"})
    assert [each.split()[1] for each in told] == ["TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "TIMEZONE"]


def test_a_setting_that_is_none_is_refused():
    told, _ = settings_of(SECRETS, settings={"BOT_USERNAME": "a_bot", "TIMEZON": "Europe/Kyiv"})
    assert told == ["error: settings holds TIMEZON, which is none. See docs/settings.md for its right name."]


def test_a_bot_that_only_quotes_memory_needs_no_key():
    assert settings_of({**SECRETS, "GEMINI_API_KEY": ""}, settings=NAMED, gemini=False)[0] == []


def test_a_name_that_differs_between_its_two_places_is_found():
    told, _ = settings_of(SECRETS, settings={})
    assert told == [
        "error: BOT_USERNAME is a_bot in .env and gryag_bot in Terraform's settings. Write the bot's name into both."
    ]


@pytest.fixture
def bot(api):
    """What is said of the bot."""

    async def look(*, name="spomyn_bot", token=TOKEN, force=False):
        env = {"TELEGRAM_BOT_TOKEN": token, "TELEGRAM_API_URL": api.url, "BOT_USERNAME": name}
        settings = Settings.from_env(env)
        return lines(await look_at_bot(settings, SystemClock(), hosts=TARGET.webhook_host, force=force))

    return look


async def test_the_token_of_another_bot_is_found(bot):
    [told] = await bot(name="gryag_bot")
    assert told.startswith("error: TELEGRAM_BOT_TOKEN is that of @spomyn_bot, not of @gryag_bot. Put BOT_USERNAME = ")


async def test_a_token_that_telegram_does_not_know_is_found(bot):
    [told] = await bot(token="654321:fake-token")
    assert "Telegram does not know the token" in told


async def test_a_telegram_that_is_not_reached_says_nothing_against_the_token(bot, api):
    api.fail_next("getMe", status=502)
    [told] = await bot()
    assert told.startswith("error: Telegram does not answer: ")
    assert told.endswith("Check the network, then try again.")


async def test_updates_are_taken_from_somebody_else_only_by_force(bot, api):
    api.webhook = {"url": "https://other.example.org/secret-path"}
    _, told = await bot()
    assert told.startswith("error: Updates of @spomyn_bot go to other.example.org now")
    assert "make plan FORCE=1" in told
    assert "secret-path" not in told
    _, told = await bot(force=True)
    assert told.startswith("warning: ")


async def test_updates_that_come_to_this_deployment_already_are_well(bot, api):
    api.webhook = {"url": "https://spomyn-webhook-987.europe-west1.run.app"}
    assert await bot() == ["ok: The token is that of @spomyn_bot."]
    api.webhook = {"url": "https://spomyn-webhook-986.europe-west1.run.app"}  # of the same name, in another project
    assert len(await bot()) == 2


async def test_a_key_and_a_model_that_google_does_not_know_are_found(gemini):
    async def look(key, model):
        env = {"GEMINI_API_KEY": key, "GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_CHAT_MODEL": model}
        return lines(await look_at_key(Settings.from_env(env), FixedClock(), wanted=True))

    told = await look("another-key", "gemini-3.5-flash")
    assert all(each.startswith("error: gemini-") for each in told)
    assert "another-key" not in str(told)
    told = await look("a-key", "gemini-0")
    assert "put a model that Google serves into GEMINI_CHAT_MODEL" in told[0]
    assert [each.partition(":")[0] for each in told] == ["error", "ok", "ok", "ok"]


def test_a_bundle_that_differs_from_the_sources_is_found(checkout):
    (checkout / "infra" / "b.py").write_text("# changed\n")
    (checkout / "functions" / "webhook" / "main.py").write_text("# changed\n")
    (checkout / "build" / "maintenance.zip").write_bytes(b"PK")
    assert [check.text for check in look_at_bundles(checkout, checkout / "build")] == [
        "webhook.zip is older than the sources (infra/b.py).",
        "answer.zip is older than the sources (infra/b.py).",
        "extract.zip is older than the sources (infra/b.py).",
        "maintenance.zip is broken.",
    ]


def test_a_bundle_with_a_file_that_is_gone_is_found(checkout):
    (checkout / "shared" / "a.py").unlink()
    assert {check.severity for check in look_at_bundles(checkout, checkout / "build")} == {"error"}
