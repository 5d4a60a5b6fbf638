"""Words that people use for the same thing, Ukrainian and English: a question's word finds its relatives, too.

General knowledge, one concept a line, dictionary forms; a word may stand in several. What is related is weaker than
what is said (`ranking`), so a broad group costs little.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from shared.domain.recall.everyday import EVERYDAY
from shared.domain.recall.kindred import KINDRED
from shared.domain.text.terms import stem

_RELATED, _KINDRED = 0.4, 0.6
"""Of a related word, and of one of the same root, beside the one that was asked for (flat between 0.3 and 0.6; own
choice)."""

_PEOPLE = """
kid child son daughter baby toddler дитина малий малюк син дочка донька
parent mother father mom dad mum mama papa батьки мати мама батько тато
sibling brother sister брат сестра
grandparent grandmother grandfather grandma grandpa granny бабуся дідусь баба дід
wife husband spouse partner marriage дружина чоловік жінка шлюб
marry married wedding bride groom engaged engagement весілля одружитися женитися заміж наречений наречена
girlfriend boyfriend partner date dating romantic relationship стосунок хлопець дівчина побачення зустрічатися
family relative cousin uncle aunt nephew niece сім'я родина родич дядько тітка племінник
friend buddy pal mate друг подруга товариш приятель кум
colleague coworker teammate колега співробітник
boss manager supervisor chief начальник шеф керівник директор бос
neighbor neighbour сусід сусідка
doctor physician dentist clinic hospital medical лікар доктор лікарня клініка стоматолог
teacher professor tutor coach mentor вчитель викладач професор тренер репетитор наставник
student pupil classmate студент учень однокласник однокурсник
"""
_LIFE = """
job work career occupation profession employment position робота професія кар'єра посада вакансія праця працювати
employee hire recruit interview resume найняти співбесіда резюме рекрутер
fire quit resign layoff dismiss звільнити звільнитися скорочення
salary wage income pay paycheck зарплата заробіток дохід платня
money cash fund finance financial budget гроші кошти фінанси бюджет готівка
price cost expensive cheap ціна вартість коштувати дорогий дешевий
buy purchase shop shopping order купити придбати покупка замовити замовлення
sell sale store shop market продати продаж магазин крамниця ринок базар
business company startup firm enterprise venture бізнес компанія фірма підприємство стартап
project assignment task проєкт проект завдання задача
deadline due дедлайн термін строк
school college university campus школа університет коледж інститут
study learn education course class lesson degree вчитися навчання освіта курс урок заняття диплом
grade mark score result оцінка бал результат
attempt try спроба пробувати намагатися
licence license driving права посвідчення
exam test quiz іспит екзамен залік тест контрольна
home house apartment flat condo дім будинок квартира хата житло
flatmate roommate housemate сусід співмешканець
room bedroom кімната спальня
rent lease landlord tenant оренда зняти винаймати
move relocate moving relocation переїхати переїзд перебратися
city town village hometown місто село містечко
country nation homeland abroad країна батьківщина закордон
birth born birthday anniversary народитися народження день річниця ювілей
age old year вік рік старий
die death dead pass funeral loss померти смерть похорон втрата загинути
health sick ill illness disease flu хворий хвороба захворіти хворіти здоров'я грип застуда
injury hurt injured pain wound break травма біль зламати поранення
medicine drug pill treatment therapy ліки пігулка таблетка лікування терапія
pregnant pregnancy expecting вагітна вагітність
pet animal dog puppy cat kitten собака пес цуценя кіт кошеня котик тварина улюбленець
name call named nickname звати назва ім'я кличка прізвище
religion church faith god pray religious релігія церква віра бог молитися
war army military soldier veteran війна армія військовий солдат ветеран
volunteer charity donate donation fundraiser nonprofit волонтер благодійність донат донатити збір
police crime steal theft поліція злочин вкрасти крадіжка
accident crash аварія дтп
"""
_LEISURE = """
hobby pastime interest passion leisure activity хобі захоплення дозвілля
sport exercise workout fitness gym training спорт тренування зал фітнес вправа тренуватися
run running jog marathon race біг бігати пробіжка марафон забіг
swim swimming pool плавати плавання басейн
hike hiking trail trek climb похід гори стежка сходження
camp camping tent campfire кемпінг намет багаття
bike bicycle cycling ride велосипед велик ровер
football soccer футбол матч
game play gaming console videogame гра грати
team club squad команда клуб
win victory champion prize award trophy перемога виграти чемпіон нагорода приз кубок
lose defeat програти поразка
competition contest tournament championship match змагання турнір конкурс чемпіонат
music song sing singer band музика пісня співати співак гурт
concert gig tour live концерт виступ тур
guitar piano violin drum instrument гітара піаніно скрипка барабан інструмент
dance dancing dancer танець танцювати
paint painting draw drawing sketch art artist малювати картина малюнок мистецтво художник
photo picture photograph camera image фото світлина знімок фотографія камера
movie film cinema фільм кіно кінотеатр
show series episode tv серіал шоу серія
book novel read reading author story книга книжка роман читати автор
write writing writer script blog писати письменник сценарій блог
theater theatre play stage performance театр вистава сцена виступ
museum gallery exhibition exhibit музей галерея виставка
craft pottery knit sew handmade рукоділля кераміка вишивка в'язати шити
garden gardening plant flower сад город рослина квітка
travel trip journey vacation holiday tour visit подорож поїздка відпустка мандрівка тур
flight plane airport fly рейс літак аеропорт летіти
train railway station поїзд потяг вокзал станція
car vehicle drive driver машина авто автомобіль водій
road route way дорога маршрут шлях
hotel hostel airbnb готель хостел
beach sea ocean coast пляж море океан берег
mountain hill peak гора вершина карпати
park forest nature wood парк ліс природа
lake river озеро річка
weather rain snow storm sun погода дощ сніг гроза сонце
party celebrate celebration festival feast вечірка свято святкувати фестиваль тусовка
gift present surprise подарунок подарувати сюрприз
food meal dish cuisine їжа страва кухня
eat dinner lunch breakfast supper їсти обід вечеря сніданок
cook cooking bake baking recipe готувати варити пекти рецепт випічка
restaurant cafe diner eatery ресторан кафе кав'ярня
coffee tea кава чай
drink beer wine alcohol bar pub напій пиво вино алкоголь бар
sweet dessert cake cookie chocolate icecream солодке десерт торт печиво шоколад
vegetarian vegan meat вегетаріанець веган м'ясо
milk dairy lactose cheese cream молоко молочний сир сметана лактоза
allergy allergic intolerant алергія алергік
diet weight slim дієта вага схуднути
"""
_MIND = """
like love enjoy fond favorite favourite prefer любити подобатися улюблений обожнювати
hate dislike ненавидіти терпіти
happy glad joy excited thrilled щасливий радий радість
sad upset depressed unhappy сумний засмучений сум
angry mad annoyed furious злий сердитий лютий
afraid fear scared scary worry anxious anxiety боятися страх тривога хвилюватися
stress stressed pressure tired exhausted стрес втома втомитися
calm relax relaxing peaceful rest unwind спокій відпочинок відпочивати розслабитися
dream goal plan hope wish aspire мрія ціль мета план мріяти
decide decision choose choice вирішити рішення вибрати вибір
think opinion believe думати думка вважати
remember memory memories пам'ятати спогад
advice suggest recommend recommendation tip порада порадити рекомендувати
help support assist допомога допомогти підтримка підтримати
problem issue trouble challenge difficulty obstacle проблема складність труднощі перешкода
reason cause motivate inspire inspiration motivation причина надихнути натхнення мотивація
change transform transition improve зміна змінити покращити
begin start launch open почати початок відкрити запустити
finish end complete stop quit закінчити завершити кінець припинити
make create build design craft зробити створити побудувати
fix repair ремонт полагодити відремонтувати зламатися
find discover знайти знаходити виявити
give donate offer дати віддати пропонувати
get receive obtain отримати дістати
meet meeting gather gathering meetup зустріч зустрітися збори зібратися
talk discuss conversation chat розмова говорити обговорити
ask question request питати питання запитати прохання
agree agreement домовитися погодитися згода
promise swear обіцяти обіцянка
forbid ban prohibit заборонити заборона
rule policy правило
late delay postpone reschedule запізнитися перенести відкласти затримка
cancel скасувати відмінити
phone mobile cell телефон мобільний
computer laptop pc комп'ютер ноутбук ноут комп
internet website site online web інтернет сайт вебсайт
app application software program застосунок додаток програма
password login account пароль логін акаунт
file document doc файл документ
gym fitness зал
clothes clothing outfit wear dress одяг вбрання сукня носити
shoe boot sneaker взуття кросівки черевики
furniture table chair couch sofa меблі стіл стілець диван
key keys ключ
speak language мова говорити
address location place адреса місце
time hour oclock час година
"""


def relatives_of(term: str) -> dict[str, float]:
    """The terms that mean what a term means, or nearly so, and how much each counts beside it."""
    related, kindred = related_terms().get(term, ()), kindred_terms().get(term, ())
    return dict.fromkeys(related, _RELATED) | dict.fromkeys(kindred, _KINDRED)


@lru_cache(maxsize=1)
def related_terms() -> Mapping[str, frozenset[str]]:
    """For a term, the other terms of its concepts."""
    return _families(f"{_PEOPLE}{_LIFE}{_LEISURE}{_MIND}{EVERYDAY}")


@lru_cache(maxsize=1)
def kindred_terms() -> Mapping[str, frozenset[str]]:
    """For a term, the others of its root."""
    return _families(KINDRED)


def _families(table: str) -> Mapping[str, frozenset[str]]:
    related: dict[str, set[str]] = {}
    for line in table.strip().splitlines():
        terms = {stem(word) for word in line.split()}
        for term in terms:
            related.setdefault(term, set()).update(terms - {term})
    return MappingProxyType({term: frozenset(others) for term, others in related.items()})
