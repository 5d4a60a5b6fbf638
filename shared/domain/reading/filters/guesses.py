"""Demographic guesses: gender, age, origin, faith and the like, unless the member says so of themselves.

A stated age is a fact, an inferred one is not (DESIGN, rulings). A trait is stated when the quote predicates it of
"I" or "we": neither a wife's nationality nor a German beer says anything about the speaker.
"""

# ruff: noqa: E501  (a list of words is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from shared.domain.reading.filters.lists import listed
from shared.domain.reading.filters.subjects import lead_of
from shared.domain.reading.filters.support import number, numbers
from shared.domain.text.language import lemma, tokens
from shared.domain.text.words import readings

_TRAITS = {
    "woman": "female woman girl lady gal жінка жінкою дівчина дівчиною жіночої жіноча жіночий пані",
    "man": "male man boy guy dude gentleman чоловік чоловіком хлопець хлопцем чоловічої чоловіча чоловічий пан",
    "nonbinary": "nonbinary non-binary небінарн*",
    "young": "young youngster юний юна молодий молода молодою молодим",
    "old": "old elderly aged літній літня похилого старий стара старша старший немолод*",
    "middle": "middle середнього",
    "teen": "teen teenager teenage adolescent підліт*",
    "pensioner": "pensioner retiree retired пенсіонер*",
    "generation": "millennial boomer zoomer gen-z міленіал* зумер* бумер*",
    "ukrainian": "ukrainian україн*", "russian": "russian росіян*", "polish": "polish pole поляк* полька польк* польськ*",
    "jewish": "jewish jew євре*", "german": "german німец* німк* німці", "american": "american америк*", "british": "british briton brit британ*",
    "english": "english англієць англій* англіч*", "french": "french frenchman француз*", "georgian": "georgian грузин*", "belarusian": "belarusian білорус*", "romanian": "romanian румун*",
    "hungarian": "hungarian угор*", "indian": "indian індіє* індус* індій*", "chinese": "chinese китає* китая*", "turkish": "turkish turk туро* турчин* турк*", "tatar": "tatar татар*",
    "roma": "roma romani ром ромка роми", "italian": "italian італій*", "spanish": "spanish іспан*", "canadian": "canadian канад*", "czech": "czech чех чешка", "lithuanian": "lithuanian литов*",
    "japanese": "japanese япон*", "irish": "irish ірландец* ірландк*", "african": "african африкан*", "european": "european європе*", "slavic": "slavic slav слов'ян*",
    "christian": "christian християн*", "muslim": "muslim islamic мусульман*", "orthodox": "orthodox православн*", "catholic": "catholic католи* католик*", "greekcatholic": "greek-catholic грекокатоли*",
    "protestant": "protestant baptist протестант* баптист*", "atheist": "atheist agnostic атеїст* агностик*", "religious": "religious believer devout віруюч* релігійн* набожн*", "buddhist": "buddhist буддист*",
    "gay": "gay homosexual queer lgbt гей гомосексуал* квір*", "lesbian": "lesbian лесбі*", "bisexual": "bisexual bi бісексуал* бі", "straight": "straight heterosexual гетеросексуал*",
    "trans": "trans transgender трансген*",
    "white": "white caucasian білий біла білою", "black": "black чорношкір* темношкір*", "asian": "asian азіат* азійськ*", "latino": "latino latina hispanic латиноамерикан*",
}  # fmt: skip
"""Traits by the words for them in both languages; a star ends a beginning."""

_KIN = {"woman": "mother mom mum mama wife daughter sister aunt grandmother grandma bride she мама мати дружина донька дочка сестра бабуся тітка наречена вагітна pregnant", "man": "father dad husband son brother uncle grandfather grandpa groom he тато батько чоловік син брат дідусь дядько"}  # fmt: skip
_LINKS = listed("""
    am i'm im i've been was were be are is a an the as being born very quite still just also actually really proud
    openly practicing practising half part full total true typical simple ordinary another only even fellow є була
    був бути ж же вже теж також сама сам дуже ще чисто справжня справжній звичайна звичайний така такий просто щира
    щирий типова типовий як наполовину
""")
_SELF = listed("i i'm im i've we we're us me я ми мене нас")
_OWNERS = listed("""
    my our his her their your this that the every some мій моя моє мої наш наша наші його її їх їхній ця цей та той
    одна один якась якийсь
""")
_COPULAS = listed("""
    is was are be been being seems to a an the very quite still openly practicing practising proud also native
    є це був була дуже досить ще вже за національністю identifies as сам сама ймовірно
""")
_FOLLOW = listed("""
    in by and with who from of at since but or за і й та з із зі в у від або але що хто яка який віку woman man girl
    boy lady guy person adult жінка чоловік людина особа дівчина хлопець стать статі speaker descent origin heritage
    background походження
""")
_GUESSED = re.compile(
    r"\b(?:gender|sex|ethnicity|race|nationality|religion|faith|skin colou?r|orientation)(?:'s| is|:)"
    r"|\bof \w+ (?:descent|origin|heritage|ancestry)\b|(?<!\w)(?:стать|етнічн\w+|національність|раса|віросповідання|"
    r"походження|орієнтація)(?!\w)",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"\byears? old\b|\bage is\b|\baged? \d|\b\d{1,2}[- ]year[- ]old\b|\b\d{1,2} ?y\.?o\b|\bturn(?:s|ed) \d"
    r"|\bin (?:his|her|their) (?:\w+ )?(?:teens|twenties|thirties|forties|fifties|sixties|[2-7]0s)\b"
    r"|\b(?:over|under|about|around|roughly|approximately) (?:twenty|thirty|forty|fifty|sixty|[1-7]\d)\W*$"
    r"|\bis (?:a )?(?:twenty|thirty|forty|fifty|sixty)-?something\b|\bborn in \d{4}"
    r"|(?<!\w)\d+ (?:років|роки|рік|річн\w+)\W*$|(?<!\w)(?:років|роки|рік) (?:віку|від роду)|(?<!\w)вік(?:ом)?(?!\w)"
    r"|(?<!\w)(?:має|виповни\w+|стукну\w+) (?:\w+ )?\d+ (?:рок|рік)|(?<!\w)\d+-?річн\w+"
    r"|(?<!\w)(?:близько|приблизно|понад|десь|старш\w+ (?:за|від)|молодш\w+ (?:за|від)|за|під) "
    r"(?:\d+(?: рок\w+)?\W*$|(?:двадцят|тридцят|сорок|п'ятдесят|шістдесят|сімдесят)\w*)|(?<!\w)народи\w+ (?:в|у) \d{4}",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:years?|yrs?|yo|y|рок\w*|рік|річ\w*|лєт|today|now|already|soon|this|next|tomorrow|and|but|so|in|"
                    r"with|here|still|вже|уже|сьогодні|завтра|мені|і|й|та|а|але|стукнуло|виповни\w+|буде|th|birthday)")  # fmt: skip
_CAME_OF_AGE = re.compile(r"виповни\w+|стукну\w+|рок\w*|рік|years?")
_NEAR = 5
_BEFORE_AGE = re.compile(r"turn\w*|aged?|i'm|im|am|born|виповни\w+|стукну\w+|мені|народи\w+")


def is_guess(content: str, said: str, participants: Mapping[int, Sequence[str]]) -> bool:
    """Whether a content says what the member is, or how old, without their saying so."""
    lead = lead_of(content, participants)
    if _AGE.search(lead.rest) and not _is_age_said(lead.rest, said):
        return True
    if lead.possessive and not _GUESSED.search(lead.rest):
        return False
    claimed = _claimed(lead.rest)
    if not claimed and _GUESSED.search(lead.rest):
        return not set(tokens(lead.rest)[-2:]) & set(tokens(said))
    return any(not _states(trait, said) for trait in claimed)


@lru_cache(maxsize=5_000)
def _trait(word: str) -> str | None:
    """The trait that a folded word names."""
    for form in (word, lemma(word)):
        for trait, words in _TRAITS.items():
            if any(form.startswith(name[:-1]) if name.endswith("*") else form == name for name in words.split()):
                return trait
    return None


def _claimed(rest: str) -> list[str]:
    """Traits in the place of the predicate ("is a young woman"); "young wine" and "English teacher" are none."""
    words = tokens(rest)
    if _GUESSED.search(rest):
        return [trait for word in words if (trait := _trait(word))]
    at = 0
    while at < len(words) and words[at] in _COPULAS and not (_trait(words[at]) and at + 1 >= len(words)):
        at += 1
    found: list[str] = []
    before = [trait for word in words[:at] if (trait := _trait(word))]
    while at < len(words) and (trait := _trait(words[at])):
        found.append(trait)
        at += 1
    return (
        before + found if found and (at >= len(words) or not _FOLLOW.isdisjoint((words[at], lemma(words[at])))) else []
    )


def _states(trait: str, said: str) -> bool:
    """Whether the quote says the trait of its speaker."""
    return any(_states_clause(trait, tokens(clause)) for clause in re.split(r"[.!?;:\n,—–]+", said))


def _states_clause(trait: str, words: Sequence[str]) -> bool:
    return any(
        _names(trait, word) and _is_of_speaker(words[:at], many=_is_plural(word)) for at, word in enumerate(words)
    )


def _is_plural(word: str) -> bool:
    """English only: "girls, who's up?" says nothing of the speaker, "we girls" does."""
    return word.isascii() and lemma(word) != word and (word.endswith("s") or word in ("women", "men"))


def _names(trait: str, word: str) -> bool:
    return _trait(word) == trait or lemma(word) in _KIN.get(trait, "").split() or word in _KIN.get(trait, "").split()


def _is_of_speaker(before: Sequence[str], *, many: bool) -> bool:
    """Whether what stands before a trait links it to "I": fillers, and one unknown word after an article or "am"."""
    unknown, linked = False, False
    for word in reversed(before):
        if word in _SELF or word in ("as", "як"):
            return not unknown or linked or word.endswith(("'m", "'re", "im")) or not word.isascii()
        if word in _OWNERS:
            return False
        if word in _LINKS or _trait(word) or number(word) is not None:
            linked = linked or word in ("a", "an", "am", "be", "been", "was", "were", "being")
            continue
        if (
            unknown
            or linked
            or _is_verb(word)
            or word.endswith("ing")
            or word in ("from", "in", "with", "at", "on", "of", "to", "not", "не", "з")
        ):
            return False
        unknown = True
    return not many and not unknown


def _is_verb(word: str) -> bool:
    return any(reading.startswith("#") for reading in readings(word))


def _is_age_said(content: str, said: str) -> bool:
    """Whether every number of an age was said, and as an age or a count of years."""
    claimed, words = numbers(content), tokens(said)
    if not claimed:
        return False
    return bool(claimed & numbers(said)) and any(_is_age(at, words) for at in range(len(words)))


def _is_age(at: int, words: Sequence[str]) -> bool:
    if number(words[at]) is None:
        return False
    following = words[at + 1] if at + 1 < len(words) else ""
    if not following or number(following) is not None or _YEARS.fullmatch(following):
        return True
    if any(_CAME_OF_AGE.fullmatch(word) for word in words[at + 2 : at + _NEAR]):
        return True
    return bool(at and _BEFORE_AGE.fullmatch(words[at - 1]))
