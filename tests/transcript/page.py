"""The page: who may what, then a group's evening in each language."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from infra.sqlite import SqliteStore
from shared.application.commands.table import COMMANDS
from shared.application.consolidation.nightly import consolidate
from shared.domain.delivery.markup import plain
from shared.domain.text.language import Language
from shared.locales import say
from tests.support.group import CHAT, running_group
from tests.transcript.recording import Person, Recorder, said_by
from tests.transcript.scripts import SCRIPTS, Script

EVENING = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
_WHO = {"everybody": "everybody", "people": "people (not as a channel or anonymously)", "admins": "admins"}

_HEAD = """\
# Commands

Every command and button as a group sees them. This page is what happens: `python -m tests.transcript` says all of it
to a whole Spomyn over the webhook and writes the answers down, and a test compares. No language model is at work in it.

The menu in Telegram shows the commands in the language of one's app; answers come in the language of the chat. In
groups with several bots, `/gryadhelp@name_of_the_bot` is for this one. `/gryadhelp gryadfix` tells how to use one
command.

"""


async def commands_page(folder: Path) -> str:
    """The whole page, as Markdown."""
    parts = [_HEAD + _table()]
    for language, script in SCRIPTS.items():
        parts.append(f"## {script.title}\n\n{await _evening(language, script, folder / f'{language}.db')}")
    return "\n".join(parts)


def _table() -> str:
    rows = ["| command | who | does | |", "| --- | --- | --- | --- |"]
    for command in COMMANDS.values():
        english, ukrainian = (plain(say(language, f"about_{command.name}")) for language in ("en", "uk"))
        rows.append(f"| `/{command.name}` | {_WHO[command.who]} | {english} | {ukrainian} |")
    return "\n".join(rows) + "\n"


async def _evening(language: Language, script: Script, path: Path) -> str:
    store = SqliteStore(str(path))
    async with running_group(store, at=EVENING, TELEGRAM_WEBHOOK_SECRET="s3cret") as group:
        people = {name: Person(user_id, name, username, language) for name, user_id, username in script.people}
        for person in people.values():
            group.api.add_chat(person.user_id, "private")
        await group.runtime.app.chats.change(CHAT, {"settings": {"language": language}})
        recorder = Recorder(group, people)
        for step in script.steps:
            await _take(recorder, step)
    await store.aclose()
    return said_by(recorder.lines)


async def _take(recorder: Recorder, step: tuple[str, ...]) -> None:
    match step:
        case ("heading", title):
            recorder.heading(title)
        case ("talk", *lines):
            recorder.silent = True
            for line in lines:
                await recorder.say(*line.split(": ", 1))
            recorder.silent = False
        case ("say", name, text):
            await recorder.say(name, text)
        case ("reply", name, text):
            await recorder.reply(name, text)
        case ("press", name, label):
            await recorder.press(name, label)
        case ("work",):
            await recorder.work()
        case ("settle",):
            await recorder.settle()
        case ("night",):
            app = recorder.group.runtime.app
            await consolidate(app, await app.chats.state(CHAT, fresh=True))
        case _:
            raise ValueError(f"no step: {step}")
