"""What is read of a model's reply about a stretch."""

import json

import pytest

from shared.domain.reading.model_reply import PartTexts, read_reply

FACT = {"about": 1, "message": 2, "quote": "я живу в Луцьку", "key": "personal_info.location", "value": "Луцьк",
        "text": "Оля живе в Луцьку.", "verdict": "replaces f3", "until": "2026-05-01", "confidence": 0.95}  # fmt: skip


def part(number, **more):
    return {"part": number, "summary": f"частина {number}", "details": [f"факт {number}"], **more}


def test_each_part_has_its_texts_and_each_fact_its_numbers():
    reply = read_reply(json.dumps({"parts": [part(2), part(1)], "facts": [FACT]}), 2)
    assert [each.summary for each in reply.parts] == ["частина 1", "частина 2"]
    assert reply.parts[1].details == "- факт 2"
    (fact,) = reply.facts
    assert (fact.about, fact.message, fact.verdict, fact.of) == (1, 2, "replaces", "f3")
    assert (fact.category, fact.key, fact.until.isoformat()) == ("personal_info", "location", "2026-05-01")
    assert (fact.content, fact.value, reply.is_cut) == ("Оля живе в Луцьку.", "Луцьк", False)


@pytest.mark.parametrize("number", [None, 7])
def test_a_model_that_ignores_numbers_is_read_by_the_order_of_what_it_gives(number):
    reply = read_reply(json.dumps({"parts": [part(number), part(number)]}), 2)
    assert [each.is_told for each in reply.parts] == [True, True]


def test_two_texts_about_one_part_are_joined_and_texts_in_place_of_lists_are_read():
    reply = read_reply(json.dumps({"parts": [part(1), part(1, details="- ще")]}), 1)
    assert reply.parts == (PartTexts("частина 1 частина 1", "- факт 1\n- ще", is_told=True),)


def test_a_reply_that_is_cut_off_keeps_what_was_whole_and_says_so():
    raw = json.dumps({"parts": [part(1), part(2)], "facts": [FACT, FACT]}, ensure_ascii=False)
    reply = read_reply(raw[: raw.index("Луцьку.", raw.index("Луцьку.") + 9)], 2)
    assert reply.is_cut
    assert [each.is_told for each in reply.parts] == [True, True]
    assert len(reply.facts) == 1


@pytest.mark.parametrize("raw", ["", "nonsense", "[]", '{"parts": 7, "facts": "no"}', '```json\n[{"content": 7, oops'])
def test_nonsense_gives_nothing_and_raises_nothing(raw):
    reply = read_reply(raw, 1)
    assert (reply.parts, reply.facts) == ((PartTexts(),), ())


def test_a_fence_around_the_reply_is_no_end_that_is_missing():
    assert not read_reply("```json\n" + json.dumps({"parts": [part(1)], "facts": []}) + "\n```\n", 1).is_cut
