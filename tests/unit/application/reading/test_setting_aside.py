"""A piece of extraction that always fails is set aside as a dead letter, and the chat goes on learning."""

import inspect
import itertools
import json
from collections import Counter
from datetime import timedelta

import pytest

from shared.application.conversation.message_codec import ChunkState
from shared.application.delivery.closing import MOST_ATTEMPTS
from shared.application.documents import chunks_path, message_path
from shared.application.intake import extracting
from shared.application.intake.jobs import NIGHT
from shared.application.intake.maintenance import find_tended_chat, run_job
from shared.application.night import fan_out
from shared.application.night.fan_out import NIGHTLY
from shared.application.reading import extraction, proposals, rereading, stretches
from shared.application.reading.extraction import extract_chat
from shared.application.reading.notes import upkeep
from shared.application.reading.putting_back import StillFails, read_again
from shared.application.reading.setting_aside import ExtractionPiece
from shared.domain.errors import StoreUnavailable, UnstorableDocument
from tests.support.faults import dead_letters
from tests.support.group import CHAT, running_group

BUGS = (ValueError, KeyError, OverflowError, RecursionError, AttributeError, AssertionError)
POISON = "отруйна змія"
IDLE = timedelta(minutes=20)


class PoisonedStore:
    """Forwards to a real store; the `fail_at`-th call after somebody was given the poison to read fails.

    Attributes:
        asked: The longest that the calls after it were counted.
    """

    def __init__(self, store):
        self._store = store
        self.asked, self.fail_at, self.error, self._since = 0, None, None, None

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if not inspect.iscoroutinefunction(method):
            return method

        async def call(*args, **kwargs):
            if self._since is not None:
                self._since += 1
                self.asked = max(self.asked, self._since)
                if self._since == self.fail_at:
                    raise self.error
            result = await method(*args, **kwargs)
            asked_for = [each.field for each in kwargs.get("where", ())]
            if name == "query" and asked_for == ["chunk"] and kwargs["limit"] > 1:
                poisoned = any(POISON in document.data.get("text", "") for document in result)
                self._since = 0 if poisoned else None
            return result

        return call


async def fact_values(group):
    return {fact["value"] for fact in await group.facts()}


async def learns_from(group, user_id):
    """Whether what somebody says now is learnt when the chat falls silent."""
    name = f"Марко{'ик' * (user_id % 7)}"
    said = await group.say(f"Мене звати {name}", user_id, name)
    await group.say("я живу у Львові", user_id, name)
    await group.settle()
    stored = await group.store.get(message_path(CHAT, said["message"]["message_id"]))
    subjects = {fact["subject"] for fact in await group.facts()}
    return stored.data["chunk"] not in (None, ChunkState.SET_ASIDE.value) and f"user:{user_id}" in subjects


# --- stretches of talk -------------------------------------------------------------------------


async def test_a_bug_at_any_call_while_a_stretch_is_read_ends_in_a_dead_letter_and_the_chat_learns_on(sqlite_store):
    poisoned, outcomes = PoisonedStore(sqlite_store), Counter()
    async with running_group(poisoned) as group:
        for fail_at, bug in zip(range(1, 60), itertools.cycle(BUGS), strict=False):
            before = await dead_letters(group)
            poisoned.asked, poisoned.fail_at, poisoned.error = 0, fail_at, bug("planted")
            said = await group.say(f"Мене звати Ганна, {POISON}", 100 + fail_at, "Ганна")
            await group.settle()
            letters = [letter for letter in await dead_letters(group) if letter not in before]
            stored = await group.store.get(message_path(CHAT, said["message"]["message_id"]))
            assert stored.data["chunk"] is not None, (fail_at, letters)
            if stored.data["chunk"] == ChunkState.SET_ASIDE.value:
                (letter,) = letters
                assert bug.__name__ in letter["reason"]
                assert said["message"]["message_id"] in json.loads(letter["body"])["message_ids"]
            assert await learns_from(group, 1_000 + fail_at)
            outcomes[stored.data["chunk"] == ChunkState.SET_ASIDE.value] += 1
            if poisoned.asked < fail_at:
                break
        assert poisoned.asked < fail_at
        assert outcomes[True] > 5


STAGES = ("run_model_pass", "propose", "learn_candidates", "describe_media", "new_chunk")


@pytest.mark.parametrize(("stage", "bug"), list(zip(STAGES, BUGS, strict=False)))
async def test_whatever_a_stage_of_reading_raises_the_next_stretch_is_read(group, monkeypatch, stage, bug):
    real = getattr(stretches, stage)

    def poisoned(*args, **kwargs):
        if POISON in repr(args) or "user:104" in repr(args):
            raise bug("planted")
        return real(*args, **kwargs)

    monkeypatch.setattr(stretches, stage, poisoned)
    for n in range(10):
        await group.say(f"{POISON} {n}" if n else "Мене звати Ганна", 104, "Ганна")
    await group.settle()

    assert {message["chunk"] for message in await group.messages()} == {ChunkState.SET_ASIDE.value}
    (letter,) = await dead_letters(group)
    assert json.loads(letter["body"])["message_ids"] == [m["message_id"] for m in await group.messages()]
    assert await learns_from(group, 105)
    assert len(await dead_letters(group)) == 1


async def test_what_is_no_bug_sets_nothing_aside(store):
    poisoned = PoisonedStore(store)
    async with running_group(poisoned) as group:
        poisoned.fail_at, poisoned.error = 1, StoreUnavailable("away")
        await group.say(POISON, 104, "Ганна")
        group.clock.advance(IDLE)
        for _ in range(3 * MOST_ATTEMPTS):
            with pytest.raises(StoreUnavailable):
                await extract_chat(group.runtime.app, CHAT)
        poisoned.fail_at = None
        assert (await extract_chat(group.runtime.app, CHAT)).chunks == 1
        assert await dead_letters(group) == []


async def test_what_no_store_takes_is_set_aside_at_once(store):
    poisoned = PoisonedStore(store)
    async with running_group(poisoned) as group:
        poisoned.fail_at, poisoned.error = 3, UnstorableDocument("it is over 1 MiB", paths=("chats/1",))
        await group.say(POISON, 104, "Ганна")
        group.clock.advance(IDLE)
        done = await extract_chat(group.runtime.app, CHAT)
        assert len(done.set_aside) == 1
        assert len(await dead_letters(group)) == 1
        poisoned.fail_at = None
        assert await learns_from(group, 105)


async def test_attempts_are_counted_across_tasks_and_instances_and_the_last_one_sets_aside(group, monkeypatch):
    monkeypatch.setattr(stretches, "propose", failing(KeyError("planted")))
    await group.say(POISON, 104, "Ганна")
    group.clock.advance(IDLE)
    for _ in range(MOST_ATTEMPTS - 1):
        with pytest.raises(KeyError):
            await extract_chat(group.runtime.app, CHAT)
        assert await dead_letters(group) == []
    done = await extract_chat(group.runtime.app, CHAT)
    assert (done.chunks, len(done.set_aside)) == (0, 1)
    assert await extract_chat(group.runtime.app, CHAT) == type(done)(0, ())


async def test_a_poisoned_message_is_no_context_of_what_is_said_after_it(laptop, monkeypatch):
    real = stretches.run_model_pass

    def poisoned(app, state, talk, choices):
        if POISON in repr(talk):
            raise KeyError("planted")
        return real(app, state, talk, choices)

    monkeypatch.setattr(stretches, "run_model_pass", poisoned)
    await laptop.say(POISON, 104, "Ганна")
    await laptop.settle()
    assert await learns_from(laptop, 105)


# --- putting back ------------------------------------------------------------------------------


def failing(error):
    async def fails(*_, **__):
        raise error

    return fails


async def set_aside(group, monkeypatch, text="Мене звати Ганна"):
    """The piece of a stretch that was set aside because of a bug that is mended by now."""
    with monkeypatch.context() as patched:
        patched.setattr(stretches, "propose", failing(KeyError("planted")))
        await group.say(text, 104, "Ганна")
        await group.settle()
    (letter,) = await dead_letters(group)
    return ExtractionPiece.of(json.loads(letter["body"]))


async def test_what_was_set_aside_is_read_when_its_letter_is_replayed(group, monkeypatch):
    piece = await set_aside(group, monkeypatch)
    assert await group.facts() == []

    told = await read_again(group.runtime.app, piece)

    assert told.startswith("put back: 1; extracted: 1 chunks")
    assert [fact["subject"] for fact in await group.facts()] == ["user:104"]
    assert (await read_again(group.runtime.app, piece)).startswith("put back: 0; extracted: 0 chunks")


async def test_what_fails_again_is_set_aside_again_at_once_and_the_chat_learns_on(group, monkeypatch):
    piece = await set_aside(group, monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(stretches, "propose", failing(KeyError("planted again")))
        with pytest.raises(StillFails, match="KeyError in fails"):
            await read_again(group.runtime.app, piece)
    assert {message["chunk"] for message in await group.messages()} == {ChunkState.SET_ASIDE.value}
    assert len(await dead_letters(group)) == 1
    assert await learns_from(group, 105)


# --- edits and chunks that are made again --------------------------------------------------------


async def edited(group, said, text):
    message = {**said["message"], "text": text, "edit_date": int(group.clock.now().timestamp())}
    update = {"update_id": next(group._ids), "edited_message": message}
    assert await group.deliver(update) == 200


@pytest.mark.parametrize("bug", BUGS[:2])
async def test_an_edit_that_always_fails_is_set_aside_and_the_other_edits_are_learnt(group, monkeypatch, bug):
    first = await group.say("Мене звати Ганна", 104, "Ганна")
    second = await group.say("Мене звати Марко", 105, "Марко")
    await group.settle()
    real = proposals.read_patterns

    def poisoned(*given, about, **kwargs):
        if first["message"]["message_id"] in about:
            raise bug("planted")
        return real(*given, about=about, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(proposals, "read_patterns", poisoned)
        await edited(group, first, "Мене звати Галина")
        await edited(group, second, "Мене звати Маркіян")
        await group.settle()
        assert "маркіян" in await fact_values(group)
        assert "галина" not in await fact_values(group)
        pieces = [ExtractionPiece.of(json.loads(letter["body"])) for letter in await dead_letters(group)]
        assert {piece.kind for piece in pieces} == {"edit", "chunk"}  # the chunk's patterns read the message, too
        assert not any(message["rederive"] for message in await group.messages())

    for piece in pieces:
        await read_again(group.runtime.app, piece)
    assert "галина" in await fact_values(group)


async def test_a_chunk_that_cannot_be_made_again_is_emptied_set_aside_and_made_when_its_letter_is_replayed(
    group, monkeypatch
):
    said = await group.say("Мене звати Ганна, і я завтра їду до Одеси на концерт", 104, "Ганна")
    await group.settle()
    with monkeypatch.context() as patched:
        patched.setattr(rereading, "run_model_pass", failing(KeyError("planted")))
        await edited(group, said, "Мене звати Ганна, і я завтра їду до Львова на концерт")
        await group.settle()
    (chunk,) = await group.store.query(chunks_path(CHAT))
    assert (chunk.data["summary"], chunk.data["stale"], chunk.data["model_pending"]) == ("", False, False)
    (letter,) = await dead_letters(group)
    piece = ExtractionPiece.of(json.loads(letter["body"]))
    assert piece.kind == "chunk"
    assert await learns_from(group, 105)

    await read_again(group.runtime.app, piece)
    chunk = await group.store.get(chunk.path)
    assert "Львова" in chunk.data["summary"]


# --- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["keep_up", "refresh_profiles", "index_chat", "ask_group"])
async def test_a_step_that_always_fails_keeps_neither_the_others_nor_the_next_talk_from_being_done(
    laptop, monkeypatch, step
):
    done = Counter()
    for name in ("keep_up", "refresh_profiles", "index_chat", "ask_group"):
        module = extracting if name == "ask_group" else extraction
        real = failing(KeyError("planted")) if name == step else getattr(module, name)

        async def counted(*args, name=name, real=real, **kwargs):
            done[name] += 1
            return await real(*args, **kwargs)

        monkeypatch.setattr(module, name, counted)
    assert await learns_from(laptop, 105)
    assert await learns_from(laptop, 106)
    assert set(done) == {"keep_up", "refresh_profiles", "index_chat", "ask_group"}
    assert all("KeyError" in letter["reason"] for letter in await dead_letters(laptop))
    assert await dead_letters(laptop)


UPKEEP = ("group_nodes", "close_episodes", "redo_metas", "redo_episodes", "redo_chunks")


@pytest.mark.parametrize("step", ["group_nodes", "close_episodes", "redo_metas", "redo_episodes"])
async def test_a_part_of_upkeep_that_always_fails_keeps_neither_the_others_from_being_done_nor_the_queue_from_ending(
    laptop, monkeypatch, step
):
    done = Counter()
    for name in UPKEEP:
        real = failing(KeyError("planted")) if name == step else getattr(upkeep, name)

        async def counted(*args, name=name, real=real, **kwargs):
            done[name] += 1
            return await real(*args, **kwargs)

        monkeypatch.setattr(upkeep, name, counted)
    said = await laptop.say("Мене звати Ганна, і я завтра їду до Одеси на концерт", 104, "Ганна")
    await laptop.settle()
    await edited(laptop, said, "Мене звати Ганна, і я завтра їду до Львова на концерт")
    await laptop.settle()
    assert await learns_from(laptop, 105)
    assert set(done) == set(UPKEEP)
    (chunk, *_) = await laptop.store.query(chunks_path(CHAT))
    assert "Львова" in chunk.data["summary"]
    assert await dead_letters(laptop)


# --- the night -----------------------------------------------------------------------------------

OTHER = -1_002


async def pass_a_night(group):
    assert await group.runtime.app.schedule.night() is None
    for _ in range(40):
        group.clock.advance(timedelta(hours=1))
        await group.tasks.dispatch_due(group.clock.now())
        assert not group.tasks.exhausted, group.tasks.exhausted


@pytest.mark.parametrize("first", [0, 1], ids=["every other job", "the others"])
async def test_a_job_that_always_fails_for_one_chat_is_a_dead_letter_and_the_other_jobs_and_chats_have_their_night(
    laptop, monkeypatch, first
):
    names = [name for name in NIGHTLY if name != "archive"]
    poisoned = names[first::2]

    def failing(real, bug):
        async def run(app, state):
            if state.chat_id == CHAT:
                raise bug("planted")
            return await real()(app, state)

        return run

    for name, bug in zip(poisoned, itertools.cycle(BUGS), strict=False):
        monkeypatch.setitem(NIGHT, name, lambda real=NIGHT[name], bug=bug: failing(real, bug))
    laptop.api.add_chat(OTHER, "supergroup")
    other = {"id": OTHER, "type": "supergroup", "title": "Інша"}
    for _ in range(2):
        await laptop.say("Мене звати Ганна", 104, "Ганна")
        await laptop.say("Мене звати Ганна", 104, "Ганна", chat=other)
    await pass_a_night(laptop)

    done = {
        chat_id: set((await find_tended_chat(laptop.runtime.app.store, chat_id, "decay")).marks)
        for chat_id in (CHAT, OTHER)
    }
    assert done == {CHAT: set(names) - set(poisoned), OTHER: set(names)}
    letters = [json.loads(letter["body"]) for letter in await dead_letters(laptop)]
    assert {letter["target"] for letter in letters} == {f"/maintenance/{name}" for name in poisoned}
    assert {letter["chat_id"] for letter in letters} == {CHAT}
    assert await learns_from(laptop, 1_005)


async def test_a_bug_that_one_chat_brings_about_keeps_no_other_from_its_night(laptop, monkeypatch):
    real = fan_out.due_jobs

    def due_jobs(app, record, jobs, **when):
        if record.state.chat_id == CHAT:
            raise KeyError("planted")
        return real(app, record, jobs, **when)

    monkeypatch.setattr(fan_out, "due_jobs", due_jobs)
    laptop.api.add_chat(OTHER, "supergroup")
    for chat in ({"id": OTHER, "type": "supergroup", "title": "Інша"}, None):
        await laptop.say("Мене звати Ганна", 104, "Ганна", **({} if chat is None else {"chat": chat}))
    assert (await run_job(laptop.runtime.app, "night", {}))["failed"] == 1
    (letter,) = await dead_letters(laptop)
    assert json.loads(letter["body"])["chat_id"] == CHAT
    asked = [json.loads(stored.task.http_request.body) for stored in laptop.tasks.tasks.values()]
    assert {each["chat_id"] for each in asked if "day" in each} == {OTHER}
