"""Words of a capture as a slot's value and as a description: bounded, cut at a word, without what was said besides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.matching.rows import clip, label, slot_value, trim, value_of


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("jazz because it is calm", "jazz"),
        ("каву, але не зранку", "каву"),
        ("каву але не зранку", "каву"),
        ("«Тіні забутих предків»!", "Тіні забутих предків"),
        ("tea tbh", "tea"),
        ("tea", "tea"),
    ],
)
def test_what_the_speaker_went_on_to_say_is_left_out(words, kept):
    assert trim(words) == kept


@pytest.mark.parametrize(
    ("words", "value"),
    [("у Львові", "львів"), ("the Blue Note", "blue note"), ("а", "а"), ("in", "in"), ("Zoom", "zoom")],
)
def test_a_slots_value_is_without_articles_and_a_single_word_in_its_dictionary_form(words, value):
    assert slot_value(words) == value


@given(st.text(max_size=300))
def test_a_value_is_short_folded_and_never_ends_within_a_word(words):
    value = value_of(words)
    lowered = trim(words).lower()
    assert len(value) <= 80
    assert lowered.startswith(value)
    assert value == lowered or " " not in lowered[:80] or lowered[len(value)] == " "


@given(st.text(min_size=1, max_size=400))
def test_a_description_is_a_bounded_sentence(text):
    shown = clip(text)
    assert len(shown) <= 242
    assert shown.endswith((".", "…", "!", "?"))


def test_a_label_names_the_category_in_the_talks_language():
    assert label("tradition", "uk", " підсумки щоп'ятниці. ") == "Традиція чату: підсумки щоп'ятниці."
    assert label("rule", "en", "no ads!") == "Rule of the chat: no ads."


@pytest.mark.parametrize(
    ("category", "said", "told"),
    [
        ("rule", "І ще правило: без спойлерів", "Правило чату: без спойлерів."),
        (
            "rule",
            "то ще одне правило, як адмін кажу: телефони тихо",
            "Правило чату: телефони тихо.",
        ),
        (
            "rule",
            "і одразу правило для новеньких: без спойлерів",
            "Правило чату для новеньких: без спойлерів.",
        ),
        ("tradition", "Добре, тоді граємо щочетверга", "Традиція чату: граємо щочетверга."),
        ("tradition", "Значить рішення: граємо щоп'ятниці", "Традиція чату: граємо щоп'ятниці."),
        ("preference", "я вчора ледве встиг додому давайте до десятої", "Уподобання чату: давайте до десятої."),
        ("rule", "правило", "Правило чату: правило."),
    ],
)
def test_what_only_leads_to_a_fact_is_no_part_of_it(category, said, told):
    assert label(category, "uk", said) == told
