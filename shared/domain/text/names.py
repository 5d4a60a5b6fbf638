"""Names and words across scripts, by their sound: "Роттердам" is "Rotterdam", "Біоламу" is "Biolam", and no more.

And letters that pass for others: words of two scripts, styled letters, marks and invisible characters inside words.
"Львовi" with a Latin "i" is a slip of the keyboard and "Ignоre" with a Cyrillic "о" a disguise; both mean what they
look like. What looks like nothing stays as it is.
"""

import re
import unicodedata
from functools import lru_cache

from shared.domain.text.data_files import read_data

_LATIN, _CYRILLIC = "aceiopxyABCEHIKMOPTX", "асеіорхуАВСЕНІКМОРТХ"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_LATIN_TWINS = str.maketrans(
    _CYRILLIC + "УгѕјЅЈԁһԛԝɡɩıιοαενρτυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", _LATIN + "YrsjSJdhqwgiiioaevptukABEZHIKMNOPTYX"
)
_TWO_SCRIPTS = re.compile(r"[A-Za-z][Ѐ-ӿ]|[Ѐ-ӿ][A-Za-z]")
_WORD = re.compile(r"(?<![A-Za-zЀ-ӿ])(?:[A-Za-z]+[Ѐ-ӿ]|[Ѐ-ӿ]+[A-Za-z])[A-Za-zЀ-ӿ]*")
_LOAN = re.compile(r"(?:[A-Z]{2,}|[A-Za-z]{3,})[Ѐ-ӿ]{2,}")
_SHORT = 3
_STYLED = re.compile("[\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")
_MARKS = "\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef"
_DISGUISED = re.compile(rf"[A-Za-z](?=[^\x00-\x7f])[\w{_MARKS}]|(?=[^\x00-\x7f])[\w{_MARKS}][A-Za-z]|[Ѐ-ӿ][{_MARKS}]")
_MARK = re.compile(f"[{_MARKS}]")


def one_script(text: str) -> str:
    """The text with each word of two scripts in the one it is meant in, and styled letters plain; linear.

    A word is meant in the script of most of its letters (when even, in Latin, but "нe" in Cyrillic), if all others have
    a twin there. A Ukrainian ending on an English stem ("PHPшник") is no slip.
    """
    if _STYLED.search(text):
        text = _STYLED.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    return _WORD.sub(lambda match: resolve_script(match.group()), text) if _TWO_SCRIPTS.search(text) else text


def is_garbled(text: str) -> bool:
    """Return whether a text that went through `one_script` still has a word of two scripts that is no loan."""
    return any(not _LOAN.fullmatch(word) for word in _WORD.findall(text)) if _TWO_SCRIPTS.search(text) else False


def undisguise(text: str) -> tuple[str, ...]:
    """Return what a text may look like to a reader when letters in it pass for others: nothing when none do, else
    without marks and in one script or the other."""
    if not _DISGUISED.search(text):
        return ()
    visible = _MARK.sub("", text)
    bare = _MARK.sub("", unicodedata.normalize("NFKD", text))
    return visible, visible.translate(_TO_CYRILLIC), one_script(visible), bare.translate(_LATIN_TWINS)


def resolve_script(word: str) -> str:
    if _LOAN.fullmatch(word):
        return word
    latin, size = sum(char.isascii() for char in word), len(word)
    to_latin = 2 * latin > size or (2 * latin == size and size > _SHORT)
    meant = word.translate(_LATIN_TWINS if to_latin else _TO_CYRILLIC)
    return word if _TWO_SCRIPTS.search(meant) else meant


_LATIN_FORMS = read_data(__package__, "names")
_TO_LATIN, _SPELLINGS = str.maketrans(dict(_LATIN_FORMS["latin"])), _LATIN_FORMS["spellings"]
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
        for spelling, latin_form in _SPELLINGS.items():
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


def _consonants(latin_form: str) -> str:
    """Return the consonants; a "c" is heard as "s" in one language and as "ts" in another, an "s" often as "z"."""
    return _VOWELS.sub("", latin_form).replace("ts", "s").replace("z", "s")


def _same_consonants(latin_form: str, also: str) -> bool:
    consonants = _consonants(latin_form)
    if len(consonants) < _MIN_CONSONANTS or latin_form[0] != also[0] or consonants != _consonants(also):
        return False
    return latin_form[-1] == also[-1] or "e" in (latin_form[-1], also[-1])  # English writes an "e" that nobody hears
