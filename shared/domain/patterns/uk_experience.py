"""What members have lived through, said in Ukrainian: told with a time ("торік", "в дитинстві") or worth it by itself."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.patterns.uk_words import row

_CHILD = (
    "(у|в дитинство|дитинстві|юності|юність|молодості|студентстві|школі|армії|інтернаті|садочку / (у|в) @ordinal класі / на @ordinal курсі / ще (в|у) школі|садочку|універі / "
    "коли @i? (ще)? (був|була|були) (ще)? (малий|мала|малим|малою|маленький|маленька|студентом|студенткою|підлітком|школярем|школяркою|юний|юна|молодий|молода|дитиною|школярка|школяр) / "
    "коли @i? (ще)? (вчився|вчилась|вчилася|навчався|служив|служила|працював|працювала|жив|жила) (!@pronoun _){0,3} / "
    "змалку|змалечку|підлітком|студентом|студенткою|школярем|школяркою)"
)
_EVENT = "(@place / !@pronoun|@but|@kin|@friend|#cap|#i|#he|#they|не _)"

EXPERIENCE_UK = (
    row(
        "child_story",
        "experience",
        "childhood",
        (
            f"<what: (@i / @adv)* {_CHILD} ,? (!не _){{0,4}} (ледь|ледве|мало|майже не)? #past (!@filler _){{1,8}}>",
            f"<what: (@i / @adv)* {_CHILD} ,? @i? (@adv / @place){{0,2}} (ми|мене|мені) (@adv / @place){{0,2}} #pastpl (!@filler _){{1,8}}>",
            f"<what: (@i / @adv)* {_CHILD} ,? (!не _){{0,5}} (ледь|ледве|мало|майже не)? #past>",
            f"<what: ME #past (!@pronoun|@filler|не _){{1,5}} ,? {_CHILD}>",
            "<what: (мене|мені) (малого|малу|маленьку|маленького|малому|малій) (!не _){0,4} #past|#pastpl (!@filler _){0,4}>",
        ),
        "Пережите: {what}",
        hit="коли був малий, зламав руку на санчатах",
        miss="в дитинстві трава зеленіша",
        confidence=0.78,
    ),
    row(
        "befell",
        "experience",
        "experience",
        (
            f"<what: (@i / AGO / @adv)* (мене|мені) (AGO / @adv)* {_EVENT}{{0,3}} @befell#past|@befell#pastpl (!@filler _){{0,5}}>",
            "<what: (@i / AGO / @adv)* мені (AGO / @adv)* (робили|зробили|видалили|вирізали|вставили|ставили) (!@filler _){1,4}>",
            "<what: WE @broke#past (!@filler|не|@pronoun _){0,2} @bone (!@filler _){0,4}>",
            "<what: (@i / AGO / @adv)* (у|в) мене (AGO / @adv)* була|було|був (операція|інсульт|інфаркт|клінічна|аварія|перелом|струс|ковід|кома) (!@filler _){0,3}>",
        ),
        "Пережите: {what}",
        hit="мені торік коліно прооперували",
        miss="мене ніхто не прооперував",
        confidence=0.8,
        momentary=False,
    ),
    row(
        "event",
        "experience",
        "experience",
        (
            "<what: (@i / ми / AGO / @adv)* (піднятися#past|підніматися#past|сходити#past|вилізти#past|зійти#past) на #cap (!@filler _){0,4}>",
            "<what: (@i / ми / AGO / @adv / (з|із|зі _{1,2}))* @event#past !@pronoun|@filler|що|це (!@filler _){1,8}>",
            "<what: WE (@i)? @won#past (!@filler|не|@pronoun _){0,3} @prize (!@filler _){0,5}>",
            "<what: WE (AGO)? @ran#past (!@filler|не|@pronoun _){0,3} @distance (!@filler _){0,4}>",
            "<what: WE (AGO)? @graduated#past (!@filler|не|@pronoun|@mywork _){0,3} @school (!@filler _){0,4}>",
            "<what: WE (AGO)? (!@pronoun|@filler|не|#i|#he _){0,2} (кинути#past|зав'язати#past) (палити|курити|пити|роботу|універ|університет|навчання|школу) (!@filler _){0,5}>",
            "<what: WE звільнитися#past (@adv / AGO)* (з|із) (!@filler _){1,4}>",
            "<what: WE (стрибати#past|стрибнути#past) (AGO)? (з|із) парашут* (!@filler _){0,3}>",
            "<what: @i (@adv / AGO)* (бути#past|побувати#past|їздити#past|літати#past) (@adv / AGO)* (в|у|на) PLACE (!@filler _){0,4}>",
            "<what: WE народити#past вдома|двійню|трійню (!@filler _){0,4}>",
            "<what: (@i / @adv)* (колись|якось|вперше / одного разу) (@i / @adv)* !@dull #past (!@but|@pronoun _){2,8}>",
            "<what: WE пройти#past (АТО|війну|каміно|полон) _{0,4}>",
        ),
        "Пережите: {what}",
        hit="торік об'їхав усю Грузію на велосипеді",
        miss="вчора пройшов повз магазин",
        confidence=0.8,
        momentary=False,
    ),
    row(
        "lasted",
        "experience",
        "experience",
        (
            f"<what: (@i / AGO / @adv)* DURATION {_EVENT}{{0,3}} (@lasted#past|@lasted#pastpl) (!@filler|мал* _){{0,6}}>",
            "<what: WE (@lasted#past|@lasted#pastpl) (!@pronoun|@filler|не|#i _){0,4} DURATION (!@filler _){0,4}>",
        ),
        "Пережите: {what}",
        hit="три роки прожила в Канаді",
        miss="була в магазині, молока нема",
        confidence=0.8,
        momentary=False,
    ),
    row(
        "anchored",
        "experience",
        "experience",
        (
            f"<what: (@i / ми / @adv)* AGO (@i / ми / @adv / AGO / (з|із|зі _{{1,2}})){{0,4}} {_EVENT}{{0,2}} (@been#past|@been#pastpl) !мал* (!@filler _){{1,8}}>",
            f"<what: (@i / ми / @adv)* AGO (@i / ми / @adv / AGO / (з|із|зі _{{1,2}})){{0,4}} {_EVENT}{{1,4}} (@been#past|@been#pastpl) (!@filler _){{0,2}}>",
            "<what: WE (з|із|зі _{1,2})? (@been#past|@been#pastpl) (!@but|не _){0,6} AGO (!@filler _){0,4}>",
            "<what: (@i / ми / @adv)* AGO (@i / ми / @adv / AGO / (з|із|зі _{1,2})){0,4} бути#past|бути#pastpl (@adv)* (в|у|на _{1,6} / *ом|*ем|*ою|*ею|*єю (!@filler _){0,4})>",
            "<what: @i? (@adv)* бути#past (в|у|на) (!@pronoun|@filler _){1,3} AGO (!@filler _){0,4}>",
        ),
        "Пережите: {what}",
        hit="минулого літа ми з подругою сплавлялись Дністром",
        miss="якось було не до того",
        confidence=0.8,
        momentary=False,
    ),
    row(
        "times",
        "experience",
        "experience",
        (
            "<what: (@i / AGO / @adv)* (разів @num / @num|#num разів|рази / тричі|двічі) (@i / @adv / на|у|в _{1,2})* (@event#past|@farther#past) (!@filler _){0,5}>",
            "<what: (@i / AGO / @adv)* (бувати#past|=бував|=бувала) (в|у|на) PLACE (!@filler _){0,4}>",
        ),
        "Пережите: {what}",
        hit="разів п'ять виходила на Говерлу",
        miss="разів п'ять писала вам",
    ),
    row(
        "had_to",
        "experience",
        "experience",
        (
            "<what: (@i / мені / @adv)* @fell (мені / @adv)* AGO (!@filler _){0,7} #inf (!@filler _){0,4}>",
            "<what: (@i / мені / @adv)* AGO (мені / @adv)* @fell (мені / @adv)* (!@filler _){0,7} #inf (!@filler _){0,4}>",
            "<what: (пощастило|поталанило|випало|судилося) (мені|@adv){0,2} #inf (!@filler _){1,5}>",
            "<what: мені (@adv)* (пощастило|поталанило|випало|судилося) #inf (!@filler _){1,5}>",
        ),
        "Пережите: {what}",
        hit="прийшлось мені в 2019-му на круїзному лайнері посуд мити",
        miss="довелося мені чекати",
        momentary=False,
    ),
    row(
        "saw_live",
        "experience",
        "experience",
        (
            "<what: (@i / AGO / @adv)* (!@pronoun|@filler|не _){0,2} (вживу|наживо|живого|живцем / на власні очі) (!@pronoun|@filler|не _){0,2} (бачити#past|чути#past|слухати#past|побачити#past|зустріти#past) (!@filler _){0,4}>",
            "<what: (@i / AGO / @adv)* (бачити#past|чути#past|слухати#past|побачити#past|зустріти#past) (!@pronoun|@filler|не _){1,3} (вживу|наживо|живого|живцем / на власні очі) (!@filler _){0,4}>",
        ),
        "Пережите: {what}",
        hit="я Кузьму вживу слухав на Майдані",
        miss="я вживу краще за фото",
        momentary=False,
    ),
    row(
        "once",
        "experience",
        "experience",
        (
            "<what: (якось|раз (у|в|на|під|біля|по|коло) !мене|нас|тебе|нього / одного разу / був випадок|случай) (!@pronoun|@but|не _){0,4} (мене|мені|мною|я / у|в мене) (!@pronoun|@but|не _){0,5} !@dull #past|#pastpl (!@filler _){0,4}>",
            "<what: (у|в) мене (раз|якось|колись / одного разу) (!@pronoun|@but|не|@dull _){1,4} #past|#pastpl (!@filler _){0,4}>",
            "<what: AGO (!@pronoun|@but|не _){1,6} #past|#pastpl (!@pronoun|@but _){0,2} зі мною>",
            "<what: (@i / AGO / @adv)* мене (AGO / @adv)* AGO (!@pronoun|@but|не|ніхто _){0,4} !@dull|кликати|просити|додати|тегнути|запросити #pastpl (!@filler _){0,5}>",
            "<what: (у|в) (нас|мене) (AGO / @adv)* (!@pronoun|@filler|не _){0,3} =згоріла|=згорів|=згоріло|=затопило|=розбомбило|=розбомбили|=зруйнувало (!@filler _){0,4}>",
            "<what: =горіла|=згоріла|=згорів|=затопило|=розбомбило|=розбомбили|=обікрали (у|в) (нас|мене) (!@filler _){1,4}>",
        ),
        "Пережите: {what}",
        hit="раз під Уманню в мене прям у кабіні дитина народилась",
        miss="раз я вже прийшла, то слухаю",
        momentary=False,
    ),
    row(
        "gained",
        "experience",
        "achievement",
        (
            "<what: WE (!@pronoun|@filler|не|#i _){0,2} @prize (!@pronoun|@filler|не|#i _){0,4} (@won#past|взяти#past) (!@filler _){0,4}>",
            "<what: WE взяти#past (!@pronoun|@filler|не|#i _){0,3} (олімпіада|олімпіаду|медаль|кубок|гран-прі|бронзу|срібло|золото) (!@filler _){0,4}>",
            "<what: (@i / AGO / @adv|@inseason){1,5} (диплом|магістр*|бакалавр*|ступінь) (отримати#past|захистити#past|здобути#past|одержати#past)>",
        ),
        "Пережите: {what}",
        hit="а я олімпіаду з хімії обласну взяла, в десятому",
        miss="я медаль не взяла",
        confidence=0.8,
        momentary=False,
    ),
    row(
        "outlived",
        "experience",
        "experience",
        (
            "<what: WE (!@pronoun|@filler|@but|@shortly|не|#i|#he _){1,5} (пересидіти#past|пережити#past|перебути#past) (!@filler|@shortly _){0,4}>",
            "<what: WE (пересидіти#past|перебути#past) (!@pronoun|@filler|@shortly _){1,5}>",
            "<what: після (!@but|@pronoun|#i|#past _){1,4} DURATION (!@but|@pronoun|не _){0,3} #past (!@filler _){0,3}>",
            "<what: WE (DURATION)? (ночувати#past|спати#past) (в|у|на|під) (!@pronoun _){0,1} (пустелі|вокзалі|аеропорту|горах|небом|зорями|лісі|підвалі|метро|бомбосховищі) (!@filler _){0,3}>",
            "<what: WE (літати#past|політати#past|пірнати#past|занурюватися#past|сплавлятися#past|їздити#past|кататися#past) (на|з|із) (повітряній|аквалангом|парапланом|параплані|дельтаплані|вертольоті|гелікоптері|верблюді|верблюдах|слоні|собаках|дельфінами|акулами|затонулого) (!@filler _){0,4}>",
            "<what: WE (в|у) (кіно|рекламі|серіалі|масовці|кліпі|фільмі|шоу|телешоу) (зніматися#past|знятися#past) (!@filler _){0,4}>",
            "<what: WE (зніматися#past|знятися#past) (в|у) (кіно|рекламі|серіалі|масовці|кліпі|фільмі|шоу|телешоу) (!@filler _){0,4}>",
            "<what: WE автостопом (!@but|не _){0,4} #past (!@filler _){0,4}>",
            "<what: WE #past (!@but|не|@pronoun _){0,3} автостопом (!@filler _){0,3}>",
            "<what: WE (зустріти#past / познайомитися#past з|із|зі) (мій|свій|майбутн*){1,2} @kin (!@filler _){1,6}>",
            "<what: @i (!@pronoun|@filler|не _){0,2} (в|у|на) #cap (!@filler|@pronoun _){0,2} (зустріти#past / познайомитися#past з|із|зі) (мій|свій|майбутн*){1,2} _{0,3}>",
        ),
        "Пережите: {what}",
        hit="а я два землетруси в Туреччині пересиділа",
        miss="ледве пережила понеділок",
        confidence=0.8,
        momentary=False,
    ),
)
