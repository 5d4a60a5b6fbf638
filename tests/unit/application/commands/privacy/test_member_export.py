"""`/gryadexport`: all of a member's data, into their private chat, and nothing of anybody else."""

import json
from datetime import timedelta

from shared.application.commands.privacy.member_export import member_export
from shared.application.documents import message_path
from shared.application.ports.store import Set
from shared.domain.conversation.messages import Message
from tests.support import updates
from tests.support.commands.member_files import HANNA, TARAS, file_of, opens_private_chat, told
from tests.support.group import CHAT, FRIDAY
from tests.support.stores.messages import new_message_fields


async def test_the_file_goes_into_the_private_chat_and_holds_what_is_theirs(group):
    await told(group)
    opens_private_chat(group, HANNA)
    await group.say("гряг, де я живу?", *HANNA)
    await group.say("/gryadexport", *HANNA)
    await group.settle()
    to, exported = file_of(group)
    assert to == HANNA[0]
    assert (exported["format"], exported["version"], exported["part"], exported["parts"]) == (
        "spomyn-member-export",
        1,
        1,
        1,
    )
    assert exported["chat"]["chat_id"] == CHAT
    assert exported["member"]["name"] == "Ганна"
    assert exported["member"]["opted_out"] is False
    assert [m["text"] for m in exported["messages"]] == ["Я живу у Житомирі", "гряг, де я живу?", "/gryadexport"]
    (home,) = exported["facts_about_me"]
    assert home["my_words"]["quotes"][0]["quote"] == "Я живу у Житомирі"
    assert [version["change"] for version in home["versions"]] == ["creation"]
    (rule,) = exported["facts_i_spoke_about"]
    assert rule["my_words"]["quotes"] == []
    assert [voice["supports"] for voice in rule["my_words"]["votes"]] == [True]
    assert [answer["question"] for answer in exported["answers_to_me"]] == ["гряг, де я живу?"]
    assert "Тарас" not in json.dumps(exported, ensure_ascii=False)
    assert "політик" not in json.dumps(exported, ensure_ascii=False)
    assert "102" not in json.dumps(exported["facts_i_spoke_about"])


async def test_what_they_quoted_or_forwarded_is_not_theirs(laptop):
    opens_private_chat(laptop, HANNA)
    first = await laptop.say("Мій секретний борщ", *TARAS)
    quoting = {"reply_to_message": first["message"], "quote": {"text": "секретний борщ", "position": 4}}
    await laptop.say("Смачно", *HANNA, **quoting)
    origin = {"type": "user", "date": first["message"]["date"], "sender_user": updates.user(*TARAS)}
    await laptop.say("Мій секретний борщ", *HANNA, forward_origin=origin)
    await laptop.say("/gryadexport", *HANNA)
    await laptop.settle()
    _, exported = file_of(laptop)
    assert [(m["text"], m["forwarded"]) for m in exported["messages"][:2]] == [("Смачно", False), ("", True)]
    assert "борщ" not in json.dumps(exported, ensure_ascii=False)


async def test_who_opted_out_gets_theirs_too(laptop):
    opens_private_chat(laptop, HANNA)
    await told(laptop)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.say("/gryadexport", *HANNA)
    await laptop.settle()
    _, exported = file_of(laptop)
    assert exported["member"]["opted_out"] is True
    assert exported["messages"][0]["text"] == "Я живу у Житомирі"


async def test_many_messages_are_split_into_files_that_each_can_be_read(laptop):
    app = laptop.runtime.app
    said = [
        Message(CHAT, n, FRIDAY + timedelta(seconds=n), HANNA[0], HANNA[1], text=f"Повідомлення {n}")
        for n in range(1, 301)
    ]
    laptop.ids().keep(300)
    await laptop.store.batch(
        [
            Set(message_path(CHAT, m.message_id), new_message_fields(m, now=FRIDAY, retention=app.policy.retention))
            for m in said
        ]
    )
    state = await app.chats.state(CHAT, fresh=True)
    files = await member_export(app.store, app.clock, state, HANNA[0], part_bytes=20_000)
    parts = [json.loads(file) for file in files]
    assert len(parts) > 2
    assert all(len(file) <= 21_000 for file in files)
    assert [message["text"] for part in parts for message in part["messages"]] == [message.text for message in said]
    assert [part["part"] for part in parts] == list(range(1, len(parts) + 1))
    assert [("member" in part) for part in parts] == [True] + [False] * (len(parts) - 1)
