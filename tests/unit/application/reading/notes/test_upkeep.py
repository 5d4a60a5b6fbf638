"""A meta summary or an episode that always fails is set aside as a dead letter, and the rest of the chat goes on."""

import inspect
import itertools
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.chats.migration import begin_migration
from shared.application.delivery.closing import MOST_ATTEMPTS
from shared.application.documents import episodes_path, message_path, metas_path, upkeep_path
from shared.application.night.summaries import episodes_chat
from shared.application.reading.extraction import extract_chat
from shared.application.reading.moving import move_chat
from shared.application.reading.notes import episodes, metas
from shared.application.reading.putting_back import StillFails, read_again
from shared.application.reading.setting_aside import ExtractionPiece
from shared.domain.errors import StoreUnavailable, UnstorableDocument
from tests.support.faults import dead_letters
from tests.support.group import CHAT, running_group
from tests.support.reading.talks import ENGINE, TRIP, Talk, everything
from tests.unit.application.reading.test_setting_aside import BUGS, POISON

POISONED = [(name, f"{text}, {POISON}") for name, text in TRIP]
MADE_OF_POISON = {"meta": "1-1-10", "conversation": "1-6", "episode": "1-6"}
HOURS = timedelta(hours=2)
SUPERGROUP = -1_009_999


class RefusingStore:
    """Forwards to a real store; of one collection no document that tells of the poison is written."""

    def __init__(self, store):
        self._store, self.collection, self.error = store, None, None

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def transaction(self, body):
        return await self._store.transaction(lambda tx: body(_RefusingTransaction(tx, self)))


class _RefusingTransaction:
    def __init__(self, tx, store):
        self._tx, self._store = tx, store

    def __getattr__(self, name):
        return getattr(self._tx, name)

    def write(self, write):
        if f"/{self._store.collection}/" in write.path and POISON in repr(write):
            raise self._store.error
        self._tx.write(write)


class MidwayStore:
    """Forwards to a real store; the `fail_at`-th call after poisoned messages were read fails, until one is written.

    Attributes:
        asked: The longest that the calls in between were counted.
    """

    def __init__(self, store):
        self._store = store
        self.asked, self.fail_at, self._since = 0, None, None

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if not inspect.iscoroutinefunction(method):
            return method

        async def call(*args, **kwargs):
            if self._since is not None:
                self._since += 1
                self.asked = max(self.asked, self._since)
                if self._since == self.fail_at:
                    self._since = None
                    raise BUGS[self.fail_at % len(BUGS)]("planted")
            result = await method(*args, **kwargs)
            if name == "get_many" and self.fail_at and any(d and POISON in d.data.get("text", "") for d in result):
                self._since = 0
            elif name == "transaction":
                self._since = None
            return result

        return call


def failing_for(real, bug, word=POISON):
    """`real`, which fails whenever it is given the word."""

    def poisoned(*args, **kwargs):
        if word in repr(args):
            raise bug(f"planted: {word}")
        return real(*args, **kwargs)

    return poisoned


async def worked(talk, *, after=timedelta(0), **changes):
    """Run tasks, each message a chunk of its own, until one ends unharmed; how often one failed."""
    talk.group.clock.advance(after)
    app = replace(talk.app, policy=talk.app.policy._replace(chunk_size=1), **changes)
    failed, more = 0, True
    while more:
        assert failed < 3 * MOST_ATTEMPTS, "no end of it"
        try:
            done = await extract_chat(app, CHAT)
            more = bool(done.chunks or done.more)
        except BUGS:
            failed += 1
    return failed


async def pieces_set_aside(talk):
    return [ExtractionPiece.of(json.loads(letter["body"])) for letter in await dead_letters(talk.group)]


async def told(talk):
    """What each meta summary and episode tells, by its id."""
    return {id_: note["summary"] for id_, note in [*(await talk.metas()).items(), *(await talk.episodes()).items()]}


async def have_poisoned_talk(talk):
    """Two conversations; ten messages of them, with all of the poisoned one, are for one meta summary."""
    await talk.have(POISONED)
    talk.group.clock.advance(HOURS)
    await talk.have(ENGINE)


async def the_rest_is_done(talk):
    """Whether what is said after it is told by an episode and a meta summary, and found, and no more is set aside."""
    letters = len(await dead_letters(talk.group))
    for _ in range(2):
        await talk.have(ENGINE[:4])
    assert await worked(talk, after=HOURS) == 0
    documents = await everything(talk.group)
    notes = {path: data for path, data in documents.items() if path.split("/")[2] in ("chunks", "metas", "episodes")}
    assert all(note["indexed"] for note in notes.values())
    summaries = await told(talk)
    assert summaries["13-20"]
    assert summaries["1-11-20"]
    return len(await dead_letters(talk.group)) == letters


# --- new ones ------------------------------------------------------------------------------------

NEW = (
    (metas, "_text_of", "meta", KeyError),
    (metas, "condense", "meta", OverflowError),
    (episodes, "divide_by_topic", "conversation", ValueError),
    (episodes, "_compose", "conversation", AttributeError),
    (episodes, "excerpt_portrait", "conversation", AssertionError),
)


@pytest.mark.parametrize(("module", "stage", "kind", "bug"), NEW)
async def test_whatever_a_stage_of_summing_up_raises_it_is_set_aside_and_the_rest_is_done(
    talk, monkeypatch, module, stage, kind, bug
):
    await have_poisoned_talk(talk)
    with monkeypatch.context() as patched:
        patched.setattr(module, stage, failing_for(getattr(module, stage), bug))
        assert await worked(talk, after=HOURS) == MOST_ATTEMPTS - 1
        (piece,) = await pieces_set_aside(talk)
        assert (piece.kind, piece.chat_id, piece.message_ids[0]) == (kind, CHAT, 1)
        (letter,) = await dead_letters(talk.group)
        assert bug.__name__ in letter["reason"]
        assert POISON not in json.dumps(letter, ensure_ascii=False, default=str), "nobody would find it to forget it"
        assert not (await told(talk)).get(MADE_OF_POISON[kind])
        assert (await told(talk))["7-12"]
        assert await the_rest_is_done(talk)
        with pytest.raises(StillFails, match=bug.__name__):
            await read_again(talk.app, piece)
        assert await worked(talk) == 0

    await read_again(talk.app, piece)
    assert POISON in (await told(talk))[MADE_OF_POISON[kind]]
    before = await told(talk)
    await read_again(talk.app, piece)
    assert await told(talk) == before


async def test_what_the_model_cannot_even_be_asked_is_set_aside_and_the_rest_is_the_models(modelled, monkeypatch):
    await have_poisoned_talk(modelled)
    with monkeypatch.context() as patched:
        patched.setattr(metas, "meta_request", failing_for(metas.meta_request, KeyError, "Оля платить рахунки."))
        assert await worked(modelled, after=HOURS) == MOST_ATTEMPTS - 1
    assert {piece.kind for piece in await pieces_set_aside(modelled)} == {"meta"}
    assert not (await told(modelled)).get(MADE_OF_POISON["meta"])
    assert (await told(modelled))["7-12"] == "{{101|Оля}} платить рахунки."


async def test_a_bug_at_any_call_while_a_conversation_is_told_ends_in_a_dead_letter_and_the_rest_is_told(
    sqlite_store, gemini
):
    midway = MidwayStore(sqlite_store)
    async with running_group(midway, **gemini.environment) as group:
        talk = Talk(group)
        for fail_at in itertools.count(1):
            midway.asked, midway.fail_at, before = 0, None, set(await talk.episodes())
            await talk.have(POISONED)
            await worked(talk)
            talk.group.clock.advance(HOURS)
            await talk.have(ENGINE)
            letters, midway.fail_at = len(await dead_letters(group)), fail_at
            failures = await worked(talk, after=HOURS)
            new = await pieces_set_aside(talk)
            told_now = set(await talk.episodes()) - before
            if midway.asked < fail_at:
                break
            assert failures == MOST_ATTEMPTS - 1
            assert len(new) == letters + 1
            assert {piece.kind for piece in new} == {"conversation"}
            assert len(told_now) == 1, "the engine is told, the poison is not"
        assert fail_at > 2
        assert (failures, len(told_now)) == (0, 2)


TOO_LARGE = UnstorableDocument("it is over 1 MiB", paths=("chats/1/metas/1",))
HELD_IN = (("metas", "meta"), ("episodes", "conversation"))


@pytest.mark.parametrize(("collection", "kind"), HELD_IN)
@pytest.mark.parametrize(("error", "failures"), [(TOO_LARGE, 0), (KeyError("planted"), MOST_ATTEMPTS - 1)])
async def test_on_either_store_what_cannot_be_written_is_set_aside_and_put_back_once_it_can(
    store, collection, kind, error, failures
):
    refusing = RefusingStore(store)
    async with running_group(refusing) as group:
        talk = Talk(group)
        refusing.collection, refusing.error = collection, error
        await have_poisoned_talk(talk)
        assert await worked(talk, after=HOURS) == failures
        (piece,) = await pieces_set_aside(talk)
        assert piece.kind == kind
        assert (await told(talk))["7-12"]
        refusing.collection = None
        await read_again(talk.app, piece)
        assert POISON in (await told(talk))[MADE_OF_POISON[kind]]


@pytest.mark.parametrize("collection", ["metas", "episodes"])
async def test_a_store_that_is_away_sets_nothing_aside(sqlite_store, collection):
    refusing = RefusingStore(sqlite_store)
    async with running_group(refusing) as group:
        talk = Talk(group)
        refusing.collection, refusing.error = collection, StoreUnavailable("away")
        await have_poisoned_talk(talk)
        for _ in range(2 * MOST_ATTEMPTS):
            with pytest.raises(StoreUnavailable):
                await worked(talk, after=HOURS)
        refusing.collection = None
        await worked(talk)
        assert await dead_letters(group) == []
        assert POISON in (await told(talk))["1-1-10"]
        assert POISON in (await told(talk))["1-6"]


async def test_a_summary_of_summaries_that_always_fails_takes_no_other_level_with_it(talk, monkeypatch):
    monkeypatch.setattr(metas, "FAN_OUT", 2)
    real = metas._compose

    def poisoned(app, state, empty, children):
        if empty.level == 2 and empty.first == 1:
            raise KeyError("planted")
        return real(app, state, empty, children)

    with monkeypatch.context() as patched:
        patched.setattr(metas, "_compose", poisoned)
        await talk.have([*ENGINE, *ENGINE[:2]])
        assert await worked(talk) == MOST_ATTEMPTS - 1
        (piece,) = await pieces_set_aside(talk)
        assert (piece.kind, piece.level, piece.message_ids) == ("meta", 2, (1, 4))
        found = await talk.metas()
        assert [id_ for id_, meta in found.items() if not meta["summary"]] == ["2-1-4"]
        assert set(found) == {"1-1-2", "1-3-4", "1-5-6", "1-7-8", "2-1-4", "2-5-8", "3-1-8"}
    top = found["3-1-8"]["summary"]

    await read_again(talk.app, piece)
    assert (await talk.metas())["2-1-4"]["summary"]
    assert (await talk.metas())["3-1-8"]["summary"] != top
    assert ExtractionPiece.of(piece.payload()) == piece


async def test_of_a_conversation_only_the_part_that_fails_is_passed_over(talk, monkeypatch):
    await talk.have([*POISONED, *ENGINE])
    with monkeypatch.context() as patched:
        patched.setattr(episodes, "excerpt_portrait", failing_for(episodes.excerpt_portrait, KeyError))
        assert await worked(talk, after=HOURS) == MOST_ATTEMPTS - 1
        (piece,) = await pieces_set_aside(talk)
        (kept,) = await talk.episodes()
    assert set(piece.message_ids).isdisjoint(range(*map(int, kept.split("-"))))
    await read_again(talk.app, piece)
    assert len(await talk.episodes()) == 2


# --- made again ----------------------------------------------------------------------------------

AGAIN = (
    (metas, "_text_of", "meta", KeyError),
    (metas, "condense", "meta", ValueError),
    (episodes, "excerpt_portrait", "episode", OverflowError),
    (episodes, "with_portrait", "episode", RecursionError),
)


@pytest.mark.parametrize(("module", "stage", "kind", "bug"), AGAIN)
async def test_what_cannot_be_made_again_is_emptied_set_aside_and_made_when_its_letter_is_replayed(
    talk, monkeypatch, module, stage, kind, bug
):
    await talk.have(TRIP)
    talk.group.clock.advance(HOURS)
    await talk.have(ENGINE)
    await worked(talk, after=HOURS)
    old = TRIP[0][1]
    assert old in (await told(talk))["1-1-10"]
    assert old in (await told(talk))["1-6"]
    with monkeypatch.context() as patched:
        patched.setattr(module, stage, failing_for(getattr(module, stage), bug))
        text = f"їдемо в Одесу 20 травня о 9:30, {POISON}"
        await talk.group.store.update(message_path(CHAT, 1), {"text": text, "rederive": True})
        assert await worked(talk) == MOST_ATTEMPTS - 1
        (piece,) = await pieces_set_aside(talk)
        assert (piece.kind, piece.message_ids[0]) == (kind, 1)
        summaries = await told(talk)
        assert summaries.pop(MADE_OF_POISON[kind]) == ""
        assert not any(old in text for text in summaries.values())
        assert sum(POISON in text for text in summaries.values()) == 1
        assert await the_rest_is_done(talk)
        with pytest.raises(StillFails):
            await read_again(talk.app, piece)
    await read_again(talk.app, piece)
    assert POISON in (await told(talk))[MADE_OF_POISON[kind]]


@pytest.mark.parametrize(
    ("module", "stage", "path"),
    [
        (metas, "meta_request", f"{metas_path(CHAT)}/1-1-10"),
        (episodes, "with_portrait", f"{episodes_path(CHAT)}/1-6"),
    ],
)
async def test_a_text_that_holds_stays_when_it_always_fails_to_be_bettered(modelled, monkeypatch, module, stage, path):
    def fails(*_, **__):
        raise KeyError("planted")

    await have_poisoned_talk(modelled)
    await worked(modelled, after=HOURS)
    before = await told(modelled)
    await modelled.group.store.update(path, {"model_pending": True})
    await modelled.group.store.upsert(upkeep_path(CHAT), {"waits": 99})
    with monkeypatch.context() as patched:
        patched.setattr(module, stage, fails)
        assert await worked(modelled) == MOST_ATTEMPTS - 1
    assert await told(modelled) == before
    assert len(await pieces_set_aside(modelled)) == 1
    assert not (await modelled.group.store.get(path)).data["model_pending"]


async def test_one_task_is_one_attempt_however_often_it_looks_at_what_failed(talk, monkeypatch):
    await talk.have(ENGINE)
    await worked(talk, after=HOURS)
    tried = []

    def fails(messages, **_):
        tried.append(messages)
        raise KeyError("planted")

    monkeypatch.setattr(episodes, "excerpt_portrait", fails)
    await talk.group.store.update(message_path(CHAT, 1), {"text": "двигун уже не стукає", "rederive": True})
    with pytest.raises(KeyError):
        await extract_chat(talk.app, CHAT)
    assert len(tried) == 1


async def test_the_night_counts_the_same_attempts(talk, monkeypatch):
    await have_poisoned_talk(talk)
    monkeypatch.setattr(episodes, "excerpt_portrait", failing_for(episodes.excerpt_portrait, KeyError))
    app = replace(talk.app, policy=talk.app.policy._replace(chunk_size=1))
    talk.group.clock.advance(HOURS)
    for _ in range(2):
        with pytest.raises(KeyError):
            await extract_chat(app, CHAT)
    for _ in range(MOST_ATTEMPTS - 3):
        with pytest.raises(KeyError):
            await episodes_chat(app, await app.chats.state(CHAT, fresh=True))
    assert await dead_letters(talk.group) == []
    await episodes_chat(app, await app.chats.state(CHAT, fresh=True))
    assert {piece.kind for piece in await pieces_set_aside(talk)} == {"conversation"}
    assert (await told(talk))["7-12"]


async def test_what_was_set_aside_before_the_group_became_a_supergroup_is_put_back_there(talk, monkeypatch):
    await have_poisoned_talk(talk)
    with monkeypatch.context() as patched:
        patched.setattr(episodes, "excerpt_portrait", failing_for(episodes.excerpt_portrait, KeyError))
        patched.setattr(metas, "condense", failing_for(metas.condense, KeyError))
        await worked(talk, after=HOURS)
    pieces = await pieces_set_aside(talk)
    assert {piece.kind for piece in pieces} == {"conversation", "meta"}
    await begin_migration(talk.app, CHAT, SUPERGROUP)
    await move_chat(talk.app, CHAT, SUPERGROUP)
    for piece in pieces:
        assert (await read_again(talk.app, piece)).startswith(f"put back: {6 if piece.kind == 'conversation' else 1};")
    for collection in (metas_path(SUPERGROUP), episodes_path(SUPERGROUP)):
        assert any(POISON in d.data["summary"] for d in await talk.group.store.query(collection))
