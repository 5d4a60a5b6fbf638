"""What the group does regularly (traditions) and what it is going to do (events)."""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from typing import NamedTuple

from shared.domain.language import tokens
from shared.domain.patterns import terms
from shared.domain.patterns.clauses import language_of
from shared.domain.patterns.rows import compiled, label, value_of

_DAYS_UK = r"(?:понеділ\w+|вівтор\w+|серед[ауиі]\w*|четвер\w*|п'ятниц\w+|субот\w+|неділ\w+|вихідн\w+)"
_DAYS_EN = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)"
_MONTHS_UK = r"(?:січ\w+|лют\w+|берез\w+|квіт\w+|трав\w+|черв\w+|лип\w+|серп\w+|верес\w+|жовт\w+|листопад\w+|груд\w+)"
_MONTHS_EN = r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"

_RECURS = compiled(
    rf"<b>(?:що(?:понеділ\w+|вівтор\w+|серед\w+|четвер\w+|п'ятниц\w+|субот\w+|неділ\w+|тижн\w+|місяц\w+|рок\w+|року|річн\w+|літа|зими|весни|осені|вечора|ранку)|"
    rf"кожн\w+ (?:\w+ )?(?:{_DAYS_UK}|тижн\w+|місяц\w+|рок\w+|рік|літ\w+|зим\w+|осін\w*|весн\w+|вечора|вечір|ранку|ранок)|кожен (?:тиждень|місяць|рік|вечір|{_DAYS_UK})|"
    rf"по {_DAYS_UK}|раз (?:на|у|в) (?:тиждень|місяць|рік|два тижні)|(?:перш\w+|друг\w+|останн\w+) {_DAYS_UK} (?:кожного )?місяця|"
    rf"щорічн\w+|щотижнев\w+|щомісячн\w+|рік у рік|традиційн\w+|за традицією|"
    rf"every (?:single |other |first |second |third |last )?(?:{_DAYS_EN}|week|month|year|summer|winter|spring|autumn|fall|christmas|new year|halloween|easter|night|evening|morning|{_MONTHS_EN})s?|"
    rf"each (?:{_DAYS_EN}|week|month|year|{_MONTHS_EN})|on {_DAYS_EN}s|{_DAYS_EN}s (?:are|we|is|mean)|(?:first|second|third|last) {_DAYS_EN} of (?:every|each|the) month|"
    rf"weekly|monthly|yearly|annual(?:ly)?|biweekly|once a (?:week|month|year)|traditionally|by tradition)<e>"
)
_AS_ALWAYS = compiled(
    r"<b>(?:(?:новий рік|різдво|великдень|день незалежності|миколая|christmas|new year\S*|halloween|thanksgiving)(?:,| ми| we)* (?:завжди|always)|(?:завжди|always) [^.;!?]{0,60}(?:новий рік|різдво|великдень|christmas|new year|halloween|thanksgiving)|як завжди|як зазвичай|як заведено|як і завжди|як щоразу|as always|as usual|like always|like every time|same as always)<e>"
)
_HOLIDAY = compiled(r"<b>(?:новий рік|різдво|великдень|миколая|christmas|new year\S*|halloween|thanksgiving)<e>")
_TRADITION = compiled(
    r"<b>(?:(?:наша|давня|стара|добра|чатівська|сімейна|\w+на) традиці\w+|традиці(?:я|єю)(?: у нас| чату| тут)?|наш ритуал|"
    r"(?:our|a|an|chat|group|the) (?:[\w-]+ ){0,2}tradition|our (?:[\w-]+ ){0,2}ritual)<e>"
)
_WE = compiled(
    r"<b>(?:ми|нас|нам|наш\w*|чат\w*|збір|разом|"
    r"(?!(?:прямо|само|мимо|просимо|нагадуємо|зимо)(?!\w))[а-яіїєґ']{2,}(?:ємо|имо|їмо|демо|жемо|ємось|ємося|имось|имося|їмось|дем|ймо|аємо)|"
    r"we|we're|our|us|let's|everyone|everybody|this (?:chat|group)|the (?:chat|group)|time for|here|"
    r"(?:is|are|it's|was) (?:a |an |the )?(?:[\w-]+ ){0,2}(?:day|night|potluck|recap|meetup|call|thread|challenge|game|quiz|club|hour|session|party|brunch|dinner|lunch|roundup|showcase|swap))<e>"
)
_PERSONAL = compiled(
    r"<b>(?:я|мій|моя|моє|мене|мені|у мене|в мене|i|i'm|my|me|mine|he|she|his|her|they|their|він|вона|вони|його|її|їхн\w+)<e>"
)
_GROUP_VERB = compiled(
    r"<b>(?:ми|we|we're|let's|нас|us|our|наш\w*)<e>|\w(?:ємо|имо|їмо|ємось|ємося|имось|имося|демо)<e>"
)
_NOT_DONE = compiled(
    r"<b>не (?!забува|пропуска|пропуст|проспі|спізн)\w+(?:ємо|имо|їмо|ємось|ємося|имось|имося)<e>|<b>(?:більше не|вже не|ніколи|never|don't|didn't|not|no longer|used to|stopped|isn't|aren't|колись|раніше)<e>"
)
_DAILY = compiled(
    r"<b>(?:щодня|кожного дня|кожен день|every (?:single )?day|daily|щовечора|щоранку|every (?:night|evening|morning))<e>"
)
_OPENERS = compiled(
    r"^(?:as always|as usual|як завжди|як зазвичай|reminder|нагадую|і|а|та|so|and|well|ok|guys|народ|хлопці|друзі),? "
)

_DATE = compiled(
    rf"<b>(?:\d{{1,2}}(?:-го|-е)? {_MONTHS_UK}|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?|(?:у|в|на|цю|цієї|цього|наступн\w+|до|з|від|аж|ту|найближч\w+) (?:\w+ )?{_DAYS_UK}|{_DAYS_UK}(?:,| о| об| [—–-])|завтра|післязавтра|"
    rf"сьогодні (?:о|об|ввечері|вечором)|наступного (?:тижня|місяця|року)|на (?:цьому|наступному|тому) тижні|за (?:тиждень|два тижні|місяць)|через (?:тиждень|два тижні|місяць|\d+ дн\w+)|влітку|восени|навесні|взимку|на (?:новий рік|різдво|великдень)|"
    rf"(?:this|next|on|by|until|before|for|to|is|coming) (?:\w+ )?{_DAYS_EN}s?|{_DAYS_EN} (?:at|night|evening|morning|afternoon|\d)|{_MONTHS_EN}\.? \d{{1,2}}(?:st|nd|rd|th)?|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS_EN}|"
    rf"tomorrow|tonight|this weekend|next (?:week|month|year|weekend)|in (?:a|two|three|\d) (?:weeks?|months?|days)|in {_MONTHS_EN}|\d{{1,2}}[./-]\d{{1,2}})<e>"
)
_TIME = compiled(
    r"<b>(?:(?:о|об|на|з|at|from|by) )?\d{1,2}[:.]\d{2}<e>|<b>(?:о|об) \d{1,2}(?:-й|-ій)?<e>|<b>\d{1,2} ?(?:am|pm)<e>|<b>at (?:noon|midnight|\d{1,2})<e>|<b>о (?:шостій|сьомій|восьмій|дев'ятій|десятій|п'ятій|другій|третій|першій|дванадцятій)<e>"
)
_GATHER = compiled(
    r"<b>(?:збираємось|збираємося|зустрічаємось|зустрічаємося|їдемо|летимо|йдемо|ідемо|граємо|святкуємо|виїжджаємо|вирушаємо|стартуємо|дивимось|дивимося|"
    r"влаштовуємо|проводимо|плануємо|відзначаємо|зідзвонюємось|зідзвонюємося|переносимо|перенесли|переносимось|тусуємось|рушаємо|смажимо|бігаємо|гуляємо|виступаємо|запускаємо|"
    r"(?:we're|we are|we'll|we will be|we all|everyone's|we) (?:all |finally |going to |gonna )*(?:meet|meeting|go|going|fly|flying|driv(?:e|ing)|gather(?:ing)?|play(?:ing)?|hav(?:e|ing)|host(?:ing)?|watch(?:ing)?|celebrat(?:e|ing)|hik(?:e|ing)|camp(?:ing)?|leav(?:e|ing)|travel(?:ling|ing)?|throw(?:ing)?|do(?:ing)?|organi[sz](?:e|ing)|grill(?:ing)?|head(?:ing)?|start(?:ing)?|get(?:ting)? together|kick(?:ing)? off))<e>"
)
_OCCASION = compiled(
    r"<b>(?:зустріч\w*|збір|збори|вечірк\w+|тусовк\w+|день народження|днюх\w+|шашлик\w*|похід|походу|концерт\w*|кв[іи]з\w*|настолк\w+|кіновечір\w*|кіноніч|кінопоказ\w*|перегляд\w*|стрім\w*|мітап\w*|турнір\w*|матч\w*|пікнік\w*|"
    r"корпоратив\w*|весілл\w+|виїзд\w*|поїздк\w+|дзвінок|созвон\w*|толок\w+|фестивал\w+|лекці\w+|воркшоп\w*|хакатон\w*|новосілл\w+|квартирник\w*|вистав\w+|забіг\w*|тренуванн\w+|екскурсі\w+|кемпінг\w*|гра|ігротек\w+|барбекю|вечеря|вечерю|"
    r"meet-?ups?|party|dinner|lunch|brunch|breakfast|picnic|hike|trip|drinks|bbq|barbecue|potluck|call|wedding|tournament|match|concert|gig|quiz|trivia|hackathon|workshop|livestream|stream|screening|retreat|"
    r"(?:board[- ]?|video )?game(?:s| night)?|(?:[\w-]+ )?night|bowling|karaoke|birthday|bday|get-together|reunion|camping|bonfire|book club|watch party|housewarming|farewell|launch party|standup|demo day|rehearsal|practice)<e>"
)
_DEADLINE = compiled(
    r"<b>(?:квитк\w+|гроші|внес\w+|скинут\w+|скидаємось|скидаємося|скидаємо|здати|здаємо|забронюва\w+|броню\w+|зареєструва\w+|реєстрац\w+|заявк\w+|передоплат\w+|купити|відповісти|дедлайн\w*|"
    r"tickets?|rsvp|deposit|payments?|pay|registration|register|sign[- ]?ups?|sign up|book(?:ed|ing)?|chip in|send|submit|deadline|due)<e>[^;!?]{0,60}<b>(?:до|не пізніше|by|before|until|no later than|is|[—–-])<e>"
)
_PAST = compiled(
    r"<b>(?:вчора|учора|минул\w+|позавчора|торік|був|була|було|були|зустрілись|зустрілися|збирались|збиралися|їздили|yesterday|last|ago|was|were|went|met|had|did)<e>"
)
_MOVED = compiled(
    r"<b>(?:переносимо|перенесли|переноситься|перенесено|перенос|переїжджає на|зсуваємо|зсувається|зміна планів|плани змінились|плани змінилися|moved|moving|rescheduled|reschedule|postponed|pushed|change of plans|plans changed|new (?:date|time))<e>"
)
_CANCELLED = compiled(
    r"<b>(?:скасов\w+|скасу\w+|відміня\w+|відмін(?:а|или|ено)|не буде|cancel\w*|called off|not happening|is off)<e>"
)
_TELLING = 6
_COMMON = frozenset({"наші", "зустр", "збира", "місце", "подія", "буде", "plans", "change", "still", "place"})


class Found(NamedTuple):
    """What a calendar sentence says: row, category, key, value, description and whether the slot holds one value."""

    row: str
    category: str
    key: str
    value: str
    description: str
    single: bool
    confidence: float


def tradition_in(sentence: str) -> Found | None:
    """The tradition that a sentence tells of, or None."""
    recurring = bool(_RECURS.search(sentence))
    named = bool(_TRADITION.search(sentence))
    as_always = bool(_AS_ALWAYS.search(sentence)) and bool(
        terms.day(sentence) or recurring or _HOLIDAY.search(sentence)
    )
    if not (recurring or named or as_always) or _NOT_DONE.search(sentence):
        return None
    if not (named or as_always) and not _by_the_group(sentence):
        return None
    if named and not (
        recurring or as_always or terms.activity(sentence) or terms.day(sentence) or len(tokens(sentence)) >= _TELLING
    ):
        return None
    if _DAILY.search(sentence) and not named:
        return None
    return _tradition(sentence, strong=named or as_always)


def _by_the_group(sentence: str) -> bool:
    if _PERSONAL.search(sentence) and not _GROUP_VERB.search(sentence):
        return False
    return bool(_WE.search(sentence))


def _tradition(sentence: str, *, strong: bool) -> Found:
    period, day, activity = _period(sentence), terms.day(sentence), terms.activity(sentence)
    single = activity is not None and day is not None
    value = day if single and day else value_of(_OPENERS.sub("", sentence))
    key = f"{period}_{activity or 'tradition'}"
    description = label("tradition", language_of(sentence), sentence)
    return Found("tradition", "tradition", key, value, description, single, 0.87 if strong else 0.82)


def _period(sentence: str) -> str:
    text = sentence.casefold()
    if re.search(r"місяц|month", text):
        return "monthly"
    if re.search(rf"\bрок|рік|річн|year|annual|літ[ао]|зим|christmas|різдв|halloween|{_MONTHS_UK}", text):
        return "yearly"
    if terms.day(sentence) or re.search(r"тиж|week", text):
        return "weekly"
    return "regular"


def event_in(sentence: str) -> Found | None:
    """The coming event or deadline of the group that a sentence announces, or None."""
    if not (_DATE.search(sentence) or (_TIME.search(sentence) and _GATHER.search(sentence))) or _PAST.search(sentence):
        return None
    deadline = bool(_DEADLINE.search(sentence))
    gathers = bool(_GATHER.search(sentence))
    occasion = bool(_OCCASION.search(sentence)) and _is_announced(sentence)
    if not (deadline or gathers or occasion) or _CANCELLED.search(sentence):
        return None
    key = "deadline" if deadline and not gathers else "event"
    return Found(
        "event",
        "event",
        key,
        value_of(_OPENERS.sub("", sentence)),
        label("event", language_of(sentence), sentence),
        False,
        0.82,
    )


def _is_announced(sentence: str) -> bool:
    """A bare noun with a day is an event of the group when it is not the speaker's own and says when or where."""
    if compiled(r"<b>(?:у мене|в мене|мій|моя|мені|я|i|i'm|i've|my|his|her|їх|їхній|the only|if|чий)<e>").search(
        sentence
    ):
        return bool(compiled(r"<b>(?:at my|у мене вдома|в мене вдома|my place|ми|we|всі|усі)<e>").search(sentence))
    return bool(
        _TIME.search(sentence)
        or _MOVED.search(sentence)
        or compiled(r"<b>(?:is|on|at|наш\w*|our|у|в|на|буде|всі|усі|we|ми)<e>").search(sentence)
    )


def changes_plans(sentence: str) -> bool:
    """Whether a sentence moves or cancels something announced before."""
    return bool(_MOVED.search(sentence) or _CANCELLED.search(sentence))


def same_occasion(earlier: str, later: str) -> bool:
    """Whether two sentences seem to be about one event: they share a word that is neither a date nor common."""
    return bool(_content(earlier) & _content(later))


def _content(sentence: str) -> set[str]:
    dateless = _TIME.sub(" ", _DATE.sub(" ", sentence))
    return {word[:5] for word in tokens(dateless) if len(word) >= 4 and not word.isdigit()} - _COMMON
