"""Facts about the assistant, and leaks of what a model was told: neither is about a member.

Told from look-alikes by grammar and by the quote: "assistant manager" is no assistant, and who says of themselves
that they follow instructions does.
"""

from collections.abc import Mapping, Sequence

from shared.domain.reading.filters.subjects import lead_of
from shared.domain.reading.filters.support import is_first_person, is_said, is_second_person, matters, support
from shared.domain.reading.matching.tables import read_marks
from shared.domain.text.data_files import word_sets
from shared.domain.text.language import lemma, tokens
from shared.domain.text.names import same_name
from shared.domain.text.words import analyse, readings

_WORDS = word_sets(__package__, "machinery")
_MARKS = read_marks(__package__, "machinery_marks")
_PARTICIPLES = ("ений", "ена", "ено", "аний", "ана", "ано")


def is_assistant_fact(
    content: str, said: str, bot_names: Sequence[str], participants: Mapping[int, Sequence[str]]
) -> bool:
    """Return whether a sentence is about the assistant, or gives its name to a member."""
    lead = lead_of(content, participants)
    if lead.members or lead.generic:
        return _bears_bot_name(lead.rest, said, bot_names)
    words = [word.removesuffix("'s") for word in tokens(content)]
    if any(_begins_with(words, tokens(name)) for name in bot_names):
        return True
    return _begins_with_assistant(tokens(content), bot_names) or _bears_bot_name(content, said, bot_names)


def _begins_with(words: Sequence[str], name: Sequence[str]) -> bool:
    return len(words) >= len(name) > 0 and all(map(same_name, words, name))


def _begins_with_assistant(words: Sequence[str], bot_names: Sequence[str]) -> bool:
    left = list(words)
    while (
        len(left) > 1
        and left[0] in _WORDS["qualifiers"]
        and (left[0] != "ai" or left[1] in _WORDS["assistants"] | _WORDS["models"])
    ):
        left.pop(0)
    if not left:
        return False
    head, qualified = left[0].removesuffix("'s"), len(left) < len(words)
    if not {head, lemma(head)} & _WORDS["assistants"] and not (qualified and lemma(head) in _WORDS["models"]):
        return False
    if left[0].endswith("'s") or len(left) == 1 or _is_verb(left[1]):
        return True
    return lemma(left[1]).endswith(("ий", "ій")) or any(_begins_with(left[1:], tokens(name)) for name in bot_names)


def _is_verb(word: str) -> bool:
    if word in _WORDS["verbs"]:
        return True
    if word.isascii():
        return word.endswith(("s", "ed")) and lemma(word) != word
    finite = not {"#he", "#past", "#i"}.isdisjoint(readings(word)) and lemma(word) != word
    return finite or word.endswith(_PARTICIPLES)


def _bears_bot_name(rest: str, said: str, bot_names: Sequence[str]) -> bool:
    """Return whether a member is said to be called as the bot is, and did not say so."""
    found = _MARKS["named"].begin(analyse(rest))
    if found is None:
        return False
    after, words = tokens(rest[found.end :]), tokens(said)
    own = [words[at:] for at in range(1, len(words)) if words[at - 1] in _WORDS["called"]]
    borne = [name for name in map(tokens, bot_names) if _begins_with(after, name)]
    return any(not any(_begins_with(called, name) for called in own) for name in borne)


def is_prompt_leak(content: str, said: str, participants: Mapping[int, Sequence[str]]) -> bool:
    """Return whether a sentence says of a member what is said of a model, and their quote does not."""
    rest = lead_of(content, participants).rest
    found = _MARKS["leaks"].find(analyse(rest))
    if found is None:
        return False
    words = tokens(said)
    if is_second_person(words) and not is_first_person(words):
        return True
    leaked = tokens(rest[found.start : found.end])
    telling = [word for word in leaked if word not in _WORDS["grammar"] and matters(word)]
    others = [word for word in tokens(rest) if word not in leaked]
    spoken = sum(is_said(word, words) for word in telling)
    return not ((telling and spoken * 2 >= len(telling)) or support(others, words) >= 0.5)
