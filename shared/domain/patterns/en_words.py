"""Words that the rows about members share, in English, and the shape of such a row."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.patterns.rows import Row

ADV = (
    r"(?:(?:really|absolutely|just|also|do|still|currently|now|actually|already|personally|always|secretly|totally|genuinely|mostly|only|"
    r"usually|kinda|sort of|recently|finally|once|originally|honestly|too|both|definitely|particularly|especially|truly|even|myself) ){0,3}"
)
I_DO = rf"^i {ADV}"
I_AM = rf"^(?:i'm|i am|im) {ADV}"
I_HAVE = rf"^(?:i've|i have|ive) {ADV}"
JOBS = (
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
NOT_OBJECT = (
    r"(?!(?:it|this|that|these|those|you|u|ya|him|her|them|us|me|how|when|what|who|where|why|if|to (?:hear|see|know|think|say|be|help|believe|"
    r"imagine|admit|break|go|stay)|your|his|the (?:new|idea|way|fact|part|look|sound|last|first|first|one|ones|name|concept|vibe|energy|enthusiasm|"
    r"above|same|other|latest|update|hearing)|one|ones|its|everything|everyone|all of|nothing|some of|both|such|hearing|seeing|knowing|saying|being|"
    r"not|my life|mondays?|here|chat|bot|asking|having to|where|whatever|myself)(?!\w))"
)
OBJECT = NOT_OBJECT + "<what>"
KIN_NEAR = (
    r"(?:wife|husband|spouse|partner|fianc[ée]e?|boyfriend|girlfriend|son|sons|daughter|daughters|kids?|children|sister|sisters|brother|brothers|twins?|"
    r"nephew|niece|grandson|granddaughter|stepson|stepdaughter|cousin|dog|dogs|cat|cats|puppy|kitten|parrot|hamster|rabbit|horse|tortoise|turtle)"
)
KIN_FAR = r"(?:mom|mum|mother|dad|father|parents|grandma|grandpa|grandmother|grandfather|gran|aunt|uncle|best friend|roommate|flatmate|boss|colleague|friend|neighbou?r|mentor)"
STATE = (
    r"(?:is (?:a|an|in|from|called|named|the|my|also|\w+ years|studying|learning|working|living|getting married|expecting)|works|lives|studies|teaches|plays|"
    r"loves|owns|runs|goes to|moved to|was born|just turned|turned \d|came along|started (?:school|college|uni)|goes by|has a|has been|"
    r"taught me|raised me|passed away|died|speaks|collects|and i (?:have been|got married|met|live|are|both|run|own))"
)
YEARS = r"(?:(?:in|since|back in) (?:19|20)\d\d|(?:19|20)\d\d|last (?:year|summer|winter|spring|autumn|fall|month)|(?:\w+ )?(?:years|months|decades) ago|a (?:year|decade|few years) ago|for (?:\w+ ){1,2}(?:years|months|year|decade|summers?|seasons?)|as a (?:kid|child|teen\w*|student|boy|girl)|when i was|back in|once|in (?:my|high) (?:twenties|teens|school|childhood|youth)|growing up|during (?:college|uni|university|the pandemic))"
PAST_STRONG = (
    r"(?:visited <Name>|travell?ed (?:to|across|around|through) |backpacked |hitchhiked |cycled (?:across|around|through|to|from) |biked (?:across|around|through|to) |"
    r"hiked (?:the|across|up|to) |climbed |sailed (?:across|around|to|the) |ran (?:a|my first|the|two|three|the \w+) (?:\w+ ){0,2}(?:marathons?|half|ultra|triathlon)|"
    r"graduated |(?:broke|fractured|tore|injured|dislocated) my (?:\w+ )?(?:leg|arm|wrist|ankle|nose|collarbone|ribs?|finger|toe|back|hand|foot|knee|tooth|elbow|shoulder|acl|skull|thumb|hip) ?|survived |won (?:a|an|the|my|first|second|third|gold|silver|bronze) |got married|got divorced|was born |"
    r"had (?:surgery|a baby|twins|a stroke|open[- ]heart)|gave birth|served in |volunteered |published |performed (?:at|in|on|with) |met my (?:wife|husband|partner|best friend|girlfriend|boyfriend)|"
    r"went skydiving|skydived|bungee jumped|went bungee|was (?:asked|invited|chosen|elected|awarded) |spent (?:\w+ ){1,3}?(?:years?|months?|summers?|weeks?|semester) (?:in|at|on|with|living|working) |once (?:met|saw|won|ate|drove|broke|lost|fell|rode|worked|lived|sang|swam|ran|climbed|crashed|jumped|cooked|flew|played)|been to <Name>|quit smoking|gave up smoking|learn(?:ed|t) to (?:swim|drive|ride|ski|sail|fly|play|code|cook|read|weld|sew|dance|surf) ?|emigrated |"
    r"adopted (?:a|two|three|my) |donated (?:a|my) |interviewed |swam (?:the|with|across) |finished (?:a|my) (?:\w+ )?(?:marathon|degree|thesis|phd|course|first novel)|"
    r"lost my (?:job|dad|mom|mum|father|mother|passport)|completed (?:a|my|the) |hosted (?:a|an|my) (?:exchange|show)|grew up (?!to)|saw <Name>(?: \w+)? live)"
)
LONG_WISH = (
    r"(?:learn|move to|visit|become|run (?:a|the|my)|write (?:a|my)|start (?:a|my|learning|playing)|open (?:a|my)|buy (?:a|my) (?:\w+ )?(?:house|home|flat|apartment|car|motorcycle|motorbike|boat|van|guitar|farm|cabin|bike|piano)|"
    r"build (?:a|my) (?:\w+ )?(?:house|cabin|boat|game|business|career|shed|robot|greenhouse)|quit (?:smoking|drinking|my job|sugar)|see <Name>|see the (?:northern lights|world|ocean)|travel|get (?:my|a) (?:\w+ )?(?:licen[cs]e|degree|certificate|phd|masters?|dog|cat|puppy|black belt)|"
    r"master|lose \w+ (?:kg|kilos|pounds|lbs|weight)|lose weight|climb|finish my (?:\w+ )?(?:degree|thesis|novel|book|phd|album)|publish|adopt|study|retire|go back to (?:school|uni|college)|record (?:an|my)|launch (?:a|my)|compete|qualify|swim the|cycle (?:across|around)|hike (?:the|across)|emigrate|relocate|hit \d+|save \w+ for)"
)
LANG = r"(?:english|french|german|polish|spanish|italian|czech|japanese|chinese|mandarin|cantonese|korean|norwegian|swedish|danish|finnish|dutch|turkish|portuguese|arabic|hebrew|ukrainian|greek|hindi|urdu|esperanto|latin|welsh|irish|gaelic|hungarian|romanian|catalan|thai|vietnamese|sign language|asl|bsl)"
CREATION = r"(?:novel|book|memoir|game|album|thesis|dissertation|startup|app|podcast|degree|phd|song|film|short film|documentary|screenplay|comic|website|blog|business|cafe|bakery|shop|store|house|cabin|boat|synth|robot|farm|course|youtube channel|newsletter|tiny house|greenhouse|masters?|portfolio|script|play|zine|board game|sim|rpg|side project|charity|band|ep)"


def row(
    name: str, category: str, key: str, expression: str, description: str, hit: str, miss: str, *,
    confidence: float = 0.85, single: bool = False, momentary: bool = True,
) -> Row:  # fmt: skip
    """A row about a member; its groups fill the description."""
    return Row(
        name=f"en_{name}", lang="en", category=category, key=key, confidence=confidence, expression=expression,
        description=description, hit=hit, miss=miss, single=single, momentary=momentary,
    )  # fmt: skip
