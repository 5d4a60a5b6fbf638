"""Messages cut into sentences and clauses, in one spelling, for the rows to match.

Every step is linear in the text, and what is read is capped: a message of Telegram's greatest length costs no more
than a page of ordinary talk.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from shared.domain.text.language import Language, unify_apostrophes
from shared.domain.text.names import one_script

MAX_TEXT = 4_096
MAX_SENTENCE = 400
MAX_SENTENCES = 40

_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\u00ad\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe0f]")
_SMILEY = re.compile(r"[:;=xX8]-?[)(DPpдД]+(?=\s|$)|(?<=[^\W\d])\)+(?=\s|$)|(?<=\d)\)+$|\){2,}|\({2,}|<3")
_SMILING = frozenset(")(DPpдД3")
_EMOJI = re.compile("[\U0001f000-\U0001faff☀-➿⬀-⯿]+")
_EMOJI_INSIDE = re.compile(rf"(?<=[^\W_] ){_EMOJI.pattern}(?= [a-zа-яіїєґ])")
_QUOTED = re.compile(
    r"«([^«»]{0,300})»|“([^“”]{0,300})”|\"([^\"]{0,300})\"|„([^„“”]{0,300})[“”]"
    r"|(?<!\w)['‘’]((?:[^'‘’]|(?<=\w)['’](?=\w)){8,300})['‘’](?!\w)"
)
_SPOKEN_AT_LENGTH = re.compile(
    r"«([^«»]{1,1000})»|“([^“”]{1,1000})”|„([^„“”]{1,1000})[“”]|(?<!\w)\"([^\"]{1,1000})\"(?!\w)"
)
_UKRAINIAN = re.compile("[А-Яа-яІіЇїЄєҐґ]")
_QUOTES = frozenset("«“\"„'‘’")
_REPLY_LINE = re.compile(r"^[^\S\n]*(?:>|—\s*«).*$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?…;])(?<!\s\w\.)[\s.!?…;]+|\n+|[.!?…;]+$|(?<=\s)(?=\d{1,2}\)\s)")
_NUMBERING = re.compile(r"^\s*(?:\d{1,2}[.)]|[-–—•*·])\s*")
HARD_BORDER = re.compile(r"\s*[,:()\[\]]++\s+|\s*[()]\s*")
_SPEECH_WORDS = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message.

    Attributes:
        text: For matching: one spelling of apostrophes and spaces, speech quoted from others left out, smileys gone.
        quote: As written in the message (NFC).
        question: Whether it ends in a question mark.
        of_you: Whether it was said to the one who confirms it: "you" stands for them.
    """

    text: str
    quote: str
    question: bool
    of_you: bool = False


def clean(text: str) -> str:
    """The text in the spelling that rows expect: NFC, ASCII apostrophes, words of one script, nothing hidden, cut."""
    if text.isascii():
        return unify_apostrophes(text[:MAX_TEXT])
    return unify_apostrophes(one_script(_INVISIBLE.sub("", unicodedata.normalize("NFC", text[:MAX_TEXT]))))


@lru_cache(maxsize=32)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Sentences of a message, in order; those longer than 400 characters are read up to there."""
    source = unicodedata.normalize("NFC", text[:MAX_TEXT])
    marked = _blank(_REPLY_LINE, source) if ">" in source or "«" in source else source
    if not marked.isascii():  # "we usually leave a 🔥 on each other's runs" is one sentence
        marked = _blank(_EMOJI, _blank(_EMOJI_INSIDE, marked, ","), ".")
    if not _QUOTES.isdisjoint(marked):  # utterances, over the ends of the sentences that they consist of
        marked = _SPOKEN_AT_LENGTH.sub(lambda match: match[0] if _is_name(match) else " " * len(match[0]), marked)
    marked = _end_at_smileys(marked)
    borders = [0, *(match.end() for match in _END.finditer(marked)), len(marked)]
    found = (_sentence(marked[start:end], source[start:end]) for start, end in pairwise(borders))
    return tuple(islice(filter(None, found), MAX_SENTENCES))


def _sentence(marked: str, source: str) -> Sentence | None:
    if not _QUOTES.isdisjoint(marked):  # a quoted title stays; a quoted utterance is somebody else's and goes
        marked = _QUOTED.sub(lambda match: match[0] if _is_name(match) else " ", marked)
    text = clean(marked)
    question = "?" in text[-6:]
    text = _NUMBERING.sub("", " ".join(text.split())).strip(" .!?…;,").removesuffix(" —")[:MAX_SENTENCE]
    quote = source.strip()[:MAX_SENTENCE]
    if not any(char.isalnum() or char == "+" for char in text):
        return None
    return Sentence(text, quote, question)


def _is_name(match: re.Match[str]) -> bool:
    return len(next(filter(None, match.groups()), "").split()) <= _SPEECH_WORDS


def _blank(pattern: re.Pattern[str], text: str, filler: str = " ") -> str:
    return pattern.sub(lambda match: filler * len(match.group()), text)


def _end_at_smileys(text: str) -> str:
    """Smileys as sentence ends; a bracket that closes an opened one is none."""
    if _SMILING.isdisjoint(text) or ("(" in text and ")" in text and ":)" not in text):
        return text
    return _blank(_SMILEY, text, ".")


def with_specification(clause: str, sentence: str) -> str:
    """The clause with what specifies it in the rest of its sentence ("…, especially hard science fiction")."""
    at = sentence.find(clause)
    tail = sentence[at + len(clause) :] if at >= 0 else ""
    match = re.match(r", (?:especially|particularly|mostly|mainly|особливо|переважно|зокрема|тобто)\b[^,]{1,80}", tail)
    return clause + (match.group() if match else "")


def language_of(text: str) -> Language:
    """The language to describe in: Ukrainian when the text has any of its letters."""
    return "uk" if not text.isascii() and _UKRAINIAN.search(text) else "en"
