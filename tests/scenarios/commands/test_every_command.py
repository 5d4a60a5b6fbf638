"""Every command as people may type it, in both languages: what it says is whole, safe and in the chat's language."""

import itertools
import re

import pytest

from shared.application.commands.table import COMMANDS
from shared.domain.delivery.markup import plain
from shared.locales import say
from tests.support import updates
from tests.support.group import CHAT, running_group

ADMIN, MEMBER = (102, '<i>Тарас</i> & "$name" \u202e'), (103, "Марко")
FORUM, TOPIC = -1_001_000_000_777, 7
SAMPLE = ("gryadchatfacts", "gryadfacts", "gryadremember", "gryadforgetme", "gryadsettings", "gryadstats")
UNLIMITED = {"ASKS_PER_USER_PER_HOUR": "1000", "ASKS_PER_CHAT_PER_HOUR": "1000"}

TALK = {
    "uk": ("Нагадую: ніякої політики в чаті!", "Щосереди граємо в настолки", "Я живу у Львові і люблю каву"),
    "en": ("Reminder: no politics in this chat!", "Every wednesday we play board games", "I live in Leeds, I love tea"),
}
RUBBISH = {"uk": "зворохоблено хтозна 99 %%", "en": "flibbertigibbet whatever 99 %%"}
WEIRD = '<b>kapusta&"</b> $name ${count} 🥦 \u202eקפה\u202c \u200f' + "👩‍👩‍👧‍👦&<i>" * 240
LONG = WEIRD + "x" * (4000 - updates.utf16_len(WEIRD))

KEY = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
PLACE = re.compile(r"\$\{?[a-z_]+")
CYRILLIC = re.compile("[а-яіїєґ]", re.IGNORECASE)
ENGLISH = re.compile(r"\b(?:the|you|is|not|this|of|and|what)\b")
MARKUP = re.compile(r"<code>.*?</code>", re.DOTALL)


# --- a group that has something to say ----------------------------------------------------------


async def grown(group, language):
    """Chats of all kinds in which something was learnt, and which speak `language`."""
    app = group.runtime.app
    group.api.add_chat(ADMIN[0], "private")
    group.api.add_chat(FORUM, "supergroup", admins={ADMIN[0]}, is_forum=True)
    for where in ({}, in_forum()):
        for text in TALK[language]:
            await group.say(text, *ADMIN, **where)
    for chat_id in (CHAT, FORUM, ADMIN[0]):
        await app.chats.change(chat_id, {"settings": {"language": language, "questions": False}})
    await group.settle()


def in_forum():
    return {"chat": updates.chat(FORUM, is_forum=True), "message_thread_id": TOPIC, "is_topic_message": True}


def in_private():
    return {"chat": updates.chat(ADMIN[0])}


def examples(name, language):
    """The arguments in a command's usage, as people copy them."""
    usage = say(language, f"usage_{name}")
    return re.findall(rf"<code>/{name} ([^<]*)</code>", usage)


def forms(name, language):
    """How somebody may type a command: the argument, and where they do."""
    member = updates.message(TALK[language][0], message_id=1, sender=updates.user(*MEMBER))
    yield from ((example, {}) for example in examples(name, language))
    yield "", {}
    yield RUBBISH[language], {}
    yield LONG[: 4095 - len(name) - 2], {}
    yield "", {"reply_to_message": member}
    yield "", in_private()
    yield "", in_forum()


def few_forms(name, language):
    """The two that touch the store most."""
    yield next(iter(examples(name, language)), ""), {}
    yield LONG[: 4095 - len(name) - 2], in_forum()


async def answers_to(group, text, **fields):
    """What a command is answered with, by the worker too where it hands the work to one."""
    said, asked = len(group.api.sent), len(group.tasks.tasks)
    await group.say(text, *ADMIN, **fields)
    if len(group.api.sent) == said:
        assert len(group.tasks.tasks) > asked, f"nothing came of {text[:60]}"
        await group.tasks.dispatch_due(group.clock.now())
    return group.api.sent[said:]


# --- what holds for all of them -----------------------------------------------------------------


async def faults_of(group, name, language, every_form=forms):
    """What is wrong with what a command says, however it is typed; empty when all is well."""
    found = []
    for argument, fields in every_form(name, language):
        typed = (f"/{name} {argument[:40]}", *fields)
        answers = await answers_to(group, f"/{name} {argument}".strip(), **fields)
        if not answers:
            found.append((*typed, "no answer"))
        if argument in examples(name, language) and answers[0].text == plain(say(language, f"usage_{name}")):
            found.append((*typed, "its own example is not understood"))
        found += [(*typed, fault) for sent in answers for fault in wrong(sent, language, argument)]
    return found


def wrong(sent, language, given):
    """What is wrong with a message, in words; nothing when all is well."""
    shown = "\n".join([sent.text, *(text for text, _ in itertools.chain.from_iterable(sent.buttons))])
    told = MARKUP.sub("", sent.raw)
    if sent.chat_id == FORUM and sent.thread_id != TOPIC:
        yield "outside the topic"
    if sent.parse_mode != "HTML" and sent.file is None:
        yield "sent without markup: Telegram refused it"
    if any(tag in sent.raw for tag in ("<b>kapusta", "</b> $name", "&<i>", "<i>Тарас")):
        yield "shows what was typed as markup"
    if re.search("[\u202a-\u202e\u2066-\u2069\u200f]", shown):
        yield "shows marks that turn the direction of our words"
    if PLACE.search(told.replace("$name", "").replace("${count}", "")):
        yield "a place is not filled"
    if found := [key for key in KEY.findall(shown) if is_key(key)]:
        yield f"names of texts: {found}"
    if language == "en" and not given and CYRILLIC.search(without_names(shown)):
        yield "not in English"
    if language == "uk" and (ENGLISH.search(told) or not CYRILLIC.search(shown)):
        yield "not in Ukrainian"


def is_key(word):
    try:
        say("uk", word)
    except KeyError as missing:
        return str(missing) != repr(word)
    return True


def without_names(text):
    return text.replace("Тарас", "").replace("гряг", "").replace("Гряг", "")


def refused(group):
    """Calls that Telegram would have refused: each of the others became a message."""
    sends = [call for call in group.api.calls if call.method in ("sendMessage", "sendDocument", "sendPhoto")]
    return len(sends) - len(group.api.sent)


# --- the tests -------------------------------------------------------------------------------------


@pytest.fixture(params=["uk", "en"])
async def spoken(request, sqlite_store):
    """A group and the language that it speaks."""
    async with running_group(sqlite_store, **UNLIMITED) as group:
        await grown(group, request.param)
        yield group, request.param


async def test_whatever_way_a_command_is_typed_it_is_answered_in_the_language_of_the_chat(spoken):
    group, language = spoken
    found = [fault for name in COMMANDS for fault in await faults_of(group, name, language)]
    assert found == []
    assert refused(group) == 0


@pytest.mark.parametrize("language", ["uk", "en"])
async def test_the_help_says_of_every_command_how_it_is_used(sqlite_store, language):
    async with running_group(sqlite_store, **UNLIMITED) as group:
        await group.runtime.app.chats.change(CHAT, {"settings": {"language": language}})
        await tells_how_commands_are_used(group, language)


async def tells_how_commands_are_used(group, language):
    for name in COMMANDS:
        for argument in (f"/{name}", name.removeprefix("gryad").upper()):
            (sent,) = await answers_to(group, f"/gryadhelp {argument}")
            assert sent.text == plain(say(language, f"usage_{name}"))
            assert f"/{name}" in sent.text
    (sent,) = await answers_to(group, "/gryadhelp")
    assert [name for name in COMMANDS if f"/{name} - " not in sent.text] == []


async def test_every_button_that_a_command_shows_does_something_when_it_is_pressed(spoken):
    group, language = spoken
    for name in COMMANDS:
        for sent in await answers_to(group, f"/{name} {(*examples(name, language), '')[0]}".strip()):
            for label, _ in itertools.chain.from_iterable(group.shown(sent.message_id, sent.chat_id).buttons):
                told, edited, sent_before = len(group.notices), len(group.api.edited), len(group.api.sent)
                if label not in dict(itertools.chain.from_iterable(group.shown(sent.message_id, sent.chat_id).buttons)):
                    continue  # the message says something else by now
                assert await group.press(label, *ADMIN, message_id=sent.message_id, chat_id=sent.chat_id) == 200
                seen = len(group.notices) - told, len(group.api.edited) - edited, len(group.api.sent) - sent_before
                assert any(seen), (name, label)
                shown = group.shown(sent.message_id, sent.chat_id)
                assert list(wrong(shown, language, "")) == [], (name, label)
    assert refused(group) == 0


@pytest.mark.parametrize("language", ["uk", "en"])
async def test_on_firestore_commands_are_answered_alike(firestore_store, language):
    async with running_group(firestore_store, **UNLIMITED) as group:
        await grown(group, language)
        found = [fault for name in SAMPLE for fault in await faults_of(group, name, language, few_forms)]
        assert found == []
        assert refused(group) == 0
