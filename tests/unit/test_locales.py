import tomllib
from pathlib import Path
from string import Template

import pytest

from shared.domain.facts.fact import CHAT_CATEGORIES
from shared.locales import say

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "locales"
FILES = {
    language: {path.name: tomllib.loads(path.read_text("utf-8")) for path in sorted((FOLDER / language).glob("*.toml"))}
    for language in ("uk", "en")
}
TEXTS = {
    language: {key: text for texts in files.values() for key, text in texts.items()}
    for language, files in FILES.items()
}


def test_a_text_stands_in_one_file_of_the_same_name_in_both_languages():
    assert {name: set(texts) for name, texts in FILES["uk"].items()} == {
        name: set(texts) for name, texts in FILES["en"].items()
    }
    assert all(sum(map(len, files.values())) == len(TEXTS[language]) for language, files in FILES.items())


def test_both_languages_have_the_same_texts_with_the_same_places():
    places = {
        language: {key: set(Template(text).get_identifiers()) for key, text in texts.items()}
        for language, texts in TEXTS.items()
    }
    assert places["uk"] == places["en"]


@pytest.mark.parametrize("language", ["uk", "en"])
def test_every_category_has_a_name(language):
    assert all(say(language, f"category_{category}") for category in CHAT_CATEGORIES)


def test_values_are_escaped():
    assert say("en", "unknown_command", command="<b>") == (
        "I don't know the command <code>/&lt;b&gt;</code>. All commands: /gryadhelp"
    )


def test_a_missing_value_is_an_error():
    with pytest.raises(KeyError):
        say("en", "greeting")
