"""Who asks twice in a row is answered once, for both; who says "stop" is not answered; nobody's question is lost."""

import asyncio
from dataclasses import replace

import pytest

from shared.application.delivery.ledger_codec import LONGEST, read_entry, update_path
from shared.application.documents import message_path, usage_path
from shared.application.intake.answering import answer_update
from shared.application.intake.maintenance import run_job
from shared.domain.errors import LeaseHeld
from tests.support import updates
from tests.support.delivery.answers import SECOND
from tests.support.delivery.slow import SlowModel
from tests.support.group import CHAT, running_group

OLYA, TARAS = (101, "Оля"), (102, "Тарас")
PRIVATE = 101


@pytest.fixture
async def chat(store):
    async with running_group(store) as group:
        yield group


class Patient:
    """The group's clock, which who waits does not move."""

    def __init__(self, clock):
        self.now = clock.now

    async def sleep(self, _):
        await asyncio.sleep(0.01)


class Told:
    """Questions that were taken in, and the app that answers them with a slow model."""

    def __init__(self, group):
        self.group, self.model = group, SlowModel("Обидві відповіді.")
        self.app = replace(group.runtime.app, model=self.model, clock=Patient(group.clock))

    async def asks(self, text, who=OLYA, **fields):
        update = self.group.says(text, *who, **fields)
        assert await self.group.post(update) == 200
        self.group.clock.advance(5 * SECOND)
        return update["update_id"]

    def begins(self, update_id):
        return asyncio.create_task(answer_update(self.app, update_id))

    async def is_queued(self, update_id):
        """The queue runs it until it is done."""
        while True:
            try:
                return await answer_update(self.app, update_id)
            except LeaseHeld:
                await asyncio.sleep(0.01)

    async def ends(self, *running):
        self.model.go_on.set()
        return [str((await each).result) for each in running]

    async def outcome(self, update_id):
        return read_entry(await self.group.store.get(update_path(update_id))).outcome

    @property
    def replies(self):
        return [(sent.text, sent.reply_to) for sent in self.group.api.sent]


@pytest.fixture
def told(chat):
    return Told(chat)


@pytest.mark.parametrize("older_began", [True, False])
async def test_two_questions_in_a_row_are_one_answer_whoever_began(told, older_began):
    first = await told.asks("гряг, де живе Оля?")
    running = []
    if older_began:
        running = [asyncio.create_task(told.is_queued(first))]
        await told.model.there.wait()
        told.model.there.clear()
    second = await told.asks("гряг, і що вона любить?")
    newer = told.begins(second)
    await told.model.there.wait()
    if not older_began:
        running = [asyncio.create_task(told.is_queued(first))]
    assert "де живе Оля" in told.model.shown
    assert "що вона любить" in told.model.shown
    assert "last 2 messages in one" in told.model.shown
    while told.model.broken_off < int(older_began):
        await asyncio.sleep(0.01)
    assert await told.ends(newer) == ["answered"]
    assert set(await told.ends(*running)) <= {"taken over", "already answered"}
    assert told.model.broken_off == int(older_began)
    assert told.replies == [("Обидві відповіді.", 2)]
    assert (await told.outcome(first), await told.outcome(second)) == ("merged", "answered")


async def test_the_talk_of_others_between_them_is_part_of_what_is_answered(told):
    first = await told.asks("гряг, де живе Оля?")
    await told.asks("Вона переїхала до Ворохти", TARAS)
    second = await told.asks("гряг, і що вона любить?")
    newer = told.begins(second)
    await told.model.there.wait()
    assert "last 2 messages in one" in told.model.shown
    assert "Вона переїхала до Ворохти" in told.model.shown
    assert await told.ends(newer) == ["answered"]
    assert (await told.outcome(first), len(told.replies)) == ("merged", 1)


async def test_the_memory_alone_is_asked_with_both_and_finds_what_either_means(chat):
    await chat.say("Я живу у Львові вже третій рік", *TARAS)
    await chat.say("Моя кішка зветься Мурка", 103, "Марко")
    told = Told(chat)
    first, second = await told.asks("гряг, хто живе у Львові?"), await told.asks("гряг, а як зветься кішка?")
    await answer_update(chat.runtime.app, second)
    (answer,) = chat.answers
    assert "Львові" in answer
    assert "Мурка" in answer
    assert await told.outcome(first) == "merged"


async def test_ten_in_a_row_are_answered_once_whatever_order_they_are_taken_up_in(told):
    ids = [await told.asks(f"гряг, скільки буде {n} і {n}?") for n in range(10)]
    running = [asyncio.create_task(told.is_queued(each)) for each in [*ids[1::2], *reversed(ids[::2])]]
    while not any("last 10 messages in one" in str(each) for each in told.model.asked):
        await asyncio.sleep(0.01)
    await told.ends(*running)
    assert len(told.replies) == 1
    assert [await told.outcome(each) for each in ids] == ["merged"] * 9 + ["answered"]


@pytest.mark.parametrize(
    "between", ["another's question", "too long a time", "another topic", "it replies", "it wants something done"]
)
async def test_what_belongs_together_no_more_is_answered_twice(told, between):
    more = {"reply_to_message": updates.message("а?", message_id=900)} if between == "it replies" else {}
    wish = "гряг, запам'ятай, що я люблю чай" if between == "it wants something done" else "гряг, де живе Оля?"
    topic = {}
    if between == "another topic":
        told.group.api.add_chat(-1009, "supergroup", is_forum=True)
        more = {"chat": updates.chat(-1009, is_forum=True)}
        topic = more | {"message_thread_id": 7, "is_topic_message": True}
    first = await told.asks(wish, **more)
    if between == "another's question":
        await told.asks("А хто їде?", TARAS)
    if between == "too long a time":
        told.group.clock.advance(16 * SECOND)
    second = await told.asks("гряг, і що вона любить?", **topic)
    newer = told.begins(second)
    await told.model.there.wait()
    older = told.begins(first)
    await asyncio.sleep(0.05)
    assert await told.ends(newer, older) == ["answered", "answered"]
    assert len(told.replies) == 2


async def test_when_the_newer_one_is_not_answered_the_older_one_is(told):
    first, second = await told.asks("гряг, де живе Оля?"), await told.asks("гряг, і що вона любить?")
    newer = told.begins(second)
    await told.model.there.wait()
    newer.cancel()  # its instance goes
    with pytest.raises(asyncio.CancelledError):
        await newer
    await told.group.store.delete(message_path(CHAT, 2))  # and what it says is forgotten
    assert await told.ends(told.begins(first)) == ["answered"]
    assert await told.ends(told.begins(second)) == ["forgotten"]
    assert told.replies == [("Обидві відповіді.", 1)]


async def test_who_dies_with_both_in_hand_keeps_neither(told):
    """The newer one's maker is killed where it can give nothing back; its lease runs out."""
    first, second = await told.asks("гряг, де живе Оля?"), await told.asks("гряг, і що вона любить?")
    newer = told.begins(second)
    await told.model.there.wait()
    told.group.store.arm(1)
    newer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await newer
    assert told.group.store.calls == 2, "neither booked nor given back"
    told.group.store.arm(None)
    with pytest.raises(LeaseHeld):
        await told.begins(second)
    told.group.clock.advance(LONGEST)
    assert await told.ends(told.begins(first)) == ["answered"]
    assert await told.ends(told.begins(second)) == ["answered"]


async def test_an_edit_of_the_older_one_is_what_is_answered(told):
    update = told.group.says("гряг, де живе Оля?", *OLYA)
    assert await told.group.post(update) == 200
    edited = update["message"] | {"text": "гряг, де живе Марко?", "edit_date": update["message"]["date"] + 1}
    assert await told.group.post({"update_id": 800, "edited_message": edited}) == 200
    newer = told.begins(await told.asks("гряг, і що він любить?"))
    await told.model.there.wait()
    assert "Марко" in told.model.shown
    assert await told.ends(newer) == ["answered"]


async def test_an_edit_while_the_answer_is_made_has_it_made_once_more_and_no_more(told):
    update = told.group.says("гряг, де живе Оля?", *OLYA)
    assert await told.group.post(update) == 200
    told.group.clock.advance(5 * SECOND)

    async def edits(text, update_id):
        date = update["message"]["date"] + update_id
        assert (
            await told.group.post(
                {"update_id": update_id, "edited_message": update["message"] | {"text": text, "edit_date": date}}
            )
            == 200
        )

    running = asyncio.create_task(told.is_queued(update["update_id"]))
    await told.model.there.wait()
    told.model.there.clear()
    await edits("гряг, де живе Марко?", 800)
    await told.model.there.wait()
    assert "Марко" in told.model.shown
    assert "Оля?" not in told.model.shown
    await edits("гряг, де живе Тарас?", 801)
    assert await told.ends(running) == ["answered"]
    await edits("гряг, де живе Ганна?", 802)
    assert (len(told.model.asked), told.model.broken_off) == (2, 1)
    assert told.replies == [("Обидві відповіді.", 1)]
    assert await told.outcome(update["update_id"]) == "answered"


@pytest.mark.parametrize("word", ["гряг, стоп", "/gryadstop"])
async def test_stop_breaks_off_what_is_being_answered_to_who_says_it_and_nothing_else(told, word):
    mine, others = await told.asks("гряг, де живе Оля?"), await told.asks("гряг, котра година?", TARAS)
    running = told.begins(mine), told.begins(others)
    while len(told.model.asked) < 2:
        await asyncio.sleep(0.01)
    stop = await told.asks(word)
    begun = asyncio.get_running_loop().time()
    assert str((await answer_update(told.group.runtime.app, stop)).result) == "answered"
    assert str((await running[0]).result) == "taken over"
    assert asyncio.get_running_loop().time() - begun < 3
    assert await told.ends(running[1]) == ["answered"]
    assert told.model.broken_off == 1
    usage = await told.group.store.get(usage_path(CHAT, told.group.clock.now().date()))
    assert usage.data["answer_input_tokens"] == told.model.GIVEN_UP, "what was asked until then is paid for"
    assert [text for text, _ in told.replies] == ["Гаразд, зупинився.", "Обидві відповіді."]
    assert await told.outcome(mine) == "stopped"
    assert str((await answer_update(told.app, mine)).result) == "already answered"
    assert str((await answer_update(told.app, stop)).result) == "already answered"


async def test_stop_ends_both_of_two_that_are_answered_together_and_nothing_later(told):
    first, second = await told.asks("гряг, де живе Оля?"), await told.asks("гряг, і що вона любить?")
    running = told.begins(second)
    await told.model.there.wait()
    stop, later = await told.asks("гряг, стоп"), await told.asks("гряг, котра година?")
    await answer_update(told.group.runtime.app, stop)
    assert str((await running).result) == "taken over"
    assert [await told.outcome(each) for each in (first, second, later)] == ["stopped", "stopped", None]
    assert await told.ends(told.begins(later)) == ["answered"]


async def test_a_question_goes_with_the_one_before_the_group_became_a_supergroup(told):
    for chat_id in (-5, -1005):
        told.group.api.add_chat(chat_id)
    first = await told.asks("гряг, де живе Оля?", chat=updates.chat(-5, "group"))
    assert await told.group.post(updates.migration_update(-5, -1005, update_id=901)) == 200
    await run_job(told.group.runtime.app, "migrate", {"chat_id": -5, "new_chat_id": -1005, "part": 0})
    second = await told.asks("гряг, і що вона любить?", chat=updates.chat(-1005))
    newer = told.begins(second)
    await told.model.there.wait()
    assert "де живе Оля" in told.model.shown
    assert await told.ends(newer) == ["answered"]
    assert (await told.outcome(first), len(told.replies)) == ("merged", 1)


async def test_where_nothing_is_being_answered_stop_says_so(chat):
    await chat.say("гряг, стоп")
    await chat.say("/gryadstop", sender=updates.user(*OLYA, language_code="en"))
    assert chat.answers == ["Зараз я нічого для вас не пишу.", "I am not writing anything for you right now."]


@pytest.mark.parametrize("pressed", ["while it grows", "before it began", "when it was said"])
async def test_the_button_under_a_growing_answer_stops_that_answer(told, pressed):
    told.group.api.add_chat(PRIVATE, "private")
    here = {"chat": updates.chat(PRIVATE, "private")}
    question = await told.asks("де я живу?", **here)
    running = told.begins(question) if pressed != "before it began" else None
    if running is not None:
        await told.model.there.wait()
    if pressed == "when it was said":
        assert await told.ends(running) == ["answered"]
    button = {"update_id": 900, "stopped_message_generation": {**here, "draft_id": question}}
    assert await told.group.post(button) == 200
    for expected in ("silent" if pressed == "when it was said" else "answered", "already answered"):
        assert str((await answer_update(told.group.runtime.app, 900)).result) == expected
    if running is not None:
        await told.ends(running)
    said = "Обидві відповіді." if pressed == "when it was said" else "Гаразд, зупинився."
    assert [text for text, _ in told.replies] == [said]
    ended = "answered" if pressed == "when it was said" else "stopped"
    assert await told.outcome(question) == ended


async def test_a_button_of_what_nobody_knows_is_taken_in_and_says_nothing(chat):
    button = {"update_id": 900, "stopped_message_generation": {"chat": updates.chat(PRIVATE, "private"), "draft_id": 1}}
    assert await chat.deliver(button) == 200
    assert chat.answers == []
    assert str((await answer_update(chat.runtime.app, 900)).result) == "already answered"


async def test_stopping_works_over_the_limit_of_asking_too(store):
    async with running_group(store, ASKS_PER_USER_PER_HOUR="1") as group:
        told = Told(group)
        question = await told.asks("гряг, де живе Оля?")
        await answer_update(group.runtime.app, await told.asks("гряг, стоп"))
        assert await told.outcome(question) == "stopped"
        assert "Забагато запитань" in group.answers[0]
