"""Short and tender forms of names, in both languages."""

import pytest

from shared.domain.people.short_names import families_of, forms_of
from shared.domain.text.names import phonetic_key


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
