"""Who members are, in their own English: name, age, home, health and what is theirs."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.patterns.en.rows import row

PERSONAL_EN = (
    # --- name and age
    row(
        "name", "personal_info", "name",
        (
            "my (real|full|first|actual|given|legal|middle|last)* (name|surname|nickname is / name's) @adv* <what: #cap{1,3}>",
            "my (real|full|first|actual|given|legal)* (name is / name's) @adv* <what: !@noobject !@stop !long|hard|mud|fine|too _> $",
            "(everyone|everybody|people|friends|folks|most|friend (at|in _ / here)? / my|most friend|family|mate|colleague|people|nan|mum|parents) @adv* call me <what: !crazy|when|if|later|back|out|a|the|names|by|in|for|about|every|once|twice|again|yesterday|last|today|at|on|from|and|but|so _>",
            "(name's / name is) @adv* <what: !@weekday !@month #cap{1,2}> ($ / btw|by|and|but _{0,12})",
            "i =am <what: #cap{1,2} from PLACE>",
            "i =am <what: #cap{1,2}> , nice|pleased|good|new|hi|hello|lovely|great|glad|just|hey",
            "(you can / please / just)* call me <what: #cap{1,2}> $",
            "IDO (=am called / =go by|=went by the? name|nickname? of?) <what: !the|a|my|car|bus|train|foot|bike|plane|what|it|so|quick|fast _>",
            "hi|hello|hey|hiya|greetings (all|everyone|everybody|there|folks|guys|people|team|again)* ,? (i am / it is / this is / my? (name is / name's)) <what: #cap{1,2}> here? $",
        ),
        "Name: {what}", hit="my real name is Miroslava", miss="my name is on the list twice", single=True, confidence=0.9,
    ),
    row(
        "pronouns", "personal_info", "pronouns",
        ("my pronouns are <what: _{1,3}> $", "IDO =use <what: she|he|they _? pronouns>"),
        "Pronouns: {what}", hit="my pronouns are they them", miss="my pronouns exercise? done",
    ),
    row(
        "birthday", "personal_info", "birthday",
        (
            "(it is)? my _? birthday|bday|b-day|birthday's (is|falls|always|on|in)* <what: @month $>",
            "(it is)? my _? birthday|bday|b-day|birthday's (is|falls|always|on)* <what: the? (#num of? @month / @month the? #num? / the #num $ / christmas|boxing|halloween|valentine's|valentines|leap|independence|bonfire day|eve|night? / new year|years|year's eve|day?)>",
            "IDO =was|=am? =born on? <what: the? #num of? @month @year? / @month the? #num @year?>",
            "IDO =was|=am? =born in <what: @month @year?>",
            "IDO =was|=am? =born on <what: (leap|christmas|boxing|halloween|valentine's|valentines|independence|bonfire|april|easter (day|eve|night|sunday|fools)? / new (year's|years|year) day|eve?)>",
        ),
        "Birthday: {what}", hit="my birthday is on May 5th", miss="my birthday is ruined", single=True, confidence=0.9,
    ),
    row(
        "age", "personal_info", "age",
        (
            "IAM (almost|nearly|about|around|turning)* <what: (#num / eighteen|nineteen|twenty*|thirty*|forty*|fifty*|sixty*|seventy* (one|two|three|four|five|six|seven|eight|nine)?) (year|yr old|young / yo|y|y.o)>",
            "IAM almost|nearly? a? <what: #num (year-old|yr-old|yo / year|yr old)>",
            "(as / IAM) a <what: @age> (year-old|yo / year old)",
            "IAM <what: @age> i|n|u|not !mean|guess|think|was|said _{1,14}",
            "(@i @adv* =have|=am?)? @adv* =turned|=hit|=turning|=turn @adv* the? big? <what: @age|twenty|thirty|forty|fifty|sixty|seventy> ($ / today|yesterday|tomorrow|last|this|in|on|and|so|a|at|next|back|soon|with|– _{0,14})",
            "IDO =am (=turning the? big?)? @adv* <what: twenty-*|thirty-*|forty-*|fifty-*|thirty|forty|fifty|sixty|seventy|@age> ($ / and|but|so|now|next|already|tomorrow|today|btw|lol|too|soon|– _{0,14} / this|in @month|summer|winter|spring|autumn|year|march|may)",
            "i will be <what: @age|thirty|forty|fifty|sixty> in|on|next|this|soon|tomorrow _{0,14}",
            "IAM in my <what: early|mid|late? 20s|30s|40s|50s|60s|70s|twenties|thirties|forties|fifties|sixties|seventies|twenty|thirty|forty|fifty|sixty / mid-*|late-*|early-*>",
            "IDO =was born back? in <what: @year>",
        ),
        "Age: {what}", hit="I'm 34 years old", miss="I'm 10 minutes away", single=True, confidence=0.9,
    ),
    # --- home
    row(
        "distance", "personal_info", "location",
        (
            "@i|we @adv* =am|=are? =live|=living @adv* (about|around|like|only|just|roughly)* <what: (a|an|half|#num|@several @several? _? minute|min|hour|hr|mile|km|kilometre|kilometer|block _? _? from|away|outside|north|south|east|west from|of? (PLACE / the _))>",
            "@i|we @adv* =am|=are? =live|=living <what: abroad|alone|off-grid|overseas / by myself / on my own / off the grid / off grid / right? by|near|next|opposite|above|behind to? the|a (!@stop _){1,3}>",
        ),
        "Lives {what}", hit="I live about ten minutes from the beach", miss="I live ten minutes at a time",
    ),
    row(
        "lives", "personal_info", "location",
        (
            "BEING =live|=living|=based|=residing|=reside|=settled|=rent|=renting @adv* @direction* (just|right? outside of? / close|next to / out of / in|near|around|on|at / a flat|house|place in) <what: PLACE>",
            "@i|we @adv* =have? =bought|=own|=rent|=got|=have a|an|my|our @placemod{0,2} place|house|flat|apartment|home|cottage|studio|room|loft|bungalow|condo|townhouse|bedsit|cabin in|near|outside <what: PLACE>",
            "<what: #cap{1,2}> (is / has been) my? home|hometown @adv* for|since|these _{1,5}",
            "@i|we @adv* have @adv* =lived @direction* in <what: PLACE> all|my|since|for|forever _{0,5}",
            "@i|we @adv* =am|=are in|near <what: a|an|the @placemod{1,3} @dwelling (in|near|outside|of #cap{1,2})?> ($ / @stop _{0,12})",
            "@i|we @adv* =am|=are up|down|over|out in|near <what: PLACE>",
            "IAM a homeowner|resident|local in|of <what: PLACE>",
            "as (someone|somebody / a|an _) who live|grew in|near <what: PLACE>",
            "IDO =call <what: #cap{1,2}> home",
            "my|our home|base (is / has been) @adv* (in|near)? <what: !@weekday !@month #cap{1,2}> ($ / @stop _{0,14})",
            "home is @adv* <what: !where|when|here PLACE> $",
        ),
        "Lives in {what}", hit="I live in Leeds by the way", miss="I live in fear of mondays", single=True, confidence=0.9,
    ),
    row(
        "moved", "personal_info", "location",
        (
            "IVE =moved|=relocated|=emigrated|=immigrated @adv* @direction* house? (from _{1,3})? (to / into / in to) <what: PLACE>",
        ),
        "Moved to {what}", hit="I just moved to Porto", miss="I moved to the next ticket", single=True,
    ),
    row(
        "from", "personal_info", "hometown",
        (
            "(@i|we @adv* (=was|=am|=were)?)? @adv* originally? =born|=raised|=bred|=grew|=brought|=grow (and|, =raised|=bred|=grew)? up? @adv* in|near|outside|around|at <what: PLACE>",
            "(@i|we @adv* (=was|=am)?)? @adv* =born|=raised|=grew up? @adv* on <what: (the? #cap{1,3} / the (!@stop _)? @dwelling)>",
            "@i|we @adv* =am|=are @adv* from <what: PLACE>",
            "(IDO =come|=hail @adv* from / originally from / i originally|actually? =am from|originally from?) <what: PLACE> originally|actually|myself|here?",
            "my (hometown|homeland|birthplace / home|native town|city|country|village) is <what: PLACE>",
            "IAM a|an? <what: #cap{1,2}> (born and bred|raised / native|kid|boy|girl|lad|lass $)",
            "my family (is|are|was) originally? from <what: PLACE>",
            "IAM a proud? native of <what: PLACE>",
        ),
        "From {what}", hit="I grew up in Tampere", miss="I'm from the future", single=True,
    ),
    row(
        "nationality", "personal_info", "origin",
        (
            "IDO =am a|an? <what: (half|part|quarter|proud|born)* @nationality ((and|half|part)* @nationality)?> ($ / so|and|but|by|living|on|– _{0,14})",
            "IDO =am <what: half-* (and half-*)?>",
            "as a|an <what: @nationality> i _{0,14}",
        ),
        "Origin: {what}", hit="I'm half Italian", miss="I'm half asleep", confidence=0.82,
    ),
    row(
        "timezone", "personal_info", "timezone",
        (
            "my (timezone / time zone) is <what: (!@stop _){1,3}>",
            "IDO =am in|on <what: gmt|utc|cet|cest|est|edt|pst|pdt|cst|mst|ist|jst|aest|bst|eet|eest time|timezone?>",
        ),
        "Time zone: {what}", hit="my timezone is CET", miss="my time zone app broke", single=True,
    ),
    # --- health and possessions
    row(
        "allergy", "personal_info", "allergy",
        (
            "IAM <what: allergic|intolerant to !monday|mondays|work|meetings|this|that|your|you|people|mornings|it|bullshit|effort|exercise|monday's (!@end _){1,5}>",
            "IAM <what: lactose|gluten|dairy|wheat|histamine|fructose intolerant>",
            "IVE =have|=got|=developed? a|an? @adv* <what: (severe|bad|mild|serious|terrible|slight)* (@food{1,2} allergy|intolerance / allergy|intolerance to (!@end _){1,4})>",
            "(@i @adv*)? (can not / am not allowed to) =eat|=have|=drink|=touch|=handle any? <what: @food (and|or @food)?> ($ / because|cause|since|at|so|– _{0,14})",
            "my <what: (@food{1,2} allergy|intolerance)> _{1,14}",
        ),
        "Allergy: {what}", hit="I'm allergic to peanuts", miss="I'm allergic to mondays", confidence=0.9,
    ),
    row(
        "health", "personal_info", "health",
        (
            "IAM a|an? <what: partially|profoundly|half|red-green? (@healthy / colour|color|red-green|red colour|color|green? blind / left handed / hard of hearing) (in my|one|the|both left|right? ear|eye|ears|eyes?)?> !to|with",
            "IAM a|an? <what: type 1|2|one|two diabetic>",
            "IVE =have|=got|=had|=get|=living|=struggle @adv* a|an|my? with? <what: (severe|bad|mild|chronic|terrible|type|1|2|one|two)* @condition> ($ / so|and|but|since|which|diagnosis|for|so|as|btw|– _{0,14})",
            "IDO =suffer @adv* from|with <what: (!@pronoun !@end _){1,4}>",
            "(@i @adv* =was|=got|=am / =got)? @adv* diagnosed with <what: (!@end _){1,4}>",
            "IDO =wear <what: glasses|contacts|hearing|braces|dentures|contact aid|aids|lens|lenses?>",
        ),
        "Health: {what}", hit="I'm left-handed", miss="I have anxiety dreams about deploys", confidence=0.88,
    ),
    row(
        "owns", "personal_info", "possessions",
        (
            "ANDDO =own <what: !it|that|nothing|you|this|the|up|these|those|one|every|all|most|some|any|no|myself|your (!@end _){1,6}>",
            "IDO =drive|=ride <what: a|an|my !bus|taxi|tram|train|truck|lorry|cab|ambulance|tractor|hard|bit|lot|van|forklift !#ing (!@stop|with _){1,4}>",
            "@i|we @adv* =have? @adv* =have|=got|=bought|=keep a|an|my|our <what: (!@stop _){0,3} @thing> ($ / in|at|and|that|which|near|by|on|so|but|with|– _{0,14})",
            "my <what: car|van|motorbike|bike|boat is a|an (!@stop _){1,4}>",
        ),
        "Owns {what}", hit="I own a campervan", miss="I own that mistake", confidence=0.8,
    ),
)  # fmt: skip
