"""What members can do, in their own English: instruments, languages, crafts, certificates."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.patterns.en.rows import row

SKILL_EN = (
    row(
        "plays", "skill", "instrument",
        (
            "(@i @adv* can|do|=have|=am? @adv* =been?)? @adv* =play|=playing|=played|=plays <what: @musicmod{0,3} @instrument (and the? @instrument)? (in|for|at|since|with|badly|semi-professionally|professionally|and (!@end _){0,6})?>",
            "IAM a|an @adv* <what: (jazz|classical|amateur|bass|lead|session|self-taught|bedroom|professional|keen|former)* (pianist|guitarist|drummer|violinist|cellist|bassist|flautist|saxophonist|organist|harpist|fiddler|percussionist|trumpeter|keyboardist|accordionist|singer-songwriter|piper)>",
        ),
        "Plays {what}", hit="I play the piano", miss="I play the fool sometimes",
    ),
    row(
        "speaks", "skill", "language_skill",
        (
            "IDO can? @adv* =speak|=know|=read|=understand|=write <what: @tonguemod{0,3} (sign language / @tongue ((and|, @tonguemod* @tongue)*) / @several languages) (@tonguetail (!@end _){0,4})?> ($ / @tonguetail _{0,14})",
            "IAM <what: fluent in (sign language / @several languages)>",
            "IAM <what: (fluent|conversational|proficient in|at? @tongue (and @tongue)? / a? native @tongue speaker / bilingual|trilingual (in|with (!@end _){1,4})?)>",
            "(IAM)? fluent in <what: @tongue|@code (and @tongue|@code)?> _{0,6}",
            "ANDDO =speak <what: @tonguemod{0,3} @tongue (and @tongue)?>",
            "IAM a native speaker of <what: @tongue>",
            "my <what: @tongue is? @adv* a? bit? fluent|good|decent|rusty|okay|ok|passable|native|b1|b2|c1|c2|a2|excellent|not|basic|conversational (!@end _){0,3}>",
            "<what: @tongue is my first|second|third|native|mother|strongest (language|tongue)?>",
            "my first|second|native|mother language|tongue is <what: @tongue>",
            "IDO =grew up speaking|bilingual <what: (!@end _){1,4}>",
        ),
        "Speaks {what}", hit="I speak fluent French", miss="I speak the truth",
    ),
    row(
        "years_of", "skill", "skill",
        (
            "(@i|we @adv* =have)? @adv* =been @adv* <what: !@nosince #ing|@hobbyverb (!for|since !@end _){0,6} (for (about|over|nearly|almost|the|last|past|like|around|more|than|well)* (#num|@several|a|half|decades|years|ages) (decade|@period|_)? / since (@year|i|college|school|uni|childhood|university|high|birth|covid|lockdown|the|my|#num (!@end _){0,4}))>",
            "(@i|we @adv* have)? @adv* been <what: doing @activity (for (!@end _){1,4} / since (!@end _){1,4})>",
            "@i @adv* =have|=got got? <what: (#num|@several|over|about|decades)* years|year|decades of? experience? (in|as|of|with|#ing) (!@end _){1,6}>",
        ),
        "Has been {what}", hit="I've been coding for 10 years", miss="I've been waiting for an hour",
    ),
    row(
        "codes", "skill", "programming",
        (
            "IDO can? @adv* =code|=program|=develop|=write|=know|=coding (mostly|mainly|only|a|bit|of|lot|some)* in? <what: @code (and|or (!@end _))?> ($ / @tonguetail|mostly|professionally _{0,10})",
            "IAM a|an? <what: (full-stack|frontend|backend|senior|junior)* @code (developer|programmer|dev|engineer|person|guy|expert)>",
        ),
        "Programs {what}", hit="I write Rust for a living", miss="I write python scripts wrong? always", confidence=0.8, momentary=False,
    ),
    row(
        "can", "skill", "skill",
        (
            "CAN <what: @craft (and|or|, @craft)* (!@stop !@pronoun _){0,2}> ($ / @stop|decently|well _{0,10})",
            "CAN <what: drive|ride|fly|sail|steer a|an|the? (!@stop !@pronoun _)? @vehicle|manual|stick|horse|horses|motorbike|motorcycle|unicycle|plane|planes|helicopter|glider|boat|trucks|lorries|digger|drone|drones|tandem|canoe|yacht (!@stop _){0,2}>",
            "CAN <what: fix|repair|restore|mend|rebuild|service|tune|build|make|cut|style|braid|shear|shoe|train|groom (most|any|old|my|own|simple|basic|some)* @handiwork (!@stop _){0,3}>",
            "CAN <what: do (a|an|the|some|basic|simple|my|own)* (!@stop !@pronoun _){0,2} @trick (!@stop _){0,3}>",
            "CAN <what: read|write|play|cook|bake|edit|type|count|recite|solve|swim|hold|tie|carve|throw|pick|mix (!@end !@pronoun _){0,3} @feat (!@stop _){0,3}>",
            "(IAM (pretty|very|quite|really|so|rather|not)* good|great|decent|skilled|experienced|excellent|brilliant|amazing|competent|talented|handy|ace|adept|proficient|alright|okay|fantastic|passable|bad|half at|in|with making|cooking|baking|fixing|doing? / IDO have got? (a knack|talent|gift|flair|eye) for / IDO =excel at / IAM a dab|whiz|wizard|pro|natural|beast|master|expert hand|kid? (at|with|in)) <what: !@pronoun !the|a|an|my|what|remembering|keeping|finding|either|both|any|being|not|things|stuff|names|moment @crafting|@instrument|@tongue|@sport|tools|animals|kids|children|horses|dogs|computers|numbers|needle|drill|words|plants|money|wood|hands|soldering|machines|engines (!@end _){0,5}>",
            "IAM good|great|handy|decent|competent|brilliant|amazing|skilled with <what: a|an !bit|little|few|new|lot|couple|hangover (!@end !@pronoun _){1,2}>",
            "(IAM not? good|great|decent|skilled|experienced|excellent|brilliant|amazing|competent|talented|handy|ace|adept|alright|okay|fantastic|bad at|in|with / IDO have a knack|talent|gift|flair for / IDO =excel at / IAM a dab hand at|with) <what: a|my|the @crafting|hand|hands|needle|drill|camera|wok|knife|paintbrush|lathe|spanner|wrench|crawl|grill|kitchen|sewing|soldering (!@end _){0,4}>",
        ),
        "Can {what}", hit="I can weld and solder", miss="I can help you", momentary=False,
    ),
    row(
        "fronted", "skill", "skill",
        (
            "<what: @code|@tongue|@crafting|@instrument|@activity|@sport (and @code|@tongue|@crafting|@instrument)?> i (can write|read|speak|do|play|understand|follow / know|speak|play|read|write|understand) !not|nothing|no|later|tomorrow|soon|about|that|how (!@end _){0,5}",
            "<what: @code|@crafting|@instrument|@activity|@sport|@dishes (!@stop _){0,2}> is|are (basically|probably|definitely|kinda|literally)* (the|one|only|my|thing|what|something)* (thing)? i =am @adv* good|great|decent|best|fine|solid|handy at|with",
            "<what: @code|@crafting|@instrument|@activity|@sport|@dishes (!@stop _){0,2}> is|are @adv* my (@bestat / strong|strongest suit)",
        ),
        "Good at {what}", hit="Baking is my forte", miss="sleeping is my forte", confidence=0.8,
    ),
    row(
        "good_at_being", "skill", "skill",
        (
            "IAM <what: a|an (pretty|very|really|not)* decent|good|great|keen|solid|strong|competent|mean|amazing|brilliant|skilled|experienced|excellent|passable|fast cook|baker|swimmer|driver|singer|dancer|skier|climber|photographer|sewer|knitter|runner|surfer|chess|tennis|sailor|artist|writer|typist|proofreader|editor player?>",
            "IDO can? <what: touch? type #num wpm>",
            "IDO can? <what: touch type> _{0,6}",
            "IDO can? =make|=bake|=cook|=play|=do|=mix|=brew <what: a mean (!@end _){1,4}>",
            "IDO =do all my own <what: (!@end _){1,4}>",
            "IDO =repair|=fix|=restore|=mend|=service <what: (old|broken|vintage)* @handiwork (!@end _){0,4}>",
        ),
        "Is {what}", hit="I'm a decent cook", miss="I'm a decent person",
    ),
    row(
        "makes_own", "skill", "skill",
        (
            "IDO =have|=am? =been? =make|=brew|=bake|=sew|=knit|=grow|=build|=roast|=ferment|=cure|=design|=produce|=write|=making|=brewing|=sewing|=growing|=roast|=smoke all? of? my|our own <what: !mistakes|way|decisions|code|rules|luck|opinion|schedule|choices (!@end _){1,4}>",
            "IDO <what: =build|=repair|=restore|=make|=carve|=craft|=upholster|=refurbish|=tune (!@stop !@pronoun _){0,2} guitars|furniture|violins|bikes|bicycles|clocks|watches|boats|knives|jewellery|jewelry|pottery|dolls|candles|soap|cheese|robots|drones|synths|quilts|keyboards|games|beats|instruments|toys|leather|baskets|cars|motorcycles|motorbikes|radios|pianos|books|houses|sails|cakes|costumes|clothes|dresses|miniatures|models (!@end _){0,5}>",
        ),
        "Makes {what}", hit="I brew my own beer", miss="I make my own mistakes", confidence=0.8, momentary=False,
    ),
    row(
        "certified", "skill", "qualification",
        (
            "IAM a|an? @adv* <what: (fully|officially|newly)* certified|licensed|licenced|qualified|trained|self-taught|semi-pro|accredited|registered|chartered|semi-professional|ex-professional !to|for|in|as|on|by|myself (!@stop _){1,3}>",
            "IAM <what: !not|well|house|potty|highly|over|being|getting|to|half|badly|pre !@pronoun !@stop _ (!@stop !@pronoun _){0,1} trained|certified|qualified|licensed>",
            "(IAM)? <what: (self-taught / self taught) (on|in|at the|a? @instrument|@code|@crafting|@craft|@tongue / a|an? pianist|guitarist|drummer|violinist|bassist|artist|painter|coder|programmer|developer|baker|cook|photographer|carpenter|mechanic|welder|tailor|designer) (!@end _){0,3}>",
            "<what: (black|brown|blue|purple|second|third|first belt|dan) in !the|procrastination|life !#ing (!@stop _){1,2}>",
            "IAM certified|licensed|qualified|trained|self-taught in|as a|an? <what: (!@pronoun !@end _){1,4}>",
            "IDO =know <what: (morse code / first aid / cpr / kung fu|karate / calculus / sign language / excel|photoshop|latex|html / _ theory / a fair|good? bit|lot|fair|little|thing or? two? about !it|this|that|you|the !@pronoun (!@end _){1,4})>",
            "IVE =got|=have|=earned|=passed|=hold my|a|an <what: (!@end !@pronoun _){1,2} certification|certificate|licence|license|cert (!@end _){0,3}>",
            "IVE =taught myself <what: the? @instrument|@code|@tongue|@crafting|@activity (!@end _){0,4}>",
            "IDO know my way around|round <what: a|an|the? (!@pronoun !@end !here _){1,4}>",
            "IVE =have|=hold|=got|=passed|=earned|=received (=got)? a|an|my|the? <what: (!@stop _){0,3} (black|brown|blue|purple|green|third|second|first dan|belt / pilot's|pilots|driving|hgv|skipper's|forklift|motorbike|motorcycle|diving|scuba|boat|boating|pilot|amateur|ham|radio licence|license / padi / driving test / (first aid|aider|coaching|teaching|yoga|lifeguard|welding|sommelier) certificate|certification|qualification|licence|license / grade #num|eight|seven|six|five) (!@end _){0,4}>",
        ),
        "Skilled: {what}", hit="I'm a certified diver", miss="I'm certified crazy? no", confidence=0.82,
    ),
)  # fmt: skip
