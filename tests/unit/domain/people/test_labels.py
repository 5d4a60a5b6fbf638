"""Labels of people: all different, nothing in them that structures a line, nobody under another's."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.people.labels import MAX_NAME, NAMELESS, Identity, families_of, forms_of, labels_of
from shared.domain.text.names import phonetic_key
from tests.unit.domain.answering.context.nasty import IDS, NAMES

BOT = 1
MONDAY, FRIDAY = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 6, tzinfo=UTC)
PEOPLE = st.dictionaries(st.integers(2, 50), st.text(max_size=40), max_size=8)


def labels(*people, bot_name="гряг"):
    return labels_of(people, bot_id=BOT, bot_name=bot_name)


def called(names, bot_name="гряг"):
    return labels(*(Identity(user_id, name) for user_id, name in names.items()), bot_name=bot_name)


def test_namesakes_are_told_apart_by_what_others_call_them_and_by_username():
    told = labels(
        Identity(5, "Андрій", username="plast", aliases=("Пластун",)),
        Identity(7, "Андрій", username="andriy_dron"),
    )
    assert told == {BOT: "гряг", 5: "Андрій (Пластун)", 7: "Андрій (@andriy_dron)"}


def test_a_name_that_nobody_shares_stands_alone_whatever_else_is_known():
    assert labels(Identity(5, "Андрій", username="plast", aliases=("Пластун",)))[5] == "Андрій"


def test_an_alias_that_two_have_or_that_is_a_name_tells_nobody_apart():
    told = labels(
        Identity(5, "Саша", aliases=("Рудий", "Ігор", "Док")),
        Identity(7, "Саша", aliases=("Рудий",)),
        Identity(9, "Ігор"),
    )
    assert told == {BOT: "гряг", 5: "Саша (Док)", 7: "Саша", 9: "Ігор"}


def test_one_username_of_two_tells_nobody_apart():
    assert labels(Identity(5, "Саша", username="sasha"), Identity(7, "Саша", username="sasha")) == {
        BOT: "гряг",
        5: "Саша",
        7: "Саша#2",
    }


def test_who_takes_anothers_name_is_shown_as_they_were_called_before():
    prankster = Identity(5, "Соломія", since={"Тарас": MONDAY, "Coломія": FRIDAY, "Соломія": FRIDAY})
    assert labels(prankster, Identity(7, "Соломія", since={"Соломія": MONDAY})) == {
        BOT: "гряг",
        5: "Тарас",
        7: "Соломія",
    }


def test_an_admins_name_is_theirs_even_if_another_was_seen_with_it_first():
    prankster = Identity(5, "Соломія", since={"Тарас": MONDAY, "Соломія": FRIDAY})
    admin = Identity(7, "Соломія", since={"Соломія": FRIDAY.replace(day=8)}, is_admin=True)
    assert labels(prankster, admin) == {BOT: "гряг", 5: "Тарас", 7: "Соломія"}


def test_two_who_swap_their_names_keep_their_own():
    one = Identity(5, "Оля", since={"Ігор": MONDAY, "Оля": FRIDAY})
    other = Identity(7, "Ігор", since={"Оля": MONDAY, "Ігор": FRIDAY})
    assert labels(one, other) == {BOT: "гряг", 5: "Ігор", 7: "Оля"}


def test_a_namesake_who_was_never_called_otherwise_keeps_the_name_and_an_admin_has_it_bare():
    assert labels(Identity(5, "Соломія"), Identity(7, "Соломія", is_admin=True)) == {
        BOT: "гряг",
        5: "Соломія#2",
        7: "Соломія",
    }


def test_the_bot_has_one_name_under_whichever_id_it_spoke():
    assert labels(Identity(44, "Гряг", is_bot=True)) == {BOT: "гряг", 44: "гряг"}


def test_of_two_who_share_a_name_the_lower_id_has_it_bare():
    assert called({7: "Оля", 5: "Оля", 9: "Ігор"}) == {BOT: "гряг", 5: "Оля", 7: "Оля#2", 9: "Ігор"}


@pytest.mark.parametrize("name", ["Гряг", "ГРЯГ", "гpяг"])
def test_nobody_is_called_as_the_bot_is_also_not_in_letters_that_look_alike(name):
    assert called({5: name})[5].endswith("#2")


@pytest.mark.parametrize("name", ["", "  ", "[]", "...", "##"])
def test_whose_name_shows_nothing_is_called_so(name):
    assert called({5: name})[5] == NAMELESS


def test_nobody_types_a_mark_or_a_number():
    names = {101: "Оля", 102: "Оля", 103: "Oля", 104: "гряг", 105: "Тарас", 106: "Оля#2", 107: "Оля (@olya)"}
    assert called(names) == {
        BOT: "гряг",
        101: "Оля",
        102: "Оля#2",
        103: "Oля#3",
        104: "гряг#2",
        105: "Тарас",
        106: "Оля 2",
        107: "Оля olya",
    }


@given(PEOPLE)
def test_the_order_in_which_people_are_named_changes_nothing(names):
    assert called(names) == called(dict(reversed(names.items())))


PERSONS = st.builds(
    Identity,
    IDS.filter(lambda user_id: user_id != BOT),
    NAMES,
    st.dictionaries(NAMES, st.datetimes(timezones=st.just(UTC)), max_size=3),
    st.none() | NAMES,
    st.lists(NAMES, max_size=2),
    st.booleans(),
)


@given(st.lists(PERSONS, max_size=12, unique_by=lambda person: person.user_id))
def test_labels_are_unique_and_hold_nothing_of_the_format(people):
    given_to = labels(*(person._replace(is_bot=False) for person in people))
    assert set(given_to) == {*(person.user_id for person in people), BOT}
    assert len({each.casefold() for each in given_to.values()}) == len(given_to)
    for label in given_to.values():
        name, _, mark = label.partition(" (")
        name, _, number = name.partition("#")
        assert not set(":#→←[]<>\\\n()@") & {*name, *mark.removesuffix(")").removeprefix("@")}
        assert name.strip() == name
        assert number == "" or int(number) > 1
        assert 0 < len(name) <= MAX_NAME
    assert given_to[BOT] == "гряг"


@given(st.dictionaries(IDS, NAMES, max_size=6), st.dictionaries(IDS, NAMES, max_size=3))
def test_who_comes_later_by_id_changes_nobodys_label(names, more):
    later = {max([*names, 0]) + 1 + abs(user_id): name for user_id, name in more.items()}
    few, all_of_them = (
        labels_of((Identity(*each) for each in known.items()), bot_id=None, bot_name="гряг")
        for known in (names, names | later)
    )
    assert all(all_of_them[user_id] == few[user_id] for user_id in names)


def families(name):
    return families_of(phonetic_key(name))


def forms(name):
    return forms_of(phonetic_key(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [("катерина", "катруся"), ("катерина", "kate"), ("микола", "nick"), ("robert", "bob"), ("роберт", "bob")],
)
def test_forms_of_one_name_share_a_family_across_languages(one, other):
    assert families(one) & families(other)
    assert other in forms(one)
    assert one in forms(other)


@pytest.mark.parametrize(("one", "other"), [("катерина", "марія"), ("robert", "richard"), ("тарас", "назар")])
def test_different_names_share_none(one, other):
    assert not families(one) & families(other)
    assert other not in forms(one)


def test_a_form_of_several_names_belongs_to_each_of_them():
    sasha = families("саша")
    assert families("олександр") & sasha
    assert families("олександра") & sasha
    assert {"олекса", "леся"} <= forms("саша")


@pytest.mark.parametrize("name", ["", "квазар", "zyx"])
def test_what_is_no_name_that_is_known_has_no_family_and_no_forms(name):
    assert families(name) == frozenset()
    assert forms(name) == frozenset()
