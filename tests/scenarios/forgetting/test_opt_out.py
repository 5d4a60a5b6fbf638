"""Law 8: from `/gryadoptout` on a member's words are neither stored, nor shown, nor sent to the model."""

from datetime import timedelta

import pytest

from shared.application.chats.marks import read_record, why_due
from shared.application.chats.migration import begin_migration
from shared.application.commands.table import COMMANDS
from shared.application.delivery.answer import Answer
from shared.application.delivery.sending import say_once
from shared.application.documents import chat_path, chunks_path, learning_path, messages_path
from shared.application.forgetting.consent import apply_consent, opt_in, opt_out
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Filter
from shared.application.reading.extraction import extract_chat
from shared.domain.errors import BadPayload
from shared.domain.recall.index.segment import Segment
from tests.support import updates
from tests.support.delivery.answers import fill_the_minute
from tests.support.faults import Crashed
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

HANNA, TARAS, OLIA = (104, "Ганна"), (102, "Тарас"), (101, "Оля")
SECRETS = ("житомир", "сомбреро", "квазар", "левітац")
TALK = [
    (OLIA, "Добрий вечір усім, як минув ваш день?"),
    (HANNA, "Я живу у Житомирі"),
    (TARAS, "А я живу у Львові"),
    (HANNA, "Обожнюю фіолетове сомбреро"),
    (OLIA, "Мій улюблений напій — кава"),
    (HANNA, "Нагадую: ніяких квазарів у чаті!"),
    (TARAS, "Нагадую: ніякої політики в чаті!"),
    (OLIA, "Згодна, без політики"),
    (HANNA, "Я забронюю квитки на левітацію завтра"),
    (TARAS, "Я вивчаю англійську"),
    (HANNA, "Планую вчити левітацію наступного місяця"),
    (OLIA, "Гаразд, тоді домовились на пʼятницю"),
]


async def nights(group):
    for job in NIGHTLY:
        await run_job(group.runtime.app, job, {"chat_id": CHAT})
    await group.settle()


async def lived(group):
    """A conversation with all that comes of it, and an answer of the bot that retells her."""
    for who, text in TALK:
        await group.say(text, *who)
    await group.settle()
    group.clock.advance(timedelta(hours=3))
    await group.say("гряг, де живе Ганна?", *TARAS)
    await group.settle()
    await nights(group)


async def use_everything(group):
    """Whatever can show something, or ask the model, is asked for it, by another member."""
    for name in COMMANDS:
        await group.say(f"/{name}", *TARAS)
        group.clock.advance(timedelta(minutes=4))
    for question in ("гряг, де живе Ганна і що вона любить?", "гряг, які в нас правила?"):
        await group.say(question, *TARAS)
        group.clock.advance(timedelta(minutes=4))
    why = updates.message("?", message_id=group.api.sent[-1].message_id, sender=group.api.bot)
    await group.say("/gryadwhy", *TARAS, reply_to_message=why)
    for number in range(12):
        await group.say(f"Рахунок за воду знову виріс, уже {number} раз", *OLIA)
    await group.settle()
    await nights(group)


def heard(texts):
    """Which of her words are in what was said or sent."""
    return sorted({word for text in texts for word in SECRETS if word in text.casefold()})


def shown(group, since):
    """Everything that Telegram was given after so many calls."""
    return [repr(call.params) for call in group.api.calls[since:]]


async def test_nothing_of_who_opted_out_is_shown_or_sent_to_the_model_whatever_is_asked(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(
            lambda request: "Ганна живе у Житомирі" if "де живе Ганна?" in str(request.body)[-900:] else "-"
        )
        await lived(group)
        assert heard(repr(request.body) for request in gemini.requests) == sorted(SECRETS)
        gemini.reply_with(lambda _: "- нічого нового")
        await group.say("/gryadoptout", *HANNA)
        await group.settle()
        assert "не зберігаю ваших слів" in " ".join(group.answers)
        asked, called = len(gemini.requests), len(group.api.calls)
        await group.say("Я вже переїхала у Житомир назавжди", *HANNA)
        await use_everything(group)
        assert heard(repr(request.body) for request in gemini.requests[asked:]) == []
        assert heard(shown(group, called)) == []
        assert len(gemini.requests) > asked + 3


async def test_without_a_model_nothing_is_shown_either(group):
    await lived(group)
    assert heard(group.answers) != []
    await group.say("/gryadoptout", *HANNA)
    await group.settle()
    called = len(group.api.calls)
    await group.say("гряг, де живе Ганна і що вона любить?", *TARAS)
    await group.say("/gryadcontext", *TARAS)
    await group.say("/gryadrecap 2 дні", *TARAS)
    assert heard(shown(group, called)) == []


async def test_what_they_say_is_not_stored_but_their_commands_are_answered(laptop):
    await laptop.say("/gryadoptout", *HANNA)
    said = len(laptop.answers)
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.say("гряг, де я живу?", *HANNA)
    assert len(laptop.answers) == said
    await laptop.say("/gryadhelp", *HANNA)
    assert len(laptop.answers) == said + 1
    await laptop.settle()
    stored = await laptop.store.query(messages_path(CHAT), where=[Filter("user_id", "==", HANNA[0])])
    assert [document.data["text"] for document in stored] == ["/gryadoptout"]


async def test_a_quote_of_theirs_in_somebody_elses_message_is_not_stored(laptop):
    first = await laptop.say("Обожнюю фіолетове сомбреро", *HANNA)
    await laptop.say("/gryadoptout", *HANNA)
    quoting = {"reply_to_message": first["message"], "quote": {"text": "фіолетове сомбреро", "position": 8}}
    await laptop.say("Оце так", *TARAS, **quoting)
    (stored,) = [message for message in await laptop.messages() if message["text"] == "Оце так"]
    assert stored["quote"] is None


async def test_what_another_instance_stored_in_the_minute_after_is_taken_away(laptop):
    await laptop.say("Привіт усім", *TARAS)
    app = laptop.runtime.app
    unaware = await app.chats.state(CHAT, fresh=True)
    await laptop.say("/gryadoptout", *HANNA)
    app.chats._remember(unaware)
    await laptop.say("Я живу у Житомирі", *HANNA)
    assert heard(message["text"] for message in await laptop.messages()) == ["житомир"]
    await laptop.settle()
    assert heard([repr(document) async for document in laptop.store.subtree(chat_path(CHAT))]) == []


async def test_what_was_said_before_comes_back_when_they_opt_in(laptop):
    await lived(laptop)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.settle()
    for number in range(12):
        await laptop.say(f"Рахунок за воду знову виріс, уже {number} раз", *OLIA)
    await laptop.settle()
    await laptop.say("/gryadoptin", *HANNA)
    assert "знову з нами" in laptop.answers[-1]
    await laptop.settle()
    await laptop.say("гряг, де живе Ганна?", *TARAS)
    assert "Житомир" in laptop.answers[-1]
    await laptop.say("Тепер я живу в Одесі", *HANNA)
    await laptop.settle()
    assert "Тепер я живу в Одесі" in [message["text"] for message in await laptop.messages()]


async def test_a_chunk_that_was_made_without_them_is_made_again_with_them(laptop):
    for who, text in TALK[:9]:
        await laptop.say(text, *who)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.settle()
    (chunk, *_) = await laptop.store.query(chunks_path(CHAT))
    assert HANNA[0] not in chunk.data["speakers"]
    assert heard([repr(chunk.data)]) == []
    await laptop.say("/gryadoptin", *HANNA)
    await laptop.settle()
    await extract_chat(laptop.runtime.app, CHAT)
    (chunk, *_) = await laptop.store.query(chunks_path(CHAT))
    assert HANNA[0] in chunk.data["speakers"]
    assert heard([repr(chunk.data)]) != []


async def test_who_dies_while_somebody_opts_out_leaves_nothing_undone(laptop):
    await laptop.say("Я живу у Житомирі", *HANNA)
    app = laptop.runtime.app
    for die_at in range(1, 8):
        laptop.store.arm(die_at, after=bool(die_at % 2))
        try:
            await opt_out(app, CHAT, HANNA[0])
        except Crashed:
            continue
        break
    laptop.store.arm(None)
    await laptop.settle()
    assert (await app.chats.state(CHAT, fresh=True)).opted_out == {HANNA[0]}
    await laptop.say("Я досі живу у Житомирі", *HANNA)
    assert len(await laptop.messages()) == 1


async def test_what_waits_to_be_said_and_retells_them_is_not_said_any_more(laptop):
    await laptop.say("Обожнюю фіолетове сомбреро й команди", *HANNA)
    await laptop.say("А я кульбабовий чай", *TARAS)
    await laptop.settle()
    now = laptop.clock.now()
    fill_the_minute(laptop)
    for number, text in enumerate(("У неї є сомбреро", "А в нього кульбабовий чай")):
        waiting = Answer.of(OutgoingText(text, text))
        assert await say_once(laptop.runtime.app, CHAT, f"{number}", waiting) == "waits"
    update = laptop.says("/gryadoptout", *HANNA)
    assert await laptop.deliver(update) == 200
    assert laptop.answers == []
    await apply_consent(laptop.runtime.app, {"chat_id": CHAT, "user_id": HANNA[0], "since": now.isoformat()})
    await laptop.settle()
    said = " ".join(laptop.answers)
    assert ("сомбреро" in said, "кульбабовий" in said, "не зберігаю ваших слів" in said) == (False, True, True)


# --- Other instances, wrong tasks, the night ----------------------------------------------------------


@pytest.mark.parametrize("first_out", [True, False])
async def test_a_choice_right_after_the_other_one_counts_on_an_instance_that_knows_neither(laptop, first_out):
    await laptop.say("Привіт усім", *HANNA)
    app = laptop.runtime.app
    if not first_out:
        await opt_out(app, CHAT, HANNA[0])
    unaware = await app.chats.state(CHAT, fresh=True)
    choose, choose_again = (opt_out, opt_in) if first_out else (opt_in, opt_out)
    assert await choose(app, CHAT, HANNA[0])
    app.chats._remember(unaware)
    assert await choose_again(app, CHAT, HANNA[0])
    assert (HANNA[0] in (await app.chats.state(CHAT, fresh=True)).opted_out) is not first_out
    app.chats._remember(unaware)
    assert not await choose_again(app, CHAT, HANNA[0])


async def test_opting_in_leaves_out_who_is_still_opted_out(laptop):
    app = laptop.runtime.app
    for who in (HANNA, TARAS):
        await laptop.say("Привіт усім", *who)
        await opt_out(app, CHAT, who[0])
    assert await opt_in(app, CHAT, HANNA[0])
    assert (await app.chats.state(CHAT, fresh=True)).opted_out == {TARAS[0]}


WISHED = {"chat_id": CHAT, "user_id": 104, "since": "2026-11-06T18:00:00+00:00"}


@pytest.mark.parametrize(
    "payload",
    [
        *({name: each for name, each in WISHED.items() if name != missing} for missing in WISHED),
        WISHED | {"chat_id": str(CHAT)},
        WISHED | {"user_id": "104"},
        WISHED | {"since": 1_790_000_000},
    ],
)
async def test_a_task_with_one_wrong_field_is_refused(laptop, payload):
    with pytest.raises(BadPayload):
        await apply_consent(laptop.runtime.app, payload)


@pytest.mark.parametrize("out", [True, False])
async def test_the_night_comes_again_after_either_choice(laptop, out):
    await lived(laptop)
    app = laptop.runtime.app
    if not out:
        await opt_out(app, CHAT, HANNA[0])
        await laptop.settle()
        await nights(laptop)
    laptop.clock.advance(timedelta(days=2))
    await (opt_out if out else opt_in)(app, CHAT, HANNA[0])
    await laptop.work()
    laptop.clock.advance(timedelta(seconds=5))
    before = laptop.clock.now()
    payload = {"chat_id": CHAT, "user_id": HANNA[0], "since": before.isoformat()}
    await apply_consent(app, payload)
    assert (await laptop.store.get(chat_path(CHAT))).data["last_active_at"] == before
    chat = read_record(await laptop.store.get(chat_path(CHAT)))
    due = why_due(chat, "culture", by="", run_at=before, now=before)
    assert due == "the chat was active since"


async def test_what_was_said_of_a_group_that_moved_is_seen_to_where_it_went(laptop):
    new = -1009999
    app = laptop.runtime.app
    await lived(laptop)
    await begin_migration(app, CHAT, new)
    await laptop.settle()
    await opt_out(app, new, HANNA[0])
    payload = {"chat_id": CHAT, "user_id": HANNA[0], "since": laptop.clock.now().isoformat()}
    assert "taken_away" in await apply_consent(app, payload)
    await opt_in(app, new, HANNA[0])
    assert (await apply_consent(app, payload))["brought_back"] > 0


async def test_notes_in_which_they_speak_are_out_of_the_index_until_they_opt_in(laptop):
    """Not only by a later reading: from the task on, whatever else runs or does not."""
    await lived(laptop)
    app, since = laptop.runtime.app, laptop.clock.now()
    assert heard(await indexed_notes(laptop)) != []
    await opt_out(app, CHAT, HANNA[0])
    await apply_consent(app, {"chat_id": CHAT, "user_id": HANNA[0], "since": since.isoformat()})
    assert heard(await indexed_notes(laptop)) == []
    await opt_in(app, CHAT, HANNA[0])
    await laptop.settle()
    assert heard(await indexed_notes(laptop)) != []


async def indexed_notes(group):
    documents = [document async for document in group.store.subtree(chat_path(CHAT)) if "payload" in document.data]
    return [note.text for each in documents for note in Segment.decode(each.data["payload"]).notes()]


async def test_a_portrait_of_the_group_is_made_again_after_either_choice(laptop):
    await lived(laptop)
    app, marks = laptop.runtime.app, [learning_path(CHAT, subject) for subject in ("chat", f"user:{HANNA[0]}")]
    await opt_out(app, CHAT, HANNA[0])
    await laptop.settle()
    await nights(laptop)
    await opt_in(app, CHAT, HANNA[0])
    for path in marks:
        await laptop.store.update(path, {"summarized": True, "summary_of": "x"})
    await apply_consent(app, {"chat_id": CHAT, "user_id": HANNA[0], "since": laptop.clock.now().isoformat()})
    learnt = [document.data for document in await laptop.store.get_many(marks)]
    assert [(each["summarized"], each["summary_of"]) for each in learnt] == [(False, None)] * 2
