"""What people call one another: a given name, its short and tender forms, and how the other language writes it.

General knowledge, a name a line, folded; a form may belong to several ("Саша"). What only another script makes
different is found by sound (`sounds`) and need not stand here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from shared.domain.text.sounds import phonetic_key

_UKRAINIAN = """
олександр олекса сашко саша сашка шура саня санько санчик лесик алекс alexander alex олесь
олександра саша сашка шура леся сандра alexandra олеся
олексій льоша льоха олекса лесик alexey alex
анастасія настя настуся стася ася anastasia
андрій андрійко андрюха андрюша дрон andrew andy
анна ганна аня анюта ганя ганнуся галя нюра ann anne annie hannah
антон тоха антоша тоня anthony tony
антоніна тоня тонька
артем тьома артемко artem
богдан бодя бодько богданко даня данко
богдана дана данка
борис боря борько boris
валентин валентина валя валік
валерій валера валєра валерія лера
василь вася васько васильок basil
віктор вітя вітьок вікторко victor vic
вікторія віка вікуся віта victoria vicky tori
віталій віталік віталя віта vitaly
владислав влад владик владко славко
володимир вова вовка вовчик володя вовик volodymyr vladimir
вячеслав в'ячеслав слава славко славік
галина галя галка галинка
григорій гриша гриць грицько gregory greg
данило даниїл даня данилко даник daniel dan danny
дарія дарина даша дася daria
денис ден дениско dennis
дмитро діма дімон митя дмитрик митько дімка
євген женя жека євгенко eugene gene
євгенія женя єва eugenia
єлизавета ліза лізка elizabeth lisa liz lizzy beth betty
зеновій зенко зеник
зінаїда зіна
зоряна зоря зоряна
іван ваня іванко івасик ivan john
ігор ігорко ігорьок гоша
ілля ілько ілюша
інна іннуся
ірина іра іринка ірка іруся ірися irene
катерина катя катруся катька катерина катюша catherine katherine kate katie kathy
кирило кирил cyril
костянтин костя костик constantine
ксенія оксана ксеня ксюша ксюха ксенька
леонід льоня льонько leonid
лілія ліля lily
лідія ліда лідка lydia
любов люба любка любася
людмила люда люся мила
лев льова левко leo leon
максим макс maxim max
маргарита рита марго margaret maggie meg peggy
марина маринка marina
марія маша маруся марійка маня mary maria molly
марта мартуся martha
микола коля миколка миколай колян nicholas nick
михайло міша мишко михась michael mike mick mikey майкл майк
назар назарко назік
наталія наталя наталка ната natalie natasha
надія надя надійка nadia
ніна нінка
олег олежка олежик
олена лєна леся оленка альона оля helen helena elena
ольга оля олька олечка льоля olga
орест орестик
остап остапко
павло паша павлик павлусь paul
петро петя петрик петрусь peter pete
поліна поля pauline
роман рома ромко ромчик
ростислав ростик слава славко
руслан русик руся
світлана світла свєта світланка
святослав слава славко святик
сергій сергійко серьога сірко sergey serge
соломія соля соломійка мія
софія соня софійка софа sophia sophie
станіслав стас стасик stanislaus
степан степанко стьопа stephen steven steve
тарас тарасик
тетяна таня танюша тетянка танька tatiana
тимофій тимко тіма timothy tim
тимур тіма тимка
федір федя федько theodore ted
христина христя крістіна christina chris tina
юлія юля юлька юляша julia julie
юрій юра юрко юрась george
яна янка яночка
ярослав ярик славко слава
ярослава яра слава
яків яша jacob jake
"""
_ENGLISH = """
abigail abby gail
albert al bert bertie
amanda mandy
andrew andy drew
anthony tony
barbara barb barbie
benjamin ben benny benji
bradley brad
cameron cam
caroline carrie caro
charles charlie chuck чарльз чарлі
charlotte lottie charlie
christopher chris kit
christine chris tina
cynthia cindy
daniel dan danny
david dave davy девід дейв
deborah deb debbie
dominic dom
dorothy dot dottie
edward ed eddie ted ned едвард ед едді
eleanor ellie nell nora
emily em emma
frances fran francis frank
frederick fred freddie
gabriel gabe
gabrielle gabby
gerald gerry jerry
gregory greg
gwendolyn gwen гвен
harold harry hal
henry harry hank генрі
jacqueline jackie
james jim jimmy jamie джеймс джим
janet jan
jason jay
jennifer jen jenny дженніфер джен
jessica jess jessie
joanna jo joan joanne
john johnny jack jon джон
jonathan jon jonny
joseph joe joey джозеф джо
joshua josh джош
joyce joy
judith judy
kimberly kim
lawrence larry laurie
leonard leo len lenny
louis lou louie louise
lucy luce люсі
madeleine maddie
matthew matt метью мет
melanie mel мелані
melissa mel missy lissa
nathaniel nathan nate nat
nicola nicole nicky
oliver ollie олівер
olivia liv livvy
pamela pam
patricia pat patty trish
patrick pat paddy
peter pete пітер піт
philip phil
priscilla cilla
rebecca becca becky
raymond ray
rachel rach rae
richard rich rick dick ricky річард рік
robert rob bob bobby robbie роберт боб роб
ronald ron ronnie
russell russ
samantha sam
samuel sam sammy
sarah sara sally
sebastian seb
stephanie steph
stephen steven steve стів
susan sue susie
sylvia sylvie
theodore theo ted
theresa teresa terry tess
thomas tom tommy томас том
timothy tim
valerie val
vanessa nessa
veronica ronnie
victoria vicky tori
vincent vince vinny
walter walt
wendy wen
william will bill billy liam вільям біл
zachary zach zack
"""


@lru_cache(maxsize=1)
def _families() -> tuple[Mapping[str, frozenset[int]], tuple[tuple[str, ...], ...]]:
    lines = tuple(tuple(line.split()) for line in f"{_UKRAINIAN}{_ENGLISH}".strip().splitlines() if line)
    found: dict[str, set[int]] = {}
    for number, forms in enumerate(lines):
        for form in forms:
            found.setdefault(phonetic_key(form), set()).add(number)
    return MappingProxyType({key: frozenset(numbers) for key, numbers in found.items()}), lines


def families_of(bare_sound: str) -> frozenset[int]:
    """Return which names a name can stand for, as numbers; by its sound without a case ending."""
    return _families()[0].get(bare_sound, frozenset())


def forms_of(bare_sound: str) -> frozenset[str]:
    """All forms of the names that a name can stand for."""
    lines = _families()[1]
    return frozenset(form for number in families_of(bare_sound) for form in lines[number])
