"""Whether a text repeats what was said: runs of three words, shorter texts whole, and single words that tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.forgetting.traces.words import ForgottenWords


@pytest.mark.parametrize(
    ("said", "text", "repeated", "echoed"),
    [
        ("quasars dance all night", "they say: quasars dance all day", True, True),
        ("quasars dance all night", "quasars dance well", False, True),
        ("quasars dance", "why quasars dance there", True, True),
        ("quasars", "quasars", False, True),
        ("all by us", "by us all", False, False),
        ("all by us", "all by us two", True, True),
        ("four", "four", False, True),
        ("one", "one", False, False),
        ("", "anything at all", False, False),
    ],
)
def test_a_text_repeats_by_runs_and_echoes_by_single_words(said, text, repeated, echoed):
    words = ForgottenWords([said])
    assert (words.repeated_in(text), words.echoed_in(text)) == (repeated, echoed)


def test_what_somebody_else_said_too_tells_nothing():
    words = ForgottenWords(["quasars dance all night", "lasers shine"])
    words.leave_out("well, quasars dance all day")
    assert not words.repeated_in("quasars dance all")
    assert words.repeated_in("dance all night")
    assert (words.echoed_in("quasars"), words.echoed_in("night")) == (False, True)
    words.leave_out("my lasers shine too")
    assert not words.repeated_in("lasers shine")


def test_words_are_there_by_runs_or_by_single_ones():
    assert not ForgottenWords(["a"])
    assert ForgottenWords(["a b"])
    assert ForgottenWords(["quasars"])
    assert not ForgottenWords()


def test_how_long_a_telling_word_is_may_be_said():
    assert ForgottenWords(["Ян"], shortest=2).single == {"ян"}
    assert ForgottenWords(["Ян"]).single == set()


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon"]), min_size=2, max_size=6), st.data())
def test_every_text_repeats_itself_until_somebody_else_says_it(said, data):
    text = " ".join(said)
    words = ForgottenWords([text])
    assert words.repeated_in(f"well {text} so")
    words.leave_out(data.draw(st.just(text)))
    assert not words.repeated_in(text)
    assert not words.echoed_in(text)
