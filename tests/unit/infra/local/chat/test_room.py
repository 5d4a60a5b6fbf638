"""Who is in the chat, with what rights, and what Telegram allows nobody."""

from __future__ import annotations

import pytest

from infra.local.script import ScriptError
from tests.support.scripts import replayed, script_of
from tests.unit.infra.local.script.plays import LIST, OLIA, RULE, TARAS, rules

pytestmark = pytest.mark.usefixtures("logging_restored")


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


def test_the_bot_writes_in_private_only_to_who_wrote_to_it_first(play):
    ask = OLIA | {"text": "/gryadexport"}
    strange = play(OLIA | {"text": "Я живу у Львові"}, ask)
    assert not [line for line in strange["transcript"] if line["private_to"]]
    start = OLIA | {"text": "/start", "private": True}
    known = play(start, OLIA | {"text": "Я живу у Львові"}, ask)
    assert [line["message_id"] for line in known["transcript"] if line["private_to"]][:2] == [1, 2]
    assert known["lines"][0]["answers"][0]["private_to"] == "Оля"
    assert any(line["private_to"] and line["file"] for line in known["transcript"])


def test_in_a_forum_the_bot_answers_in_the_topic(play):
    told = play(RULE | {"topic": 50}, TARAS | {"text": "гряг, які в нас правила?", "topic": 50})
    assert [line["outcome"] for line in told["lines"]] == ["stored", "answered"]
    assert rules(told) == {"politics": "active"}


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


def test_who_is_gone_or_demoted_says_nothing_more_as_what_they_were(play):
    said = TARAS | {"text": "Я тут"}
    with pytest.raises(ScriptError, match=r":3: Тарас is not in the chat any more"):
        play(said, TARAS | {"member": "banned"}, said)
    with pytest.raises(ScriptError, match=r":3: Оля is no administrator now"):
        play(RULE, OLIA | {"member": "member"}, RULE | {"message_id": 2})
    with pytest.raises(ScriptError, match=r":3: Тарас is not in the chat\."):
        play(said, TARAS | {"member": "left"}, TARAS | {"member": "administrator"})
