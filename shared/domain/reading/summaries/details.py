"""The details of a sentence that a summary must not lose: dates, numbers, places, names, promises.

Recognised by form, not by lists of who and where: figures, capital letters inside a sentence, words that the
dictionary itself writes with a capital, what follows a preposition of place, and the words of time, number, place and
agreement. Finding too much only makes a summary longer; what is not found may be lost.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from shared.domain.text.data_files import common_words, expressions, word_lists, word_set
from shared.domain.text.language import lemma, unify_apostrophes
from shared.domain.text.names import is_cyrillic, same_stem
from shared.domain.text.words import readings

Kind = Literal["date", "number", "place", "name", "promise"]

MAX_WORDS = 400
"""Words of one piece of text that are looked at."""

_STRONG, _NAMED, _PLAIN, _WEAK, _FAINT = 3.0, 2.5, 2.0, 1.0, 0.4
_MIN_NAME, _MIN_STEM_NAME = 2, 4
_LAUGH = frozenset("хaаxhеe")
_NO_NAMES = word_set("i i'm i'll i'd i've ok ок lol omg btw")
_TOKEN = re.compile(
    r"(?P<link>https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}|(?<!\w)@\w{3,}|\bt\.me/\S+)"
    r"|(?P<figure>[$€£₴#№+]?\d[\d\s.,:/()%-]*\d%?|[$€£₴#№+]?\d%?)(?P<unit>[^\W\d_]{0,12})"
    r"|(?P<word>[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*)|(?P<end>[.!?…\n]+)|(?P<sign>[,:;«»\"“”])"
)

_SAYS = expressions(__package__, "details")
_WORDS = {name: frozenset(words) for name, words in word_lists(__package__, "vocabulary").items()}


class Detail(NamedTuple):
    """One detail: its kind, the folded words that tell it, and how much a summary loses without it (0.4 to 3)."""

    kind: Kind
    form: str
    weight: float


class _DetailWord(NamedTuple):
    text: str
    folded: str
    begins: bool  # a sentence
    called: bool  # a comma follows, as after somebody's name


def details_of(text: str, names: Sequence[str] = (), *, begins: bool = True) -> frozenset[Detail]:
    """Every detail of a piece of one message.

    Args:
        names: Folded names of those who take part: they count as names however they are written.
        begins: Whether the piece begins a sentence: there a capital letter says little.
    """
    read = list(_details(text, names, begins=begins))
    if _SAYS["pledge"].search(text):
        read.append(Detail("promise", _fold_text(text)[:80], _STRONG))
    return frozenset(read)


def is_idle(text: str) -> bool:
    """Return whether a piece is small talk alone: greetings, thanks, assent, laughter."""
    words = re.findall(r"[^\W\d_]+", _fold_text(text))
    told = (word for word in words if word not in _WORDS["idle"])
    laughing = ((len(word) > 1 and set(word) <= _LAUGH) or (len(word) > 3 and len(set(word)) == 1) for word in told)
    return all(laughing) and not re.search(r"\d", text)


def _details(text: str, names: Sequence[str], *, begins: bool) -> Iterator[Detail]:
    letters = [char for char in text if char.isalpha()]
    shouting = len(letters) > 12 and sum(char.isupper() for char in letters) * 2 > len(letters)
    led, counted = 0, False
    matches = list(_TOKEN.finditer(unify_apostrophes(text)))[:MAX_WORDS]
    for number, match in enumerate(matches):
        if match["end"] or match["sign"]:
            begins, led = begins or bool(match["end"]), 0
            continue
        if match["word"]:
            called = number + 1 < len(matches) and matches[number + 1]["sign"] == ","
            word = _DetailWord(match["word"], match["word"].casefold(), begins, called)
            near = counted or (number + 1 < len(matches) and bool(matches[number + 1]["figure"]))
            yield from _find_in_word(word, names, led=led, near_figure=near, shouting=shouting)
            led = 2 if word.folded in _WORDS["leading"] else max(led - 1, 0)
            counted = False
        else:
            counted = bool(match["figure"])
            if match["link"] or match.group().strip() != "+1":
                yield Detail("number", match.group().casefold(), _PLAIN if match["link"] else _STRONG)
        begins = False


def _find_in_word(
    word: _DetailWord, names: Sequence[str], *, led: int, near_figure: bool, shouting: bool
) -> Iterator[Detail]:
    forms = frozenset((word.folded, lemma(word.folded)))
    if told := _find_in_vocabulary(word, forms, led=led, near_figure=near_figure):
        yield told
    elif any(_means(word.folded, name) for name in names):
        yield Detail("name", word.folded, _WEAK)  # they are named as speakers, too
    elif _is_name(word, shouting=shouting):
        yield Detail("place" if led else "name", word.folded, _STRONG if led else _NAMED)
    elif led and len(word.folded) > _MIN_STEM_NAME and not forms & common_words():
        yield Detail("place", word.folded, _FAINT)
    if forms & _WORDS["promising"]:
        yield Detail("promise", word.folded, _PLAIN)
    elif pledge := _pledge(word.folded):
        yield Detail("promise", word.folded, pledge)


def _find_in_vocabulary(word: _DetailWord, forms: frozenset[str], *, led: int, near_figure: bool) -> Detail | None:
    """Return what the words of time, number and place tell, the surest first."""
    if forms & _WORDS["dates"] and (
        not forms & _WORDS["by_capital"] or near_figure or (word.text[0].isupper() and not word.begins)
    ):
        return Detail("date", word.folded, _STRONG)
    if forms & _WORDS["numbers"] or forms & _WORDS["money"]:
        return Detail("number", word.folded, _PLAIN)
    if forms & _WORDS["spans"]:
        return Detail("date", word.folded, _PLAIN if near_figure or led else _WEAK)
    if forms & _WORDS["ones"]:
        return Detail("number", word.folded, _FAINT)
    if forms & _WORDS["places"]:
        return Detail("place", word.folded, _PLAIN if led else _WEAK)
    return None


def _is_name(word: _DetailWord, *, shouting: bool) -> bool:
    if len(word.folded) < _MIN_NAME or word.folded in _NO_NAMES:
        return False
    if _is_proper(word.folded):
        return True
    if shouting or not word.text[0].isupper():
        return False
    rare = word.folded not in common_words() and word.folded not in _WORDS["idle"]
    return not word.begins or word.text[1:2].isupper() or not _is_common(word.folded) or (word.called and rare)


def _means(folded: str, name: str) -> bool:
    if folded == name:
        return True
    return len(folded) >= _MIN_STEM_NAME - 1 and is_cyrillic(folded) and is_cyrillic(name) and same_stem(folded, name)


@lru_cache(maxsize=20_000)
def _is_proper(folded: str) -> bool:
    """Return whether the dictionary writes the word with a capital letter ("львові" is "Львів")."""
    import simplemma

    base = str(simplemma.lemmatize(folded, lang="uk" if is_cyrillic(folded) else "en"))
    return base[:1].isupper() and base.casefold() not in _WORDS["dates"] and len(folded) > _MIN_NAME


@lru_cache(maxsize=20_000)
def _is_common(folded: str) -> bool:
    import simplemma

    if folded in common_words() or folded in _WORDS["idle"] or "'" in folded:
        return True
    return bool(simplemma.is_known(folded, lang="uk" if is_cyrillic(folded) else "en"))


@lru_cache(maxsize=20_000)
def _pledge(folded: str) -> float:
    """Return how much a Ukrainian verb says that the speaker does or will do something ("куплю", "заберемо"); 0 if not.

    Verbs in "-увати" are as often a habit ("працюю") as an undertaking ("роздрукую").
    """
    if not is_cyrillic(folded) or not folded.endswith(("у", "ю", "мо")):
        return 0.0
    atoms = set(readings(folded))
    if not atoms & {"#i", "#we"} or atoms & _WORDS["stative"]:
        return 0.0
    return _WEAK if any(atom.endswith(("увати", "ювати")) for atom in atoms) else _PLAIN


def _fold_text(text: str) -> str:
    return unify_apostrophes(text).casefold()
