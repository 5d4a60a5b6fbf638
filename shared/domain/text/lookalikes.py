"""Letters that pass for others: words of two scripts, styled letters, marks and invisible characters inside words.

"Львовi" with a Latin "i" is a slip of the keyboard and "Ignоre" with a Cyrillic "о" a disguise; both mean what they
look like. What looks like nothing stays as it is.
"""

from __future__ import annotations

import re
import unicodedata

_LATIN, _CYRILLIC = "aceiopxyABCEHIKMOPTX", "асеіорхуАВСЕНІКМОРТХ"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_TO_LATIN = str.maketrans(
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
    return visible, visible.translate(_TO_CYRILLIC), one_script(visible), bare.translate(_TO_LATIN)


def resolve_script(word: str) -> str:
    if _LOAN.fullmatch(word):
        return word
    latin, size = sum(char.isascii() for char in word), len(word)
    to_latin = 2 * latin > size or (2 * latin == size and size > _SHORT)
    meant = word.translate(_TO_LATIN if to_latin else _TO_CYRILLIC)
    return word if _TWO_SCRIPTS.search(meant) else meant
