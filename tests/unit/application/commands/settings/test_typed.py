"""What admins type as a value of a setting."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from shared.application.commands.settings.rows import ROWS
from shared.application.commands.settings.typed import READERS, Wrong, fold_typed, is_default

POLICY = SimpleNamespace(retention=timedelta(days=90), tokens_per_day=1_000_000)


@pytest.mark.parametrize(
    ("reader", "typed", "stored"),
    [
        ("switch", "Так", True),
        ("switch", "off", False),
        ("words", "  коротко  і по суті ", "коротко і по суті"),
        ("hours", "22:00—08:00", "22-08"),
        ("zone", "Europe/Kyiv", "Europe/Kyiv"),
        ("days", "30 днів", 30),
        ("tokens", "25%", 250_000),
        ("tokens", "1 000", 1_000),
        ("tokens", "вимкнути", 0),
    ],
)
def test_a_value_is_read_as_people_type_it(reader, typed, stored):
    assert READERS[reader](typed, POLICY) == stored


@pytest.mark.parametrize(
    ("reader", "typed"),
    [("switch", "maybe"), ("words", " "), ("hours", "late"), ("zone", "Atlantis"), ("days", "91"), ("tokens", "101%")],
)
def test_what_is_no_value_is_refused(reader, typed):
    with pytest.raises(Wrong):
        READERS[reader](typed, POLICY)


STORED = {
    **{switch: {"on": True, "off": False} for switch in ("private", "unprompted", "questions")},
    "retention": {"90": 90, "30": 30, "7": 7},
    "budget": {"off": 0, "25%": 250_000, "50%": 500_000, "100%": 1_000_000},
}
"""What an option is stored as, where that is not its own text."""


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.options])
def test_every_option_of_every_row_can_be_typed(name):
    row = ROWS[name]
    allowed = [each for each in row.options if name != "retention" or int(each) <= POLICY.retention.days]
    stored = {option: row.read(option, POLICY) for option in allowed}
    assert stored == STORED.get(name, {option: option for option in allowed})


def test_names_are_compared_without_regard_to_case_and_apostrophes():
    assert fold_typed("Пам’ять") == fold_typed("пам'ять")
    assert is_default("Авто")
