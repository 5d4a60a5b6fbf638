"""What of a chat refers to the words: every document for one reason alone, beside one that has none."""

from dataclasses import replace

import pytest

from shared.application.documents import answer_path, message_path
from shared.application.facts.codec import evidence_fields, fact_to_fields
from shared.application.facts.version_codec import version_to_fields
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.survey import (
    REACH,
    NoteSeen,
    empty_notes,
    find_affected,
    leave_others_words,
    note_seen,
    survey,
)
from shared.application.ports.store import Document
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence, message
from tests.support.exports import app_on
from tests.support.forgetting.facts_told import believed, quality_record, rule
from tests.support.stores.messages import new_message_fields

CHAT, HANNA, TARAS, BOT = -1001, 104, 102, 1
SCOPE = Scope(CHAT, HANNA, frozenset({50}), at(100), frozenset({HANNA}), frozenset({"mark"}))
ONLY_MESSAGES = SCOPE._replace(user_id=None, origin_ids=frozenset(), origin_names=frozenset())
ABOUT = {"subject": f"user:{HANNA}", "category": "preference", "key": "likes"}
SAID = ("quasars dance all night",)
REPEATS = "so quasars dance all day"


async def put(store, message_id, text="nothing at all", *, user_id=TARAS, fields=None, **more):
    more = {"sent_at": at(60)} | more
    said = message(text, message_id=message_id, user_id=user_id, chat_id=CHAT, **more)
    stored = new_message_fields(said, now=more["sent_at"], retention=at(99) - at(0))
    await store.set(message_path(CHAT, message_id), stored | (fields or {}))


async def by_bot(store, message_id, text="nothing at all", **more):
    fields = {"answer": str(message_id)} | more.pop("fields", {})
    await put(store, message_id, text, user_id=BOT, is_bot=True, fields=fields, **more)
    given = {"question": {"message_id": 1, "user_id": TARAS, "sent_at": at(1)}, "made_at": at(60), "left_out": 0}
    given |= {"facts": [], "messages": [], "notes": [], "people": [TARAS]}
    await store.set(answer_path(CHAT, message_id), given)


async def found_in(store, *, scope=SCOPE, whose=HANNA):
    return await survey(store, app_on(store).policy, scope, ForgottenWords(SAID), whose=whose)


async def test_of_the_bots_messages_those_go_that_repeat_ask_show_answer_or_carry_theirs(sqlite_store):
    reacted = {"reacted": {str(HANNA): {"at": at(60)}}}
    await by_bot(sqlite_store, 1)
    await by_bot(sqlite_store, 2, REPEATS)
    await by_bot(sqlite_store, 3, fields={"asks": {"user": HANNA}})
    await by_bot(sqlite_store, 4, fields={"asks": {"user": TARAS}})
    await by_bot(sqlite_store, 5, fields={"people": [HANNA]})
    await by_bot(sqlite_store, 6, reply_to=50)
    await by_bot(sqlite_store, 7, reply_to=51)
    await by_bot(sqlite_store, 8, fields={"origin_ids": [HANNA]})
    await by_bot(sqlite_store, 9, fields=reacted)
    await by_bot(sqlite_store, 10, REPEATS, fields=reacted)
    await by_bot(sqlite_store, 11, fields={"reacted": {str(HANNA): {"at": at(101)}}})
    await by_bot(sqlite_store, 12, fields={"media_text": REPEATS})
    await by_bot(sqlite_store, 13, fields={"reacted": {str(HANNA): {"at": at(100)}}})
    await by_bot(sqlite_store, 14, fields={"reacted": {str(TARAS): {"at": at(60)}}})
    await by_bot(sqlite_store, 50)
    found = await found_in(sqlite_store)
    gone = {2, 3, 5, 6, 8, 10, 12}
    assert found.echoes.keys() == gone
    assert found.given == {answer_path(CHAT, each) for each in {*gone, 50}}
    assert found.said == dict.fromkeys({*gone, 50}, at(60))
    assert set(found.reacted) == {message_path(CHAT, 9), message_path(CHAT, 13)}
    assert found.quoting == {}


async def test_another_bots_message_is_not_deleted_in_telegram(sqlite_store):
    await put(sqlite_store, 2, REPEATS, user_id=999, is_bot=True)
    found = await found_in(sqlite_store)
    assert (found.echoes, found.said) == ({2: message_path(CHAT, 2)}, {})


async def test_of_single_messages_what_the_bot_asked_or_showed_somebody_is_not_theirs(sqlite_store):
    await by_bot(sqlite_store, 3, fields={"asks": {"user": None}})
    await by_bot(sqlite_store, 5, fields={"people": [HANNA]})
    await by_bot(sqlite_store, 6, reply_to=50)
    await by_bot(sqlite_store, 50)
    found = await found_in(sqlite_store, scope=ONLY_MESSAGES, whose=None)
    assert found.echoes.keys() == {6}
    assert found.said.keys() == {6, 50}


async def test_of_members_messages_only_what_is_nobodys_own_word_goes_and_quotes_are_lost(sqlite_store):
    reacted = {"reacted": {str(HANNA): {"at": at(60)}}}
    await put(sqlite_store, 1)
    await put(sqlite_store, 2, REPEATS)
    await put(sqlite_store, 3, REPEATS, forwarded=True)
    await put(sqlite_store, 4, forwarded=True)
    await put(sqlite_store, 5, forwarded=True, fields={"origin_names": ["mark"]})
    await put(sqlite_store, 6, forwarded=True, fields=reacted)
    await put(sqlite_store, 7, fields={"origin_ids": [HANNA]})
    await put(sqlite_store, 8, reply_to=50)
    await put(sqlite_store, 9, reply_to=51)
    await put(sqlite_store, 10, quote=REPEATS)
    await put(sqlite_store, 11, quote="quite another thing")
    await put(sqlite_store, 12, REPEATS, user_id=HANNA, forwarded=True)
    await put(sqlite_store, 13, reply_to=50, user_id=HANNA)
    await put(sqlite_store, 50, reply_to=50)
    found = await found_in(sqlite_store)
    assert found.echoes.keys() == {3, 5}
    assert found.quoting.keys() == {7, 8, 10}
    assert found.reacted == [message_path(CHAT, 6)]


async def test_facts_are_found_by_quote_by_vote_by_subject_and_by_words(sqlite_store):
    facts = {
        "quoted": believed(rule("a", evidence(1, user_id=HANNA))),
        "of the message": believed(rule("b", evidence(50, user_id=TARAS, minutes=1))),
        "repeats": believed(rule(REPEATS, evidence(2, user_id=TARAS))),
        "about": believed(candidate("c", evidence(3, user_id=HANNA, minutes=101), **ABOUT)),
        "another": believed(rule("d", evidence(4, user_id=TARAS))),
        "later": believed(rule("e", evidence(5, user_id=HANNA, minutes=101))),
    }
    for name, fact in facts.items():
        await sqlite_store.set(f"chats/{CHAT}/facts/{name}", fact_to_fields(fact))
    voiced = fact_to_fields(facts["another"]) | {"voices": [{"user_id": HANNA, "at": at(9), "message_id": None}]}
    await sqlite_store.set(f"chats/{CHAT}/facts/voted", voiced)
    rival = fact_to_fields(facts["quoted"]) | {"conflicts_with": "believed"}
    await sqlite_store.set(f"chats/{CHAT}/facts/rival", rival)
    found = await found_in(sqlite_store)
    assert found.slots == {"quoted", "of the message", "repeats", "about", "voted", "believed"}
    assert found.quoted == {"quoted", "of the message", "rival"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({"message_ids": [50, 51]}, True),
        ({"existing": {"key": "k", "value": REPEATS, "description": ""}}, True),
        ({"cause": REPEATS}, True),
    ],
)
async def test_a_quality_record_goes_by_its_messages_or_its_words_and_its_fact_is_looked_at(
    sqlite_store, more, expected
):
    await sqlite_store.set(f"chats/{CHAT}/quality/q", quality_record(**{"message_ids": [51]} | more))
    found = await found_in(sqlite_store)
    assert (found.quality, found.slots) == (([f"chats/{CHAT}/quality/q"], {"f"}) if expected else ([], set()))


async def test_whatever_else_is_theirs_is_found_by_whose_it_is(sqlite_store):
    quote = {"message_id": 1, "user_id": HANNA, "quote": "x", "sent_at": at(1)}
    media = {"message_id": 1, "user_id": TARAS, "made_at": at(60), "text": "x", "kind": "sticker", "expire_at": at(99)}
    note = {"first": 1, "last": 2, "first_at": at(1), "last_at": at(1), "message_ids": [1, 2], "speakers": [TARAS]}
    note |= {"summary": "nothing"}
    there = {
        f"profiles/user:{HANNA}": {"facts": []},
        "profiles/chat": {"facts": [{"evidence": [quote]}]},
        f"profiles/user:{TARAS}": {"facts": [{"evidence": [quote | {"user_id": TARAS}]}]},
        "profiles/user:103": {"facts": [{"value": REPEATS}]},
        "media/a": media,
        "media/b": media | {"user_id": HANNA},
        "media/c": media | {"message_id": 50},
        "media/d": media | {"user_id": HANNA, "made_at": at(101)},
        f"members/{HANNA}": {"profile_text": "x"},
        f"members/{TARAS}": {"profile_text": "x", "name": "Т"},
        "members/103": {"name": "М"},
        f"spending/{HANNA}-2026": {"user_id": HANNA},
        f"spending/{TARAS}-2026": {"user_id": TARAS},
        "chunks/1-2": note,
        "chunks/3-4": note | {"speakers": [HANNA]},
        "episodes/1-2": note | {"summary": REPEATS},
        "upkeep/derived": {"text": REPEATS},
    }
    for path, data in there.items():
        await sqlite_store.set(f"chats/{CHAT}/{path}", data)
    found = await found_in(sqlite_store)
    assert found.profiles == {f"user:{HANNA}", "chat", "user:103"}
    assert {path.rsplit("/", 1)[-1] for path in found.media} == {"b", "c"}
    assert found.summarized == [f"chats/{CHAT}/members/{TARAS}"]
    assert found.spent == [f"chats/{CHAT}/spending/{HANNA}-2026"]
    assert {note.path.split("/", 2)[2]: note.theirs for note in found.notes} == {
        "chunks/1-2": False,
        "chunks/3-4": True,
        "episodes/1-2": True,
    }
    only = await found_in(sqlite_store, scope=ONLY_MESSAGES, whose=None)
    assert (only.spent, only.media) == ([], [f"chats/{CHAT}/media/c"])


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({"user_id": TARAS}, False),
        ({"user_id": HANNA}, True),
        ({"user_id": HANNA, "sent_at": at(101)}, False),
        ({"user_id": TARAS, "forwarded": True}, True),
        ({"user_id": BOT, "is_bot": True}, True),
    ],
)
@pytest.mark.parametrize("where", ["text", "media_text"])
async def test_what_another_member_says_is_theirs_in_words_or_in_what_they_sent(sqlite_store, said, left, where):
    await put(sqlite_store, 9, **said, fields={where: SAID[0]})
    words = ForgottenWords(SAID)
    await leave_others_words(sqlite_store, SCOPE, words)
    assert words.occur_in(SAID[0]) is left


@pytest.mark.parametrize(
    ("change", "quotes", "left"),
    [
        ("creation", [TARAS], False),
        ("evolution", [TARAS], False),
        ("reinforcement", [TARAS], True),
        ("creation", [HANNA], True),
        ("creation", [TARAS, HANNA], True),
        ("creation", [], True),
        ("creation", ["agrees"], True),
    ],
)
async def test_the_value_of_a_version_is_others_when_it_was_given_by_their_quotes_alone(
    sqlite_store, change, quotes, left
):
    step = learn(None, rule(SAID[0], evidence(9, user_id=TARAS)))
    said = [evidence(at_, user_id=TARAS if who == "agrees" else who) for at_, who in enumerate(quotes, 1)]
    fields = [evidence_fields(replace(e, agrees=who == "agrees")) for e, who in zip(said, quotes, strict=True)]
    version = version_to_fields(step, at=at(9)) | {"change": change, "evidence": fields}
    await sqlite_store.set(f"chats/{CHAT}/facts/f/versions/000001", version)
    words = ForgottenWords(SAID)
    await leave_others_words(sqlite_store, SCOPE, words)
    assert words.occur_in(SAID[0]) is left


async def test_what_another_member_is_quoted_with_stays_theirs_when_the_message_is_gone(sqlite_store):
    fact = believed(rule("x", evidence(3, user_id=TARAS, quote=SAID[0])))
    await sqlite_store.set(f"chats/{CHAT}/facts/f", fact_to_fields(fact))
    words = ForgottenWords(SAID)
    await leave_others_words(sqlite_store, SCOPE, words)
    assert not words.occur_in(SAID[0])


HANNA, TARAS, CHAT = 104, 102, -1001
SCOPE = Scope(CHAT, HANNA, frozenset(), at(100))


def seen(name, kind="chunk", *, level=0, ids=(), made_with=(), nodes=(), theirs=False):
    path, known = f"chats/{CHAT}/{kind}s/{name}", None if made_with is None else (*ids, *made_with)
    return NoteSeen(path, kind, name, level, tuple(ids), known, tuple(nodes), theirs)


def chunk(number, **more):
    return seen(f"c{number}", ids=range(10 * number, 10 * number + 10), **more)


def names(notes, gone=()):
    return {note.id for note in find_affected(notes, frozenset(gone))}


def test_a_chunk_goes_with_its_messages_and_so_does_each_that_was_made_with_them():
    chunks = [chunk(1, made_with=[25]), chunk(2), chunk(3, made_with=[26]), chunk(4, made_with=[3, 25])]
    assert names(chunks, {25}) == {"c1", "c2", "c4"}
    assert names(chunks, {3}) == {"c4"}
    assert names(chunks, {9}) == set()


def test_a_note_that_does_not_say_what_it_was_made_with_goes_as_far_as_a_call_may_have_reached():
    old = [seen(f"c{number}", ids=(number,), made_with=None) for number in range(1, 3 * REACH)]
    reached = {f"c{number}" for number in range(5, 2 * REACH + 6)}
    assert names([*old, seen("e", "episode", ids=(4, 3), made_with=None)], {REACH + 5}) == reached
    assert names(reversed(old), {REACH + 5}) == reached
    assert names([seen("empty", made_with=None)], {1}) == set()


def test_a_chunk_that_repeats_their_words_goes_alone():
    assert names([chunk(1, theirs=True), chunk(2)]) == {"c1"}


def test_a_meta_goes_with_one_of_its_nodes_however_high_it_stands():
    metas = [
        seen("top", "meta", level=2, nodes=("low", "other")),
        seen("low", "meta", level=1, nodes=("c1", "c2")),
        seen("other", "meta", level=1, nodes=("c8",)),
        seen("own", "meta", level=1, nodes=("c9",), theirs=True),
        seen("of own", "meta", level=2, nodes=("own",)),
    ]
    assert names([*metas, chunk(1), chunk(2), chunk(3)], {15}) == {"c1", "low", "top", "own", "of own"}


def test_an_episode_goes_by_its_own_messages_or_words_and_takes_no_meta_along():
    episodes = [seen("e1", "episode", ids=(1, 2)), seen("e2", "episode", ids=(3,)), seen("e3", "episode", theirs=True)]
    assert names([*episodes, seen("m", "meta", level=1, nodes=("e1",))], {2}) == {"e1", "e3"}


SPAN = {"first": 1, "last": 9, "first_at": at(1), "last_at": at(9)}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({"speakers": [TARAS]}, False),
        ({"speakers": [TARAS, HANNA]}, True),
        ({"participants": [{"user_id": HANNA, "name": "Ганна"}]}, True),
        ({"participants": [{"user_id": TARAS, "name": "Тарас"}], "speakers": [TARAS]}, False),
    ],
)
def test_a_note_is_theirs_when_they_speak_or_take_part_in_it(more, expected):
    document = Document(f"chats/{CHAT}/episodes/1-9", {**SPAN, "message_ids": [1, 9], **more})
    note = note_seen(SCOPE, document)
    assert note == NoteSeen(document.path, "episode", "1-9", 0, (1, 9), None, (), expected)
    assert not note_seen(SCOPE._replace(user_id=None), document).theirs


async def test_notes_are_emptied_and_one_that_is_gone_stays_gone(sqlite_store):
    app, there = app_on(sqlite_store), {"summary": "quasars", "episodic": "quasars", "speakers": [HANNA], "first": 1}
    paths = [f"chats/{CHAT}/chunks/{number}" for number in range(25)]
    for path in paths:
        await sqlite_store.set(path, {**there, "indexed": True, "embedding": [1.0], "message_vectors": [b"v"]})
    gone = seen("gone")
    await empty_notes(app.store, CHAT, [*(seen(path.rsplit("/", 1)[-1]) for path in paths), gone])
    for document in await sqlite_store.get_many(paths):
        left = {name: document.data[name] for name in ("summary", "episodic", "speakers", "indexed")}
        assert left == {"summary": "", "episodic": "", "speakers": [], "indexed": False}
        assert [document.data[name] for name in ("embedding", "message_vectors")] == [None, None]
    assert await sqlite_store.get(gone.path) is None
    assert (await sqlite_store.get(f"chats/{CHAT}/upkeep/derived")).data["stale"] == 1


async def test_without_a_note_there_is_nothing_to_do(sqlite_store):
    await empty_notes(sqlite_store, CHAT, [])
    assert [document async for document in sqlite_store.subtree(f"chats/{CHAT}")] == []
