"""What must not teach: instructions to the bot, questions, hypotheses, irony, other groups, moods of a moment.

A wrong fact is worse than a missing one, so a guard that fires too often is the right kind of wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from shared.domain.reading.guards.injection import instructs
from shared.domain.reading.matching.marks import Marks
from shared.domain.text.language import tokens
from shared.domain.text.words import analyse

_DIRECTED_MEMORY = re.compile(
    r"(?<!\w)(?:запам'ята\w*|remember (?:this|that|about|it|:)|remember,? (?!when))", re.IGNORECASE
)
_LINK = re.compile(
    r"https?://|www\.|t\.me/|\w\.(?:com|net|org|info|ru|ua|example|io|me)(?:/|\b)|(?<!\w)@\w{3,}", re.IGNORECASE
)
_IRONY = re.compile(
    r"[🙃🤡😏🙄]|(?:^|\s)/s(?:$|\s)|(?<!\w)(?:oh yeah,? i'm|didn't you know|хіба не знали|(?:ви|ти) (?:що )?не знали|"
    r"ага,? (?:щас|зараз|аякже|звісно|конечно|ну)|ну (?:звісно|аякже|ага|так)|аякже|"
    r"авжеж|щас|сарказм off|yeah,? (?:right|sure)|sure,? (?:jan|because|right)|as if|oh sure|not\)$|жартую|шуткую|шучу|"
    r"just kidding|kidding|jk|joking|just joking|lol jk|(?:это|це) жарт|нє,? ну|ржу)(?!\w)|, ага\W*$|\b(?:ага|"
    r"угу),? (?:ага|угу)\b"
    r"|^(?:ага|угу|o?h? ?sure|of course|звісно|звичайно|right),? (?:ми ж|я ж|ми|ж|ну|because|cause|we|i) ",
    re.IGNORECASE,
)
_IRONIC = (
    "🙃", "🤡", "😏", "🙄", "/s", "ага", "угу", "ну ", "аякже", "авжеж", "щас", "сарказм", "sure", "right", "as if",
    "not)",
    "жарт", "oh yeah", "you know", "не знали", "шутк", "шуч", "kidding",
    "jk", "joking", "нє", "ржу", "of course", "звісно", "звичайно",
)  # fmt: skip
"""Parts of words without which a message is not looked at for irony."""
_NOTES = frozenset("♪♫♬🎵🎶")
_NOTE_GAP = 10
"""Characters between two notes that are lyrics rather than two notes in a row."""
_LISTS = {
    name: words.split()
    for name, words in {
        "lead": "а і й ну та то так и ой and but so hey hi well guys народ хлопці дівчата люди друзі ,",
        "place": """
            робота офіс родина сім'я школа садочок садок універ університет гуртожиток під'їзд будинок осбб корпорація
            компанія команда відділ церква армія клас спортзал зал клуб лікарня завод контора фірма
            редакція кафедра спільнота сусід друг подруга знайомий колега батько бабуся =них =неї =нього =інших""",
        "whose": """
            осбб батьки батьків батько школа клас робота під'їзд
            будинок сусід мешканець випускник друг подруга колега мама
            сестра брат курс універ садочок садок дача""",
        "apart": """
            =сусідньому =сусідніх =чужому робочий шкільний батьківський старий їхній колишній дитячий сімейний домовий
            мамський""",
        "talk_place": "чат чаті чату чатик сервер канал група бесіда дискорд",
        "kin": """
            дружина чоловік сестра брат мама тато батько батьки діти дитина син дочка донька хлопець дівчина колега
            колеги сім'я родина кіт малий мала подруга друг друзі бабуся дід дідусь кум кума сусід сусідка""",
        "kin_en": """
            wife husband kid son daughter boyfriend girlfriend partner family mom mum dad parent sister brother roommate
            flatmate housemate cat dog boss colleague coworker landlord gran grandma grandpa nan cousin uncle aunt""",
        "work": "work job office school gym home company uni university church college",
        "theirs": "my our their his her another other friend's parents your its",
        "elsewhere": """
            family team company office school class gym band server channel discord slack workplace neighbour neighbor
            parent ex friend friend's club firm department church boss street""",
        "ask_bot": """
            перекласти перекладати#he перекладати#imp =переклади =перекладіть
            =напиши =склади =перепиши =поясни =виправ =повтори
            =скажи =намалюй =згенеруй =придумай =вигадай =перевір =процитуй =озвуч =розкажи =зроби =заспівай =продовж
            =порахуй =знайди =нагадай =підсумуй =translate =write =compose =rewrite =summarise =summarize =explain
            =fix =proofread =paraphrase =repeat =say =sing =draw =generate =describe =convert =correct =check =tell
            =make =finish =continue =remind =rate =invent =imagine =pretend""",
        "story": "фільм серіал книга гра сон казка роман мультик пісня кіно книжка",
        "story_en": "movie film book show series game novel story dream song",
    }.items()
}


def _marks(source: str) -> Marks:
    return Marks(source, _LISTS)


_BOT_WORD = _marks(
    "бот|боте|боту|боти|ботик|bot|chatbot|асистент|assistant|нейронка|gpt|chatgpt|чатгпт|llm|промпт|prompt|system"
)
_HYPOTHESIS = _marks("""
    якби|=уяви|уявіть|припустимо|припустити#we|можливо|мабуть|напевно|напевне|ймовірно|здаватися#he|=може|раптом
    наче|ніби|нібито|немов|б|би|=хотілося|=хотілось|=мріяли|=б|=би
    if|would|could|might|maybe|perhaps|probably|imagine|suppose|hypothetically|pretend|unless
    wish !me|us|him|her|luck
    supposedly|allegedly
    i guess|reckon
    аби ж
    as if
""")
_WHATEVER = _marks("""
    що|шо|чого|хто|як|де|куди|який|яка|яке|які|скільки б|би не
""")
"""A "б" that supposes nothing: "про що б не почали, …"."""
_CONDITION = _marks("""
    якби|=уяви|уявіть|припустимо|unless|imagine|suppose
    якщо !що|чесно|коротко
    if !anything|you|i|there
    if there is|are|was !one
    if you !ask|must
    if i !may
""")
_SUPPOSITION = _marks("""
    б|би|=б|=би|would
    wish !me|us|him|her|luck
""")
_SAID = _marks("""
    казати#he|казати#they|казати#past|казати#pastpl|сказати#past|сказати#pastpl|сказати#he|сказати#they
    говорити#he|говорити#they|цитувати|цитата|мовляв
    =says|said|saying|quote|quoting|apparently|reportedly
    people|they say
    tell me|us
    =told
    according to
    as _{1,2} put|puts it
    go|be like ,? i|we|he|she|they|=my
""")
_HEARD = _marks("""
    говорити#past|говорити#pastpl|писати#he|писати#they|писати#past|писати#pastpl|читати#past|чути#past|чути#pastpl
    розповідати#past|розповідати#pastpl|розповідати#he|розповісти#past|розповісти#pastpl|розказувати#past
    бачити#past пост|новина|оголошення
    вони|він|вона _{0,2} домовитися|вирішити|погодитися|постановити
    he|she|they agreed|decided
    heard|claim|wrote|=writes|=told
    read that|somewhere
    be on about
""")
_SONG = _marks("""
    співати#he|співати#they|співати#past|наспівувати|приспів|lyric|lyrics|ля-ля|ла-ла|chorus|ля
    пісня такий|там|є|про
    la la
""")
_FICTION = _marks("""
    персонаж|анекдот|protagonist|villain|=снилося|=снилось|=снився|=снилася|=приснилося|=приснилось|=наснилося
    =приснився|=приснилася|=приснилися|dreamt
    головний герой|героїня
    у|в _? @story
    дочитати до _
    in the|this|that @story_en
    the|my|his|her character|hero|heroine|paladin|rogue|wizard|bard|druid|avatar|sim
    character sheet|creation
    in my dreams|imagination|fantasies|head
    main guy|character
    i dreamed
    have a dream
    joke go
    chapter #num
""")
_MOMENT = _marks("""
    сьогодні|зараз|щойно|сьодні|завтра|післязавтра|вчора|учора|today|tonight|tomorrow|yesterday|atm|rn
    цей хвилина|ранок|вечір
    вже йти#i
    right|just now
    at the moment
    this morning|evening|afternoon|minute|weekend|week
""")
_OTHER_GROUP = _marks("""
    у|в|на|по _{0,2} @place
    у|в|по _? =місті|=селі|=країні|=області|=районі
    @talk_place _? @whose
    @apart @talk_place
    у|в|на =іншому|=іншій|=інших @talk_place
    at my|our|the|a? _? @work
    @theirs _{0,2} @elsewhere
    old|previous|former _? school|job|team|company|office|chat|group|server|class|discord|slack
    *'s _? chat|group|server|club
    in another|different|their|his|her _{0,2} chat|group|server
    work|family|school|parent|parents|neighbour|neighbor chat|group
""")
_TALK_ELSEWHERE = _marks("""
    @talk_place _? @whose
    @apart @talk_place
    *'s _? chat|group|server
    their|his|her|my _{0,2} chat|group|server
    work|family|school|parent|parents|neighbour|neighbor|class chat|group
""")
_PRIVATE_WE = _marks("""
    ми _{0,2} з|із|зі @kin
    ми _? з|із|зі #cap
    з|із|зі @kin
    вони|they _? тут|усі|всі|all|here
    нас удвох|двоє|із
    my|our @kin_en
    me and my|the
    @kin_en|he|she and i
""")
_PAIR = _marks("_ and =i")
_INTERROGATIVE = _marks("""
    @lead* хто|що|шо|чому|навіщо|який|яка|яке|які|скільки|чи|куди|звідки|хіба|невже|нащо|чого|хтось|комусь
    @lead* як !завжди|зазвичай|же|=і|казати
    @lead* є хто
    @lead* who|what|why|how|which|whose|=whats|=wheres|=whos|=hows|=did|=was|=were|could|should|shall|will|would|=had
    @lead* =is|are|do|does|can|have|has|did !not|to
    @lead* =is|are|do|does|can|have|has|did not i|we|you|he|she|it|they|that|there
    @lead* anyone|anybody know|here|else|want|got|have|see|up|in|down|free|try|able|interested
""")
_ONLY_LIKE_A_QUESTION = _marks("""
    @lead* що|шо не день|тиждень|рік|раз|вечір|ранок|повідомлення
    @lead* як правило|виявитися
    @lead* як не про|за
    @lead* про? що|шо б не
    @lead* який|яка|яке|які б не
    @lead* what !do|did|be|should|can|will|would|have _{0,3} us|we _{0,4} =is
""")
_FIGURE_OF_RULE = _marks("""
    правило гра|цей
    rule of thumb|the|a
    rule be rule|make
    за правило
    golden rule
    правило лівий
    правило мати|є винятки|виняток
""")
_REQUEST = _marks("""
    @lead* (будь|ласка|можеш|please|pls|can|could|you|плз|,)* @ask_bot
""")
_SHARE_RETOLD = 0.6
_MIN_RETOLD_WORDS = 3
_STEM = 5


def has_injection(text: str) -> bool:
    """Whether a text tries to instruct the bot, to pass for its machinery, or to dictate what it remembers."""
    return instructs(text)


def dictates_memory(text: str) -> bool:
    """Whether a text tells somebody to remember something: only the speaker's own facts may follow from it."""
    return bool(_DIRECTED_MEMORY.search(text))


def mentions_bot(text: str, bot_names: Iterable[str]) -> bool:
    """Whether a text is about a bot (by any name) or about how one is instructed."""
    words = analyse(text)
    return _BOT_WORD.mark(words) or any(parts and parts <= words.atoms for parts in map(_parts, bot_names))


@lru_cache(maxsize=64)
def _parts(name: str) -> frozenset[str]:
    return frozenset(tokens(name))


def has_link(text: str) -> bool:
    """Whether a text carries an address or a handle: nothing to remember people by."""
    return ("." in text or "/" in text or "@" in text) and bool(_LINK.search(text))


def is_question(text: str) -> bool:
    """Whether a sentence without a question mark still asks."""
    words = analyse(text)
    return _INTERROGATIVE.begin(words) is not None and _ONLY_LIKE_A_QUESTION.begin(words) is None


def is_hypothetical(text: str) -> bool:
    """Whether a sentence says what might be rather than what is."""
    words = analyse(text)
    return _HYPOTHESIS.mark(words) and not (_WHATEVER.mark(words) and text.casefold().count(" б") == 1)


def is_conditional(text: str) -> bool:
    """Whether a sentence is bound to a condition that need not hold.

    What only its later clauses suppose ("been there twice, would go back") leaves the first one as it is.
    """
    return _CONDITION.mark(analyse(text)) or _SUPPOSITION.mark(analyse(text.partition(",")[0]))


def is_ironic(text: str) -> bool:
    """Whether a message carries a marker of irony or takes itself back."""
    folded = text.casefold()
    for trigger in _IRONIC:
        if trigger in folded:
            return bool(_IRONY.search(text.strip()))
    return False


def is_sung(text: str) -> bool:
    """Whether a message stands between notes, or begins with one: lyrics, not what the speaker says."""
    if text.isascii() or _NOTES.isdisjoint(text):
        return False
    notes = [at for at, char in enumerate(text.strip()) if char in _NOTES]
    return notes[0] == 0 or notes[-1] - notes[0] > _NOTE_GAP


def is_quoted(text: str) -> bool:
    """Whether a sentence says that somebody speaks in it, sings it, or that it is fiction."""
    words = analyse(text)
    return _SAID.mark(words) or _SONG.mark(words) or _FICTION.mark(words)


def is_reported(text: str) -> bool:
    """Whether a sentence hands on what somebody else said or wrote: hearsay about a group teaches nothing."""
    return is_quoted(text) or _HEARD.mark(analyse(text))


def is_momentary(text: str) -> bool:
    """Whether a sentence is about this moment or day only."""
    return _MOMENT.mark(analyse(text))


def is_about_another_group(text: str) -> bool:
    """Whether "we" in a sentence is a family, a firm or another chat."""
    words = analyse(text)
    return _OTHER_GROUP.mark(words) or _PRIVATE_WE.mark(words) or _PAIR.begin(words) is not None


def is_about_a_talk_elsewhere(text: str) -> bool:
    """Whether a sentence is about another chat: what is said of it is said of nobody here."""
    return _TALK_ELSEWHERE.mark(analyse(text))


def is_request(text: str) -> bool:
    """Whether a text, addressed to the bot, asks it to do something with words that need not be the speaker's."""
    return _REQUEST.begin(analyse(text)) is not None


def is_figure_of_rule(text: str) -> bool:
    """Whether the word "rule" in a sentence is about no rule of the chat."""
    return _FIGURE_OF_RULE.mark(analyse(text))


def is_retold(text: str, told: Sequence[str]) -> bool:
    """Whether most of the words of `text` were already in one of `told` (what the bot said): nobody's own words.

    Compares word beginnings, so that a retelling in another person or case is recognised. Another number is never a
    retelling, however much of the rest was said: "at 20:00" answers "at 19:00".
    """
    if not told:
        return False
    numbers = _numbers(text)
    stems = {word[:_STEM] for word in tokens(text) if len(word) > 2}
    if len(stems) < _MIN_RETOLD_WORDS:
        return False
    return any(_overlap(stems, speech) >= _SHARE_RETOLD and numbers <= _numbers(speech) for speech in told)


def _numbers(text: str) -> set[str]:
    return {word for word in tokens(text) if any(map(str.isdigit, word))}


def _overlap(stems: set[str], speech: str) -> float:
    return len(stems & {word[:_STEM] for word in tokens(speech)}) / len(stems)
