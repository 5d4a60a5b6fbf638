"""What members say about themselves, in English."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.patterns.rows import Row, unique_names

_ADV = (
    r"(?:(?:really|absolutely|just|also|do|still|currently|now|actually|already|personally|always|secretly|totally|genuinely|mostly|only|"
    r"usually|kinda|sort of|recently|finally|once|originally|honestly|too|both|definitely|particularly|especially|truly|even|myself) ){0,3}"
)
_I = rf"^i {_ADV}"
_IM = rf"^(?:i'm|i am|im) {_ADV}"
_IVE = rf"^(?:i've|i have|ive) {_ADV}"
_JOBS = (
    r"(?:nurse|doctor|teacher|developer|programmer|software \w+|engineer|architect|accountant|lawyer|attorney|chef|cook|baker|barista|driver|"
    r"translator|journalist|photographer|psychologist|therapist|marketer|tester|analyst|manager|mechanic|electrician|plumber|"
    r"carpenter|welder|hairdresser|barber|trainer|coach|student|phd \w+|vet|veterinarian|pharmacist|dentist|surgeon|firefighter|"
    r"paramedic|police officer|pilot|flight attendant|actor|actress|musician|artist|writer|author|editor|librarian|florist|"
    r"illustrator|freelancer|entrepreneur|realtor|bartender|waiter|waitress|farmer|biologist|chemist|physicist|mathematician|"
    r"historian|geologist|astronomer|economist|consultant|designer|scientist|researcher|professor|lecturer|tutor|sysadmin|devops \w+|"
    r"data \w+|product manager|project manager|midwife|optician|radiologist|physiotherapist|social worker|civil servant|beekeeper|"
    r"gardener|tailor|potter|sailor|soldier|sommelier|barrister|solicitor|judge|recruiter|game dev\w*|animator|tattoo artist|"
    r"truck driver|taxi driver|train driver|bus driver|stay-at-home \w+|technician|operator|planner|surveyor|violinist|pianist|drummer|composer)s?"
)
_NOT_OBJECT = (
    r"(?!(?:it|this|that|these|those|you|u|ya|him|her|them|us|me|how|when|what|who|where|why|if|to (?:hear|see|know|think|say|be|help|believe|"
    r"imagine|admit|break|go|stay)|your|his|the (?:new|idea|way|fact|part|look|sound|last|first|first|one|ones|name|concept|vibe|energy|enthusiasm|"
    r"above|same|other|latest|update|hearing)|one|ones|its|everything|everyone|all of|nothing|some of|both|such|hearing|seeing|knowing|saying|being|"
    r"not|my life|mondays?|here|chat|bot|asking|having to|where|whatever|myself)(?!\w))"
)
_OBJECT = _NOT_OBJECT + "<what>"
_KIN_NEAR = (
    r"(?:wife|husband|spouse|partner|fianc[ée]e?|boyfriend|girlfriend|son|sons|daughter|daughters|kids?|children|sister|sisters|brother|brothers|twins?|"
    r"nephew|niece|grandson|granddaughter|stepson|stepdaughter|cousin|dog|dogs|cat|cats|puppy|kitten|parrot|hamster|rabbit|horse|tortoise|turtle)"
)
_KIN_FAR = r"(?:mom|mum|mother|dad|father|parents|grandma|grandpa|grandmother|grandfather|gran|aunt|uncle|best friend|roommate|flatmate|boss|colleague|friend|neighbou?r|mentor)"
_STATE = (
    r"(?:is (?:a|an|in|from|called|named|the|my|also|\w+ years|studying|learning|working|living|getting married|expecting)|works|lives|studies|teaches|plays|"
    r"loves|owns|runs|goes to|moved to|was born|just turned|turned \d|came along|started (?:school|college|uni)|goes by|has a|has been|"
    r"taught me|raised me|passed away|died|speaks|collects|and i (?:have been|got married|met|live|are|both|run|own))"
)
_YEARS = r"(?:(?:in|since|back in) (?:19|20)\d\d|(?:19|20)\d\d|last (?:year|summer|winter|spring|autumn|fall|month)|(?:\w+ )?(?:years|months|decades) ago|a (?:year|decade|few years) ago|for (?:\w+ ){1,2}(?:years|months|year|decade|summers?|seasons?)|as a (?:kid|child|teen\w*|student|boy|girl)|when i was|back in|once|in (?:my|high) (?:twenties|teens|school|childhood|youth)|growing up|during (?:college|uni|university|the pandemic))"
_PAST_STRONG = (
    r"(?:visited <Name>|travell?ed (?:to|across|around|through) |backpacked |hitchhiked |cycled (?:across|around|through|to|from) |biked (?:across|around|through|to) |"
    r"hiked (?:the|across|up|to) |climbed |sailed (?:across|around|to|the) |ran (?:a|my first|the|two|three|the \w+) (?:\w+ ){0,2}(?:marathons?|half|ultra|triathlon)|"
    r"graduated |broke my |fractured my |tore my |survived |won (?:a|an|the|my|first|second|third|gold|silver|bronze) |got married|got divorced|was born |"
    r"had (?:surgery|a baby|twins|a stroke|open[- ]heart)|gave birth|served in |volunteered |published |performed (?:at|in|on|with) |met my (?:wife|husband|partner|best friend|girlfriend|boyfriend)|"
    r"went skydiving|skydived|bungee jumped|went bungee|was (?:asked|invited|chosen|elected|awarded) |spent (?:\w+ ){1,3}?(?:years?|months?|summers?|weeks?|semester) (?:in|at|on|with|living|working) |once (?:met|saw|won|ate|drove|broke|lost|fell|rode|worked|lived|sang|swam|ran|climbed|crashed|jumped|cooked|flew|played)|been to <Name>|quit smoking|gave up smoking|learned to |learnt to |emigrated |"
    r"adopted (?:a|two|three|my) |donated (?:a|my) |interviewed |swam (?:the|with|across) |finished (?:a|my) (?:\w+ )?(?:marathon|degree|thesis|phd|course|first novel)|"
    r"lost my (?:job|dad|mom|mum|father|mother|passport)|completed (?:a|my|the) |hosted (?:a|an|my) (?:exchange|show)|grew up (?!to)|saw <Name>(?: \w+)? live)"
)
_LONG_WISH = (
    r"(?:learn|move to|visit|become|run (?:a|the|my)|write (?:a|my)|start (?:a|my|learning|playing)|open (?:a|my)|buy (?:a|my) (?:\w+ )?(?:house|home|flat|apartment|car|motorcycle|motorbike|boat|van|guitar|farm|cabin|bike|piano)|"
    r"build (?:a|my) (?:\w+ )?(?:house|cabin|boat|game|business|career|shed|robot|greenhouse)|quit (?:smoking|drinking|my job|sugar)|see <Name>|see the (?:northern lights|world|ocean)|travel|get (?:my|a) (?:\w+ )?(?:licen[cs]e|degree|certificate|phd|masters?|dog|cat|puppy|black belt)|"
    r"master|lose \w+ (?:kg|kilos|pounds|lbs|weight)|lose weight|climb|finish my (?:\w+ )?(?:degree|thesis|novel|book|phd|album)|publish|adopt|study|retire|go back to (?:school|uni|college)|record (?:an|my)|launch (?:a|my)|compete|qualify|swim the|cycle (?:across|around)|hike (?:the|across)|emigrate|relocate|hit \d+|save \w+ for)"
)
_LANG = r"(?:english|french|german|polish|spanish|italian|czech|japanese|chinese|mandarin|cantonese|korean|norwegian|swedish|danish|finnish|dutch|turkish|portuguese|arabic|hebrew|ukrainian|greek|hindi|urdu|esperanto|latin|welsh|irish|gaelic|hungarian|romanian|catalan|thai|vietnamese|sign language|asl|bsl)"
_CREATION = r"(?:novel|book|memoir|game|album|thesis|dissertation|startup|app|podcast|degree|phd|song|film|short film|documentary|screenplay|comic|website|blog|business|cafe|bakery|shop|store|house|cabin|boat|synth|robot|farm|course|youtube channel|newsletter|tiny house|greenhouse|masters?|portfolio|script|play|zine|board game|sim|rpg|side project|charity|band|ep)"


def _row(
    name: str, category: str, key: str, expression: str, description: str, hit: str, miss: str, *,
    confidence: float = 0.85, single: bool = False, momentary: bool = True,
) -> Row:  # fmt: skip
    return Row(
        name=f"en_{name}", lang="en", category=category, key=key, confidence=confidence, expression=expression,
        description=description, hit=hit, miss=miss, single=single, momentary=momentary,
    )  # fmt: skip


MEMBERS_EN = unique_names(
    [
        # --- personal_info
        _row(
            "name",
            "personal_info",
            "name",
            r"^(?:my (?:real |full |first )?name(?:'s| is)|i go by|you can call me|everyone calls me|people call me|call me) (?!when|if|later|back|crazy|old)(?P<what><Name>(?: <Name>)?)",
            "Name: {what}",
            "my real name is Miroslava",
            "my name is on the list twice",
            single=True,
            confidence=0.9,
        ),
        _row(
            "lives",
            "personal_info",
            "location",
            rf"(?:{_I}(?:live|reside|settled|rent)(?: (?:now|alone|currently|here|out|over|together)){{0,2}}|{_IM}(?:living|based|residing)(?: (?:now|currently))?) "
            r"(?P<what>(?:in|near|outside|on|close to|just outside) (?!fear|denial|hope|a bubble|my|the moment|pajamas|pyjamas|a simulation|constant|peace|the past|chaos|your|this|that|it|coffee|caffeine)(?:<Name>|(?!a(?!\w)|an(?!\w))\w{3,20})[^,;:()!?]{0,40})",
            "Lives {what}",
            "I live in Leeds by the way",
            "I live in fear of mondays",
            single=True,
            confidence=0.9,
        ),
        _row(
            "moved",
            "personal_info",
            "location",
            rf"(?:{_I}(?:moved|relocated)|{_IVE}(?:moved|relocated))(?: back| out| over)? (?P<what>to <Name>[^,;:()!?]{{0,40}})",
            "Moved {what}",
            "I just moved to Porto",
            "I moved to the next ticket",
            single=True,
        ),
        _row(
            "from",
            "personal_info",
            "hometown",
            rf"(?:{_IM}from|{_I}(?:come from|was born in|grew up in|was raised in)) (?!Monday|Tuesday|Wednesday|Thursday|Friday|January|IT\b)(?P<what><Name>[^,;:()!?]{{0,40}})",
            "From {what}",
            "I grew up in Tampere",
            "I'm from the future",
            single=True,
        ),
        _row(
            "works_as",
            "personal_info",
            "occupation",
            rf"(?:{_I}work|{_IM}working) (?P<what>(?:as|at|for|in) (?!(?:it|that|this|me|my|your|and|all)(?!\w)|the (?:bug|issue|ticket|same|weekend)|a (?:fix|patch|bug|solution)|monday|tuesday|friday|saturday|sunday|weekends?|home|least|times|night$|fixing|getting|some|something|pyjamas|bed|what)[^,;:()!?]{{2,60}})",
            "Works {what}",
            "I work at a bakery now",
            "I'm working on it",
            single=True,
        ),
        _row(
            "works_nights",
            "personal_info",
            "occupation",
            rf"{_I}work (?P<what>(?:night shifts?|nights|remotely|part-time|full-time|freelance|shifts)(?: [^,;:()!?]{{2,50}})?)",
            "Works {what}",
            "I work night shifts at a hospital",
            "I work out sometimes",
            single=True,
        ),
        _row(
            "is_a",
            "personal_info",
            "occupation",
            rf"(?:{_IM}|^i work as |^i'm actually )(?:a|an|the) (?![\w -]{{0,40}}<b>(?:fan|friend|kind|type|bit|lover|sucker|patient|client|customer)<e>)(?P<what>(?:[\w-]+ ){{0,3}}?{_JOBS}(?!\w)(?: (?:at|in|for|by) [^,;:()!?]{{2,40}})?)",
            "Occupation: {what}",
            "hi all! I'm a nurse",
            "I'm a friend of a nurse",
            single=True,
            confidence=0.88,
        ),
        _row(
            "job_is",
            "personal_info",
            "occupation",
            r"^(?:my (?:day )?job is(?= (?:a|an|the|at|in|to|as|with) )|by trade i'm|for a living i|i (?:got|landed|started) a (?:new )?job (?:as|at)|i run a|i teach|i (?:drive|deliver) (?:a )?(?:truck|bus|taxi|tram|train|lorry|cab)) ?(?!this|it|tomorrow)(?P<what>[^,;:()!?]{0,60})",
            "Occupation: {what}",
            "I got a job at the zoo",
            "my job is tiring today",
            single=True,
        ),
        _row(
            "works_with",
            "personal_info",
            "occupation",
            r"^(?:[\w']+ ){0,5}my (?P<what>(?:\w+ )?(?:students|patients|pupils|clients|third-graders|first-graders|fifth-graders|toddlers|kindergartners))(?!\w)",
            "Works with {what}",
            "today I taught my third-graders fractions",
            "my student days are over",
            single=True,
            confidence=0.75,
        ),
        _row(
            "studies",
            "personal_info",
            "education",
            rf"(?:{_I}study|{_IM}(?:studying|majoring in|doing a (?:phd|masters?|degree) in|enrolled in)|{_IM}in my \w+ year of) (?!for|the (?:docs|manual|code)|this|it|tonight|hard)<what>",
            "Studies {what}",
            "I study linguistics at Leipzig",
            "I'm studying the manual",
            single=True,
            momentary=False,
        ),
        _row(
            "age",
            "personal_info",
            "age",
            rf"(?:{_IM}|^i (?:just )?turned |^i (?:just )?turn |^i'll be |^i'm turning )(?:almost |nearly )?(?P<what>\d{{2}}(?: ?(?:years? old|yo|y\.?o\.?))|(?<=turned )\d{{2}}|(?<=turn )\d{{2}}|(?<=turning )\d{{2}}|(?:twenty|thirty|forty|fifty|sixty)(?:-\w+)? years old)(?!\w)",
            "Age: {what}",
            "I'm 34 years old",
            "I'm 10 minutes away",
            single=True,
            confidence=0.9,
        ),
        _row(
            "birthday",
            "personal_info",
            "birthday",
            r"^my (?:birthday|bday|b-day)(?:'s| is)(?: on)? (?P<what>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)(?!\w)(?: \d{1,2}(?:st|nd|rd|th)?)?)",
            "Birthday: {what}",
            "my birthday is on May 5th",
            "my birthday is ruined",
            single=True,
            confidence=0.9,
        ),
        _row(
            "allergy",
            "personal_info",
            "allergy",
            rf"(?:{_IM}(?:\w+ )?(?P<kind>allergic(?= to)|lactose intolerant|gluten intolerant|coeliac|celiac|diabetic|colou?r ?blind|left-handed)|^i have (?:a |an )?(?:\w+ )?(?P<what>(?:allergy to|celiac|coeliac|diabetes|asthma|adhd|dyslexia|epilepsy)[^,;:()!?]{{0,40}}))(?! to (?:mondays?|work|meetings|this|that|your|people|mornings))(?P<to>(?: to [^,;:()!?]{{2,50}})?)",
            "Health: {kind} {what} {to}",
            "I'm allergic to peanuts",
            "I'm allergic to mondays",
            confidence=0.9,
        ),
        _row(
            "diet",
            "preference",
            "diet",
            rf"(?:{_IM}(?:a |an )?(?P<what>vegan|vegetarian|pescatarian|teetotal\w*|keto|sober)(?!\w)|^i (?:don't|do not|never|no longer|can't) (?P<no>(?:eat|drink) (?!that|this|it|enough|at|after|before|much|out|here|there)[^,;:()!?]{{3,40}}))(?P<rest>(?: for [^,;:()!?]{{3,30}})?)",
            "Diet: {what} {no} {rest}",
            "I don't eat meat",
            "I don't eat after six",
            confidence=0.83,
        ),
        _row(
            "owns",
            "personal_info",
            "possessions",
            rf"{_I}own (?P<what>(?!it|that|nothing|this|the (?:mistake|bug))[^,;:()!?]{{3,60}})",
            "Owns {what}",
            "I own a campervan",
            "I own that mistake",
            confidence=0.8,
        ),
        # --- relationship
        _row(
            "pets",
            "relationship",
            "pet",
            r"^(?:i|we)(?:'ve got| have| got| adopted| own| keep| rescued) (?:just )?(?P<what>(?:a|an|one|two|three|four|\d|some|my) (?:[\w-]+ ){0,3}?(?:dogs?|cats?|pupp(?:y|ies)|kittens?|parrots?|hamsters?|rabbits?|horses?|tortoises?|turtles?|chickens|hens|bees|hives|guinea pigs?|gecko|snake|ferrets?|retrievers?|labradors?|corgis?|poodles?|husk(?:y|ies)|beagles?|dachshunds?|terriers?|shepherds?|spaniels?)(?=$|[,;:()!?]| (?:named|called|and|at|who|that|from|in|now|already|too|with|living|of my))[^,;:()!?]{0,50})",
            "Pets: {what}",
            "I have two cats named Pixel and Dot",
            "I have a cat video to show you",
        ),
        _row(
            "kids",
            "relationship",
            "family",
            r"^(?:i|we)(?:'ve got| have| got) (?P<what>(?:a|an|one|two|three|four|\d|twin) (?:[\w-]+ ){0,3}?(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|twins?|boys|girls|toddlers?|grandkids|grandchildren|wife|husband|girlfriend|boyfriend|stepson|stepdaughter)(?=$|[,;:()!?]| (?:named|called|and|at|who|that|from|in|now|already|too|with|living|aged|under|under))[^,;:()!?]{0,50})",
            "Family: {what}",
            "I have two kids, both in school",
            "I have a kid question",
        ),
        _row(
            "kin",
            "relationship",
            "family",
            rf"^(?P<what>(?:my|our) (?:[\w-]+ ){{0,2}}?{_KIN_NEAR}(?: (?:{_STATE}|<Name>)|'s name is <Name>|(?: \w+)? and i )[^,;:()!?]{{0,80}})",
            "Close people: {what}",
            "my younger sister Emma came along",
            "my sister will call back",
        ),
        _row(
            "kin_far",
            "relationship",
            "family",
            rf"^(?P<what>my (?:[\w-]+ ){{0,2}}?{_KIN_FAR}(?: <Name>)? {_STATE}[^,;:()!?]{{0,80}})",
            "Close people: {what}",
            "my dad works on a ferry",
            "my mom called",
        ),
        _row(
            "name_is_kin",
            "relationship",
            "family",
            rf"^(?P<what><Name>(?: is|'s) my (?:[\w-]+ ){{0,2}}?(?:{_KIN_NEAR}|{_KIN_FAR}|classmate|coworker|teammate)(?!\w)[^,;:()!?]{{0,40}})",
            "Close people: {what}",
            "Dana is my cousin",
            "Dana is my hero",
        ),
        _row(
            "married",
            "relationship",
            "marital_status",
            rf"{_IM}(?P<what>married(?: to [^,;:()!?]{{2,40}})?(?! to my)|engaged(?: to [^,;:()!?]{{2,40}})|divorced|widowed|a (?:single )?(?:mom|mum|dad|mother|father|parent)(?: of [^,;:()!?]{{2,40}})?)(?!\w)",
            "Family status: {what}",
            "I'm married to a sailor",
            "I'm married, to my job lol? no",
            single=True,
        ),
        _row(
            "mentors",
            "relationship",
            "mentoring",
            rf"{_I}(?:mentor|coach|babysit|look after|take care of|share (?:a|my) (?:flat|house|apartment|room) with|live with|am dating|met my) (?!it|this|that|you)<what>",
            "Relationship: {what}",
            "I mentor two junior devs at work",
            "I mentor you? no way",
            confidence=0.8,
            momentary=False,
        ),
        _row(
            "dating",
            "relationship",
            "relationship",
            rf"{_IM}(?:dating|mentoring|living with|best friends with|related to|close with|friends with) (?!the|this|that|it)<what>",
            "Relationship: {what}",
            "I'm best friends with Priya",
            "I'm living with the consequences",
            confidence=0.8,
        ),
        # --- goal
        _row(
            "dream",
            "goal",
            "dream",
            r"^(?:my (?:big |biggest |lifelong |secret |\w+ )?(?:dream|goal|ambition|plan|aim|resolution|bucket list item)(?: (?:for|this) [\w ]{2,20}?)?(?: is|'s)(?: to)?|i dream (?:of|about)|i've always (?:wanted|dreamed of|dreamt of)(?: to)?) (?!over|dead|that|not|working|simple)<what>",
            "Dreams of: {what}",
            "my dream is to see Iceland some day",
            "my dream is over",
            momentary=False,
        ),
        _row(
            "wants",
            "goal",
            "goal",
            rf"(?:{_I}(?:want|hope|plan|intend|aim|am going|decided) to|{_IM}(?:hoping|planning|going|aiming|determined|trying) to) (?:\w+ly |one day |some day |also )?(?P<what>{_LONG_WISH}[^,;:()!?]{{0,80}})",
            "Wants to {what}",
            "I want to learn Spanish before summer",
            "I want to sleep",
            momentary=False,
        ),
        _row(
            "saves",
            "goal",
            "goal",
            rf"(?:{_IM}(?:saving|training|preparing|prepping|practi[cs]ing|studying)(?: up| money)*|{_I}(?:am saving up|train|save)) (?P<what>(?:for|to buy|to become) (?!now|later|it|this|that|nothing|the weekend|lunch)[^,;:()!?]{{3,80}})",
            "Working towards: {what}",
            "I'm saving up for a sailing course",
            "I'm saving that for later",
            momentary=False,
        ),
        _row(
            "learns",
            "goal",
            "learning",
            rf"(?:{_IM}(?:learning|teaching myself|taking (?:lessons in|a course in|classes in)|taking up)|^(?:i )?started learning|{_I}(?:am learning|started learning|decided to learn)) (?!that|it|this|how (?:this|it)|the hard|so|new things|a lot|from|about (?:this|it))<what>",
            "Learns {what}",
            "I'm learning Norwegian",
            "I'm learning that the hard way",
            confidence=0.83,
            momentary=False,
        ),
        _row(
            "makes",
            "goal",
            "project",
            rf"(?:{_IM}(?:working on|building|writing|making|starting|launching|opening|developing|recording|designing|creating|renovating)|{_IVE}been (?:working on|building|writing|making)|{_I}(?:just )?started (?:writing|building|working on)) (?P<what>(?:a|an|my|our) (?:[\w-]+ ){{0,4}}?{_CREATION}(?!\w)[^,;:()!?]{{0,80}})",
            "Works on {what}",
            "I'm working on a sci-fi novel about time loops",
            "I'm working on a fix",
        ),
        # --- skill
        _row(
            "plays",
            "skill",
            "instrument",
            rf"(?:{_I}play|{_IVE}(?:been playing|played)|{_I}can play) (?P<what>(?:the |some |a bit of |a little |bass |lead |acoustic |electric |jazz |classical )*(?:piano|guitar|cello|violin|viola|drums?|bass|flute|saxophone|sax|trumpet|trombone|ukulele|harp|banjo|accordion|clarinet|keyboards?|keys|harmonica|bandura|oboe|organ|synth|mandolin|bagpipes|chess|tennis|football|soccer|basketball|volleyball|hockey|badminton|rugby|cricket|golf|poker|go)(?!\w)[^,;:()!?]{{0,50}})",
            "Plays {what}",
            "I play the piano",
            "I play the fool sometimes",
        ),
        _row(
            "speaks",
            "skill",
            "language_skill",
            rf"(?:{_I}(?:speak|know|can speak|read)|{_IM}fluent in|{_IM}a native speaker of) (?P<what>(?:fluent |some |decent |basic |good |a bit of |a little )*{_LANG}(?!\w)[^,;:()!?]{{0,50}})",
            "Speaks {what}",
            "I speak fluent French",
            "I speak the truth",
        ),
        _row(
            "years_of",
            "skill",
            "skill",
            rf"{_IVE}been (?P<what>(?:coding|programming|drawing|painting|sewing|knitting|baking|cooking|welding|climbing|dancing|singing|skating|surfing|teaching|writing|photographing|woodworking|gardening|boxing|fencing|diving|sailing|flying|running|cycling|swimming|skiing|juggling|brewing|translating|editing|designing|producing|playing|doing \w+|practi[cs]ing|making|building|restoring|repairing|fixing|shooting)(?: [^,;:()!?]{{2,50}})? (?:for|since) [^,;:()!?]{{2,40}})",
            "Has been {what}",
            "I've been coding for 10 years",
            "I've been waiting for an hour",
        ),
        _row(
            "can",
            "skill",
            "skill",
            rf"(?:{_I}(?:can|know how to)|{_IM}(?:pretty |very |quite |really )*(?:good|great|decent|skilled|experienced|certified|trained) (?:at|in|with|as)) (?P<what>(?:code|cook|weld|sew|knit|draw|paint|juggle|bake|solder|surf|ski|dance|sing|drive|ride|fly|swim|program|repair|fix (?:cars|bikes|computers|anything)|photoshop|edit videos?|speak|touch type|woodwork|crochet|sail|play|do a|coding|cooking|welding|sewing|knitting|drawing|painting|baking|soldering|photography|photoshop|math\w*|chess|excel|sql|python|rust|javascript|editing|singing|dancing|woodworking|first aid|fixing)(?!\w)(?! (?:you|it|this|that|tomorrow|later|there|over))[^,;:()!?]{{0,60}})",
            "Can {what}",
            "I can weld and solder",
            "I can help you",
            momentary=False,
        ),
        _row(
            "codes",
            "skill",
            "programming",
            rf"(?:{_I}(?:code|program|write|develop|mostly write|mainly code)) (?P<what>(?:mostly |mainly )?(?:in )?(?:python|rust|java|javascript|typescript|go|golang|c\+\+|c#|kotlin|swift|ruby|haskell|elixir|scala|php|cobol|fortran|assembly)(?!\w)[^,;:()!?]{{0,40}})",
            "Programs {what}",
            "I write Rust for a living",
            "I write python scripts wrong? always",
            confidence=0.8,
            momentary=False,
        ),
        _row(
            "holds",
            "skill",
            "qualification",
            rf"^i(?:'ve got| have| hold| got) (?P<what>(?:a|an|my) (?:[\w-]+ ){{0,3}}?(?:black belt|pilot'?s? licen[cs]e|licen[cs]e|certificate|degree in|diploma in|phd|masters?(?= in))(?!\w)[^,;:()!?]{{0,50}})",
            "Holds {what}",
            "I have a black belt in judo",
            "I have a degree of doubt",
            confidence=0.82,
        ),
        # --- preference
        _row(
            "dislikes",
            "preference",
            "dislikes",
            rf"(?:{_I}(?:hate|dislike|detest|despise|loathe|can't stand|cannot stand|can't bear|don't (?:\w+ )?(?:like|enjoy))|{_IM}not (?:a|into|a big) (?:fan of|into)?) ?{_OBJECT}",
            "Dislikes {what}",
            "I can't stand cilantro",
            "I hate it when that happens",
            momentary=False,
        ),
        _row(
            "favourite",
            "preference",
            "favourite",
            r"^(?P<what>my (?:all-time |absolute |personal )?(?:favou?rite|fave|fav)(?: [\w'-]+){0,4}?(?: is| are|'s| was|:) (?!when|how|that|still|back|gone|here|online)[^,;:()!?]{2,80})",
            "Favourite: {what}",
            "my favourite author is Ilsa Marwick",
            "my favourite part was when he left",
        ),
        _row(
            "is_favourite",
            "preference",
            "favourite",
            r"^(?P<what>(?!this|that|it|you|he|she|they|which|who|what|here)[\w' -]{3,50}? (?:is|are) my (?:all-time |absolute |personal |big |biggest )?(?:favou?rites?|fave|passion|hobby|jam|guilty pleasure|comfort (?:food|show|movie))(?!\w)(?: [^,;:()!?]{2,50})?)",
            "Favourite: {what}",
            "jazz is my favourite music",
            "this is my favourite",
        ),
        _row(
            "prefers",
            "preference",
            "likes",
            rf"{_I}prefer {_OBJECT}",
            "Prefers {what}",
            "I prefer tea over coffee",
            "I prefer not to say",
            confidence=0.87,
            momentary=False,
        ),
        _row(
            "loves",
            "preference",
            "likes",
            rf"(?:{_I}(?:love|adore|enjoy|like|collect|worship)|{_IM}(?:\w+ )?(?:into|obsessed with|crazy about|addicted to|passionate about|keen on|a sucker for)|{_IM}(?:a |an )?(?:\w+ )?(?:fan of|lover of)) {_OBJECT}",
            "Likes {what}",
            "I love sci-fi books",
            "I love how you put it",
            confidence=0.84,
            momentary=False,
        ),
        _row(
            "fan",
            "preference",
            "likes",
            rf"(?:{_IM}(?:more of )?(?:a |an )(?:\w+ )?(?P<what>(?:cat|dog|morning|night|tea|coffee|people|outdoors|beach|mountain|plant|book) person|[\w-]{{3,20}}(?: [\w-]{{3,20}})? (?:fan|lover|enthusiast|nerd|addict|geek|buff|aficionado))(?!\w)|^i support (?P<team><Name>[^,;:()!?]{{0,30}}))",
            "Likes: {what} {team}",
            "I'm a huge jazz fan",
            "I'm a big person",
            confidence=0.78,
        ),
        _row(
            "routine",
            "preference",
            "routine",
            r"^(?P<what>(?:every (?:morning|day|evening|night|week|weekend|sunday|saturday|monday|tuesday|wednesday|thursday|friday) i |i (?:always |usually )?(?:swim|run|bake|jog|cycle|meditate|climb|bike|hike|read|paint|draw|cook|garden|knit|play \w+|go (?:running|swimming|climbing|hiking|dancing|fishing))(?: [\w-]+){0,3} (?:every|most|each|on) (?:day|morning|evening|weekends?|week|sundays?|saturdays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?))[^,;:()!?]{0,60})",
            "Habit: {what}",
            "I bake sourdough most weekends",
            "every morning I wonder why? no idea",
            confidence=0.78,
        ),
        _row(
            "keeps",
            "preference",
            "hobby",
            rf"(?:{_I}(?:volunteer|garden|knit|crochet|quilt|breed|restore|birdwatch|do (?:pottery|yoga|judo|karate|ceramics|calligraphy|improv|ballet|bjj|crossfit)|took up|got into)|^my (?:main |new |biggest )?hobb(?:y is|ies are)) ?(?!speed|the |trouble|a fight|it|that|this|an? (?:call|order|package))(?P<what>[^,;:()!?]{{0,60}})",
            "Hobby: {what}",
            "my hobby is calligraphy",
            "I restore the backup",
            confidence=0.78,
        ),
        # --- experience
        _row(
            "experience",
            "experience",
            "experience",
            rf"^(?:i|i've|i have) (?:\w+ly |also |just |once |even |actually |finally |already ){{0,2}}(?P<what>{_PAST_STRONG}[^,;:()!?]{{0,90}})",
            "Has lived through: {what}",
            "I visited Japan in 2023",
            "I visited the wiki page",
            confidence=0.82,
        ),
        _row(
            "anchored",
            "experience",
            "experience",
            rf"^(?:{_YEARS} )?(?:i|i've) (?:\w+ly |also |once |actually )?(?P<what>(?:lived|worked|studied|went|travell?ed|spent|played|taught|used to (?:live|work|play|study|teach|sing|dance|be|coach|run|compete)|was (?:a|an|in the)|competed|trained|drove|rode|flew|danced|sang|acted|stayed|bought|moved|interned|toured|did (?:a|my)|had (?:a|an)|ran) (?!(?:to )?(?:the|this|that|it|my) (?:shop|store|same|bathroom|kitchen|wiki|docs|link|office|into))"
            rf"(?:(?<=used to live )|(?<=used to work )|(?<=used to play )|(?<=used to teach )|(?<=used to study )|(?<=used to be )|(?<=used to sing )|(?=[^,;:()!?]{{0,90}}<b>{_YEARS}))[^,;:()!?]{{2,100}})",
            "In the past: {what}",
            "I lived in Lyon for half a year",
            "I went to the shop",
            confidence=0.8,
            momentary=False,
        ),
        _row(
            "child_story",
            "experience",
            "childhood",
            r"^(?P<what>(?:as a (?:kid|child|teen\w*)|when i was (?:a kid|little|young|small|five|six|seven|eight|nine|ten|\d{1,2})|growing up|back in (?:college|school|high school|uni)) i (?!thought|wanted|would|could|was told|believed)[^,;:()!?]{3,90})",
            "In the past: {what}",
            "as a kid I broke my arm sledding",
            "when I was your age I thought so",
            confidence=0.78,
        ),
    ]
)
