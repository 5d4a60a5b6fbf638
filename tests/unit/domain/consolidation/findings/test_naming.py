"""A name that is chosen for what goes on is shown with it."""

from shared.domain.consolidation import Section, suggest
from tests.unit.domain.consolidation.boards import KYIV, item
from tests.unit.domain.consolidation.cases import talk


def test_a_name_that_is_chosen_for_what_goes_on_is_shown_with_it():
    fair = item("Fair", Section.ONGOING, days=20, language="en")
    messages = talk([["A", "what do we call the fair?"], ["K", "Spring Fling!"], ["A", "Spring Fling it is then"]])
    found = suggest(messages, [], zone=KYIV, language="en", known=[fair])
    assert ("Fair (Spring Fling)", fair.id) in [(s.text, s.same_as) for s in found]
