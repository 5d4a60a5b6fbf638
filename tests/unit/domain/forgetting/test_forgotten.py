"""All who were forgotten of a chat: noticing namesakes, joining chats, an empty one."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.forgotten import Erased, Hearsay, hidden_key, id_key, mark
from shared.domain.forgetting.telling import Living
from tests.unit.domain.forgetting.people import LATER, NOON, OTHER, SALT, YARYNA, forgotten, says


def test_a_namesake_is_noticed_when_they_speak_and_what_they_say_of_themselves_is_theirs():
    before = forgotten()
    after = before.notice([says("Живу в Житомирі", OTHER, "Ярина Бойко")])
    assert after != before
    assert after.notice([says("Живу в Житомирі", OTHER, "Ярина Бойко")]) == after
    assert before.retold_in(says("Ярина з Житомира"))
    assert not after.retold_in(says("Ярина з Житомира, грає"))
    assert after.retold_in(says("Ярина — скрипалька в опері"))


def test_nothing_is_noticed_in_the_talk_of_others():
    known = forgotten()
    assert known.notice([says("Я скрипалька з Житомира"), says("Ярина з Житомира")]) == known
    assert known.notice([says("Живу в Житомирі", OTHER, "Ярина", is_bot=True)]) == known
    assert known.notice([says("Я скрипалька", YARYNA, "Ярина", at=NOON)]) == known


def test_what_they_say_anew_may_be_told_and_the_rest_not():
    after = forgotten().notice([says("Я скрипалька", YARYNA, "Ярина Коваль", LATER)])
    assert not after.retold_in(says("Ярина скрипалька"))
    assert after.retold_in(says("Ярина з Житомира"))


def test_forgotten_once_more_what_they_said_anew_is_erased_again():
    said = forgotten().notice([says("Я скрипалька", YARYNA, "Ярина Коваль", LATER)])
    again = forgotten(hearsay=said, until=LATER + timedelta(days=1), facts=["скрипалька"])
    assert again.people == 1
    assert again.retold_in(says("Ярина скрипалька"))
    assert again.retold_in(says("Ярина з Житомира"))


def test_a_namesake_who_is_forgotten_is_none_any_more():
    known = forgotten(Living(OTHER, ["Ярина Бойко"]))
    both = forgotten(hearsay=known, user_id=OTHER, names=["Ярина Бойко"], facts=["бджолярка"])
    assert both.people == 2
    assert both.retold_in(says("Ярина скрипалька"))
    assert both.retold_in(says("Ярина бджолярка"))


def test_a_text_that_nobody_said_is_judged_by_its_words():
    known = forgotten()
    assert known.retold_by("Ярина скрипалька")
    assert not known.retold_by("скрипалька")
    assert not known.retold_by("")


def test_those_of_two_chats_that_became_one_are_all_known():
    one = forgotten()
    other = forgotten(salt="another-salt-of-the-old", user_id=5, names=["Остап"], facts=["пасічник"])
    both = one.join(other)
    assert both.people == 2
    assert both.join(other) == both
    assert both.salt == SALT
    assert both.retold_in(says("Остап пасічник"))
    assert both.retold_in(says("Ярина скрипалька"))
    assert both.of(id_key(5)).people == 1
    third = forgotten(hearsay=both, user_id=6, names=["Зоряна"], facts=["ткаля"])
    assert third.retold_in(says("Остап пасічник"))
    assert third.retold_in(says("Зоряна ткаля"))


def test_an_empty_one_is_false_and_says_no():
    assert not Hearsay()
    assert Hearsay().salt is None
    assert not Hearsay().retold_in(says("Ярина скрипалька"))
    assert not Hearsay().is_said_then(says("о", origin_ids=(YARYNA,)))
    assert Hearsay().notice([says("о")]) == Hearsay()
    assert hidden_key("x") != id_key(1)


MARKS = st.frozensets(st.integers(0, 50).map(lambda number: mark(SALT, str(number))), max_size=9)
PEOPLE = st.builds(Erased, st.just(NOON) | st.just(LATER), *([MARKS] * 7))


@given(PEOPLE)
def test_what_is_kept_is_read_as_it_was(person):
    assert Erased.of(person.fields()) == person


@given(PEOPLE, PEOPLE)
def test_forgetting_again_loses_nothing_that_is_known(one, other):
    both = one.merge(other)
    for name in ("who", "names", "facts", "said", "namesakes", "shared"):
        assert getattr(both, name) == getattr(one, name) | getattr(other, name)
    assert both.until == max(one.until, other.until)
    assert one.merge(one) == one


def test_an_answer_to_what_they_said_then_needs_no_name():
    known = forgotten()
    then = {"origin_ids": (YARYNA,), "origin_at": NOON}
    assert known.retold_in(says("О, скрипалька!", **then))
    assert known.retold_in(says("О, скрипалька!", origin_names=(name_mark("ярина коваль"),), origin_at=NOON))
    assert not known.retold_in(says("О!", **then))
    assert not known.retold_in(says("О, скрипалька!", origin_ids=(YARYNA,), origin_at=LATER))
    assert not known.retold_in(says("О, скрипалька!", origin_ids=(OTHER,), origin_at=NOON))


def test_who_said_it_then_is_kept_as_a_hash_by_which_it_is_still_known():
    known = forgotten()
    message = says("О, скрипалька!", origin_ids=(YARYNA, OTHER), origin_names=("0123",), origin_at=NOON)
    hashed = known.hash_origins(message)
    assert hashed.origin_ids == (OTHER,)
    assert "0123" in hashed.origin_names
    assert known.is_said_then(hashed)
    assert known.hash_origins(hashed) == hashed
    assert known.hash_origins(says("О!", origin_ids=(YARYNA,), origin_at=LATER)).origin_ids == (YARYNA,)
