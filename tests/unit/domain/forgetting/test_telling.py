"""Who was forgotten, in hashes, and what retells them."""

import pytest

from shared.domain.forgetting.forgotten import mark
from shared.domain.forgetting.telling import Gone, Living, erase_member, word_limit
from tests.unit.domain.forgetting.people import NOON, OTHER, SALT, YARYNA, forgotten, says


@pytest.mark.parametrize(
    "name", ["Ярина", "Ярини", "Ярині", "Ярину", "Яриною", "Ярино", "ярина", "ЯРИНА", "Yaryna", "Yaryna's", "Коваль"]
)
@pytest.mark.parametrize(
    "fact", ["скрипалька", "скрипальку", "скрипалькою", "в опері", "з опери", "у Житомирі", "Житомир"]
)
def test_any_form_of_the_name_beside_any_form_of_the_fact_retells(name, fact):
    assert forgotten().retold_in(says(f"А {name} — {fact}, я чув"))


@pytest.mark.parametrize(
    "text", ["Ярина заходила вчора", "Моя сестра скрипалька, грає в опері", "Ярина працює завтра", ""]
)
def test_the_name_alone_and_the_facts_alone_retell_nobody(text):
    assert not forgotten().retold_in(says(text))


def test_quotes_and_what_a_picture_shows_count_with_the_text():
    known = forgotten()
    assert known.retold_in(says("ось Ярина", media_text="скрипалька на сцені"))
    assert known.retold_in(says("скрипалька!", quote="Ярина"))


def test_their_own_words_and_those_of_a_namesake_retell_nobody():
    known = forgotten()
    assert not known.retold_in(says("Я Ярина, я скрипалька", YARYNA, "Ярина Коваль"))
    assert not known.retold_in(says("Я Ярина, скрипалька, граю в опері", OTHER, "Ярина Бойко"))
    assert known.retold_in(says("Ярина скрипалька", -5, "Ярина"))  # a channel is nobody's namesake
    assert known.retold_in(says("Ярина скрипалька", 9, "Ярина", is_bot=True))


def test_beside_a_namesake_more_must_be_told_unless_the_surname_is():
    known = forgotten(Living(OTHER, ["Ярина Бойко"]))
    assert not known.retold_in(says("Ярина поїхала в Житомир"))
    assert known.retold_in(says("Ярина, скрипалька з Житомира"))
    assert known.retold_in(says("Ярина Коваль поїхала в Житомир"))
    assert known.retold_in(says("Коваль поїхала в Житомир"))


def test_what_answers_a_namesake_retells_nobody():
    known = forgotten(Living(OTHER, ["Ярина Бойко"]))
    assert not known.retold_in(says("Ярино, ти скрипалька з Житомира?", origin_ids=(OTHER,)))


def test_names_of_others_are_no_words_of_their_facts():
    known = forgotten(Living(OTHER, ["Остап"]), facts=["друг Остапа"])
    assert not known.retold_in(says("Ярина й Остап прийдуть"))


def test_nothing_can_be_read_in_what_is_kept_and_another_salt_gives_other_hashes():
    one, other = repr(forgotten().fields()), repr(forgotten(salt="x" * 22).fields())
    for needle in ("ярин", "iaryn", "скрип", "опер", str(YARYNA)):
        assert needle not in one.casefold()
    assert one != other
    assert mark(SALT, "c:опер") != mark("x" * 22, "c:опер")


def test_of_very_many_who_are_forgotten_little_each_is_kept_and_all_of_it_fits():
    words = ["".join(chr(0x430 + int(digit)) for digit in str(10**8 + number)) for number in range(1_000)]
    sizes = []
    for people in (1, 10, 50, 100, 200, 300):
        person = erase_member(SALT, Gone(1, NOON, ["Ярина"], facts=words, said=words), [], people=people)
        sizes.append(sum(len(each) for each in person.fields().values() if isinstance(each, str)))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 10 * sizes[-1]
    total = sum(2 * 3 * 8 * word_limit(people) + 300 for people in range(1, 301))
    assert total < 500_000


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
