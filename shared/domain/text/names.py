"""Names and words across scripts, by their sound: "Роттердам" is "Rotterdam", "Біоламу" is "Biolam", and no more."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_TO_LATIN = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "h", "ґ": "h", "д": "d", "е": "e", "є": "ie", "ж": "zh", "з": "z", "и": "i",
        "і": "i", "ї": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s",
        "т": "t", "у": "u", "ф": "f", "х": "h", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ь": "", "ю": "iu",
        "я": "ia", "ё": "e", "ы": "i", "э": "e", "ъ": "", "'": "", "ł": "l",
    }
)  # fmt: skip
_SPELLINGS = (
    ("sch", "sh"), ("tch", "ch"), ("kh", "h"), ("ph", "f"), ("th", "t"), ("ck", "k"), ("oo", "u"), ("ee", "i"),
    ("ou", "u"), ("qu", "kv"), ("x", "ks"), ("w", "v"), ("y", "i"), ("j", "i"), ("g", "h"), ("q", "k"),
)  # fmt: skip
_SOFT_C = re.compile(r"c(?=[ei])")
_HARD_C = re.compile(r"c(?!h)")
_REPEATED = re.compile(r"(.)\1+")
_ENDING = re.compile(r"(?:oiu|eiu|ovi|evi|ami|iami|ah|iah|om|em|[aeiou]+)$")
_DECLINED = re.compile(r"(?:oiu|eiu|ovi|evi|ami|om|em|[iu])$")
"""Case endings of a Ukrainian noun, but not the "a" and "ia" that may tell a woman's name from a man's."""

_VOWELS = re.compile(r"[aeiou]+")
_POSSESSIVE = re.compile(r"(?<=..)(?:ov|ev|iv|in)(?:im|ih|imi|oho|omu|oi|ii|oiu|[aeiou])?$")
_MIN_STEM = 2
_MIN_CONSONANTS = 4


def is_cyrillic(word: str) -> bool:
    """Return whether any letter is Cyrillic."""
    return any("Ѐ" <= char <= "ӿ" for char in word)


@lru_cache(maxsize=20_000)
def sound(name: str) -> str:
    """One Latin spelling of a folded name, whichever script and customary transliteration it came in."""
    latin = unicodedata.normalize("NFKD", name.translate(_TO_LATIN))
    latin = "".join(char for char in latin if char.isalnum())
    if not is_cyrillic(name):
        for spelling, latin_form in _SPELLINGS:
            latin = latin.replace(spelling, latin_form)
        latin = _HARD_C.sub("k", _SOFT_C.sub("s", latin))
    return _REPEATED.sub(r"\1", latin)


@lru_cache(maxsize=50_000)
def same_name(one: str, other: str) -> bool:
    """Return whether two folded names are one: the same word, another case form, or a transliteration.

    Two Latin names have to be equal ("Paula" is not "Paulo"); else case endings may differ, but not as a masculine and
    a feminine name do ("Олександр" is not "Олександра").
    """
    if one == other:
        return True
    both_cyrillic = is_cyrillic(one) and is_cyrillic(other)
    if not (is_cyrillic(one) or is_cyrillic(other)):
        return False
    latin_form, also = sound(one), sound(other)
    if latin_form == also:
        return True
    if same_stem(one, other):
        shorter, longer = sorted((latin_form, also), key=len)  # of one stem, they may be a man's and a woman's
        return longer not in (f"{shorter}a", f"{shorter}ia") and {latin_form[-1], also[-1]} != {"a", "o"}
    if both_cyrillic:
        return False
    declined, other_script = (latin_form, also) if is_cyrillic(one) else (also, latin_form)
    return any(_same_consonants(each, other_script) for each in (declined, _DECLINED.sub("", declined)))


@lru_cache(maxsize=50_000)
def same_stem(one: str, other: str) -> bool:
    """Return whether two folded words sound the same but for a case ending; weaker than `same_name`."""
    stem = _ENDING.sub("", sound(one))
    return len(stem) >= _MIN_STEM and stem == _ENDING.sub("", sound(other))


@lru_cache(maxsize=50_000)
def phonetic_key(word: str) -> str:
    """Return how a folded word sounds, in Latin letters and without a case ending; whole when hardly a stem is left."""
    whole = sound(word)
    stem = _ENDING.sub("", whole)
    return stem if len(stem) >= _MIN_STEM else whole


@lru_cache(maxsize=20_000)
def possessor_key(word: str) -> str | None:
    """Return how the name sounds that a possessive adjective is made of ("Майковим": "maik"); None for other words."""
    whole = sound(word)
    name = _POSSESSIVE.sub("", whole)
    return name if name != whole and len(name) >= _MIN_STEM else None


def _bones(latin_form: str) -> str:
    """Return the consonants; a "c" is heard as "s" in one language and as "ts" in another, an "s" often as "z"."""
    return _VOWELS.sub("", latin_form).replace("ts", "s").replace("z", "s")


def _same_consonants(latin_form: str, also: str) -> bool:
    bones = _bones(latin_form)
    if len(bones) < _MIN_CONSONANTS or latin_form[0] != also[0] or bones != _bones(also):
        return False
    return latin_form[-1] == also[-1] or "e" in (latin_form[-1], also[-1])  # English writes an "e" that nobody hears
