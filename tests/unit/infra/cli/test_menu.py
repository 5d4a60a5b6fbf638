"""`menu`: every scope and language is set over the Bot API, and what goes wrong is said."""

import asyncio
import json

import pytest

from infra.cli.root import main
from shared.application.commands.dispatch import menu
from tests.support.telegram.bot_api import FakeBotApi

TOKEN = "123456:fake-token"


@pytest.fixture
async def api(spomyn, monkeypatch):
    async with FakeBotApi(TOKEN) as server:
        monkeypatch.setenv("TELEGRAM_BOT_TOKEN", TOKEN)
        monkeypatch.setenv("TELEGRAM_API_URL", server.url)
        yield server


@pytest.fixture
def run(api, capsys):
    """Runs the command beside the server: code, standard output, standard error."""

    async def call(*arguments):
        code = await asyncio.to_thread(main, ["menu", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def shown(scope, language):
    return [(entry.name, entry.about) for entry in menu(scope, language)]


async def test_each_scope_gets_its_menu_in_each_language_and_english_otherwise(run, api):
    code, out, _ = await run("--json")
    assert (code, json.loads(out)) == (0, {"menus": 12})
    for scope in ("default", "all_private_chats", "all_group_chats", "all_chat_administrators"):
        assert api.menus.of(scope, "uk") == shown(scope, "uk")
        assert api.menus.of(scope, "en") == api.menus.of(scope) == shown(scope, "en")


async def test_doing_it_again_changes_nothing(run, api):
    await run()
    before = api.menus.of("default", "uk")
    code, out, _ = await run()
    assert (code, api.menus.of("default", "uk")) == (0, before)
    assert "12 menus are set" in out


async def test_a_service_that_is_down_means_to_try_again(run, api):
    api.fail_next("setMyCommands", status=502)
    code, _, errors = await run()
    assert code == 3
    assert errors.startswith("Error: ")


def test_without_a_token_it_says_which_setting_is_missing(spomyn):
    ran = spomyn("menu")
    assert ran.code == 2
    assert "TELEGRAM_BOT_TOKEN" in ran.err
