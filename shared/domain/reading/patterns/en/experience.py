"""What members have lived through, in their own English."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.patterns.en.rows import row

_WHEN = (
    "when i was (@age|#num|@several|little|young|small|younger|pregnant (!@end _){0,3}"
    " / a|an (young|small|little|poor|broke)* kid|child|teen|teenager|student|boy|girl|toddler|baby|trainee|intern"
    " / (in|at|my|the|primary|high|secondary)* school|uni|college|university|teens|twenties|army|navy|hospital)"
)
_TIME = (
    "((in|since|during|around|until|back|from|early|late|of|summer|spring|autumn|winter)* @year /last year|summer|winter|spring|autumn|fall|christmas|easter|@month"
    " / about|like|over|nearly|almost|some? #num|@several|a|half of? @period|decades (and|#num|a|half)* ago / years|ages|decades|months ago"
    " / for (about|over|nearly|almost|the|best|part|of|like|just|under|around)* #num|@several|a|half|whole|most|one (of|whole|full|and|a|half)* @period|decades|days|summers|seasons"
    " / as a small|young|teenage? kid|child|teen|teenager|student|boy|girl|toddler|youngster|exchange student?"
    + _WHEN
    + " / growing up"
    " / in|during my|the|high|covid early|late|mid? 20s|30s|40s|twenties|thirties|teens|youth|childhood|school|pandemic|nineties|eighties|90s|80s|noughties|2000s|lockdown|gap|uni|college|year"
    " / back? in|during|after|before my? college|uni|university|school|high|grad|lockdown|covid|@month school? / back in the day / once $ / twice|thrice $ / @several times / before this|that|then|#ing)"
)

EXPERIENCE_EN = (
    row(
        "used_to", "experience", "experience",
        (
            "(@i|we @adv*)? <what: used to (@used / be (a|an|in|the|on|into|really|so|@job) / have a|an|@several|long|#num / do @activity|@degree|ballet|gymnastics|roller|night) !@pronoun (!@end _){1,9}>",
            "IDO <what: used to skateboard|stutter|stammer|smoke|fence|busk|wrestle|box|dance|sing|skate|ski|surf|dj|row> $",
        ),
        "In the past: {what}", hit="I used to live in Oslo", miss="I used to think so",
    ),
    row(
        "anchored", "experience", "experience",
        (
            _TIME + " ,? (@i|we @adv* have? @adv* <what: @lived|@injure|=had|=was|=got|=did|=gave|=used|=caught|=fell !@errand !to (!@end _){1,11}>)",
            "as a kid|child|teen|teenager|student|boy|girl|exchange _? ,? i @adv* <what: !thought|wanted|would|could|was|believed|loved|hated _ (!@end _){1,11}>",
            _WHEN + " ,? @i|we @adv* <what: !thought|wanted|would|could|believed|was|always|used _ (!@end _){1,11}>",
            "<what: back? when @i|we =lived|=worked|=studied in|at|as|on (!@end !i _){1,4} ,? i (!@end _){1,10}>",
            "IDO have? <what: !@dull @pasttense !@errand (!@end _){0,9} (in @year / when i was #num|@several|a|little|young|in|at _{0,3} / as a kid|child|teen|teenager|student / #num|@several|a|couple|few years|decades|summers ago / in the 90s|80s|70s|2000s / in my teens|twenties|thirties|20s|30s|childhood|youth / in|at|during uni|college|school|university|covid|lockdown / last summer|year|winter|spring|autumn)>",
            "IVE <what: !@dull @pasttense !@errand (!@end _){0,8} " + _WHEN + ">",
            "i @adv* <what: =was @age|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty (years old / yo)? when !=i|you|it|this|that|asked (!@end _){2,9}>",
            "<what: =was @age|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty (years old / yo)? when (the #cap _ / my|our _ =moved|=died|=left|=split|=divorced|=got|=took|=was|=came / we =moved|=left|=emigrated|=fled|=came|=arrived / the war|quake|earthquake|flood|wall|revolution|towers|hurricane|fire) (!@end _){0,8}>",
            "growing up ,? @i|we @adv* <what: !thought|wanted|would|could|believed _ (!@end _){1,11}>",
        ),
        "In the past: {what}", hit="last summer I worked on a fishing boat", miss="last summer it worked", confidence=0.8,
    ),
    row(
        "travel", "experience", "travel",
        (
            "IVE =been <what: to (over|about|nearly|more|than)* #num|@several (countries|states|cities|continents|islands) (!@end _){0,5}>",
            "IVE =been <what: to the? !the|a|that|sleep|bed|work|lunch !@errand (#cap (!@end _){0,6} / (!@end !@pronoun !@stop _){1,3} once|twice|before|several|@several|last|many (!@end _){0,4})>",
            "IVE =visited|=toured|=explored <what: the? (#cap (!@end _){0,7} / #num|@several|over|more (!@end _){0,4} countries|states|cities|continents|islands|castles|museums|parks|stadiums (!@end _){0,4} / (!@pronoun !the|your|our !@end _){1,3} once|twice|last|in|back|before|two|three|when (!@end _){0,6})>",
            "IVE <what: @voyage (!@end !@pronoun !to _){0,4} across|around|round|through|along|from|over|up|down|to (the|all|of|whole)* #cap|europe|asia|africa|america|world|states|country|coast|camino|atlantic|pacific|channel|alps|himalayas|desert|pyrenees|south|north|australia|india|china|japan|iceland|canada|scotland|ireland|england|france|spain|italy|balkans|baltics|outback|andes (!@end _){0,8}>",
            "IVE <what: @voyage|=did|=completed|=climbed|=summited up? (the|all|of|mount|mt|half)* #cap|camino|kilimanjaro|snowdon|everest|pennine|appalachian|inca|coast|munros|alps (!@end _){0,8}>",
            "IVE <what: =went|=gone|=tried|=did|=been (backpacking|hitchhiking|interrailing|skydiving|bungee|scuba|trekking|whale-watching|kayaking|sailing|paragliding|skydive (!@end _){0,8} / on a|an|our|my safari|cruise|honeymoon|exchange|pilgrimage|retreat|expedition (!@end _){0,8} / to #cap (!@end _){0,4} last|in|when|as year|summer|winter|spring|autumn|@year|i|a (!@end _){0,5})>",
        ),
        "Has travelled: {what}", hit="I have been to Japan twice", miss="I visited the wiki page", confidence=0.82,
    ),
    row(
        "done", "experience", "experience",
        (
            "IVE <what: @injure my|both|a|an|#num (!@pronoun !@end _){0,2} @limb|ligament|acl|meniscus (!@end _){0,6}>",
            "IVE <what: (=ran|=swam / have =run|=swum / =finished|=completed|=did|=done|=rode|=walked|=entered) (a|an|the|my|two|three|first|second|half|full|#num|@several|another)* (!@stop _)? marathon|half-marathon|ironmans|ultras|triathlon|ironman|ultra|ultramarathon|10k|5k|parkrun|channel|degree|thesis|phd|marathons|triathlons (!@end _){0,6}>",
            "IVE <what: =lived|=worked in|on @several countries|cities|continents|states|places|towns (!@end _){0,4}>",
            "IVE <what: =failed|=passed|=flunked my (!@stop _)? test|exam|exams|a-levels|bar|gcses (!@end _){0,4}>",
            "IVE <what: =won a|an|the|my|first|second|third|gold|silver|bronze|two|three|some|several|#num !argument|bet|battle|game|war|day|round|internet|lottery|match (!@end _){1,7}>",
            "IVE <what: =graduated|=dropped out? of|from|in|at|with|last|two|three|as|law|uni|college|school !that|this|it (!@end _){0,6}>",
            "IVE <what: =emigrated|=fostered|=hosted|=represented !it|update|meeting|that|this|the|my|without (!@end _){1,8}>",
            "IVE <what: =had|=have (a|an|my|open|heart|brain|knee|hip|eye|laser|back)* @operation (!@end _){0,6}>",
            "IVE <what: =gave birth (!@end _){0,5} / =quit|=stopped|=given|=gave (smoking|drinking|vaping / up smoking|drinking|gambling / my job (!@end _){0,3}) (!@end _){0,5}>",
            "IVE <what: =got|=been|=was|=were (@gotinto / =stung by a|an|bees|wasps / =hit|=struck by a|an|lightning / =stuck|=trapped|=locked in|on|inside|up a|an|the !traffic|meeting|queue|call|loop / =lost in (#cap / the|a woods|desert|jungle|mountains|forest|fog|blizzard|city|storm) / laid off / made redundant / fired|sacked / asked|invited|chosen|elected|awarded|nominated|featured|interviewed to|by|for|in|on|as) (!@end _){1,8}>",
            "IVE =lost <what: my job|dad|mom|mum|father|mother|passport|wallet|hearing|brother|sister|gran|house|leg|sight|husband|wife (!@end _){0,6}>",
            "IVE <what: =met|=saw|=interviewed|=seen (!@end !@pronoun _){0,3} #cap (!@end _){0,3} (live|once|twice|backstage / in person|concert) (!@end _){0,5}>",
            "IVE <what: =seen|=saw the? northern|aurora|pyramids|eclipse (!@end _){0,5}>",
            "IVE <what: =came|=placed|=finished first|second|third|fourth|last|1st|2nd|3rd in (!@end _){1,6}>",
            "IVE <what: =crossed|=swam|=rowed the #cap (!@end _){0,6}>",
            "IDO =was <what: born (#num|@several months|weeks|early / in|on a|an) (!@end _){1,4}>",
            "@i @adv* =once @adv* <what: @didonce !it|that|this|you|the (!@end _){1,9}>",
            "=once @adv* <what: @didonce !it|that|this|you (!@end _){2,9}>",
            "IVE =nearly|=almost <what: =drowned|=died|=fell|=crashed|=burned|=burnt (!@end _){1,9}>",
            "IVE <what: =did|=done my|a|an _{0,2} erasmus|exchange|service|apprenticeship|jump|skydive|stint|placement|pilgrimage|residency|internship (!@end _){0,6}>",
            "<what: my flat|house|car|bike|van|shop|boat got|was (!@stop _)? burgled|stolen|flooded|struck|robbed|hit (!@end _){0,6}>",
            "IVE =came|=come|=got back|home from <what: (!@end !#cap _){0,4} #cap (!@end _){0,3}>",
            "IVE <what: =grew up with|without|speaking|poor|bilingual (!@end _){1,6}>",
            "IVE <what: =learned|=learnt|=taught to|myself swim|drive|ride|ski|sail|fly|play|code|cook|read|weld|sew|dance|surf|knit|juggle (!@end _){0,6}>",
            "IVE <what: =bought|=built|=sold a|an|my|our first|own? house|home|flat|apartment|cabin|boat|van|farm|cottage|campervan|company|business (!@end _){0,6}>",
            "IVE <what: =moved|=emigrated here|there from #cap (!@end _){0,6}>",
            "IVE <what: =skydived|=skydove|=hitchhiked|=backpacked (!@end _){0,6}>",
        ),
        "Has lived through: {what}", hit="I broke my arm sledding", miss="I broke my build again", confidence=0.82,
    ),
    row(
        "lived", "experience", "experience",
        (
            "IVE <what: =did|=done|=served (a|an|my|about|nearly|over|almost|the|best|part|of)* (@several|#num)? (year|season|stint|tour|gap|decade|semester|internship|winter|summer|placement|month) (year)? (in|at|on|with|as|abroad|aboard|for|picking|teaching|working|volunteering|fishing|#ing) !review|report|row|advance|total|bed (!report|reports|review|@end _){1,8}>",
            "IVE <what: (=grew up / =raised) on a|an (!@end _){1,6}>",
            "IVE <what: @lived !@errand !to? !@errand (!@end _){0,10} " + _TIME + " (!@end _){0,5}>",
            "IVE <what: =spent a|an|my|the|two|three|four|five|six|#num|half|most|several|some|every|@several (!@end _){0,3} @period|summers|childhood|days|decade|twenties (!@end _){1,8}>",
            "IDO <what: =was|=were a|an|in|on (!@end _){1,6} " + _TIME + " (!@end _){0,4}>",
            "IDO <what: =had|=owned|=did|=started|=got a|an|my (!@end _){1,6} (in|back @year / for @several|#num @period / @several|#num @period ago / when i was (!@end _){1,4} / as a kid|child|teen|teenager) (!@end _){0,4}>",
            "<what: my first @milestone was !that|this|it (!@end _){1,9}>",
            "<what: my last|previous|old|former job|gig|career|flat|apartment was (!@end _){1,9}>",
            "IDO =have? @adv* <what: been in|on a|the? army|navy|tv|television|hospital|accident|coma|band|film|marines|military (!@end _){0,6}>",
            "IVE <what: =was|=served|=were in the army|navy|marines|military|scouts|air|coast|peace|reserves|police|choir|merchant force|guard|corps|navy? (!@end _){0,6}>",
        ),
        "In the past: {what}", hit="I lived in Lyon for half a year", miss="I went to the shop a day ago", confidence=0.8, momentary=False,
    ),
)  # fmt: skip
