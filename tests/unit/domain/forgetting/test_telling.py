"""Who was forgotten, in hashes, and what retells them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.conversation.messages import Message, name_mark
from shared.domain.forgetting.erased import Erased, mark
from shared.domain.forgetting.forgotten import Hearsay
from shared.domain.forgetting.origins import hidden_key, id_key
from shared.domain.forgetting.telling import Gone, Living, erase_member, most_words

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=2)
SALT = "0123456789abcdefghijkl"
YARYNA, TARAS, OTHER = 301, 302, 399
FACTS = ("Ярина скрипалька", "грає в опері", "живе в Житомирі", "alergic to penicillin")


def forgotten(*others, salt=SALT, hearsay=None, until=NOON, **fields):
    """What is kept of Yaryna."""
    gone = Gone(**{"user_id": YARYNA, "until": until, "names": ["Ярина Коваль"], "facts": FACTS, **fields})
    before = Hearsay() if hearsay is None else hearsay
    person = erase_member(salt, gone, others, people=before.people + 1)
    return before.with_erased(salt, person, id_key=id_key(gone.user_id))


def says(text, user_id=TARAS, name="Тарас", at=LATER, **fields):
    return Message(-100, 7, at, user_id, name, text=text, **fields)


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


def test_a_namesake_is_noticed_when_they_speak_and_what_they_say_of_themselves_is_theirs():
    before = forgotten()
    after = before.noticed([says("Живу в Житомирі", OTHER, "Ярина Бойко")])
    assert after != before
    assert after.noticed([says("Живу в Житомирі", OTHER, "Ярина Бойко")]) == after
    assert before.retold_in(says("Ярина з Житомира"))
    assert not after.retold_in(says("Ярина з Житомира, грає"))
    assert after.retold_in(says("Ярина — скрипалька в опері"))


def test_nothing_is_noticed_in_the_talk_of_others():
    known = forgotten()
    assert known.noticed([says("Я скрипалька з Житомира"), says("Ярина з Житомира")]) == known
    assert known.noticed([says("Живу в Житомирі", OTHER, "Ярина", is_bot=True)]) == known
    assert known.noticed([says("Я скрипалька", YARYNA, "Ярина", at=NOON)]) == known


def test_what_they_say_anew_may_be_told_and_the_rest_not():
    after = forgotten().noticed([says("Я скрипалька", YARYNA, "Ярина Коваль", LATER)])
    assert not after.retold_in(says("Ярина скрипалька"))
    assert after.retold_in(says("Ярина з Житомира"))


def test_forgotten_once_more_what_they_said_anew_is_erased_again():
    said = forgotten().noticed([says("Я скрипалька", YARYNA, "Ярина Коваль", LATER)])
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
    hashed = known.hashed(message)
    assert hashed.origin_ids == (OTHER,)
    assert "0123" in hashed.origin_names
    assert known.said_then(hashed)
    assert known.hashed(hashed) == hashed
    assert known.hashed(says("О!", origin_ids=(YARYNA,), origin_at=LATER)).origin_ids == (YARYNA,)


def test_a_text_that_nobody_said_is_judged_by_its_words():
    known = forgotten()
    assert known.retold_by("Ярина скрипалька")
    assert not known.retold_by("скрипалька")
    assert not known.retold_by("")


def test_those_of_two_chats_that_became_one_are_all_known():
    one = forgotten()
    other = forgotten(salt="another-salt-of-the-old", user_id=5, names=["Остап"], facts=["пасічник"])
    both = one.joined(other)
    assert both.people == 2
    assert both.joined(other) == both
    assert both.salt == SALT
    assert both.retold_in(says("Остап пасічник"))
    assert both.retold_in(says("Ярина скрипалька"))
    assert both.of(id_key(5)).people == 1
    third = forgotten(hearsay=both, user_id=6, names=["Зоряна"], facts=["ткаля"])
    assert third.retold_in(says("Остап пасічник"))
    assert third.retold_in(says("Зоряна ткаля"))


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
    total = sum(2 * 3 * 8 * most_words(people) + 300 for people in range(1, 301))
    assert total < 500_000


MARKS = st.frozensets(st.integers(0, 50).map(lambda number: mark(SALT, str(number))), max_size=9)
PEOPLE = st.builds(Erased, st.just(NOON) | st.just(LATER), *([MARKS] * 7))


@given(PEOPLE)
def test_what_is_kept_is_read_as_it_was(person):
    assert Erased.of(person.fields()) == person


@given(PEOPLE, PEOPLE)
def test_forgetting_again_loses_nothing_that_is_known(one, other):
    both = one.merged(other)
    for name in ("who", "names", "facts", "said", "namesakes", "shared"):
        assert getattr(both, name) == getattr(one, name) | getattr(other, name)
    assert both.until == max(one.until, other.until)
    assert one.merged(one) == one


def test_an_empty_one_is_false_and_says_no():
    assert not Hearsay()
    assert Hearsay().salt is None
    assert not Hearsay().retold_in(says("Ярина скрипалька"))
    assert not Hearsay().said_then(says("о", origin_ids=(YARYNA,)))
    assert Hearsay().noticed([says("о")]) == Hearsay()
    assert hidden_key("x") != id_key(1)
