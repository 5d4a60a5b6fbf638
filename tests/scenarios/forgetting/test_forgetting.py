"""Law 7 through a whole group: words are told to everything that remembers, forgotten, and found nowhere, ever."""

import contextlib
import gzip
import json
import re
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from infra.sqlite import SqliteStore
from infra.storage.object_folder import ObjectFolder
from infra.telegram.updates import parse_update
from shared.application.archive.nightly import archive_chat
from shared.application.chats.state import Chats
from shared.application.dead_letters import record_dead_letter
from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import LeaseLost
from shared.application.delivery.ledger import Ledger
from shared.application.delivery.parcels import Destination
from shared.application.documents import chat_path, chunks_path, facts_path, quality_records_path
from shared.application.facts.memory import learn_candidates
from shared.application.facts.moderation import vote
from shared.application.facts.version_codec import facts_as_of
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.forgetting.proof import preview, preview_chat
from shared.application.forgetting.steps import member_meant, messages_meant
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Filter
from shared.application.reading.extraction import extract_chat
from shared.application.recall.cache import IndexCache
from shared.application.schedule import Schedule
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.recall.index.segment import Segment
from tests.support import updates
from tests.support.faults import Crashed, DyingStore
from tests.support.forgetting.proving import find_traces
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

ADMIN = Authority.ADMIN
HANNA, OLIA, TARAS, PETRO = (104, "Ганнуся"), (101, "Оля"), (102, "Тарас"), (103, "Петро")
JOBS = tuple(NIGHTLY)
SECRETS = ("житомир", "сомбреро", "квазар", "левітац", "ганнус", "hannusia_z")
TALK = [
    (OLIA, "Добрий вечір усім, як минув ваш день?"),
    (HANNA, "Я живу у Житомирі"),
    (TARAS, "А я живу у Львові"),
    (HANNA, "Обожнюю фіолетове сомбреро"),
    (PETRO, "Мій улюблений напій — кава"),
    (HANNA, "Нагадую: ніяких квазарів у чаті!"),
    (TARAS, "Нагадую: ніякої політики в чаті!"),
    (OLIA, "Згодна, без політики"),
    (HANNA, "Я забронюю квитки на левітацію завтра"),
    (PETRO, "Я вивчаю англійську"),
    (HANNA, "Планую вчити левітацію наступного місяця"),
    (OLIA, "Гаразд, тоді домовились на пʼятницю"),
    (TARAS, "Домовились"),
]


def sender(who):
    more = {"username": "hannusia_z"} if who == HANNA else {}
    return updates.user(who[0], who[1], **more)


async def everything(store):
    """Every document of every collection, with the segments of the index opened."""
    found = {}
    for collection in ("chats", "updates", "dead_letters", "tombstones", "health"):
        for document in await store.query(collection):
            found[document.path] = repr(document.data)
    for chat_id in {int(path.split("/")[1]) for path in found if path.startswith("chats/")} | {CHAT}:
        async for document in store.subtree(chat_path(chat_id)):
            found[document.path] = opened(document)
    return found


def opened(document):
    payload = document.data.get("payload")
    if payload is None:
        return repr(document)
    segment = Segment.decode(payload)
    return repr([*segment.messages(), *segment.notes(), segment.talk.names])


async def traces(store, words=SECRETS):
    return sorted(
        {(path, word) for path, text in (await everything(store)).items() for word in words if word in text.casefold()}
    )


async def tell(group):
    """A conversation with facts, votes, replies, quotes, answers and everything that follows; the updates."""
    told = []
    for number, (who, text) in enumerate(TALK):
        told.append(await group.say(text, sender=sender(who)))
        if number == 5:
            quoting = {"quote": {"text": "Обожнюю фіолетове сомбреро", "position": 0}}
            reply = {"reply_to_message": told[3]["message"], **quoting}
            told.append(await group.say("Оце так", sender=sender(PETRO), **reply))
    await group.settle()
    group.clock.advance(timedelta(hours=3))
    for who, question in ((TARAS, "гряг, хто де живе?"), (HANNA, "гряг, що я планую?")):
        told.append(await group.say(question, sender=sender(who)))
    for document in await group.store.query(facts_path(CHAT)):
        await vote(group.runtime.app, CHAT, document.id, HANNA[0], supports=True)
    await group.settle()
    await nights(group)
    return told


async def subjects(group):
    return {fact["subject"] for fact in await group.facts()}


async def nights(group):
    for job in JOBS:
        await run_job(group.runtime.app, job, {"chat_id": CHAT})
    await group.settle()


async def test_a_member_is_forgotten_and_nothing_brings_them_back(group):
    told = await tell(group)
    app = group.runtime.app
    kinds = {path.split("/")[2] for path, _ in await traces(group.store) if path.startswith(f"chats/{CHAT}/")}
    assert {"messages", "facts", "chunks", "index", "members", "context"} <= kinds, kinds
    known, sought = (
        await subjects(group),
        await preview(app.store, app.policy, await member_meant(app.store, app.clock, CHAT, HANNA[0])),
    )
    assert await find_traces(app.store, app.archive, sought) != []
    await forget_member(app, CHAT, HANNA[0])
    assert await traces(group.store) == []
    assert await find_traces(app.store, app.archive, sought) == []
    for update in told:
        assert await group.deliver(update) == 200
    await group.settle()
    await extract_chat(app, CHAT)
    await nights(group)
    assert await traces(group.store) == []
    assert await subjects(group) == known - {"user:104"}
    assert "culture_summary" in (await group.store.get(chat_path(CHAT))).data
    assert [m["quote"] for m in await group.messages() if m["text"] == "Оце так"] == [None]


async def test_what_a_forgotten_member_says_later_is_new(laptop):
    await tell(laptop)
    await forget_member(laptop.runtime.app, CHAT, HANNA[0])
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("Я живу в Одесі", sender=sender(HANNA))
    await laptop.settle()
    (fact,) = [fact for fact in await laptop.facts() if fact["subject"] == "user:104"]
    assert "Одесі" in fact["evidence"][0]["quote"]


async def test_single_messages_are_forgotten_and_neither_an_edit_nor_a_late_delivery_brings_them_back(laptop):
    group = laptop
    told = await tell(group)
    app, secret = group.runtime.app, told[1]["message"]
    sought = await preview(
        app.store, app.policy, await messages_meant(app.store, app.clock, CHAT, [secret["message_id"]])
    )
    counts = await forget_messages(app, CHAT, [secret["message_id"]])
    assert counts["messages"] == 1
    edited = {"update_id": 9_001, "edited_message": {**secret, "edit_date": secret["date"] + 5, "text": "у Житомирі!"}}
    for update in (told[1], edited):
        assert await group.deliver(update) == 200
    await group.settle()
    await nights(group)
    assert await traces(group.store, ("житомир",)) == []
    assert await find_traces(app.store, app.archive, sought) == []
    assert {path.split("/")[2] for path, _ in await traces(group.store, ("сомбреро",))} >= {"messages", "chunks"}


async def test_a_chat_is_forgotten_and_what_is_said_later_begins_a_new_memory(laptop):
    group = laptop
    told = await tell(group)
    app = group.runtime.app
    await forget_chat(app, CHAT)
    assert {path.split("/")[0] for path in await everything(group.store)} == {"updates", "tombstones"}
    assert await find_traces(app.store, app.archive, await preview_chat(app.store, CHAT)) == []
    group.clock.advance(timedelta(minutes=5))
    for update in told:
        assert await group.deliver(update) == 200
    await group.settle()
    await extract_chat(app, CHAT)
    await nights(group)
    assert await group.messages() == []
    assert await traces(group.store, [text.casefold() for _, text in TALK]) == []
    await group.say("Я живу в Одесі", sender=sender(HANNA))
    await group.settle()
    assert [fact["subject"] for fact in await group.facts()] == ["user:104"]
    for update in told:
        assert await group.deliver(update) == 200
    assert [message["text"] for message in await group.messages()] == ["Я живу в Одесі"]


# --- What others said, too --------------------------------------------------------------------------


async def test_a_fact_that_others_confirm_stays_without_the_members_quotes_and_so_does_its_history(laptop):
    for who, text in (
        (HANNA, "Ми збираємось щоп'ятниці на квазарний борщ"),
        (TARAS, "Нагадую: ніякої політики в чаті!"),
    ):
        await laptop.say(text, sender=sender(who))
    await laptop.settle()
    app = laptop.runtime.app
    (rule,) = await laptop.store.query(facts_path(CHAT), where=[Filter("key", "==", "forbidden_topics")])
    for user_id, supports in ((HANNA[0], True), (PETRO[0], True), (OLIA[0], False)):
        await vote(app, CHAT, rule.id, user_id, supports=supports)
    await forget_member(app, CHAT, HANNA[0])
    (left,) = await laptop.store.query(facts_path(CHAT), where=[Filter("key", "==", "forbidden_topics")])
    assert left.data["supporters"] == [102, 103]
    assert [voice["user_id"] for voice in left.data["objectors"]] == [101]
    versions = await laptop.store.query(f"{left.path}/versions")
    assert len(versions) == 5
    assert "104" not in repr([version.data for version in versions])
    (then,) = await facts_as_of(app.store, CHAT, "chat", laptop.clock.now())
    assert [quote.user_id for quote in then.evidence] == [102]


async def test_a_rival_that_only_the_member_wanted_goes_and_the_belief_stays(laptop):
    app = laptop.runtime.app
    await learn(laptop, TARAS, "Friday", ADMIN)
    await learn(laptop, HANNA, "Saturday")
    assert {f["status"] for f in await laptop.facts()} == {"active", "pending"}
    await forget_member(app, CHAT, HANNA[0])
    assert [(f["value"], f["others"]) for f in await laptop.facts()] == [("friday", [])]
    assert await laptop.store.query(quality_records_path(CHAT)) == []
    assert await traces(laptop.store, ("saturday",)) == []


async def test_what_the_member_had_replaced_is_believed_again(laptop):
    app = laptop.runtime.app
    await learn(laptop, TARAS, "Friday")
    await learn(laptop, HANNA, "Saturday")
    await forget_member(app, CHAT, HANNA[0])
    assert [(f["value"], f["status"], f["others"]) for f in await laptop.facts()] == [("friday", "active", [])]
    assert await traces(laptop.store, ("saturday",)) == []
    (then,) = await facts_as_of(app.store, CHAT, "chat", laptop.clock.now())
    assert (then.value, [quote.user_id for quote in then.evidence]) == ("friday", [102])


async def learn(group, who, text, authority=Authority.OWN_STATEMENT):
    message = (await group.say(text, sender=sender(who)))["message"]
    sent = parse_update({"update_id": 1, "message": message}).message.sent_at
    quote = Evidence(sent, message["message_id"], who[0], text)
    slot = {"subject": "chat", "category": "tradition", "key": "weekly_recap", "single": True, "confidence": 0.8}
    candidate = Candidate(**slot, value=text.casefold(), description=text, evidence=(quote,), authority=authority)
    await learn_candidates(group.runtime.app, CHAT, [candidate])


async def test_what_others_say_in_other_words_stays_in_theirs(laptop):
    app = laptop.runtime.app
    await learn(laptop, HANNA, "Піца по п'ятницях, і квазар")
    await learn(laptop, TARAS, "Піца щоп'ятниці")
    (both,) = await laptop.facts()
    assert len(both["wordings"]) == 2
    await forget_member(app, CHAT, HANNA[0])
    (left,) = await laptop.facts()
    assert (left["value"], [quote["user_id"] for quote in left["evidence"]]) == ("піца щоп'ятниці", [102])
    assert await traces(laptop.store) == []


# --- Outside of the chat ----------------------------------------------------------------------------


async def test_an_answer_that_waits_and_a_body_that_failed_are_forgotten(laptop):
    app = laptop.runtime.app
    await laptop.say("Я живу у Житомирі", sender=sender(HANNA))
    lease = await Ledger(app.store, app.clock, app.ids).take(77)
    answer = Answer.of(OutgoingText("Ганнуся: Я живу у Житомирі", "Ганнуся: Я живу у Житомирі"))
    await Ledger(app.store, app.clock, app.ids).fill(lease, answer, Destination(CHAT))
    body = json.dumps(laptop.says("Я живу у Житомирі", sender=sender(HANNA))).encode()
    other = json.dumps(laptop.says("Усім привіт", sender=sender(TARAS))).encode()
    for each in (body, b"\xff" + body, other):
        await record_dead_letter(app.store, app.clock, kind="update", body=each, reason="a bug")
    await forget_member(app, CHAT, HANNA[0])
    assert await traces(laptop.store) == []
    (kept,) = await app.store.query("dead_letters")
    assert kept.data["body"] == other.decode()
    with pytest.raises(LeaseLost):
        await Ledger(app.store, app.clock, app.ids).mark_sent(lease)


async def test_the_reason_of_a_dead_letter_may_hold_the_words(laptop):
    app = laptop.runtime.app
    await laptop.say("Обожнюю фіолетове сомбреро", sender=sender(HANNA))
    body = json.dumps({"chat_id": CHAT, "window": 5}).encode()
    await record_dead_letter(app.store, app.clock, kind="task", body=body, reason="no JSON: Обожнюю фіолетове сомбреро")
    await record_dead_letter(app.store, app.clock, kind="task", body=body + b" ", reason="no JSON")
    await forget_member(app, CHAT, HANNA[0])
    assert await traces(laptop.store) == []
    assert len(await laptop.store.query("dead_letters")) == 1


async def test_what_a_member_says_later_stays_in_the_index_when_they_are_forgotten_once_more(laptop):
    app = laptop.runtime.app
    told = await tell(laptop)
    await forget_member(app, CHAT, HANNA[0])
    until = laptop.clock.now()
    laptop.clock.advance(timedelta(minutes=1))
    later = [await laptop.say(f"Я живу в Одесі, кажу {n} раз", sender=updates.user(104, "Інна")) for n in range(10)]
    await laptop.settle()
    await forget_member(app, CHAT, HANNA[0], until=until)
    indexed = {message.message_id for message in await in_index(laptop)}
    assert {update["message"]["message_id"] for update in later} <= indexed
    assert indexed.isdisjoint(u["message"]["message_id"] for u in told if u["message"]["from"]["id"] == HANNA[0])


async def in_index(group):
    found = [document async for document in group.store.subtree(chat_path(CHAT)) if "payload" in document.data]
    return [message for document in found for message in Segment.decode(document.data["payload"]).messages()]


async def test_the_archive_is_made_anew_without_the_member_and_erased_with_the_chat(laptop, tmp_path):
    app = replace(laptop.runtime.app, archive=ObjectFolder(tmp_path / "archive"))
    await tell(laptop)
    await archive_chat(app, await app.chats.state(CHAT, fresh=True))
    assert "сомбреро" in await archived(tmp_path)
    sought = await preview(app.store, app.policy, await member_meant(app.store, app.clock, CHAT, HANNA[0]))
    assert await find_traces(app.store, app.archive, sought) != []
    await forget_member(app, CHAT, HANNA[0])
    text = await archived(tmp_path)
    assert "живу у Львові" in text
    assert [word for word in SECRETS if word in text.casefold()] == []
    assert await find_traces(app.store, app.archive, sought) == []
    await forget_chat(app, CHAT)
    assert await archived(tmp_path) == ""


async def archived(folder):
    contents = [path.read_bytes() for path in folder.joinpath("archive").rglob("*") if path.is_file()]
    plain = [gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content for content in contents]
    return b"".join(plain).decode("utf-8", "replace")


async def test_the_file_itself_holds_nothing_any_more(tmp_path):
    path = tmp_path / "documents.db"
    store = SqliteStore(path)
    async with running_group(store) as group:
        await tell(group)
        assert "Житомирі".encode() in path.read_bytes() + raw_log(path)
        await forget_member(group.runtime.app, CHAT, HANNA[0])
        await group.settle()
    await store.aclose()
    raw = path.read_bytes() + raw_log(path)
    assert [word for word in ("Житомирі", "сомбреро", "квазарів", "Ганнуся") if word.encode() in raw] == []
    assert "Львові".encode() in raw


def raw_log(path):
    log = path.with_name(f"{path.name}-wal")
    return log.read_bytes() if log.exists() else b""


# --- While something else runs ----------------------------------------------------------------------


async def test_a_model_that_answers_after_the_forgetting_changes_nothing(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(lambda _: "- підсумок розмови")
        for who, text in TALK[:10]:
            await group.say(text, sender=sender(who))
        app = group.runtime.app

        class Late:
            def __getattr__(self, name):
                return getattr(app.model, name)

            async def generate(self, request):
                reply = await app.model.generate(request)
                if "Житомирі" not in repr(request):
                    return reply
                await forget_member(app, CHAT, HANNA[0], until=group.clock.now())
                return replace(reply, text="Ганнуся живе у Житомирі й обожнює фіолетове сомбреро")

        group.clock.advance(timedelta(minutes=20))
        await extract_chat(replace(app, model=Late()), CHAT)
        assert await traces(group.store) == []
        assert [d.id for d in await group.store.query(chunks_path(CHAT))] != []


@pytest.mark.parametrize("after", [False, True])
async def test_killed_anywhere_and_run_again_it_leaves_the_same(tmp_path, after):
    path = tmp_path / "told.db"
    store = SqliteStore(path)
    async with running_group(store) as group:
        await tell(group)
        app = group.runtime.app
    await store.aclose()
    undisturbed, calls = await forgotten(app, path, tmp_path / "whole.db", [None])
    for die_at in range(1 + after, calls, calls // 9):
        disturbed, _ = await forgotten(app, path, tmp_path / f"{die_at}.db", [die_at, None], after=after)
        differing = {at for at in undisturbed | disturbed if undisturbed.get(at) != disturbed.get(at)}
        assert differing == set(), die_at


async def forgotten(app, told, path, deaths, *, after=False):
    """The documents left of a copy of `told` when forgetting dies at these calls, and how many the last run made."""
    shutil.copy(told, path)
    store = DyingStore(SqliteStore(path))
    app = replace(app, store=store, chats=Chats(store, app.clock), indexes=IndexCache(), queue=NoQueue())
    app = replace(app, ids=OneToken())  # by which the hashes are salted
    app = replace(app, schedule=Schedule(app.queue, app.clock, app.policy))
    for die_at in deaths:
        store.arm(die_at, after=after)
        with contextlib.suppress(Crashed):
            await forget_member(app, CHAT, HANNA[0])
    calls = store.calls
    store.arm(None)
    assert await traces(store) == []
    left = await everything(store)
    left.pop(f"chats/{CHAT}/upkeep/derived")  # what counts how often a note was emptied, as does `outdated`
    await store.aclose()
    return {at: re.sub(r"'outdated': \d+", "", text) for at, text in left.items()}, calls


class OneToken:
    def token(self):
        return "0123456789abcdefghijkl"


class NoQueue:
    async def enqueue(self, task):
        return True


async def test_what_came_in_before_every_instance_knew_is_forgotten_a_little_later(laptop):
    told = await tell(laptop)
    app = laptop.runtime.app
    unaware = await app.chats.state(CHAT, fresh=True)
    await forget_member(app, CHAT, HANNA[0])
    app.chats._remember(unaware)
    assert await laptop.deliver(told[1]) == 200
    assert await traces(laptop.store) != []
    await laptop.settle()
    assert await traces(laptop.store) == []


async def test_it_may_die_again_and_again_on_firestore(firestore_store):
    async with running_group(firestore_store) as group:
        await tell(group)
        known = await subjects(group)
        for die_at in (2, 9, 25, 45, 70):
            group.store.arm(die_at, after=bool(die_at % 2))
            with contextlib.suppress(Crashed):
                await forget_member(group.runtime.app, CHAT, HANNA[0])
        group.store.arm(None)
        await forget_member(group.runtime.app, CHAT, HANNA[0])
        assert await traces(group.store) == []
        assert await subjects(group) == known - {"user:104"}
