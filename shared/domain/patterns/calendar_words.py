"""Words and phrases by which regular customs and coming events are told, in both languages."""

# ruff: noqa: E501  (a phrase is easier to read whole than broken at column 120)
from __future__ import annotations

import re

from shared.domain.patterns.marks import Marks

_LISTS = {
    "day": """
        понеділок вівторок середа четвер п'ятниця субота неділя вихідний вихідні пт сб нд пн вт ср чт
        monday tuesday wednesday thursday friday saturday sunday weekend mon tue tues wed thu thurs fri sat sun""",
    "days": """
        понеділках вівторках середах четвергах п'ятницях суботах неділях вихідних понеділкам вівторкам середам четвергам
        п'ятницям суботам неділям вихідним""",
    "days_en": "=mondays =tuesdays =wednesdays =thursdays =fridays =saturdays =sundays =weekends",
    "month": """
        січень лютий =лютого березень квітень травень червень липень серпень вересень жовтень листопад =листопада
        =листопаді грудень january february march april =may june july august september october november december
        jan feb mar apr jun jul aug sep sept oct nov dec""",
    "season": "літо зима весна осінь =осені summer winter spring autumn fall season сезон",
    "feast": """
        різдво великдень паска спас спаса миколай миколая маланка масляна купала івана покрова хелловін хеловін незалежність
        christmas easter halloween thanksgiving hanukkah diwali eurovision євробачення xmas eve сніг snow snowfall день
        свято свята дня birthday anniversary річниця рік""",
    "holiday": """
        різдво великдень паска спас спаса миколай миколая маланка масляна купала покрова хелловін хеловін християнський
        christmas xmas easter halloween thanksgiving hanukkah diwali eurovision євробачення""",
    "every": """
        щопонеділка щопонеділок щовівторка щосереди щочетверга щоп'ятниці щопятниці щосуботи щонеділі щотижня щомісяця
        щороку щоліта щозими щовесни щоосені щовечора щоранку щопершої щоостанньої щодругої щотретьої щорічний щотижневий щомісячний щорічно щотижнево щомісячно
        weekly monthly yearly annual annually biweekly fortnightly quarterly""",
    "each": "кожний кожен =кожного =кожної =кожне =кожну every each",
    "which": """
        перший другий третій четвертий останній парний непарний новий single other first second third fourth last
        2nd 3rd 1st єдиний""",
    "habit": "традиція ритуал звичай tradition ritual",
    "our": "наш наша давній старий добрий чатівський =ця це our a an group chat house family little old",
    "gather": """
        збиратися зібратися зустрічатися зустрітися їхати поїхати летіти полетіти йти піти грати зіграти святкувати
        відсвяткувати виїжджати вирушати стартувати дивитися подивитися влаштовувати влаштувати проводити провести
        планувати відзначати відзначити зідзвонюватися зідзвонитися прибирати садити фарбувати ремонтувати чистити знімати співати пекти варити здавати тусуватися рушати смажити бігати гуляти погуляти
        виступати запускати робити зробити ходити скидатися винаймати бронювати забронювати мандрувати плисти
        репетирувати тренуватися починати починаємо кататися зариватися забитися перетинатися перетнутися""",
    "gather_en": """
        meet go fly drive gather play have host watch celebrate hike camp leave travel throw do organise organize grill
        head start get kick run ride sail hold launch rehearse clean plant paint bake film shoot release deploy perform stay rent book reserve see visit""",
    "occasion": """
        зустріч збір збори вечірка тусовка тусівка народження днюха шашлик шашлики похід концерт квіз квіза настолка
        настолки кіновечір кіноніч кінопоказ перегляд стрім мітап турнір матч пікнік корпоратив весілля виїзд поїздка
        дзвінок созвон толока фестиваль лекція воркшоп хакатон новосілля квартирник вистава забіг тренування екскурсія
        кемпінг гра ігротека барбекю вечеря репетиція виступ ярмарок свято відкриття вебінар ефір марафон захід подія
        зідзвон зум мітинг прем'єра онлайн-лекція онлайн-зустріч ефірчик посиденьки сходка збіговисько презентація виставка семінар конференція сплав суботник залік екзамен
        meetup meet-up party dinner lunch brunch breakfast picnic hike trip drinks bbq barbecue potluck call wedding
        tournament match concert gig quiz trivia hackathon workshop livestream stream screening retreat game bowling
        karaoke birthday bday get-together reunion camping bonfire club housewarming farewell standup rehearsal practice
        race swap fair festival webinar seminar conference lecture performance sale auction training session
        christening flight kickoff kick-off premiere election meeting rehearsals ama sprint anniversary ceremony exhibition walk night cookout raid clean-up cleanup""",
    "due": """
        квиток гроші внесок скинутися скидатися здати здавати забронювати бронювати зареєструватися реєстрація заявка
        передоплата купити відповісти дедлайн оплатити проголосувати голосувати подати надіслати
        ticket rsvp deposit payment pay registration register signup signups sign book booked chip submit deadline due vote
        entry entries fee form dues""",
    "by": "до by before until till",
    "moved": """
        переносити перенести переноситися перенесено перенос зсувати зсуватися зсуваємо зміна зміни змінюватися змінитися
        переграти move moved moving reschedule rescheduled postpone postponed push pushed change changed instead
        scrap замість натомість сунути змістити""",
    "cancelled": """
        скасовувати скасувати скасований скасовано скасовується скасування відміняти відмінити відмінятися відміна відміняється
        cancel cancelled canceled scrapped""",
    "mine": "=я =i мій моя моє =мене =мені =my =me mine he she his her they their він вона вони його її їхній",
}
LISTS = {name: tuple(words.split()) for name, words in _LISTS.items()}


def _marks(source: str) -> Marks:
    return Marks(source, LISTS)


RECURS = _marks("""
    @every
    @each @which? @day|@month|@season|тиждень|місяць|рік|вечір|ранок|week|month|year|night|evening|morning|fortnight
    @each|щоразу _{0,2} @feast
    по @days|@day
    on? @days_en !ago
    @day morning|night|evening|afternoon ,? we|us|be
    every|each !time|one|now|single|thing _{0,2} ,? we
    кожний|кожен !раз _{0,2} ,? #we|ми
    @which @day|день|weekend|day (кожний|кожен|each / of the|each|every / на|у)? місяць|month|рік|year|чверть
    в|у @which день|@day (місяця|місяць|року|рік|чверті)
    раз|двічі|тричі на|у|в (два|три|кілька)? тиждень|тижня|тижні|місяць|рік|півроку|сезон
    once|twice a|every week|month|year|fortnight|season
    have be doing|having|holding|playing|meeting|running|celebrating|hosting _{0,4} since|for
    рік у|в рік
    з рік в|у рік
    year after|on year
    традиційно|традиційний|традиційна|traditionally
    за|по традиція|традицією
    by tradition
    на @feast (ми|завжди)
    щоразу|завжди ,? коли|як
    (every time / whenever / always when) _{1,7}
    (завжди|always) _{0,7} (на|at|on|in|for|у|в|before|after|під) (the|first|last|day|of|new|перший|останній|день)* @feast|@month|@season
    @feast (,|ми|we)* завжди|always
    на|у|в @month|@season|@feast (народження)? ми? _{0,1} завжди
""")
AS_ALWAYS = _marks("""
    як|like|as|same (і|as)? завжди|зазвичай|заведено|щоразу|always|usual|every
    @feast (,|ми|we)* завжди|always
    (завжди|always) _{0,7} @feast
    (завжди|always) _{0,7} @month
    (так / як|it) повелося|повелось|заведено|ведеться
    since #num
    (вже|уже) #num|другий|третій|четвертий|п'ятий|шостий|сьомий|восьмий|десятий|який рік
    (ще)? з (перший|самий)? курсу|школи|початку|заснування
    це святе
    без варіантів
""")
TRADITION = _marks("""
    @our @habit
    @our _ @habit
    @habit (у|в) нас
    @habit чат|такий|тут|є|–|така
    є @habit
    @habit
""")
NO_TRADITION = _marks("""
    який|яка|не|no|not|what|без @habit
    @habit не|був|була|померти|died|dead
    один|один раз|рази
    just once
    (давайте|пропоную|let us|maybe|може) _{0,4} @habit
""")
WE = _marks("""
    ми|=нас|=нам|наш|чат|чаті|збір|разом|#we|всі|усі|we|our|us|everyone|everybody|here|=тут
    this|the _? chat|group|crew|gang
    =всіх|=усіх
    time for
    be (a|an|the)? _{0,2} day|night|potluck|recap|meetup|call|thread|challenge|game|quiz|club|hour|session|party|brunch|dinner|lunch|roundup|showcase|swap|evening
    @day|@days_en – _{1,3}
""")
MINE = _marks("@mine\n#i")
GROUP_VERB = _marks("ми|we|=нас|=us|our|наш|#we|усі|всі|everyone|everybody")
NOT_DONE = _marks("""
    не !забувати|пропускати|пропустити|проспати|спізнюватися|зрадити|лажати #we
    більше|вже|уже не
    ніколи|never|колись|раніше|перестати|anymore
    no longer
    used to
    stop #ing
    do|did|be not
    not !for|only|to|a|late|miss|everyone|all
""")
DAILY = _marks("""
    щодня|daily|щовечора|щоранку
    @each|every (single)? день|дня|day !народження|night|evening|morning|вечір|ранок|ранку|вечора
""")
OPENERS = re.compile(
    r"^(?:as always|as usual|як завжди|як зазвичай|reminder|нагадую|і|а|та|ну|so|and|well|ok|guys|народ|хлопці|друзі)"
    r"(?!\w)[,:]? ?",
    re.IGNORECASE,
)

DATE = _marks("""
    #num (го|е|ого|числа)? @month
    (перший|першого|другого|третього|п'ятого|десятого|двадцятого) @month
    у|в|на|цей|=ця|=цю|=цієї|=цього|наступний|до|з|від|аж|той|найближчий _? @day
    @day ,|о|об|–|#num|увечері|ввечері|вранці|зранку|at|night|evening|morning|afternoon|from
    (#num|*го) (числа|го)
    завтра|післязавтра|tomorrow|tonight
    сьогодні о|об|ввечері|увечері|вечором|вечір
    на _? свято|свята|канікули|вихідні
    наступний тиждень|місяць|рік|тижня|місяця|року
    на цей|наступний|той тиждень|вихідні|вихідних|вихідний
    за|через тиждень|місяць|два|три|#num|пару|кілька (тиждень|тижні|тижня|день|дні|дня|місяць|місяці)?
    влітку|восени|навесні|взимку
    на|у|в|on|at|by @holiday
    на новий рік
    this|next|on|by|until|before|for|to|be|coming|from|till (the)? (next|this|coming)? @day|@days_en|weekend|week|month|year
    @month (the)? #num
    (the)? #num of? @month
    in a|two|three|#num|couple week|month|day
    (in|this|next|early|late|mid) @month|@season
    on the #num
    new year eve?
    @holiday eve
""")
NUMERIC_DATE = re.compile(
    r"(?<![\w.,/:-])(?:[0-3]?\d(?:\.(?:0\d|1[0-2])|/[01]?\d)(?:[./](?:20)?\d\d)?|[0-3]?\d(?:st|nd|rd|th)|\d{4}-\d\d-\d\d)"
    r"(?![\w/:-]|\.\d)"
)
TIME = re.compile(
    r"(?<!\w)(?:\d{1,2}[:.][0-5]\d|(?:о|об|after|at) \d{1,2}(?:-?(?:й|ій))?|\d{1,2} ?(?:am|pm)|at (?:noon|midnight)|"
    r"(?:о|об|з) (?:першій|другій|третій|четвертій|п'ятій|шостій|сьомій|восьмій|дев'ятій|десятій|одинадцятій|дванадцятій|"
    r"п'ятої|шостої|сьомої|восьмої|десятої))(?!\w)",
    re.IGNORECASE,
)
GATHER = _marks(" ".join((
    "|".join(f"{verb}#we" for verb in LISTS["gather"]),
    "\nwe|us|everyone|everybody|all (will|be|all|have|finally|go|to|gonna|both|got)* @gather_en",
    "\n(всі|усі) (разом)? " + "|".join(f"{verb}#they" for verb in LISTS["gather"]),
    "\nзапрошувати|=кличу|кликати|чекати#we|чекаємо|приходити|приєднуватися (всіх|усіх|вас|всі|на|до)",
    "\nприходити#imp|приходьте|приєднуйтеся|приєднуйтесь|долучайтеся|долучайтесь",
    "\neveryone|everybody|all|you be? invited|welcome to",
    "\nit|that|this be (all)? (book|booked|set|locked|confirmed|happening|official)",
    "\njoin us",
    "\nbe (set|booked|book|locked|confirmed|scheduled|schedule) (in)? for",
)))  # fmt: skip
OCCASION = _marks(
    "@occasion\nспільний фото|світлина\nдень народження\nbook|watch|launch|demo club|party|day\nget together"
)
OWN_OCCASION = _marks(
    "у мене|=мене\nв =мене\nмій|моя|=мені|=я|=i|=my|he|she|his|her|they|їх|їхній|if|чий|він|вона\nthe only"
)
SHARED = _marks(
    "at my\nу|в мене вдома\nmy place\nми|we|всі|усі|всіх|усіх|everyone|everybody|кличу|запрошувати|invited|you all|all\nlet us"
)
ANNOUNCES = _marks(
    "#num|стартувати|починатися|відбуватися|відбутися|проходити|start|begin|kick\nis|be|on|at|наш|our|у|в|на|буде|всі|усі|we|ми|збір|from|with|о|об|для"
)
DUE = _marks(
    "@due _{0,8} @by|be|is|–|due|closes|close\n@due (не) пізніше\n(@by / не пізніше) _{0,3} @day|@month|#num _{0,5} @due\ndeadline|дедлайн"
)
PAST = _marks("""
    вчора|учора|минулий|позавчора|торік|був|була|було|були|yesterday|last|ago|was|were|=went|=met|had|did|тоді
    #pastpl (минулий|вчора|торік)
    зустрітися#pastpl|збиратися#pastpl|їздити#pastpl|ходити#pastpl|з'їздити#pastpl|відсвяткувати#pastpl|зібратися#pastpl
""")
MOVED = _marks(
    "@moved\n(new / нова / новий) date|time|дата|час\nplans change|changed\nне _{1,3} а (у|в|на|о)\nnow (on|at|@day|@month|#num)\nчас|дата|місце інший\nactually _{0,3} @day"
)
CANCELLED = _marks(
    "@cancelled\nне бути#he|буде|відбутися|відбудеться\ncall off\nnot happen\n(it|be) off\nwill not happen\n=буде не"
)
SCRAPPED = _marks("scrap|forget that|it\nзабути про\n(it|that) be off")
HOLIDAY = _marks("""
    @holiday
    новий рік
    new year|years
""")
