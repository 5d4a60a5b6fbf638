"""Finds the part of a capture that stands alone as a value: a whole phrase, not what a verb or a noun was cut from.

"за Динамо" says nothing without "вболіває", "на волоські" nothing without "горіхи", "трохи" nothing at all. The words
below are closed classes of grammar, not what people talk about.
"""

import re
from typing import NamedTuple

from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.text.data_files import time_words, word_lists, word_set
from shared.domain.text.language import is_known, lemma, tokens
from shared.domain.text.words import readings

_WORDS = {name: frozenset(words) for name, words in word_lists(__package__, "whole_values").items()}
PREPOSITIONS, _DEGREES = _WORDS["prepositions"], _WORDS["degrees"]
_BINDING = PREPOSITIONS | _DEGREES | _WORDS["joiners"]
_DEGREE_PHRASES = ("a bit of", "a little bit of", "a bit", "a little bit", "a little", "a lot of", "a lot", "kind of")
_OBJECT_KEYS = word_set("likes dislikes favourite hobby skill craft qualification language_skill learning dream")
"""Keys whose sentences name a thing ("Любить: …"): a place or a direction does not complete them."""
_AGREES = {
    "ими": ("ами", "ями", "ми"), "ого": ("а", "я", "у", "ю"), "ому": ("у", "ю", "і", "ові", "еві"), "их": ("",),
    "ої": ("и", "і", "ї"), "ою": ("ою", "ею", "єю", "ю"), "им": ("ом", "ем", "єм", "ам", "ям"), "ий": ("",),
    "у": ("у", "ю", "ь"), "а": ("а", "я", "ь"), "е": ("о", "е", "я"), "і": ("и", "і", "ї", "а", "я"),
}  # fmt: skip
"""Endings of an adjective, and those that the noun behind it may have ("" is any)."""
_OF_A_KIND = re.compile(r".{3,}(?:[оеє]в|подібн)ий$")
"""Adjectives that say of what a thing is ("цитрусові", "бобові", "ракоподібні"): their plural is the name of a kind."""
_OF_A_PLACE = ("ський", "зький", "цький")
"""Endings of adjectives that say where a thing is from ("волоські", "грецькі", "морські"), and name none."""
_SPEAKER = re.compile(r"^\W*(?:and|but|so)?\W*(?:i'm|i've|i'll|i'd|i am|i have|i)?(?!\w)\s*", re.IGNORECASE)
_MOST_ADDED = _PLACE_WORDS = 2
_VOWEL_STEMS = ("аю", "яю", "ію", "ую", "юю")


class Whole(NamedTuple):
    """A capture as it stands alone.

    Attributes:
        words: The phrase.
        told: A sentence of its own, with its verb ("Вболіває за Динамо"), or "".
        acts: Whether it has a verb, so that a preposition in front belongs to the phrase.
    """

    words: str
    told: str = ""
    acts: bool = False


def whole(captured: str, said: str, rest: str, key: str) -> Whole | None:
    """The capture as a whole phrase, completed from the words around it; None when nothing completes it.

    Args:
        captured: What a row found.
        said: All that the row matched, the capture among it.
        rest: What follows the capture in its clause.
        key: The row's slot.
    """
    if not captured.strip():
        return None
    if key in _OBJECT_KEYS:
        captured = _with_preposition(captured, said)
    words = _with_noun(without_edges(captured), rest).split()
    if not words or all(word.casefold() in _DEGREES | PREPOSITIONS for word in words):
        return None
    phrase = " ".join(words)
    if words[0].casefold() not in PREPOSITIONS:
        return Whole(phrase)
    if any("#inf" in readings(word.casefold()) for word in words[1:]):
        return Whole(phrase, acts=True)
    if _is_cut_off(words):
        return None
    if key not in _OBJECT_KEYS:
        return Whole(phrase)
    last = words[-1].casefold()
    if key == "dream" and not (
        len(words) == _PLACE_WORDS and {last, lemma(last)} & time_words()
    ):  # "мрію про море", "хочу в Єгипет"
        return Whole(phrase, acts=not PREPOSITIONS.isdisjoint(words[1:]))
    return _complete_value(phrase, said, captured)


def names_something(what: str) -> bool:
    """Return whether any word says more than when, how much or in which order."""
    return not what.strip() or bool(set(tokens(what)) - _BINDING - _WORDS["ordering"])


def _complete_value(phrase: str, said: str, captured: str) -> Whole | None:
    """A direction or place with the verb that it belongs to, if that is a verb that says something with it."""
    if phrase.isascii():
        governed = _SPEAKER.sub("", said.partition(captured)[0]).split()
        words = f"{' '.join(governed)} {phrase}"
        return Whole(words, told=f'In their own words: "{words}"', acts=True) if governed else None
    # A verb that takes an object says nothing without it.
    verbs = [
        word for word in tokens(said.replace(captured, " ")) if _infinitive(word) not in {*_WORDS["takes_object"], ""}
    ]
    if not verbs:
        return None
    words = f"{_to_third_person(verbs[-1])} {phrase}"
    of_others = verbs[-1] not in words.split() or "#i" not in readings(verbs[-1])
    return Whole(words, told=f"{words[:1].upper()}{words[1:]}" if of_others else f"Про себе: «{words}»", acts=True)


def _with_preposition(captured: str, said: str) -> str:
    """The capture with the preposition that a row passed over in front of it ("кайфую | від джазу")."""
    before = said.partition(captured)[0].split()
    if not before or before[-1].casefold() not in _WORDS["passed_over"]:
        return captured
    return f"{before[-1]} {captured}" if any(map(_infinitive, tokens(" ".join(before)))) else captured


def without_edges(captured: str) -> str:
    """The capture without words of degree around it, and without what joins it to words that are not there."""
    folded = captured.casefold()
    degree = next((phrase for phrase in _DEGREE_PHRASES if folded.startswith(f"{phrase} ")), "")
    words = captured[len(degree) :].split()
    while words and words[0].casefold() in _DEGREES:
        words = words[1:]
    while words and words[-1].casefold() in _BINDING:
        words = words[:-1]
    return " ".join(words)


def _with_noun(captured: str, rest: str) -> str:
    """The capture with the noun that its last adjective belongs to, when that follows it."""
    words = captured.split()
    following = rest.split() if rest[:1] in (" ", "") else []
    for word in following[:_MOST_ADDED]:
        if not words or not _agrees(words[-1].casefold(), word.strip(' .!?…;"»').casefold()) or not word[0].isalpha():
            break
        words.append(word.strip(" .!?…;"))
    return " ".join(words)


def _agrees(adjective: str, noun: str) -> bool:
    if not _is_adjective(adjective) or noun in _BINDING or _infinitive(noun):
        return False
    ending = next((ending for ending in _AGREES if adjective.endswith(ending)), None)
    return ending is not None and lemma(noun) != noun + "ий" and noun.endswith(_AGREES[ending])


def _is_adjective(word: str) -> bool:
    base = lemma(word)
    return base != word and base.endswith("ий") and not word.endswith(("о", "ть"))


def _is_cut_off(words: list[str]) -> bool:
    """Return whether only an adjective is left of a phrase ("на волоські"), naming nothing by itself ("на солодке")."""
    last = words[-1].casefold()
    return len(words) == 2 and _is_adjective(last) and last.endswith(("і", "их", "ими")) and not _names_a_thing(last)


def _names_a_thing(word: str) -> bool:
    adjective = lemma(word)
    if adjective.endswith(_OF_A_PLACE):
        return False
    # An adjective of a noun names its kind; a quality has an adverb ("чудові": "чудово").
    of_a_kind = _OF_A_KIND.match(adjective) and not is_known(f"{adjective[:-2]}о")
    return meaning(word).kind is Kind.CONTENT or bool(of_a_kind)


def _infinitive(word: str) -> str:
    """The verb that a folded Ukrainian word is a form of, or ""."""
    return next((each.partition("#")[0] for each in readings(word) if "#" in each[1:]), "")


def _to_third_person(verb: str) -> str:
    """A Ukrainian verb of the first person as others tell it ("вболіваю": "вболіває"); an irregular one as it is."""
    if verb.endswith(_VOWEL_STEMS):
        return f"{verb[:-1]}є"
    reflexive = verb.removesuffix("сь").removesuffix("ся")
    if reflexive != verb and reflexive.endswith(_VOWEL_STEMS):
        return f"{reflexive[:-1]}ється"
    return verb
