"""Names in stored texts are marked with their person, and told as they are today."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.domain.people.labels import Identity, labels_of
from shared.domain.people.naming import (
    NAME_WORD,
    bearing_names,
    call_today,
    mark_names,
    name_book,
    people_marked,
    plain_names,
    unname,
    without_names,
)

PLASTUN, DRON, OLYA, TARAS, BOIKO = 101, 102, 103, 104, 105
NAMES = {
    PLASTUN: ("Андрій",),
    DRON: ("Андрій", "andriy_dron"),
    OLYA: ("Оля",),
    TARAS: ("Тарас Шевченко",),
    BOIKO: ("Марта Бойко", "martusia"),
}
BOOK = name_book(NAMES, {PLASTUN: ("Пластун",), DRON: ("Дрон",)})
PEOPLE = [
    Identity(PLASTUN, "Андрій", aliases=["Пластун"]),
    Identity(DRON, "Андрій", username="andriy_dron", aliases=["Дрон"]),
    Identity(OLYA, "Оля"),
    Identity(TARAS, "Тарас Шевченко"),
    Identity(BOIKO, "Марта Бойко", username="martusia"),
]


def teller(*changed, without=()):
    people = {each.user_id: each for each in [*PEOPLE, *changed] if each.user_id not in without}
    return call_today(people, labels_of(people.values(), bot_id=1, bot_name="гряг"))


def marked(text):
    return mark_names(text, BOOK)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("Ключі віддали Олі.", "Ключі віддали {{103|Олі}}."),
        ("Тарасові Шевченку подарували м'яч", "{{104|Тарасові Шевченку}} подарували м'яч"),
        ("Shevchenko told Olya's joke", "{{104|Shevchenko}} told {{103|Olya}}'s joke"),
        ("Пластунові й Дронові", "{{101|Пластунові}} й {{102|Дронові}}"),
        ("пиши @andriy_dron", "пиши {{102|@andriy_dron}}"),
        ("Андрієві краще", "{{101,102|Андрієві}} краще"),
        ("над містом літає дрон", "над містом літає дрон"),
        ("оля прийде", "{{103|оля}} прийде"),
        ("Марко поїхав у Київ", "Марко поїхав у Київ"),
    ],
)
def test_a_name_is_marked_with_whom_it_means_in_the_form_that_stands_there(said, stored):
    assert marked(said) == stored


def test_words_are_left_that_are_nobodys_name():
    assert without_names("Де живе andriy_dron?", name_book({1: ("Андрій", "andriy_dron")})) == "Де живе"
    assert without_names("Where does Olha live?", name_book({1: ("Ольга",)})) == "Where does live"
    assert without_names("Where is it?", name_book({})) == "Where is it"


@given(st.lists(st.text("abc", min_size=2, max_size=4), max_size=9), st.text("abc", min_size=2, max_size=3))
def test_a_name_that_is_cut_short_means_all_whose_name_begins_so(names, begun):
    book = name_book(dict(enumerate((name,) for name in names)))
    assert book.guess(begun, is_cut=True) == {n for n, name in enumerate(names) if name.startswith(begun)}
    assert not book.guess(begun, is_cut=False)


def test_of_namesakes_all_are_kept():
    assert marked("Андрій обіцяв намет") == "{{101,102|Андрій}} обіцяв намет"


def test_who_bore_anothers_name_for_a_day_is_not_told_in_their_place():
    book = name_book({**NAMES, TARAS: ("Тарас Шевченко", "Оля")})
    stored = mark_names("Оля, завучка, збирає внески.", book)
    assert stored == "{{103,104|Оля}}, завучка, збирає внески."
    assert teller()(stored) == "Оля, завучка, збирає внески."


def test_a_text_is_told_with_the_labels_of_today():
    stored = "{{101|Андрій}} віддав {{103|Олі}} ключ, {{102|Андрієві}} - намет, а {{105|@martusia}} нічого."

    assert teller()(stored) == "Андрій (Пластун) віддав Олі ключ, Андрієві (Дрон) - намет, а @martusia нічого."


def test_of_a_name_that_says_more_only_the_words_that_name_are_taken():
    assert [*map(bearing_names, ("Анна з Києва", "Мама Марта", "сонце", "Тарас Шевченко"))] == [
        ["Анна"], ["Марта"], ["сонце"], ["Тарас", "Шевченко"],
    ]  # fmt: skip


def test_who_has_another_name_now_is_called_by_it():
    stored = marked("Олі віддали ключ. Оля рада.")

    assert teller(Identity(OLYA, "Королева"))(stored) == "Королева віддали ключ. Королева рада."


def test_a_name_that_is_half_of_two_names_is_told_whole():
    stored = marked("Тарасові дали м'яч.")

    assert teller(Identity(9, "Тарас Бульба"))(stored) == "Тарас Шевченко дали м'яч."


def test_who_took_anothers_name_is_told_by_their_own():
    prankster = Identity(9, "Оля", since={"Кіт": _day(1), "Оля": _day(20)})
    told = teller(prankster, Identity(OLYA, "Оля", since={"Оля": _day(2)}))

    assert told("{{9|Оля}} жартує, {{103|Оля}} ні.") == "Кіт жартує, Оля ні."


def test_who_is_not_there_any_more_is_somebody():
    stored = marked("Олі дали ключ.")

    assert teller(without={OLYA})(stored) == "хтось дали ключ."
    assert teller(without={OLYA})("Keys for {{103|Olya}}.") == "Keys for somebody."
    assert teller()(unname(stored, OLYA)) == plain_names(unname(stored, OLYA)) == "хтось дали ключ."


def test_of_a_name_that_two_bear_nothing_is_left_when_either_is_forgotten():
    assert unname(marked("Андрій спить."), DRON) == "{{|}} спить."


TYPED = st.lists(
    st.sampled_from(["{", "{{", "}}", "|", "103", "Оля", "Андрій", " ", ",", "{{103|", "{{|}}", "\\", '"', "а"]),
    max_size=12,
).map("".join)


def whom_words_mean(text):
    return {user_id for word in NAME_WORD.findall(text) for user_id in BOOK.members_named(word.casefold())}


@given(TYPED)
@example("{{103|Оля}}")
@example("{{{103|x}}")
def test_whatever_is_typed_forges_no_mark(typed):
    nobody = name_book({})

    assert not people_marked(mark_names(typed, nobody))
    assert people_marked(marked(typed)) <= {OLYA, PLASTUN, DRON}
    assert plain_names(mark_names(typed, nobody)).replace(" ", "") == typed.replace(" ", "")


@given(TYPED, st.sampled_from([OLYA, PLASTUN, TARAS]))
def test_after_an_erasure_no_stored_text_holds_a_name_of_whom_is_gone(typed, gone):
    stored = unname(marked(f"{typed} Оля, Тарасе Шевченку, Андрієві."), gone)

    assert gone not in people_marked(stored)
    assert gone not in whom_words_mean(plain_names(stored))


@given(TYPED)
def test_after_a_rename_no_told_text_holds_the_old_name(typed):
    stored = marked(f"{typed} Олі, Олею, Оля.")

    assert OLYA not in whom_words_mean(teller(Identity(OLYA, "Королева"))(stored))


def _day(number):
    from datetime import UTC, datetime

    return datetime(2026, 3, number, tzinfo=UTC)
