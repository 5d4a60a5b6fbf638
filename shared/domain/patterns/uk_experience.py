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
)
