"""Short answers: what a question makes of them. "Where are you based?" – "galway now" says "I live in galway now".

A question is kept for a few messages; an answer to it is read as the statement that it stands for, by the same rows and
guards as any statement, so what no row would believe is not believed from an answer either. The quote stays the answer.
"""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
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


_ASKED: Mapping[Language, Sequence[tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "uk": (
        (
            ("де|хто|куди (_ ){0,2} жити|мешкати|проживати|осісти|переїхати", "(ти|ви|сам|сама) @adv* де @adv* $"),
            ("живу ", "живу в ", "я з "),
        ),
        (("звідки (_){0,3} ти|ви|родом|сам|сама", "(ти|ви|сам|сама) (_){0,2} звідки", "з якого|яких ти? міста|краю|країв"), ("я ", "я з ")),
        (
            (
                "ким|чим|де|хто (_){0,3} працювати|робити#you|займатися|заробляти|трудитися",
                "хто ти|ви (_)? за|по професією|фахом|освітою|професії|освіті", "яка|який (в|у)? (тебе|вас)? (робота|професія|фах)",
            ),
            ("працюю ", "я ", "працюю в "),
        ),
        (("де|на|в (_){0,3} вчитися#you|навчатися#you|учитися#you", "на якому ти? курсі|факультеті"), ("вчусь ", "вчусь на ", "вчусь в ")),
        (("як (_){0,4} звати|величати|кликати", "яке (_){0,2} ім'я"), ("мене звати ",)),
        (("скільки (_){0,3} років", "який (_){0,2} вік"), ("мені ",)),
        (("коли (_){0,3} (днюха|др|народження|народився|народилася|народилась)", "на коли (_){0,2} день народження"), ("мій день народження ",)),
        (("що|шо|яку|який|яке|кого (_){0,3} (любити#you|обожнювати#you|полюбляти#you|слухати#you|читати#you|дивитися#you)", "улюблений|улюблена|улюблене|улюблені"), ("люблю ",)),
        (("(якими|скількома|якою) (_){0,2} мовами|мовою",), ("розмовляю ",)),
        (("(що|яку|чого|чому) (_){0,3} (вчити|вивчати|опановувати|вчитися#you|навчатися#you)",), ("вчу ", "вчусь ")),
        (("(який|які) (_){0,2} (жанр|музика|книга|фільм|серіал|кава|чай|кухня) (_){0,3}",), ("люблю ",)),
        (("чим (_){0,3} (рятуватися|розслаблятися|захоплюватися|займатися|розважатися)",), ("займаюсь ", "люблю ")),
        (("на чому|чім|якому (_){0,2} грати",), ("граю ", "граю на ")),
        (("(які|що|шо|яка|які) (_){0,4} плани|план|мрія|ціль|мета|цілі", "що|чого|куди (_){0,2} (хотіти#you|планувати#you|збиратися#you)", "про що|шо (_){0,2} мріяти"), ("хочу ", "мрію ")),
        (("(є|маєш|маєте|які|який|хто) (_){0,4} (тварини|тварина|тваринка|улюбленці|коти|собаки|кіт|собака|пес|діти|дитина|брати|брат|сестри|сестра)",), ("у мене ",)),
        (("на що|шо (_){0,3} алергія", "(є|маєш) (_){0,3} алергія"), ("у мене алергія ", "у мене алергія на ")),
    ),
    "en": (
        (
            ("where (do|are|is|abouts|you|u|everyone|everybody|y'all|ya)+ (_){0,2} (live|living|based|stay|staying|at|located|move|moved|settle|settled)", "where in the world are|r you|u", "where (are)? you|u (_){0,3} (these days / now|atm|based|nowadays)", "where (are you|u / you|u) $"),
            ("I live in ", "I live ", "I'm "),
        ),
        (("where (_){0,3} (you|u|everyone|y'all|ya) (_){0,2} from", "where you from", "(where did you|u) (_)? grow up"), ("I'm from ", "I'm ")),
        (
            ("what (do|does|did|is|are)? (you|u|y'all|everyone|your) (_){0,3} (do for a? living / work|job|profession / =do $ / =do (these days / now|nowadays) / line of work)", "where (do you|u)? (_){0,2} work", "who|what do you|u work (for|as)", "what (is)? your (job|profession|day)"),
            ("I'm a ", "by occupation I am a ", "I'm ", "I ", "I work ", "I work at "),
        ),
        (("(which|what) (branch|major|course|subject|degree|field) (_){0,3} you|u|y'all", "what (are|do|did) you|u (_)? studying|study|majoring|major|read|reading"), ("I study ", "I'm in ")),
        (("(_){0,2} _ or _ (people|person|guy|girl|gang)", "(do)? you|u|everyone prefer _{1,3} or _{1,3}"), ("I prefer ", "I'm a ")),
        (("(what|anything) (_){0,2} (you|u|y'all) (_){0,2} not eat|drink", "(any|what) (_){0,2} (diet|dietary|diets)"), ("I'm ", "I don't eat ")),
        (("who can (do)? (what|anything)", "what (can|are|is) (you|u|y'all|everyone) (_){0,2} (good at / do well / best at)", "(any|what) (_){0,3} (skills|talents|talent)"), ("I can do ", "I'm good at ", "I can ", "I speak ")),
        (("what (is)? (your|ur) (_){0,2} name", "what do|should (we|i|people) call you", "what|whats (does|is)? (_){1,2} stand|stands for", "who are you"), ("my name is ", "")),
        (("how old are|r you|u", "(what is)? (your|ur) age"), ("I'm ",)),
        (("when (is|was)? (your|ur) (birthday|bday|b-day)", "when (are|were) you born"), ("my birthday is ",)),
        (("(what|which|who) (!my|his|her|their|its|our _){0,4} (favourite|favorite|fave|fav)", "(what|which) (_){0,3} do you|u (_){0,2} (like|love|prefer|enjoy|read|watch|listen|play)"), ("my favourite is ", "I love ", "I like ")),
        (("(what|any|your) (_){0,3} hobby|hobbies|pastime|pastimes",), ("I love ", "my hobby is ")),
        (("(what|which / how many) (_){0,2} languages|language", "you|u speak (_){0,2} languages|language",), ("I speak ",)),
        (("(what|which) (_){0,2} (instrument|instruments)", "do|can you|u play (_){0,2} (instrument|anything)"), ("I play ", "I play the ")),
        (("(what|any) (_){0,4} (plans|goals|goal|dream|resolution|resolutions|ambition|aim)", "what do you|u (_)? want|hope|plan"), ("I want to ", "my goal is ", "I'm ")),
        (("(do|have|got|any|what) (_){0,4} (pets|pet|kids|children|siblings|brothers|sisters|dogs|cats|dog|cat)",), ("I have ", "I have a ")),
        (("(what|any|anything|you) (_){0,4} allergic|allergies|allergy",), ("I'm allergic to ",)),
    ),
}  # fmt: skip
_ASKED_OF_CHAT: Mapping[Language, Sequence[tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "uk": (
        (("про що|шо (_){0,4} (чат|група|балакати|говорити|спілкуватися|писати|обговорювати|розмова|розмови|теревенити)", "що|шо (_){0,3} (обговорювати|чат|тема)", "(чат|чатик|група) (_){0,3} ,? про що|шо (тут|він|вона|взагалі){1,2}", "яка|які (тут|вас|чату|головна|основна){1,2} (_)? тема|теми", "чим (тут|чат|група) (_)? жити|дихати"), ("ми тут постійно говоримо ", "ми тут постійно говоримо про ")),
        (("як|що (тут / у|в вас|чаті|групі) (_){0,3} заведено|прийнято|повелося|водиться|ведеться", "як|що (_){0,2} (заведено|прийнято) (тут / у|в вас|чаті|групі)"), ("у нас тут зазвичай ", "у нас тут прийнято ")),
    ),
    "en": (
        (("what (_){0,5} (talk|talking|discuss|chat|chatting|group|channel|yap) (_){0,3} about", "what (_){0,3} (chat|group|channel|place) (_){0,2} about|for", "what do you|u|y'all (_){0,3} discuss", "(topics|topic) (_){0,2} here", "what (_){0,5} (write|post|bang|moan|go|natter|argue|gossip|rant|ramble|geek|nerd|obsess) (_){0,2} about"), ("we mostly talk about ",)),
        (("how (do|does|are) (you|y'all|people|folks|we|everyone|things|stuff|it) (all|guys|lot)? (_){0,8} (here / in this|the|our chat|group|channel)", "what (is|are) (the)? (custom|etiquette|norm|convention|protocol|usual) (_){0,4} here"), ("in this group ",)),
    ),
}  # fmt: skip
_TO_ALL = re.compile(
    r"(?<!\w)(?:хто|ви|всі|усі|хто-небудь|who|everyone|everybody|all|anyone|you lot|you guys|y'all|folks|guys|people)(?!\w)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^(?:(?:ну|oh|well|ah|haha|lol|еге ж?|та)[\s,]+)?(?:так|ага|угу|еге|еге ж|атож|точно|вірно|yes|yep|yeah|yup|ya|indeed|correct|right|true|that's right|"
    r"i am|i do|i did|guilty|sure am|sure do)(?!\w)[\s,.!:)–—-]*",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:(?:ну|та|oh|well)[\s,]+)?(?:ні|не|нє|неа|нічого|нічим|ніде|ніким|ніяк|ніяких|хз|секрет|вгадай|залежить|а що|навіщо|тобі|бо|тому|дякую|ясно|зрозуміло|зрозумів|зрозуміла|поняв|круто|класно|супер|привіт|вітаю|ласкаво|підтверджую|плюсую|жиза|господи|боже|ого|якраз|відчуваю|оце|no|nope|nah|not|none|nothing|nowhere|idk|dunno|"
    r"(?:a?ha|haha\w*|hah|lol|lmao|rofl|hm+|oh|ah+|ooh|wow|nice|cool|ok|okay|eh|huh|ugh|omg|np|ouch|aww*|yay|sure|cheers|thanks|ty|what|who|which|where|"
    r"wait|well|good question|(?:nearly|almost|just|right|over|still)? ?(?:here|there|home)|on my way|omw|neither|both|not sure)(?=\W*(?:$|,|–|—| - ))|guess|why|it depends|depends|secret|never|neither|wouldn't|you)(?!\w)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:(?:та|ну|а|о|ой|ем|хм+|от|слухай|як завжди|поки|поки що|наразі|зараз|тепер|щас|нині|переважно|здебільшого|в основному|oh|well|um+|uh+|hm+|so|haha|lol|currently|atm|right now|now|still|just|"
    r"it's|its|that's|that would be|it would be|probably just|honestly|mostly|mainly|about|про)[\s,]+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:now|these days|atm|currently|at the moment|зараз|тепер|щас|нині|наразі|тут|lol|haha|actually|:\)+)\W*$",
    re.IGNORECASE,
)
_CLAIMS_EN = re.compile(
    r"(?:^|[\s,])(?:(?P<am>aren't you|are you|you are|you're|ur|u're|youre|r u)|(?P<do>do you|don't you|you|u))(?= )(?! (?:know|think|mean|want me|sure|ok|okay|kidding|there|coming|free|see|guys)(?!\w))(?P<rest>[^?]{3,80})",
    re.IGNORECASE,
)
_ASKS_WHERE = re.compile(
    r"(?:^|,\s*|\bso )(?:where|when)(?:'?s)? (?:are|is|do|did|u|you|r|were|was|your)(?!\w)", re.IGNORECASE
)
_ASKING = re.compile(
    r"(?<!\w)(?:wh(?:at|o|ere|en|ich|ose|y)|how|do|does|are|is|any|anyone|anybody|have|can)(?!\w)|(?<!\w)wh\w+s(?!\w)|[а-яіїєґ]",
    re.IGNORECASE,
)
_SHORTENED = re.compile(r"(?<!\w)(what|where|who|when|how)s(?!\w)", re.IGNORECASE)
_CHECK_TAIL = re.compile(
    r"[,\s]+(?:right|no|yeah|yes|correct|isn't it|aren't you|don't you|innit|eh|huh|так|правда|хіба ні|ні|да|правильно|чи ні)\W*$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"^[^\W\d]\S{1,20}:\s+")
_ONLY_AMUSED = re.compile(r"^(?:lol|lmao|(?:ha)+h?)[\s,]+\w+\W*$", re.IGNORECASE)
_ASKS_WHAT_NOT = re.compile(r"(?:що|шо|чого|кого|яку|який|яке|які)\s(?:\w+\s)?не\s\w+", re.IGNORECASE)
"""What one does not like is no answer to what one likes."""
_THE_UK = re.compile(r"(?<!\w)(?:ти|ви)(?!\w)", re.IGNORECASE)


def questions_in(message: Message, position: int) -> list[OpenQuestion]:
    """What a message asks that a short answer may answer."""
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
        for phrases, openings in _compiled(lang, about_chat=about_chat):
            if any(phrase.search(words) for phrase in phrases):
                return OpenQuestion(
                    message, position, lang, openings, to_all=to_all or about_chat, about_chat=about_chat
                )
    claim = _claim(sentence.text, lang)
    return OpenQuestion(message, position, lang, claim=claim) if claim else None


def _asks(text: str) -> bool:
    """Whether a sentence without a question mark asks, be it after a name ("you lou, what do you do now")."""
    return bool(_ASKS_WHERE.search(text)) or any(guards.is_question(part.strip()) for part in text.split(","))


@cache
def _compiled(lang: Language, *, about_chat: bool) -> list[tuple[list[Phrase], tuple[str, ...]]]:
    table = (_ASKED_OF_CHAT if about_chat else _ASKED)[lang]
    return [([Phrase(source, member_lists(lang)) for source in sources], openings) for sources, openings in table]


def _claim(text: str, lang: Language) -> str:
    """What a yes-or-no question says of the one asked, as they would say it; "" when it says nothing."""
    plain = _CHECK_TAIL.sub("", text.strip(" ?"))
    if lang == "uk":
        return plain if _THE_UK.search(plain) or re.search(r"(?<!\w)у нас|наче|ж(?!\w)", plain) else ""
    match = _CLAIMS_EN.search(plain)
    if match is None:
        return ""
    return ("I am" if match["am"] else "I") + match["rest"].replace(" your ", " my ")


def asks(message: Message) -> bool:
    """Whether a message asks anything at all, whoever may answer it."""
    return any(sentence.question or _asks(sentence.text) for sentence in sentences(message.text))


def is_yes_or_no(text: str) -> bool:
    """Return whether a message begins by affirming or denying what was asked."""
    return _YES.match(text) is not None or _NO.match(text) is not None


def is_near(message: Message, at: int, position: int) -> bool:
    """Whether what `message` asked at one position may still be answered at another without a reply to it."""
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
        return [claimed, *(_said(text, first) for text in spoken if rest)]
    if agreed is None and (_NO.match(told_back) or _ONLY_AMUSED.match(told_back)):
        return []
    answer = _TAIL.sub("", _FILLER.sub("", told_back[agreed.end() if agreed else 0 :]))
    if not answer or _NO.match(answer):
        return []
    readings = dict.fromkeys((answer, answer.partition(",")[0]))
    return [_said(_after(opening, reading), first) for reading in readings for opening in question.openings]


def _after(opening: str, answer: str) -> str:
    """An opening and an answer, the word at which both meet once ("у мене алергія на " – "на горіхи")."""
    last, first = opening.split()[-1:], answer.split(maxsplit=1)[:1]
    repeated = last and first and last[0].casefold() == first[0].casefold()
    return opening + answer[len(first[0]) :].lstrip() if repeated else opening + answer


def _said(text: str, answer: Sentence) -> Sentence:
    return Sentence(text, answer.quote, question=False)
