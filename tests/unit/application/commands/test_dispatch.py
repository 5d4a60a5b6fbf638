"""Which command or question a message is for, who may, and in which language it is answered."""

import re
from dataclasses import replace

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.commands.dispatch import compose_command, compose_reply, menu
from shared.application.commands.table import ALIASES, COMMANDS, REPLIES
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import localized_text, text
from shared.application.documents import chat_path, message_path
from shared.domain.errors import ChatUnavailable
from shared.domain.intake import updates
from shared.domain.intake.updates import ChatInfo, MessageReceived
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.group import running_group
from tests.support.stores.messages import new_message_fields

CHAT, BOT = -1001, 1
OLYA, TARAS, CHANNEL = 101, 102, -1_002_222
DONE = Answer.of(text("done"))
ASKING = 7
ADMINS = [command.name for command in COMMANDS.values() if command.who == "admins"]


class Telegram:
    """Says who administrates; out of reach when it knows nobody."""

    def __init__(self, *admins):
        self.admins, self.asked = frozenset(admins), 0

    async def administrators(self, chat_id):
        self.asked += 1
        if not self.admins:
            raise ChatUnavailable("Telegram is away")
        return self.admins


@pytest.fixture
def app(sqlite_store):
    return replace(app_on(sqlite_store), gateway=Telegram(TARAS))


@pytest.fixture
def calls(monkeypatch):
    """What was carried out: each command and each reply does nothing but that."""
    made = []

    async def carry_out(app, call, *asked):
        made.append((call, *asked))
        return DONE

    for name, row in COMMANDS.items():
        monkeypatch.setitem(COMMANDS, name, row._replace(load=lambda: carry_out))
    for name in REPLIES:
        monkeypatch.setitem(REPLIES, name, lambda name=name: lambda *given: carry_out(*given, name))
    return made


async def state_of(app, chat_id=CHAT, **fields):
    if fields:
        await app.store.upsert(chat_path(chat_id), {"chat_id": chat_id, **fields})
    return read_chat(chat_id, await app.store.get(chat_path(chat_id)))


async def typed(app, name, args="", *, user_id=OLYA, chat_id=CHAT, proven=False, tag=None, **fields):
    """The answer to a command."""
    said_so = message(f"/{name} {args}", user_id=user_id, chat_id=chat_id, is_admin=proven or None)
    command = updates.TypedCommand(name, None, args)
    update = MessageReceived(1, said_so, ChatInfo(chat_id, "supergroup"), tag, command=command)
    return await compose_command(app, update, await state_of(app, chat_id, **fields), said_so)


# --- who may -------------------------------------------------------------------------------------

MAY = {
    "everybody": {"member", "channel", "admin", "anonymous"},
    "people": {"member", "admin"},
    "admins": {"admin", "anonymous"},
}
REFUSED = {"people": "people_only", "admins": "admins_only"}
CALLERS = {
    "member": {"user_id": OLYA},
    "channel": {"user_id": CHANNEL},
    "admin": {"user_id": TARAS},
    "anonymous": {"user_id": CHAT, "proven": True},
}


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("name", COMMANDS)
async def test_a_command_is_carried_out_for_those_whom_the_table_names_and_for_nobody_else(app, calls, name, caller):
    who = COMMANDS[name].who
    told = await typed(app, name, **CALLERS[caller])
    if caller in MAY[who]:
        assert told == DONE
        assert [call.command.name for (call,) in calls] == [name]
    else:
        assert told == Answer.of(localized_text("en", REFUSED[who]))
        assert calls == []


async def test_every_command_of_admins_is_everybodys_in_their_own_private_chat_and_in_no_others(app, calls):
    for name in ADMINS:
        assert await typed(app, name, chat_id=OLYA, user_id=OLYA) == DONE
        assert await typed(app, name, chat_id=TARAS, user_id=OLYA) == Answer.of(localized_text("en", "admins_only"))
    assert len(calls) == len(ADMINS)


@pytest.mark.parametrize("name", ADMINS)
async def test_for_what_destroys_an_admin_of_a_minute_ago_is_none(app, calls, name):
    app.gateway.admins = frozenset({OLYA})
    told = await typed(app, name, user_id=TARAS, admins=[TARAS], admins_checked_at=app.clock.now())
    if COMMANDS[name].destructive:
        assert told == Answer.of(localized_text("en", "admins_only"))
        assert app.gateway.asked == 1
    else:
        assert told == DONE
        assert app.gateway.asked == 0


@pytest.mark.parametrize("name", ADMINS)
async def test_while_telegram_is_away_nothing_that_destroys_is_done_on_its_old_word(app, calls, name):
    app.gateway.admins = frozenset()
    known = {"admins": [TARAS], "admins_checked_at": app.clock.now()}
    if COMMANDS[name].destructive:
        with pytest.raises(ChatUnavailable):
            await typed(app, name, user_id=TARAS, **known)
        assert calls == []
    else:
        assert await typed(app, name, user_id=TARAS, **known) == DONE


@pytest.mark.parametrize("speaks_as", [CHAT, -555], ids=["now", "before the group became a supergroup"])
@pytest.mark.parametrize("name", ADMINS)
async def test_who_speaks_as_the_chat_itself_is_proven_by_that_also_while_telegram_is_away(app, calls, name, speaks_as):
    app.gateway.admins = frozenset()
    assert await typed(app, name, user_id=speaks_as, proven=True) == DONE
    assert app.gateway.asked == 0


# --- which and how -------------------------------------------------------------------------------


@pytest.mark.parametrize("alias", ALIASES)
async def test_what_every_bot_answers_is_the_help(app, alias):
    told = await typed(app, alias)
    assert told == await typed(app, "gryadhelp")
    assert "/gryadremember" in told.pieces[0].content.plain


@pytest.mark.parametrize(
    ("name", "meant"),
    [("gryadrecpa", "/gryadrecap"), ("gryadforgetmi", "/gryadforgetme"), ("remember", "/gryadremember")],
)
async def test_a_misspelt_command_is_told_which_one_was_meant_and_carries_out_none(app, calls, name, meant):
    for caller in CALLERS.values():
        told = (await typed(app, name, **caller)).pieces[0].content.plain
        assert name in told
        assert meant in told
    assert calls == []


async def test_a_command_of_no_likeness_points_to_the_help_and_its_name_stays_a_name(app, calls):
    (piece,) = (await typed(app, "<b>weather</b>")).pieces
    assert "<b>weather" not in piece.content.html
    assert "gryadhelp" in piece.content.plain
    assert calls == []


@pytest.mark.parametrize(
    ("chat", "tag", "language"),
    [("uk", "en", "uk"), ("en", "uk", "en"), (None, "uk-UA", "uk"), (None, "de", "en"), (None, None, "en")],
)
async def test_a_command_is_answered_in_the_chats_language_else_the_apps(app, calls, chat, tag, language):
    chosen = {} if chat is None else {"language": chat}
    await typed(app, "gryadrecap", "минулий тиждень", tag=tag, **chosen)
    ((call,),) = calls
    assert (call.language, call.args, call.user_id) == (language, "минулий тиждень", OLYA)
    refused = await typed(app, "gryadstats", tag=tag)
    assert refused == Answer.of(localized_text(language, "admins_only"))


# --- replies to questions --------------------------------------------------------------------------


async def replied(app, asks, *, to=ASKING, to_user=BOT, words="  не о 19:00, а о 20:00 \n"):
    """What a reply does to message 7, with which the bot asked."""
    asking = new_message_fields(message(message_id=ASKING, user_id=BOT), now=at(1), retention=at(9) - at(0))
    await app.store.set(message_path(CHAT, ASKING), {**asking, "asks": asks})
    words = message(words, message_id=8, reply_to=to)
    update = MessageReceived(1, words, ChatInfo(CHAT, "supergroup"), "uk", reply_to_user_id=to_user)
    return await compose_reply(app, update, await state_of(app), words)


@pytest.mark.parametrize("action", REPLIES)
async def test_a_reply_to_a_question_is_taken_by_what_asked_it_with_all_that_was_asked(app, calls, action):
    asks = {"command": "gryadfix", "action": action, "fact": "f1", "user": OLYA}
    assert await replied(app, asks) == DONE
    ((call, given, taken_by),) = calls
    assert (given, taken_by) == (ReplyContext("gryadfix", action, "f1", user_id=OLYA), action)
    assert (call.command.name, call.args, call.language) == ("gryadfix", "не о 19:00, а о 20:00", "uk")


FIX = {"command": "gryadfix", "action": "fix", "fact": "f1", "user": OLYA}


@pytest.mark.parametrize(
    ("asks", "reply"),
    [
        pytest.param(FIX, {"to": None}, id="no reply"),
        pytest.param(FIX, {"to": 6}, id="to what is gone"),
        pytest.param(FIX, {"to_user": TARAS}, id="to somebody else"),
        pytest.param(FIX, {"to_user": None}, id="to nobody known"),
        pytest.param(None, {}, id="to what asks nothing"),
        pytest.param("gryadfix", {}, id="to what is no question"),
        pytest.param({}, {}, id="to an empty question"),
        pytest.param({**FIX, "action": "guess"}, {}, id="to what is asked no more"),
        pytest.param({**FIX, "command": "gryadguess"}, {}, id="to a command that is no more"),
    ],
)
async def test_any_other_reply_is_talk(app, calls, asks, reply):
    assert await replied(app, asks, **reply) is None
    assert calls == []


async def test_what_replies_to_nothing_costs_no_read(app):
    said_so = message("добре", message_id=8)
    update, state = MessageReceived(1, said_so, ChatInfo(CHAT, "supergroup"), reply_to_user_id=BOT), await state_of(app)
    before = app.store.usage.reads
    assert await compose_reply(app, update, state, said_so) is None
    assert app.store.usage.reads == before


async def test_what_asked_may_take_a_reply_for_talk(app, monkeypatch):
    async def passes(*_):
        return None

    monkeypatch.setitem(REPLIES, "fix", lambda: passes)
    assert await replied(app, FIX) is None


OLIA, ADMIN, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")


@pytest.fixture
async def laptop(sqlite_store):
    """Where nobody can ask too much."""
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="1000", ASKS_PER_CHAT_PER_HOUR="1000") as running:
        yield running


def misspelt(name):
    """As fingers slip: a letter left out, doubled, or two in the wrong order."""
    middle = (len("gryad") + len(name)) // 2
    slips = (name[:middle] + name[middle + 1 :], name[:middle] + name[middle] + name[middle:])
    return [each for each in (*slips, name[:-2] + name[-1] + name[-2]) if each not in COMMANDS]


async def test_a_misspelt_name_gets_the_command_that_was_meant(laptop):
    wrong = []
    for name in COMMANDS:
        for typed in misspelt(name):
            await laptop.say(f"/{typed}", *ADMIN)
            if f"/{name}?" not in laptop.answers[-1] or f"/{typed}." not in laptop.answers[-1]:
                wrong.append((typed, name, laptop.answers[-1]))
    assert wrong == []


@pytest.mark.parametrize("typed", ["gryadzzz", "gryad", "gryad_", "gryad1111111111111111111111111111111111111"])
async def test_a_name_like_no_command_gets_no_suggestion_but_the_help(laptop, typed):
    await laptop.say(f"/{typed}", *MARKO)
    assert "Може" not in laptop.answers[-1]
    assert "Усі команди: /gryadhelp" in laptop.answers[-1]


async def test_help_shows_how_to_talk_to_the_bot(group):
    await group.say("/gryadhelp")
    assert "/gryadchatfacts" in group.answers[-1]
    assert "@gryag_bot" in group.answers[-1]


async def test_an_unknown_command_of_ours_points_to_the_help_and_others_are_left_alone(group):
    await group.say("/gryadnonsense")
    assert "/gryadhelp" in group.answers[-1]
    await group.say("/start")
    await group.say("/start@other_bot")
    await group.say("/gryadhelp@other_bot")
    assert len(group.answers) == 1
    await group.say("/start@gryag_bot")
    assert len(group.answers) == 2


# --- the menus -----------------------------------------------------------------------------------

EVERYBODYS = [command.name for command in COMMANDS.values() if command.who != "admins"]
SCOPES = ["default", "all_private_chats", "all_group_chats", "all_chat_administrators"]


@pytest.mark.parametrize(
    ("scope", "names"),
    [
        ("default", EVERYBODYS),
        ("all_group_chats", EVERYBODYS),
        ("all_chat_administrators", list(COMMANDS)),
        ("all_private_chats", list(COMMANDS)),
    ],
)
def test_the_commands_of_admins_are_shown_where_there_are_admins(scope, names):
    assert [entry.name for entry in menu(scope, "uk")] == names
    assert set(EVERYBODYS) < set(COMMANDS)


@pytest.mark.parametrize("language", ["uk", "en"])
@pytest.mark.parametrize("scope", SCOPES)
def test_every_entry_is_one_that_telegram_takes(scope, language):
    for entry in menu(scope, language):
        assert re.fullmatch("[a-z0-9_]{1,32}", entry.name)
        assert 1 <= len(entry.about) <= 256
        assert not re.search("[<>\n]|&[a-z]+;", entry.about)


def test_the_languages_are_different_and_both_whole():
    ukrainian, english = menu("default", "uk"), menu("default", "en")
    assert [entry.name for entry in ukrainian] == [entry.name for entry in english]
    assert all(re.search("[а-яіїєґ]", entry.about) for entry in ukrainian)
    assert not any(re.search("[а-яіїєґ]", entry.about) for entry in english)
