"""What a press shows for a moment, and that the other button of a question changes nothing."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.chat_codec import ChatState
from shared.application.commands.buttons import ACTIONS
from shared.application.commands.call import FRESH, is_admin, is_member, notice, refusal
from shared.application.commands.table import COMMANDS
from shared.application.documents import chat_path, facts_path
from shared.domain.delivery.markup import plain
from shared.domain.errors import ChatUnavailable
from shared.domain.intake.buttons import Sealed, seal, short_id
from shared.domain.text.plain import one_line
from shared.locales import say
from tests.support import updates
from tests.support.group import CHAT, running_group

MOST = 200
"""Characters of a notice (Bot API, answerCallbackQuery)."""


@given(st.sampled_from(["uk", "en"]), st.text(max_size=400))
def test_a_notice_is_plain_and_no_longer_than_telegram_takes_whatever_stands_in_it(language, words):
    shown = notice(language, "freeze_not_found", words=words).notice
    assert 0 < len(shown) <= MOST
    assert not any(tag in shown.replace(one_line(words, MOST), "") for tag in ("<b>", "</b>", "<code>", "&amp;"))


OTHER = -1_001_000_000_777
CHANNEL = -1_001_000_000_888
MEMBER, ADMIN, EX_ADMIN, OTHER_ADMIN, OPTED_OUT, OUTSIDER = 103, 102, 104, 500, 107, 600
PACE = timedelta(minutes=3)
"""Between two things that somebody does: nobody asks too much."""

REFUSALS = ("admins_only", "people_only", "members_only", "not_your_button", "old_button")
ANONYMOUS = {"sender_chat": updates.chat(), "sender": updates.user(1087968824, "Group", is_bot=True)}
AS_CHANNEL = {
    "sender_chat": updates.chat(CHANNEL, "channel"),
    "sender": updates.user(136817688, "Channel", is_bot=True),
}
FORWARDED = {"forward_origin": {"type": "user", "date": 1_790_000_000, "sender_user": updates.user(ADMIN, "Тарас")}}

SPEAKERS = {
    "member": {"user_id": MEMBER},
    "admin": {"user_id": ADMIN},
    "admin until a minute ago": {"user_id": EX_ADMIN},
    "admin of another chat": {"user_id": OTHER_ADMIN},
    "anonymous admin": ANONYMOUS,
    "channel": AS_CHANNEL,
    "another bot": {"sender": updates.user(999, "Bot", is_bot=True)},
    "forwarded from an admin": {"user_id": MEMBER, **FORWARDED},
    "not in the chat": {"user_id": OUTSIDER},
    "member who opted out": {"user_id": OPTED_OUT},
}

# What a row's `who` means for those who type a command.
EVERYBODY = dict.fromkeys(SPEAKERS, "allowed") | {"another bot": "silence", "forwarded from an admin": "silence"}
PEOPLE = EVERYBODY | {"anonymous admin": "people_only", "channel": "people_only"}
MEMBERS = PEOPLE | {"not in the chat": "members_only"}
ADMINS = {
    **dict.fromkeys(SPEAKERS, "admins_only"),
    "admin": "allowed",
    "anonymous admin": "allowed",
    "admin until a minute ago": "allowed",  # what Telegram said is believed for five minutes
    "another bot": "silence",
    "forwarded from an admin": "silence",
}
DESTRUCTIVE_ADMINS = ADMINS | {"admin until a minute ago": "admins_only"}
TYPED = {"everybody": EVERYBODY, "people": PEOPLE, "members": MEMBERS, "admins": ADMINS}

# The same for those who press a button: always people, anonymous admins too; bots cannot press.
PRESSERS = {
    "member": MEMBER,
    "admin": ADMIN,
    "admin until a minute ago": EX_ADMIN,
    "admin of another chat": OTHER_ADMIN,
    "not in the chat": OUTSIDER,
    "member who opted out": OPTED_OUT,
}
PRESSED = {
    "everybody": dict.fromkeys(PRESSERS, "allowed"),
    "people": dict.fromkeys(PRESSERS, "allowed"),
    "members": dict.fromkeys(PRESSERS, "allowed")
    | {"not in the chat": "members_only", "admin of another chat": "members_only"},
    "admins": {**dict.fromkeys(PRESSERS, "admins_only"), "admin": "allowed", "admin until a minute ago": "allowed"},
}

ARGS = {
    "rst": ("1",), "set": ("m",), "rgn": ("0", "9", "1"), "list": ("", "", "0"), "see": ("group",), "fga": (),
    "fgt": (), "opt": (), "keep": (),
}  # fmt: skip
"""Of the actions that are not about a fact."""
FACT_ARGS = {"pin": ("1",), "back": ("0",), "card": (), "ay": ("0",), "an": ("0",), "ah": ("0",), "ar": ("0",)}
"""What comes behind a fact's id."""


def expected(row, table):
    """For each kind of user what the row promises."""
    return table[row.who] | (
        {"admin until a minute ago": "admins_only"} if row.who == "admins" and row.destructive else {}
    )


async def peopled(group):
    """A chat with all kinds of people, and an admin of whom only the cache says that they are one."""
    members = {101, MEMBER, OPTED_OUT, EX_ADMIN}
    group.api.add_chat(CHAT, "supergroup", admins={ADMIN}, members=members)
    group.api.add_chat(OTHER, "supergroup", admins={OTHER_ADMIN})
    await group.say("/gryadhelp", ADMIN, "Тарас")


async def prepared(group):
    """The same with a fact."""
    await peopled(group)
    await group.say("Нагадую: ніякої політики в чаті!", ADMIN, "Тарас")
    await group.settle()
    (fact,) = await group.store.query(facts_path(CHAT))
    return fact


async def as_it_was(group):
    """What Telegram said a minute ago is what this instance believes."""
    now = group.clock.now()
    known = {"admins": [ADMIN, EX_ADMIN], "admins_checked_at": now - timedelta(minutes=1), "opted_out": [OPTED_OUT]}
    await group.runtime.app.chats.change(CHAT, known)


async def everything(group):
    """All that a refusal must not touch: what Telegram said of admins may be noted, and how often was asked."""
    found = {d.path: d.data async for d in group.store.subtree(chat_path(CHAT)) if d.path.split("/")[2] not in _ASIDE}
    chat = await group.store.get(chat_path(CHAT))
    noted = ("admins", "admins_checked_at", "admin_history")
    return found | {chat.path: {name: value for name, value in chat.data.items() if name not in noted}}


_ASIDE = ("messages",)


def refused_by(text):
    """Which refusal a text is, or None."""
    return next((key for key in REFUSALS if plain(say("uk", key)) == text), None)


def said_of(group, before):
    """What came of a command: "silence", the key of a refusal, or "allowed"."""
    said = group.answers[before:]
    if said:
        return refused_by(said[-1]) or "allowed"
    return "allowed" if works(group) else "silence"


def works(group):
    """What was asked for besides the extraction of what was said."""
    return [task for task in group.tasks.tasks.values() if "maintenance" in str(task)]


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("speaker", SPEAKERS)
async def test_a_command_is_for_whom_the_table_says(sqlite_store, speaker):
    async with running_group(sqlite_store) as group:
        await prepared(group)
        found = {}
        for name in COMMANDS:
            await as_it_was(group)
            before, answers = await everything(group), len(group.answers)
            group.clock.advance(PACE)
            await group.say(f"/{name}", **{"name": "Хтось", **SPEAKERS[speaker]})
            found[name] = said_of(group, answers)
            if found[name] != "allowed":
                assert await everything(group) == before, name
            group.tasks.tasks.clear()
        assert found == {name: expected(command, TYPED)[speaker] for name, command in COMMANDS.items()}


def test_the_expectations_are_about_every_kind_of_row():
    assert {row.who for row in (*COMMANDS.values(), *ACTIONS.values())} <= TYPED.keys() == PRESSED.keys()
    assert expected(COMMANDS["gryadsettings"], TYPED) == DESTRUCTIVE_ADMINS
    assert all(COMMANDS[name].destructive for name in ("gryadsettings", "gryadchatreset"))
    assert all(ACTIONS[name].destructive for name in ("rst", "set", "rgn"))


# --- buttons -------------------------------------------------------------------------------------


def args_of(name, fact):
    return ARGS[name] if name in ARGS else (short_id(fact.id), *FACT_ARGS.get(name, ()))


async def press(group, data, user_id, *, under=updates.with_button):
    """Somebody presses a button with this data under the bot's first answer; what came of it.

    `under` makes of that message and the data what Telegram shows with the press: here, that the button stands there.
    """
    shown = under(group.api.chats[CHAT].message(group.api.sent[0], group.api.bot), data)
    update_id, before = next(group._ids), len(group.notices)
    sender = updates.user(user_id, "Хтось")
    update = updates.button_update(data, update_id=update_id, sender=sender, message=shown, id=f"press-{update_id}")
    group.clock.advance(PACE)
    status = await group.deliver(update)
    if status != 200:
        return status
    told = group.notices[before:]
    assert len(told) <= 1
    return (refused_by(told[0]) if told else None) or "allowed"


def sealed(group, name, args, *, chat_id=CHAT, owner=None):
    return seal(group.runtime.app.policy.button_key, chat_id, Sealed(name, args, owner))


@pytest.mark.parametrize("presser", PRESSERS)
async def test_a_button_is_for_whom_the_table_says(sqlite_store, presser):
    async with running_group(sqlite_store) as group:
        fact = await prepared(group)
        found = {}
        for name in ACTIONS:
            await as_it_was(group)
            await group.store.set(fact.path, fact.data)
            before, edits = await everything(group), len(group.api.edited)
            # Nobody but its owner may press what drops a fact of theirs.
            owner = PRESSERS[presser] if name == "dro" else None
            found[name] = await press(group, sealed(group, name, args_of(name, fact), owner=owner), PRESSERS[presser])
            if found[name] != "allowed":
                assert (await everything(group), len(group.api.edited)) == (before, edits), name
                assert not works(group), name
            group.tasks.tasks.clear()
        assert found == {name: expected(action, PRESSED)[presser] for name, action in ACTIONS.items()}


def _of_another_chat(group, name, args):
    return sealed(group, name, args, chat_id=OTHER)


def _with_other_arguments(group, name, args):
    *_, seal_ = sealed(group, name, args).split("|")
    return "|".join([name, *args, "x", "", seal_])


def _of_another_action(group, name, args):
    other = "keep" if name != "keep" else "rst"
    return sealed(group, other, args).replace(other, name, 1)


def _without_its_owner(group, name, args):
    owned = sealed(group, name, args, owner=ADMIN)
    return owned.replace(f"|{ADMIN}|", f"|{MEMBER}|")


def _with_another_key(group, name, args):
    return seal(b"another key", CHAT, Sealed(name, args))


FORGERIES = {
    "of another chat": (_of_another_chat, "old_button"),
    "with other arguments": (_with_other_arguments, "old_button"),
    "of another action": (_of_another_action, "old_button"),
    "with another owner": (_without_its_owner, "old_button"),
    "with another key": (_with_another_key, "old_button"),
    "of somebody else": (lambda group, name, args: sealed(group, name, args, owner=MEMBER), "not_your_button"),
}


def _no_button(message, data):
    return message


def _another_button(message, data):
    return updates.with_button(message, f"{data}x")


def _too_old_to_be_shown(message, data):
    return {"chat": message["chat"], "message_id": message["message_id"], "date": 0}


@pytest.mark.parametrize("presser", ["member", "admin"])
@pytest.mark.parametrize("under", [_no_button, _another_button], ids=["none", "another"])
async def test_a_button_of_ours_does_nothing_under_a_message_that_does_not_have_it(sqlite_store, under, presser):
    async with running_group(sqlite_store) as group:
        fact = await prepared(group)
        await as_it_was(group)
        before = await everything(group)
        data = {name: sealed(group, name, args_of(name, fact)) for name in ACTIONS}
        found = {name: await press(group, said, PRESSERS[presser], under=under) for name, said in data.items()}
        assert found == dict.fromkeys(ACTIONS, "old_button")
        assert (await everything(group), group.api.edited, works(group)) == (before, [], [])


async def test_under_a_message_that_telegram_does_not_show_any_more_the_seal_decides(sqlite_store):
    async with running_group(sqlite_store) as group:
        fact = await prepared(group)
        await as_it_was(group)
        for presser, outcome in (("member", "allowed"), ("not in the chat", "members_only")):
            data = sealed(group, "yes", args_of("yes", fact))
            assert await press(group, data, PRESSERS[presser], under=_too_old_to_be_shown) == outcome
        assert await press(group, sealed(group, "yes", ("x",)) + "x", ADMIN, under=_too_old_to_be_shown) == "old_button"


async def test_who_presses_what_another_message_offers_changes_nothing(sqlite_store):
    """The data of a card's button, said to be pressed under a list of the same chat; and where it stands, it works."""
    async with running_group(sqlite_store) as group:
        await prepared(group)
        await group.say("/gryadchatfacts", MEMBER, "Марко")
        listed = group.api.chats[CHAT].message(group.api.sent[-1], group.api.bot)
        await group.say("/gryadfix політики", MEMBER, "Марко")
        await group.press("Ні", MEMBER, "Марко", message=listed)
        assert refused_by(group.notices[-1]) == "old_button"
        await group.press("Ні", sender=updates.user(MEMBER, "Mark", language_code="en"), message=listed)
        assert refused_by(group.notices[-1]) == "old_button"  # in the chat's language
        assert [fact["voices"] for fact in await group.facts()] == [[]]
        await group.press("Ні", MEMBER, "Марко")
        assert [len(fact["voices"]) for fact in await group.facts()] == [1]


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_or_copied_button_does_nothing_whoever_presses_it(sqlite_store, forgery):
    forge, refusal_ = FORGERIES[forgery]
    async with running_group(sqlite_store) as group:
        fact = await prepared(group)
        await as_it_was(group)
        before = await everything(group)
        found = {name: await press(group, forge(group, name, args_of(name, fact)), ADMIN) for name in ACTIONS}
        assert found == dict.fromkeys(ACTIONS, refusal_)
        assert await everything(group) == before
        assert group.api.edited == []


async def test_the_matrix_holds_on_the_other_store_too(store):
    """A few rows: the decision is the same code, what it reads and writes is not."""
    async with running_group(store) as group:
        await peopled(group)
        await as_it_was(group)
        answers = len(group.answers)
        for speaker in ("member", "admin until a minute ago", "anonymous admin"):
            group.clock.advance(PACE)
            await group.say("/gryadsettings", **{"name": "Хтось", **SPEAKERS[speaker]})
        assert [refused_by(text) for text in group.answers[answers:]] == ["admins_only", "admins_only", None]
        assert await press(group, sealed(group, "set", ("d", "retention")), MEMBER) == "admins_only"
        assert await press(group, sealed(group, "set", ("m",)), ADMIN) == "allowed"


# --- what is known of admins ---------------------------------------------------------------------


@pytest.fixture
async def group(sqlite_store):
    async with running_group(sqlite_store) as running:
        await running.say("привіт")
        yield running


async def state_of(group):
    return await group.runtime.app.chats.state(CHAT)


async def knows(group, *admins, age=timedelta(minutes=1)):
    known = {"admins": list(admins), "admins_checked_at": group.clock.now() - age}
    await group.runtime.app.chats.change(CHAT, known)
    return await state_of(group)


async def test_telegrams_word_is_believed_for_minutes_and_asked_again_then(group):
    app = group.runtime.app
    assert await is_admin(app, await knows(group, EX_ADMIN), EX_ADMIN)
    assert not await is_admin(app, await knows(group, EX_ADMIN, age=FRESH), EX_ADMIN)
    assert (await state_of(group)).admins == {102}
    assert not await is_admin(app, await knows(group, EX_ADMIN), EX_ADMIN, fresh=True)


@pytest.mark.parametrize("fresh", [False, True], ids=["usual", "destructive"])
async def test_a_word_from_the_future_is_not_believed(group, fresh):
    """Another instance's clock may be ahead, or was."""
    state = await knows(group, EX_ADMIN, age=-timedelta(seconds=1))
    assert not await is_admin(group.runtime.app, state, EX_ADMIN, fresh=fresh)


@pytest.mark.parametrize(
    "fault", [{"status": 503}, {"status": 429, "retry_after": 30}, {"cut": "before"}, {"cut": "after"}]
)
async def test_with_telegram_down_what_is_destructive_waits_and_the_rest_goes_by_what_is_known(group, fault):
    app = group.runtime.app
    group.api.fail_next("getChatAdministrators", times=20, **fault)
    state = await knows(group, ADMIN, EX_ADMIN, age=timedelta(days=3))
    assert await is_admin(app, state, ADMIN)
    assert not await is_admin(app, state, MEMBER)
    with pytest.raises(ChatUnavailable):
        await is_admin(app, state, ADMIN, fresh=True)
    assert (await state_of(group)).admins == {ADMIN, EX_ADMIN}
    never = ChatState(CHAT, known=True)
    with pytest.raises(ChatUnavailable):
        await is_admin(app, never, ADMIN)


async def test_with_telegram_down_a_destructive_command_is_tried_again_and_works_then(group):
    await knows(group, ADMIN)
    group.api.fail_next("getChatAdministrators", status=503)
    update = group.says("/gryadsettings", ADMIN, "Тарас")
    assert await group.deliver(update) == 200
    assert group.answers == []
    await group.answer_later()
    assert "Налаштування" in group.answers[-1]


async def test_who_is_in_the_chat_is_asked_and_a_failure_lets_nobody_in(group):
    app, state = group.runtime.app, await state_of(group)
    group.api.chats[CHAT].members = {MEMBER}
    assert await is_member(app, state, MEMBER)
    assert not await is_member(app, state, OUTSIDER)
    group.api.fail_next("getChatMember", status=503, times=9)
    with pytest.raises(ChatUnavailable):
        await is_member(app, state, MEMBER)


async def test_an_admin_who_was_demoted_a_minute_ago_changes_nothing(group):
    await group.say("/gryadsettings retention", ADMIN, "Тарас")
    group.api.chats[CHAT].admins = [105]
    await group.press("30 дн.", ADMIN)
    assert refused_by(group.notices[-1]) == "admins_only"
    assert "settings" not in (await group.store.get(chat_path(CHAT))).data


async def test_when_the_bots_own_rights_change_admins_are_asked_anew(group):
    await knows(group, EX_ADMIN)
    demotion = updates.membership_update("administrator", "member", update_id=next(group._ids))
    assert await group.deliver(demotion) == 200
    assert not await is_admin(group.runtime.app, await state_of(group), EX_ADMIN)


@pytest.mark.parametrize("ask", ["is_admin", "is_member"])
async def test_a_group_that_became_a_supergroup_is_asked_for_under_its_new_id(group, ask):
    app, new = group.runtime.app, -1_001_000_000_999
    group.api.add_chat(new, "supergroup", admins={ADMIN})
    group.api.chats[CHAT].migrated_to = new
    state = await knows(group, EX_ADMIN, age=timedelta(days=1))
    asked = is_admin(app, state, ADMIN) if ask == "is_admin" else is_member(app, state, ADMIN)
    with pytest.raises(ChatUnavailable):
        await asked
    moved = await state_of(group)
    assert (moved.migrated_to, moved.admins) == (new, {EX_ADMIN})
    now = await app.chats.state(new)
    assert await is_admin(app, now, ADMIN)
    assert not await is_admin(app, now, EX_ADMIN)


async def test_a_command_in_a_group_that_moved_on_is_answered_where_it_goes_on(group):
    new = -1_001_000_000_999
    group.api.add_chat(new, "supergroup", admins={ADMIN})
    group.api.chats[CHAT].migrated_to = new
    update = group.says("/gryadsettings", ADMIN, "Тарас")
    assert await group.deliver(update) == 200
    await group.answer_later()
    assert (group.api.sent[-1].chat_id, refused_by(group.answers[-1])) == (new, None)


async def test_in_a_private_chat_its_owner_is_the_admin_and_nobody_else(group):
    app, private = group.runtime.app, ChatState(777, known=True, type="private")
    for user_id, may in ((777, True), (ADMIN, False)):
        assert await is_admin(app, private, user_id, fresh=True) is may
        assert await is_member(app, private, user_id) is may


async def test_who_speaks_as_another_chat_is_no_person_and_no_admin(group):
    app, state = group.runtime.app, await state_of(group)
    assert await refusal(app, state, CHANNEL, "everybody") is None
    assert await refusal(app, state, CHANNEL, "people") == "people_only"
    assert await refusal(app, state, CHANNEL, "members") == "people_only"
    assert await refusal(app, state, CHANNEL, "admins") == "admins_only"
    assert await refusal(app, state, CHAT, "admins", proven=True) is None
