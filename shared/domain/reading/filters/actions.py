"""Conversation actions: what somebody did in the chat ("asked about the weather") rather than something about them.

A verb of talk makes an action unless the quote itself reports that deed ("I asked my boss for a raise"): to thank
is done by saying "thanks", to have thanked is told. Quotes that only greet, ask or request can support no fact.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from shared.domain.reading.filters.subjects import lead_of
from shared.domain.reading.filters.support import is_first_person, matters, support
from shared.domain.text.data_files import expressions, word_sets, word_tables
from shared.domain.text.language import lemma, tokens
from shared.domain.text.words import readings

_WORDS = word_sets(__package__, "actions")
_ACTS = word_tables(__package__, "actions")["acts"]
_REQUEST = expressions(__package__, "actions")["request"]

_NOUN_WITHIN = 5
"""Meaningful words of a quote that says nothing of its speaker by itself."""


_SENTENCE = re.compile(r"[^.!?…\n]*[.!?…\n]+|[^.!?…\n]+")
_LAUGHTER = re.compile(r"(?:(?:ха|ах|хе|хи|гг|ha|ah|he|lo|xd|хд)+[a-zа-яіїєґ]?|привіт\w*|m+|h+m+)")
_STATES_TOO = re.compile(r"(?<!\w)(?:i'm|i am|i|my|we|я|мій|моя|моє|мене|мені|ми)(?!\w)[^?]{3,}[,;.—–-]", re.IGNORECASE)


def is_action(
    content: str, quotes: Sequence[tuple[str, str]], participants: Mapping[int, Sequence[str]], names: Sequence[str]
) -> bool:
    """Return whether a content tells what was done in the chat, or its quotes only greet, ask or request.

    Args:
        quotes: Each quote with the text of its message.
        names: What the bot is called; addressing it says nothing.
    """
    said = " ".join(quote for quote, _ in quotes)
    spoken_to = frozenset(word for name in chain(names, *participants.values()) for word in tokens(name))
    if all(is_empty(quote, spoken_to) for quote, _ in quotes) or all(_only_asks(*quote) for quote in quotes):
        return True
    lead = lead_of(content, participants)
    predicate = tokens(lead.rest)
    wants = any(lemma(word) in _WORDS["wants"] for word in predicate[:3])
    if wants and _REQUEST.search(said) and not is_first_person(tokens(said)[3:]):
        return True
    return not lead.possessive and _is_act(predicate, tokens(said))


def is_empty(quote: str, spoken_to: frozenset[str] = frozenset()) -> bool:
    """Return whether a quote is small talk through and through."""
    words = [word for word in tokens(quote) if word not in spoken_to]
    return all(word in _WORDS["empty"] or bool(_LAUGHTER.fullmatch(word)) for word in words)


def _only_asks(quote: str, text: str) -> bool:
    """Return whether every sentence that the quote lies in is a question; "I'm vegan, and you?" is not only one."""
    folded = quote.strip().casefold()
    start = text.casefold().find(folded)
    tail = text[start + len(folded) :] if start >= 0 else ""
    rest = re.match(r"[^.!?…\n,;—–]*\?", tail)
    whole = quote + (rest.group() if rest else "")
    if not whole.rstrip(" )(\"'»").endswith("?"):
        return False
    parts = (part.strip() for part in _SENTENCE.findall(whole))
    statements = [part for part in parts if not part.endswith("?")]
    stated = any(matters(word) and word not in _WORDS["empty"] for part in statements for word in tokens(part))
    return not stated and not _STATES_TOO.search(whole)


def _is_act(predicate: Sequence[str], said: Sequence[str]) -> bool:
    head, passive = _head(predicate)
    if not head:
        return False
    verb, after = head[0], head[1:]
    if _asks_to_know(verb, after):
        return True
    if (act := _act(verb)) is not None:
        if act in ("request", "ask") and any(lemma(word) in _WORDS["naming"] for word in after[:_NOUN_WITHIN]):
            return False  # how somebody wants to be called is about them
        was_told = passive and not {"me", "мене", "мені", "i", "us", "нас"}.isdisjoint(said)
        # It may only hand on a statement that was made ("mentioned that she lives in Lutsk").
        hands_on = bool(after) and after[0] in ("that", "she", "he", "they", "що", "having", "being", "living")
        retold = act == "say" and hands_on and support(after[1:], said) >= 0.5
        return not (was_told or retold or _reports(act, said))
    if lemma(verb) in _WORDS["talk_verbs"] and not _WORDS["talk_nouns"].isdisjoint(map(lemma, after[:_NOUN_WITHIN])):
        return not any(_tells(at, said) for at, word in enumerate(said) if lemma(word) == lemma(verb))
    return False


def _head(predicate: Sequence[str]) -> tuple[list[str], bool]:
    """The predicate from its verb on, and whether it was done to the subject."""
    words, was = list(predicate), False
    while words and (words[0] in _WORDS["fillers"] or words[0] in _WORDS["be"] or words[0].endswith("ly")):
        was = was or words[0] in _WORDS["be"]
        words.pop(0)
    if not words:
        return [], False
    plural = "#pastpl" in readings(words[0])
    return words, plural or (was and not words[0].endswith("ing"))


def _asks_to_know(verb: str, after: Sequence[str]) -> bool:
    if lemma(verb) in _WORDS["wants"]:
        return any(lemma(word) in _WORDS["to_know"] for word in after[:2]) and not {"how", "як"} & set(after[:3])
    if lemma(verb) == "цікавитися":
        return bool(after) and after[0] in ("чи", "як", "що", "де", "коли", "хто", "скільки", "чому")
    return verb == "curious"


@lru_cache(maxsize=5_000)
def _act(word: str) -> str | None:
    """Return which act of talk a verb form is; English tables lack many verbs, so their endings are cut off, too."""
    if not word.isascii() and not any(reading.startswith("#") for reading in readings(word)):
        return None
    endings = ("ed", "d", "ing", "s") if word.isascii() else ()
    bases = {lemma(word), *(word.removesuffix(ending) for ending in endings if word.endswith(ending))}
    for act, verbs in _ACTS.items():
        if any(base.startswith(verb[:-1]) if verb.endswith("*") else base == verb for verb in verbs for base in bases):
            return act
    return None


def _reports(act: str, said: Sequence[str]) -> bool:
    """Return whether the quote tells of the deed rather than does it."""
    performed = act in _WORDS["performed"]
    return any(
        # Nobody greets by "I greet", but by "вітаю".
        _tells(at, said, performed=performed or (act == "greet" and not word.isascii()))
        for at, word in enumerate(said)
        if _act(word) == act
    )


def _tells(at: int, said: Sequence[str], *, performed: bool = False) -> bool:
    """Return whether the verb at this place is told: past, habit or somebody's, and not spoken to "you"."""
    following = said[at + 1] if at + 1 < len(said) else ""
    if following in _WORDS["you"] or (at and said[at - 1] in _WORDS["you"]) or following in _WORDS["phrases"]:
        return False
    if said[at] in _WORDS["empty"] and all(word in _WORDS["empty"] for word in said[:at]):
        return False  # "yep, agreed" agrees
    if _is_past(said[at]):
        return bool(following) and not (at == 0 and following in ("with", "on", "see", "let's", "but"))
    if said[at].endswith("ing"):
        return at > 0 and (said[at - 1] not in ("i'm", "am", "just", "was") or following in _WORDS["determiners"])
    person = readings(said[at])
    if not said[at].isascii() and not {"#inf", "#imp"}.isdisjoint(person):
        return False
    return not performed or not _WORDS["habit"].isdisjoint(said)


@lru_cache(maxsize=5_000)
def _is_past(word: str) -> bool:
    if word.isascii():
        return (word.endswith("ed") and lemma(word) != word) or word in _WORDS["irregular"]
    return not {"#past", "#pastpl"}.isdisjoint(readings(word))
