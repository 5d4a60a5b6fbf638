"""A value is a whole phrase that stands alone, or there is no fact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.matching.whole_values import Whole, whole
from shared.domain.reading.patterns.row_tables import member_table
from tests.support.talk import learnt

OBJECTS = {"likes", "dislikes", "favourite", "hobby", "skill", "craft"}
EDGES = {"у", "в", "на", "з", "із", "до", "від", "про", "за", "по", "без", "in", "at", "on", "with", "for", "from"}
NOTHING = {"трохи", "трошки", "дещо", "дуже", "майже", "і", "й", "та", "або", "and", "or", "slightly", "somewhat"}


def told(*lines: str) -> list[tuple[str, str]]:
    return [(fact.value, fact.description) for fact in learnt(*lines)]


@pytest.mark.parametrize(
    ("said", "value", "description"),
    [
        ("мене нудить у бусі", "нудить у бусі", "Нудить у бусі."),
        ("у бусі мене завжди нудить", "нудить у бусі", "Нудить у бусі."),
        ("вболіваю за Динамо", "вболіває за динамо", "Вболіває за Динамо."),
        ("кайфую від джазу", "кайфує від джазу", "Кайфує від джазу."),
        ("боюсь у ліфті", "боюсь у ліфті", "Про себе: «боюсь у ліфті»."),
        ("у мене алергія на волоські горіхи", "волоські горіхи", "Алергія чи непереносимість: на волоські горіхи."),
        ("в мене алергія на цитрусові", "цитрусовий", "Алергія чи непереносимість: на цитрусові."),
        ("у мене алергія на бобові", "бобовий", "Алергія чи непереносимість: на бобові."),
        ("у мене алергія на ракоподібних", "ракоподібний", "Алергія чи непереносимість: на ракоподібних."),
        ("мрію на зиму поїхати в Карпати", "на зиму поїхати в карпати", None),
        ("люблю на зиму закривати огірки", "на зиму закривати огірки", None),
        ("граю на скрипці трохи", "скрипка", "Уміє грати: на скрипці."),
        ("I play a bit of guitar", "guitar", "Plays guitar."),
        ("живу у Львові", "львів", "Живе у Львові."),
    ],
)
def test_what_was_cut_is_completed_by_its_verb_or_noun(said: str, value: str, description: str | None) -> None:
    ((found, shown),) = told(said)
    assert found == value
    assert description is None or shown == description


@pytest.mark.parametrize(
    "lines",
    [
        ("обожнюю з молоком",),
        ("не переношу в транспорті",),
        ("мені подобається на дачі",),
        ("умію трохи",),
        ("ти що любиш?", "за Динамо"),
        ("на що в тебе алергія?", "на волоські"),
        ("алергія в мене на волоські, не на арахіс",),
        ("у мене алергія на волоські",),
        ("у мене алергія на грецькі",),
        ("граю на чудових",),
        ("що плануєш?", "на зиму"),
        ("а ти малюєш?", "трохи"),
        ("тебе нудить у транспорті?", "у бусі"),
        ("do you paint?", "a bit"),
    ],
)
def test_what_nothing_completes_is_no_fact(lines: tuple[str, ...]) -> None:
    assert told(*lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        ("доктор Петренко, https://doc.ua/1",),
        ("хто знає хорошого лікаря?", "доктор Петренко, https://doc.ua/1"),
        ("що ти вмієш?", "доктор Петренко, https://doc.ua/1"),
        ("ти хто за фахом?", "доктор Петренко, https://clinic.example/petrenko"),
        ("what can you do?", "Dr Petrenko, https://doc.example/1"),
    ],
)
def test_somebody_who_is_recommended_with_an_address_is_nobodys_skill(lines: tuple[str, ...]) -> None:
    assert told(*lines) == []


def test_what_one_says_of_oneself_beside_an_address_is_still_ones_own() -> None:
    assert len(told("я працюю дизайнеркою, портфоліо https://art.example")) == 1


def test_what_one_does_not_like_is_no_answer_to_what_one_likes() -> None:
    assert told("що ти не любиш?", "на роботу ходити") == []
    assert told("що ти любиш?", "каву") != []


def test_an_answer_that_repeats_the_last_word_of_its_opening_says_it_once() -> None:
    assert [shown for _, shown in told("any allergies?", "to walnuts")] == ["Allergy: allergic to walnuts."]
    assert [shown for _, shown in told("на що алергія?", "на пилок")] == ["Алергія чи непереносимість: на пилок."]


@pytest.mark.parametrize("row", [*member_table("uk").rows, *member_table("en").rows], ids=lambda row: row.name)
def test_the_value_of_every_rows_example_is_a_whole_phrase(row) -> None:
    for fact in learnt(row.hit):
        words = fact.value.casefold().split()
        assert words
        assert words[-1] not in EDGES | NOTHING
        assert not set(words) <= NOTHING | EDGES
        if fact.key in OBJECTS:
            assert words[0] not in EDGES or len(words) > 2


@given(
    opening=st.sampled_from(["люблю", "не люблю", "обожнюю", "вмію", "захоплююсь", "вболіваю", "мене нудить"]),
    preposition=st.sampled_from(["у", "в", "на", "за", "з", "від", "під", "для", "без", "при"]),
    noun=st.sampled_from(["бусі", "Динамо", "зиму", "ліфті", "молоком", "дачі", "роботу", "джазу"]),
    degree=st.sampled_from(["", "трохи ", "дуже "]),
)
def test_no_place_or_direction_is_anybodys_liking_or_skill_without_its_verb(
    opening: str, preposition: str, noun: str, degree: str
) -> None:
    for value, _ in told(f"{opening} {degree}{preposition} {noun}"):
        assert value.casefold() not in (noun.casefold(), f"{preposition} {noun}".casefold())
        assert len(value.split()) >= 3


@given(
    st.text("абвгіїє ", max_size=20), st.text(max_size=30), st.text(max_size=20), st.sampled_from(["likes", "location"])
)
def test_whatever_is_captured_the_whole_of_it_is_words_that_were_said_or_nothing(captured, around, rest, key) -> None:
    stands = whole(captured, f"{around} {captured}", rest, key)
    assert stands is None or (isinstance(stands, Whole) and stands.words.strip() == stands.words != "")
