"""Topics are nouns that several members come back to; what goes on is mentioned again by its day."""

from datetime import date

from shared.domain.consolidation.findings.threads import threads
from shared.domain.consolidation.items import Section
from shared.domain.consolidation.reviewing import verify
from shared.domain.consolidation.suggesting import suggest
from tests.unit.domain.consolidation.cases import talk
from tests.unit.domain.consolidation.item_lists import KYIV, item


def test_what_goes_on_is_mentioned_by_its_day_and_stays_as_it_stands():
    sale = item("Bake sale", Section.ONGOING, days=20, language="en", due=date(2026, 4, 18))
    messages = talk([["K", "I'll book the van for April 18"]])
    again = next(s for s in suggest(messages, [], zone=KYIV, language="en", known=[sale]) if s.same_as == sale.id)
    by_id = {message.message_id: message for message in messages}
    mentioned = verify(again, by_id, may_speak=lambda _: True, zone=KYIV, language="en", known=[sale])
    assert (mentioned.text, mentioned.id, mentioned.mentioned_at) == ("Bake sale", sale.id, messages[-1].sent_at)


ROOF = (
    ["A", "the roof is leaking"], ["K", "our roof is old"], ["A", "the roof needs work"],
    ["K", "a roof costs a fortune"], ["M", "ok"], ["A", "well"],
)  # fmt: skip


def topics(lines, **on_board):
    return [each.text for each in threads(talk(list(lines)), **on_board)]


def test_a_noun_that_two_members_come_back_to_is_a_topic_and_that_of_one_is_none():
    assert topics(ROOF) == ["roof"]
    assert topics([["A", text] for _, text in ROOF]) == []


def test_forms_of_a_word_are_one_topic():
    uk = [["O", "дах тече"], ["T", "ремонт даху дорогий"], ["O", "під дахом сухо"], ["T", "дахи старі"], ["M", "ага"]]
    assert topics(uk) == ["дах"]


def test_what_goes_on_already_is_no_topic():
    assert topics(ROOF, ongoing=frozenset({"roof"})) == []
