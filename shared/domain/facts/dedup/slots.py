"""Which slot a key names, whatever it is called, and whether the slot holds one value at a time."""

# ruff: noqa: E501  (a list of words is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from functools import lru_cache

from shared.domain.facts.dedup.lexicon import words

_SLOTS = (
    ("hometown", r"home ?town|birth ?place|place of birth|origin|born|from|рідне місто|родом|походження|місце народження|звідки"),
    ("workplace", r"work ?place|employer|company|work location|office|місце роботи|роботодавець|компанія|де працює"),
    ("language_preference", r"(?:language|мова)(?: (?:preference|rule|of (?:the )?chat|чату|спілкування|групи))?|(?:chat|preferred|group|main|primary) language|бажана мова|основна мова"),
    ("location", r"(?:current |home |живе )?(?:location|city|residence|town|address|living place)|lives(?: in)?|based in|home|country|місто|проживання|місце проживання|де живе|адреса|країна|локація|residency|place of residence|where lives|lives where|живе(?: в)?"),
    ("job", r"(?:current )?(?:job|occupation|profession|career|position|work|employment|job title|role)|робота|професія|посада|фах|спеціальність|ким працює|працює"),
    ("birthday", r"дн|д\.? ?н\.?|birth ?day|birth ?date|date of birth|день народження|дата народження|др|bday"),
    ("name", r"(?:real |full |first )?name|ім'я|справжнє ім'я|звати"),
    ("nickname", r"nick ?name|nick|прізвисько|нікнейм|псевдонім"),
    ("age", r"age|вік|років|years old"),
    ("marital_status", r"(?:marital|relationship|family|marriage) status|marriage|married|сімейний стан|сімейний статус|шлюб|статус стосунків|стосунки|relationship|marriage status"),
    ("diet", r"diet|eating habits?|dietary (?:preference|restriction|choice)s?|nutrition|food preference|харчування|дієта|раціон"),
    ("timezone", r"time ?zone|часовий пояс"),
    ("education", r"education|university|studies|major|college|освіта|навчання|університет"),
    ("spouse", r"wife|husband|spouse|partner|fianc[eé]e?|boyfriend|girlfriend|romance|dating|significant other|дружина|чоловік|партнер(?:ка)?|хлопець|дівчина|наречен(?:ий|а)"),
    ("housing", r"living(?: (?:situation|arrangements?|with))?|household|housing(?: status)?|accommodation|lives with|житло|умови проживання|з ким живе|living conditions"),
    ("boss", r"boss|manager|supervisor|chief|бос|начальни(?:к|ця)|керівни(?:к|ця)|шеф(?:иня)?"),
    ("coach", r"coach|trainer|тренер(?:ка)?"),
    ("landlord", r"landlord|landlady|орендодав(?:ець|иця)|хазя(?:їн|йка)|господар"),
    ("therapist", r"therapist|психотерапевт(?:ка)?|терапевт(?:ка)?"),
    ("work_mode", r"work (?:mode|format|arrangement)|working mode|формат роботи|режим роботи"),
    ("handedness", r"handedness|dominant hand|рука|провідна рука"),
    ("meeting_place", r"(?:meet ?up|meeting|usual|hangout|gathering) (?:place|spot|venue|location)|місце (?:зустрічі|зборів|збору|зустрічей)"),
    ("keeper", r"treasurer|скарбни(?:к|ця)"),
    ("host", r"(?:chat |group )?(?:owner|admin|administrator|head admin|main admin)|(?:головний )?адмін|власник чату|адміністратор"),
    ("password", r"(?:\w+ )?password|пароль(?: \w+)?"),
    ("slow_mode", r"slow ?mode|повільний режим|слоумод"),
    ("mother", r"mother|mom|mum|мама|мати"),
    ("father", r"father|dad|тато|батько"),
    ("pronouns", r"pronouns|займенники"),
    ("gender", r"gender|стать"),
    ("height", r"height|зріст"),
    ("weight", r"weight|вага"),
    ("blood_type", r"blood (?:type|group)|група крові"),
    ("zodiac", r"zodiac(?: sign)?|знак зодіаку"),
    ("phone", r"phone(?: model)?|smartphone|телефон|смартфон"),
    ("os", r"os|operating system|операційна система"),
    ("editor", r"(?:code |text )?editor|редактор(?: коду)?"),
    ("chronotype", r"chronotype|sleep (?:schedule|pattern)|режим сну|режим|хронотип"),
    ("smoking", r"smoking|smoker|паління|куріння"),
)  # fmt: skip
_SLOT_PATTERNS = tuple((name, re.compile(rf"(?:{pattern})")) for name, pattern in _SLOTS)
_FAVOURITE = re.compile(r"(?:favou?rite|fav|улюблен\w+) (\w.*)")
_MANY = frozenset({"education"})
_ONLY_OF_CHAT = frozenset({"language_preference"})
_WITHOUT_SLOTS = frozenset({"skill", "goal", "experience", "topic", "event", "tradition"})

_SAYS_SLOT = (
    ("hometown", re.compile(r"\b(?:from|born in|grew up|hails)\b|\b(?:родом|народи|виріс|виросла)")),
    ("location", re.compile(r"\b(?:lives?|living|resides?|based|moved to)\b|\b(?:живе|мешка|прожива|переїха)")),
    ("job", re.compile(r"\b(?:works?|working|job|occupation|profession)\b|\b(?:працю|професія|посада)")),
    ("marital_status", re.compile(r"\b(?:married|divorced|single|engaged|widow)|\b(?:одруж|заміж|розлуч)")),
    ("age", re.compile(r"\byears old\b|\b\d+ (?:років|роки|рік)\b")),
    ("name", re.compile(r"\bname is\b|\b(?:звати|звуть)\b")),
)
_UNTOLD = frozenset(
    {"", "info", "information", "personal info", "personal", "fact", "about", "about user", "bio", "status", "detail",
     "details", "інфо", "інформація", "про себе", "факт", "статус", "особисте", "life", "life event", "background"}
)  # fmt: skip
_KINDRED = frozenset(
    {
        frozenset({"rule", "norm"}),
        frozenset({"preference", "culture"}),
        frozenset({"norm", "culture"}),
        frozenset({"rule", "preference"}),
        frozenset({"personal_info", "relationship"}),
        frozenset({"personal_info", "preference"}),
        frozenset({"personal_info", "skill"}),
        frozenset({"tradition", "norm"}),
    }
)


def slot_of(category: str, key: str, description: str) -> str | None:
    """The slot a folded key names, or, where the key says nothing, the one its folded description is about."""
    if key in _UNTOLD and category in ("personal_info", "relationship"):
        return next((name for name, says in _SAYS_SLOT if says.search(description)), None)
    return _slot_of_key(category, key)


@lru_cache(maxsize=10_000)
def _slot_of_key(category: str, key: str) -> str | None:
    if category in _WITHOUT_SLOTS:
        return None
    if (favourite := _FAVOURITE.fullmatch(key)) is not None:
        return f"favourite {favourite.group(1)}"
    for name, pattern in _SLOT_PATTERNS:
        if pattern.fullmatch(key) and (name not in _ONLY_OF_CHAT or category in ("preference", "rule", "norm")):
            return name
    return None


def holds_one(slot: str | None) -> bool:
    """Whether a new value of the slot replaces the old one."""
    return slot is not None and slot not in _MANY


def comparable(category: str, other: str) -> bool:
    """Whether facts of two categories can say the same thing at all ("visited Japan" and "wants to" cannot)."""
    return category == other or frozenset({category, other}) in _KINDRED


GENERIC_KEYS = words(
    """
    chat forbidden topic rule frequent favourite favorite like liking dislike group preference general recurring main regular weekly
    monthly yearly annual daily event upcoming plan tradition ritual norm custom culture communication style shared experience decision
    knowledge fact info interest hobby skill ability talent goal dream aim target wish food drink beverage dish music sport game
    instrument language spoken learn learning study tool technology tech stack family relative relationship sibling pet animal friend person people
    travel trip life health allergy possession activity pastime genre type kind place thing item usage use habit behavior behaviour attitude
    opinion content media appearance character personality trait career pastime routine joke running humor tone mood project work
    чат тема правило заборона заборонений подія традиція звичай норма культура хобі захоплення інтерес навичка вміння ціль мета мрія
    їжа напій страва музика спорт гра інструмент мова родина сім'я родич тварина улюбленець друг подорож досвід спільне стиль жарт
    уподобання вподобання щотижнева щотижневий проєкт
    """
)
"""Words of keys that say no more than the category does."""
