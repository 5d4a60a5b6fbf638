"""What a group is like, in figures."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.character import FEWEST, TRAITS, character_of
from shared.domain.conversation.messages import Message

MONDAY = datetime(2026, 11, 2, 22, 30, tzinfo=UTC)
KYIV = ZoneInfo("Europe/Kyiv")


def said(text, at=MONDAY, user_id=1, number=1, **more):
    return Message(-100, number, at, user_id, "Оля", text=text, **more)


def test_shares_are_of_messages_and_languages_of_those_that_have_one():
    talk = [said("Привіт, як справи?")] * 10 + [said("See you on Friday")] * 5 + [said("😂")] * 5
    character = character_of(talk, zone=KYIV)
    assert character.messages == 20
    assert character.shares["ukrainian"] == 10 / 15
    assert character.shares["english"] == 5 / 15
    assert character.shares["questions"] == 0.5
    assert character.shares["laughter"] == character.shares["emoji"] == 0.25
    assert character.emojis == (("😂", 5),)


def test_hours_and_days_are_local():
    character = character_of([said("Добраніч усім")] * FEWEST, zone=KYIV)  # 00:30 of Tuesday in Kyiv
    assert character.hours[0] == FEWEST
    assert character.weekdays == (0, FEWEST, 0, 0, 0, 0, 0)
    assert character.shares["night"] == 1


def test_only_peoples_own_words_count():
    own = [said("Так")] * FEWEST
    others = [said("Так", is_bot=True), said("Так", forwarded=True), said("/gryadhelp", kind="command")]
    assert character_of([*own, *others], zone=KYIV).messages == FEWEST
    assert character_of([*own[1:], *others], zone=KYIV) is None


@given(st.lists(st.tuples(st.text(max_size=30), st.integers(0, 10_000)), min_size=FEWEST, max_size=60))
def test_every_share_is_one_and_every_message_has_an_hour(talk):
    messages = [said(text, at=MONDAY + timedelta(minutes=minutes)) for text, minutes in talk]
    character = character_of(messages, zone=KYIV)
    assert set(character.shares) == set(TRAITS)
    assert all(0 <= share <= 1 for share in character.shares.values())
    assert sum(character.hours) == sum(character.weekdays) == character.messages
