"""Days ahead that a message names, and whether something is due by them."""

from datetime import date

import pytest

from shared.domain.consolidation.days import days_in, due_day, is_deadline, without_days

WEDNESDAY = date(2026, 3, 18)


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("забронюю квитки до п'ятниці", "2026-03-20", "забронюю квитки"),
        ("зустріч 19–22 березня о 10:00", "2026-03-22", "зустріч о 10:00"),
        ("здати до 15-го числа", "2026-04-15", "здати"),
        ("прем'єра 28 березня, у суботу", "2026-03-28", "прем'єра"),
        ("наступної суботи в гори", "2026-03-28", "в гори"),
        ("завтра о восьмій", "2026-03-19", "о восьмій"),
        ("через два тижні іспит", "2026-04-01", "іспит"),
        ("20.03 о 19:00", "2026-03-20", "о 19:00"),
        ("на вихідних на дачу", "2026-03-22", "на дачу"),
        ("до кінця місяця", "2026-03-31", ""),
        ("send it by Friday", "2026-03-20", "send it"),
        ("trip to Maui, May 19-26", "2026-05-26", "trip to Maui"),
        ("due on April 3rd", "2026-04-03", "due"),
        ("ready on the 25th", "2026-03-25", "ready"),
        ("next Friday then", "2026-03-27", "then"),
        ("exam in two weeks", "2026-04-01", "exam"),
        ("report 2026-04-02", "2026-04-02", "report"),
        ("this weekend at ours", "2026-03-22", "at ours"),
        ("by the end of the week", "2026-03-22", ""),
        ("renewal on 14 February", None, "renewal on 14 February"),
        ("у мене 5 котів о 19.30", None, "у мене 5 котів о 19.30"),
    ],
)
def test_a_day_ahead_is_read_and_can_be_taken_out(text, day, rest):
    found = days_in(text, WEDNESDAY)
    assert due_day(found) == (None if day is None else date.fromisoformat(day))
    assert without_days(text, found) == rest


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("зроблю до п'ятниці", True),
        ("Send it. By Friday", True),
        ("ready until Sunday", True),
        ("on Friday we meet", False),
        ("у п'ятницю зустріч", False),
    ],
)
def test_a_day_until_which_something_is_due_is_told_from_one_on_which_it_happens(text, deadline):
    assert [is_deadline(text, day) for day in days_in(text, WEDNESDAY)] == [deadline]
