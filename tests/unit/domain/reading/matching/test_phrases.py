"""The language of patterns finds what it says, and nothing across a comma."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
from shared.domain.text.words import analyse

LISTS = {"i": ("=я",), "adv": ("вже", "давно", "now")}


def found(phrase: str, text: str) -> PhraseMatch | None:
    return Phrase(phrase, LISTS).search(analyse(text))


def captured(phrase: str, text: str) -> str | None:
    match = found(phrase, text)
    return match.group("what") if match else None


@pytest.mark.parametrize(
    ("phrase", "text", "what"),
    [
        ("@i? @adv* жити#i (в|у / недалеко від) <what: #cap{1,2}>", "Я вже давно живу у Львові", "Львові"),
        ("жити#i (в|у / недалеко від) <what: #cap{1,2}>", "живу недалеко від Нового Роздолу", "Нового Роздолу"),
        ("i am (a|an)? <what>", "I'm a nurse from Leeds, you know", "nurse from Leeds"),
        ("=moved to <what: _{1,2}>", "we moved to a farm", "a farm"),
        ("прив* <what>", "привіт друзі", "друзі"),
        ("працювати#i <what: *ою|*ом>", "працюю вчителькою", "вчителькою"),
        ("like <what: !it _>", "like it or like tea", "tea"),
        ("люблю <what> $", "люблю каву, а ти", "каву"),
        ("любити#we , а <what>", "любимо, а вони ні", "вони ні"),
        ("(x / y)? кіт <what>", "мій кіт спить", "спить"),
    ],
)
def test_a_phrase_captures_what_it_names(phrase: str, text: str, what: str) -> None:
    assert captured(phrase, text) == what


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("жити#i у", "він живе у Львові"),
        ("=moved", "we move"),
        ("любити#i <what>", "люблю, та годі"),
        ("#cap", "львів"),
        ("i am !not <what>", "I'm not sure"),
    ],
)
def test_a_phrase_does_not_find_what_it_does_not_say(phrase: str, text: str) -> None:
    assert found(phrase, text) is None


def test_a_capture_that_is_not_there_is_empty() -> None:
    match = found("кіт (на <where: _> / спить)", "кіт спить")
    assert match is not None
    assert match.groups() == {"where": ""}


@pytest.mark.parametrize("malformed", ["(a b", "a )", "<what: a", "@nothing a", "a / b", "a|(b c)"])
def test_a_malformed_phrase_says_so(malformed: str) -> None:
    with pytest.raises(ValueError, match="'"):
        Phrase(malformed, LISTS)


@pytest.mark.parametrize(
    ("phrase", "heads"),
    [
        ("@i? @adv* жити#i (в|у) <what>", {"жити#i"}),
        ("i (love / adore it) <what>", {"love", "adore"}),
        ("i love? <what>", {"i"}),
        ("прив* _", set()),
        ("(кіт)? собака|пес", {"собака", "пес"}),
    ],
)
def test_the_heads_are_words_that_must_be_there(phrase: str, heads: set[str]) -> None:
    assert set(Phrase(phrase, LISTS).heads) == heads


@pytest.mark.parametrize(
    ("phrase", "needed"),
    [
        ("i love <what>", [{"love"}, {"i"}]),
        ("(i love) it", [{"love"}, {"i"}, {"it"}]),
        ("(i love / we adore) it", [{"love", "adore"}, {"it"}]),
        ("(i love)? it", [{"it"}]),
        ("(love / _ _) !it $", []),
    ],
)
def test_a_phrase_needs_every_word_that_is_neither_optional_nor_open(phrase: str, needed: list[set[str]]) -> None:
    assert [set(one_of) for one_of in Phrase(phrase, LISTS).needed] == needed


def test_a_caret_stands_for_the_beginning_of_the_sentence() -> None:
    phrase = Phrase("^ decided <what>", LISTS)
    assert phrase.search(analyse("decided to rent a van")) is not None
    assert phrase.search(analyse("they decided to rent a van")) is None


@given(st.text(max_size=200))
def test_a_phrase_of_any_words_finds_the_first_word_of_any_text(text: str) -> None:
    words = analyse(text)
    match = Phrase("_", LISTS).search(words)
    assert (match is not None) == any(not words.code.startswith("=,", at) for at in words.starts)
