"""Who is close to members, in their own English: family, friends, animals."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.patterns.en.rows import row

_STATES = (
    "#cap",
    "called|named|aged !me|my|in|back|to|about|and|yesterday|last|today|us|him|her|it|the REST",
    "@be? @adv* a|an !idiot|menace|pain|bit|nightmare|genius|legend|mess|little (!@end _){1,6}",
    "@be? @adv* !idiot|menace|pain from|also|#num|expecting|studying|learning|working|living|turning|starting|deaf|blind REST",
    "@be? @adv* pregnant|allergic|@dietword|retired|scared|afraid|obsessed|into|terrified|training|married|divorced|widowed REST",
    "@be? @adv* engaged|autistic|diabetic|dyslexic|@nationality|mad|crazy|born|older|younger|@several|half|getting REST",
    "(just|recently|also|always|still|actually|only|now|never)* @kinstate REST",
    "@be called|named REST",
    "came along",
    "just? got a|an|into|his|her|their !cold|call|text|message REST",
    "moved|goes|got to|into|married|engaged|in REST",
    "in law|laws REST",
    "is|are|lives|live|was in #cap|prison|hospital|love|law REST",
    "has|have|had (been !trying|asking|calling|on|in|up REST / a|an !cold|fever|headache|meeting|point|question|bug|problem|go|look|key|test|exam|game|nap (!@end _){1,5})",
    "has|have|had two|three|four|five|no|his|her|their|twins|adhd|autism|asthma|diabetes|#num REST",
    "taught|raised|named|inspired me REST",
    "proposed REST",
    "was|were in the? army|navy|marines|military|police|band|resistance REST",
    "died|graduated|retired|emigrated REST",
    "passed away",
    "(just|recently)* joined the army|navy|police|force|marines|band|choir|circus|raf|scouts|fire|airforce",
    "@be? @adv* at|in|off (the|a|to)* @schooling|nursery REST",
    "(just|recently)* started|finished|starts|starting|left @schooling|nursery|walking|crawling|talking REST",
    "can not eat|have|drink|stand|swim|drive REST",
    "used to !that|it|this REST",
    "turned|turns @age|#num REST",
    "since @schooling _ (!@end _){0,6}",
    "(just|recently|also|always|still|only|never)* makes the|a|amazing|great REST",
    "(just|recently|also|always|still|only|never)* !@saying *s REST",
)
_STATE = "(" + " / ".join(_STATES) + ")"

RELATIONSHIP_EN = (
    row(
        "marital", "relationship", "marital_status",
        (
            "(@i|we @adv* =am|=are|=have|=got|=been* / =got / =been) @adv* <what: =married|=engaged|=divorced|=widowed|=separated|=remarried (to !my|it|the|that|this|each|their (!@end _){1,3} / for|since|with (!@end _){1,4})?> ($ / !in|at @stop|this|yesterday|today _{0,14} / on @weekday _{0,3} / in @year)",
            "IAM <what: (a (single|proud|new|working|solo|foster|young)* mom|mum|dad|mother|father|parent|carer|granddad|grandma|grandmother|grandfather|uncle|aunt|auntie|widow|widower|twin|triplet|godfather|godmother|dad-of-* (of|to (!@end _){1,4})?)> ($ / @stop _{0,14})",
            "(single|proud|married|divorced|new|first-time|tired|here)* <what: dad|mum|mom|mam|father|mother|grandad|granddad|grandma|granny|nan|grandfather|grandmother|uncle|aunt|auntie|godfather|godmother|stepmum|stepdad (of|to a|an|one|two|three|four|five|six|seven|eight|nine|ten|#num|twin|twins|triplets (!@end _){0,3})> here?",
            "(my|the|our)? <what: missus|wife|hubby|husband|gf|girlfriend|partner|fiancée|fiancee (is|am|@adv)* (due in|on|any|next|this|soon|early|late|@month / pregnant|expecting / @several _ (pregnant|along|gone)) (!@end _){0,4}>",
            "BEING <what: =seeing|=dating (someone|somebody (new|special|else|lovely|amazing|nice|called|named|from|at (!@stop _){0,2})? ($ / @stop) / a|this (!@stop _){0,2} guy|girl|woman|man|lad|bloke|nurse|@job) (!@end _){0,4}> !about|that",
            "IAM <what: single|taken|newlywed / in a relationship> ($ / @stop _{0,14})",
            "IAM <what: an only child / a newlywed / the? eldest|oldest|youngest|middle|one (child|kid|sibling|of @several _? _?) / eldest|oldest|youngest of @several>",
            "i =proposed to <what: (!@end _){1,3}>",
            "IAM =getting|=get <what: married|divorced|engaged> (in|next|this|to|on|soon|at _{1,8})",
            "@i|we @adv* =am|=are @adv* <what: =expecting (a|our|my|another|first|second|third|little)* baby|child|twins|triplets|kid|boy|girl|daughter|son (!@end _){0,4}>",
            "((@i|we / my|our _ and i) @adv* have =been / =been) @adv* <what: together|married|dating|engaged for|since|#num|@several|over|nearly (!@end _){0,4}>",
        ),
        "Family status: {what}", hit="I'm married to a sailor", miss="I'm married to my job", single=True,
    ),
    row(
        "pets", "relationship", "pet",
        (
            "(@i|we @adv* =have? / =just) @adv* =have|=got|=adopted|=own|=keep|=rescued|=bought|=foster|=adopt|=breed|=fostered|=getting @adv* <what: (a|an|one|two|three|four|five|six|#num|some|my|our|several|twin|another) @petmod{0,3} @pet (@pet)? (and (a|an|@several)? @petmod* @pet)? (named|called|whose|at|that|who (!@end _){1,5})?> !@petnoun|on|in|over|under|across|sitting|asleep|sleeping|barking|trying|running",
            "<what: (my|our @petmod|@kinmod{0,3} @pet @pet? (#cap / !says|needs|wants|is|was|has|keeps|gets|as|this|his|just *s / has|loves|hates|likes|only|always|eats|sleeps|called|named|died|turned|passed _ / @be @adv* (a|an|called|named|my|the|obsessed|scared|afraid|terrified|deaf|blind|old|#num|@several|from|allergic))) (!@end _){0,6}>",
            "@i|we @adv* have? been? <what: =fostering|=keeping|=breeding|=raising|=foster|=breed|=keep|=raise|=rescue @petmod* @pet (!@end _){0,4}>",
            "IVE =got|=adopted|=rescued|=fostering <what: (a|an|two|three @petmod{0,3} @pet @pet?)> ($ / @stop|called|named|from _{0,12})",
            "IDO =am a <what: dog|cat|horse|pet|rabbit owner|mum|mom|dad>",
            "(a|an|our|my|one|two|three)? <what: @petmod{0,3} @pet @pet? called|named !in|on|by #cap (and #cap)?> ($ / @stop|currently|joined|here _{0,12})",
            "(here|it|now|is|are|just|only|at|home|us)* me and <what: (#cap the @petmod* @pet / my|our @petmod* @kinmod* @pet|@kin|@elder / #cap my @petmod* @pet|@kin) (!@end !are|have|will _){0,4}>",
        ),
        "Pets: {what}", hit="I have two cats named Pixel and Dot", miss="I have a cat video to show you",
    ),
    row(
        "kids", "relationship", "family",
        (
            "(@i|we @adv* =have? @adv* =have|=got|=had|=adopted|=raising|=foster? / =got) <what: (a|an|one|two|three|four|five|six|seven|#num|twin|identical|another) (#num? year-old|year|yr|yo old?)? @kinmod{0,3} @kin|@elder|boy|girl (and a|an|@several? @kinmod* @kin)? (named|called|aged|under|in|at|who|living|back (!@end _){1,5})?> !@kinnoun|screaming|crying|on|asleep|waiting|coming|running|staying|visiting|over|to",
            "@i @adv* have <what: no siblings|brothers|sisters|kids|children> ($ / of|or|so|and|but _{0,8})",
            "IDO =became|=become <what: a|an mom|mum|dad|mother|father|parent|grandma|grandad|grandmother|grandfather|uncle|aunt|auntie>",
        ),
        "Family: {what}", hit="I have two kids, both in school", miss="I have a kid question",
    ),
    row(
        "kin", "relationship", "family",
        (
            "<what: my|our @kinmod{0,3} @kin|@elder|@friend @friend? " + _STATE + " REST>",
            "<what: my|our @kinmod{0,3} @kin|@elder|@friend|@pet name is #cap>",
            "<what: the wife|missus|hubby|mrs|husband> and i|has|is|works|loves|hates|wants _{1,12}",
            "<what: my|our @kinmod{0,3} @kin boy|girl? (arrived / was born)> _{0,8}",
            "me and <what: (#cap / my _) (broke|split up / separated)> _{0,6}",
            "i? broke up with <what: my|#cap _? _?>",
            "<what: my|our @kinmod{0,3} @kin|@elder|@friend> and i _? have|are|got|met|live|run|own|moved|share|went|bought|just|will|both|were|used|started _{1,12}",
            "(me and / it is) <what: my|our @kinmod{0,3} @kin|@elder|@friend #cap?> are|have|live|run|own|met|got|moved|share|bought|just|went|were|started|both _{1,12}",
            "my name is _ and my <what: @kin>",
            "<what: my @patron is|are (also|actually|literally|now|secretly)* my|our @kinmod* @kin|@elder|@friend (too|as|well)*> ($ / @stop|and|so _{0,12})",
            "<what: (with #cap (we|i)? / me and #cap / #cap and me) (are|am|were / have been) @adv* (best|old|close|first|second|childhood|twin)* @kin|@friend|cousin|cousins|siblings|married (!@end _){0,5}>",
        ),
        "Close people: {what}", hit="my younger sister Emma came along", miss="my sister will call back",
    ),
    row(
        "name_is_kin", "relationship", "family",
        (
            "<what: #cap{1,2} (is / was) my @kinmod{0,3} @kin|@elder|@friend (!@end _){0,5}>",
            "<what: #cap (and #cap)? are my @kinmod* @kin|@elder|@friend|parents|twins|kids|cats|dogs (!@end _){0,4}>",
            "<what: #cap (is / was) my @petmod{0,2} @pet (!@end _){0,4}>",
        ),
        "Close people: {what}", hit="Dana is my cousin", miss="Dana is my hero",
    ),
    row(
        "together", "relationship", "friend",
        (
            "<what: #cap and i|me> have|has known each other _{0,6}",
            "<what: #cap and i _? (have been / been / are|were (!not|in|on|at|going|still|also _) / go way back / grew|met|share|work|went|lived|live|studied|run up|in|at|to|a|an|together )> <more: REST>",
            "@i @adv* =have? =known <what: #cap (!@end _){0,6}> ",
            "(@i @adv*)? =met <what: my (!@stop _){0,2} @kin|@friend|missus (!@end _){0,6}>",
            "@i @adv* =am|=have? =been? @adv* (=dating|=mentoring a|an? / =living with / =related to / best? friends with / =in love with / =close to) <what: !the|it|this|that|you|regret|stars|consequences|someone|myself @kinmod* (my @kinmod{0,2} _ / !@pronoun !@end _) (!@end _){0,5}>",
            "@i @adv* =live|=share|=living|=mentor|=babysit|=dating|=coach|=nanny (with / a|my flat|house|apartment|room|place|home with / after / for)? <what: (my|a|an|our|two|three|four (!@end _){1,6} / #cap)>",
            "IDO (=look after / =take|=am? care of|for) <what: (my|a|an|two|three|our (!@end _){1,6})>",
        ),
        "Relationship: {what} ", hit="Priya and I went to school together", miss="Priya and I disagree", confidence=0.8, momentary=False,
    ),
)  # fmt: skip
