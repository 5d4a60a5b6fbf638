"""Details that a summary must keep: days, numbers, places, names and promises."""

import pytest

from shared.domain.reading.summaries.details import details_of, is_idle


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("зустріч 7 травня", "date", "травня"),
        ("давай у середу", "date", "середу"),
        ("see you on May 7", "date", "may"),
        ("back tomorrow", "date", "tomorrow"),
        ("о 18:30 біля входу", "number", "18:30"),
        ("нас буде двоє", "number", "двоє"),
        ("it costs two hundred dollars", "number", "hundred"),
        ("телефон +380 67 123 45 67", "number", "+380 67 123 45 67"),
        ("пиши на olia@example.com", "number", "olia@example.com"),
        ("ми вже у Варшаві", "place", "варшаві"),
        ("чекаю на вокзалі", "place", "вокзалі"),
        ("meet me at the library", "place", "library"),
        ("приїхала львова бабуся", "name", "львова"),
        ("I met Priya there", "name", "priya"),
        ("я куплю торт", "promise", "куплю"),
        ("вони домовилися про все", "promise", "домовилися"),
    ],
)
def test_a_detail_is_recognised(text, kind, form):
    assert (kind, form) in {(d.kind, d.form) for d in details_of(text)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [("may be we march on", "date"), ("ну таке собі", "place"), ("I think so", "name"), ("+1", "number"),
     ("я люблю каву", "promise"), ("Красиво вийшло", "name"), ("ЦЕ ПРОСТО ЖАХ ЯКИЙСЬ", "name")],
)  # fmt: skip
def test_what_is_no_detail_is_not_taken_for_one(text, kind):
    assert kind not in {d.kind for d in details_of(text)}


def test_a_name_of_somebody_who_takes_part_counts_however_it_is_written():
    assert {(d.kind, d.form) for d in details_of("олю спитай", ["оля"])} == {("name", "олю")}


@pytest.mark.parametrize("text", ["привіт всім", "Дякую!", "хахаха", "ok thanks", "😂😂", "ага, точно"])
def test_small_talk_is_idle(text):
    assert is_idle(text)
