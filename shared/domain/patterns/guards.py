"""What must not teach: instructions to the bot, questions, hypotheses, irony, other groups, moods of a moment.

A wrong fact is worse than a missing one, so a guard that fires too often is the right kind of wrong.
"""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from shared.domain.language import tokens, unify_apostrophes

_OBFUSCATION = re.compile(
    "(?<=[A-Za-zА-Яа-яІіЇїЄєҐґ])[\u200b-\u200f\u00ad\u2060-\u2064\ufeff\u202a-\u202e]+(?=[A-Za-zА-Яа-яІіЇїЄєҐґ])"
)
_MIXED_SCRIPT = re.compile(r"(?<!\w)(?=\w*[A-Za-z])(?=\w*[А-Яа-яІіЇїЄєҐґ])[A-Za-zА-Яа-яІіЇїЄєҐґ]{4,40}(?!\w)")
_LOOKALIKES = str.maketrans("aceiopxyABCEHIKMOPTX", "асеіорхуАВСЕНІКМОРТХ")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e]")

_INJECTION = re.compile(
    "|".join(  # noqa: FLY002  (one alternative a line, under headings)
        (
            # overriding
            r"\b(?:ignor|disregard|overrid|bypass)\w* (?:\w+ ){0,4}(?:instruct|rule|prompt|guideline|filter|polic|message|restrict)",
            r"\bforget (?:all|everything|your|previous|what you|the (?:above|previous|rules))",
            r"(?:ігнору|знехту|обійди|скасуй)\w* (?:\w+ ){0,4}(?:інструкц|правил|вказів|попередн|обмежен|фільтр|промпт|все)",
            r"забудь(?:те)? (?:\w+ ){0,2}(?:все|усе|усі|всі|інструкц|попередн|правила)",
            r"\b(?:developer|debug|god|jailbreak|dan|admin|maintenance|sudo) mode\b|\bsudo\b|режим (?:розробник|адмін|бога)",
            r"\byou are (?:now|no longer)\b|\bact as\b|\bpretend (?:to be|you)\b|\bfrom now on,? (?:you|the bot|always|reply|answer)",
            r"відтепер (?:ти|бот|відповідай|усі|завжди)|ти (?:тепер|відтепер|більше не)\b|уяви,? що ти",
            # pretending to be the machinery
            r"\bnew (?:system|instruction|directive|prompt)|\bsystem (?:message|prompt|override|note|update|notice)",
            r"систем\w+ (?:повідомлен|промпт|інструкц|команд|запис|оновлен|нотатк)|нов[аіий]+ (?:інструкц|вказівк|факт)",
            r"(?:^|\n)\W*(?:system|assistant|developer|tool|user|human|модель|система|асистент|бот|bot)\s?[:>\]]",
            r"\[\s*/?\s*(?:system|inst|admin|assistant|developer|tool|система|адмін|memory|пам'ять)",
            r"</?[a-z_][\w-]{0,30}[^<>\n]{0,80}>|<!--|-->|<\|",
            r"'''|~~~|(?:^|\n)#{1,6} |(?:^|\n)\s*-{3,}|={3,}|\{\{|\}\}",
            r"\b(?:end|begin|start)(?:ning)? of (?:the )?(?:conversation|transcript|context|messages?|data|chat|prompt|input)",
            r"кінець (?:розмови|переписки|контексту|повідомлень|даних|чату)",
            r"[\"']?\b(?:content|category|confidence|quote|user_id|fact_\w+|message_id)[\"']?\s*[:=]",
            r"^\s*[\[{]\s*[\"'{\[]",
            r"\b(?:memory|rule|fact|пам'ять|правило|факт) ?[:=]{1,2} ?=|\brule = |\bправило = ",
            # dictating memory
            r"\b(?:store|save|record|memori[sz]e|log|note down|write down|add) (?:\w+ ){0,2}(?:fact|memory|that|rule|database|profile)\b",
            r"\b(?:add|write|put|commit) (?:\w+ ){0,4}(?:to|in|into) (?:your |the |bot )*(?:memory|database|notes)",
            r"(?:запиши|збережи|внеси|занеси|додай|занотуй|зафіксуй)(?:те)? (?:\w+ ){0,3}(?:факт|правил|пам'ят|баз|собі|що|як|про)",
            r"пам'ять бота|пам'яті бота|база даних бота|bot'?s memory|memory of the bot",
            # claiming power
            r"\bi(?:'m| am) (?:(?!system|network|database|office|it |linux)\w+ ){0,3}(?:admin|administrator|moderator|mod)\b(?! assistant)",
            r"\bi(?:'m| am) (?:\w+ ){0,2}(?:owner|developer|creator|maker) of (?:this|the|your) |\bi(?:'m| am) your (?:owner|developer|creator|master|admin)",
            r"\bas (?:the|your) (?:admin\w*|owner|developer|creator)\b|\bas an? admin(?:istrator)?,? i\b",
            r"(?<!\w)я (?:(?!систем|мереж)\w+ ){0,2}(?:адмін|адміністратор\w*|модератор\w*)(?!\w)",
            r"(?<!\w)я (?:\w+ ){0,2}(?:власни\w+|розробни\w+|творець|хазяїн|господар) (?:\w+ )?(?:бота|чату|групи|тебе)",
            r"\bя,? як адмін|\bвід імені адмін",
            # triggers and leaks
            r"(?:reveal|print|show|repeat|leak|output|dump|share|tell)\w* (?:\w+ ){0,4}(?:prompt|(?:your|hidden|secret) instructions|api key)",
            r"(?:покажи|виведи|розкрий|надрукуй|повтори|скинь|злий)\w* (?:\w+ ){0,4}(?:промпт|інструкц|api)",
            r"\b(?:when|whenever|if) (?:any|some|every)(?:one|body) (?:\w+ ){0,2}(?:says?|writes?|types?|asks?|mentions?|sends?)\b",
            r"(?:коли|якщо|щойно) хтось (?:\w+ ){0,2}(?:напише|скаже|спитає|запитає|згадає|надішле|пише|каже)",
            r"відповіда(?:й|ти|єш|є) (?:\w+ ){0,2}(?:лише|тільки|завжди|посилан|матом|що)|завжди (?:відповідай|кажи|пиши|хвали|погоджуйся)",
            r"(?<!we )(?<!they )(?<!i )\balways (?:agree with|obey|answer|reply|respond|say|praise|trust)\b|\bobey\b",
            r"усім ботам|всім ботам|attention,? (?:all )?(?:bots|ai)|to all bots|base64|rot13",
        )
    ),
    re.IGNORECASE,
)
_BOT_WORD = re.compile(
    r"(?<!\w)(?:бот(?:а|у|ові|ом|и|ів|і|ік\w*)?|bots?|chatbot|асистент\w*|assistant|нейронк\w*|gpt|chatgpt|llm|промпт\w*|"
    r"prompts?|system)(?!\w)",
    re.IGNORECASE,
)
_DIRECTED_MEMORY = re.compile(
    r"(?<!\w)(?:запам'ята\w*|remember (?:this|that|about|it|:)|remember,? (?!when))", re.IGNORECASE
)
_LINK = re.compile(
    r"https?://|www\.|t\.me/|\w\.(?:com|net|org|info|ru|ua|example|io|me)(?:/|\b)|(?<!\w)@\w{3,}", re.IGNORECASE
)

_HYPOTHESIS = re.compile(
    r"(?<!\w)(?:якби|аби ж|якщо б|уяв(?:и|іть)|припустимо|можливо|мабуть|напевно|напевне|ймовірно|здається|може|раптом|"
    r"хотілося|хотілось|мріяли|наче|ніби|нібито|немов|б|би|"
    r"if|would|could|might|maybe|perhaps|probably|imagine|suppose|wish|hypothetically|what if|i guess|"
    r"i'd|we'd|you'd|they'd|he'd|she'd|as if|pretend|unless|supposedly|allegedly)(?!\w)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?<!\w)(?:якби|якщо|уяви|уявіть|припустимо|if|unless|б|би|would|imagine|suppose|wish)(?!\w)", re.IGNORECASE
)
_IDIOM = re.compile(
    r"(?<!\w)(?:якщо (?:що|чесно|коротко)|if (?:anything|you ask me|i may|you must know))(?!\w)", re.IGNORECASE
)
_IRONY = re.compile(
    r"[🙃🤡😏🙄]|(?:^|\s)/s(?:$|\s)|(?<!\w)(?:ага,? (?:щас|зараз|аякже|звісно|конечно|ну)|ну (?:звісно|аякже|ага|так)|аякже|"
    r"авжеж|щас|сарказм off|yeah,? (?:right|sure)|sure,? (?:jan|because|right)|as if|oh sure|not\)$|жартую|шуткую|шучу|"
    r"just kidding|kidding|jk|joking|just joking|lol jk|(?:это|це) жарт|нє,? ну|ржу)(?!\w)|, ага\W*$|\b(?:ага|угу),? (?:ага|угу)\b"
    r"|^(?:ага|угу|o?h? ?sure|of course|звісно|звичайно|right),? (?:ми ж|я ж|ми|ж|ну|because|cause|we|i) ",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?<!\w)(?:каже|кажуть|казав|казала|казали|сказав|сказала|сказали|говорить|говорять|цитую|цитата|мовляв|"
    r"says|they say|people say|said|saying|tells? (?:me|us)|told (?:me|us)|quote|quoting|according to|apparently|reportedly|goes like|be like)(?!\w)",
    re.IGNORECASE,
)
_HEARD = re.compile(
    r"(?<!\w)(?:говорив|говорила|пише|пишуть|писали|писав|писала|читав|читала|чув|чула|чули|розповідав|розповідала|"
    r"розповідає|розповіла|розповів|бачив пост|heard|read (?:that|somewhere)|claims?|claimed|wrote|writes|told)(?!\w)",
    re.IGNORECASE,
)
_SONG = re.compile(
    r"[♪♫♬🎵🎶🎤]|(?<!\w)(?:співа\w+|пісн[яіюе]\w* (?:така|там|є)|приспів|lyrics?|ля-ля|ла-ла|la la|chorus|наспіву\w+)(?!\w)",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"(?<!\w)(?:персонаж\w*|головн\w+ геро\w+|у фільмі|в фільмі|у серіалі|в серіалі|у книзі|в книзі|у грі|в грі|у сні|снилос\w*|снил[оа]|"
    r"in (?:the|this|that) (?:movie|film|book|show|series|game|novel|story|dream)|the (?:character|protagonist|villain|hero)|"
    r"dreamt|i dreamed|had a dream (?:that|where)|анекдот\w*|joke goes)(?!\w)",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"(?<!\w)(?:сьогодні|зараз|щойно|сьодні|цієї хвилини|вже йду|завтра|післязавтра|вчора|"
    r"today|tonight|right now|at the moment|this (?:morning|evening|afternoon|minute|weekend)|tomorrow|yesterday|just now|atm|rn)(?!\w)",
    re.IGNORECASE,
)
_OTHER_GROUP = re.compile(
    r"(?<!\w)(?:(?:у|в|на|по) (?:\w+ ){0,2}(?:роботі|офісі|родині|сім'ї|школі|садочку|садку|універі|університеті|гуртожитку|під'їзді|"
    r"будинку|осбб|корпорації|компанії\b(?! друзів)|команді|відділі|батьків|церкві|армії|селі|місті|країні|класі|спортзалі|залі|клубі|"
    r"них|неї|нього|сусід\w*|друзів|подруг\w*|друга)(?!\w)"
    r"|(?:чат\w*|груп\w*|канал\w*|бесід\w*) (?:осбб|батьків|школи|класу|роботи|під'їзду|будинку|сусідів|мешканців|випускників|друга|подруги)"
    r"|(?:сусідн|інш|робоч|шкільн|батьківськ|стар|чуж|їхн|колишн|дитяч)\w* (?:чат|сервер|канал|груп|бесід)\w*|"
    r"at (?:my |our |the )?(?:work|job|office|school|gym|home|company|uni|university|church)|"
    r"(?:my|our|their|his|her|another|other|friend's|the other|old|previous|parents'?) "
    r"(?:\w+(?:'s)? ){0,2}(?:family|team|company|office|school|class|gym|band|server|channel|discord|slack|workplace|neighbou?rs|other chat|"
    r"parents|ex|friend'?s?)(?: chat| group)?|"
    r"\w+'s (?:\w+ )?(?:chat|group|server)|in (?:another|a different|some other|their|his|her) (?:\w+ )?(?:chat|group|server)|"
    r"work chat|family chat|school chat|parents'? chat)(?!\w)",
    re.IGNORECASE,
)
_PRIVATE_WE = re.compile(
    r"(?<!\w)(?:ми (?:з|із|зі) (?!вами|усіма|всіма)\w+|ми (?:\w+ ){1,2}(?:з|із|зі) (?-i:[А-ЯІЇЄҐ])\w+|(?:вони|they)(?: \w+)? (?:тут|усі|всі|all|here)|(?:з|із|зі) (?:дружин|чоловік|сестр|брат|мам|тат|батьк|дітьми|сином|дочк|доньк|"
    r"хлопц|дівчин|колег|сім'є|родин|кот)\w*|нас удвох|нас двоє|нас із|"
    r"(?:my|our) (?:wife|husband|kids?|son|daughter|boyfriend|girlfriend|partner|family|mom|mum|dad|parents|sister|brother|roommates?|"
    r"cat|dog|boss|colleagues?|coworkers?|landlord)\b|me and (?:my|the)|"
    r"(?:wife|husband|boyfriend|girlfriend|partner|he|she) and i(?!\w)|^[\w']+ and i(?!\w))(?!\w)",
    re.IGNORECASE,
)
_INTERROGATIVE = re.compile(
    r"^(?:а |і |й |ну |та |то |так |и |and |but |so |hey |hi |guys,? |народ,? |хлопці,? )*"
    r"(?:хто|що|шо|чому|навіщо|як(?!що|би| завжди| зазвичай| же)|який|яка|яке|які|скільки|чи|куди|звідки|хіба|невже|нащо|чого|"
    r"who|what|what's|why|how|which|whose|do|does|did|is|are|was|were|can|could|should|shall|will|would|have|has|"
    r"(?:anyone|anybody) (?:know|here|else|want|got|have|seen|up|who|in|down|free|tried|able|interested)|isn't|aren't|don't (?:we|you|they)|хтось|комусь|є хто)(?!\w)",
    re.IGNORECASE,
)
_WISH_FOR_RULE = re.compile(
    r"(?<!\w)(?:правил\w* гри|rules? of (?:thumb|the game)|rules are rules|за правил\w+|golden rule|правило левої)(?!\w)",
    re.IGNORECASE,
)
_SHARE_RETOLD = 0.6
_MIN_RETOLD_WORDS = 3
_STEM = 5


def has_injection(text: str) -> bool:
    """Whether a text tries to instruct the bot, to pass for its machinery, or to dictate what it remembers."""
    plain = unicodedata.normalize("NFKC", unify_apostrophes(text))  # a backtick is an apostrophe by now
    if _OBFUSCATION.search(plain):
        return True
    if _MIXED_SCRIPT.search(plain) and any(_INJECTION.search(variant) for variant in _unmasked(plain)):
        return True
    return bool(_INJECTION.search(plain))


def _unmasked(text: str) -> tuple[str, str]:
    visible = _INVISIBLE.sub("", text)
    return visible, visible.translate(_LOOKALIKES)


def dictates_memory(text: str) -> bool:
    """Whether a text tells somebody to remember something: only the speaker's own facts may follow from it."""
    return bool(_DIRECTED_MEMORY.search(text))


def mentions_bot(text: str, bot_names: Iterable[str]) -> bool:
    """Whether a text is about a bot (by any name) or about how one is instructed."""
    words = set(tokens(text))
    return bool(_BOT_WORD.search(text)) or any(set(tokens(name)) <= words for name in bot_names if tokens(name))


def has_link(text: str) -> bool:
    """Whether a text carries an address or a handle: nothing to remember people by."""
    return bool(_LINK.search(text))


def is_question(text: str) -> bool:
    """Whether a sentence without a question mark still asks."""
    return bool(_INTERROGATIVE.search(text))


def is_hypothetical(text: str) -> bool:
    """Whether a sentence says what might be rather than what is."""
    return bool(_HYPOTHESIS.search(text))


def is_conditional(text: str) -> bool:
    """Whether a sentence is bound to a condition that need not hold."""
    return bool(_CONDITION.search(_IDIOM.sub(" ", text)))


def is_ironic(text: str) -> bool:
    """Whether a message carries a marker of irony or takes itself back."""
    return bool(_IRONY.search(text.strip()))


def is_quoted(text: str) -> bool:
    """Whether a sentence says that somebody speaks in it, sings it, or that it is fiction."""
    return bool(_SAID.search(text) or _SONG.search(text) or _FICTION.search(text))


def is_reported(text: str) -> bool:
    """Whether a sentence hands on what somebody else said or wrote: hearsay about a group teaches nothing."""
    return is_quoted(text) or bool(_HEARD.search(text))


def is_momentary(text: str) -> bool:
    """Whether a sentence is about this moment or day only."""
    return bool(_MOMENT.search(text))


def is_about_another_group(text: str) -> bool:
    """Whether "we" in a sentence is a family, a firm or another chat."""
    return bool(_OTHER_GROUP.search(text) or _PRIVATE_WE.search(text))


def is_figure_of_rule(text: str) -> bool:
    """Whether the word "rule" in a sentence is about no rule of the chat."""
    return bool(_WISH_FOR_RULE.search(text))


def is_retold(text: str, told: Sequence[str]) -> bool:
    """Whether most of the words of `text` were already in one of `told` (what the bot said): nobody's own words.

    Compares word beginnings, so that a retelling in another person or case is recognised.
    """
    stems = {word[:_STEM] for word in tokens(text) if len(word) > 2}
    if len(stems) < _MIN_RETOLD_WORDS:
        return False
    return any(_overlap(stems, speech) >= _SHARE_RETOLD for speech in told)


def _overlap(stems: set[str], speech: str) -> float:
    return len(stems & {word[:_STEM] for word in tokens(speech)}) / len(stems)
