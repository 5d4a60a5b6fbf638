"""Things that people promise, ask for and plan: verbs, uk and en, and the phrases that they stand in."""

from __future__ import annotations

from shared.domain.reading.matching.phrases import Phrase

_UK_TASKS = """
взяти купити докупити закупити принести привезти підвезти відвезти завезти забрати підібрати забронювати замовити
написати надіслати скинути відправити вислати переслати подзвонити зателефонувати передзвонити набрати домовитися
домовитись зробити приготувати спекти зварити насмажити перевірити подивитися подивитись глянути дізнатися дізнатись
спитати запитати розпитати оплатити заплатити доплатити переказати перекласти повернути віддати знайти пошукати
полагодити відремонтувати налаштувати зібрати скласти роздрукувати підготувати організувати записати записатися
завести передати викласти додати оновити виправити закрити відкрити доробити закінчити дописати прибрати вимкнути
увімкнути зустріти відвідати пофарбувати помити поставити повісити зшити намалювати порахувати узгодити погодити
підписати оформити здати скликати створити опублікувати запросити попередити нагадати розіслати перенести позичити
викупити підстригти посадити полити нагодувати вигуляти доглянути поміняти замінити встановити змонтувати зняти
оголосити кинути уточнити з'ясувати розвідати пошити заїхати заскочити сфотографувати вивісити перепитати заповнити
поговорити поїхати випрати скосити займатися зайнятися
"""
_EN_TASKS = """
book buy bring order send write call ask check find make bake cook fix pick drop prepare organise organize print
translate return pay transfer upload share post update finish handle arrange reserve confirm email invite pack wash
clean lend collect fetch take draft review set sort message sign submit schedule contact phone text borrow rent grab
renew cancel register paint repair install test deploy merge design record edit measure water feed walk do get put fill
ring tell speak talk look host mow cut dig weigh drive mix copy scan mend replace swap knit sew hang frame type charge
"""
_UK_ASKED = """
купи:купити докупи:докупити візьми:взяти принеси:принести привези:привезти забери:забрати забронюй:забронювати
замов:замовити напиши:написати надішли:надіслати скинь:скинути кинь:скинути пришли:надіслати відправ:відправити
перешли:переслати подзвони:подзвонити зателефонуй:зателефонувати передзвони:передзвонити набери:набрати
зроби:зробити приготуй:приготувати спечи:спекти звари:зварити перевір:перевірити глянь:глянути спитай:спитати
запитай:запитати оплати:оплатити заплати:заплатити переклади:перекласти поверни:повернути віддай:віддати
знайди:знайти пошукай:пошукати полагодь:полагодити налаштуй:налаштувати збери:зібрати склади:скласти
роздрукуй:роздрукувати підготуй:підготувати організуй:організувати запиши:записати завези:завезти передай:передати
виклади:викласти додай:додати онови:оновити виправ:виправити закрий:закрити відкрий:відкрити прибери:прибрати
вимкни:вимкнути увімкни:увімкнути зустрінь:зустріти підвези:підвезти відвези:відвезти постав:поставити
порахуй:порахувати підпиши:підписати оформи:оформити створи:створити запроси:запросити попередь:попередити
розішли:розіслати поміняй:поміняти заміни:замінити полий:полити нагодуй:нагодувати пофарбуй:пофарбувати
узгодь:узгодити здай:здати дізнайся:дізнатися уточни:уточнити довідайся:довідатися підтверди:підтвердити
подивись:подивитися поклади:покласти заповни:заповнити кидай:кидати роздай:роздати домовся:домовитися
"""
_UK_PLANS = """
їхати поїхати йти піти збиратися збиратись планувати робити зробити готувати готуватися готуватись будувати
фарбувати ремонтувати лагодити святкувати відсвяткувати репетирувати запускати запустити організовувати організувати
влаштовувати влаштувати переїжджати переїхати зустрічатися зустрічатись зустрітися зустрітись починати почати вчити
шити писати записувати знімати міняти садити посадити перекривати перекрити купувати купити орендувати
замовляти замовити проводити провести відкривати відкрити ставити поставити подаватися податися збирати зібрати
виступати скидатися скидатись зібратися зібратись пофарбувати відремонтувати полагодити сходити з'їздити спланувати
дивитися подивитися подивитись тестувати переписувати переносити перенести мігрувати випускати випустити
"""
_EN_PLANS = """
go plan organise organize paint build repair fix renovate celebrate rehearse launch release start move meet host
throw visit hike camp travel drive fly make cook learn record shoot plant buy rent order book prepare perform train
run watch write rewrite migrate test ship redesign set put do have get take replace save collect raise open finish
work
"""


TASKS_UK, TASKS_EN = frozenset(_UK_TASKS.split()), frozenset(_EN_TASKS.split())
"""What people take upon themselves to do."""


def _ing(verb: str) -> tuple[str, ...]:
    """Ways to write its "-ing" form, of which one is right."""
    return (f"{verb}ing", f"{verb.removesuffix('e')}ing", f"{verb}{verb[-1]}ing")


def _plural(form: str) -> tuple[str, ...]:
    """Imperatives to several people."""
    if form.endswith(("йся", "вся")):
        return (f"{form[:-2]}теся", f"{form[:-2]}тесь")
    if form.endswith("ись"):
        return (f"{form[:-3]}іться",)
    if form.endswith("и"):
        return (f"{form[:-1]}іть",)
    return (f"{form}те",)


ASKED = dict(pair.split(":") for pair in _UK_ASKED.split())
"""Ukrainian imperatives to one person, each with its infinitive."""

ASKED_OF_MANY = {many: verb for one, verb in ASKED.items() for many in _plural(one)}
"""Imperatives to several people or to somebody one is polite to."""

WISHED = {
    "пиши": "писати", "пишіть": "писати", "відповідай": "відповідати", "відповідайте": "відповідати",
    "говори": "говорити", "говоріть": "говорити", "спілкуйтесь": "спілкуватися", "спілкуйтеся": "спілкуватися",
    "тегай": "тегати", "тегайте": "тегати", "шліть": "слати", "надсилайте": "надсилати", "кидайте": "кидати",
    "спілкуймося": "спілкуватися", "пишімо": "писати", "говорімо": "говорити", "спамте": "спамити",
    "матюкайтесь": "матюкатися", "матюкайтеся": "матюкатися", "кричіть": "кричати", "пишемо": "писати",
    "говоримо": "говорити", "спілкуємось": "спілкуватися", "спілкуємося": "спілкуватися",
}  # fmt: skip
"""Ukrainian ways to ask how to talk, each with its infinitive."""

_WE_TALK = "пишемо шлемо кидаємо постимо спамимо тегаємо обговорюємо надсилаємо викладаємо скидаємо дзвонимо"
WISHED |= {
    "шлемо": "слати", "кидаємо": "кидати", "постимо": "постити", "спамимо": "спамити", "тегаємо": "тегати",
    "обговорюємо": "обговорювати", "надсилаємо": "надсилати", "викладаємо": "викладати", "скидаємо": "скидати",
    "дзвонимо": "дзвонити",
}  # fmt: skip
_LISTS = {
    "task_i": [f"{verb}#i" for verb in _UK_TASKS.split()],
    "task_he": [f"{verb}#{person}" for verb in _UK_TASKS.split() for person in ("he", "you", "we", "i")],
    "task": _UK_TASKS.split(),
    "do": _EN_TASKS.split(),
    "plan_we": [f"{verb}#we" for verb in _UK_PLANS.split()],
    "plan": _UK_PLANS.split(),
    "act": _EN_PLANS.split(),
    "acting": [f"={form}" for verb in _EN_PLANS.split() for form in _ing(verb)],
    "bringing": ["=bringing", "=making", "=baking", "=cooking", "=booking", "=buying", "=ordering", "=picking"],
    "asked": [f"={form}" for form in ASKED],
    "asked_all": [f"={form}" for form in ASKED_OF_MANY],
    "heads": ["їхати#he", "йти#he", "поїхати#he", "піти#he", "поїхати", "піти"],
    "please": ["please", "pls", "plz"],
    "wish_all": [f"={form}" for form in WISHED],
    "wish_we": [f"={form}" for form in _WE_TALK.split()],
    "only": ["тільки", "лише", "виключно"],
    "tongue": ["=українською", "=англійською", "=текстом", "=коротко"],
}
_LISTS |= {
    name: words.split()
    for name, words in {
        "then": "то тоді ок добре окей так і а ну ладно well ok okay so then and sure yes yeah yep hey hi , –",
        "soon": """
            також теж ще вже тоді потім зараз сам сама все усе краще нарешті
            also just then still probably definitely finally really""",
        "wish": """
            писати говорити спілкуватися спілкуватись відповідати обговорювати тегати кидати постити матюкатися
            слати надсилати спілкуватися#we спілкуватись#we писати#we говорити#we""",
        "unwanted": """
            голосовий голосових спойлер спойлерів мат матів матюків матюк капс капсу політика політики реклама спам""",
        "speak": "speak write talk keep use stick switch avoid post discuss reply answer",
        "post": "send post tag write spam ping share use",
        "noise": """
            spoiler spoilers politics voice cap caps spam ad ads swearing meme memes ping pings call calls link
            links""",
    }.items()
}


def _phrases(source: str) -> tuple[Phrase, ...]:
    return tuple(Phrase(line.strip(), _LISTS) for line in source.strip().splitlines())


ASKED_FOR = _phrases("""
    ^ @then* can|could|may i|we @soon* have|get|borrow|take <what>
    ^ @then* можна мені|нам? @soon* взяти|забрати|позичити|отримати <what>
    =дай|=дайте|=позич|=позичте мені|нам? <what>
""")
"""A thing that somebody wants from another."""

PROMISES = _phrases("""
    <verb: @task_i> <what>
    i will @soon* <verb: @do> <what>
    i can @soon* <verb: @do> <what>
    i (also|just|still)* =will|can @soon* <verb: @do> <what>
    =можу|зможу @soon* <verb: @task> <what>
    i am @soon* going to <verb: @do> <what>
    i am @soon* <verb: @bringing> <what>
    let me <verb: @do> <what>
""")
"""What the speaker is going to do."""

OBJECT_FIRST = _phrases("^ @then* <what: (!я|не|хто|що|шо|коли|де _){1,3}> я? <verb: @task_i> <rest: _{0,6}> $")
"""The same with its object before the verb ("квитки забронюю я")."""

BARE = _phrases("""
    @task_i _{0,3} $
    i will (@do|do it|that|them|this _{0,2})? $
    i can (@do|do it|that|them|this _{0,2})? $
    ^ @then* on it $
    ^ @then* will do _{0,3} $
    leave it|that|this with|to me
    ^ @then* я $
""")
"""A promise that only says that the speaker does what was asked for."""

TAKEN_ON = _phrases("""
    ^ @then* з|із =мене <what>
    на =мені <what>
    брати#i|бер|взяти#i на себе <what>
    i will take care of <what>
    <what: _{1,4}> =is|=are on me
""")
"""Things that the speaker provides."""

REQUESTS = _phrases("""
    <verb: @asked> <what>
    ^ @then* could|can|would|will you @soon* @please? <verb: @do> <what>
    @please <verb: @do> <what>
    ^ @then* можеш|зможеш @soon* <verb: @task> <what>
    _ , could|can|would|will you @soon* @please? <verb: @do> <what>
    _ , можеш|зможеш @soon* <verb: @task> <what>
    ^ _ , @please? <verb: @do> <what>
""")
"""What somebody is asked to do."""

REQUESTS_TO_ALL = _phrases("""
    <verb: @asked_all> <what>
    ^ @then* everyone|everybody|all|guys|folks ,? @please? <verb: @do> <what>
""")
"""What everybody is asked to do."""

REMINDERS = _phrases("""
    =нагадай|=нагадайте =мені|=нам|=всім|=усім|=їм|=йому|=їй? <what>
    remind me|us|everyone|everybody|them to|about|that? <what>
""")
NOT_TO_FORGET = _phrases("""
    не =забути|=забудь|=забудьте|=забуваємо|=забуваймо <what>
    do not =forget to|about? <what>
""")
NEEDS = _phrases("""
    треба|потрібно|слід|мусимо|необхідно @soon* <verb: @task> <what>
    we|somebody|someone @soon* need|must|should to? @soon* <verb: @do> <what>
    we have|got to @soon* <verb: @do> <what>
    someone|somebody has to @soon* <verb: @do> <what>
    <verb: #inf> =треба|=потрібно|=слід <what>
    <what: (!я|не|хто|що|шо|коли|де _){1,3}> =треба|=потрібно|=слід @soon* <verb: @task> <rest: _{0,6}> $
""")
"""What is to be done by nobody in particular."""

WANTED = _phrases("""
    ^ @then* хто @soon* (може|зможе|хоче|готовий)? @soon* <verb: @task> <what>
    ^ @then* who @soon* (can|will|could / be going to / want to)? @soon* <verb: @do> <what>
    ^ @then* can|could|will anyone|somebody|someone|anybody @soon* <verb: @do> <what>
""")
"""A question who does something."""

_JOINT = """
    пофарбувати відремонтувати полагодити побудувати збудувати перекрити перефарбувати прибрати розчистити озеленити
    посадити організувати влаштувати відсвяткувати зібратися зібратись зустрітися зустрітись провести облаштувати
    paint repair renovate rebuild build clean clear plant organise organize celebrate meet rehearse redecorate fix host
"""
JOINT_WORK = frozenset(_JOINT.split())
"""Works that, once several members agree that they are needed, are a plan of theirs rather than an errand."""

PLANS = _phrases("""
    давай|давайте @soon* <verb: @plan> <what>
    хотіти#we|планувати#we|думати#we|збиратися#we|збиратись#we|домовитися#pastpl @soon* <verb: @plan> <what>
    <verb: @plan_we> <what>
    let us @soon* <verb: @act> <what>
    we are going|planning to <verb: @act> <what>
    we plan|decide|agree|want to <verb: @act> <what>
    we should @soon* <verb: @act> <what>
    we will @soon* <verb: @act> <what>
    we are @soon* <verb: @acting> <what>
""")
"""What the group is going to do or is doing."""

ASKED_PLANS = _phrases("""
    are we @soon* <verb: @acting> <what>
    shall|should|can|could we @soon* <verb: @act> <what>
    do|did we want to <verb: @act> <what>
    who is @soon* up|in for <what>
    who is @soon* <to: coming|going|joining> to|for? <what>
    anyone|anybody|everyone (up for / fancy / want|wants to?) <what>
    how|what about <what>
    хто @soon* <verb: @heads> (зі|з =мною|=нами / цей|наступний _)? <what: в|у|на|до _{1,6}>
    хто @soon* зі|з =мною|=нами <what: в|у|на|до _{1,6}>
    <verb: @plan_we> <what>
    давай|давайте|може|хотіти#we @soon* <verb: @plan> <what>
    коли @soon* <what: _{1,4}>
""")
"""The same as a question."""

HEADING_FOR = _phrases("""
    хотіти#we|збиратися#we|збиратись#we @soon* <what: в|у|на|до _{1,6}>
""")
"""A plan to go somewhere that leaves the verb out ("хочемо в Карпати")."""

WISHES = _phrases("""
    <what: не? @wish_all !мені|me|йому|їй _{1,8}>
    <what: _{1,6} не @wish_we _{0,5}>
    <what: не =спамте|=матюкайтесь|=матюкайтеся|=кричіть>
    давайте|давай @soon* <what: не? @wish _{1,8}>
    давайте|давай @soon* <what: без @unwanted _{0,4}>
    ^ @then* <what: без @unwanted _{0,4}> $
    <what: ніякий|жодний @unwanted _{0,4}>
    давайте|давай тут|тута @soon* <what: без @unwanted _{0,4}>
    прошу @soon* <what: не? @wish _{1,8}>
    ^ @then* <what: @only @tongue> $
    let us|=all @soon* <what: not? @speak _{1,8}>
    @please @soon* <what: @speak _{1,8}>
    <what: do not (ever)? @post _{1,9}>
    <what: never @post _{1,9}>
    <what: =keep messages|replies|answers|posts _{1,4}>
    ^ @then* @please? <what: =no @noise _{0,6}> $
    <what: =no (!@noise _){0,2} =messages|=notes|=posts|=texts|=photos|=pictures|=spoilers _{0,6}>
""")
"""How to talk in the group."""

ASKED_WISHES = _phrases("""
    can|could we @please? <what: not|stop|=keep _{1,8}>
    can|could everyone|everybody|people @please? <what: not|stop|=keep _{1,8}>
""")
"""The same as a polite question."""

ELSEWHERE = _phrases("""
    <what: !мій _{1,4} @wish_we в|у|на|до _{0,2} =чаті|=чат|=гілці|=гілку|=каналі|=темі|=групі>
    <what: =keep|=put|=post|=take _{1,4} in|to the|another|other _{0,2} =chat|=thread|=channel|=group>
""")
"""What is talked about in another place."""
