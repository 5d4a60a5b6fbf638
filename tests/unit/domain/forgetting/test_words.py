"""The keys by which names and telling words are the same in every form."""

import pytest

from tests.unit.domain.forgetting.people import forgotten, says


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["Ольга"], "Ользі пасує скрипалька"),
        (["Ольга"], "Оля скрипалька"),
        (["Олександр"], "Сашко грає в опері"),
        (["Robert"], "Bob: penicillin"),
        (["Мій Світ"], "А мій світ живе в Житомирі"),
        (["Петро"], "петра з Житомира"),
        (["Петро"], "petro loves the opera"),
        (["Марко"], "Маркова опера"),
    ],
)
def test_names_are_known_in_their_short_and_other_forms(names, text):
    assert forgotten(names=names).retold_in(says(text))


@pytest.mark.parametrize(
    ("text", "retells"),
    [
        ("@yaryna_v скрипалька", True),
        ("https://t.me/yaryna_v з Житомира", True),
        ("yaryna_v з Житомира", True),
        ("пошта yaryna_v2 з Житомира", False),
        ("@yaryna_vv скрипалька", False),
    ],
)
def test_a_username_is_a_name(text, retells):
    assert forgotten(names=["Сонце"], usernames=["Yaryna_V"]).retold_in(says(text)) is retells


def test_a_name_of_words_of_every_talk_is_no_name():
    assert not forgotten(names=["Мама"]).retold_in(says("Мама скрипалька, грає в опері"))


def test_what_they_said_of_themselves_counts_as_known_and_other_telling_words_half():
    known = forgotten(facts=(), said=["Я граю на цимбалах", "Бачили бурштин і малахіт?"])
    assert known.retold_in(says("Ярина і цимбали"))
    assert not known.retold_in(says("Ярина і бурштин"))
    assert known.retold_in(says("Ярина, бурштин і малахіт"))
