"""Words and phrases by which regular customs and coming events are told, in both languages."""

# ruff: noqa: E501  (a phrase is easier to read whole than broken at column 120)
from __future__ import annotations

import re

from shared.domain.reading.matching.marks import Marks

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
        свято свята дня birthday anniversary річниця рік
        маковія маковій андрія юрія петра дмитра михайла катерини варвари стрітення водохреща водохреще йордан йордана
        вознесіння трійця трійцю маланки меланки вербна проводи гробки щедрий =покрову святвечір благовіщення успіння спасівка
        вечорниці масниця петрівка
        boxing bonfire hogmanay burns midsummer solstice nye lent mardi carnival purim passover eid""",
    "turn": """
        clock clocks payday paydays graduation exams frost harvest derby semester term finals halloween christmas easter
        thanksgiving xmas eurovision snow birthday birthdays anniversary получка зарплата сесія заморозки
        year's eve""",
    "holiday": """
        різдво великдень паска спас спаса миколай миколая маланка масляна купала покрова хелловін хеловін християнський
        christmas xmas easter halloween thanksgiving hanukkah diwali eurovision євробачення маковія маковій андрія стрітення водохреща йордан трійця маланки меланки вербна масниця
        hogmanay nye""",
    "every": """
        щопонеділка щопонеділок щовівторка щосереди щочетверга щоп'ятниці щопятниці щосуботи щонеділі щотижня щомісяця
        щороку щоліта щозими щовесни щоосені щовечора щоранку щопершої щоостанньої щодругої щотретьої щорічний щотижневий щомісячний щорічно щотижнево щомісячно
        weekly monthly yearly annual annually biweekly fortnightly quarterly""",
    "each": "кожний кожен =кожного =кожної =кожне =кожну every each",
    "which": """
        перший другий третій четвертий останній парний непарний новий single other first second third fourth last
        2nd 3rd 1st єдиний""",
    "nth": "#num другий третій четвертий п'ятий шостий сьомий восьмий дев'ятий десятий котрий який",
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
        зідзвон зум мітинг прем'єра онлайн-лекція онлайн-зустріч ефірчик посиденьки сходка збіговисько презентація виставка семінар конференція сплав суботник залік екзамен іспит посвята випускний захист лінійка утренник ювілей хрестини панахида нарада планьорка
        кастинг примірка дегустація зборище батьківські
        meetup meet-up party dinner lunch brunch breakfast picnic hike trip drinks bbq barbecue potluck call wedding
        tournament match concert gig quiz trivia hackathon workshop livestream stream screening retreat game bowling
        karaoke birthday bday get-together reunion camping bonfire club housewarming farewell standup rehearsal practice
        race swap fair festival webinar seminar conference lecture performance sale auction training session
        christening flight kickoff kick-off premiere election meeting rehearsals ama sprint anniversary ceremony exhibition walk night cookout raid clean-up cleanup
        exam exams midterm yoga prom agm gala fitting cook-off bake-off recital graduation fundraiser raffle fete ceilidh parade tasting
        event sleepover shindig kickabout playoff playoffs semifinal""",
    "due": """
        квиток гроші внесок скинутися скидатися здати здавати забронювати бронювати зареєструватися реєстрація заявка
        передоплата купити відповісти дедлайн оплатити проголосувати голосувати подати надіслати
        ticket rsvp deposit payment pay registration register signup signups sign book booked chip submit deadline due vote
        entry entries fee form dues sign-up sign-ups abstract abstracts application applications nomination nominations""",
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
    @turn|@feast|@season|@month|@day (day|eve|going|go|back|forward|week|night|morning|results){0,3} =mean|means|– !that|it|you|i|he|she _
    end|start|beginning|кінець|початок|наприкінці|after|before (of)? every|each|кожний !time|раз|day _
    @feast (day|eve)? (we|everyone|everybody|us) all
    happen every|each time|year|month
""")
AS_ALWAYS = _marks("""
    як|like|as|same (і|as|й)? завжди|зазвичай|заведено|щоразу|always|usual|every|щороку|щоліта|щозими|торік|позаторік
    як (і|й)? кожний|минулий рік|раз|року
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
KEPT = _marks("""
    (^ / , / – / and / it / its / і) (it|that|this|its|has|have|be|always)* been (that|this|like|so) (way|that|this)? (for|since|every|as|forever|ages|always)
    (^ / , / –) (we|we've|have|has|be|it|its|it's)* been? (doing|going|keeping|at) (it|this|that|strong|on|the|same|so|thing)* since|for _
    (^ / , / –) (and|just|the)? since forever|always|=uni|school|childhood|#num
    (^ / , / –) (since day one / always has been / always have been / without fail / (it)? never fails)
    (^ / , / –) (it|that|this)? happens (every|each) (single)? time|year|month|week
    (^ / , / – / бо) (у нас)? (так|це) (вже|уже|воно|у|нас|в)* ведеться|повелося|повелось|водиться
    (^ / , / – / бо) (так|це) (вже|уже|в|у|нас|тут)* заведено (ще)? (з|від|роками|давно|здавна)
    (^ / , / –) (вже|уже)? @nth рік (поспіль|підряд|цього|так|це|тримати*|тримаємось|тримаємося|дотримуватися)
    (^ / , / – / і) (так|це) (вже|уже|воно|в|у|нас)* (@nth|багато|кілька|три|чотири|п'ять|шість|сім|десять|двадцять)? (років|рік|роки|роками) (поспіль|підряд|#num|десять|п'ять|сто|двадцять|сім)?
    (^ / , / –) ще|бо (наші)? баби|діди|батьки|мами|бабусі|прадіди (наші)? #pastpl
    (^ / , / –) споконвіку|здавна|скільки (себе|ми)? пам'ятати#we|пам'ятаємо|існуємо
""")
"""What is said of something kept up for long; it stands apart, by a comma or as a sentence of its own."""
ROLE = _marks("""
    (^ / ,) (the)? loser|losers|winner|winners|newbie|rookie|host (of|in|the|_){0,4} buy|get|bring|wear|pay|cook|owe|choose|pick|clean|host|make
    (^ / ,) (the)? (last one (in|down|up|there|out|home)? / birthday (person|boy|girl|kid) / new guy|girl|joiner|starter) _{0,2} buy|get|bring|wear|pay|cook|owe|choose|pick|clean|host|make
    (^ / ,) whoever _{1,5} buy|get|bring|wear|pay|cook|owe|choose|pick|clean|host|make
    (^ / ,) хто програти#past|спізнитися#past|запізнитися#past|виграти#past|забути#past|останній|перший _{0,4} ,? (той|та) _
    (^ / ,) переможець|новенький|іменинник|іменинниця|переможений|невдаха _{0,2} купувати|пекти|ставити|накривати|приносити|платити|готувати|отримувати|виставляти|вдягати
""")
"""Who does what by custom: the loser buys, the one whose birthday it is brings cake."""
WE = _marks("""
    бригада|група|гуртом|=вулицею|=двором|=класом|компанією
    you all know
    =mean|means _{0,5} at|with *'s|the
    @which @day|weekend of (the|every|each) month –
    @which @day (кожний)? місяць|місяця –
    its (a|an|the)? _{0,2} day|night|fight|feast|potluck|game|quiz|party|brunch|dinner|lunch|swim|run|race|picnic|barbecue|bbq
    ми|=нас|=нам|наш|чат|чаті|збір|разом|#we|всі|усі|we|our|us|everyone|everybody|here|=тут
    this|the _? chat|group|crew|gang
    =всіх|=усіх
    time for
    be (a|an|the)? _{0,2} day|night|potluck|recap|meetup|call|thread|challenge|game|quiz|club|hour|session|party|brunch|dinner|lunch|roundup|showcase|swap|evening|fight|feast|bake-off|cook-off|picnic|barbecue|bbq|race
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
    do|did|be not !even|ask|forget|worry|miss|skip|fail _
    not !for|only|to|a|late|miss|everyone|all|even|ask|forget|worry|skip|fail|negotiable|optional _
    in|two|three|four|few|couple|#num|last|past|next|these|both|busy|of|over @days_en|weekends
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
AGREED = re.compile(r"^(?:так|ага|угу|yes|yeah|yep)[,!]\s+", re.IGNORECASE)
"""What a sentence begins with that says nothing of its matter."""

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
    (на|до|не|а) #num те|е|ше|ге|ме|тє
    the? @which @day (in|of) (@month / next|this month)
    #num|one|two|three|couple day|days|week|weeks earlier|later|before|after
    the (very)? (day|week|evening|weekend) before|after
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
    r"(?<![\w.,/:-])(?!24/7)(?:(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])(?:/(?:20)?\d\d)?|[0-3]?\d(?:\.(?:0\d|1[0-2])|/[01]?\d)(?:[./](?:20)?\d\d)?|[0-3]?\d(?:st|nd|rd|th)|\d{4}-\d\d-\d\d)"
    r"(?![\w/:-]|\.\d)"
)
TIME = re.compile(
    r"(?<!\w)(?:\d{1,2}[:.][0-5]\d|(?:о|об|after|at) \d{1,2}(?:-?(?:й|ій))?|(?:з|від) \d{1,2}-?(?:ї|ої)|\d{1,2} ?(?:am|pm)|at (?:noon|midnight)|"
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
    "\nbe|been (set|booked|book|locked|confirmed|scheduled|schedule|pencilled|pencil|penciled|planned|fixed|down) (in)? for",
    "\nспільний !чат|борг|друг|знайомий|мова|спогад|інтерес|проблема|робота|мова _",
    "\nставити#we|призначати#we|призначити#pastpl|переносити#we|перенести#pastpl|фіксувати#we _{0,3} (на) (#num / @day / @month / наступний / цей)",
    "\n(з|від) #num по|до #num @month _{0,4} ми|вся|весь|наш|усі|всі|=нас _{0,3} (у|в|на)",
    "\nми|вся|весь|усі|всі _{0,4} (у|в|на) #cap ,? _{0,2} (з|від) #num по|до #num",
    "\nwe|us|everyone (be|are|all|will|both)* (in|at|off|away) _{1,3} (from|between) #num",
)))  # fmt: skip
OCCASION = _marks(
    "@occasion\nkick off\nleaving|farewell|stag|hen|office =do\nbaby|bridal|wedding shower\nlast bell\nopen day|evening|mic\nспільний фото|світлина\nдень народження\nbook|watch|launch|demo club|party|day\nfilm|movie|quiz|games|parents|open evening\nget together"
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
    "@due _{0,8} @by|be|is|–|due|closes|close\nbe due on|by|before|the\n@due (не) пізніше\n(@by / не пізніше) _{0,3} @day|@month|#num _{0,5} @due\ndeadline|дедлайн"
)
PAST = _marks("""
    вчора|учора|минулий|позавчора|торік|був|була|було|були|yesterday|ago|was|were|=went|=met|had|did
    тоді _{0,4} #past|#pastpl
    last !#num|call|chance _ !of|in|before
    #pastpl (минулий|вчора|торік)
    зустрітися#pastpl|збиратися#pastpl|їздити#pastpl|ходити#pastpl|з'їздити#pastpl|відсвяткувати#pastpl|зібратися#pastpl
""")
MOVED = _marks(
    "@moved\n(new / нова / новий) date|time|дата|час\nplans change|changed\nне _{1,3} а (у|в|на|о)\nне|замість (у|в|на|о|з)? #num (го|е|те|ого|числа|й|ій)? (@month)? ,? а\nnot (on|at)? (the)? #num (of|@month)* ,? but|it\nnow (on|at|@day|@month|#num)\nчас|дата|місце інший\nactually _{0,3} @day"
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
PUT_OFF = _marks("""
    instead|rather|натомість|замість|тоді
    same time|place|hour|way
    (той|та|те|такий) (самий|сама|ж) час|година|місце
    move|moved|push|pushed|переносити|перенести
    will do|have|try|hold|be
""")
"""How another date is offered for what is called off."""
