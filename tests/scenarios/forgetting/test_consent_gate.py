"""Law 8 at the gate: words of who opted out are in no request to a model, for no purpose, while all is still there.

What follows from opting out (notes emptied, the index without them, CONTEXT.md edited) is done by a task. Here that
task never runs, so only `conversation.consent_gate`, which all that is read for a model must pass, keeps them back.
"""

import json
from dataclasses import replace
from datetime import timedelta
from typing import get_args

from shared.application.consolidation.model_lane import note_items
from shared.application.conversation.message_codec import message_fields, new_message, read_message
from shared.application.documents import chat_path, chunks_path, message_path, messages_path
from shared.application.night import portraits
from shared.application.ports.model import Media, Purpose
from shared.application.ports.store import Order
from shared.application.reading.notes.codec import mark_work_due
from shared.application.recall.note_codec import outdated_fields
from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.conversation.messages import MediaFile, Message
from tests.scenarios.forgetting.test_opt_out import HANNA, OLIA, TALK, TARAS, heard, nights
from tests.support.gemini.server import FakeGemini, calls
from tests.support.group import CHAT, FRIDAY, running_group
from tests.support.media import photo, png
from tests.support.reading.replies import reading

RETOLD = "Ганна живе у Житомирі, обожнює фіолетове сомбреро, квазари й левітацію."
HER_PICTURE, HIS_PICTURE = png(9), png(3)
PURPOSES = frozenset(get_args(Purpose))


def retelling(request):
    """As a model that retells her wherever it hears of her."""
    asked = (request.schema or {}).get("properties", {})
    knows = heard([request.prompt]) != []
    if "parts" in asked and knows:
        return json.dumps(reading(request, RETOLD, [RETOLD]), ensure_ascii=False)
    if request.schema:
        return json.dumps({name: [] for name in asked})
    return RETOLD if knows else "Рахунок за воду виріс."


def curious(request):
    """As a model that answers only after it has looked through the memory and the web."""
    asked = [name for name, _ in request.called]
    for tool, query in (("recall", "де живе Ганна і що вона любить?"), ("web_search", "погода")):
        if tool in request.tools and request.may_call and tool not in asked:
            return calls(tool, query=query)
    return json.dumps({}) if request.schema else "- нічого нового"


def listen(group, monkeypatch):
    """Every request to the model from now on, as the product makes it: with what it is for."""
    model, requests = group.runtime.app.model, []
    ask = model.generate

    async def generate(request):
        requests.append(request)
        return await ask(request)

    monkeypatch.setattr(model, "generate", generate)
    return requests


async def put(group, *messages):
    """Messages as some instance stores them, whatever it knows of consent; behind all that were said."""
    said = await group.store.query(messages_path(CHAT))
    first = max(read_message(each).message.message_id for each in said) + 1
    for number, each in enumerate(messages, start=first):
        placed = replace(each, message_id=number, sent_at=group.clock.now())
        fields = message_fields(new_message(placed, now=placed.sent_at, retention=timedelta(days=90)))
        await group.store.set(message_path(CHAT, number), fields)
        group.ids(CHAT, "supergroup").keep(number)
        group.clock.advance(timedelta(seconds=5))


def line(who, text, **more):
    return Message(CHAT, 0, FRIDAY, *who, text=text, **more)


async def live(group):
    """Talk in nine chunks, her words in the first two, with all that is made of them by day and by night."""
    for who, text in TALK:
        await group.say(text, *who)
    rest = range(9 * 10 - len(TALK))
    await put(group, *(line((OLIA, TARAS)[n % 2], f"Рахунок за воду знову виріс, уже {n} раз") for n in rest))
    await group.settle()
    group.clock.advance(timedelta(hours=3))
    await nights(group)
    await note_hers(group)


async def note_hers(group):
    """What a model finds that the group is doing, in her words."""
    said = [read_message(each).message for each in await group.store.query(messages_path(CHAT))]
    hers = next(each for each in said if each.user_id == HANNA[0] and heard([each.text]))
    found = [Suggestion(Section.ONGOING, hers.text, ((hers.message_id, hers.text),))]
    app = group.runtime.app
    await note_items(app, await app.chats.state(CHAT, fresh=True), said, found, (), made_by="m/5")


async def left_of_her(group):
    """Where her words lie: kinds of documents, and "chat" for the chat's own."""
    found = {"chat"} if heard([repr(await group.store.get(chat_path(CHAT)))]) else set()
    async for document in group.store.subtree(chat_path(CHAT)):
        if heard([repr(document)]):
            found.add(document.path.split("/")[2])
    return found


async def opt_out_unnoticed(group):
    """She opts out; of all that follows from it nothing has been done yet."""
    await group.runtime.app.chats.change(CHAT, {"opted_out": [HANNA[0]]})


async def store_unaware(group):
    """What an instance stores that does not know of it yet: her words, her picture, and hers in somebody else's."""
    hers = {"origin_ids": (HANNA[0],)}
    await put(
        group,
        line(HANNA, "Я вже переїхала у Житомир назавжди"),
        line(TARAS, "Оце так новина, хто б подумав", quote="фіолетове сомбреро", **hers),
        line(TARAS, "Квазари й левітація для всіх", forwarded=True, **hers),
        line(HANNA, "", kind="photo", media=a_photo("hers")),
    )


def a_photo(file_id):
    return MediaFile(file_id, f"u-{file_id}", 70)


async def use_everything(group, replied):
    """Whatever asks the model is asked for, by others than her, in reply to her as well."""
    to_her = {"reply_to_message": replied["message"]}
    await group.say("гряг, де живе Ганна і що вона любить?", *TARAS, **to_her)
    await group.say(None, *TARAS, caption="Мій торт", **photo("his"))
    for number in range(14):
        await group.say(f"Рахунок за газ теж виріс, уже {number} раз", *(OLIA, TARAS)[number % 2])
    await group.settle()
    await group.runtime.app.chats.change(CHAT, {"active": True, "settings": {"prompts": {"meta": "за днями"}}})
    for each in await group.store.query(
        chunks_path(CHAT), order_by=[Order("first")], limit=2
    ):  # as after an edit of somebody else's message in it
        await group.store.update(each.path, outdated_fields())
    await group.store.upsert(*mark_work_due(CHAT, "stale"))
    for each in await group.store.query(f"{chat_path(CHAT)}/learning"):
        await group.store.update(each.path, {"summarized": False, "profiled": False})
    await group.say("Нагадую ще раз: ніякої політики в чаті!", *TARAS)
    await group.settle()
    await nights(group)


def pictures(requests):
    parts = [part for request in requests for turn in request.turns for part in turn.parts]
    return [part.data for part in parts if isinstance(part, Media)]


async def test_no_request_of_any_purpose_holds_words_of_who_opted_out(sqlite_store, monkeypatch):
    monkeypatch.setattr(portraits, "FEW_FACTS", 1)
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        group.api.files.add("hers", HER_PICTURE)
        group.api.files.add("his", HIS_PICTURE)
        gemini.reply_with(retelling)
        replied = await group.say("Обожнюю фіолетове сомбреро понад усе", *HANNA)
        await live(group)
        lies_in = await left_of_her(group)
        assert lies_in >= {"messages", "chunks", "episodes", "facts", "context"}, lies_in
        await opt_out_unnoticed(group)
        await store_unaware(group)
        gemini.reply_with(curious)
        requests = listen(group, monkeypatch)
        await use_everything(group, replied)
        told = {request.purpose: heard([repr(request)]) for request in requests if heard([repr(request)])}
        assert told == {}
        assert {request.purpose for request in requests} == PURPOSES
        assert set(pictures(requests)) == {HIS_PICTURE}
