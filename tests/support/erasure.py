"""A member whose words are in everything that remembers, and a search of everything for them.

Fifty phrases are planted, in Ukrainian and English, each with a word that exists nowhere else. They go through the
whole of Spomyn: chunks, metas, episodes, facts, votes, CONTEXT.md, portraits, the index, answers and where these come
from, a waiting answer, dead letters, the archive. `remains` then looks for them below all of it: in the documents as
they are read, in the bytes of the store's files, in the archive's objects and in the queue, also as JSON writes them.
"""

from __future__ import annotations

import contextlib
import gzip
import html
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

from shared.application.archive.backfill import learn_all, open_chat, sift_messages, store_messages
from shared.application.dead_letters import record_dead_letter
from shared.application.delivery.answer import Answer
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.parcels import Destination
from shared.application.documents import chat_path, facts_path, message_path
from shared.application.facts.moderation import vote
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Set
from shared.domain.conversation.messages import Message
from shared.domain.intake.updates import ChatInfo
from shared.domain.recall.index.segment import Segment
from tests.support import updates
from tests.support.group import CHAT, FRIDAY, Group, running_group
from tests.support.stores.messages import new_message_fields

HANNA, OLIA, TARAS = 104, 101, 102
NAMES = {HANNA: "Ганнуся", OLIA: "Оля", TARAS: "Тарас"}

_UK = (
    "Обожнюю {} з медом",
    "Я вивчаю {} щосереди",
    "Планую купити {} влітку",
    "Я забронюю {} завтра",
    "Я їм {} зранку",
)
_EN = (
    "I love {} with honey",
    "I am learning {} daily",
    "I plan to buy {} soon",
    "I will book {} tomorrow",
    "I eat {} raw",
)
_WORDS_UK = [
    *map("".join, product(("зелк", "бурд", "хвищ", "мрил", "туп"), ("ович", "амур", "енчук", "ибок", "яндру")))
]
_WORDS_EN = [
    *map("".join, product(("blerv", "quonk", "strib", "plax", "gnurf"), ("adil", "omber", "ettish", "ulan", "iplo")))
]

PLANTED = {
    template.format(word): word
    for words, templates in ((_WORDS_UK, _UK), (_WORDS_EN, _EN))
    for number, word in enumerate(words)
    for template in [templates[number % len(templates)]]
}
"""Each phrase with the word of its own."""


def talk(said_by_member: int, at: Any) -> list[Message]:
    """A conversation in which she says so many messages, the phrases spread among them, and two others now and then a
    word; in the middle it pauses for the night."""
    phrases, every = list(PLANTED), said_by_member // len(PLANTED)
    lines: list[tuple[int, str]] = []
    for turn in range(said_by_member):
        is_planted = turn % every == 0 and turn // every < len(phrases)
        lines.append((HANNA, phrases[turn // every] if is_planted else f"Сьогодні минув мій спокійний день {turn}"))
        if turn % 4 == 0:
            lines.append((OLIA if turn % 8 else TARAS, f"Зате в мене випуск {turn} вийшов вчасно"))
    pause = timedelta(hours=10)
    return [
        Message(
            CHAT, 10_000 + n, at + timedelta(minutes=n) + (pause if 2 * n > len(lines) else timedelta()), *who, text
        )
        for n, (user_id, text) in enumerate(lines)
        for who in [(user_id, NAMES[user_id], None)]
    ]


@contextlib.asynccontextmanager
async def lived_group(store: Any, archive: Path, messages: int) -> AsyncIterator[tuple[Group, list[Message]]]:
    """A group in which she said so many messages and everything came of them, and these with the others'."""
    said = talk(messages, FRIDAY - timedelta(days=5))
    async with running_group(store, SPOMYN_ARCHIVE=f"folder:{archive}") as group:
        await live(group, said)
        yield group, said


async def erase_member(group: Group) -> str:
    """She asks for it, confirms, and a worker does it; what she is told in the end."""
    await group.say("/gryadforgetme", HANNA, NAMES[HANNA])
    question = group.api.sent[-1].message_id
    assert await group.press("Так, стерти", HANNA, NAMES[HANNA]) == 200
    await group.settle()
    return group.shown(question).text


async def live(group: Group, messages: Sequence[Message]) -> None:
    """Everything that may come of a conversation comes of it."""
    app = group.runtime.app
    await group.say("Вітаю всіх", TARAS, NAMES[TARAS])
    await app.chats.change(CHAT, {"settings": {"language": "uk"}})
    await _store(group, messages)
    await learn_all(app, CHAT, lambda _: None)
    for document in (await group.store.query(facts_path(CHAT)))[:30]:
        await vote(app, CHAT, document.id, HANNA, supports=True)
    for phrase in list(PLANTED)[:2]:
        quoting = {"reply_to_message": _replied(messages, phrase), "quote": {"text": phrase, "position": 0}}
        await group.say("гряг, що обожнює Ганнуся?", TARAS, NAMES[TARAS], **quoting)
    await nights(group)
    await _leave_waiting(group)
    await _leave_letters(group)


async def _store(group: Group, messages: Sequence[Message]) -> None:
    group.ids().keep(max(m.message_id for m in messages))
    fields = {
        message_path(CHAT, m.message_id): new_message_fields(
            m, now=m.sent_at, retention=group.runtime.app.policy.retention
        )
        for m in messages
    }
    paths = list(fields)
    for start in range(0, len(paths), 400):
        await group.store.batch([Set(path, fields[path]) for path in paths[start : start + 400]])


def _replied(messages: Sequence[Message], phrase: str) -> dict[str, Any]:
    message = next(m for m in messages if m.text == phrase)
    sender = updates.user(message.user_id, message.name)
    date = int(message.sent_at.timestamp())
    return updates.message(phrase, message_id=message.message_id, sender=sender, date=date)


async def nights(group: Group) -> None:
    """A whole night, the archive included."""
    for job in NIGHTLY:
        await run_job(group.runtime.app, job, {"chat_id": CHAT})
    await group.settle()


async def _leave_waiting(group: Group) -> None:
    """An answer that quotes her and was never sent."""
    app, phrase = group.runtime.app, next(iter(PLANTED))
    lease = await Ledger(app.store, app.clock, app.ids).take(77_000)
    answer = Answer.of(OutgoingText(f"<b>{phrase}</b>", phrase))
    await Ledger(app.store, app.clock, app.ids).fill(lease, answer, Destination(CHAT))


async def _leave_letters(group: Group) -> None:
    """Bodies of her updates that nobody could deal with."""
    app = group.runtime.app
    for phrase in PLANTED:
        update = updates.message_update(phrase, sender=updates.user(HANNA, NAMES[HANNA]), update_id=78_000)
        await record_dead_letter(app.store, app.clock, kind="update", body=json.dumps(update).encode(), reason="a bug")


async def come_back(group: Group, messages: Sequence[Message]) -> int:
    """Import all of it once more, and learn; how many messages were refused."""
    app = group.runtime.app
    await open_chat(app.clock, app.chats, ChatInfo(CHAT, "supergroup", "Test"), admins=None)
    refused = 0
    for start in range(0, len(messages), 100):
        page = messages[start : start + 100]
        sifted = await sift_messages(app, CHAT, page, since=messages[0].sent_at - timedelta(days=1))
        await store_messages(app, sifted.state, sifted.new)
        refused += sifted.skipped["forgotten for good"]
    await learn_all(app, CHAT, lambda _: None)
    await nights(group)
    return refused


# --- looking for them ---------------------------------------------------------------------------


async def remains(group: Group, *, file: Path | None, archive: Path) -> dict[str, set[str]]:
    """Which of the planted words are where: in documents, in the file's bytes, in the archive, in the queue."""
    documents = [text async for text in _documents(group)]
    files = [] if file is None else [path.read_bytes() for path in file.parent.glob(f"{file.name}*")]
    objects = [_plain(path.read_bytes()) for path in archive.rglob("*") if path.is_file()]
    found = {
        "documents": _found(text.encode() for text in documents),
        "file": _found(files),
        "archive": _found(objects),
        "queue": _found([repr(group.tasks.tasks).encode()]),
    }
    return {where: words for where, words in found.items() if words}


async def _documents(group: Group) -> Any:
    for collection in ("chats", "updates", "dead_letters", "tombstones", "health"):
        for document in await group.store.query(collection):
            yield repr(document)
    async for document in group.store.subtree(chat_path(CHAT)):
        payload = document.data.get("payload")
        segment = None if payload is None else Segment.decode(payload)
        yield repr(document) if segment is None else repr([*segment.messages(), *segment.notes()])


def _plain(content: bytes) -> bytes:
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def _found(contents: Any) -> set[str]:
    folded = [content + b"\n" + content.decode("utf-8", "replace").casefold().encode() for content in contents]
    return {word for word in PLANTED.values() for content in folded if any(each in content for each in _written(word))}


def _written(word: str) -> Iterator[bytes]:
    """A word as it may be written."""
    for form in (word, json.dumps(word)[1:-1], json.dumps(word)[1:-1].upper().replace("\\U", "\\u"), html.escape(word)):
        yield form.encode()
    yield word.encode().hex().encode()
    yield word.encode("utf-16-le")
