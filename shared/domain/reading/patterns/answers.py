"""Short answers: what a question makes of them. "Where are you based?" – "galway now" says "I live in galway now".

A question is kept for a few messages; an answer to it is read as the statement that it stands for, by the same rows and
guards as any statement, so what no row would believe is not believed from an answer either. The quote stays the answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from shared.domain.conversation.messages import Message
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching.clauses import Sentence, language_of, sentences
from shared.domain.reading.matching.phrases import Phrase
from shared.domain.reading.patterns.addressees import is_put_to
from shared.domain.reading.patterns.named_lists import member_lists
from shared.domain.text.data_files import join_lines, read_data
from shared.domain.text.language import Language
from shared.domain.text.words import analyse

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


_TO_ALL = re.compile(
    r"(?<!\w)(?:хто|ви|всі|усі|хто-небудь|who|everyone|everybody|all|anyone|you lot|you guys|y'all|folks|guys|"
    r"people)(?!\w)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^(?:(?:ну|oh|well|ah|haha|lol|еге ж?|та)[\s,]+)?(?:так|ага|угу|еге|еге ж|атож|точно|вірно|yes|yep|yeah|yup|ya|"
    r"indeed|correct|right|true|that's right|"
    r"i am|i do|i did|guilty|sure am|sure do)(?!\w)[\s,.!:)–—-]*",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:(?:ну|та|oh|well)[\s,]+)?(?:ні|не|нє|неа|нічого|нічим|ніде|ніким|ніяк|ніяких|хз|секрет|вгадай|залежить|"
    r"а що|навіщо|тобі|бо|тому|дякую|ясно|зрозуміло|зрозумів|зрозуміла|поняв|круто|класно|супер|привіт|вітаю|ласкаво|"
    r"підтверджую|плюсую|жиза|господи|боже|ого|якраз|відчуваю|оце|no|nope|nah|not|none|nothing|nowhere|idk|dunno|"
    r"(?:a?ha|haha\w*|hah|lol|lmao|rofl|hm+|oh|ah+|ooh|wow|nice|cool|ok|okay|eh|huh|ugh|omg|np|ouch|aww*|yay|sure|"
    r"cheers|thanks|ty|what|who|which|where|"
    r"wait|well|good question|(?:nearly|almost|just|right|over|still)? ?(?:here|there|home)|on my way|omw|neither|"
    r"both|not sure)(?=\W*(?:$|,|–|—| - ))|guess|why|it depends|depends|secret|never|neither|wouldn't|you)(?!\w)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:(?:та|ну|а|о|ой|ем|хм+|от|слухай|як завжди|поки|поки що|наразі|зараз|тепер|щас|нині|переважно|здебільшого|"
    r"в основному|oh|well|um+|uh+|hm+|so|haha|lol|currently|atm|right now|now|still|just|"
    r"it's|its|that's|that would be|it would be|probably just|honestly|mostly|mainly|about|про)[\s,]+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:now|these days|atm|currently|at the moment|зараз|тепер|щас|нині|наразі|тут|lol|haha|actually|:\)+)\W*$",
    re.IGNORECASE,
)
_CLAIMS_EN = re.compile(
    r"(?:^|[\s,])(?:(?P<am>aren't you|are you|you are|you're|ur|u're|youre|r u)|(?P<do>do you|don't you|you|"
    r"u))(?= )(?! (?:know|think|mean|want me|sure|ok|okay|kidding|there|coming|free|see|"
    r"guys)(?!\w))(?P<rest>[^?]{3,80})",
    re.IGNORECASE,
)
_ASKS_WHERE = re.compile(
    r"(?:^|,\s*|\bso )(?:where|when)(?:'?s)? (?:are|is|do|did|u|you|r|were|was|your)(?!\w)", re.IGNORECASE
)
_ASKING = re.compile(
    r"(?<!\w)(?:wh(?:at|o|ere|en|ich|ose|y)|how|do|does|are|is|any|anyone|anybody|have|can)(?!\w)|"
    r"(?<!\w)wh\w+s(?!\w)|[а-яіїєґ]",
    re.IGNORECASE,
)
_SHORTENED = re.compile(r"(?<!\w)(what|where|who|when|how)s(?!\w)", re.IGNORECASE)
_CHECK_TAIL = re.compile(
    r"[,\s]+(?:right|no|yeah|yes|correct|isn't it|aren't you|don't you|innit|eh|huh|так|правда|хіба ні|ні|да|"
    r"правильно|чи ні)\W*$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"^[^\W\d]\S{1,20}:\s+")
_ONLY_AMUSED = re.compile(r"^(?:lol|lmao|(?:ha)+h?)[\s,]+\w+\W*$", re.IGNORECASE)
_ASKS_WHAT_NOT = re.compile(r"(?:що|шо|чого|кого|яку|який|яке|які)\s(?:\w+\s)?не\s\w+", re.IGNORECASE)
"""What one does not like is no answer to what one likes."""
_THE_UK = re.compile(r"(?<!\w)(?:ти|ви)(?!\w)", re.IGNORECASE)


def questions_in(message: Message, position: int) -> list[OpenQuestion]:
    """Return what a message asks that a short answer may answer."""
    if "?" not in message.text and not _ASKING.search(message.text):
        return []
    found = [_question(message, position, sentence) for sentence in sentences(message.text)]
    return [question for question in found if question is not None]


def _question(message: Message, position: int, sentence: Sentence) -> OpenQuestion | None:
    if not (sentence.question or _asks(sentence.text)):
        return None
    lang = language_of(sentence.text)
    if _ASKS_WHAT_NOT.search(sentence.text):
        return None
    words = analyse(_SHORTENED.sub(r"\1's", sentence.text))
    to_all = bool(_TO_ALL.search(sentence.text))
    for about_chat in (True, False):
        for phrases, openings in _compile_openings(lang, about_chat=about_chat):
            if any(phrase.search(words) for phrase in phrases):
                return OpenQuestion(
                    message, position, lang, openings, to_all=to_all or about_chat, about_chat=about_chat
                )
    claim = _claim(sentence.text, lang)
    return OpenQuestion(message, position, lang, claim=claim) if claim else None


def _asks(text: str) -> bool:
    """Return whether a sentence without a question mark asks, be it after a name ("you lou, what do you do now")."""
    return bool(_ASKS_WHERE.search(text)) or any(guards.is_question(part.strip()) for part in text.split(","))


@cache
def _compile_openings(lang: Language, *, about_chat: bool) -> list[tuple[list[Phrase], tuple[str, ...]]]:
    table = read_data(__package__, f"{lang}/questions")["of_chat" if about_chat else "of_member"]
    return [(_phrases(row["questions"], lang), row["openings"]) for row in table]


def _phrases(sources: Sequence[str], lang: Language) -> list[Phrase]:
    return [Phrase(join_lines(source), member_lists(lang)) for source in sources]


def _claim(text: str, lang: Language) -> str:
    """Return what a yes-or-no question says of the one asked, as they would say it; "" when it says nothing."""
    plain = _CHECK_TAIL.sub("", text.strip(" ?"))
    if lang == "uk":
        return plain if _THE_UK.search(plain) or re.search(r"(?<!\w)у нас|наче|ж(?!\w)", plain) else ""
    match = _CLAIMS_EN.search(plain)
    if match is None:
        return ""
    return ("I am" if match["am"] else "I") + match["rest"].replace(" your ", " my ")


def asks(message: Message) -> bool:
    """Return whether a message asks anything at all, whoever may answer it."""
    return any(sentence.question or _asks(sentence.text) for sentence in sentences(message.text))


def is_yes_or_no(text: str) -> bool:
    """Return whether a message begins by affirming or denying what was asked."""
    return _YES.match(text) is not None or _NO.match(text) is not None


def is_near(message: Message, at: int, position: int) -> bool:
    """Return whether what `message` asked at one position may still be answered at another without a reply to it."""
    return position - at <= (NEAR_FOR_ALL if _TO_ALL.search(message.text) else NEAR)


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
    near = position - question.position <= (NEAR_FOR_ALL if question.to_all else NEAR)
    return near and is_put_to(question.message, message, authors)


def _statements(question: OpenQuestion, told: Sequence[Sentence]) -> list[Sentence]:
    first = told[0]
    told_back = _ADDRESS.sub("", first.text)
    agreed = _YES.match(told_back)
    if question.claim:
        if agreed is None:
            return []
        rest = told_back[agreed.end() :] or (told[1].text if len(told) > 1 and not told[1].question else "")
        spoken = (
            [f"я {rest}", f"у мене {rest}"] if question.lang == "uk" else [f"I'm a {rest}", f"I'm {rest}", f"I {rest}"]
        )
        claimed = Sentence(question.claim, first.quote, question=False, of_you=True)
        return [claimed, *(_sentence_of(text, first) for text in spoken if rest)]
    if agreed is None and (_NO.match(told_back) or _ONLY_AMUSED.match(told_back)):
        return []
    answer = _TAIL.sub("", _FILLER.sub("", told_back[agreed.end() if agreed else 0 :]))
    if not answer or _NO.match(answer):
        return []
    readings = dict.fromkeys((answer, answer.partition(",")[0]))
    return [_sentence_of(_after(opening, reading), first) for reading in readings for opening in question.openings]


def _after(opening: str, answer: str) -> str:
    """An opening and an answer, the word at which both meet once ("у мене алергія на " – "на горіхи")."""
    last, first = opening.split()[-1:], answer.split(maxsplit=1)[:1]
    repeated = last and first and last[0].casefold() == first[0].casefold()
    return opening + answer[len(first[0]) :].lstrip() if repeated else opening + answer


def _sentence_of(text: str, answer: Sentence) -> Sentence:
    return Sentence(text, answer.quote, question=False)
