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


def test_every_option_of_every_row_can_be_typed():
    for row in ROWS.values():
        for option in row.options:
            if row.name != "retention" or int(option) <= POLICY.retention.days:
                row.read(option, POLICY)


def test_names_are_compared_without_regard_to_case_and_apostrophes():
    assert fold_typed("Пам’ять") == fold_typed("пам'ять")
    assert is_default("Авто")
