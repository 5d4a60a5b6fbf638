"""Named lists of Ukrainian words that phrases share as `@name`; entries as in `phrases`.

A list of verbs also stands for each person of them: `@live#i` is "I live", `@live#past` "(I, he, she) lived".
"""

from __future__ import annotations

from collections.abc import Mapping

from shared.domain.reading.patterns.uk import vocabulary_doings as vocabulary_uk_doings
from shared.domain.reading.patterns.uk import vocabulary_people as vocabulary_uk_people

_LISTS = {
    "i": "=я",
    "lead": """
        а ну та і й о так ага от ось бо тоді взагалі насправді чесно кажучи якщо речі доречі між іншим коротше просто
        загалом особисто привіт вітаю всім усім вам добрий доброго день дня вечір вечора ранок ранку люди народ друзі
        хлопці дівчата знаєте слухайте ні ой ех наприклад також теж ще до отже короче щодо тільки лише хоча
        зате принаймні якось , –""",
    "adv": """
        вже уже теж також зараз тепер досі поки давно дуже більше найбільше просто страшенно шалено завжди справді
        реально нарешті сам сама якраз недавно нещодавно колись раніше торік позаторік влітку взимку навесні восени
        якось вперше двічі тричі добре непогано вільно професійно трохи активно потроху потихеньку серйозно вечорами
        зранку щодня ж же таки ще от прям прямо капець дико тут там особливо страшно
        безумно неймовірно постійно часто зазвичай переважно взагалі тимчасово нині наразі понад усе усього
        взагалі-то насправді типу самі майже стабільно""",
}

_PERSONS = ("i", "we", "you", "he", "they", "past", "pastpl", "inf")


def _lists() -> dict[str, tuple[str, ...]]:
    sources = {**vocabulary_uk_people.WORDS, **vocabulary_uk_doings.WORDS, **_LISTS}
    lists = {name: tuple(_flat(words, sources)) for name, words in sources.items()}
    for name, words in list(lists.items()):
        verbs = [word for word in words if word.endswith(("ти", "тися", "тись")) and not word.startswith("=")]
        lists.update({f"{name}#{person}": tuple(f"{verb}#{person}" for verb in verbs) for person in _PERSONS if verbs})
    return lists


def _flat(words: str, sources: Mapping[str, str]) -> list[str]:
    """The words, with those of a list that is named among them."""
    return [
        one for word in words.split() for one in (_flat(sources[word[1:]], sources) if word.startswith("@") else [word])
    ]


LISTS: Mapping[str, tuple[str, ...]] = _lists()
