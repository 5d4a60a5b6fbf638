"""All who were forgotten of a chat: noticing namesakes, joining chats, an empty one."""

from datetime import timedelta

from shared.domain.forgetting.erased import hidden_key, id_key
from shared.domain.forgetting.forgotten import Hearsay
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
    assert not Hearsay().said_then(says("о", origin_ids=(YARYNA,)))
    assert Hearsay().notice([says("о")]) == Hearsay()
    assert hidden_key("x") != id_key(1)
