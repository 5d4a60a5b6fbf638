"""Where in a sentence a member's statement may begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.patterns.statements import statement_starts
from shared.domain.text.language import Language
from shared.domain.text.words import analyse
from tests.support.talk import learnt


def starts(text: str, lang: Language) -> list[tuple[str, bool]]:
    """The word at which a statement may begin, and whether a border or a conjunction stands right before it."""
    words = analyse(text)
    return [(text[words.offset(at) :].split(maxsplit=1)[0], opened) for at, opened in statement_starts(words, lang)]


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("я живу тут, а він пішов", "uk", [("я", False), ("а", True), ("він", True)]),
        ("пішов дощ тому я вдома", "uk", [("пішов", False), ("я", True)]),
        ("рік тому я жив там", "uk", [("рік", False)]),
        ("so I live here and we left", "en", [("so", False), ("I", True), ("we", True)]),
        ("well I moved", "en", [("well", False), ("I", False)]),
    ],
)
def test_a_statement_begins_after_a_border_a_conjunction_or_leading_words(
    text: str, lang: Language, found: list[tuple[str, bool]]
) -> None:
    assert starts(text, lang) == found


OPENINGS = ("маю", "у мене є", "у мене вдома", "ми тримаємо", "я нещодавно купила")
HELD = ("", "старий ", "величезний рудий ")
GOVERNING = (
    "страх перед {ins}", "страх {gen}", "фобію {gen}", "фото {gen}", "книжку про {acc}", "корм для {gen}",
    "мрію про {acc}", "колекцію фотографій {gen}", "жаль до {gen}",
)  # fmt: skip
ANIMALS = (
    {"ins": "собаками", "gen": "собак", "acc": "собак"},
    {"ins": "котами", "gen": "котів", "acc": "котів"},
    {"ins": "старою черепахою", "gen": "старої черепахи", "acc": "стару черепаху"},
    {"ins": "великими псами", "gen": "великих псів", "acc": "великих псів"},
)  # fmt: skip
KIN = ("доньки", "сина", "старшої сестри")


def owned(text: str) -> list[str]:
    """What is learnt of whom or what the speaker has."""
    return [fact.value for fact in learnt(text) if fact.category == "relationship"]


@given(st.sampled_from(OPENINGS), st.sampled_from(HELD), st.sampled_from(GOVERNING), st.sampled_from(ANIMALS))
def test_an_animal_that_hangs_on_another_noun_is_no_pet(opening: str, held: str, governing: str, animal) -> None:
    assert owned(f"{opening} {held}{governing.format(**animal)}") == []


@given(
    st.sampled_from(("маю", "у мене є")),
    st.sampled_from(("фото", "страх перед", "подарунок для")),
    st.sampled_from(KIN),
)
def test_somebody_who_hangs_on_another_noun_is_no_family(opening: str, governing: str, kin: str) -> None:
    assert owned(f"{opening} {governing} {kin}") == []


@pytest.mark.parametrize(
    "said",
    [
        "I have a fear of dogs",
        "we have a fear of dogs",
        "I have a phobia of cats",
        "I've got a photo of two cats",
        "I own a book about dogs",
        "we keep food for cats",
    ],
)
def test_what_hangs_on_another_noun_is_not_owned_in_english_either(said: str) -> None:
    assert owned(said) == []


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("маю кота", "кіт"),
        ("у мене величезний рудий кіт", "величезний рудий кіт"),
        ("у мене двоє котів", "двоє котів"),
        ("у мене зграя собак", "зграя собак"),
        ("маю цуценя лабрадора", "цуценя лабрадора"),
        ("у мене в квартирі кіт", "квартирі кіт"),
        ("тримаю вдома черепаху", "вдома черепаху"),
        ("маю дорослу доньку", "дорослу доньку"),
        ("у мене двоє синів", "двоє синів"),
    ],
)
def test_what_only_a_number_a_quality_or_a_place_precedes_is_owned(said: str, value: str) -> None:
    assert owned(said) == [value]
