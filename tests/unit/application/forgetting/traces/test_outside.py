"""What lies outside of a chat: letters that failed, by whom and what they name, and answers that wait."""

import json
from itertools import chain

import pytest

from shared.application.documents import answer_path
from shared.application.forgetting.traces.outside import (
    WITHIN,
    delete_dead_letters,
    forget_all_asking,
    forget_asking,
    names_chat,
    take_back_answers,
    take_back_retelling,
    unsay,
    unsay_later,
)
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.ports.store import Document
from shared.domain.errors import BadPayload
from tests.support.builders import at
from tests.support.exports import app_on
from tests.support.group import CHAT as GROUP

CHAT, OTHER, HANNA, TARAS = -1001, -1002, 104, 102
MEMBER, MESSAGES = Scope(CHAT, HANNA, frozenset({50}), at(9)), Scope(CHAT, None, frozenset({50}), at(9))
WORDS = ForgottenWords(["quasars dance all night"])


def body(chat_id=CHAT, user_id=TARAS, message_id=1, text="nothing"):
    return json.dumps({"chat": {"id": chat_id}, "from": {"id": user_id}, "message_id": message_id, "text": text})


def letter_of(fields):
    return Document("dead_letters/update-1", fields)


@pytest.mark.parametrize(
    ("letter", "scope", "expected"),
    [
        (body(), MEMBER, False),
        (body(), None, True),
        (body(user_id=HANNA), MEMBER, True),
        (body(user_id=HANNA), MESSAGES, False),
        (body(user_id=1104), MEMBER, False),
        (body(user_id=1045), MEMBER, False),
        (body(message_id=50), MEMBER, True),
        (body(message_id=50), MESSAGES, True),
        (body(message_id=501), MESSAGES, False),
        (body(text="quasars dance all day"), MEMBER, True),
        (body(OTHER, HANNA, 50, "quasars dance all day"), MEMBER, False),
        (body(OTHER), None, False),
        (body(10015), None, False),
        (body(1001), None, False),
        ('{"text": "quasars dance all day"', MEMBER, True),
        ('{"text": "nothing"', MEMBER, False),
        ('{"chat_id": 5, "text": "quasars dance all day"}', MEMBER, False),
    ],
)
def test_a_letter_goes_by_what_it_names(letter, scope, expected):
    assert names_chat(letter_of({"body": letter}), scope, CHAT, WORDS) is expected


def test_a_letter_is_read_however_it_was_written():
    assert names_chat(
        letter_of({"body": body(user_id=HANNA).encode().hex(), "encoding": "hex"}), MEMBER, CHAT, ForgottenWords()
    )
    assert not names_chat(letter_of({"body": body().encode().hex(), "encoding": "hex"}), MEMBER, CHAT, ForgottenWords())
    words = ForgottenWords(["квазари танцюють"])
    assert names_chat(letter_of({"body": body(text="квазари танцюють")}), MEMBER, CHAT, words)  # with escaped letters
    assert not names_chat(letter_of({"body": body(text="квазари сплять")}), MEMBER, CHAT, words)
    assert names_chat(letter_of({"body": body(), "reason": "квазари танцюють"}), MEMBER, CHAT, words)
    assert names_chat(letter_of({"body": "", "reason": "квазари танцюють"}), MEMBER, CHAT, words)
    assert not names_chat(letter_of({}), MEMBER, CHAT, words)


async def test_all_letters_are_looked_at_and_only_those_that_hold_something_go(sqlite_store):
    app = app_on(sqlite_store)
    for number in range(205):
        letter = body(user_id=HANNA) if number % 100 == 4 else body()
        await sqlite_store.set(f"dead_letters/{number:03}", {"body": letter, "reason": ""})
    assert await delete_dead_letters(app.store, MEMBER, CHAT, ForgottenWords()) == 3
    left = await sqlite_store.query("dead_letters")
    assert len(left) == 202
    assert all(str(HANNA) not in letter.data["body"] for letter in left)


def waiting(text="nothing", **more):
    return {"chat_id": CHAT, "state": "waiting", "outbox": [{"text": text}], **more}


async def test_answers_are_taken_back_that_retell_or_were_made_from_what_is_theirs(sqlite_store):
    app = app_on(sqlite_store)
    updates = {
        "1": waiting("so they dance"),
        "2": waiting(),
        "3": waiting(reply_to=50),
        "4": waiting("so they dance", reply_to=50),
        "5": waiting("so they dance", reply_to=51),
        "6": waiting("so they dance", chat_id=OTHER),
        "7": waiting(reply_to=50, is_given=True),
    }
    for name, fields in updates.items():
        await sqlite_store.set(f"updates/{name}", fields)
    await sqlite_store.set(answer_path(CHAT, "7"), {"facts": []})
    given = {answer_path(CHAT, "7")}
    assert await take_back_retelling(app.store, CHAT, WORDS, given=given, but={50}) == 3
    left = {d.id for d in await sqlite_store.query("updates") if d.data.get("outbox")}
    assert left == {"2", "3", "4", "6"}
    assert await sqlite_store.get(answer_path(CHAT, "7")) is None


async def test_of_a_chat_whatever_waits_is_taken_back_and_what_was_sent_stays_as_it_is(sqlite_store):
    app = app_on(sqlite_store)
    updates = {
        "waits": waiting(),
        "sent": {"chat_id": CHAT, "state": "done", "is_given": True},
        "made again": {"chat_id": CHAT, "state": "answering", "is_composed_again": True, "is_given": True},
        "asked": {"chat_id": CHAT, "state": "asked"},
        "another": waiting(chat_id=OTHER),
    }
    for name, fields in updates.items():
        await sqlite_store.set(f"updates/{name}", fields)
        await sqlite_store.set(answer_path(CHAT, name), {"facts": []})
    assert await take_back_answers(app.store, CHAT) == 2
    after = {document.id: document.data for document in await sqlite_store.query("updates")}
    assert [name for name, data in after.items() if data.get("outbox")] == ["another"]
    assert (after["sent"], after["asked"]) == (updates["sent"], updates["asked"])
    assert {name for name, data in after.items() if data.get("outcome") == "forgotten"} == {"waits", "made again"}
    left = {d.id for d in await sqlite_store.query(f"chats/{CHAT}/answers")}
    assert left == {"waits", "sent", "asked", "another"}


def asked(user_id, when, state="done", **more):
    who = {"user_id": user_id, "message_id": 5, "reply_to": 5, "ask": {"command": "so"}}
    return {"chat_id": CHAT, "state": state, **who, "received_at": at(when), **more}


async def test_a_member_is_in_no_record_of_what_was_asked_and_what_they_asked_is_not_answered(sqlite_store):
    updates = {
        "done": asked(HANNA, 5),
        "asked": asked(HANNA, 5, "asked"),
        "waits": asked(HANNA, 5, "waiting", outbox=[{"text": "so they dance"}]),
        "new": asked(HANNA, 15, "asked"),
        "new and done": asked(HANNA, 15),
        "another's": asked(TARAS, 5, "asked"),
        "elsewhere": {**asked(HANNA, 5, "asked"), "chat_id": OTHER},
    }
    for name, fields in updates.items():
        await sqlite_store.set(f"updates/{name}", fields)
    await forget_asking(sqlite_store, MESSAGES)
    assert {d.id for d in await sqlite_store.query("updates") if "user_id" in d.data} == set(updates), "nobody's words"
    await forget_asking(sqlite_store, MEMBER)
    after = {document.id: document.data for document in await sqlite_store.query("updates")}
    named = {"new", "another's", "elsewhere"}
    assert {name for name, data in after.items() if "user_id" in data} == named
    assert {name: after[name] for name in named} == {name: updates[name] for name in named}
    assert {name for name, data in after.items() if data.get("outcome") == "forgotten"} == {"asked", "waits"}
    assert not any(data.get("outbox") or data.get("ask") for name, data in after.items() if name not in named)


async def test_a_chat_is_in_no_record_of_what_was_asked(sqlite_store):
    await sqlite_store.set("updates/1", asked(HANNA, 5))
    await sqlite_store.set("updates/2", asked(TARAS, 50, "asked"))
    await sqlite_store.set("updates/3", {**asked(HANNA, 5), "chat_id": OTHER})
    await forget_all_asking(sqlite_store, CHAT)
    after = {document.id: document.data for document in await sqlite_store.query("updates")}
    assert (after["1"], after["2"]["state"]) == ({"state": "done", "received_at": at(5)}, "done")
    assert {name for name, data in after.items() if "chat_id" in data} == {"3"}


async def test_telegram_is_asked_for_a_hundred_at_once_and_that_it_refuses_harms_nothing(laptop):
    app, now = laptop.runtime.app, laptop.clock.now()
    said = dict.fromkeys(range(1, 131), now) | {-5: now, 900: now - WITHIN}
    assert await unsay_later(app.queue, app.clock, GROUP, said) == 2
    bodies = [json.loads(each.task.http_request.body) for each in laptop.tasks.tasks.values()]
    asked = [each["message_ids"] for each in bodies if "message_ids" in each]
    assert sorted(map(len, asked)) == [30, 100]
    assert sorted(chain.from_iterable(asked)) == list(range(1, 131))
    laptop.api.chats[GROUP].kicked = True
    assert await unsay(app, {"chat_id": GROUP, "message_ids": [1, 2]}) == {"deleted": 0}


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"chat_id": "1", "message_ids": [1]},
        {"chat_id": 1, "message_ids": []},
        {"chat_id": 1, "message_ids": ["1"]},
        {"chat_id": 1, "message_ids": [1, "2"]},
        {"chat_id": 1, "message_ids": 1},
        {"chat_id": 1, "message_ids": list(range(101))},
    ],
)
async def test_what_names_no_messages_is_refused(laptop, payload):
    with pytest.raises(BadPayload):
        await unsay(laptop.runtime.app, payload)
