"""The last gate before a fact is stored: why a candidate, from whichever source, must not be.

Both a model and our own patterns pass here. A suspicious phrase is forgiven when the quote itself says it: "is 34
years old" is a guess when the quote is "hey all" and a fact when it is "I just turned 34".
"""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from shared.domain.facts import CHAT_CATEGORIES, MEMBER_CATEGORIES, MIN_CONFIDENCE, Authority, Candidate, Evidence
from shared.domain.language import fold, tokens
from shared.domain.memory_profile import Profile, profile_allows
from shared.domain.messages import Message
from shared.domain.patterns.guards import has_injection, is_retold
from shared.domain.quotes import verify_quote


class Reason(StrEnum):
    """Why a candidate is rejected."""

    OPTED_OUT = "opted_out"
    MALFORMED = "malformed"  # an item of a model's answer that is none
    BAD_CATEGORY = "bad_category"
    LOW_CONFIDENCE = "low_confidence"
    NON_PARTICIPANT = "non_participant"
    UNVERIFIABLE_QUOTE = "unverifiable_quote"
    WRONG_AUTHOR = "wrong_author"
    UNAUTHORISED_RULE = "unauthorised_rule"
    FOREIGN_SOURCE = "foreign_source"
    RETOLD_MEMORY = "retold_memory"
    INJECTION_MARKER = "injection_marker"
    CONVERSATION_ACTION = "conversation_action"
    ASSISTANT_FACT = "assistant_fact"
    PROMPT_LEAK = "prompt_leak"
    DEMOGRAPHIC_GUESS = "demographic_guess"
    UNKNOWN_INFORMATION = "unknown_information"
    PROFILE = "profile"  # sound, but of a kind that the chat does not want remembered


_ACTIONS = (
    r"greet(?:s|ed)|say(?:s)? (?:hello|hi|bye|goodbye|thanks)|said (?:hello|hi|hey|bye|goodbye|good \w+|thanks?|yes|no|ok)|initiat(?:es|ed)|respond(?:s|ed)|repl(?:ies|ied)|"
    r"ask(?:s|ed)|request(?:s|ed)|thank(?:s|ed)|confirm(?:s|ed)|agree[sd]?|disagree[sd]?|inquire[sd]?|want(?:s|ed) to know|acknowledge[sd]?|apologi[sz]e[sd]?|"
    r"laugh(?:s|ed)|joined the (?:chat|conversation)|left the (?:chat|conversation)|sent a (?:message|photo|sticker|link)|react(?:s|ed)|"
    r"(?:is|was) (?:greeting|asking|responding|thanking|chatting|replying)|exchanged greetings|expressed (?:agreement|gratitude|thanks)|"
    r"при?віта[лв]\w*(?:ся|ась)?|вітає(?:ться)?|поздоров\w+|подякува\w+|дякує|запита[вл]\w*|спита[вл]\w*|питає|запитує|попроси[вл]\w*|просить|відпові[влд]\w*|відповідає|"
    r"погоди\w+|погоджує\w+|підтверди\w+|підтверджує|заперечи\w+|вибачи\w+|попроща\w+|прощає\w+|хоче (?:знати|дізнатись|дізнатися)|цікавиться чи|засмія\w+|відреагува\w+|поцікави\w+|уточни\w+|уточнює|"
    r"(?:написа|надісла|скину|поділи)\w+ (?:(?:нове |коротке |це )?повідомлення|фото|стікер\w*|посилання|лінк\w*|голосове|в чат|у чат)|вислови\w+ (?:згоду|подяку|незгоду|здивування)|"
    r"приєдна\w+ до (?:чату|розмови|групи)|вийш\w+ з (?:чату|розмови|групи)|(?:wrote|posted|shared) a (?:message|photo|sticker|link|meme)"
)
_ACTION = re.compile(
    rf"^(?:[\w'’@.-]+\s+){{1,2}}?(?:(?:has|have|just|also|then|politely|briefly|simply|briefly|щойно|також|ввічливо|потім|просто)\s+){{0,2}}(?:{_ACTIONS})(?!\w)",
    re.IGNORECASE,
)
_OWN_ACTION = re.compile(
    r"(?<!\w)(?:i|i've|i have|we)(?:\s+\w+)?\s+(?:ask\w*|request\w*|confirm\w*|agree\w*|thank\w*|said|repl\w+|disagree\w*|sent|wrote|posted|shared|greet\w*|apologi\w+|laugh\w*|inquir\w+)(?!\w)|"
    r"(?<!\w)(?:запитав|запитала|попросив|попросила|погодився|погодилась|погодилася|відповів|відповіла|вибачився|вибачилась|вибачилася|подякував|подякувала|підтвердив|підтвердила|написав|написала|надіслав|надіслала|скинув|скинула|поділився|поділилась|поділилася|приєднався|приєдналась|приєдналася|вийшов|вийшла)(?!\w)",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|yo|sup|morning|good|evening|afternoon|night|day|bye|goodbye|thanks?|thank|you|thx|ty|ok|okay|np|lol|haha\w*|yes|no|yep|nope|sure|cool|nice|all|everyone|there|guys|welcome|pls|please|wow|omg|"
    r"привіт\w*|вітаю|доброго?|добрий|доброї|ранку|ранок|вечора|вечір|день|дня|ночі|дякую|дяк|дякс|спасибі|ок|оке|окей|так|ні|ага|угу|всім|усім|будь|ласка|па|бувай\w*|хай|ку|лол|ахах\w*|на|добраніч|салют|за|допомогу|for|help|the|much|so|very)\W*)+$",
    re.IGNORECASE,
)
_ASSISTANT = re.compile(
    r"^(?:the |an? |this |our |цей |наш )?(?:ai |chat |virtual )?(?:assistant|character|chatbot|bot|ai|language model|асистент|асистентка|бот|чатбот|персонаж|помічник|модель)(?:'s|’s)?(?!\s*(?:manager|professor|director|coach|editor|nurse|teacher|team))(?!\w)",
    re.IGNORECASE,
)
_PROMPT_LEAKS = (
    (r"\bun-?censored\b", r"uncensored"),
    (r"\bun-?restricted\b|без обмежень|без цензури|нецензурован\w+", r"unrestricted|обмежен|цензур"),
    (r"\bis a helpful\b|корисн\w+ (?:асистент|помічник)", r"(?!)"),
    (r"\bis (?:\w+ )?truthful\b|\bis unbiased\b|правдив\w+ і неупереджен\w+|є неупереджен\w+", r"truthful|unbiased|неупереджен|правдив"),
    (r"\b(?:is|was) designed to\b|(?:створен\w+|призначен\w+|розроблен\w+) (?:для|щоб)", r"design|створ|признач|розроб"),
    (r"\bfollows? (?:the |all |any )*(?:instructions|rules|prompts?)\b|(?:виконує|дотримується) (?:\w+ )?(?:інструкц|вказів)", r"follow|викону|дотриму"),
    (r"(?<!\w)не має (?:жодних |ніяких )?обмежень(?!\w)", r"обмежен"),
    (r"\b(?:must|should|has to|always) (?:follow|obey)\b|(?<!\w)(?:має|мусить|повинна|повинен) (?:виконувати|дотримуватис\w+)", r"follow|obey|викону|дотриму"),
    (r"\bis an? (?:ai|llm|chat ?bot|virtual assistant)\b(?! \w)|(?<!\w)(?:є |це |[—–-] )(?:\w+ )?(?:штучн\w+ інтелект\w*|чат-?бот\w*|віртуальн\w+ помічни\w+)", r"\bai\b|bot|інтелект|бот"),
    (r"\bsystem prompt\b|системн\w+ промпт|\bextract(?:s|ing)? memor|no (?:content )?restrictions|as an ai\b|language model|мовна модель", r"(?!)"),
)  # fmt: skip
_GENDER = re.compile(
    r"\bis (?:a |an )?(?:\w+ )?(?:male|female|man|woman|boy|girl|guy|non-?binary)\b|(?<!\w)(?:є )?(?:чоловіком|жінкою|хлопцем|дівчиною|чоловічої статі|жіночої статі)(?!\w)|[—–-] (?:чоловік|жінка|хлопець|дівчина)\W*$|\bgender is\b|стать[:\s]",
    re.IGNORECASE,
)
_GENDER_SAID = re.compile(
    r"(?<!\w)(?:male|female|man|woman|boy|girl|guy|dude|lady|non-?binary|mother|father|mom|mum|dad|чоловік|жінка|хлопець|дівчина|мама|тато|мати|батько|he/him|she/her)(?!\w)",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"\byears? old\b|\bage is\b|\baged \d|\b\d{1,2}[- ]year[- ]old\b|\bin (?:his|her|their) (?:\w+ )?(?:teens|twenties|thirties|forties|fifties|20s|30s|40s|50s)\b|\bis (?:young|elderly|middle-aged|a teenager)\b|(?<!\w)(?:років|роки|рік) (?:віку|від роду)|(?<!\w)(?:має|виповнилося|виповнилось|близько|приблизно) \d+ (?:рок|рік)|(?<!(?<!\w)вже )(?<!(?<!\w)уже )(?<!протягом )(?<!останні )(?<!досвід )(?<!стаж )(?<!\w)\d+ (?:років|роки|рік)\W*$|вік[:\s]|"
    r"(?<!\w)(?:близько|приблизно|понад|старш\w+ (?:за|від)|молодш\w+ (?:за|від)) (?:\d+(?: рок\w+)?\W*$|(?:двадцяти|тридцяти|сорока|п'ятдесяти|шістдесяти|сімдесяти)(?!\w))|\b(?:over|under|about|around) (?:twenty|thirty|forty|fifty|sixty|[2-7]0)\W*$",
    re.IGNORECASE,
)
_ORIGIN = re.compile(
    r"\b(?:ethnicity|race|nationality|religion|skin colou?r) is\b|(?<!\w)(?:етнічн\w+|національність|раса|віросповідання)(?!\w)",
    re.IGNORECASE,
)
_TRAIT = re.compile(
    r"(?:^[\w'’@.-]+(?: [\w'’.-]+)?[,:]? (?:(?:—|–|-|є|це|була|був|is|was) )?(?:за національністю )?(?:(?:an?|the|дуже|досить|ще|вже|very|quite|still|openly|practi[cs]ing) )*|^)"
    r"(?P<trait>чоловік|жінка|хлопець|дівчина|українк|українець|українц|росіян|поляк|полька|євре|німець|німкен|грузин|татар|білорус|ром(?:ка)?(?!\w)|румун|угор|"
    r"християн|мусульман|православн|католи|протестант|атеїст|віруюч|буддист|іуде|юде|гей(?!\w)|лесбі|бісексуал|гетеросексуал|трансген|"
    r"підліт|пенсіонер|молод(?:а|ий)(?!\w)|літн(?:я|ій)(?!\w)|похил|зумер|міленіал|бумер|студентського віку|середнього віку|"
    r"ukrainian|russian|polish|pole(?!\w)|jewish|german|american|british|french|georgian|belarusian|romanian|indian|chinese|turkish|"
    r"christian|muslim|orthodox|catholic|protestant|atheist|religious|buddhist|gay|lesbian|bisexual|heterosexual|straight|trans(?!\w)|transgender|"
    r"teen|pensioner|millennial|boomer|zoomer|young|old(?!\w)|elderly|middle-aged|white|black|asian|latin[oa])\w*(?=\W*$|\W+(?:за|in|by|and|і|й|та|woman|man|girl|boy|lady|guy|person|adult|жінка|чоловік|людина|особа)(?!\w))",
    re.IGNORECASE,
)
_TRAIT_STEM = 5
_FEASTS = frozenset({"christmas"})  # wished by people of any faith
_DIGITS = re.compile(r"\d+")
_NUMBER_WORDS = re.compile(
    r"(?<!\w)(?:(?:thir|four|fif|six|seven|eigh|nine)teen|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:один|два|три|чотир|п'ят|шіст|сім|вісім|дев'ят)надцять|двадцят|тридцят|сорок|п'ятдесят|шістдесят|сімдесят|вісімдесят)",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\bunknown\b|\bnot (?:been )?(?:mentioned|specified|stated|known|provided|clear|disclosed|given)\b|\bunclear\b|\bunspecified\b|\bundisclosed\b|\bno information\b|\bno known\b|\bn/a\b|\b(?:might|could|may) be\b|"
    r"(?:did|does|has) ?n[o']t (?:mention|specify|state|say|provide|disclose)|(?<!\w)(?:невідом\w+|не відом\w+|не згада\w+|не вказа\w+|не зазнач\w+|не уточн\w+|не повідом\w+|незрозуміло|неясно|не розпові\w+|не назва\w+|не сказа\w+|не поділи\w+|не розкри\w+|не вказує|не зазначає|невизначен\w+|(?:інформація|дані|відомості) (?:відсутн\w+|не надан\w+)|інформації немає|немає (?:інформації|даних|відомостей))(?!\w)|"
    r"\b(?:seems?|appears?|probably|likely|possibly|presumably|perhaps|maybe|apparently)\b|(?<!\w)(?:схоже|мабуть|ймовірно|можливо|здається|напевно|певно|очевидно)(?!\w)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?\s*$")
_MIN_QUOTED_WORDS = 3
_STATES_TOO = re.compile(r"(?<!\w)(?:i'm|i am|i|my|we|я|мій|моя|моє|мене|ми)(?!\w)[^?]{3,}[,;.—–-]", re.IGNORECASE)


def reject_reason(
    candidate: Candidate,
    messages_by_id: Mapping[int, Message],
    *,
    bot_names: Sequence[str],
    participants: Mapping[int, Sequence[str]],
    told: Sequence[str] = (),
    profile: Profile = Profile.UNBOUNDED,
    opted_out: frozenset[int] = frozenset(),
) -> Reason | None:
    """Why the candidate must not be stored, or None.

    Args:
        messages_by_id: The stored messages that the evidence names.
        bot_names: What the bot is called; facts about it are no facts of the group.
        participants: Members by id, each with the names and usernames they are known by.
        told: Texts in which the bot recalled facts; what bots say in `messages_by_id` counts as told already.
        profile: Which kinds of memory the chat allows.
        opted_out: Members who are not remembered, neither as subject nor as witness.
    Returns:
        The first reason that holds: consent, form, source, content, then what the chat wants.
    """
    people = {subject_user(candidate.subject), *(quote.user_id for quote in candidate.evidence)}
    return (
        (Reason.OPTED_OUT if people & opted_out else None)
        or _form(candidate, participants)
        or _source(candidate, messages_by_id, told)
        or _content(candidate, bot_names, participants)
        or (None if profile_allows(profile, candidate) else Reason.PROFILE)
    )


def _form(candidate: Candidate, participants: Mapping[int, Sequence[str]]) -> Reason | None:
    about = subject_user(candidate.subject)
    if candidate.subject != "chat" and (about is None or about not in participants):
        return Reason.NON_PARTICIPANT
    if candidate.category not in (CHAT_CATEGORIES if about is None else MEMBER_CATEGORIES):
        return Reason.BAD_CATEGORY
    # A comparison that NaN fails, too.
    return None if MIN_CONFIDENCE <= candidate.confidence <= 1 else Reason.LOW_CONFIDENCE


def subject_user(subject: str) -> int | None:
    """The id in "user:<id>"; None for the chat or anything else."""
    head, _, number = subject.partition(":")
    return int(number) if head == "user" and re.fullmatch(r"-?\d{1,20}", number) else None


# --- where it comes from -----------------------------------------------------------------------


def _source(candidate: Candidate, messages: Mapping[int, Message], told: Sequence[str]) -> Reason | None:
    if not candidate.evidence:
        return Reason.UNVERIFIABLE_QUOTE
    about = subject_user(candidate.subject)
    for quote in candidate.evidence:
        if reason := _quote(quote, messages, about):
            return reason
    first = min(candidate.evidence, key=lambda quote: (quote.sent_at, quote.message_id))
    earlier = [
        m.text
        for m in messages.values()
        if m.is_bot and m.text and m.sent_at <= first.sent_at and m.message_id < first.message_id
    ]
    return Reason.RETOLD_MEMORY if is_retold(first.quote, [*told, *earlier]) else None


def is_anothers(quote: str, message: Message) -> bool:
    """Whether the words are those that the author quoted from the message replied to; "+1" is anybody's."""
    return bool(message.quote) and len(tokens(quote)) >= _MIN_QUOTED_WORDS and verify_quote(quote, message.quote or "")


def _quote(quote: Evidence, messages: Mapping[int, Message], about: int | None) -> Reason | None:
    message = messages.get(quote.message_id)
    if message is None or not verify_quote(quote.quote, message.text):
        return Reason.UNVERIFIABLE_QUOTE
    if not message.may_teach or is_anothers(quote.quote, message):
        return Reason.FOREIGN_SOURCE
    if message.user_id != quote.user_id or (about is not None and about != message.user_id):
        return Reason.WRONG_AUTHOR
    return Reason.INJECTION_MARKER if has_injection(message.text) else None


# --- what it says ------------------------------------------------------------------------------


def _content(
    candidate: Candidate, bot_names: Sequence[str], participants: Mapping[int, Sequence[str]]
) -> Reason | None:
    text = " ".join(candidate.description.split())
    said = " ".join(quote.quote for quote in candidate.evidence)
    if has_injection(text):
        return Reason.INJECTION_MARKER
    if _is_assistant_fact(text, bot_names):
        return Reason.ASSISTANT_FACT
    if _is_prompt_leak(text, said):
        return Reason.PROMPT_LEAK
    if candidate.authority is not Authority.MODEL:
        return None
    return _model_content(text, said, candidate, participants)


def _model_content(
    text: str, said: str, candidate: Candidate, participants: Mapping[int, Sequence[str]]
) -> Reason | None:
    """Mistakes that only a model makes; our own descriptions are built from the words as said."""
    if _is_action(text, said):
        return Reason.CONVERSATION_ACTION
    if _is_unknown(text, said):
        return Reason.UNKNOWN_INFORMATION
    if _is_guess(text, said):
        return Reason.DEMOGRAPHIC_GUESS
    about = subject_user(candidate.subject)
    return _wrong_subject(text, about, participants) if about is not None else None


def _is_assistant_fact(text: str, bot_names: Sequence[str]) -> bool:
    if _ASSISTANT.search(text):
        return True
    for name in filter(None, bot_names):
        escaped = re.escape(fold(name))
        named = rf"(?:name(?:'s|’s)? is|is (?:called|named)|goes by|звати|звуть|ім'я[:\s—–-]+) {escaped}(?!\w)"
        if re.search(rf"^@?{escaped}(?:'s|’s)?(?!\w)|{named}", fold(text)):
            return True
    return False


def _is_prompt_leak(text: str, said: str) -> bool:
    return any(
        re.search(phrase, text, re.IGNORECASE) and not re.search(excuse, said, re.IGNORECASE)
        for phrase, excuse in _PROMPT_LEAKS
    )


def _is_action(text: str, said: str) -> bool:
    if _SMALL_TALK.search(said) or (_QUESTION.search(said) and not _STATES_TOO.search(said)):
        return not _UNKNOWN.search(text)
    return bool(_ACTION.search(text)) and not _OWN_ACTION.search(said)


def _is_unknown(text: str, said: str) -> bool:
    return any(fold(match.group()) not in fold(said) for match in _UNKNOWN.finditer(text))


def _is_guess(text: str, said: str) -> bool:
    if _GENDER.search(text) and not _GENDER_SAID.search(said):
        return True
    if (trait := _TRAIT.search(text)) and not _trait_said(trait["trait"], said):
        return True
    if _ORIGIN.search(text) and not set(tokens(text)[-2:]) & set(tokens(said)):
        return True
    return bool(_AGE.search(text)) and not _age_said(text, said)


def _trait_said(trait: str, said: str) -> bool:
    """A person is what they call themselves, in whatever gender or case."""
    if _GENDER_SAID.fullmatch(trait):
        return bool(_GENDER_SAID.search(said))
    words = set(tokens(said)) - _FEASTS
    return any(word.startswith(fold(trait)[:_TRAIT_STEM]) for word in words)


def _age_said(text: str, said: str) -> bool:
    """An age is stated when its number, or any number in words, is in the quote."""
    numbers = set(_DIGITS.findall(text))
    return bool(numbers & set(_DIGITS.findall(said))) or bool(_NUMBER_WORDS.search(said))


def _wrong_subject(text: str, about: int, participants: Mapping[int, Sequence[str]]) -> Reason | None:
    """A sentence about somebody else than the member it is credited to (law 4)."""
    if _begins_with(
        text, ("user", "the user", "користувач", "користувачка", "учасник", "учасниця", *participants[about])
    ):
        return None
    if any(_begins_with(text, names) for user_id, names in participants.items() if user_id != about):
        return Reason.WRONG_AUTHOR
    return None if _has_no_subject(text) else Reason.NON_PARTICIPANT


def _begins_with(text: str, names: Sequence[str]) -> bool:
    start = fold(text).removeprefix("@")
    return any(
        re.match(rf"{re.escape(fold(name).removeprefix('@'))}(?:['’]s)?(?!\w)", start)
        for name in names
        if name and fold(name)
    )


def _has_no_subject(text: str) -> bool:
    """Whether a sentence leaves its subject out ("Lives in Lutsk", "Любить джаз"), so that it is the credited member."""
    first = (tokens(text) or [""])[0]
    if not text[:1].isupper() and not first:
        return False
    english = r"(?:is|has|was|does|did|can|won't|doesn't|never|always|[a-z]{2,}(?:s|ed))"
    ukrainian = r"(?:не|є|має|був|була|вміє|завжди|[а-яіїєґ']{2,}(?:ть|ться|є|ає|ює|іє|ив|ав|ила|ала|ився|илась|илася))"
    return bool(re.fullmatch(f"{english}|{ukrainian}", first)) and first not in _NAMES_LIKE_VERBS


_NAMES_LIKE_VERBS = frozenset(
    {
        "james",
        "thomas",
        "charles",
        "chris",
        "lucas",
        "marcus",
        "agnes",
        "iris",
        "jonas",
        "ross",
        "мстислав",
        "ярослав",
        "микола",
        "ted",
        "fred",
        "ed",
        "alfred",
        "станіслав",
        "владислав",
    }
)
