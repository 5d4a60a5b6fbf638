"""Seven weeks of a group, replayed through the webhook, and then asked about."""

import asyncio
import re
import shutil

import pytest

from infra.sqlite import SqliteStore
from tests.support.gemini.server import FakeGemini
from tests.support.group import running_group
from tests.support.weeks import ask, read_weeks, replay

WEEKS = read_weeks()
ANSWERABLE = [asked for asked in WEEKS.questions if asked.evidence]
LINK = re.compile(r"https://t\.me/c/1000000001/(\d+)")

LINKED, TOLD = 30, 32
"""Of 36 questions that somebody's words answer: those whose evidence must be linked by an answer that only quotes
(three messages at most), and those whose evidence must reach the model. Eight are paraphrases."""


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """The store's file after the seven weeks, and the time then."""
    path = tmp_path_factory.mktemp("weeks") / "weeks.db"
    return path, asyncio.run(_live(path))


async def _live(path):
    store = SqliteStore(path)
    async with running_group(store, at=WEEKS.begins) as group:
        await replay(group, WEEKS)
        now = group.clock.now()
    await store.aclose()
    return now


@pytest.fixture
async def afterwards(lived, tmp_path):
    """Starts a group over a copy of it."""
    path, now = lived
    store = SqliteStore(shutil.copy(path, tmp_path / "weeks.db"))
    yield lambda **more: running_group(store, at=now, **more)
    await store.aclose()


async def test_without_a_model_the_answers_link_the_messages_that_say_it(afterwards):
    async with afterwards() as group:
        answers = {asked.id: await ask(group, WEEKS, asked) for asked in WEEKS.questions}
    linked = {key: {int(found) for found in LINK.findall(text)} for key, text in answers.items()}
    said = {message["message_id"] for message in WEEKS.messages}
    assert all(ids <= said for ids in linked.values())
    right = [asked.id for asked in ANSWERABLE if linked[asked.id] & set(asked.evidence)]
    assert len(right) >= LINKED, sorted({asked.id for asked in ANSWERABLE} - set(right))


async def test_the_model_is_told_what_was_said_and_what_it_cites_becomes_a_link(afterwards):
    texts = {message["message_id"]: message["text"] for message in WEEKS.messages}
    async with FakeGemini("test-key") as gemini:
        gemini.reply_with(lambda request: {"facts": []} if request.schema else "Ось тут: [#1593], а тут ні: [#999999].")
        async with afterwards(**gemini.environment) as group:
            told, linked = [], {}
            for asked in ANSWERABLE:
                linked[asked.id] = await ask(group, WEEKS, asked)
                prompt = next(each.prompt for each in reversed(gemini.requests) if each.method == "generateContent")
                if any(texts[message_id] in _unescaped(prompt) for message_id in asked.evidence):
                    told.append(asked.id)
    assert len(told) >= TOLD, sorted({asked.id for asked in ANSWERABLE} - set(told))
    lisbon = next(asked.id for asked in ANSWERABLE if 1593 in asked.evidence)
    assert LINK.findall(linked[lisbon]) == ["1593"]
    assert all("999999" not in found for text in linked.values() for found in LINK.findall(text))


def _unescaped(prompt: str) -> str:
    return re.sub(r"\\(.)", r"\1", prompt)
