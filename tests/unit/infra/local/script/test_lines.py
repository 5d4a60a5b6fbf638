"""Scripts: a line says whatever people do in a group, it takes the way of Telegram's updates, and nothing impossible
passes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.chat.composing import compose, edit_message
from infra.local.chat.messenger import Impossible, Messenger
from infra.local.chat.raw_updates import LOCAL_CHAT, LocalChat, Person, button_update, member_update, reaction_update
from infra.local.clocks import ReplayClock
from infra.local.script import ScriptError, read_script
from infra.local.script.fields import ScriptFields
from infra.local.script.lines import MESSAGE_KEYS, LineReader
from infra.telegram.updates import parse_update
from tests.support.group import FRIDAY
from tests.support.scripts import replayed, script_of
from tests.support.telegram.bot_api_rules import check

OLIA = {"user_id": 101, "name": "Оля"}
TARAS = {"user_id": 102, "name": "Тарас"}
RULE = OLIA | {"is_admin": True, "text": "Нагадую: ніякої політики в чаті!", "message_id": 1}
LIST = TARAS | {"text": "/gryadchatfacts", "message_id": 2}

pytestmark = pytest.mark.usefixtures("logging_restored")


@pytest.fixture
def play(tmp_path):
    return lambda *lines, **settings: replayed(script_of(tmp_path, lines), **settings)


def rules(outcome: dict[str, Any]) -> dict[str, str]:
    return {fact["value"]: fact["status"] for fact in outcome["facts"] if fact["category"] == "rule"}


# --- What people do ----------------------------------------------------------------------------


def test_an_edit_takes_back_what_the_message_had_taught_and_teaches_anew(play):
    told = play(RULE, OLIA | {"edit": 1, "text": "Нагадую: ніякої реклами в чаті!"})
    assert rules(told) == {"advertising": "active"}
    assert (told["lines"][1]["message_id"], told["lines"][1]["outcome"]) == (1, "edited")


def test_a_button_is_pressed_by_its_number_and_what_it_changes_is_told(play):
    told = play(RULE, LIST, TARAS | {"press": 1}, TARAS | {"press": 2, "message_id": 3})
    asked, opened, voted = told["lines"][1:]
    assert [answer["message_id"] for answer in asked["answers"]] == [3]
    assert "Чинне з" in opened["edits"][0]["text"]
    assert "Виправити" in opened["edits"][0]["buttons"]
    assert opened["message_id"] == voted["message_id"] == 3
    assert voted["edits"] or voted["shown"]


def test_a_reaction_counts_as_a_vote_and_is_taken_back(play):
    reaction = TARAS | {"message_id": 3}
    lines = [RULE, LIST, TARAS | {"press": 1}, reaction | {"react": "👍"}, reaction | {"react": ""}]
    shown = [line["edits"][0]["text"] for line in play(*lines)["lines"][2:]]
    assert ["За: 1" in shown[0], "За: 2" in shown[1], "За: 1" in shown[2]] == [True, True, True]


def test_members_come_and_go_and_their_rights_with_them(play):
    lines = [OLIA | {"text": "Привіт"}, OLIA | {"member": "administrator"}, RULE | {"message_id": 2}]
    assert rules(play(*lines)) == {"politics": "active"}
    gone = play(
        TARAS | {"text": "Бувайте"}, TARAS | {"member": "left"}, TARAS | {"member": "joined"}, TARAS | {"text": "Я тут"}
    )
    assert [line["outcome"] for line in gone["lines"]] == [
        "stored",
        "left: kept",
        "ignored: a member who stays",
        "stored",
    ]


def test_a_night_runs_all_its_jobs_and_says_what_they_did(play):
    later = {"night": True, "date": "2027-02-20T01:00:00+00:00"}
    told = play(RULE | {"date": "2026-11-06T18:00:00+00:00"}, {"night": True}, later)
    first, second = (line["night"] for line in told["lines"][1:])
    assert {"decay", "dedup", "summaries", "episodes", "culture", "consolidate", "retention", "sweep"} <= set(first)
    assert (first["decay"], second["decay"]) == ({"expired": 0}, {"expired": 1})
    assert rules(told) == {"politics": "expired"}


def test_the_bot_writes_in_private_only_to_who_wrote_to_it_first(play):
    ask = OLIA | {"text": "/gryadexport"}
    strange = play(OLIA | {"text": "Я живу у Львові"}, ask)
    assert not [line for line in strange["transcript"] if line["private_to"]]
    start = OLIA | {"text": "/start", "private": True}
    known = play(start, OLIA | {"text": "Я живу у Львові"}, ask)
    assert [line["message_id"] for line in known["transcript"] if line["private_to"]][:2] == [1, 2]
    assert known["lines"][0]["answers"][0]["private_to"] == "Оля"
    assert any(line["private_to"] and line["file"] for line in known["transcript"])


def test_each_answer_stands_with_the_message_that_it_answers(play):
    told = play(RULE, TARAS | {"text": "гряг, які в нас правила?", "message_id": 2})
    [answer] = [line for line in told["transcript"] if line["is_bot"]]
    assert answer["answers"] == {"message_id": 2, "author": "Тарас", "text": "гряг, які в нас правила?"}
    assert [line["answers"] for line in told["transcript"] if not line["is_bot"]] == [None, None]


def test_a_line_whose_time_has_passed_comes_at_once(play):
    minutes = [
        TARAS | {"text": text, "date": f"2026-11-06T18:0{n}:00"} for n, text in enumerate(("а", "гряг, га?", "о"))
    ]
    dates = [line["date"][11:19] for line in play(*minutes)["lines"]]
    assert dates[0] == "18:00:00"
    assert dates[1] > "18:10:00"
    assert dates[1] < dates[2] < "18:15:00"


def test_who_is_only_named_has_an_id_that_nobody_else_has(tmp_path):
    said = [{"name": "Ігор"}, OLIA, {"name": "Оля"}, TARAS, {"name": "Ігор"}]
    script = read_script(script_of(tmp_path, [who | {"text": "га"} for who in said]), clock=ReplayClock(FRIDAY))
    assert [message.person.user_id for message in script.messages] == [103, 101, 101, 102, 103]


def test_what_was_said_of_somebody_need_not_be_said_again(tmp_path):
    lines = [
        TARAS | {"username": "taras", "text": "га"},
        {"user_id": 102, "text": "га"},
        {"user_id": 102, "name": "Канал", "sender_chat": -1009, "text": "га"},
        {"name": "Тарас", "text": "га"},
    ]
    people = [said.person for said in read_script(script_of(tmp_path, lines), clock=ReplayClock(FRIDAY)).messages]
    assert [(person.user_id, person.name, person.username) for person in people] == [
        (102, "Тарас", "taras"),
        (102, "Тарас", "taras"),
        (102, "Канал", "taras"),
        (102, "Тарас", "taras"),
    ]


@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        ({"type": "user", "sender_user": {"id": 9, "first_name": "Ганна"}}, {"type": "user"}),
        ({"type": "hidden_user", "sender_user_name": "Ганна"}, {"sender_user_name": "Ганна"}),
        ({"type": "chat", "sender_chat": {"id": -1001, "title": "Група"}}, {"type": "chat"}),
        ({"type": "channel", "chat": {"id": -1009, "title": "Канал"}, "message_id": 4}, {"message_id": 4}),
    ],
)
def test_an_origin_may_be_written_as_the_bot_api_does(origin, shown):
    here = Chat()
    forwarded = here.say(text="га", forwarded=origin)["forward_origin"]
    external = here.say(text="га", external_reply={"origin": origin, "chat": {"id": -1007}, "message_id": 3})
    check(external, "Message", "message")
    assert forwarded.items() >= shown.items()
    assert external["external_reply"]["origin"]["type"] == origin["type"]
    assert external["external_reply"]["message_id"] == 3


def test_a_comment_is_for_who_reads(play):
    told = play({"comment": "Правила чату"}, RULE | {"comment": "Оля адмінить"})
    assert [line["line"] for line in told["lines"]] == [2]


def test_a_photo_has_a_caption_that_teaches_as_a_text_does(play):
    rule = {"user_id": 101, "name": "Оля", "is_admin": True, "media": "photo", "caption": RULE["text"]}
    assert rules(play(rule)) == {"politics": "active"}


@pytest.mark.parametrize(
    "foreign", [{"forwarded": {"user_id": 9, "name": "Ганна"}}, {"via_bot": "gif"}, {"forwarded": True}]
)
def test_words_of_others_teach_nothing(play, foreign):
    assert play(TARAS | {"text": "Мене звати Іван, я живу у Львові"} | foreign)["facts"] == []


def test_in_a_forum_the_bot_answers_in_the_topic(play):
    told = play(RULE | {"topic": 50}, TARAS | {"text": "гряг, які в нас правила?", "topic": 50})
    assert [line["outcome"] for line in told["lines"]] == ["stored", "answered"]
    assert rules(told) == {"politics": "active"}


# --- What Telegram allows nobody ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (OLIA | {"edit": 7, "text": "a"}, "there is no message 7"),
        (TARAS | {"edit": 1, "text": "a"}, "message 1 is Оля's, and nobody edits what somebody else wrote"),
        (OLIA | {"edit": 1, "text": RULE["text"]}, "message 1 says this already"),
        (OLIA | {"edit": 1, "text": " "}, "nobody sends an empty message"),
        (OLIA | {"edit": 1, "text": "a", "date": "2026-11-09T18:00:00"}, "older than 48 hours"),
        (OLIA | {"edit": 3, "text": "a"}, "message 3 is гряг's"),
        (OLIA | {"press": 9}, "there is no button 9: message 3 has one button"),
        (OLIA | {"press": 1, "message_id": 1}, "Оля sees no button under message 1"),
        (OLIA | {"press": 1, "private": True}, "Оля sees no button."),
        (OLIA | {"react": "👍", "message_id": 9}, "there is no message 9"),
        (OLIA | {"react": "", "message_id": 1}, "none to take back"),
        (OLIA | {"text": "так", "reply_to": 9}, "there is no message 9 to reply to"),
        (OLIA | {"text": "так", "reply_to": 1, "quote": "спаму"}, 'message 1 does not say "спаму"'),
        (OLIA | {"text": "так", "external_reply": {"message_id": 9}}, "there is no message 9 to reply to"),
        (OLIA | {"text": "так", "external_reply": {"message_id": 1, **TARAS}}, "message 1 is Оля's, not Тарас's"),
        (OLIA | {"text": "так", "reply_to": 1, "topic": 40}, "message 1 stands in no topic"),
        (OLIA | {"text": "ї" * 4097}, "at most 4096"),
        (OLIA | {"member": "administrator"}, "Оля is an administrator already"),
        (TARAS | {"member": "member"}, "Тарас is no administrator"),
        (TARAS | {"member": "joined"}, "Тарас is a member already"),
        (TARAS | {"text": "слухайте", "sender_chat": -1001}, "Тарас is no administrator"),
    ],
)
def test_what_telegram_allows_nobody_is_refused_with_file_and_line(tmp_path, line, complaint):
    shows_a_button = "press" in line or line.get("edit") == 3
    script = script_of(tmp_path, [RULE, LIST if shows_a_button else TARAS | {"text": "га"}, line])
    with pytest.raises(ScriptError) as error:
        replayed(script)
    assert str(error.value).startswith(f"{script}:3: ")
    assert complaint in str(error.value)


def test_of_a_script_that_fails_nothing_is_kept(tmp_path):
    kept = tmp_path / "kept.db"
    with pytest.raises(ScriptError):
        replayed(script_of(tmp_path, [RULE, TARAS | {"edit": 1, "text": "a"}]), keep=kept)
    assert [path.name for path in tmp_path.iterdir()] == ["talk.jsonl"]
    replayed(script_of(tmp_path, [RULE]), keep=kept)
    assert kept.exists()


def test_who_is_gone_or_demoted_says_nothing_more_as_what_they_were(play):
    said = TARAS | {"text": "Я тут"}
    with pytest.raises(ScriptError, match=r":3: Тарас is not in the chat any more"):
        play(said, TARAS | {"member": "banned"}, said)
    with pytest.raises(ScriptError, match=r":3: Оля is no administrator now"):
        play(RULE, OLIA | {"member": "member"}, RULE | {"message_id": 2})
    with pytest.raises(ScriptError, match=r":3: Тарас is not in the chat\."):
        play(said, TARAS | {"member": "left"}, TARAS | {"member": "administrator"})


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (OLIA | {"txt": "a"}, '"txt" means nothing in a message; did you mean "text"?'),
        (OLIA | {"text": "a", "colour": 1}, '"colour" means nothing in a message; known are caption, comment, date'),
        (OLIA | {"edit": 1, "text": "a", "reply_to": 1}, '"reply_to" means nothing in an edit'),
        (OLIA | {"press": 1, "text": "a"}, '"text" means nothing in a pressed button'),
        (OLIA | {"react": "👍", "message_id": 1, "private": True}, '"private" means nothing in a reaction'),
        ({"night": True, "jobs": ["decay"]}, '"jobs" means nothing in a night'),
        (OLIA | {"text": "a", "forwarded": {"id": 1}}, '"id" means nothing in "forwarded"'),
        (OLIA | {"edit": 1, "press": 1}, "edit and press on one line"),
        (OLIA | {"edit": 1}, 'an edit has either the new "text" or the new "caption"'),
        (OLIA | {"edit": "1", "text": "a"}, '"edit" must be a whole number, not "1"'),
        (OLIA | {"press": 0}, '"press" must be 1 or more'),
        (OLIA | {"react": "👍"}, '"message_id" does not say'),
        (OLIA | {"member": "gone"}, '"member" is one of joined, left, banned, administrator, member, not "gone"'),
        ({"night": False}, '"night" must be true'),
        ({"press": 1}, "who speaks"),
        (OLIA | {"media": "photo", "text": "a"}, 'what is said with a photo is its "caption"'),
        (OLIA | {"media": "sticker", "caption": "a"}, "a sticker has no caption"),
        (OLIA | {"media": "film"}, '"media" is one of photo, voice, '),
        (OLIA | {"caption": "a"}, '"caption" belongs to "media"'),
        (OLIA | {"text": "a", "quote": "b"}, '"quote" needs "reply_to"'),
        (OLIA | {"text": "a", "private": True, "topic": 3}, "in private there are no topics"),
        (OLIA | {"text": "a", "sender_chat": 5}, "which is negative"),
        (OLIA | {"text": "a", "external_reply": {"message_id": 1}, "reply_to": 1}, "replies to one message"),
        (OLIA | {"text": "a", "external_reply": {"chat_id": -5, "message_id": 1}}, "says whose words they are"),
    ],
)
def test_a_line_of_no_known_form_is_refused_with_file_and_line(tmp_path, line, complaint):
    script = script_of(tmp_path, [RULE, line])
    with pytest.raises(ScriptError) as error:
        replayed(script)
    assert str(error.value).startswith(f"{script}:2: ")
    assert complaint in str(error.value)


# --- As Telegram delivers it -------------------------------------------------------------------


BOT = Person(5, "гряг", "gryag_bot", is_bot=True)
FORUM = LocalChat(-1001, "supergroup", "Spomyn", is_forum=True)


class Chat:
    """A chat in which lines are said, without a bot behind it."""

    def __init__(self):
        self.messenger, self.reader, self.last = Messenger(store=None, bot=BOT, strict=True), LineReader(), 0

    def say(self, chat=LOCAL_CHAT, **line):
        self.last += 1
        said = self.reader.read(ScriptFields(OLIA | line, "here"))
        message = compose(self.messenger, chat, said, self.last, FRIDAY, is_excerpt=False)
        self.messenger.keep(message)
        return message


@pytest.mark.parametrize(
    ("line", "chat"),
    [
        ({"text": "/gryadfacts @olia"}, LOCAL_CHAT),
        ({"text": "ага", "reply_to": 1, "quote": "котик"}, LOCAL_CHAT),
        ({"text": "ага", "external_reply": {"message_id": 1}, "quote": "котик"}, FORUM),
        (
            {"text": "ага", "external_reply": {"chat_id": -1007, "message_id": 3, "user_id": 9}, "quote": "слон"},
            LOCAL_CHAT,
        ),
        ({"text": "ага", "topic": 40}, FORUM),
        ({"text": "ага", "sender_chat": -1001}, LOCAL_CHAT),
        ({"text": "ага", "sender_chat": -10055}, LOCAL_CHAT),
        ({"text": "ага", "via_bot": "@gif"}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": True}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": {"user_id": 9, "name": "Ганна"}}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": {"user_id": -1001, "name": "Група"}}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": {"user_id": -1009, "name": "Канал", "message_id": 4}}, LOCAL_CHAT),
        *[({"media": kind}, LOCAL_CHAT) for kind in ("photo", "voice", "video", "video_note", "animation", "audio")],
        *[({"media": kind}, LOCAL_CHAT) for kind in ("document", "sticker")],
        ({"media": "photo", "caption": "гарно, @taras"}, LOCAL_CHAT),
    ],
)
def test_a_message_has_the_form_that_the_bot_api_describes(line, chat):
    here = Chat()
    here.say(text="🙂 котик спить")
    message = here.say(chat, **line)
    check(message, "Message", "message")
    if "quote" in line:
        assert message["quote"]["position"] == (3 if line["quote"] == "котик" else 0)


def test_an_edited_message_and_the_other_updates_have_that_form_too():
    here, person = Chat(), Person(101, "Оля", "olia")
    new = edit_message(here.say(media="photo", caption="ой"), person, "ай", FRIDAY)
    assert (new["caption"], new["edit_date"]) == ("ай", int(FRIDAY.timestamp()))
    updates = [
        {"update_id": 1, "edited_message": new},
        button_update(2, person, here.say(text="?") | {"reply_markup": {"inline_keyboard": []}}, "data"),
        reaction_update(3, LOCAL_CHAT, person, 1, FRIDAY, "", "👍"),
    ]
    for update in updates:
        check(update, "Update", "update")
    changes = [("left", "member"), ("member", "left"), ("member", "kicked")]
    for old, status in changes:
        check(member_update(4, LOCAL_CHAT, person, FRIDAY, old, status), "Update", "update")


def test_a_reply_stays_in_the_topic_of_what_it_answers():
    here = Chat()
    here.say(FORUM, text="про риболовлю", topic=40)
    assert here.say(FORUM, text="і я", reply_to=1)["message_thread_id"] == 40
    with pytest.raises(Impossible, match="stands in topic 40"):
        here.say(FORUM, text="і я", reply_to=1, topic=41)


VALUES = st.sampled_from(
    [
        *(None, True, False, -1001, -1009, 0, 1, 2, 40, 1 << 60, 1.5, "", " ", "котик", "@gif", "photo", "sticker", []),
        *({}, {"user_id": 9, "name": "Г"}, {"message_id": 1}, {"chat_id": -7, "message_id": 1, "name": "Г"}),
        *({"type": "channel", "chat": {"id": -1009}}, {"origin": {"type": "user", "sender_user": {"id": 9}}}),
    ]
)


@given(st.dictionaries(st.sampled_from(MESSAGE_KEYS), VALUES), st.sampled_from((LOCAL_CHAT, FORUM)))
def test_a_line_is_refused_or_a_message_as_the_bot_api_describes_it(line, chat):
    here = Chat()
    here.say(text="🙂 котик спить")
    try:
        message = here.say(chat, **{"text": "га"} | line)
    except (ScriptError, Impossible):
        return
    check(message, "Message", "message")
    parse_update({"update_id": 1, "message": message})
