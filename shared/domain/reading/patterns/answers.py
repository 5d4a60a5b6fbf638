"""Short answers: what a question makes of them. "Where are you based?" – "galway now" says "I live in galway now".

A question is kept for a few messages; an answer to it is read as the statement that it stands for, by the same rows and
guards as any statement, so what no row would believe is not believed from an answer either. The quote stays the answer.

"+1" and "так" say nothing by themselves. Unless they reply to a message they count only where one thing alone is open
to who says them: with two, or after a question to somebody else, whatever is guessed makes somebody agree to words that
they never meant.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from shared.domain.conversation.messages import Message
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching.clauses import Sentence, language_of, sentences
from shared.domain.reading.matching.phrases import Phrase
from shared.domain.reading.patterns.row_tables import member_lists
from shared.domain.text.data_files import common_words, expressions, join_lines, read_data
from shared.domain.text.language import Language, lemma, tokens
from shared.domain.text.names import same_name
from shared.domain.text.words import analyse, readings

NEAR, NEAR_FOR_ALL = 2, 6
"""Messages later at which a question to one member, or to everybody, still counts as asked."""

_MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that an answer may follow.

    Attributes:
        openings: What to put before an answer to make it a statement, the first that a row believes counts.
        to_all: Whether everybody may answer it.
        claim: Of a yes-or-no question, what it says about the one asked, in the first person; else "".
        about_chat: Whether the answer is about the chat.
    """

    message: Message
    position: int
    lang: Language
    openings: tuple[str, ...] = ()
    to_all: bool = False
    claim: str = ""
    about_chat: bool = False


_SAYS = expressions(__package__, "answers")
_MENTION = re.compile(r"(?<!\w)@(\w+)")
_BORDER = re.compile(r"[,:–—]| - ")
_ADDRESS = re.compile(r"^[^\W\d]\S{1,20}:\s+")
_THE_UK = re.compile(r"(?<!\w)(?:ти|ви)(?!\w)", re.IGNORECASE)


def questions_in(message: Message, position: int) -> list[OpenQuestion]:
    """Return what a message asks that a short answer may answer."""
    if "?" not in message.text and not _SAYS["asking"].search(message.text):
        return []
    return list(filter(None, (_question(message, position, sentence) for sentence in sentences(message.text))))


def _question(message: Message, position: int, sentence: Sentence) -> OpenQuestion | None:
    if not (sentence.question or _asks(sentence.text)):
        return None
    if _SAYS["asks_what_not"].search(sentence.text):
        return None
    lang = language_of(sentence.text)
    words = analyse(_SAYS["shortened"].sub(r"\1's", sentence.text))
    to_all = bool(_SAYS["to_all"].search(sentence.text))
    for about_chat in (True, False):
        for phrases, openings in _compile_openings(lang, about_chat=about_chat):
            if any(phrase.search(words) for phrase in phrases):
                to_all = to_all or about_chat
                return OpenQuestion(message, position, lang, openings, to_all=to_all, about_chat=about_chat)
    claim = _claim(sentence.text, lang)
    return OpenQuestion(message, position, lang, claim=claim) if claim else None


def _asks(text: str) -> bool:
    """Return whether a sentence without a question mark asks, be it after a name ("you lou, what do you do now")."""
    return bool(_SAYS["asks_where"].search(text)) or any(guards.is_question(part.strip()) for part in text.split(","))


@cache
def _compile_openings(lang: Language, *, about_chat: bool) -> list[tuple[list[Phrase], tuple[str, ...]]]:
    table = read_data(__package__, f"{lang}/questions")["of_chat" if about_chat else "of_member"]
    lists = member_lists(lang)
    return [([Phrase(join_lines(each), lists) for each in row["questions"]], row["openings"]) for row in table]


def _claim(text: str, lang: Language) -> str:
    """Return what a yes-or-no question says of the one asked, as they would say it; "" when it says nothing."""
    plain = _SAYS["check_tail"].sub("", text.strip(" ?"))
    if lang == "uk":
        return plain if _THE_UK.search(plain) or re.search(r"(?<!\w)у нас|наче|ж(?!\w)", plain) else ""
    match = _SAYS["claims_en"].search(plain)
    if match is None:
        return ""
    return ("I am" if match["am"] else "I") + match["rest"].replace(" your ", " my ")


def asks(message: Message) -> bool:
    """Return whether a message asks anything at all, whoever may answer it."""
    return any(sentence.question or _asks(sentence.text) for sentence in sentences(message.text))


def is_yes_or_no(text: str) -> bool:
    """Return whether a message begins by affirming or denying what was asked."""
    return _SAYS["yes"].match(text) is not None or _SAYS["no"].match(text) is not None


def is_near(message: Message, at: int, position: int) -> bool:
    """Return whether what `message` asked at one position may still be answered at another without a reply to it."""
    return position - at <= (NEAR_FOR_ALL if _SAYS["to_all"].search(message.text) else NEAR)


def answers_to(
    questions: Sequence[OpenQuestion],
    message: Message,
    position: int,
    *,
    open_at: Collection[int],
    authors: Mapping[int, int],
) -> list[tuple[OpenQuestion, list[Sentence]]]:
    """The questions that a message answers, each with the statements that the answer may stand for, likeliest first.

    Args:
        open_at: Positions of everything that an unaddressed word may be about here: a mere "yes" needs just one.
        authors: Who wrote the messages that are known here, by message id.
    """
    told = sentences(message.text)
    if not told or told[0].question or len(told[0].text.split()) > _MOST_WORDS or guards.has_link(message.text):
        return []
    asked = [question for question in questions if _is_asked(question, message, position, authors)]
    return [
        (question, _statements(question, told))
        for question in asked[-1:]
        if message.reply_to is not None or not question.claim or set(open_at) == {question.position}
    ]


def _is_asked(question: OpenQuestion, message: Message, position: int, authors: Mapping[int, int]) -> bool:
    if question.message.user_id == message.user_id or not question.message.is_reacted_to_by(message):
        return False
    if message.reply_to is not None:
        return message.reply_to == question.message.message_id
    near = NEAR_FOR_ALL if question.to_all else NEAR
    return position - question.position <= near and is_put_to(question.message, message, authors)


def _statements(question: OpenQuestion, told: Sequence[Sentence]) -> list[Sentence]:
    first = told[0]
    told_back = _ADDRESS.sub("", first.text)
    agreed = _SAYS["yes"].match(told_back)
    if question.claim:
        if agreed is None:
            return []
        rest = told_back[agreed.end() :] or (told[1].text if len(told) > 1 and not told[1].question else "")
        openings = ("я", "у мене") if question.lang == "uk" else ("I'm a", "I'm", "I")
        claimed = Sentence(question.claim, first.quote, question=False, of_you=True)
        return [claimed, *(Sentence(f"{each} {rest}", first.quote, question=False) for each in openings if rest)]
    if agreed is None and (_SAYS["no"].match(told_back) or _SAYS["only_amused"].match(told_back)):
        return []
    answer = _SAYS["tail"].sub("", _SAYS["filler"].sub("", told_back[agreed.end() if agreed else 0 :]))
    if not answer or _SAYS["no"].match(answer):
        return []
    parts = dict.fromkeys((answer, answer.partition(",")[0]))
    texts = (_join_answer(opening, part) for part in parts for opening in question.openings)
    return [Sentence(text, first.quote, question=False) for text in texts]


def _join_answer(opening: str, answer: str) -> str:
    """An opening and an answer, the word at which both meet once ("у мене алергія на " – "на горіхи")."""
    last, first = opening.split()[-1:], answer.split(maxsplit=1)[:1]
    repeated = last and first and last[0].casefold() == first[0].casefold()
    return opening + answer[len(first[0]) :].lstrip() if repeated else opening + answer


def is_put_to(message: Message, listener: Message, authors: Mapping[int, int]) -> bool:
    """Return whether what `message` asks may be meant for the author of `listener`.

    It is not when it replies to a message of somebody else, mentions only others, or calls somebody by another name.

    Args:
        authors: Who wrote the messages that are known here, by message id.
    """
    if message.reply_to is not None:
        return authors.get(message.reply_to) in (listener.user_id, message.user_id)
    mentioned = {name.casefold() for name in _MENTION.findall(message.text)}
    if mentioned:
        return bool(listener.username) and str(listener.username).casefold() in mentioned
    called = list(_find_called_names(sentences(message.text)))
    known = [*tokens(listener.name), *tokens(listener.username or "")]
    return not called or any(same_name(name, each) for name in called for each in known)


def _find_called_names(told: Sequence[Sentence]) -> Iterator[str]:
    """Yield names that are called: a word between a border and the begin or end of a sentence ("Марку, ти …?")."""
    for sentence in told:
        parts = [tokens(part) for part in _BORDER.split(sentence.text)]
        ends = parts[:1] + parts[-1:] if len(parts) > 1 else parts if len(told) > 1 else []
        for words in ends:
            rare = [word for word in words if len(word) > 1 and common_words().isdisjoint((word, lemma(word)))]
            names = [word for word in rare if not any("#" in reading for reading in readings(word))]  # "слухай, …"
            if len(names) == 1 and all(word in common_words() for word in words if word not in names):
                yield names[0]
