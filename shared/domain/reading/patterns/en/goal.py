"""What members want, plan, learn and work on, in English."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.patterns.en.rows import row

_SOME = "(all|a|an|my|our|the|own|first|new|small|little|big|tiny|second|another|some|two|three|half|full|next|whole)*"
_LONG = " / ".join(
    (
        "((one day|some / finally|eventually|also|really|properly|actually|someday|maybe)? (@become !@pronoun !how|more|about|what|why|from|the|if|whether|new|a|some|my (!@end _){1,6}",
        "=learn|=learning (to|how|some|a)* !@pronoun !fix|use|install|do|get|make|set|configure|run|more|about|what|why|from|the|how|shut|live (!@end _){1,6}",
        "=learn|=learning the @instrument|language|basics|trade|waltz|tango (!@end _){0,4}",
        "move|=moving|=relocating to|back|abroad|out|in|into|somewhere|closer !the|another|a|it|that|this|on (!@end _){0,6}",
        "=visit|=visiting|=see|=seeing|=explore|=tour|=go|=going|=travel|=travelling (to|back|the|northern|southern|all|of|around|across)* #cap|northern|world|everest|abroad|uni|university|college|school|vegan|vegetarian|freelance|pro|part-time|lights|pyramids|aurora|ocean|whales|desert|rainforest|volcano|safari (!@end _){0,6}",
        "=run|=running|=swim|=cycle|=complete|=finish|=do|=walk|=hike|=enter|=row|=climb|=try|=win "
        + _SOME
        + " (sub _ hour)? @prize|@landmark|masters|master's|phd|mba|degree|channel|crossing|course|novel|thesis|pottery|yoga|stand-up (!@end _){0,6}",
        "@make|=building|=writing|=making|=opening|=starting|=buying|=launching|=renovating|=setting|=publishing|=recording up? "
        + _SOME
        + " (!@end !@pronoun !fix|patch|list|script _){0,2} @creation|@thing|@prize|@business|home|house|family|place|land|career|piano|guitar|orchard|pottery (!@end _){0,6}",
        "=get|=getting|=pass|=earn|=passing|=renew|=have|=having|=adopt|=adopting|=own|=rescue|=foster|=take "
        + _SOME
        + " (!@end !@pronoun _){0,2} licence|license|degree|certificate|certified|phd|masters|@pet|belt|exam|exams|promotion|promoted|married|fit|fitter|shape|healthier|stronger|tattoo|kids|kid|baby|children|citizenship|diploma|mortgage|fluent|greenhouse|qualified|pregnant|sober|published|signed (!@end _){0,6}",
        "@quit|=quitting (up|down|out|on)* (eating|drinking|my|all|so|much)* @vice|job|sugar|habit|plastic|screentime (!@end _){0,5}",
        "=lose|=losing|=gain|=shed|=drop|=save|=saving|=pay|=paying|=earn|=bench|=deadlift|=squat|=read|=reading|=write|=hit|=reach|=walk|=run (off|up|at|least|some|my|about)* #num|weight|@several|debt|loan|loans|mortgage|money !minutes|mins|seconds|lines (!@end _){0,7}",
        "=become|=becoming|=retrain|=qualify|=train|=volunteer|=work|=retire|=compete|=perform|=specialise|=specialize|=represent|=live|=living as|in|a|an|at|for|before|by|abroad !@nojob !on|this|that|it|the|with|right (!@end _){0,6}",
        "=clear|=crack|=ace|=sit|=resit|=retake|=pass|=retaking|=resitting (my|the|an|a|all)* !it|this|that|cache|desk (=neet|=mcat|=lsat|=gre|=gmat|=upsc|=ielts|=toefl|=jee|=gate|=usmle|=sat / (!@end !@pronoun _){0,2} exam|test|finals|boards|interview|theory|bar|orals|grade|driving|module|resits|a-levels|gcses !to|through|in) (!@end _){0,8}",
        "=join|=joining (the|a|an|my)* (!@end !@pronoun _){0,2} army|navy|police|brigade|service|marines|gym|choir|club|force|raf|coastguard|guard|scouts|orchestra|reserves (!@end _){0,5}",
        "=apply|=audition|=enlist|=enrol|=enroll|=applying|=auditioning|=enlisting|=interview for|to|in|with|at (the|a|an|my)* (!@end !@pronoun _){0,3} (#cap / school|service|army|navy|marines|police|academy|university|uni|college|job|course|citizenship|visa|scholarship|grant|phd|masters|programme|program|residency|choir|apprenticeship|internship|orchestra|position) (!@end _){0,5}",
        "(=get|=work|=make my? way? through / =read|=watch|=cook|=play through?) all|every (the|of|all)* !it|this|that|these|those|you|logs|messages|day|night (!@end !@pronoun _){1,5}",
        "=deadlift|=squat|=bench|=benchpress|=press|=clean (twice|double|my|half|own|triple)* (bodyweight / body weight / #num) (!@end _){0,5}",
        "=keep|=raise|=breed|=grow|=have|=own|=rescue (my|own|some|a|an|few|couple|of|our|rare|more|two|three)* (@pet / vegetables|veg|tomatoes|grapes|olives|roses|herbs|potatoes|chillies|peppers|pumpkins|orchids|dahlias|fruit|mushrooms) (!@end _){0,5}",
        "=have|=own a|an|my|our own? (!@end !@pronoun _){0,2} @business|@creation|@thing|house|home|land|place|library|orchard|garden|family (!@end _){0,4}",
        "=switch|=change|=changing|=switching (careers|career|jobs / to (freelance|teaching|nursing|part-time / a|an (!@end _){1,3})) (!@end _){0,5}",
        "=eat|=cook|=exercise|=sleep|=drink|=read|=spend|=walk less|more|better|healthier|fewer|healthily (!@end _){0,5}",
        "=master|=perfect|=improve|=practise !it|this|that|the (!@pronoun !@end _){1,5}",
        "=take up|part|a !it|this|look|nap|break|shower|picture|photo|bath|the|guess|bit|minute|while (!@pronoun !@end _){1,5}",
        "sail|cycle|hike|walk|drive|ride|trek|row|fly|swim|backpack|travel around|across|through|to (the|all|of)* #cap|world|country|country|atlantic|pacific|europe|asia|africa|america|channel|coast (!@end _){0,4}",
        "=get|=getting|=break into !it|this|that|bed|trouble|the (!@pronoun !@end _){1,4}",
        "=be fluent|sober|debt-free|debt|self-sufficient|published (!@end _){0,5}",
        "=be a|an !part|good|better|bit|burden|little|problem|dick|pain|member|great|bad|nuisance|fly (!@end _){1,3}",
        "=save|=saving up? for a|an|my|our|the? !later|it|this|that (!@end _){1,6}",
        "=visit|=see|=explore every|all the? (!@end !@pronoun _){1,4}",
        "=propose|=elope|=marry (!@end _){0,4}",
        "=speak @tonguemod* @tongue (!@end _){0,4}",
        "=play the? @instrument (!@end _){0,4}))",
    )
)

GOAL_EN = (
    row(
        "dream", "goal", "dream",
        (
            "my (big|biggest|lifelong|secret|main|only|long-term|new|life|career|personal|ultimate|next|current|one|year's|years|year|new|fitness|running|fitness|financial|short-term|reading|summer)* dream|goal|ambition|resolution|aspiration|target|bucket|challenge|wish job|list|item|trip? (for|this|next|the|in|of|by (!is @period|@season|@year|_){1,3})? (is / has always been) still|now|always? to? <what: !over|dead|that|not|working|simple|it|this|what|dying|ruined|good|perfect|secret|broken|gone|still|on|clear|stalled|failing|done|b|stuck|overdue|sound|the|up|a|in (!@end _){1,10}>",
            "my (big|biggest|lifelong|secret|main|only|long-term|new|life|career|personal|ultimate|next|one)* dream|goal|ambition|aim|resolution|aspiration (for|this|next|by (!is _){1,3})? is <what: (a|the (!@end _){1,8})>",
            "IDO =dream|=dreaming|=dreamed|=dreamt of|about <what: !it|that|this|you|the (!@pronoun !@end _){1,8}>",
            "(@i @adv* =have)? always wanted|dreamed|dreamt|longed (to|of|about)* <what: !know|ask|be|see|say|say !@pronoun (!@end _){1,8}>",
            "<what: (!@pronoun !@end _){1,6}> is (next|still|now|high|at|been)* on|top my|of bucket|to-do|wish|my list",
        ),
        "Dreams of: {what}", hit="my dream is to see Iceland some day", miss="my dream is over", momentary=False,
    ),
    row(
        "wants", "goal", "goal",
        (
            "@i|we @adv* do|will|would|=have|=am? @adv* really? @wish =going|=planning|=hoping|=gonna? to <what: " + _LONG + ">",
            "=hope|=plan|=want|=wanna|=intend|=aim to <what: " + _LONG + ">",
            "(@i @adv*)? =need to <what: pass|quit|stop|lose|save (!@end _){0,3} test|exam|exams|smoking|drinking|vaping|weight|kilos|pounds|deposit (!@end _){0,4}>",
            "IDO =want a|an|another <what: (!@end !@pronoun _){0,2} @pet|tattoo|motorbike|campervan|baby|piano|motorcycle|greenhouse|allotment (!@end _){0,5}>",
            "BEING =planning <what: a|my|our|the (!@end _){0,3} trip|wedding|move|holiday|honeymoon|expedition|sabbatical|roadtrip (!@end _){0,6}>",
            "IVE =have|=got|=have? (=set my heart|sights|eye|mind / my heart|sights|mind (is / are)? =set) on <what: !other|something|things|it|this|that|you|fire|edge !@end _ (!@end _){0,7}>",
            "my aim|goal|target is to <what: !leave|sleep|survive|go (!@end _){1,10}>",
            "IVE =set myself a goal|target|challenge of <what: (!@end _){1,6}>",
            "BEING =training|=preparing|=qualifying for the <what: #cap (!@end _){0,5}>",
            "BEING =studying|=revising|=cramming|=preparing for the? <what: (!@end !@pronoun _){0,3} exam|exams|finals|test|tests|licence|license|certification|gcses|a-levels (!@end _){0,4}>",
            "BEING =training to <what: (!@end _){1,6}>",
            "BEING =working towards|toward <what: my|a|an !end|deadline|release (!@end _){1,6}>",
            "BEING =doing <what: (dry january / sober october / veganuary|nanowrimo|inktober|movember / couch to 5k) _{0,3}>",
            "BEING @wishing (to|on|of|about)* <what: " + _LONG + ">",
            "(one|some day / someday / next year / by the end of _{1,3} / this year / by @year|@month|christmas|summer / before i am _) ,? (@i|we (will|am|want|are|plan|would|hope|=have)* (going|planning|to|hoping|like|finally|have)*) <what: " + _LONG + ">",
            "(@i @adv* =have|=am)? @adv* =thinking of|about <what: " + _LONG + ">",
            "(@i @adv* =am)? =giving up <what: @vice (!@end _){0,4}>",
            "(@i @adv* =am)? @adv* =looking for <what: (a|my new? first? job|flat|house|apartment|career|home|band|internship|apprenticeship (!@end _){0,5} / a place to live (!@end _){0,4} / work (as|in (!@end _){1,4}))>",
            "BEING =moving|=relocating|=emigrating (house|back|out|over|up|down)* to <what: PLACE (next|in|this|for|soon (!@end _){1,4})?>",
        ),
        "Wants to {what}", hit="I want to learn Spanish before summer", miss="I want to sleep", momentary=False,
    ),
    row(
        "signed_up", "goal", "goal",
        (
            "(@i|we @adv*)? =have|=am|=are? @adv* =signed|=registered|=enrolled|=signing|=applying|=applied|=entered|=enrolled up? for|to|on|in <what: !it|this|that|the|be|root|vote|all|both|any|master|head|upstream|my !#ing !@pronoun (!@end _){1,8}>",
        ),
        "Signed up for {what}", hit="I've signed up for pottery classes", miss="I've signed up for it", momentary=False,
    ),
    row(
        "saves", "goal", "goal",
        (
            "BEING =saving (up|money|hard)* so i|we can|could <what: =buy|=get|=visit|=move|=travel|=afford|=open|=build (!@end _){1,7}>",
            "BEING =saving|=saved (up|money|hard|like|mad|every|penny|all|spare)* (penny|quid|dollar|cent|coin|my|cash)* for <what: a|an|my|our (!@pronoun !file|backup|rainy|reboot|later|@end _){1,6}>",
            "BEING =saving|=saved (up|money)* for|to <what: !now|later|it|this|that|nothing|the|lunch|you|disk|space|disk|a|an? !@pronoun (!@end _){1,8}>",
            "BEING =saving (up|money)* for|to <what: buy|get|become|visit|travel|go|afford? (a|an|my|our|the? !file|backup|rainy|reboot|weekend|later|it|this|that|now (!@pronoun !@end _){1,8})>",
            "BEING =training|=preparing|=prepping|=practising|=practicing|=studying|=revising|=cramming|=rehearsing (for a|an|my|our|another|first / to become|be) <what: (a|an|my|our|another|first|next)* !new|meeting !it|this|that|tomorrow|work|release|the !@pronoun (!@end _){1,8}>",
            "IDO =train|=save up? for <what: a|an|my|the (!@end _){1,8}>",
        ),
        "Working towards: {what}", hit="I'm saving up for a sailing course", miss="I'm saving that for later", momentary=False,
    ),
    row(
        "learns", "goal", "learning",
        (
            "BEING (=learning / =teaching myself / =taking up / =taking lessons|classes|courses in / =taking a course in / =brushing up on|my) (to|how|the)* <what: !that|it|this|the|slowly|fast|quickly|ropes|so|new|a|from|about|how|more|as|every|something|things|stuff|lot|not|your|you|by|and|live|love|accept|use|deal|curve (!@pronoun !@end _){1,8}>",
            "(@i|we @adv* =have?)? @adv* =started|=begun|=began|=started|=decided|=taken (learning / to learn / taking a|up|_? lessons|classes in? / teaching myself / lessons in / _ lessons|classes|course) <what: (!@pronoun !@end _){0,6}>",
            "(@i|we @adv* =am|=are|=have|=started|=take|=taking|=having|=booked|=do|=doing)? =taking|=having|=started|=take|=booked|=doing <what: (!@stop !@pronoun _){1,3} lessons|classes|course (!@end _){0,5}>",
        ),
        "Learns {what}", hit="I'm learning Norwegian", miss="I'm learning that the hard way", confidence=0.83, momentary=False,
    ),
    row(
        "makes", "goal", "project",
        (
            "BEING (halfway through|with / nearly done|finished with? / in the middle of / busy)? (=working on / !=working @making up|on?) <what: (a|an|my|our|the|own|first|second|new|another|debut|next)* (!@end !@pronoun !the|fix|patch _){0,4} @creation (!@end _){0,8}>",
            "IVE =started|=begun|=began @adv* @making on|up? <what: a|an|my|our (own|first|second|new|next)* (!@end !@pronoun _){0,3} @creation (!@end _){0,8}>",
            "IVE =started|=begun|=began|=launched|=opened @adv* <what: a|an|my|our (own|first|second|new|next)* (!@end !@pronoun _){0,2} @venture (!@end _){0,6}>",
            "IDO have a|an (!@stop _){0,2} project|startup|novel|side-project|channel|podcast|book|album (on the go / in progress / in the works / going) <what: _{1,6}>",
        ),
        "Works on {what}", hit="I'm working on a sci-fi novel about time loops", miss="I'm working on a fix",
    ),
)  # fmt: skip
