"""What a group says about itself, in English: preferences, customs, topics, culture, what was done or decided together."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.patterns.rows import Row, unique_names

GAP = "(!@others _){0,3}"
HERE_LONG = "(in|around here / in|on|of|around|at this|our @group / in|of the chat|group)"
HERE = f"(=here / {HERE_LONG})"
CHAT = "(this|our @group / the (whole|entire)? chat|group|gang|crew)"
US = (
    f"(=we (all / here / in here / around here / as a (group|chat|crew|whole) / in this @group / , as a @group ,){{1,2}}"
    f" / all|most|many|half of us / most people {HERE} / us all / @everyone {HERE} / everyone|everybody in the @group / {CHAT} / our (whole|entire|little)? @group"
    f" / as a (group|chat|crew) ,? =we / {HERE} ,? =we|everyone|everybody|people|folks)"
)
OFTEN = (
    "(@often / all the time / all day (long)? / every (single)? day|night|morning|week|evening / day and|in night|day"
    " / a lot / way? too much / for hours (on end)? / more than anything (else)? / round the clock / spend _{0,3} (time|days|hours|life|evenings|nights)"
    " / most of (the|our) (time|days) / pretty much (only|always)?)"
)
TOGETHER = "(together / as a group|chat|crew|team / all of us / collectively / for the first time / in person / the whole|entire @group / all)"
EACH = "(each other / one another / everyone|everybody (else)? / each others / eachother)"
LOVED = "!@never_object <what>"
TALK = (
    f"(!#ed @talk|@talking (on|out|crap)? {OFTEN}? @about / !#ed =discuss|=discusses|=debate|=debates|=discussing|=debating|=cover"
    " / go|bang|going|banging on about / gossip|argue|fight|bicker over)"
)


def _row(
    name: str, category: str, key: str, phrases: tuple[str, ...], hit: str, miss: str, *,
    confidence: float = 0.8, needs_support: bool = False, momentary: bool = False,
) -> Row:  # fmt: skip
    return Row(
        name=f"en_{name}", lang="en", category=category, key=key, confidence=confidence,
        phrases=phrases, hit=hit, miss=miss, needs_support=needs_support, momentary=momentary,
    )  # fmt: skip


_CULTURE = (
    _row(
        "joke", "culture", "running_joke",
        (
            "(our|the|a|an|this|another|same (!no _)? @jokey (and|old|chat|little)? @joke)",
            f"@jokey @joke ({HERE} / of ours / with|among|between us / since|for)",
            "(our / this|the chat's / group's) (_)? @joke|legend|catchphrase|mascot|motto|slogan|anthem",
            f"=joke|=gag|legend|legendary|catchphrase|mascot|motto|slogan ({HERE} / of ours / of the|this @group)",
            "(become|became|turned into / is|are now|already|officially) (a|an|our|the)? (_)? (@jokey @joke / @joke / legendary|lore)",
            "(in-joke|injoke|in-jokes|codeword / code word|phrase|name) (for|here / of ours / in here / between us)?",
            "(=we|everyone|us|everybody still|never|forever (let _ live / laugh about / hear the end / bring up / quote)) <what>",
            "=we have (got)? (a|an|our) (own|group|chat|little|official){0,2} (mascot|motto|anthem|catchphrase|slogan|running)",
            "never let _ (_)? live <what: _{1,3}> down",
            "never hear the end of <what>",
        ),
        hit="pineapple pizza is our running joke, you'll get used to it", miss="that joke is running on empty",
        momentary=True, confidence=0.82,
    ),
    _row(
        "we_call", "culture", "running_joke",
        (
            f"({US} / =we) (all|always|just|still|only|jokingly|affectionately|lovingly){{0,2}} (call|nickname|dub|nicknamed|dubbed / refer to) {LOVED}",
            "=we|everyone|everybody (all|always|still|just|here){0,2} (say|yell|shout|joke|reply|blame) <what: _{1,8}> (whenever / every time / when|for anyone|someone|everyone|everything|anything|something|people)",
            "=we (still|always|forever|constantly|all){1,3} (joke|laugh|tease|blame|kid|cackle|giggle) (about|at)? !#ed <what>",
            "=we (have|be) (been|still|always|forever|constantly){1,2} (=joking|=laughing|=teasing|=giggling|=cackling) (about|at) <what>",
            "=we keep|keeps (=joking|=laughing|=teasing) (about|at)? <what>",
            f"{HERE} ,? <what: (!@others _){{1,4}}> (means|mean / stands for / is code|slang|short for)",
            f"<what: (!@others _){{1,4}}> (means|mean / stands for / is code|slang|short for) _ (_){{0,4}} {HERE}",
            "(our|local|chat|group|secret) (_)? (code|slang|shorthand|nickname|chatspeak|phrase|word|term|name|expression|way) for <what>",
            f"known|nicknamed (as)? <what: _{{1,4}}> {HERE}",
        ),
        hit='we always say "blame the goose" every time something breaks', miss="they say it every time",
        momentary=True, confidence=0.78,
    ),
    _row(
        "each_other", "culture", "communication_style",
        (
            f"({US} / everyone|everybody|people|folks {HERE}) (!@others _){{0,3}} @tease (_){{0,2}} (up|on|for|with|out|after|of|to|about)? {EACH}",
            f"({US} / =we) (!@others _){{0,2}} (always|constantly|regularly|never|forever|still|all|just|love to / like to) @tease (_){{0,2}} (up|on|for|with|out|after|of|to|about)? {EACH}",
            f"=we|everyone|everybody (!@others _){{0,2}} (roast|tease|troll|rib|bully|insult|mock|razz|heckle|prank|wind|clown|slag|banter|cheer) (up|on|with)? {EACH}",
            f"({US} / =we|everyone|everybody) (!@others _){{0,3}} @tease (_)? (up|on|out|after|for)? {EACH} (_){{0,3}} ({HERE} / constantly|always|nonstop|non-stop|daily|relentlessly|mercilessly / all the time / a lot)",
            f"({US} / =we|everyone|everybody|people) (!@others _){{0,3}} (look out / make|poke fun / take the mick|piss / stick up) (_){{0,4}} {EACH}",
            f"{US} (will)? @tease (you|anyone|newcomers|newbies|anybody) <what>",
            f"{US} (!@others _){{0,3}} (each other's / each others / one another's) <what>",
        ),
        hit="we roast each other constantly in here", miss="they roast each other constantly",
    ),
    _row(
        "there_for_each_other", "culture", "communication_style",
        (f"=we (!@others _){{0,3}} (@tease / be there / look out / give|care|show) (_){{0,4}} {EACH}",),
        hit="we support each other through everything", miss="they support each other", needs_support=True,
    ),
    _row(
        "manner", "culture", "communication_style",
        (
            "how =we (show|say|bond|communicate|express|roll|cope) <what: _{0,4}>",
            f"@manner be (very|pretty|just|totally|basically|perfectly|always|absolutely|kind|of){{0,2}} (normal|standard|encouraged|welcome|mandatory|expected|everywhere|rife|king|currency|fine|ok|okay|allowed / the norm / part of / fair game) {HERE}",
            "(=sarcasm|=irony|=banter|=puns|=memes|=swearing|=gifs|=humour|=humor|=jokes|=snark|=roasting|=teasing) (is|are) (our|the|basically|practically){1,2} <what>",
            "(communicate|talk|speak|converse|reply|respond / express ourselves) (almost|entirely|mostly|only|exclusively|mainly|purely|solely|just|basically|primarily|in|through|with|via|using){1,3} (@manner / movie|song|film quotes|lyrics|references)",
            f"({US} / =we) (all|here|do|always / love|tend to){{0,2}} (swear|curse|cuss|banter|shitpost|overshare|bicker) !by <what: _{{0,6}}>",
            f"(dark|dry|crude|dad|bad|dirty|gallows humour|humor|jokes|puns) (is|are) (_){{0,2}} (norm|normal|welcome|standard|encouraged|thing|currency|language|default|king) {HERE}?",
        ),
        hit="sarcasm is our first language", miss="sarcasm is your first language",
    ),
    _row(
        "nobody", "culture", "communication_style",
        (
            f"(nobody|no-one|noone / no one) (ever|really)? {HERE} (ever|really|actually|will / is going to){{0,2}} (judge|offended|offend|take|mind|keep|bite|shame|laugh|mock / care what|if|how / get|be offended|mad|upset) (_){{0,6}}",
            f"(nobody|no-one|noone / no one) (ever|really|will){{0,2}} (judge|bite|shame|mock / takes offence|offense|anything|it|things / get|be offended|mad|upset) (_){{0,5}} {HERE}",
            f"no|zero (judgement|judgment|egos|drama|gatekeeping|shame|bullying / stupid|dumb questions / hard feelings) {HERE}",
            f"{HERE} (is|there|=its|it|be|a|an|are){{0,3}} (judgment-free|judgement-free|drama-free / safe space / no judgement|judgment / no such thing)",
            f"(everything / every _ (_)?) ({HERE})? (turn|become|devolve|descend / end up|in) (into|in|a|as|an|up){{0,3}} <what: (_)? (competition|contest|joke|meme|pun|song|quiz|race|roast|bet|party|drama|game) _{{0,4}}>",
            f"(everything|everyone / every _) (become|turn) <what: _{{1,5}}> {HERE}",
        ),
        hit="nobody here takes anything seriously", miss="nobody here? hello", confidence=0.78,
    ),
    _row(
        "vibe", "culture", "atmosphere",
        (
            f"(the|general|overall) (_)? @vibe {HERE} (be|–|,){{1,2}} <what>",
            f"{HERE} the (_)? @vibe (be|–) <what>",
            f"(a|an|such|very|really|pretty|so) (@trait|good|great|family (and _)?) (@vibe|crowd|bunch|group|little|place|chat|community|lot|crew|space){{1,2}} {HERE}",
            f"({CHAT} / ours) (run|thrive|live|feed / is|be fuelled|fueled|built) (on|by) <what>",
            "(=its|it be|we be such a|an? (_)? @trait (and _)? (bunch|group|crowd|lot|crew|community|chat))",
            f"({CHAT} / ours) (is|be|can|get|=its) (@adv|*ly|a|an|the|most|such){{0,4}} (@trait (and|but _)? (_)? (@group) / (@trait|=chaos (and|but _)?) {HERE})",
            f"({CHAT}) (is|be|can|get|=its) (@adv|*ly|a|an|the|most|such){{0,4}} @trait ((and|but (_)? _)? $ / with|to|at|about)",
            f"({CHAT}) have|has (a|an|the|its) (_){{0,2}} (sense of humour|humor / vibe|atmosphere|energy|spirit)",
            f"({CHAT}) be like (_){{0,2}} family|home",
            f"(=its / it is|be / there is) (all|very|pretty|super|always|such|really|just|quite|so|no|kinda|generally|a){{0,3}} (@trait (_)? (vibe|vibes|atmosphere|place|bunch|chat|group|community|crowd|crew) / friendly|supportive|wholesome|chaotic|sarcastic|welcoming|relaxed|toxic|chill|competitive|laid-back) {HERE}",
        ),
        hit="this chat is super supportive", miss="this place is super cold",
    ),
    _row(
        "we_are", "culture", "identity",
        (
            f"(=we be / everyone|everybody|people|folks {HERE} be / {US} be) (@adv|*ly|a|an|one|kind|the|bunch|of|most|such|like){{0,5}} @trait (and|but|_)? (bunch|group|lot|people|crowd|crew|chat|community|little / {HERE})",
            f"(=we / {US}) be (@adv|*ly|a|an|so){{0,3}} @trait (about|with|to|at|in) (_){{1,4}} {HERE}",
            f"{US} be (@adv|*ly|a|an|one|bunch|of|like|the|most){{0,4}} @trait (and|but (_)? @trait)? $",
            f"=we be (@adv|*ly|like|a|one|big|bunch|of){{0,4}} (family|nerds|geeks|introverts|perfectionists|weirdos|misfits|goblins|gremlins|insomniacs|procrastinators|overthinkers|idiots|clowns / night owls / coffee addicts / early birds) (_){{0,4}} ({HERE} / $)",
            "=we be (@adv|just|basically){0,2} a bunch|group|pack|band|herd|den|cult|gang of <what>",
            "=we (take pride / pride ourselves) <what>",
        ),
        hit="we're all night owls here", miss="we're late", confidence=0.78,
    ),
)  # fmt: skip
_TOPIC = (
    _row(
        "about", "topic", "frequent_topic",
        (
            f"({CHAT} / this thread|place) be (@adv|@often|all|honestly|supposed|to|be|#num){{0,4}} about !to <what>",
            f"({CHAT}) (was|is|be|only|just|mostly|originally|has|been){{0,3}} (exist|start|create|make|made|set|meant|dedicated|devoted|found|intended) (up)? (for|to|around) (talking|about|discussing|sharing|the){{0,2}} <what>",
            "(this be / =its / it be / =we be) (basically|mostly|just|essentially|really|pretty|much){0,2} a|an !@plain|@trait <what: (!@others|@plain _){1,3}> (chat|group|groupchat|community|club|forum)",
            "(this be / =its / it be / =we be) (basically|mostly|just|essentially){0,2} a|an (chat|group|server|community|club|channel) (for|about|of|where|dedicated) (people|folks|talking|who|love|like|talk|discuss|about|fans|lovers|of|we|to){0,5} <what>",
            f"({CHAT} / conversation|talk|chat|chatter {HERE}) be (@adv|like|basically|about|roughly|easily){{0,2}} *% <what>",
            "(#num|half|most|majority|lots|all|ninety|much / three quarters) (percent|%|of|our|the|this|all|these){0,4} (conversation|talk|thread|message|chat|post|group|traffic|discussion|content|server|channel|chatter) (here / in here / these days / somehow)? !was|were (be|=its|end|ends|up|revolve|concern|just|about|around|on|basically|turn|into|devolve|literally){1,4} <what>",
            "(every|all|any|each) (_)? (conversation|discussion|thread|topic|talk|chat|convo) (here|somehow|always|eventually|sooner|or|later|in){0,3} (be|end|turn|lead|come|go|circle|drift|revolve|devolve|become|return){1,2} (up|back|into|about|to|around|on|in){0,3} <what>",
            "(everything|it|things|somehow|conversation) (here|somehow|always|eventually|inevitably|usually){0,2} (turn|devolve|become|descend) (into)? (a|an|the|another){0,1} (debate|discussion|argument|rant|conversation|talk|fight|chat|thread) (about|over|on|of) <what>",
        ),
        hit="this group is mostly about sourdough", miss="this group is about to explode", confidence=0.82,
    ),
    _row(
        "main_topic", "topic", "frequent_topic",
        (
            f"@main (topic|subject|theme|obsession) (of|in|for|on|around)? ({HERE} / conversation|discussion / us / of the|this @group) (be|–|,|=its){{1,2}} <what>",
            "(our|the|a / this chat's) @main (topic|subject|theme|obsession|debate / talking point) (be|–|,) <what>",
            f"<what: (!@others _){{1,4}}> (be|=its) (a|an|the|our|always|kind|of|pretty|much|basically|still){{0,4}} @main (topic|subject|theme|obsession|debate / talking point) {HERE}?",
            f"<what: (!@others _){{1,4}}> come|comes up {OFTEN}",
        ),
        hit="coffee gear is our favourite topic", miss="coffee is a hot drink",
    ),
    _row(
        "all_we_talk", "topic", "frequent_topic",
        (
            "<what: (!@others _){1,5}> (be|=its) (all|literally|basically|pretty|much|about|mostly|the|only|what|thing|half|most|of|just){1,4} =we (ever|really|seem|to|all){0,3} @talk",
            "(all|only|thing|what|mostly|literally) (=we / this @group / people|anyone here) (ever|all|really|mostly|seem|to|do|does|usually){0,3} (@talk|do) (here / in here)? (@about|be|is|here|@talking|@talk){1,5} !@never_object <what>",
            "(=we / people here / everyone|nobody) (can|never|do|not|will|could|seem|just){1,3} (stop|quit / shut up / get enough / get over / go (a|one) day|week|hour|minute) (talking|discussing|arguing|going|on|without|debating|chatting|mentioning|bringing|of|up|posting){0,3} (about|over|of|discussing|mentioning|without|up){0,2} !@never_object <what>",
            f"(=we|conversation|it|things|discussion|everything|everyone / {CHAT}) (always|somehow|inevitably|constantly|usually|often|do|still|just|all|here|forever){{0,3}} (end|wind up (back)? @talking|=discussing (@about)? / (keep|drift|return|revert|gravitate|veer (coming|going|circling|drifting|returning)? (back|towards|round|on){{0,2}} / come|circle|go back|round) to|about|on (the|same|topic|subject|of){{0,4}} / keep @talking @about?) !@never_object <what>",
            "(spend) (!@others _){0,4} (time|day|hour|life|evening|night|energy|break) (here|just / in here)? @talking (@about){0,2} !@never_object <what>",
            f"(nothing but|except) !@never_object <what: (!@others _){{1,4}}> {HERE}",
            f"{HERE} (=its / it is / there is) nothing but|except <what>",
        ),
        hit="all we ever talk about is bread", miss="all they ever talk about is bread",
    ),
    _row(
        "we_talk", "topic", "frequent_topic",
        (
            f"({US} / =we) (!@others _){{0,2}} {OFTEN} (!@others _){{0,2}} {TALK} {LOVED}",
            f"({US} / =we) (!@others _){{0,2}} {TALK} !@never_object <what: (!@others _){{1,6}}> {OFTEN}",
            f"({US} / =we) (!@others _){{0,2}} (!#ed @talk|@talking) (on|out)? {OFTEN} @about {LOVED}",
            f"{US} (!@others _){{0,3}} {TALK} {LOVED}",
            f"(=we|people|folks) (!@others _){{0,2}} {TALK} !@never_object <what: (!@others _){{1,6}}> {HERE}",
            "=we have been (@talking (on|out)? @about / =discussing|=debating) !@never_object <what: (!@others _){1,6}> (for|since|all|every|nonstop|non-stop) _",
            f"(you|you'll) (will|may|might)? (hear|see|find|read) (a lot / lots|plenty|loads|tons) (of|about) <what: (!@others _){{1,5}}> {HERE}",
            "(not a / no / never a) day|week|conversation|hour (go|pass) (by)? without (_){0,2} (mentioning|about|discussing|of|mention|posting)? <what>",
            f"(someone|somebody|everyone|people) ({HERE} / be){{0,2}} (always|constantly|forever) (=going on about / @talking @about) {LOVED}",
            f"(talk|discussion|conversation|chat|chatter) {HERE} (be)? (mostly|mainly|always|usually|all|about|around|revolve|largely|on){{1,3}} <what>",
            f"(lots|plenty|loads|tons / a lot of) (of)? <what: (!@others _){{1,3}}> (talk|chat|discussion|discourse|chatter) {HERE}",
            f"(=its|it is|be / there is) (basically|just|literally|pretty|much|mostly){{0,3}} (all|nonstop|non-stop|24/7|constant|endless|only / wall to wall / mostly|mainly|always about) !@trait|@plain|@never_object <what: (!@others|@plain _){{1,4}}> ({HERE} / 24/7)",
            f"(mostly|mainly|nonstop|non-stop|endless|constant|primarily|lots|plenty|loads|tons) (of|just)? !@trait|@plain <what: (!@others|@plain _){{0,2}} (*s|stuff|content|talk|chat)> {HERE}",
        ),
        hit="honestly we talk about mechanical keyboards every single day", miss="they talk about keyboards every single day",
    ),
)  # fmt: skip
_PREFERENCE = (
    _row(
        "we_love", "preference", "group_preference",
        (
            f"{US} (@adv|do){{0,4}} !#ed @love {LOVED}",
            f"({US} / =we) be (@adv|more|far|way|huge|big|massive|total|avid|die-hard|proud|firm){{0,2}} (fans|suckers|believers|lovers|sucker) (of|for|in) {LOVED}",
            f"=we (@adv|do){{0,3}} !#ed @love !@never_object <what: (!@others _){{1,6}}> {HERE}",
            "this be (@adv){0,2} (a|an) <what: _{1,2}> people|lovers|person (chat|group)",
            f"({US} be / =we be) (@adv|more|far|way|all){{0,4}} (into / big on / all about / obsessed with / partial to / keen on / crazy about / mad about / mad for / hooked on / addicted to / fond of / here for / in favour of / in favor of / sold on) {LOVED}",
            f"({US} be / =we be) (@adv|more|firmly|solidly|strictly){{0,4}} (of)? (a|an|team)? <what: (!@others|@trait _){{1,3}}> (kind|sort|type of)? @fans",
            f"({US} be / =we be) (@adv|firmly|strictly|all|solidly){{0,2}} (team|pro|pro- / anti) <what>",
            f"({CHAT} / =we be) (a)? <what: (!@others|@trait _){{1,2}}> (household|territory)",
            f"({US} / =we) (@adv|will|do){{0,3}} !#ed (choose|pick !up|out|him|her|my / always pick / always choose / always go for / swear by / go for / gravitate towards / lean towards / opt for / have a soft spot for) {LOVED}",
        ),
        hit="this group loves dad jokes", miss="those people love dad jokes",
    ),
    _row(
        "we_hate", "preference", "group_dislike",
        (
            f"{US} (@adv|do){{0,4}} (!#ed @hate / can not stand|bear / do not (really|much)? @love / not (really)? into / not (really)? (big|keen) on / not (really)? fans|fond of) {LOVED}",
            f"(nobody|none|no-one|noone / no one / not many) (of us / {HERE}) (@adv|do|can|ever){{0,3}} (@love|wants|stand|bear / care for / is into) {LOVED}",
            f"=we (@adv){{0,3}} (@hate / can not stand|bear / do not (really|much)? @love) !@never_object <what: (!@others _){{1,6}}> {HERE}",
            f"=we be (@adv|so){{0,3}} (not (really|very|much|exactly|the|biggest){{0,3}} (into / big|keen on / fans|fond of) / over / done with / sick|tired of / allergic to) {LOVED}",
            f"<what: (!@others _){{1,4}}> (do|be) not (_)? (popular|fly|welcome / our thing / a thing / go down well / work for us) ({HERE} / for|with us)",
        ),
        hit="none of us like voice notes", miss="none of them like voice notes",
    ),
    _row(
        "we_love_bare", "preference", "group_preference",
        (
            f"=we (@adv|do|would|all){{0,3}} !#ed (@love|@hate / do not (really)? @love) {LOVED}",
            f"=we (_){{0,2}} (prefer|favour|favor) {LOVED}",
            "<what: (!@others _){1,5}> (work|suit|works|suits|be|fit|fits) (way|much|just|far|a|lot){0,3} (better|best|easier|nicer|well) (for|with)? (us|everyone / all of us / this group / most of us / the group)",
            f"=we (@adv|do){{0,3}} !#ed prefer {LOVED}",
            "<what: (!@others _){1,4}> (over|beats|trumps) <other: _{1,3}> (always / any day / every time / for us / hands down)",
            "^ @lead{0,3} (team|definitely|always) <what: _{1,3}> (here|over / all the way / any day)",
        ),
        hit="we definitely prefer board games to quizzes", miss="we prefer it", needs_support=True,
    ),
    _row(
        "our_favourite", "preference", "group_preference",
        (
            "(our|group's|chat's) ((all-time|collective|absolute|unanimous|usual|go-to|shared)? (favourite|favorite|fave|go-to) (!@others|topic|subject _){0,3} (be|–|,)) <what>",
            f"(favourite|favorite|fave|go-to) (!@others|topic|subject _){{1,3}} {HERE} (be|–|,) <what>",
            f"<what: (!@others _){{1,4}}> (be|=its) (our|the|a|definitely|always|still|clearly|hands|down){{1,3}} (collective|all-time|group|clear|firm|unanimous|chat|undisputed|crowd|go-to|big|huge|massive|real)? (favourite|favorite|fave|go-to|pick|staple|crowd-pleaser|hit|winner|weakness|thing|jam|religion|obsession / guilty pleasure) ({HERE} / with us / of ours / for us / $)",
            f"<what: (!@others _){{1,4}}> (go|goes|always) (down)? (well|great|hit) ({HERE} / with us / with everyone)",
            "(crowd|group|chat) (favourite|favorite|pleaser) (be|–|,) <what>",
        ),
        hit="our favourite game is Wingspan", miss="your favourite game is Wingspan",
    ),
)  # fmt: skip
_NORM = (
    _row(
        "done_here", "norm", "chat_norm",
        (
            f"(how|what =we|things|it|stuff) (always|all|usually|be|are|just){{0,2}} (do|done|does|roll|works|handle|work) (it|things|this|that|stuff)? {HERE}",
            f"(norm|custom|etiquette|convention|habit|practice|protocol|tradition|courtesy / unwritten|unspoken rule / done thing) ({HERE} / of ours / for us) (be|=its|–|,|to|that) (to|that)? <what>",
            "(unwritten|unspoken|informal) (rule|agreement|law|code|norm|understanding)",
            f"(customary|discouraged|considered / seen as / frowned upon / bad|good form|manners / common courtesy) (_){{0,9}} {HERE}",
            f"(normal|usual|standard|common|expected|encouraged|polite|rude|fine|ok|okay|acceptable) (to|for) (_){{1,9}} {HERE}",
            f"#ing (_){{0,6}} be (_)? (normal|usual|standard|common|expected|encouraged|polite|rude|fine|acceptable|welcome|optional) {HERE}",
            f"({HERE}) (_){{0,6}} (customary|considered|discouraged / frowned upon / bad|good form|manners / the norm / unwritten rule / common courtesy / a habit / normal|rude|polite|fine|ok|okay|expected|encouraged|standard|common to)",
            "(be|=its) (customary to / frowned upon / discouraged to) <what>",
            f"(it is|be / =its / be) (kinda|just|like|basically|kind|sort|of){{0,2}} (a|our) (_)? (thing|habit|custom|etiquette|ritual|convention|courtesy) ({HERE} / of ours / with us)",
            "(first|1st name basis|terms / first-name basis|terms)",
        ),
        hit="posting without context is frowned upon in here", miss="how it's done in Rome", confidence=0.82,
    ),
    _row(
        "here_we", "norm", "chat_norm",
        (
            f"{US} (do)? (not)? (really|ever|always)? @usually (not|to|do)? !@usual_not _ <what>",
            f"({HERE_LONG}) ,? (=we|people|everyone|everybody|folks|nobody / most people / no one) (do|not|really|ever|always|just|all|mostly|@usually){{0,4}} !@usual_not|be _ <what>",
            "=here ,? (=we|people|everyone|everybody|folks|nobody / most people / no one) (do|not|really|ever|just|all|@usually){1,4} !@usual_not|be _ <what>",
            f"(=we|people|folks|everyone|everybody|newcomers|newbies|regulars / most|new people / most of us / =we all) (do|not|really|generally|ever|just|@usually){{1,4}} !@usual_not|be _ (_){{0,10}} ({HERE_LONG} / =here)",
            f"(=we|nobody|people|folks / no one) (do|not|never|ever|rarely|hardly|barely|really){{1,3}} !@usual_not|be _ (_){{0,8}} {HERE_LONG}",
            f"(people|folks|everyone|everybody|regulars|newcomers|newbies / most|new people / most of us / =we all) {HERE} (do|not|really|ever|always|just|all|@usually){{1,3}} !@usual_not|be|@love _ <what>",
            f"(everyone|everybody|nobody|no-one|noone / no one) {HERE} (ever|really|actually|usually|just){{0,2}} !is|has|was|does|knows|seems|wants|needs|got|will|can|should|else *s <what>",
            f"(everyone|everybody|nobody|no-one / no one) {HERE} (@usually|ever|really|actually){{1,2}} !@usual_not _ <what>",
            f"=we|people|folks|everyone|everybody (all|do|not|also){{0,2}} @posts (_){{1,10}} {HERE}",
            f"{HERE} ,? =we|people|folks|everyone|everybody @posts _ <what>",
            f"@usually =we|people|folks !@usual_not _ (_){{0,8}} {HERE}",
            f"({HERE_LONG}) (=we|you|people) do not have|need to <what>",
            "=we be (all)? on (a)? (first name / first-name) (basis|terms)",
            f"=we (try|like|aim|prefer / make sure) (not)? (to|that) (_){{1,10}} {HERE}",
            "=we (@usually|do|always|just){0,2} (ask|expect|encourage) (newcomers|newbies|new|people|everyone|members|folks|joiners){1,2} (to|for|_) <what>",
        ),
        hit="here we typically reply in threads", miss="people always say that", confidence=0.82,
    ),
    _row(
        "instead", "norm", "chat_norm",
        (
            "=we|people|folks|everyone (@usually|just|all|do){0,2} (react|reply|respond|use|post|send|drop|put|leave|add|tag|mark) (_){1,6} (instead / rather than / in place)",
            "instead|rather (of|than) (_){1,5} ,? =we (@usually|just|all){0,2} (react|reply|respond|use|post|send|drop|put|leave|add|tag|mark) <what>",
            "=we|people|folks (@usually|just|all|always){1,2} (react|reply|respond|use|post|send|drop|put|leave|add|tag|mark|hide) <what: _{1,5}> ,? (before|for|when|if|after|with|on|as|under|in|behind) <where>",
        ),
        hit="we react with a heart instead of typing thanks", miss="they react instead of typing", confidence=0.78,
    ),
    _row(
        "we_usually", "norm", "chat_norm",
        (
            "=we (all|do|not){0,2} (usually|typically|normally|generally|tend|mostly|always|never|rarely) (to|just|not|do)? !@usual_not|watch|go|meet|eat|be _ <what>",
            "most of us (@usually){0,2} !@usual_not|be|@love|go _ <what>",
        ),
        hit="we usually thread long stories", miss="I usually thread long stories", confidence=0.78, needs_support=True,
    ),
)  # fmt: skip
_SHARED = (
    _row(
        "decided", "shared_knowledge", "group_decision",
        (
            f"(=we / {US} / the (whole)? group|chat|gang|crew|majority / everyone|everybody|majority) (!not|never|no|can|could|if|should|will|need|i|he|she|they|you|who _){{0,5}} (@decided|=voted|=picked|=chose) (!up|out|it _)? (on|that|to|for|with|as|against|upon|,|– / in favour|favor of){{0,2}} !to|it|yet|on|that|for|with|as|this|disagree|up <what>",
            f"(=we / {US}) (!not|never|no _){{0,3}} (went|gone with / ended up (going with / choosing|picking) / signed off on / shook on) !it|that|this <what>",
            "^ @lead{0,3} (ok|okay|so|alright|right|and|well|final|it|is|been|as|per|group|officially|unanimously|=its|just|to|recap){0,5} (decided|settled|official|officially|resolved (,|–|that|on|then|in|as|last|yesterday|week|on|sunday|the|call|meeting|at){1,5} / agreed (–|that|on|then|in|last|yesterday|week|the|call|meeting){1,5}) <what>",
            "(final|group|vote|poll|the) (decision|verdict|result|outcome|winner) (be)? (in|closed)? (,|–|be|that) <what>",
            "(the|group|our) (poll|vote|votes) (be|have)? (closed|in|over|done|counted|decided|settled) (,|–|and|so){0,2} <what>",
            "(after|since|following|from) the (vote|poll|discussion|call|meeting) ,? =we (be|will|have|are)? <what>",
            "=we be going with !my|his|her|them|him|you|it <what>",
            "<what: (!@others _){1,5}> =won the (group|popular)? (vote|poll)",
            "(as|like) =we (all|already|said|had|previously|have){0,2} (decided|agreed|settled|discussed|planned|voted) (_){0,3} , <what>",
            "as (agreed|decided|discussed|voted) (_){0,3} , <what>",
            "=we (!not|never _){0,6} and (@decided|found|concluded|=picked|=chose|=voted) (on|that|to|_)? !it <what>",
            "(consensus|agreement) (was|is|be|reached|made) (that|to|,|–)? <what>",
            "remember (that)? =we (all)? (said|agreed|decided|voted|settled) <what>",
        ),
        hit="we decided to rotate hosts", miss="they decided to rotate hosts", momentary=True,
    ),
    _row(
        "did_together", "shared_knowledge", "shared_experience",
        (
            f"(=we / {US} / the whole|entire @group) (!@others _){{0,3}} @did (!@others _){{0,9}} {TOGETHER} <what: _{{0,8}}>",
            "=we (!@others _){0,2} (#ed|=did|=went|=made|=saw|=built|=ran) (!@others _){1,9} together <what: _{0,8}>",
            f"(=we (all|collectively|both|finally|actually){{1,3}} / {US} / the whole|entire @group / the lot of us / as a (group|chat|crew) ,? =we) (just|finally|already|once|recently|also|even|actually|have|has|had|got|all){{0,3}} @did !it|this|that|my|your <what>",
            "(remember (when|how|that / that|the time / the night|day) =we (all|finally|nearly|almost)?) (#ed|got|went|lost|met|did|had|made|drove|spent|broke|ran|ate|saw|took|won|were|stayed|sang|built|found|missed|@did) <what>",
            "(=we (all|first|originally|mostly){1,2} (met|meet / know|knew each other) (_){0,2} (at|in|through|on|via|from|back|during|because|thanks)) <what>",
            "(our (first|last|annual|second|big|summer|winter|group|yearly)? (trip|meetup|meet-up|hike|camping|holiday|retreat|reunion|weekend|gathering|party) (to|in|at)? (_){0,3} (was|were)) <what>",
        ),
        hit="last night we all watched The Quiet Shore", miss="they all watched the quiet road together", momentary=True,
    ),
    _row(
        "discussed", "shared_knowledge", "past_discussion",
        (
            "=we (already|have|had|actually|all|just|finally|even|once|recently){0,3} (=talked about / =discussed / =debated / =compared / =researched / went over / =looked into / voted on / =ranked / =reviewed / =tested / =tried|tried out / =covered) !it|this|that|you <what>",
        ),
        hit="we compared three hosting plans last week", miss="they compared three hosting plans last week", momentary=True, confidence=0.78,
    ),
    _row(
        "history", "shared_knowledge", "group_history",
        (
            f"({CHAT}) (was|has|have|been|is|had|first|originally|actually){{0,3}} (started|created|founded|born|began|begun|around|existed|exists|formed|grew|alive|running / set up / going for|since|strong / turned|turns _ year|years|today|this) <what>",
            "=we (all|mostly|both){1,2} (went|go|work|worked|live|lived|grew|study|studied) (to|at|in|up|on|from) (the|a)? (same|school|uni|college|together|street|office) <what: _{0,6}>",
            "=we have (all|been|known|had){1,3} (friends|chatting|going / this|the @group / each other / a group) (since|for) <what>",
        ),
        hit="this chat was started back in 2016", miss="that chat was started by mistake", momentary=True, confidence=0.78,
    ),
    _row(
        "keeps", "shared_knowledge", "group_resource",
        (
            "(our / the? shared|communal|joint / the group|chat) ((_)? @thing (for _{1,3})? (be|=its) (in|on|at|with|kept|stored|held|managed|run|pinned|hosted|under|handled|saved|paid|looked|always|over|linked|up|found|by|now|called|named){1,3}) <what>",
            "(our / the? shared|communal|joint / the group|chat) ((_)? @thing (lives|live|sits|stays|belongs|goes|hangs|resides)) <what>",
            "the (spare|shared|group|communal|joint|master|common) (_)? @thing (be|live|sit|stay) (with|at|in|on|under|by|behind) <what>",
            "<what: the|our (_)? @thing (list|doc|sheet|file|code)? be (pinned / in the pinned|pins|description / on the drive|wiki|board)>",
            "=we (all)? split (the|our) <what: _{1,5}> (ways / between us / evenly|equally / by)",
            "(our|group|chat) (treasurer|bookkeeper|organiser|organizer|admin|scribe|host|dm|captain|driver / designated driver) (be) <what>",
            "<what: _{1,3}> (keep|keeps|hold|holds|manage|manages|run|runs|handle|handles|look|looks|host|hosts|pay|pays) (after|for)? (our|everyone's / the group|shared|chat) ((_)? @thing)",
            "(=we (all|each|split|chip|pay|have|keep|share|store){1,3} (a|the|our|in|on){0,3} (joint|shared|common|group|communal (_)? @thing)) <what>",
            "(=we (all|each){0,2} (pay|contribute / chip in / put in / throw in) (_){0,2} #num|£5|€5|five|ten|twenty (each|per|a|every|for|into|month)) <what: _{0,8}>",
        ),
        hit="our shared playlist lives on Dana's account", miss="our server is down", confidence=0.75,
    ),
    _row(
        "did", "shared_knowledge", "shared_experience",
        ("=we (just|finally|already|once|recently|actually|really|successfully|both){0,2} @did !it|this|that|my|your|his|her|on|in|at|into|to|up|off <what>",),
        hit="we finished season two of Tidewater yesterday", miss="we finished it", momentary=True, needs_support=True, confidence=0.78,
    ),
)  # fmt: skip

CHAT_EN = unique_names([*_CULTURE, *_TOPIC, *_PREFERENCE, *_NORM, *_SHARED])
