"""Who is close to members, in their own English: family, friends, animals."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.patterns.en_rows import row

_STATE = (
    "(#cap / called|named|aged REST / @be? @adv* !idiot|menace|pain (a|an|the|in|from|called|named|my|also|#num|expecting|getting|moving|studying|learning|working|living|turning|"
    "starting|deaf|blind|pregnant|allergic|vegan|vegetarian|retired|scared|afraid|obsessed|into|really|very|terrified|training|married|divorced|"
    "autistic|diabetic|dyslexic|coeliac|celiac|ukrainian|french|german|english|irish|scottish|american|italian|spanish|polish|dutch|swedish|"
    "norwegian|finnish|danish|japanese|chinese|indian|welsh|mad|crazy|born|older|younger|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half) REST"
    " / (just|recently|also|always|still|actually|only|now)* (@kinstate REST / came along / moved|goes|got to|into|married|engaged REST"
    " / has|have|had a|an|two|three|been|his|her|their|kids|just|twins|adhd|autism|#num REST / taught|raised me REST / died|graduated|retired REST / passed away / (started|finished|starts|left) @schooling|nursery|work|his|her|walking|crawling|talking|a REST"
    " / can not eat|have|drink|stand|swim|drive REST / has (been)? REST / used to REST / turned|turns @age|#num REST))"
)
_KIN = "my|our|me @kinmod{0,3}"

RELATIONSHIP_EN = (
    row(
        "marital", "relationship", "marital_status",
        (
            "(@i|we @adv* =am|=are|=have|=got|=been* / =got / =been) @adv* <what: =married|=engaged|=divorced|=widowed|=separated|=remarried (to !my|it|the|that|this|each|their (!@end _){1,3} / for|since|with (!@end _){1,4})?> ($ / !in|at @stop|this|yesterday|today _{0,14} / in @year)",
            "IAM <what: (a (single|proud|new|working|solo|foster|young)* mom|mum|dad|mother|father|parent|granddad|grandma|grandmother|grandfather|uncle|aunt|auntie|widow|widower|twin|triplet|godfather|godmother|dad-of-* (of|to (!@end _){1,4})?)> ($ / @stop _{0,14})",
            "^? single|proud|married|divorced? <what: dad|mum|mom|father|mother of (!@end _){1,3}> here?",
            "IAM <what: single|taken|newlywed / in a relationship> ($ / @stop _{0,14})",
            "IAM <what: an only child / a newlywed / the? (eldest|oldest|youngest|middle|one) (child|kid|sibling|of @several _? _?) / (eldest|oldest|youngest) of @several>",
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
            "(@i|we @adv* =have|=ve? / =just) @adv* =have|=got|=adopted|=own|=keep|=rescued|=bought|=foster|=adopt|=breed|=fostered|=getting @adv* <what: (a|an|one|two|three|four|five|six|#num|some|my|our|several|twin|another) @petmod{0,3} @pet (@pet)? (and (a|an|@several)? @petmod* @pet)? (named|called|whose|at|that|who (!@end _){1,5})?> !@petnoun",
            "<what: (my|our @petmod|@kinmod{0,3} @pet @pet? (#cap / has|loves|hates|likes|only|always|eats|sleeps|called|named|died|turned|passed _ / @be @adv* (a|an|called|named|my|the|obsessed|scared|afraid|terrified|deaf|blind|old|#num|@several|from|allergic))) (!@end _){0,6}>",
            "@i|we @adv* have? been? <what: =fostering|=keeping|=breeding|=raising|=foster|=breed|=keep|=raise|=rescue @petmod* @pet (!@end _){0,4}>",
            "IDO =am a <what: dog|cat|horse|pet|rabbit owner|mum|mom|dad>",
        ),
        "Pets: {what}", hit="I have two cats named Pixel and Dot", miss="I have a cat video to show you",
    ),
    row(
        "kids", "relationship", "family",
        (
            "(@i|we @adv* =have? @adv* =have|=got|=had|=adopted|=raising|=foster? / =got) <what: (a|an|one|two|three|four|five|six|seven|#num|twin|identical|another) (#num? year-old|year|yr|yo old?)? @kinmod{0,3} @kin|@elder (and a|an|@several? @kinmod* @kin)? (named|called|aged|under|in|at|who|living|back (!@end _){1,5})?> !@kinnoun",
            "IDO =became|=become <what: (a|an) mom|mum|dad|mother|father|parent|grandma|grandad|grandmother|grandfather|uncle|aunt|auntie>",
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
            "<what: my|our @kinmod{0,3} @kin|@elder|@friend> and i _? (have|are|got|met|live|run|own|moved|share|went|bought|just|will|both|were|used|started) _{1,12}",
            "(me and / it is) <what: (my|our) @kinmod{0,3} @kin|@elder|@friend #cap?> (are|have|live|run|own|met|got|moved|share|bought|just|went|were|started|both) _{1,12}",
            "my name is _ and my <what: @kin>",
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
            "<what: #cap and i _? (have been / been / are|were (!not|in|on|at|going|still|also _) / go way back / grew|met|share|work|went|lived|live|studied|run (up|in|at|to|a|an|together) )> <more: REST>",
            "@i @adv* =have? =known <what: #cap (!@end _){0,6}> ",
            "@i @adv* =met <what: my (!@stop _){0,2} @kin|@friend|missus (!@end _){0,6}>",
            "@i @adv* =am|=have? =been? @adv* (=dating|=mentoring / =living with / =related to / best? friends with / =in love with / =close to) <what: !the|it|this|that|you|regret|a|an|stars|consequences|someone @kinmod* (my @kinmod{0,2} @kin|@elder|@friend|(!@pronoun !@end _) / !@pronoun !@end _) (!@end _){0,5}>",
            "@i @adv* =live|=share|=living|=mentor|=babysit|=dating|=coach|=nanny (with / a|my flat|house|apartment|room|place|home with / after / for)? <what: (my|a|an|our|two|three|four (!@end _){1,6} / #cap)>",
            "IDO (=look after / =take|=am? care of|for) <what: (my|a|an|two|three|our (!@end _){1,6})>",
        ),
        "Relationship: {what} ", hit="Priya and I went to school together", miss="Priya and I disagree", confidence=0.8, momentary=False,
    ),
)  # fmt: skip
