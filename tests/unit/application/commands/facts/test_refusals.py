"""Why a fact cannot be corrected, in a person's words."""

import pytest

from shared.application.commands.facts.refusals import refused_words
from shared.domain.reading.filters.reasons import Reason


@pytest.mark.parametrize("language", ["uk", "en"])
@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_of_the_gate_is_told_in_words(reason, language):
    (piece,) = refused_words(language, reason).pieces
    assert len(piece.content.html.split()) > 3
    assert str(reason) not in piece.content.html.split()
