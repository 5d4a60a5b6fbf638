"""Words that tell a time, Ukrainian and English, folded: a message with one may say when something happened."""

from __future__ import annotations

import re

_ENGLISH = """
yesterday today tomorrow tonight ago last next recently since until week weeks weekend weekends month months year years
day days night morning evening afternoon monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday
fridays saturday saturdays sunday sundays january february march april may june july august september october november
december summer winter spring autumn fall
"""
_UKRAINIAN = """
вчора учора сьогодні завтра післязавтра позавчора тому торік нещодавно недавно щойно минулого минулої минулих минулому
наступного наступної наступному цього цієї тиждень тижня тижні тижнів місяць місяця місяці місяців рік року роки років
роки році день дня дні днів ніч ночі ранок ранку ранок вранці зранку ввечері увечері вечора вдень вночі вихідні вихідних
понеділок понеділка понеділок вівторок вівторка середа середу середи четвер четверга п'ятниця п'ятницю п'ятниці субота
суботу суботи неділя неділю неділі січень січня січні лютий лютого лютому березень березня березні квітень квітня квітні
травень травня травні червень червня червні липень липня липні серпень серпня серпні вересень вересня вересні жовтень
жовтня жовтні листопад листопада листопаді грудень грудня грудні літо літа влітку зима зими взимку весна весни навесні
осінь осені восени
"""

TIME_WORDS = frozenset(_ENGLISH.split()) | frozenset(_UKRAINIAN.split())
CLOCK_OR_DATE = re.compile(r"\b(?:\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|(?:19|20)\d{2})\b")
"""A time of day, a date or a year in digits."""
