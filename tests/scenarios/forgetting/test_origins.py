"""Words of a member in somebody else's message: quoted, replied to from elsewhere, forwarded. They are known by whose
they are, not by the original, which may be gone."""

import json
from datetime import timedelta

import pytest

from shared.application.documents import chat_path, message_path
from shared.application.forgetting.forget import erase_member, forget_chat
from shared.application.forgetting.proof import prove
from shared.application.intake.maintenance import run_job
from tests.support import updates
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

HANNA, TARAS, MARKO = (202, "Ганна"), (203, "Тарас"), (204, "Марко")
SECRET = "блакитний кенгуру стрибає опівночі біля річки"
ELSEWHERE = -1_001_000_000_777


def origin(kind, who=HANNA):
    """A MessageOrigin of each kind; a channel and a group stand for a member who speaks as one."""
    date = updates.START
    return {
        "user": {"type": "user", "sender_user": updates.user(*who), "date": date},
        "hidden_user": {"type": "hidden_user", "sender_user_name": who[1], "date": date},
        "chat": {"type": "chat", "sender_chat": updates.chat(who[0], "supergroup", title=who[1]), "date": date},
        "channel": {
            "type": "channel",
            "chat": updates.chat(who[0], "channel", title=who[1]),
            "message_id": 7,
            "date": date,
        },
    }[kind]


def quote(text):
    return {"text": text, "position": 0, "is_manual": True}


def from_elsewhere(kind, text, who=HANNA):
    """A reply to a message of another chat, with a part of it."""
    there = {"origin": origin(kind, who), "chat": updates.chat(ELSEWHERE), "message_id": 3}
    return {"external_reply": there, "quote": quote(text)}


async def holding(group, needle, but=()):
    """Paths of the chat's documents in which a text stands."""
    found = [d async for d in group.store.subtree(chat_path(CHAT)) if d.path not in but]
    found.append(await group.store.get(chat_path(CHAT)))
    return [d.path for d in found if needle in json.dumps(d.data, default=repr, ensure_ascii=False).casefold()]


WAYS = {
    "a reply with a quote": lambda said: {"reply_to_message": said["message"], "quote": quote("кенгуру стрибає")},
    "a quote of one word": lambda said: {"reply_to_message": said["message"], "quote": quote("кенгуру")},
    "a reply from another topic": lambda _: from_elsewhere("user", "кенгуру"),
    "a reply to who hides the account": lambda _: from_elsewhere("hidden_user", "кенгуру"),
    "a reply to a forward": lambda _: {
        "reply_to_message": updates.message(
            "кенгуру", message_id=900, sender=updates.user(*MARKO), forward_origin=origin("user")
        ),
        "quote": quote("кенгуру"),
    },
    "a reply to a hidden forward": lambda _: {
        "reply_to_message": updates.message(
            "кенгуру", message_id=900, sender=updates.user(*MARKO), forward_origin=origin("hidden_user")
        ),
        "quote": quote("кенгуру"),
    },
}
FORWARDS = {
    "a forward": {"forward_origin": origin("user")},
    "a forward of who hides the account": {"forward_origin": origin("hidden_user")},
    "a forward as a chat": {"forward_origin": origin("chat")},
    "a forward from a channel": {"forward_origin": origin("channel")},
}


@pytest.mark.parametrize("way", WAYS)
async def test_no_quote_of_who_opted_out_is_stored(laptop, way):
    said = await laptop.say(f"Секрет: {SECRET}", *HANNA)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.work()
    await laptop.say("Оце так", *TARAS, **WAYS[way](said))
    (stored,) = [message for message in await laptop.messages() if message["text"] == "Оце так"]
    assert stored["quote"] is None
    assert await holding(laptop, "кенгуру", but=[message_path(CHAT, said["message"]["message_id"])]) == []


@pytest.mark.parametrize("way", FORWARDS)
@pytest.mark.parametrize("content", ["text", "caption"])
async def test_no_forward_of_who_opted_out_is_stored(laptop, way, content):
    await laptop.say("Привіт", *HANNA)
    await laptop.say("/gryadoptout", *HANNA)
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9}]
    said = {"text": "кенгуру"} if content == "text" else {"text": None, "caption": "кенгуру", "photo": photo}
    update = laptop.says(said.pop("text"), *TARAS, **said, **FORWARDS[way])
    assert await laptop.deliver(update) == 200
    edited = {**update["message"], "edit_date": updates.START + 10**7}
    assert await laptop.deliver({"update_id": 9_000, "edited_message": edited}) == 200
    await laptop.settle()
    assert await holding(laptop, "кенгуру") == []


async def test_others_may_still_be_quoted_and_forwarded_when_somebody_opted_out(laptop):
    said = await laptop.say(f"Секрет: {SECRET}", *MARKO)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.say("Перше", *TARAS, reply_to_message=said["message"], quote=quote("кенгуру"))
    await laptop.say("Друге", *TARAS, **from_elsewhere("hidden_user", "кенгуру", MARKO))
    await laptop.say("кенгуру", *TARAS, forward_origin=origin("user", MARKO))
    stored = {message["text"]: message["quote"] for message in await laptop.messages()}
    assert (stored["Перше"], stored["Друге"], stored["кенгуру"]) == ("кенгуру", "кенгуру", None)


async def test_a_new_name_of_who_opted_out_is_learnt_from_what_is_not_stored(laptop):
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.say("кенгуру", 202, "Ганнуся Нова")
    laptop.runtime.app.chats.forget(CHAT)
    await laptop.say("кенгуру", *TARAS, forward_origin=origin("hidden_user", (202, "ганнуся  нова")))
    assert await holding(laptop, "кенгуру") == []
    assert await holding(laptop, "ганнуся") == []


async def test_who_opted_in_again_may_be_quoted_and_forwarded(laptop):
    said = await laptop.say(f"Секрет: {SECRET}", *HANNA)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.say("/gryadoptin", *HANNA)
    await laptop.say("Перше", *TARAS, reply_to_message=said["message"], quote=quote("кенгуру"))
    await laptop.say("кенгуру", *TARAS, forward_origin=origin("hidden_user"))
    stored = {message["text"]: message["quote"] for message in await laptop.messages()}
    assert stored["Перше"] == "кенгуру"
    assert "кенгуру" in stored


async def test_a_quote_stored_before_somebody_opted_out_is_neither_found_nor_given_to_the_model(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(lambda _: "- нічого нового")
        said = await group.say(f"Секрет: {SECRET}", *HANNA)
        await group.say("пам'ятаєте?", *TARAS, reply_to_message=said["message"], quote=quote("кенгуру стрибає"))
        await group.say("кенгуру", *MARKO, forward_origin=origin("user"))
        for number in range(12):
            await group.say(f"Рахунок за воду знову виріс, уже {number} раз", *MARKO)
        await group.settle()
        await group.say("/gryadoptout", *HANNA)
        await group.settle()
        asked = len(gemini.requests)
        await group.say("гряг, що там пам'ятаєте?", *TARAS)
        for number in range(12):
            await group.say(f"А за газ навпаки менше, {number}", *MARKO)
        await group.settle()
        assert len(gemini.requests) > asked
        assert [request for request in gemini.requests[asked:] if "кенгуру" in repr(request.body)] == []


@pytest.mark.parametrize("way", [*WAYS, *FORWARDS])
async def test_who_is_forgotten_is_found_in_others_messages_when_the_original_is_gone(laptop, way):
    said = await laptop.say(f"Секрет: {SECRET}", *HANNA)
    await laptop.settle()
    laptop.clock.advance(timedelta(days=80))
    carried = WAYS[way](said) if way in WAYS else FORWARDS[way]
    await laptop.say("ого" if way in WAYS else "кенгуру", *TARAS, **carried)
    await laptop.say("Мій номер двісті, я тут нова", *HANNA)
    await laptop.settle()
    laptop.clock.advance(timedelta(days=15))
    await run_job(laptop.runtime.app, "retention", {"chat_id": CHAT})
    await laptop.settle()
    assert await holding(laptop, "кенгуру") != []
    erased = await erase_member(laptop.runtime.app, CHAT, HANNA[0])
    assert (await prove(laptop.runtime.app.store, laptop.runtime.app.archive, erased)).left == []
    await laptop.settle()
    assert await holding(laptop, "кенгуру") == []
    assert await holding(laptop, "[202") == []


async def test_on_either_store_a_forward_goes_whose_original_is_gone(group):
    said = await group.say(f"Секрет: {SECRET}", *HANNA)
    await group.say("кенгуру", *TARAS, forward_origin=origin("user"))
    await group.say("ого", *MARKO, **from_elsewhere("hidden_user", "кенгуру"))
    await group.settle()
    await group.store.delete(message_path(CHAT, said["message"]["message_id"]))
    erased = await erase_member(group.runtime.app, CHAT, HANNA[0])
    assert (await prove(group.runtime.app.store, group.runtime.app.archive, erased)).left == []
    assert await holding(group, "кенгуру") == []


async def test_a_proof_sees_whose_words_are_left(laptop):
    await laptop.say("Привіт усім", *HANNA)
    app = laptop.runtime.app
    unaware = await app.chats.state(CHAT, fresh=True)
    erased = await erase_member(app, CHAT, HANNA[0])
    app.chats._remember(unaware._replace(forgotten_at=None, first_seen_at=None))
    await laptop.say("ого", *TARAS, date=int(laptop.clock.now().timestamp()) - 60, **from_elsewhere("user", "кенгуру"))
    (stored,) = await holding(laptop, "кенгуру")
    assert (await prove(laptop.runtime.app.store, laptop.runtime.app.archive, erased)).left == [stored]


async def test_what_others_answered_and_forwarded_of_somebody_else_stays_when_a_member_is_forgotten(laptop):
    await laptop.say("Привіт", *HANNA)
    said = await laptop.say(f"Секрет: {SECRET}", *MARKO)
    await laptop.say("ого", *TARAS, reply_to_message=said["message"], quote=quote("кенгуру"))
    await laptop.say("пінгвін", *TARAS, forward_origin=origin("hidden_user", MARKO))
    await laptop.settle()
    await erase_member(laptop.runtime.app, CHAT, HANNA[0])
    stored = {message["text"]: message for message in await laptop.messages()}
    assert stored["ого"]["quote"] == "кенгуру"
    assert stored["ого"]["origin_ids"] == [MARKO[0]]
    assert "пінгвін" in stored


async def test_an_edit_does_not_bring_back_whose_words_were_quoted(laptop):
    said = await laptop.say(f"Секрет: {SECRET}", *HANNA)
    quoting = await laptop.say("ого", *TARAS, reply_to_message=said["message"], quote=quote("кенгуру"))
    await erase_member(laptop.runtime.app, CHAT, HANNA[0])
    edited = {**quoting["message"], "text": "ого-го", "edit_date": updates.START + 10**7}
    await laptop.deliver({"update_id": 9_000, "edited_message": edited})
    (stored,) = [message for message in await laptop.messages() if message["text"] == "ого-го"]
    assert (stored["quote"], stored.get("origin_ids")) == (None, None)


async def test_a_chat_that_is_forgotten_whole_still_knows_the_names_of_who_opted_out(laptop):
    await laptop.say("Привіт", *HANNA)
    await laptop.say("/gryadoptout", *HANNA)
    await forget_chat(laptop.runtime.app, CHAT)
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("кенгуру", *TARAS, forward_origin=origin("hidden_user"))
    assert await holding(laptop, "кенгуру") == []
