"""Named lists of English words for what people like, can, want and have done; entries as in `phrases`."""

from __future__ import annotations

WORDS = {
    # --- what they like
    "love": "=love =adore =enjoy =like =dig =fancy =worship =cherish =luv =loove =looove =lurve",
    "hate": "=hate =dislike =detest =despise =loathe =h8 =abhor",
    "noobject": """
        it this that these those you u ya yall y'all a an whose whether him her them us me how when what who where why
        if your his their our my its one ones everything everyone everybody some both such hearing seeing knowing saying
        being not mondays monday here chat asking having getting thinking whatever myself yourself to the all anything
        nothing something someone people somebody anyone each other more another even i we he she they about from best
        better most least too as than with for in on at only just so well is was are am be been and or do did same lol
        #num sth idk much very ur every any like love till until""",
    "lovable": """
        sea ocean mountain outdoors cinema theatre theater rain cold heat winter summer autumn spring beach
        countryside smell sound taste feeling forest snow sun quiet silence night city desert gym blues dark
        violin piano colour color nineties eighties 80s 90s seventies 70s""",
    "noverb": """
        hear see know think say be help believe imagine admit break go stay hate get have do make keep call
        use""",
    "fond": "into obsessed addicted crazy mad nuts passionate keen fond partial hooked bananas",
    "fanword": """
        fan lover enthusiast nerd addict geek buff aficionado junkie fanatic freak devotee connoisseur hater
        fiend snob obsessive supporter""",
    "personkind": """
        cat dog morning night tea coffee people outdoors beach mountain plant book summer winter city country
        routine numbers chocolate cheese wine beer sushi pizza sweet savoury early evening indoor indoors
        homebody cats dogs autumn""",
    "dietword": """
        vegan vegetarian veggie pescatarian pescetarian teetotal teetotaller teetotaler keto sober
        lactose-free gluten-free flexitarian carnivore coeliac fruitarian halal kosher dairy-free""",
    "consume": "eat drink touch smoke",
    "noconsume": """
        that this it from enough at after before much out here there a an any the my your one in on to many
        problems idea time clue access experience root windows linux""",
    "hobbyverb": """
        swim run bake jog cycle meditate climb bike hike read paint draw cook garden knit journal fish surf
        ski skate box row sail crochet sew quilt birdwatch volunteer dance sketch busk skateboard snowboard
        kayak bouldering lift forage camp paddleboard fence powerlift unicycle wild-swim dj stream dive
        weightlift""",
    "hobbying": """
        =swimming =running =baking =jogging =cycling =climbing =hiking =dancing =fishing =surfing =skiing
        =skating =sailing =birdwatching =bouldering =camping =kayaking =snowboarding =foraging =diving
        =bowling =hunting =paddleboarding =geocaching =thrifting =skateboarding =rowing =sledding =snorkelling
        =caving =spelunking =clubbing =riding =walking =trekking =orienteering =swing =salsa""",
    "activity": """
        pottery yoga judo karate ceramics calligraphy improv ballet bjj crossfit taekwondo pilates parkour
        archery boxing kickboxing origami macrame cosplay larp aikido capoeira gymnastics athletics fencing
        embroidery cross-stitch woodwork woodworking stand-up standup triathlons marathons parkrun crosswords
        sudoku jigsaws puzzles escape-rooms wild-swimming aerial salsa zumba tai-chi jiu-jitsu muay-thai mma
        amateur""",
    "sport": """
        tennis football soccer basketball volleyball hockey badminton rugby cricket golf squash padel
        pickleball netball handball baseball softball lacrosse darts snooker pool billiards ping-pong
        five-a-side ultimate frisbee dnd d&d dungeons poker bridge scrabble rounders hurling bowls futsal
        paintball table-tennis water-polo floorball warhammer go mahjong tabletop""",
    # --- what they can
    "instrument": """
        piano guitar cello violin viola drum drums bass flute saxophone sax trumpet trombone ukulele uke harp
        banjo accordion clarinet keyboard keyboards keys harmonica bandura oboe organ synth mandolin bagpipe
        bagpipes fiddle tuba percussion recorder double-bass bassoon horn theremin sitar tabla lute dulcimer
        bodhran cornet lyre djembe bongos marimba xylophone kalimba concertina euphonium chess handpan
        tin-whistle contrabass""",
    "musicmod": """
        the some a little bit of bass lead acoustic electric jazz classical double french english rhythm tin
        upright steel""",
    "tongue": """
        english french german polish spanish italian czech japanese chinese mandarin cantonese korean
        norwegian swedish danish finnish dutch turkish portuguese arabic hebrew ukrainian greek hindi urdu
        esperanto latin welsh irish gaelic hungarian romanian catalan thai vietnamese bsl asl georgian
        estonian latvian lithuanian icelandic farsi persian swahili tamil bengali punjabi tagalog malay
        indonesian croatian serbian bulgarian slovak slovenian basque galician afrikaans yiddish maltese
        russian albanian armenian braille kannada telugu malayalam marathi gujarati nepali sinhala pashto amharic
        yoruba igbo hausa zulu xhosa kazakh uzbek mongolian tibetan khmer burmese lao maori belarusian slovene
        macedonian bosnian luxembourgish breton cornish manx flemish kurdish somali sanskrit frisian faroese
        romani hokkien tigrinya twi wolof makaton kiswahili oriya konkani sindhi azeri""",
    "tonguemod": """
        fluent some decent basic good a bit of little conversational enough broken passable rusty native both
        excellent intermediate business reasonable pretty fairly okay schoolboy tiny the""",
    "tonguetail": """
        and but so for in since at with well fluently badly too also btw tbh lol – because though as thanks
        fine pretty quite natively if reasonably""",
    "code": """
        python rust java javascript typescript golang c c++ kotlin swift ruby haskell elixir scala php cobol
        fortran assembly perl lisp clojure erlang ocaml sql julia matlab lua dart zig js ts react bash css
        html verilog delphi pascal r""",
    "craft": """
        code cook weld sew knit draw paint juggle bake solder surf ski dance sing swim program photoshop
        crochet sculpt skate yodel whistle unicycle skateboard snowboard dive box touch-type sight-read
        beatbox breakdance windsurf kayak plaster moonwalk backflip cartwheel kitesurf forage upholster
        whittle woodwork ferment improvise lip-read waltz tango rap paraglide fence sail lockpick""",
    "handiwork": """
        car cars bike bikes bicycle computer computers laptop clock clocks watch watches engine engines guitar
        guitars furniture radio phone phones roof puncture dress dresses clothes hair suit cake cakes candle
        soap cheese pasta bread sourdough jewellery jewelry website websites sheep horse horses dog dogs sushi
        pierogi dumpling dumplings anything croissant croissants risotto kimchi beer wine cider macaron
        macarons puppet knife shoe shoes pottery piano boiler motorbike""",
    "trick": """
        handstand split splits art backflip cartwheel impression impressions accent accents cube magic trick
        tricks makeup voice voices headstand push-ups pull-ups plumbing wiring electrics calligraphy origami
        handstands flips flip worm moonwalk woodwork carpentry photography maths tax taxes accounting tiling
        drywall cpr first-aid aid sums kickflip muscle-up""",
    "feat": """
        music sheet-music sheet tarot cyrillic braille poker morse hieroglyphs kanji palms lips people maps
        upside roux curry pasta bread sourdough paella biryani video videos locks drinks cocktails faster
        length lengths mile knots ear breath pi wood pots cube backwards borscht words""",
    "crafting": """
        =coding =programming =drawing =painting =sewing =knitting =baking =cooking =welding =climbing =dancing
        =singing =skating =surfing =teaching =writing =photographing =woodworking =gardening =boxing =fencing
        =diving =sailing =flying =running =cycling =swimming =skiing =juggling =brewing =translating =editing
        =designing =producing =playing =practising =practicing =making =building =restoring =repairing =fixing
        =shooting =crocheting =soldering =carving =sculpting =photography =woodwork =photoshop =maths =math
        =chess =excel =sql =python =rust =javascript =haggling =gaming =budgeting =navigating =improvising
        =impressions =accents =parking =mimicry =tiling =plumbing =carpentry =pottery =calligraphy =animation
        =karaoke =cardistry =origami =sudoku =languages =drums =darts =pool =poker =DIY =diy =crosswords
        =spreadsheets =interviewing =proofreading =negotiating =bbq =barbecuing =wiring =embroidery
        =illustration =bread =gymnastics =tennis =football =trivia =debating =mimicking =whistling =decorating
        =bookbinding =latte =organising =organizing =composing =typing =growing =foraging =grilling =front
        =pastry =sourdough =cakes =portraits =sketching =upholstery =electronics =mechanics =magic =card
        =first =reading =breaststroke =butterfly =backstroke =freestyle =archery =snowboarding =bowling =sushi
        =knots =mental =video =public =training =voice""",
    "nosince": """
        waiting trying thinking looking using being feeling meaning wanting saying going coming getting
        sitting seeing dating doing having telling asking living staying working wondering sleeping hearing
        reading talking lying putting avoiding hoping watching dreaming complaining worrying suffering running""",
    # --- what they want
    "creation": """
        novel book memoir game album thesis dissertation startup app podcast degree phd song film movie
        documentary screenplay comic website blog business cafe café bakery shop store house cabin boat synth
        robot farm course channel newsletter greenhouse masters portfolio script play zine sim rpg charity
        band ep musical opera quilt cookbook extension shed treehouse allotment pond kayak canoe guitar
        telescope garden company brand label brewery studio campervan van motorbike kitchen bathroom loft barn
        restaurant collection novella trilogy webcomic mixtape symphony dollhouse sauna sculpture mural
        autobiography textbook poem poetry magazine exhibition campaign drone sailboat farmhouse bar gallery
        gym workshop agency dress jumper sweater cardigan scarf tapestry model keyboard""",
    "venture": """
        podcast startup blog business company band channel newsletter charity degree phd dissertation thesis
        bakery brewery zine brand label cafe café bookclub allotment garden farm collection novel memoir
        screenplay webcomic masters apprenticeship shop magazine youtube""",
    "making": """
        =working =building =writing =making =starting =launching =opening =developing =recording =designing =creating
        =renovating =restoring =converting =illustrating =composing =filming =editing =directing =releasing =dropping
        =performing =producing =knitting =sewing =crocheting =carving =coding =self-publishing =finishing""",
    "make": """
        =build =write =make =start =launch =open =develop =record =design =create =renovate =restore =convert
        =publish =finish =compose =film =run =produce =own =buy =set =release =drop =perform =direct =self-publish""",
    "wish": "=want =wanna =hope =plan =intend =aim =aspire =decided",
    "wishing": """
        =considering =hoping =planning =going =aiming =determined =trying =attempting =intending =about
        =looking =resolved""",
    "become": """
        become master retire emigrate relocate publish adopt qualify graduate retrain climb compete travel
        backpack propose elope sail hitchhike interrail""",
    "quit": "=quit =quitting =stop =stopping =give =giving =cut =cutting =kick =kicking",
    "vice": """
        smoking smoke drinking vaping vape sugar caffeine coffee alcohol meat fags cigarettes cigs nicotine
        gambling carbs dairy chocolate booze swearing biting procrastinating doomscrolling social""",
    "prize": """
        marathon half-marathon half ultra ultramarathon triathlon ironman 5k 10k 50k 100k parkrun exam exams
        test certification licence license house flat mortgage deposit car van campervan boat wedding trip
        holiday piano guitar camera motorbike competition tournament race championship olympics audition belt
        certificate degree phd retirement honeymoon surgery bike motorcycle tattoo laptop camino duathlon
        sailing course""",
    # --- what they have lived through
    "injure": """
        =broke =fractured =tore =injured =dislocated =sprained =snapped =shattered =ruptured =twisted =broken
        =torn =burnt =burned""",
    "limb": """
        leg arm wrist ankle nose collarbone rib ribs finger toe back hand foot knee tooth elbow shoulder acl
        skull thumb hip achilles jaw tailbone neck heel pelvis kneecap hamstring femur fingers""",
    "voyage": """
        =travelled =traveled =backpacked =hitchhiked =cycled =biked =hiked =sailed =walked =drove =trekked
        =rode =flew =interrailed =swam =swum =ridden =driven =flown =kayaked =ran =motorcycled =skied
        =roadtripped =wandered =paddled""",
    "lived": """
        =lived =worked =studied =travelled =traveled =spent =played =taught =trained =interned =toured
        =volunteered =served =performed =competed =danced =sang =acted =stayed =coached =ran =owned =rode
        =sailed =hiked =cycled =drove =flew =swam =climbed =walked =graduated =quit =sold =bought =built
        =wrote =published =won =lost =broke =met =saw =visited =went =left =dropped =joined =founded =started
        =opened =backpacked =hitchhiked =fished =modelled =modeled =crossed =fostered =adopted =became
        =survived =converted =retired =nursed =busked =camped =skied =appeared =represented =managed =gigged
        =exhibited =auditioned =finished =completed""",
    "didonce": """
        =met =saw =won =ate =drove =broke =lost =fell =rode =worked =lived =sang =swam =ran =climbed =crashed
        =jumped =cooked =flew =played =got =spent =had =slept =walked =hitchhiked =danced =served =stole
        =found =appeared =shared =performed =auditioned =interviewed =cycled =acted =went =travelled =traveled
        =missed =sailed =caught =gave =shook =drank =bought =sold =built =set =survived =nearly =almost
        =swallowed =locked =delivered =represented =hiked =burnt =burned""",
    "used": """
        =live =work =play =study =teach =sing =dance =coach =run =compete =own =volunteer =train =swim =row
        =sail =ride =drive =fly =perform =fence =box =wrestle =skate =ski =busk =write =paint =act =model
        =farm =breed =smoke =collect =surf =climb =cycle =cook =bake =dj =stammer =stutter =sell =manage
        =skateboard =fish =race =figure-skate =weigh =lifeguard""",
    "pasttense": """
        #ed =fell =had =got =did =gave =took =made =caught =wore =kept =drew =ate =drank =swallowed =broke
        =threw =hid =shot =stole =fought =came =became =began =bit =blew =brought =chose =dug =drove =flew
        =froze =grew =held =knew =led =left =lent =lit =rode =rang =shook =slept =stood =struck =stuck =swore
        =tore =woke =was =hit =cut =hurt =put =set =split =swam =sang =sank""",
    "dull": """
        install update try use switch post ask report file download upgrade say think tell want need like love
        hate look call start stop check read see hear mention talk reply answer send click reboot restart
        compile boot happen wonder guess mean know forget remember notice expect believe agree order save
        clean wash open close load delete remove add fix turn seem""",
    "saying": """
        say need want think keep ask call get is was has do as this his us send tell know mean come look seem
        agree insist go let make give find phone text leave arrive start end take feel always yes message just
        it's who's bring pick wait hope reckon suggest wonder laugh cry snore bark sit lie stand block
        interrupt walk jump bless thanks guess""",
    "petnoun": """
        video park walk food toy person people question picture pic photo meme sitter show litter bed owner
        lover shop joke sticker emoji gif shelter story problem hair treat collar bowl name costume vet tax
        poo poop whisperer thing filter nap fight skull game""",
    "kinnoun": """
        question clothes menu seat issue problem story party birthday game toy book room food friend friendly
        film movie bike thing car wedding version show meal emergency drama gift crisis""",
    "errand": """
        shop store same bathroom kitchen wiki docs link office toilet loo meeting it this that them him her
        you gym""",
    "landmark": """
        everest kilimanjaro camino snowdon himalayas alps andes amazon munros pyramids pyrenees acropolis #cap""",
    "won": "a an the my first second third gold silver bronze two three some several #num",
    "operation": """
        surgery operation transplant stroke baby twins c-section bypass biopsy appendix tonsils appendectomy
        knee hip miscarriage chemo cancer heart kidney brain""",
    "graduated": "=graduated =majored =interned",
    "gotinto": """
        =arrested =chased =bitten =mugged =robbed =stranded =deported =expelled =burgled =attacked
        =electrocuted =evacuated =scouted =headhunted""",
    "milestone": """
        job gig concert marathon car festival apartment flat bike tattoo pet degree language boyfriend
        girlfriend holiday trip computer guitar gigs novel crush solo half race boss kiss flight""",
    # --- what they do for a living, told by its work
    "fitted": """
        kitchens bathrooms carpets floors flooring tiles bricks boilers solar alarms scaffolding lifts elevators
        windscreens tyres fences doors roofs drains cables fibre insulation""",
    "mended": """
        boilers cars trucks lifts elevators engines pipes planes aircraft trains tractors phones bikes roofs shoes
        watches clocks lorries boats fridges""",
    "sold": """
        insurance cars houses mortgages kitchens flowers fruit veg fish shoes furniture antiques yarn wine ads
        advertising property""",
    "beasts": "dogs horses sheep cows pets cats cattle pigs goats",
    "sent": "parcels post mail newspapers papers groceries letters pizza pizzas milk",
    "read": "manuals books subtitles novels manuscripts contracts textbooks",
    "staged": "weddings events funerals gigs bands parties concerts conferences",
    "gag": """
        scream cry hurl gag sick heave ill queasy retch puke nauseous cringe shudder vomit wince itch sneeze nervous
        anxious""",
    "dishes": "curry bread pasta cakes roasts spreadsheets maths math pies curries pastry desserts",
    "patron": """
        boss manager landlord landlady dentist doctor gp teacher coach neighbour neighbor lawyer accountant hairdresser
        barber trainer supervisor colleague coworker flatmate roommate professor vet therapist mechanic builder plumber
        instructor bandmate teammate partner wife husband lecturer tutor""",
    "bestat": "=forte =superpower =speciality =specialty =bag =talent =craft =trade",
    "schooling": "school college university uni high grad primary secondary elementary kindergarten boarding law med",
}
"""Lists by name, each as words between spaces."""
