"""Summaries without a model: the pieces with details, whole lines, bounded."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.conversation.messages import Message
from shared.domain.reading.summaries.excerpts import condense, extractive_summary
from tests.evals.__main__ import measured
from tests.support.builders import message


def said(*texts, **fields):
    return [message(text, message_id=number, **fields) for number, text in enumerate(texts, start=1)]


def test_short_talk_is_kept_whole_without_small_talk():
    summary = extractive_summary(said("привіт", "кіт знову спить на клавіатурі", "ок"))
    assert summary == '"Оля": "кіт знову спить на клавіатурі"'


def test_of_long_talk_the_pieces_with_details_stay():
    small = "ну не знаю, якось воно все дивно виглядає, але хай буде як буде, нам же не звикати до такого"
    talk = said(small, f"{small}. Зустріч 7 травня о 18:30 біля метро Лісова", small, "я принесу намет", small, small)
    summary = extractive_summary(talk)
    assert "7 травня о 18:30 біля метро Лісова" in summary
    assert "я принесу намет" in summary
    assert len(summary) <= 0.6 * sum(len(m.text) for m in talk)


def test_neither_bots_nor_commands_are_told_and_what_was_forwarded_says_so():
    talk = [*said("зустріч 7 травня", is_bot=True), *said("/rules 7 травня", kind="command")]
    assert extractive_summary(talk) == ""
    assert "(forwarded)" in extractive_summary(said("мітинг 8 травня", forwarded=True))


def test_what_is_in_a_picture_is_told():
    (photo,) = said("", kind="photo")
    shown = Message(**{name: getattr(photo, name) for name in photo.__slots__} | {"media_text": "афіша: 9 травня"})
    assert "9 травня" in extractive_summary([shown])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=400), max_size=12))
def test_a_summary_is_bounded_deterministic_and_its_lines_cannot_be_forged(texts):
    talk = said(*texts)
    summary = extractive_summary(talk)
    assert summary == extractive_summary(talk)
    assert len(summary) <= 1_200
    for line in summary.splitlines():
        name, _, quote = line.partition(": ")
        assert isinstance(json.loads(quote), str)
        assert isinstance(json.loads(name), str)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=900), max_size=12))
def test_condensing_keeps_whole_sentences_and_quoted_lines_in_order(texts):
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    sentences = [each for line in lines for each in ([line] if line[0] == '"' else re.split(r"(?<=[.!?…])\s+", line))]
    for most, kept in ((1_200, condense(texts)), (400, condense(texts, most_chars=400))):
        assert len(kept) <= most
        rest = iter(sentences)
        assert all(line in rest for line in kept.splitlines())


def test_of_several_summaries_the_sentences_that_tell_most_stay():
    told = ["Усі жартували. Оля привезе чай 12 березня.", "Було весело. Тарас купив квитки до Львова за 400 грн."]
    assert condense(told, most_chars=80) == "Оля привезе чай 12 березня.\nТарас купив квитки до Львова за 400 грн."


def test_what_a_member_is_quoted_with_is_not_divided():
    assert condense(['"Оля": "Добре. Їду."', "Усі раді. Їдуть."]) == '"Оля": "Добре. Їду."\nУсі раді.\nЇдуть."'.rstrip(
        '"'
    )


def test_a_long_message_without_a_border_is_no_trouble():
    assert len(extractive_summary(said("9" * 4_096, "а" * 4_096, "🙂 " * 2_000))) <= 1_200


def test_our_own_labelled_chunks_keep_nine_tenths_of_their_details():
    metrics = measured("summaries").metrics
    assert metrics["cases"] >= 30
    assert min(metrics[name] for name in ("all", "uk", "en", "dates", "numbers", "places", "names")) >= 0.9
    assert metrics["compression"]["talkative"]["worst"] <= 0.61
    assert metrics["longest"] <= 1_200


def test_a_name_with_a_point_is_not_divided_inside_of_its_quotation_marks():
    line = "Оля виграла й вибрала «Вечір. Хутір», Тарас радий. Решта мовчала! Купили «Ліс»."
    assert condense([line]).splitlines() == [
        "Оля виграла й вибрала «Вечір. Хутір», Тарас радий.",
        "Решта мовчала!",
        "Купили «Ліс».",
    ]
    assert condense(["She chose “Dr. Who”. We agreed."]).splitlines() == ["She chose “Dr. Who”.", "We agreed."]
