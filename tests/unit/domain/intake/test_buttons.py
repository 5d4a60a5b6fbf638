"""Seals of buttons: what this bot offered in this chat, letter for letter, and nothing else."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.domain.intake.buttons import MAX_BYTES, Sealed, long_id, refuse_at_sight, seal, short_id, unseal
from shared.domain.intake.updates import ButtonPressed, ChatInfo

KEY, CHAT = b"a key of tests", -1_001_000_000_001
LETTERS = string.ascii_letters + string.digits + "_.+-"

chats = st.integers(-(10**13), 10**13)
owners = st.none() | st.integers(-(10**15), 10**16 - 1)
actions = st.text(string.ascii_lowercase, min_size=1, max_size=4)
args = st.lists(st.text(LETTERS, max_size=7), max_size=3).map(tuple)
buttons = st.builds(Sealed, actions, args, owners)


@given(chats, buttons)
def test_what_is_sealed_comes_back_as_it_was(chat_id, button):
    data = seal(KEY, chat_id, button)
    assert unseal(KEY, chat_id, data) == button
    assert len(data.encode()) <= MAX_BYTES


@given(chats, chats, buttons, st.binary(min_size=1, max_size=32))
def test_a_seal_holds_in_its_own_chat_and_under_its_own_key(chat_id, other, button, key):
    assume(other != chat_id)
    assume(key.rstrip(b"\0") != KEY)  # HMAC pads keys with zeros
    data = seal(KEY, chat_id, button)
    assert unseal(KEY, other, data) is None
    assert unseal(key, chat_id, data) is None


@given(buttons, buttons)
def test_no_two_buttons_have_the_same_data(one, other):
    assert (seal(KEY, CHAT, one) == seal(KEY, CHAT, other)) is (one == other)


@given(buttons, st.data())
def test_a_seal_is_broken_by_any_other_letter(button, draw):
    data = seal(KEY, CHAT, button)
    at = draw.draw(st.integers(0, len(data) - 1))
    letter = draw.draw(st.sampled_from(LETTERS + "|").filter(lambda letter: letter != data[at]))
    assert unseal(KEY, CHAT, data[:at] + letter + data[at + 1 :]) is None


@given(st.text(st.characters(exclude_categories=())))
def test_whatever_an_app_sends_is_no_button_of_ours(data):
    assert unseal(KEY, CHAT, data) is None
    assert unseal(KEY, CHAT, f"rst||{data}") is None


@pytest.mark.parametrize(
    "button",
    [
        Sealed("Reset"),
        Sealed("reset"),
        Sealed(""),
        Sealed("rst", ("a|b",)),
        Sealed("rst", ("a b",)),
        Sealed("rst", ("ї",)),
        Sealed("rst", ("a\n",)),
        Sealed("rst", ("a" * 60,)),
    ],
    ids=str,
)
def test_what_would_not_come_back_is_not_sealed(button):
    with pytest.raises(ValueError, match="button"):
        seal(KEY, CHAT, button)


def test_the_id_of_a_fact_leaves_room_for_the_longest_owner():
    data = seal(KEY, CHAT, Sealed("whyc", (short_id("f" * 32), "1"), 10**16 - 1))
    assert len(data) <= MAX_BYTES


@given(st.text("0123456789abcdef", min_size=32, max_size=32))
def test_a_short_id_is_the_same_id(fact_id):
    assert long_id(short_id(fact_id)) == fact_id
    assert len(short_id(fact_id)) == 22


@pytest.mark.parametrize("other", ["", "f" * 31, "F" * 32, "g" * 32, f"{'f' * 32}\n"])
def test_what_is_no_facts_id_is_not_shortened(other):
    with pytest.raises(ValueError, match="id of a fact"):
        short_id(other)


def test_a_button_may_have_as_many_bytes_as_telegram_takes_and_not_one_more():
    room = MAX_BYTES - len(seal(KEY, CHAT, Sealed("set", ("",), 1)))
    assert len(seal(KEY, CHAT, Sealed("set", ("a" * room,), 1))) == MAX_BYTES
    with pytest.raises(ValueError, match="button"):
        seal(KEY, CHAT, Sealed("set", ("a" * (room + 1),), 1))


def test_an_owner_whose_id_is_zero_is_one():
    assert unseal(KEY, CHAT, seal(KEY, CHAT, Sealed("set", (), 0))) == Sealed("set", (), 0)


def test_a_button_that_an_earlier_version_sealed_is_one_still():
    """Messages keep their buttons for years: the seal is HMAC-SHA-256 under the key, of the chat and what is said."""
    assert seal(KEY, CHAT, Sealed("set", ("m",), 5)) == "set|m|5|yOM3-K-SsH8"
    assert unseal(KEY, CHAT, "set|m|5|yOM3-K-SsH8") == Sealed("set", ("m",), 5)


@pytest.mark.parametrize(
    ("owner", "offered", "chat_id", "refused"),
    [
        (None, None, CHAT, None),
        (None, "it", CHAT, None),
        (None, "another", CHAT, "old_button"),
        (None, "it", CHAT + 1, "old_button"),
        (7, "it", CHAT, None),
        (8, "it", CHAT, "not_your_button"),
        (8, "another", CHAT, "old_button"),
    ],
)
def test_at_sight_is_refused_what_is_forged_anothers_or_does_not_stand_there(owner, offered, chat_id, refused):
    data = seal(KEY, CHAT, Sealed("keep", (), owner))
    stands = {None: None, "it": frozenset({data}), "another": frozenset({"x"})}[offered]
    press = ButtonPressed(1, "c", ChatInfo(chat_id, "group"), 5, None, 7, "Оля", None, data, stands)
    assert refuse_at_sight(KEY, chat_id, press) == refused
