"""Named lists of English words for the rows about the chat; entries as in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping

_LISTS: dict[str, str] = {
    "group": """
        chat group groupchat gc server channel crew gang bunch crowd lot squad club community team circle thread
        place chatroom""",
    "everyone": "everyone everybody people folks folk y'all peeps =ppl most all",
    "others": """
        not never no he she they you i if my your his her their him them who someone somebody anybody anyone
        nobody parents neighbours neighbors coworkers colleagues could would might may should""",
    "never_object": """
        it you that this these those each one another how when him her them us me there here what so your his
        if u ya ourselves where not""",
    "adv": """
        really definitely generally all just mostly absolutely totally much much-more honestly always usually do
        still pretty all-time secretly clearly tend tends kind kinda sort of collectively overwhelmingly
        universally basically actually literally def probs also mainly typically often even already now nowadays
        lately tbh very super quite huge big such a massive total proper bit little""",
    "often": """
        mostly mainly always constantly usually only just basically generally typically often regularly endlessly
        forever primarily largely predominantly nonstop non-stop daily chiefly literally perpetually exclusively
        24/7 frequently""",
    "usually": """
        usually typically normally generally always never mostly just rarely seldom tend tends often simply hardly
        traditionally mainly ordinarily routinely customarily commonly""",
    "talk": """
        talk chat gossip rant ramble argue yap waffle natter obsess nerd geek gush rave chatter banter whinge
        complain moan speculate post joke""",
    "talking": """
        =talking =chatting =gossiping =ranting =rambling =arguing =debating =yapping =bickering =discussing
        =obsessing =nerding =geeking =banging =complaining =moaning =gushing =raving =speculating =posting""",
    "main": """
        main usual favourite favorite hot hottest biggest eternal recurring top default regular chief core
        constant frequent perennial evergreen never-ending neverending number-one daily common perpetual go-to""",
    "posts": """
        keep put use leave post reply respond react tag vote ask write share credit mark answer greet send drop
        thread mute spoiler warn welcome celebrate rate type call text say sign introduce announce pin archive""",
    "plain": """
        busy wrong nice good great bad big small private public open quiet fun new old different dead same cool
        support the help no more right correct official main real normal separate long large general fine ok okay
        true about not done gone empty lovely pretty hard easy too very rain sun snow wind sunny rainy cold hot
        weather noise traffic windy freezing dark""",
    "about": "about of over on",
    "love": """
        love like prefer enjoy adore favour favor appreciate worship dig fancy choose pick swear crave cherish
        stan""",
    "hate": "hate dislike despise loathe detest",
    "joke": "joke jokes gag gags meme memes bit bits lore punchline",
    "jokey": """
        running inside long-running longrunning standing in-joke recurring eternal ongoing local group chat
        resident oldest""",
    "tease": """
        roast tease support help troll mock cheer back rib bully encourage lift prank insult hype defend have
        check wind slag respect love congratulate welcome compete challenge teach motivate comfort heckle razz
        clown spoil look flame banter joke correct trust embarrass""",
    "manner": """
        sarcasm irony banter puns pun memes meme roasting swearing teasing gifs gif snark trolling cursing
        profanity innuendo wordplay deadpan understatement capslock swearing slang shitposting emojis emoji stickers
        humour humor jokes""",
    "vibe": "vibe vibes atmosphere mood tone humour humor culture energy spirit",
    "trait": """
        friendly sarcastic supportive chaotic competitive wholesome toxic nerdy laid-back laidback chill relaxed
        welcoming ironic silly weird blunt honest tight-knit tightknit close-knit nerd geek introvert
        perfectionist gamer foodie polite kind warm cozy cosy loud quiet rowdy goofy unhinged crazy nosy dramatic
        petty snarky inclusive respectful informal casual easygoing easy-going harmless lazy insomniac workaholic
        procrastinator disorganised disorganized helpful gentle dorky sweet mean mad bonkers childish cheerful
        playful dry dark geeky family owls softies optimists pessimists cynics idiots weirdos misfits goblins
        gremlins lurkers bookworms clowns oversharers overthinkers nice lovely close open rude cheeky generous
        crude brutal daft soft soppy nosey stubborn feisty tolerant hopeless forgetful thick forgiving caring
        encouraging sassy savage grumpy sentimental merciless ruthless patient unserious""",
    "decided": "decided agreed settled voted chose picked landed concluded resolved compromised",
    "did": """
        watched finished read compared discussed debated met visited went raised donated researched tested tried
        played hiked travelled traveled celebrated organised organized built won completed binged reviewed looked
        cooked planned hosted beat explored attended survived recorded cleaned planted rented ran cycled swam
        camped baked made wrote listened saw sang danced climbed drove painted fixed collected pooled bought
        rewatched ranked solved fundraised adopted bingewatched marathoned knitted learned started launched
        created sailed signed entered joined learnt slept cried knitted swapped restored crossed paddled rescued""",
    "thing": """
        playlist folder drive calendar spreadsheet doc document album wiki kitty fund library account map tent
        server address password manager key keys sheet list budget money cash pot repo archive notes cookbook
        recipes photos pictures subscription tracker board form projector speaker van storage locker treasurer
        savings stash faq guide channel login gear equipment""",
    "usual_not": """
        talk discuss love hate chat prefer argue debate know think want see get mean need feel believe guess hope
        remember wonder like have be can could should forget end say call joke""",
    "habit": """
        lurk mute ring phone text check skip ignore quote share hide lock wash clean refill chip pay swap stick avoid
        limit refrain steer switch knock wave message dm ping rotate""",
    "state": """
        live work come came own earn study vote look went go got left said did saw knew thought had moved grew seem
        ran lost made forgot know speak belong die care understand agree exist""",
    "does": """
        =buys =pays =posts =makes =brings =cleans =washes =refills =locks =gets =picks =cooks =hosts =drives =writes
        =sends =orders =replaces =owes =chooses =takes =opens =closes =puts =says =tells =starts =buy =pay =wash
        =cook =clean =fills =books =restocks =updates =shuts =turns =empties""",
    "nonstop": "nonstop non-stop 24/7 endless relentless incessant",
    "evens": "50/50 50-50",
    "tally": "#num to – -",
    "politics": """
        labour labor tory tories conservative conservatives trump biden harris reform democrat democrats republican
        republicans brexit remain leave lib him her them me it""",
    "tool": """
        tent ladder drill van trailer urn gazebo bbq barbecue toolbox mower kit gear pump cooler marquee
        trophy cup banner costume projector telescope canoe kayak raft keyring key keys kitty kettle grill saw
        sander whiteboard pram cot rope raclette fondue strimmer jigsaw wheelbarrow tickets badges float""",
    "where": """
        shed garage loft attic cellar cupboard hall hallway office boot basement clubhouse kitchen lobby porch barn
        stairs house flat place garden cabinet wardrobe locker hut drawer reception studio workshop lockup church
        pavilion caravan van car storeroom yard allotment bar pub""",
    "name_like": "number no flat *'s",
    "pronoun": """
        he she it i they who someone somebody nobody which that mum mom dad mam nan gran granny wife husband god
        this what you""",
    "fans": """
        people person crowd folk folks household group bunch chat crew fans fan lovers lover addicts addict
        fanatics enthusiasts types nuts freaks junkies geeks nerds snobs gang team drinker drinkers eater eaters
        reader readers walker walkers watcher watchers listener buffs buff purists purist converts loyalists hounds""",
}
LISTS: Mapping[str, tuple[str, ...]] = {name: tuple(dict.fromkeys(words.split())) for name, words in _LISTS.items()}
