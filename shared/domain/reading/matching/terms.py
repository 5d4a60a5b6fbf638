"""Canonical English terms for what talk calls by many names: languages, days, topics, activities.

A canonical value makes "ніякої політики" and "no politics" the same belief.
"""

from __future__ import annotations

import re


def _table(rows: dict[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?<!\w)(?:{stems})", re.IGNORECASE)) for name, stems in rows.items())


_LANGUAGES = _table(
    {
        "ukrainian": r"україн|ukrainian",
        "english": r"англійськ|англіськ|інгліш|english",
        "polish": r"польськ|polish",
        "german": r"німецьк|german\b",
        "russian": r"російськ|russian",
        "french": r"французьк|french",
        "spanish": r"іспанськ|spanish",
    }
)
_DAYS = _table(
    {
        "monday": r"понеділ|щопонеділ|monday|mon\b",
        "tuesday": r"вівтор|щовівтор|tuesday|tue\b",
        "wednesday": r"серед[ауиі]\b|середам|щосеред|wednesday|wed\b",
        "thursday": r"четвер|щочетвер|thursday|thu\b",
        "friday": r"п'ятниц|пятниц|щоп'ятниц|щопятниц|friday|fri\b",
        "saturday": r"субот|щосубот|saturday|sat\b",
        "sunday": r"неділ[юяіьею]|щонеділ|sunday|sun\b",
        "weekend": r"вихідн|weekend",
    }
)
_TOPICS = _table(
    {
        "politics": r"політи[кцч]|politic",
        "religion": r"релігі|religio",
        "advertising": (
            r"реклам|ads?\b|advert|promo|self-promo|промо|піар|реф-посил|рефк|реферал|referral|job ads|оголошен"
        ),
        "spam": r"спам|spam",
        "spoilers": r"спойлер|spoiler",
        "swearing": (
            r"мат[уиі]?\b|мат(?:ом|юк|юч|ер)|лайк[аиу]\b|лайливи|нецензур|swear|curs(?:e|ing)\b|profanit|foul language"
        ),
        "voice_messages": r"голосов|войс|voice|audio messages",
        "memes": r"мем\w{0,3}\b|meme",
        "nsfw": r"nsfw|порн|porn|еротик|18\+|nud(?:e|ity)",
        "links": r"посилан|лінк|links?\b|urls?\b",
        "caps": r"капс|caps|all-caps|великими літерами",
        "flood": r"флуд|flood|оффтоп|офтоп|off-?topic",
        "crypto": r"крипт|crypto|біткоїн|bitcoin",
        "stickers": r"стікер|наліпк|sticker",
        "gifs": r"гіф|gifs?\b",
        "insults": (
            r"образ[иіл]?\b|ображ|перехо\w+ на особист|insult|personal attack|name-calling|хамств|хейт|hate speech"
        ),
        "toxicity": r"токсич|toxic",
        "gossip": r"плітк|gossip",
        "piracy": r"пірат|pirac|pirated|torrent|торент",
        "jobs": r"job (?:offers?|posts?|ads?|listings?)|вакансі|hiring",
        "screenshots": r"скр[іи]н|screenshot",
        "forwards": r"репост|пересилан|форвард|forward",
        "sales": r"продаж|selling|sales\b",
        "pings": r"@(?:all|everyone|here)|pings?\b|pinging|тегати всіх",
        "work_talk": r"робоч\w+ (?:чат|питан|тем)|work talk|work stuff|shop talk",
    }
)
_TOPIC_LABELS_UK = {
    "politics": "політика",
    "religion": "релігія",
    "advertising": "реклама",
    "spam": "спам",
    "spoilers": "спойлери",
    "memes": "меми",
    "caps": "капс",
    "flood": "флуд",
}
_ACTIVITIES = _table(
    {
        "recap": r"підсум|recap|wrap-?up|ретро\b|retro\b|review of the week|weekly review",
        "movie_night": r"кіно|фільм|movie|film",
        "games": r"настол|ігр|гра(?:ємо|ти)\b|board.?game|game|trivia|квіз|quiz",
        "memes": r"мем|meme",
        "music": r"альбом|музик|плейлист|пісн|album|playlist|music|song",
        "sport": r"біга|пробіжк|футбол|тренуван|running|football|workout|run\b|hike",
        "meal": r"вечер|обід|снідан|піц|шашлик|dinner|lunch|brunch|breakfast|potluck|pizza|bbq|barbecue",
        "photos": r"фото|photo|pics\b|pictures",
        "call": r"дзвін|созвон|call\b|standup|zoom",
        "books": r"книг|книж|book",
        "trip": r"похід|поход|лиж|поїздк|гор[иу]\b|trip|ski|camping|кемпінг",
        "quiet": r"тиш|мовч|quiet|silen",
        "gifts": r"подарун|санта|gift|secret santa",
        "meetup": r"зустріч|збира|meet|gather",
    }
)


def _first(table: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> str | None:
    found = [(match.start(), name) for name, pattern in table if (match := pattern.search(text))]
    return min(found)[1] if found else None


def spoken_language(text: str) -> str | None:
    """The language that the text names ("ukrainian"), first mentioned first, or None."""
    return _first(_LANGUAGES, text)


def day(text: str) -> str | None:
    """The weekday (or "weekend") that the text names, or None."""
    return _first(_DAYS, text)


def activity(text: str) -> str | None:
    """Return what a group does together, as a slug ("recap"), or None."""
    return _first(_ACTIVITIES, text)


def topics(text: str) -> list[str]:
    """Every canonical topic that the text names, in order of mention."""
    found = [(match.start(), name) for name, pattern in _TOPICS if (match := pattern.search(text))]
    return [name for _, name in sorted(found)]


def topic_label(topic: str, language: str) -> str:
    """The topic as a reader of `language` would call it."""
    words = topic.replace("_", " ")
    return _TOPIC_LABELS_UK.get(topic, words) if language == "uk" else words


_SUBJECTS = _table(
    {
        "politics": r"політи[кцч]|вибор(?:и|ів|ах)\b|депутат|politic|election|parliament",
        "crypto": r"крипт|біткоїн|біток\b|crypto|bitcoin|ethereum",
        "football": r"футбол|матч\b|динамо\b|шахтар\b|football|soccer|premier league|champions league",
        "games": r"настолк|ігор\b|ігри\b|геймер|steam\b|playstation|video ?game|board ?game|gaming|nintendo",
        "movies": r"фільм|серіал|кіно\b|movie|film\b|netflix|tv show|series\b",
        "music": r"музик|альбом|концерт|гурт\b|music|album|concert|playlist|guitar",
        "books": r"книг|книж|роман\b|books?\b|novel",
        "programming": (
            r"програмува|код\b|коду\b|пайтон|джаваскрипт|coding|programming|python|javascript|rust\b|backend|frontend"
        ),
        "ai": r"штучн\w+ інтелект|нейромереж|нейронк|artificial intelligence|machine learning|llm\b|gpt",
        "cars": r"машин[аиу]\b|автівк|двигун|cars?\b|engine\b|driving",
        "cooking": r"рецепт|борщ|готува|пиріг|випіч|recipe|cooking|baking|sourdough",
        "pets": r"собак|песик|коти\b|котик|кішк|\bdogs?\b|\bcats?\b|puppy|kitten",
        "travel": r"подорож|квитк|відпустк|мандрів|travel|flights?\b|vacation|trip\b",
        "renovation": r"ремонт|плитк|ламінат|штукатур|renovation|drywall|tiling",
        "coffee": r"кав[аиу]\b|кавов|еспресо|coffee|espresso",
        "space": r"космос|ракет|супутник|rocket|spacex|satellite|nasa\b",
        "photography": r"об'єктив|фотоапарат|плівк|photography|lens\b|camera",
        "gardening": r"город\b|розсад|саджан|помідор|garden|seedling|tomato",
    }
)
_SUBJECT_LABELS_UK = {
    "politics": "політику", "crypto": "крипту", "football": "футбол",
    "games": "ігри", "movies": "кіно", "music": "музику",
    "books": "книги", "programming": "програмування", "ai": "штучний інтелект", "cars": "автівки", "cooking": "їжу",
    "pets": "тварин", "travel": "подорожі", "renovation": "ремонт", "coffee": "каву", "space": "космос",
    "photography": "фотографію", "gardening": "город",
}  # fmt: skip


def subjects(text: str) -> list[str]:
    """Subjects of talk (not of rules) that the text touches, as slugs, alphabetical."""
    return sorted(name for name, pattern in _SUBJECTS if pattern.search(text))


def subject_label(subject: str) -> str:
    """The subject in Ukrainian, in the accusative ("про крипту")."""
    return _SUBJECT_LABELS_UK[subject]


_LANGUAGES_UK = {
    "ukrainian": "українська",
    "english": "англійська",
    "polish": "польська",
    "german": "німецька",
    "russian": "російська",
    "french": "французька",
    "spanish": "іспанська",
}


def language_of_chat(spoken: str, lang: str) -> str:
    """A sentence that names the chat's language ("ukrainian" as `spoken`), in `lang` ("uk" or "en")."""
    if lang == "uk":
        return f"Мова чату: {_LANGUAGES_UK.get(spoken, spoken)}."
    return f"Language of the chat: {spoken.capitalize()}."
