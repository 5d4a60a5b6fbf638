"""A whole life of one group, told by what Telegram delivers: join, talk, vote, ask, correct, export, forget, leave.

Every update comes twice, as Telegram may deliver it, and the second time changes nothing.
"""

import json
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.application.facts.version_codec import facts_as_of
from tests.support import updates
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

OLYA, TARAS, MARKO, HANNA, PETRO = (101, "Оля"), (102, "Тарас"), (103, "Марко"), (104, "Ганна"), (105, "Петро")
SAM = updates.user(110, "Sam", language_code="en")

RULE = "Нагадую: ніякої політики в чаті!"
GAMES = "Щосереди граємо в настолки"
HER_GAMES = "Так, щосереди граємо в настолки, бурдамур вечора"
PLANTED = ("житомир", "зелкович", "бурдамур", "хвищенчук", "мрилибок")
"""Words that Hanna alone says, in whatever form."""


class Life:
    """The group's life so far; everything happens twice.

    Attributes:
        at: When each thing was begun, by name.
    """

    def __init__(self, group):
        self.group, self.at = group, {}

    async def happens(self, update):
        """Telegram delivers an update, and again; the messages of the bot that came of it."""
        said, before = len(self.group.api.sent), self._visible()
        assert await self.group.deliver(update) == 200
        once, facts = self._visible(), None
        if once != before:  # talk is learnt from by tasks
            facts = await self.group.facts()
        assert await self.group.deliver(update) == 200
        assert self._visible() == once
        assert facts is None or await self.group.facts() == facts
        self.group.clock.advance(timedelta(seconds=20))
        return self.group.api.sent[said:]

    async def says(self, text, who, **fields):
        return await self.happens(self.group.says(text, *who, **fields))

    async def worker_says(self):
        """What comes from the tasks that are due."""
        said = len(self.group.api.sent)
        await self.group.tasks.dispatch_due(self.group.clock.now())
        return self.group.api.sent[said:]

    async def presses(self, label, who):
        """The notice that somebody is shown for a press, "" for none."""
        before = len(self.group.notices)
        await self.happens(self.group.pressing(label, *who))
        return "".join(self.group.notices[before:])

    async def replies(self, text, who, sent):
        """Somebody replies to a message of the bot."""
        replied = self.group.api.chats[sent.chat_id].message(self.group.shown(sent.message_id), self.group.api.bot)
        return await self.says(text, who, reply_to_message=replied)

    async def reacts(self, emoji, who, sent):
        fields = {"user": updates.user(*who), "date": int(self.group.clock.now().timestamp())}
        await self.happens(self.an_update(updates.reaction_update, emoji, message_id=sent.message_id, **fields))

    def an_update(self, build, *args, **fields):
        return build(*args, update_id=self.group.says("")["update_id"], **fields)

    def shown(self, sent):
        return self.group.shown(sent.message_id, sent.chat_id).text

    def _visible(self):
        """What members see."""
        api = self.group.api
        own = [(chat.id, list(chat.own.values())) for chat in api.chats.values()]
        return own, len(api.sent), len(self.group.notices)

    async def everything(self):
        """All documents of the store, as text."""
        store = self.group.store
        for collection in ("chats", "updates", "dead_letters", "tombstones", "health"):
            for document in await store.query(collection):
                yield repr(document)
                if collection == "chats":
                    async for below in store.subtree(document.path):
                        yield repr(below)

    async def traces(self, words=PLANTED):
        """Which words are still in which documents."""
        return [(word, text[:200]) async for text in self.everything() for word in words if word in text.casefold()]

    async def believed(self, subject):
        return [fact for fact in await self.group.facts() if fact["subject"] == subject and fact["status"] == "active"]


# --- the years of the group ---------------------------------------------------------------------


async def joins(life):
    (greeting,) = await life.happens(life.an_update(updates.membership_update))
    assert "Я гряг" in greeting.text
    assert await life.says("Привіт усім, як минув день?", OLYA) == []
    await life.group.settle()


async def talks(life):
    """Members talk; a rule is decreed by an admin; a tradition is noticed and put to the group."""
    for text, who in (
        (RULE, TARAS),
        (GAMES, OLYA),
        (f"Ще раз: {GAMES}", OLYA),
        ("Я живу у Житомирі", HANNA),
        ("Обожнюю зелкович з медом", HANNA),
        ("Я живу у Полтаві", OLYA),
    ):
        assert await life.says(text, who) == []
    assert await life.happens(life.group.says("I live in Leeds and I love tea", sender=SAM)) == []
    await life.group.settle()
    (rule,) = [fact for fact in await life.believed("chat") if fact["category"] == "rule"]
    assert rule["evidence"][0]["quote"] == RULE
    (home,) = [fact for fact in await life.believed("user:110") if fact["key"] == "location"]
    assert "Leeds" in home["description"]


async def votes(life):
    """The bot's question is voted on by three with buttons, seen as a tally, and ends in consensus."""
    question = life.group.api.sent[-1]
    assert question.text == "Схоже, у середу ви граєте в ігри. Так?"
    assert await life.presses("Так", MARKO) == ""
    assert "так 2 · ні 0" in life.shown(question)
    assert await life.presses("Ні", PETRO) == ""
    assert "так 2 · ні 1" in life.shown(question)
    await life.presses("Так", HANNA)
    assert "Домовились" in life.shown(question)
    assert "так 3 · ні 1" in life.shown(question)
    assert life.group.shown(question.message_id).buttons == ()
    games = await the_games(life)
    assert (sorted(games["supporters"]), [v["user_id"] for v in games["voices"] if not v["supports"]]) == (
        [101, 103, 104],
        [105],
    )


async def reacts_to_a_card(life):
    """A reaction to a fact's card is a vote; Petro changes his mind."""
    (listed,) = await life.says("/gryadchatfacts традиції", PETRO)
    await life.presses("1", PETRO)
    assert "За: 3 · проти: 1 · згода: 75%" in life.shown(listed)
    await life.reacts("👍", PETRO, listed)
    assert "За: 4 · проти: 0 · згода: 100%" in life.shown(listed)
    await life.says(HER_GAMES, HANNA)
    await life.group.settle()
    assert HER_GAMES in [quote["quote"] for quote in (await the_games(life))["evidence"]]


async def asks_why(life):
    """The bot is asked by its name, and why it said what it did."""
    (told,) = await life.says("гряг, що в нас заборонено?", PETRO)
    assert "політик" in told.text
    (why,) = await life.replies("/gryadwhy", PETRO, told)
    assert f"«{RULE}» - Тарас" in why.text
    assert re.search(r'href="https://t\.me/c/1000000001/\d+"', why.raw)


async def is_corrected(life):
    """Olya has moved: the old home is closed, and what was believed before is still known."""
    life.at["before Olya moved"] = life.group.clock.now()
    life.group.clock.advance(timedelta(minutes=5))
    (listed,) = await life.says("/gryadfacts", OLYA)
    await life.presses("1", OLYA)
    assert "Я живу у Полтаві" in life.shown(listed)
    (done,) = await life.replies("/gryadfix Я живу в Одесі", OLYA, listed)
    assert "Тепер так" in done.text
    assert "Одес" in done.text
    app, before = life.group.runtime.app, life.at["before Olya moved"]
    then = [fact.description for fact in await facts_as_of(app.store, CHAT, "user:101", before)]
    now = [fact.description for fact in await facts_as_of(app.store, CHAT, "user:101", life.group.clock.now())]
    assert any("Полтав" in description for description in then)
    assert any("Одес" in description for description in now)
    assert not any("Полтав" in description for description in now)


async def remembers(life):
    assert await life.says("/gryadremember ключ від офісу в охоронця", MARKO) == []
    (told,) = await life.worker_says()
    assert "Запам'ятав, Марко" in told.text
    assert await life.says("/gryadremember я збираю хвищенчуки", HANNA) == []
    (told,) = await life.worker_says()
    assert "хвищенчуки" in told.text


async def exports(life):
    """First the private chat is closed and a link is given; with it the file comes, in private."""
    assert await life.says("/gryadexport", HANNA) == []
    (refused,) = await life.worker_says()
    link = re.search(r"https://t\.me/gryag_bot\?start=(\S+)", refused.text)
    assert refused.chat_id == CHAT
    life.group.api.add_chat(HANNA[0], "private")
    assert await life.says(f"/start {link[1]}", HANNA, chat=updates.chat(HANNA[0])) == []
    (file,) = await life.worker_says()
    exported = json.loads(file.file.content)
    assert file.chat_id == HANNA[0]
    assert "Я живу у Житомирі" in [message["text"] for message in exported["messages"]]
    assert "Полтав" not in json.dumps(exported, ensure_ascii=False)
    assert await life.says("/gryadexport", HANNA) == []
    (file,) = await life.worker_says()
    assert file.chat_id == HANNA[0]


async def is_silent_for_a_while(life):
    """Petro is not remembered while he does not want it."""
    await life.says("/gryadoptout", PETRO)
    assert await life.says("Я розводжу тупибок на балконі", PETRO) == []
    assert await life.says("гряг, що я розводжу?", PETRO) == []
    await life.group.settle()
    assert await life.traces(["тупибок"]) == []
    (back,) = await life.says("/gryadoptin", PETRO)
    assert "знову з нами" in back.text
    assert await life.says("Я розводжу кактуси", PETRO) == []
    await life.group.settle()
    assert await life.traces(["кактус"])


async def catches_up(life):
    """Marko has said nothing but commands, so he is told of one day, by the clock of Kyiv."""
    day_ago = (life.group.clock.now() - timedelta(days=1)).astimezone(ZoneInfo("Europe/Kyiv"))
    (recap,) = await life.says("/gryadrecap", MARKO)
    assert f"Що ви пропустили з {day_ago:%d.%m %H:%M}" in recap.text
    assert "https://t.me/c/1000000001/" in recap.raw


async def forgets_hanna(life):
    """She sees how much there is, confirms, and it is gone everywhere; what others stand behind stays."""
    assert {word for word, _ in await life.traces()} >= set(PLANTED) - {"мрилибок"}
    (question,) = await life.says("/gryadforgetme", HANNA)
    counts = dict(re.findall(r"^(.+): (\d+)$", question.text, re.MULTILINE))
    assert int(counts["Ваших повідомлень"]) >= 5
    assert int(counts["Фактів про вас"]) >= 2
    await life.presses("Так, стерти", HANNA)
    assert "Стираю" in life.shown(question)
    await life.group.settle()
    assert "про вас тут нічого не лишилося" in life.shown(question)
    assert re.search(r"переглянув записів: [1-9]\d*", life.shown(question))
    assert await life.traces() == []
    games = await the_games(life)
    assert (games["status"], sorted(games["supporters"])) == ("active", [101, 103, 105])
    assert 104 not in {quote["user_id"] for quote in games["evidence"]}


async def meets_hanna_again(life):
    assert await life.says("Я живу в Ужгороді і вивчаю мрилибок", HANNA) == []
    await life.group.settle()
    assert any("Ужгород" in fact["description"] for fact in await life.believed("user:104"))
    (known,) = await life.says("/gryadfacts", HANNA)
    assert "Ужгород" in known.text


async def loses_hanna(life):
    """She leaves, and the chat wants its leavers erased: both that Telegram tells about it, it is done once."""
    (saved,) = await life.says("/gryadsettings вихід стираються", TARAS)
    assert "збережено" in saved.text
    life.group.api.chats[CHAT].left.add(HANNA[0])
    her, date = updates.user(*HANNA), int(life.group.clock.now().timestamp())
    service = life.group.says(None, sender=her, left_chat_member=her)
    assert await life.happens(service) == []
    assert await life.happens(life.an_update(updates.member_update, who=her, date=date)) == []
    await life.group.settle()
    assert await life.traces([*PLANTED, "ужгород"]) == []
    assert await life.believed("user:104") == []
    assert await the_games(life)


async def is_removed(life):
    """What comes after the bot was removed is accepted, and nobody hears of it."""
    life.group.api.chats[CHAT].kicked = True
    assert await life.happens(life.an_update(updates.membership_update, "member", "kicked")) == []
    for text, who in (("гряг, ти де?", OLYA), ("/gryadchatfacts", TARAS), ("/gryadprofile", MARKO)):
        assert await life.says(text, who) == []
    await life.group.settle()
    assert await life.says("ще слово", OLYA) == []


async def the_games(life):
    (games,) = [fact for fact in await life.believed("chat") if fact["category"] == "tradition"]
    return games


async def test_a_group_lives_from_joining_to_leaving_and_nothing_happens_twice(group):
    life = Life(group)
    for chapter in (
        joins,
        talks,
        votes,
        reacts_to_a_card,
        asks_why,
        is_corrected,
        remembers,
        exports,
        is_silent_for_a_while,
        catches_up,
        forgets_hanna,
        meets_hanna_again,
        loses_hanna,
        is_removed,
    ):
        await chapter(life)
    assert await group.store.query("dead_letters") == []


# --- with a model -------------------------------------------------------------------------------


def minded(request):
    """A model that takes facts from what Hanna says, and retells what it is shown."""
    if request.schema and "Мурчик знову спить" in request.prompt:
        fact = {"subject": "user:104", "category": "relationship", "key": "pet", "value": "кіт Мурчик"}
        fact |= {"description": "Ганна має кота Мурчика", "confidence": 0.95, "user_id": 104}
        message_id = int(re.search(r"(\d+)[^\n]*Мурчик знову спить", request.prompt)[1])
        return {"facts": [fact | {"message_id": message_id, "quote": "Мурчик знову спить"}]}
    if request.schema:
        return {"facts": []}
    if request.tools:
        return "Мурчик - кіт Ганни." if "Мурчик" in request.prompt else "Не знаю такого."
    return "- NOTHING" if "Мурчик" not in request.prompt else "- Кота Ганни звати Мурчик"


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(minded)
        yield server


async def test_with_a_model_it_answers_says_why_and_after_forgetting_the_model_is_shown_nothing(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment) as group:
        life = Life(group)
        await joins(life)
        for text, who in (("Мурчик знову спить на клавіатурі", HANNA), (RULE, TARAS)):
            assert await life.says(text, who) == []
        await group.settle()
        (told,) = await life.says("гряг, хто це спить на клавіатурі?", OLYA)
        assert told.text == "Мурчик - кіт Ганни."
        (why,) = await life.replies("/gryadwhy", OLYA, told)
        assert "Склала модель gemini-3.5-flash" in why.text
        leans, _, _ = why.text.partition("Також бачив:")
        assert "Ганна має кота Мурчика" in leans
        assert "політик" not in leans
        await life.says("/gryadforgetme", HANNA)
        await life.presses("Так, стерти", HANNA)
        await group.settle()
        asked = len(gemini.requests)
        (told,) = await life.says("гряг, кого має Ганна і які в нас правила?", OLYA)
        assert told.text == "Не знаю такого."
        shown = [json.dumps(request.body, ensure_ascii=False) for request in gemini.requests[asked:]]
        assert [prompt for prompt in shown if "мурчик" in prompt.casefold()] == []
        assert any("політик" in prompt for prompt in shown)
