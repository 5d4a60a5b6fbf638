"""Texts that show themselves as somebody else's line: copied talk, a speaker's name in front, a list of what is stored.

Told by the form alone. Whoever wrote the line, it is not what the sender says, so nobody's fact may rest on it.
"""

import re
import unicodedata
from functools import lru_cache

from shared.domain.people.labels import forms_of
from shared.domain.text.data_files import expressions, put_together, read_data
from shared.domain.text.language import unify_apostrophes
from shared.domain.text.names import phonetic_key, same_name, undisguise

_FORMS = tuple(expressions(__package__, "others_lines").values())
_PARTS = read_data(__package__, "others_lines")["parts"]
_LINE, _CLOCK, _KINDS = (put_together(_PARTS[name], _PARTS) for name in ("LINE", "CLOCK", "KINDS"))
_KIND_IN_FRONT = re.compile(rf"(?:^|[\n;,.]|\s[-–—•*]\s)\W{{0,4}}({_KINDS})\s*[:=]", re.IGNORECASE)
_NAME_IN_FRONT = re.compile(
    rf"{_LINE}(?:{_CLOCK}[\s,–—-]*)?[(\[]?"
    rf"(?P<name>[^\W\d_][\w'’.-]*(?:[^\S\n]+[^\W\d_][\w'’.-]*){{0,2}})"
    rf"(?:[*_~`]*\s*[:>»](?=\s|[«\"“])"
    rf"|[)\]](?=\s)|[\s,(—–@-]*(?:at|о|об)?\s?{_CLOCK}\)?\s*(?::|\n))"
)
_SPEECH_DASH = re.compile(r"(?:^|\n)[^\w\n—–]*[—–][^\w\n]*(?P<name>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*)?)\s*:\s")
_LABELLED = re.compile(r"(?:^|\n)[^\w\n]*(?P<label>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?)\s*:\s(?P<said>[^\n]*)")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\u00ad\ufeff\u202a-\u202e\u2066-\u2069]")
_EVERYBODY = frozenset({"усі", "всі", "everyone", "everybody", "all"})
_MARKS = frozenset(":])>=»|")
_MIN_KINDS = _MIN_SPEAKERS = 2
_MIN_NAME = 3
_READ = 4_200
"""Characters that are looked at: no message of Telegram has more (4,096 UTF-16 units)."""

_BLANKS = re.compile(r"[^\S\n]+")


@lru_cache(maxsize=256)
def is_anothers_line(text: str, names: tuple[str, ...] = ()) -> bool:
    """Return whether any line of a text is presented as said by somebody else, or as what is already stored.

    Args:
        names: What the other members are called; "Оля: …" is then Оля's line. Common given names are known anyway.
    """
    if _MARKS.isdisjoint(text):
        return False
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", unify_apostrophes(text[:_READ])))
    lines = (_BLANKS.sub(" ", line).strip() for line in plain.splitlines())
    plain = "\n".join(line for line in lines if line)  # without spaces around, so that none is tried from every blank
    return any(map(_is_staged, (plain, *undisguise(plain)))) or _has_speaker(plain, names)


def _is_staged(text: str) -> bool:
    if any(form.search(text) for form in _FORMS):
        return True
    return len({found[1].casefold() for found in _KIND_IN_FRONT.finditer(text)}) >= _MIN_KINDS


def _has_speaker(text: str, names: tuple[str, ...]) -> bool:
    if _is_dialogue(text) or any(found["name"][:1].isupper() for found in _SPEECH_DASH.finditer(text)):
        return True
    known = {" ".join(name.casefold().split()) for name in names if len(name.strip()) >= _MIN_NAME}
    return any(_is_somebody(found["name"], known) for found in _NAME_IN_FRONT.finditer(text))


def _is_dialogue(text: str) -> bool:
    """Return whether lines with different labels ask and answer; a list of date, time and place asks nothing."""
    lines = [found for found in _LABELLED.finditer(text) if found["label"][:1].isupper()]
    labels = {line["label"].casefold() for line in lines}
    asked = any(line["said"].rstrip().endswith("?") for line in lines[:-1])
    return len(labels) >= _MIN_SPEAKERS and (asked or not labels.isdisjoint(_EVERYBODY))


def _is_somebody(label: str, known: set[str]) -> bool:
    folded = " ".join(label.casefold().split())
    if folded in known:
        return True
    words = label.strip("*_~`").split()
    if not all(word[:1].isupper() for word in words):
        return False
    given = words[0].casefold()
    if len(given) >= _MIN_NAME and given in forms_of(phonetic_key(given)):
        return True
    return any(same_name(folded, name) for name in known)
