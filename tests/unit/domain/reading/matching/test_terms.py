"""Canonical terms: one slug for what talk calls by many names, in either language, and a name for it in both."""

import pytest

from shared.domain.reading.matching import terms


@pytest.mark.parametrize(
    ("uk", "en", "found", "slug"),
    [
        ("говоримо українською", "we speak Ukrainian", terms.find_language, "ukrainian"),
        ("щоп'ятниці", "every Friday", terms.day, "friday"),
        ("у неділю", "on Sunday", terms.day, "sunday"),
        ("підіб'ємо підсумки", "weekly recap", terms.activity, "recap"),
    ],
)
def test_both_languages_name_the_same_thing(uk, en, found, slug):
    assert found(uk) == found(en) == slug


def test_of_several_the_one_that_is_named_first_is_meant():
    assert terms.find_language("англійською, а не українською") == "english"
    assert terms.day("not on Monday but on Friday") == "monday"


@pytest.mark.parametrize("text", ["", "понад усе", "сонце", "а що там"])
def test_a_word_that_only_begins_alike_names_no_day(text):
    assert terms.day(text) is None


def test_topics_come_in_the_order_in_which_they_are_named_each_once():
    assert terms.topics("без реклами, політики і знову реклами") == ["advertising", "politics"]
    assert terms.topics("no spam, no memes") == ["spam", "memes"]


def test_a_word_inside_another_is_no_topic():
    assert terms.topics("математика і адреса") == []


def test_every_subject_has_a_name_in_ukrainian():
    touched = terms.subjects("крипта і футбол, а ще кава")
    assert touched == ["coffee", "crypto", "football"]
    assert [terms.subject_label(subject) for subject in touched] == ["каву", "крипту", "футбол"]


def test_a_topic_is_called_by_its_name_in_the_language():
    assert terms.topic_label("politics", "uk") == "політика"
    assert terms.topic_label("voice_messages", "en") == "voice messages"


def test_the_language_of_a_chat_is_told_in_the_language_of_who_reads():
    assert terms.language_of_chat("ukrainian", "uk") == "Мова чату: українська."
    assert terms.language_of_chat("ukrainian", "en") == "Language of the chat: Ukrainian."
