"""Words by which dates, numbers, places and promises are told in both languages; dictionary forms, folded."""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

_DATES = """
січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
понеділок вівторок середа четвер п'ятниця субота неділя пн вт ср чт пт сб нд вихідний вихідні
сьогодні завтра післязавтра вчора учора позавчора позавчорашній завтрашній вчорашній сьогоднішній
щодня щотижня щомісяця щороку щопонеділка щовівторка щосереди щочетверга щоп'ятниці щосуботи щонеділі
торік позаторік різдво великдень новоріччя
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun weekend
today tomorrow tonight yesterday christmas easter thanksgiving halloween daily weekly monthly
"""
_SPANS = """
ранок вечір ніч обід день тиждень місяць рік година хвилина літо осінь зима весна століття квартал опівдні опівночі північ
полудень зранку вранці уранці увечері ввечері вночі уночі вдень удень весною навесні восени влітку взимку надвечір
morning evening night noon midnight afternoon day week month year hour minute summer autumn fall winter spring
fortnight lunchtime dawn dusk quarter semester decade o'clock
"""
_BY_CAPITAL = "may march mar sun sat mon wed jun jan dec sep fri august april june"
_NUMBERS = """
два три чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять тринадцять чотирнадцять п'ятнадцять
шістнадцять сімнадцять вісімнадцять дев'ятнадцять двадцять тридцять сорок п'ятдесят шістдесят сімдесят вісімдесят
дев'яносто сто двісті триста чотириста п'ятсот шістсот сімсот вісімсот дев'ятсот тисяча мільйон мільярд
двоє троє четверо п'ятеро шестеро семеро восьмеро обидва обоє пара десяток півтора півтори половина чверть третина сотня дюжина
другий третій четвертий п'ятий шостий сьомий восьмий дев'ятий десятий одинадцятий дванадцятий удвох утрьох вдвох втрьох
двічі тричі дві півгодини півроку пів тищі тищ
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half couple
third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twice thrice grand
"""
_ONES = "один одна одне перший раз one first once single second"
_MONEY = """
гривня гривень грн долар бакс євро цент копійка фунт злотий крона ціна коштувати вартість бюджет знижка відсоток процент
dollar buck euro pound quid cent hryvnia zloty price cost costs budget discount percent usd eur uah gbp fee deposit rent
"""
_PLACES = """
місто село вулиця площа проспект бульвар провулок парк сквер ліс озеро річка море пляж гора гори дача квартира будинок
офіс школа садок університет гуртожиток лікарня поліклініка аптека магазин супермаркет ринок базар кафе кав'ярня
ресторан бар паб клуб кіно кінотеатр театр музей бібліотека стадіон спортзал зал басейн вокзал аеропорт метро станція
зупинка готель хостел церква банк пошта майдан центр набережна міст острів район підвал гараж під'їзд двір склад коворкінг
піцерія пекарня табір база корпус аудиторія кабінет поверх стоянка парковка тц трц відділення нотаріус посольство цнап
коледж ліцей студія майстерня цирк зоопарк галерея виставка причал порт кладовище стоматологія салон
city town village street st avenue road square park forest lake river sea beach mountain cabin cottage flat apartment
house office school kindergarten university campus dorm hospital clinic pharmacy shop store supermarket market mall
café cafe coffee restaurant bar pub club cinema theatre theater museum library stadium gym hall pool station airport
subway metro stop hotel hostel church bank embassy downtown centre center bridge island district basement garage yard
warehouse coworking pizzeria bakery camp campsite court floor parking harbour harbor port pier garden zoo gallery
downstairs upstairs rooftop terminal gate platform studio diner bistro
"""
_LEADING = """
в у на до з із зі від біля коло під над за через поблизу навпроти повз крізь
at in to from near into onto via around outside inside behind opposite beside towards toward
"""
_PROMISING = """
обіцяти пообіцяти обіцянка домовитися домовлятися домовленість вирішити вирішувати рішення погодитися погоджуватися
затвердити домовились домовилися вирішено призначити перенести скасувати забронювати
promise agree decide settle decision agreement confirm cancel postpone reschedule book deal vote
"""
_STATIVE = """
думати знати бачити хотіти могти розуміти любити мати чути жити пам'ятати вважати сподіватися боятися здаватися сміятися
казати говорити просити дякувати вибачатися цікавитися мріяти радіти плакати бажати вітати чекати йти сидіти дивитися
їсти спати працювати кайфувати бути
"""
_IDLE = """
ага угу так ні ок окей ну добре дякую спасибі будь ласка привіт вітаю добрий доброго ранок ранку вечір вечора день дня ніч
надобраніч добраніч па бувай пока лол кек хаха ахах ага точно згоден згодна підтримую супер клас круто файно топ вау ого
норм нормально ясно зрозуміло зрозумів зрозуміла класно чудово молодець всім усім привіт
yes no yeah yep nope ok okay sure thanks thank you hi hello hey bye lol haha hahaha nice cool great good morning night
evening wow same agreed exactly right true fine welcome please everyone all guys omg well done congrats
"""


def _words(source: str) -> frozenset[str]:
    return frozenset(source.split())


DATES, SPANS, NUMBERS, ONES = _words(_DATES), _words(_SPANS), _words(_NUMBERS), _words(_ONES)
BY_CAPITAL = _words(_BY_CAPITAL)
"""English dates that are common words, too: read as dates only with a capital letter or beside a number."""
MONEY, PLACES, LEADING = _words(_MONEY), _words(_PLACES), _words(_LEADING)
"""What money is told by; kinds of places; prepositions that lead to one."""
PROMISING, STATIVE, IDLE = _words(_PROMISING), _words(_STATIVE), _words(_IDLE)
"""Agreements; verbs whose first person promises nothing; small talk."""
