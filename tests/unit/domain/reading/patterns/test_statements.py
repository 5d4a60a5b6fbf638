"""Where in a sentence a member's statement may begin."""

import pytest

from shared.domain.reading.patterns.statements import statement_starts
from shared.domain.text.language import Language
from shared.domain.text.words import analyse


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
