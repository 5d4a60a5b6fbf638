"""`facts`: the table, the whole as JSON, and what was believed on a day."""

import re

import pytest

from tests.support.telegram.export import CHAT, START, exported, talk, written

pytestmark = pytest.mark.wall_clock

DAY = 86_400


@pytest.fixture
def known(spomyn, tmp_path):
    """A chat whose member moved from Lviv to Kyiv, with a name that would steer a terminal and be markup."""
    moved = [
        exported(1, "Я живу у Львові", 555, "Оля [bold]\x1b[31m"),
        *talk(18, first=11),
        exported(40, "Я живу в Києві", 555, "Оля [bold]\x1b[31m", date_unixtime=str(START + 5 * DAY)),
    ]
    admins = [word for user_id in (101, 102, 103) for word in ("--admin", user_id)]
    spomyn("backfill", written(tmp_path, moved), "--since", "2026-10-01", *admins)
    return spomyn


def test_facts_are_shown_with_confidence_value_quote_author_and_date(known):
    told = known("facts", CHAT).out
    assert re.search(r"«Я живу в Києві»", told)
    assert "\x1b[31m" not in told
    assert "Оля [bold]" in told
    assert re.search(r"\d\d%", told)
    assert "2026-10-31" in told


def test_facts_can_be_chosen(known):
    def keys(*arguments):
        return {(fact["subject"], fact["category"]) for fact in known("facts", CHAT, *arguments, "--json").json}

    assert keys("--member", 555) >= {("user:555", "personal_info")}
    assert {subject for subject, _ in keys("--member", 555)} == {"user:555"}
    assert keys("--member", 0, "--status", "all") >= {("chat", "rule")}
    assert {category for _, category in keys("--category", "relationship")} == {"relationship"}
    assert keys("--status", "pending") == set()


def test_what_was_believed_on_a_day_is_told(known):
    def homes(*arguments):
        facts = known("facts", CHAT, "--member", 555, "--category", "personal_info", *arguments, "--json").json
        return [fact["value"] for fact in facts if fact["evidence"][0]["quote"].startswith("Я живу")]

    assert homes() == ["київ"]
    assert homes("--as-of", "2026-10-28") == ["львів"]
    assert homes("--as-of", "2026-10-01") == []


def test_evidence_shows_every_quote(known):
    newest, every = known("facts", CHAT).out, known("facts", CHAT, "--evidence").out
    assert every.count("«") >= newest.count("«")
    whole = known("facts", CHAT, "--json").json[0]["evidence"][0]
    assert set(whole) >= {"message_id", "user_id", "quote", "sent_at", "confidence", "authority", "name"}


def test_an_unknown_chat_and_a_wrong_choice_are_errors(known):
    done = known("facts", -5)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "There is no chat -5" in done.err
    assert known("facts", CHAT, "--category", "gossip").code == 2
    assert known("facts", CHAT, "--as-of", "yesterday").code == 2
    assert known("facts", "here").code == 2
