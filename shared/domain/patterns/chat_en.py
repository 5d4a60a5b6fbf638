"""What a group says about itself, in English: preferences, customs, topics, culture, what was done or decided together."""

# ruff: noqa: E501  (a row is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.patterns.rows import Row, unique_names

_HERE = r"(?:here|in here|around here|in this (?:chat|group|server|channel|place|thread)|in the (?:chat|group)|this (?:chat|group|crew|gang|bunch|lot)|(?:our|the) (?:chat|group|crew|gang)|as a (?:group|chat|crew)|all of us|everyone|everybody|us all|y'all|folks|guys)"
_WE = r"(?:we|we all|all of us|everyone here|everybody here|people here|folks here|this (?:chat|group|crew)|the (?:whole )?(?:chat|group|gang|crew))"
_OFTEN = r"(?:mostly|mainly|always|constantly|usually|only|just|basically|generally|typically|often|regularly|endlessly|forever|literally only|pretty much only|never stop|spend (?:all day|hours|most of our time))"
_TALK = r"(?:talk(?:ing)? (?:about|of)|discuss(?:ing)?|chat(?:ting)? about|argu(?:e|ing) (?:about|over)|debat(?:e|ing)|obsess(?:ing)? over|nerd(?:ing)? out (?:about|over|on)|geek(?:ing)? out (?:about|over|on)|post(?:ing)? about|gossip(?:ing)? about|rant(?:ing)? about|ramb(?:le|ling) about)"
_EACH_OTHER = r"(?:each other|one another|everyone|everybody)"
_VERB_EACH = r"(?:roast|tease|support|help|troll|mock|cheer|back|rib|bully|encourage|lift|prank|insult|hype|defend|look out for|have|check on|make fun of|take the piss out of|challenge|compete with|congratulate|welcome|respect)(?:s|es)?(?: up| on)?"
_TRAIT = r"(?:friendly|sarcastic|supportive|chaotic|competitive|wholesome|toxic|nerdy|dry|dark|laid[- ]back|chill|relaxed|welcoming|ironic|silly|weird|blunt|brutally honest|tight-knit|like (?:a )?family|night owls|coffee addicts|cat people|dog people|nerds|geeks|introverts|perfectionists|gamers|foodies)"
_DECIDED = r"(?:decided|agreed|settled on|settled that|voted|chose|picked|landed on|ended up (?:choosing|picking|going with|with)|concluded|went with|resolved)"
_DID = r"(?:watched|finished|read|compared|talked about|discussed|debated|met|visited|went to|raised|donated|researched|tested|tried|played|hiked|travell?ed|celebrated|organi[sz]ed|built|won|completed|binged|listened to|reviewed|looked into|cooked|planned|hosted|beat|explored)"
_TOGETHER = r"(?:together|as a group|as a chat|all of us|the whole (?:gang|group|crew|chat)|everyone|all|collectively|for the first time|in person)"


def _row(
    name: str, category: str, key: str, expression: str, hit: str, miss: str, *,
    confidence: float = 0.8, needs_support: bool = False, momentary: bool = False,
) -> Row:  # fmt: skip
    return Row(
        name=f"en_{name}", lang="en", category=category, key=key, confidence=confidence, expression=expression,
        hit=hit, miss=miss, needs_support=needs_support, momentary=momentary,
    )  # fmt: skip


CHAT_EN = unique_names(
    [
        # --- culture
        _row(
            "joke",
            "culture",
            "running_joke",
            r"<b>(?:our|the|a|this chat's|an?|oldest|longest) (?:\w+[ -])?(?:running|inside|long-?running|standing|chat|group|local|in)[ -](?:joke|gag|meme)s?<e>",
            "pineapple pizza is our running joke, you'll get used to it",
            "that joke is running on empty",
            momentary=True,
            confidence=0.82,
        ),
        _row(
            "we_joke",
            "culture",
            "running_joke",
            r"<b>(?:we|everyone here) (?:always |still |all )*(?:joke|call|say) [^;()!?]{3,80} (?:whenever|every time|for (?:everyone|anyone|people)|when(?:ever)? someone)<e>",
            'we always say "blame the goose" every time something breaks',
            "they say it every time",
            confidence=0.78,
        ),
        _row(
            "each_other",
            "culture",
            "communication_style",
            rf"<b>{_WE} (?:[\w']+ ){{0,3}}?{_VERB_EACH} (?:[\w']+ )?{_EACH_OTHER}<e>",
            "we roast each other constantly in here",
            "they roast each other constantly",
        ),
        _row(
            "show_love",
            "culture",
            "communication_style",
            r"<b>(?:it's |that's )?how we (?:show (?:love|affection)|bond|say hello|communicate)<e>|<b>(?:sarcasm|irony|banter|dark humou?r|dad jokes|puns|memes|roasting|swearing|teasing|gifs)(?: is| are) (?:\w+ ){0,2}(?:normal|standard|encouraged|welcome|mandatory)(?: in)? here<e>|<b>(?:sarcasm|irony|banter|dark humou?r|dad jokes|puns|memes|roasting|swearing|teasing|gifs)(?: is| are) (?:our|the)(?: \w+){0,2} (?:language|thing|currency|default|religion|way of life|norm)<e>|<b>(?:sarcasm|irony|banter|dark humou?r|puns|memes|roasting|teasing) (?:is|are) (?:\w+ )?(?:how we|what we|the norm here|normal here)<e>",
            "sarcasm is our first language",
            "sarcasm is your first language",
        ),
        _row(
            "vibe",
            "culture",
            "atmosphere",
            rf"<b>the (?:vibe|atmosphere|mood|tone|humou?r|culture)(?: \w+)? (?:here|in here|in this (?:chat|group)|of this (?:chat|group))<e> (?:is|'s)[^;()!?]{{2,80}}|<b>this (?:chat|group|crew|gang) (?:runs|thrives|lives|feeds) on [^;()!?]{{3,40}}|<b>this (?:chat|group|place|crew|gang|lot) (?:is|can be|gets) (?:[\w']+ ){{0,2}}?{_TRAIT}<e>|<b>{_HERE} (?:it's|is) (?:all )?(?:very |pretty |super )?{_TRAIT}<e>",
            "this chat is super supportive",
            "this place is super cold",
        ),
        _row(
            "we_are",
            "culture",
            "identity",
            rf"<b>(?:we're|we are|everyone here is|everybody here is|people here are|folks here are|we're all) (?:[\w']+ ){{0,3}}?{_TRAIT}(?: (?:here|in here|bunch|group|lot|people))?<e>",
            "we're a pretty sarcastic bunch here",
            "we're late",
            momentary=False,
            confidence=0.78,
        ),
        _row(
            "nobody",
            "culture",
            "communication_style",
            r"<b>(?:nobody|no one|no-one) (?:here|in here|in this (?:chat|group)) (?:ever )?(?:judges?|gets? offended|takes? (?:\w+ )?(?:seriously|personally|offen[cs]e)|cares|minds|keeps score)<e>[^;()!?]{0,60}",
            "nobody here takes anything seriously",
            "nobody here? hello",
            confidence=0.78,
        ),
        # --- topic
        _row(
            "about",
            "topic",
            "frequent_topic",
            r"<b>this (?:chat|group|server|channel|place) (?:is|'s) (?:[\w%']+ ){0,4}?about (?!to )<what>|<b>(?:the )?main (?:topic|subject|theme)(?: here| in here| of this (?:chat|group)| of the (?:chat|group))?(?: is|'s) (?P<main>[^,;()!?]{2,80})|<b>(?P<all>[^,;()!?]{2,60}?) (?:is|are) (?:all|literally all|pretty much all|the only thing|what|mostly what) we (?:ever )?talk about<e>|<b>(?:most|all|every|half)(?: of)?(?: our| the)? (?:conversations?|talks?|threads?|messages?|chats?)(?: here| in here)? (?:is|are|end up|ends up|revolves?)(?: \w+)? (?:about|around|on) (?P<most>[^,;()!?]{2,60})|<b>we (?:never|can't|cannot|don't) (?:shut up|stop talking|stop going on|stop) about (?P<never>[^,;()!?]{2,60})|<b>all we (?:ever )?(?:talk about|discuss) is (?P<only>[^,;()!?]{2,60})|<b>\d{2}% of (?:this|the|our) (?:chat|group|server) is (?P<share>[^,;()!?]{2,60})|<b>we (?:always |constantly )?(?:end up|keep) (?:discussing|talking about|arguing about|debating|coming back to(?: the same topic:?)?) (?P<ends>[^,;()!?]{2,60})",
            "this group is mostly about sourdough",
            "this group is about to explode",
            confidence=0.82,
        ),
        _row(
            "we_talk",
            "topic",
            "frequent_topic",
            rf"<b>(?:we|we're|everyone here|people here|this (?:chat|group)) (?:all |do |really |\w+ )?{_OFTEN} (?:\w+ )?{_TALK} <what>|<b>(?:we|everyone here) {_TALK} (?P<about>[^,;()!?]{{2,60}}?) (?:every (?:single )?(?:day|week|night|morning)|all (?:the time|day)|24/7|constantly|a lot|non-?stop|daily|way too much|more than anything|too much|endlessly)<e>|<b>all (?:we|this chat) (?:ever )?(?:do|does) (?:here )?is {_TALK} (?P<only>[^,;()!?]{{2,60}})|<b>(?:can't|never) stop {_TALK} (?P<never>[^,;()!?]{{2,60}})",
            "honestly we talk about mechanical keyboards every single day",
            "they talk about keyboards every single day",
        ),
        _row(
            "regulars",
            "topic",
            "frequent_topic",
            r"<b>(?P<what>[\w' -]{3,50}?) (?:is|are) (?:a |the |our )(?:\w+ )?(?:hot topic|recurring topic|eternal topic|favou?rite topic|usual topic|regular topic|main topic|never-ending topic)<e>",
            "coffee gear is our favourite topic",
            "coffee is a hot drink",
        ),
        # --- norm
        _row(
            "done_here",
            "norm",
            "chat_norm",
            rf"<b>(?:that's |it's |this is )?(?:how (?:it's|things are|we) (?:done|do (?:it|things|this))(?: around)? here|the (?:norm|custom|etiquette|convention|unwritten rule)(?: (?:here|in here|in this (?:chat|group)))? (?:is|here)|(?:customary|considered (?:rude|polite)|frowned upon|expected|good form|bad form)(?:[^;()!?]{{0,60}}) (?:here|in here|in this (?:chat|group)))<e>|<b>{_HERE}[^;()!?]{{0,30}}(?:it's |is )(?:customary|considered (?:rude|polite)|frowned upon|good form|bad form|the norm|unwritten rule)",
            "posting without context is frowned upon in here",
            "how it's done in Rome",
            confidence=0.82,
        ),
        _row(
            "here_we",
            "norm",
            "chat_norm",
            rf"<b>(?:people|folks|everyone) here (?:usually|typically|normally|generally|tend to|always|never|mostly|don't usually) (?!talk|discuss|love|hate|prefer)[^;()!?]{{4,140}}|<b>{_HERE},? (?:we|people|everyone|folks) (?:\w+ly |always |tend to |mostly |just |never |don't |usually )(?!talk|discuss|love|hate|chat about|prefer)[^;()!?]{{4,140}}|<b>(?:we|people|everyone|folks)(?: here| all)? (?:usually|typically|normally|generally|tend to|always|never|mostly|try to|don't usually) (?!talk|discuss|love|hate|chat about|prefer|argue|post about|debate|watch|go(?!\w)|meet)(?:[^;()!?]{{3,140}}?)<b>{_HERE}<e>",
            "here we typically reply in threads",
            "people always say that",
            confidence=0.82,
        ),
        _row(
            "we_usually",
            "norm",
            "chat_norm",
            r"<b>we (?:usually|typically|normally|generally|tend to) (?!talk|discuss|love|hate|chat about|prefer|argue|post about|debate|watch|go(?!\w)|meet|get|have|eat)<what>",
            "we usually thread long stories",
            "I usually thread long stories",
            confidence=0.78,
            needs_support=True,
        ),
        # --- preference
        _row(
            "we_love_here",
            "preference",
            "group_preference",
            r"<b>(?:we|we're|everyone(?:(?: in)? here)?|everybody(?:(?: in)? here)?|people(?: in)? here|folks here|most of us|this (?:chat|group|crew|crowd|bunch|gang|lot)|the (?:whole )?(?:chat|group))(?: all| here| really| much| definitely| generally| do| don't| [\w']+ly){0,3} (?:love|loves|like|likes|prefer|prefers|enjoy|enjoys|hate|hates|(?:way |much |far )?more into|into|(?:not )?big on|(?:huge |big )?fans of|all about|obsessed with|can't stand|favou?rs?|partial to|a sucker for)<e> (?!it(?!\w)|you|that|this|each|one another|how|when)<what>",
            "this group loves dad jokes",
            "those people love dad jokes",
            needs_support=False,
            confidence=0.8,
        ),
        _row(
            "our_favourite",
            "preference",
            "group_preference",
            r"<b>(?:our|the (?:group|chat)'s|this chat's) (?:all-time |collective )?favou?rite(?: [\w'-]+){1,3} (?:is|are) <what>",
            "our favourite game is Wingspan",
            "your favourite game is Wingspan",
        ),
        _row(
            "works_better",
            "preference",
            "group_preference",
            r"<b>(?:\S+ ){0,3}(?:works?|suits?|is|are) (?:better|best|easier|nicer) for (?:us|everyone|all of us|this group|most of us)<e>[^;()!?]{0,60}",
            "weekends work best for most of us",
            "weekends work best for my sister",
            needs_support=True,
        ),
        # --- shared_knowledge
        _row(
            "decided",
            "shared_knowledge",
            "group_decision",
            rf"<b>(?:we|as a group we|the group|the chat|everyone|we've|we have|we all) (?:[\w']+ ){{0,2}}?{_DECIDED}<e> (?P<what>[^;!?]{{3,120}})|^(?:(?:ok|okay|so|alright|right|and|well|final) )*(?:it's )?(?:decided|settled|final decision|decision made|vote(?:'s)? (?:closed|is in|result)|the verdict(?: is)?|official(?:ly)?)(?::| -| —|,) (?P<result>[^;!?]{{3,120}})|<b>we (?:[\w']+ ){{0,2}}?{_DID}[^;!?]{{2,80}} and (?:{_DECIDED})<e> (?P<both>[^;!?]{{3,80}})",
            "we decided to rotate hosts",
            "they decided to rotate hosts",
            momentary=True,
            confidence=0.8,
        ),
        _row(
            "discussed",
            "shared_knowledge",
            "past_discussion",
            r"<b>(?:we|as a group we|we've|we have)(?: [\w']+){0,2}? (?:talked about|discussed|debated|compared|researched|went over|looked into|voted on|ranked|reviewed) (?!it(?!\w)|this(?!\w)|that(?!\w)|you)(?P<what>[^;!?]{3,120})",
            "we compared three hosting plans last week",
            "we never discussed prices",
            momentary=True,
            confidence=0.78,
        ),
        _row(
            "did_together",
            "shared_knowledge",
            "shared_experience",
            rf"<b>(?:we|we've|we have|as a group we|all of us|the whole (?:gang|group|crew|chat))(?: [\w']+){{0,3}}? {_DID}<e>[^;!?]{{0,100}}<b>{_TOGETHER}<e>(?P<rest>[^;!?]{{0,60}})|<b>(?:we (?:all|finally all|collectively|as a group)|all of us|the (?:whole )?(?:gang|group|crew|chat)|as a (?:group|chat),? we)(?: (?:just|finally|already|once)){{0,2}} {_DID}<e> (?P<what>[^;!?]{{3,120}})",
            "last night we all watched The Quiet Shore",
            "they all watched the quiet road together",
            momentary=True,
            confidence=0.8,
        ),
        _row(
            "did",
            "shared_knowledge",
            "shared_experience",
            rf"<b>we(?: (?:just|finally|already|once|\w+ly)){{0,2}} {_DID} (?!it(?!\w)|this(?!\w)|that(?!\w)|my|your|his|her)(?P<what>[^;!?]{{3,120}})",
            "we finished season two of Tidewater yesterday",
            "we finished it",
            momentary=True,
            needs_support=True,
            confidence=0.78,
        ),
        _row(
            "resource",
            "shared_knowledge",
            "group_resource",
            r"<b>(?:our|the (?:shared|group|chat)) (?:[\w-]+ )?(?:playlist|folder|drive|calendar|spreadsheet|doc|album|wiki|kitty|fund|library|account|map|tent|server|address|password manager) (?:is|lives|are|sits|can be found) (?!down|dead|broken|gone|full|late)[^;!?]{3,100}",
            "our shared playlist lives on Dana's account",
            "our server is down",
            confidence=0.75,
        ),
    ]
)
