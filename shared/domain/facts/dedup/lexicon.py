"""Words that mean the same in Ukrainian and English, and words that carry no content: data, and how to look a word up.

A line is `name: patterns`; a pattern ending in `*` is a beginning of words, any other is a whole word or its lemma.
Ukrainian is written as beginnings, so that meaning does not hang on what a lemmatiser makes of an inflected form.
Ambiguous words are left out: a missed merge costs less than a wrong one.
"""

# ruff: noqa: E501  (a list of words is easier to read whole than broken at column 120)
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from shared.domain.facts.dedup.kinds import Kind
from shared.domain.facts.dedup.phrases import PHRASES
from shared.domain.facts.dedup.vocabulary import CONTENT, LANGUAGES, PLACES
from shared.domain.text.language import lemma

_LONGEST_WORD = 40


class Meaning(NamedTuple):
    """A word's part and its canonical name ("coffee" for "кавою")."""

    kind: Kind
    name: str


def words(text: str) -> frozenset[str]:
    """The words of a list written as one text."""
    return frozenset(text.split())


_PARTS = {
    Kind.STOP: """
_: a an the of to in on at for with from by as and or is are be am was were been being it its it's this that these those there here they them their he his him she her we our us i my me you your who which what when where one's
_: user user's member member's person people participant everyone everybody all chat chat's group group's community channel server supergroup someone somebody has have had having do does did doing done will would can could should shall must get got getting go goes going went gone make made
_: so always завжди much then also too just still already currently some any own than such per each both most mostly usually generally typically normally about into out up down off over under again very_much named called name's known said says mentioned told stated considers consider keeps keep
_: у в на з із зі до від для по про за над під при о об і й та або чи що як це цей ця цього той та те ті він вона воно вони його її їх їхній ми нас нам наш наша наше наші я мене мені мій моя ви вас твій свій своя свої своє свою хто який яка яке які коли де там тут ж же
_: користувач* учасни* людин* люди людей чат* груп* спільнот* канал* усі всі всім усім усіх всіх весь вся все кожен кожний кожна хтось є бути був була було були буде будуть має мають маю було-б може можуть ще вже також теж лише тільки зазвичай переважно загалом зараз наразі собі себе разом час часом раз рази разів звати звуть зветься ім'я тощо щодо через між перед після серед тому бо якщо
_: only rule* правил* custom* звич* norm norms норм* tradition* традиці* culture культур* event* подія події подію подій topic* тема теми тему темі темою теми preference* уподоб* вподоб* перевага перевагу fact* факт* info information interest* інтерес* hobby hobbies хобі захоплен* skill* навич* вмінн* goal* ціль цілі мета мету goal style* стиль* стилю thing* річ речі kind type way day days day's день дня дні днів night* вечори time times tradition place close близьк* family сім'я сім'ї родина relationship стосунки
_: discuss* talk* conversation* обговор* говор* розмов* балака* speak_about subject* language languages мова мову мови мовою мов true yes так likes happen* occur* held hold take* took place відбува* проходить проводять проводить надсила* send sends sent post posts posted posting кида* пост* пишуть писати write writes written communicat* спілку* share* shared ділять* гряд* usage use_of
_: habit* customary прийнято заведено tendency common* welcome_to normal особливо especially particularly including включно навіть even every щоб is_in because let's guys after before until till since ago після used yes start* begin* began почин* початок початк* стартує старт starting own owns have живу тримає тримати виховує keep raise raises raising named якийсь якась певний займа* practise* practice* practic* around back once together гуртом спільно спільний спільна спільне отрим* здобу* здати здає здаємо obtain receiv*
_: job occupation profession професі* посад* фах* city town місто місті міста місце resident living lives проживання residence
""",
    Kind.FRAME: """
visit: visit* been відвід* їзд* їхат* поїха* летіл* літа* побува* бував бувала бува* travelled traveled traveling travelling see saw seen seeing бачи* побачи*
live: live lived living reside* residing based dwell* settled мешка* живе жити жив жила живуть прожива* оселив*
work: work* працю* робить робота роботу роботі роботою роботи employed | study: study studies studied studying вчиться навча* вчився вчилася навчан* вчитися | learn: learn* вчить вивча* вивчи* вчити опанов* освою* | play: play* грає грати граю граємо грають зіграти | speak: speak* spoke spoken володі* | know: know* знає знати знаю вмі* уміє able
eat: eat* ate їсть їсти їм вжива* спожива* | drink: drink* drank drunk п'є пити п'ють | read: read* чита* | watch: watch* дивит* дивл* | own: own owns owned | plan: plan plans planned planning планує планують планува* плани готується готуватися готуємося prepar* going_to | want: want* wish* хоче хочуть хотіти хотів хотіла hop* aim* intend* прагне dream* мріє мріяти збираєт* збираю* | try: try tries tried спробу* намага*
wear: wear wears wearing worn носить носити носит носять | be_from: родом походить born народив* grew виріс виросла come comes came | arrange: set scheduled organis* organiz* заплан* признач* влаштов* організ*
""",
    Kind.NEGATION: """
no: not n't never nobody isn't aren't doesn't don't didn't won't can't cannot wasn't weren't hasn't haven't shouldn't mustn't couldn't nothing hasn haven doesn didn isn aren won не ніколи ніхто ані нема немає нічого false
""",
    Kind.NEGATION_AHEAD: """
no: no without non zero none neither nor nope ніяк* жодн* без ні
""",
    Kind.AGAINST: """
hate: hate* hating despise* detest* loathe* ненавид* гидує огид* зневаж* | against: dislike* skip* пропуска* avoid* ban banned bans forbid* forbade prohibit* disallow* refuse* taboo against allergic_to заборон* уника* відмов* проти табу скасув* скасов* скасов cancel* неприпустим* нетерп* недозвол* неприйнятн* undesir* небажан* unwelcome unacceptable inappropriate intolerant мерз* бридить off-limits нелюб* кепськ* заборо* бан банять заборона
""",
    Kind.FOR: """
for: like liking enjoy* love loves loved loving adore* prefer* allow* permit* welcome ok okay fond keen fan fans favor* favour* favourite favorite вподобав люблять любить любити люблю любимо полюбля* подоба* сподоба* обожню* дозвол* можна надає віддає волі* дозволен* вітає* цікав* заходить фанат* фанатк* улюблен* схвалю* allowed смаку* смакує кайфу* кайф фанатіє обожа* relish* appreciat* dig digs permitted acceptable дозволя* хобіст шанувальн* прихильн* поклонни*
""",
    Kind.GIVEN_UP: """
quit: quit* stopped stop stops ceased dropped drops abandon* formerly previously former ex звільни* покину* припини* перестав перестала перестали перестане кинувши зав'язав зав'язала передума* замість кинув кинула колишн* раніше колись відмови* except крім окрім than ніж
""",
    Kind.LOSS: """
lost: sold died dead deceased gone lost shaved overcame overcome outgrew recovered cured shutdown defunct disbanded продав продала продали продано помер померла померли померло здох здохла загинув загинула втратив втратила загубив загубила розійшлися розійшлись розійшовся розійшлася розсталися розстались розстався розсталася порвала порвав з'їхав з'їхала з'їхали віддав віддала віддали розпався розпалась розпалося позбувся позбулася позбулись викинув викинула розбив розбила подолав подолала вилікував вилікувала вилікувався вилікувалась поголив поголила збрив збрила розлюбив розлюбила згоріла згорів
""",
    Kind.PENALTY: """
against: remov* delet* kick* mut* punish* видал* виган* вижен* кік* мут* карає* карають стира*
""",
    Kind.CHANGE: """
now: now instead moved move* relocat* switch* chang* reschedul* postpon* became become turned anymore new_plan тепер відтепер знову again нарешті нещодавно щойно recently lately replac* замін* очолив очолила переїха* перене* перейш* змін* став стала стали посун* віднині оновлен* updated
""",
    Kind.STRONG: """
strong: very really extremely strictly strict absolutely totally definitely completely passionately passionate love loves loved loving adore* huge hugely дуже страшенно суворо строго категорично абсолютно обожню* палко шалено величезн* надзвичайно безмежно цілковито жорстко безумно шалений incredib* extreme severe severely бурхливо важк* сильн* сильно дико обожа* панічно пристрасно deeply
""",
    Kind.LEVEL: """
high: often frequent* high* lots lot many heavily actively active regular* constantly часто багато постійно активно високий висока високе регулярно constant постійний повсякчас
low: rarely rare seldom low few little hardly infrequent* рідк* мало низьк* зрідка
""",
    Kind.DAY: """
monday: monday mon понеділ* щопонеділ* | tuesday: tuesday tue вівтор* щовівтор* | wednesday: wednesday wed середа середу середи середі середою середам щосеред* | thursday: thursday thu четвер* щочетвер* | friday: friday fri п'ятниц* пятниц* щоп'ятниц* щопятниц* | saturday: saturday sat субот* щосубот* | sunday: sunday sun неділ* щонеділ* | weekend: weekend* вихідні вихідних вихідними | anytime: anytime будьколи | tomorrow: tomorrow завтра | today: today tonight сьогодні | weekday: weekday* будні буднях буденн* workday* щобудня
""",
    Kind.MONTH: """
1: january jan січ* | 2: february feb лютий лютого лютому | 3: march mar берез* | 4: april apr квітень квітн* | 5: may травень травн* | 6: june jun червень червн* | 7: july jul липень липн* | 8: august aug серпень серпн* | 9: september sep sept верес* | 10: october oct жовтень жовтн* | 11: november nov листопад* | 12: december dec грудень грудн*
""",
    Kind.NUMBER: """
1: one first перший перша перше першого першому першій першу один одна одне одного одну | 2: two second другий друга друге другого другому другій другу twice couple два дві двох двоє двома двічі | 3: three third третій третя третє третього третьому третю третьої thrice три трьох троє трьома тричі | 4: four fourth четвертий четверта четверте четвертого четвертому четвертій четверту чотири чотирьох четверо | 5: five fifth п'ятий п'ята п'яте п'ятого п'ятому п'ятій п'яту п'ять п'ятьох п'ятеро | 6: six sixth шостий шоста шосте шостого шостому шостій шосту шість шести шістьох | 7: seven seventh сьомий сьома сьоме сьомого сьомому сьомій сьому сім семи | 8: eight eighth восьмий восьма восьме восьмого восьмому восьмій восьму вісім восьми | 9: nine ninth дев'ятий дев'ята дев'яте дев'ятого дев'ятому дев'ятій дев'яту дев'ять дев'яти | 10: ten tenth десятий десята десяте десятого десятому десятій десяту десять десяти | 11: eleven одинадцять | 12: twelve dozen дванадцять | 13: thirteen тринадцять | 14: fourteen чотирнадцять | 15: fifteen п'ятнадцять | 16: sixteen шістнадцять | 17: seventeen сімнадцять | 18: eighteen вісімнадцять | 19: nineteen дев'ятнадцять | 20: twenty двадцять двадцяти | 30: thirty тридцять | 40: forty сорок | 50: fifty п'ятдесят | 60: sixty шістдесят | 70: seventy сімдесят | 80: eighty вісімдесят | 90: ninety дев'яносто | 200: двісті | 500: п'ятсот | 1000: thousand тисяча тисячі тисяч | 100: hundred сто
""",
    Kind.PERIOD: """
fortnightly: fortnight* biweekly двотижнев* | daily: daily nightly everyday щодня щоденн* щовечора щоранку щоноч* | weekly: weekly щотиж* щотижнев* тиждень тижня тижні тижневі week weeks | monthly: monthly щомісяц* щомісячн* місяць місяця month months | yearly: year years рік роки років року yearly annual* щорок* щорічн*
""",
    Kind.UNIT: """
kg: kg кг kilo* кілограм* кіло | km: km км kilomet* кілометр* | cm: cm см centimet* сантиметр* | uah: uah грн гривень гривня гривні гривен hryvnia* | usd: usd dollar* долар* | euro: euro* євро | hour: hour* годин* | minute: minute* mins хвилин* хв | seconds: seconds secs секунд* | percent: percent* відсот*
""",
    Kind.AND: """
and: and і та й but але проте however
""",
}  # fmt: skip

KIN = words(
    "mother father sister brother wife husband son daughter child grandmother grandfather friend cousin parents girlfriend boyfriend "
    "fiance colleague neighbour uncle aunt nephew niece godparent godchild mother_in_law father_in_law stepfather stepmother grandchild boss coach landlord cat dog parrot hamster rabbit horse tortoise guinea_pig"
)
"""Relations (and kinds of pets): a friend Dana is not a cousin Dana."""


def _opposites(text: str) -> dict[str, frozenset[str]]:
    pairs = [pair.split("/") for pair in words(text)]
    return {
        term: frozenset(other for pair in pairs if term in pair for other in pair if other != term)
        for pair in pairs
        for term in pair
    }


ANTONYMS = _opposites(
    "high/low formal/informal short/long quiet/noisy online/offline public/private polite/rude beginner/expert "
    "morning/evening weekday/weekend friendly/toxicity friendly/rude polite/toxicity open/closed happy/sad calm/stressed "
    "married/widowed married/engaged divorced/engaged engaged/dating fluent/beginner native/beginner "
    "cold/heat summer/winter free/paid mandatory/optional early/late big/small public/anonymous optimist/pessimist"
)
"""Canonical names that cannot both hold of the same thing."""

OPPOSITE_STATES = _opposites(
    "earlybird/nightowl introvert/extrovert lefthanded/righthanded vegetarian/meat vegan/meat vegan/dairy remote/office "
    "married/divorced married/dating pregnant/gave_birth army/civilian rent/homeowner alone/roommate alone/parents "
    "alone/partner alone/boyfriend alone/girlfriend alone/husband alone/wife student/graduated study/graduated "
    "unemployed/selfemployed believer/atheist student/dropout "
    "nightshift/dayshift "
    "remote/hybrid office/hybrid fulltime/parttime unemployed/employed "
    "blonde/brunette blonde/redhead brunette/redhead "
    "vegan/cheese vegan/egg vegan/steak vegan/chicken vegan/fish vegan/sausage vegetarian/steak vegetarian/chicken vegetarian/pork vegetarian/beef vegetarian/sausage vegetarian/bacon vegan/milk "
    "windows/macos linux/macos windows/linux android/iphone"
)
"""Canonical names of states of a person that exclude each other, whatever the keys are."""

STATES = words(
    "vegan vegetarian alcohol smoking lefthanded righthanded myopia hyperopia colorblind deaf hair sibling pregnant earlybird "
    "nightowl introvert extrovert selfemployed freelancer unemployed retired remote married divorced engaged widowed migraine asthma "
    "diabetes insomnia epilepsy hypertension celiac anemia arthritis depression anxiety lactose_intolerance adhd autism nightshift atheist christian "
    "catholic orthodox muslim buddhist optimist pessimist veteran tattoo glasses beard redhead brunette blonde rent gluten dairy army keto pescatarian"
)
"""Canonical names that say all by themselves: "vegan" is the same under `diet` and under `food`."""

DOMAINS = {
    term: domain
    for domain, terms in {
        "food": "food fruit drink beverage dish dessert cuisine їжа напій страва кухня фрукт",
        "sport": "sport gym fitness game videogame boardgame",
        "music": "music instrument band song",
        "pet": "pet animal тварина",
        "tongue": "language",
        "tech": "programming technology tech stack software",
        "trade": "job work occupation profession",
        "looks": "appearance hair зовнішність",
        "garden": "gardening dacha",
        "fishing": "fishing",
        "clothes": "clothes одяг",
        "brand": "brand company shop бренд",
    }.items()
    for term in terms.split()
}
"""What world a key's word belongs to: a pear of `fruit` is not a pear of `sport`."""


def _rows(table: str) -> Iterator[tuple[str, list[str]]]:
    for row in table.replace("\n", "|").split("|"):
        name, _, patterns = row.partition(":")
        if patterns.strip():
            yield name.strip(), patterns.split()


def _index() -> tuple[dict[str, Meaning], dict[str, Meaning]]:
    whole: dict[str, Meaning] = {}
    beginnings: dict[str, Meaning] = {}
    tables = [*_PARTS.items(), (Kind.PLACE, PLACES), (Kind.CONTENT, LANGUAGES), (Kind.CONTENT, CONTENT)]
    for kind, table in tables:
        for name, patterns in _rows(table):
            for pattern in patterns:
                target = beginnings if pattern.endswith("*") else whole
                target.setdefault(pattern.rstrip("*"), Meaning(kind, name))
    return whole, beginnings


_WHOLE, _BEGINNINGS = _index()
_SHORTEST, _LONGEST = min(map(len, _BEGINNINGS)), max(map(len, _BEGINNINGS))
_STRONG = {pattern.rstrip("*") for _, patterns in _rows(_PARTS[Kind.STRONG]) for pattern in patterns}


@lru_cache(maxsize=20_000)
def meaning(word: str) -> Meaning:
    """What one folded word is: from the tables, else a word under its lemma."""
    word = word[:_LONGEST_WORD]
    if (known := _WHOLE.get(word)) is not None:
        return known
    dictionary_form = lemma(word)
    if (known := _WHOLE.get(dictionary_form)) is not None:
        return known
    if word.endswith("s") and (known := _WHOLE.get(word[:-1])) is not None:
        return known
    return _begun(word) or _begun(dictionary_form) or Meaning(Kind.WORD, dictionary_form)


def _begun(word: str) -> Meaning | None:
    for size in range(min(len(word), _LONGEST), _SHORTEST - 1, -1):
        if (known := _BEGINNINGS.get(word[:size])) is not None:
            return known
    return None


@lru_cache(maxsize=20_000)
def is_strong(word: str) -> bool:
    """Whether a folded word raises the strength of what is said ("very", "обожнює")."""
    return any(word[:size] in _STRONG for size in range(5, len(word) + 1)) or word in _STRONG


def _phrases() -> dict[str, list[tuple[tuple[str, ...], Meaning]]]:
    """Phrases by the first three letters of their first word."""
    found: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
    for kind, table in PHRASES.items():
        for name, patterns in _rows(table):
            for pattern in patterns:
                parts = tuple(pattern.split("_"))
                found.setdefault(parts[0].rstrip("*")[:3], []).append((parts, Meaning(kind, name)))
    return found


_PHRASES = _phrases()


def phrase_at(raw: list[str], at: int) -> tuple[int, Meaning] | None:
    """The longest phrase that begins with the folded word at `at`: how many words it takes, and what it means."""
    for parts, meant in _phrases_from(raw[at]):
        if at + len(parts) <= len(raw) and all(map(_fits, raw[at + 1 : at + len(parts)], parts[1:])):
            return len(parts), meant
    return None


@lru_cache(maxsize=20_000)
def _phrases_from(word: str) -> tuple[tuple[tuple[str, ...], Meaning], ...]:
    """The phrases that may begin with a word, the longest first."""
    begun = (phrase for size in range(1, 4) for phrase in _PHRASES.get(word[:size], ()) if size <= len(word))
    return tuple(sorted((phrase for phrase in begun if _fits(word, phrase[0][0])), key=lambda phrase: -len(phrase[0])))


def _fits(word: str, part: str) -> bool:
    return word.startswith(part[:-1]) if part[-1] == "*" else word == part
