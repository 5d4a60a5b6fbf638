"""Named lists of English words that phrases share as `@name`; entries as in `phrases`."""

from __future__ import annotations

from collections.abc import Mapping

from shared.domain.reading.patterns.en import vocabulary_doings as vocabulary_en_doings

_FIRST_YEAR, _LAST_YEAR = 1950, 2035
_YOUNGEST, _OLDEST = 13, 99

_LISTS = {
    # --- how statements begin and end
    "i": "=i",
    "lead": """
        well so and but yeah yes yep yup no nah nope actually honestly personally oh ooh ah ahh aw fwiw tbh
        btw by the way also ok okay nice cool hi hiya hello hey yo all everyone there same lol haha heh guys
        folks lads fyi anyway wow true hmm then plus though ngl fun fact tho welcome thanks thx cheers ta
        sorry ugh omg right sure good morning evening afternoon update news confession basically mate random
        speaking intro quick imo imho bro dude lads nowadays bruv , –""",
    "adv": """
        really absolutely just also do still currently now actually already personally always secretly totally genuinely
        mostly only usually kinda sorta recently finally once originally honestly too both definitely particularly
        especially truly even myself proudly happily quite lowkey highkey so very pretty super fairly mainly officially
        newly technically deeply seriously massively hugely completely utterly properly legit simply probs normally
        often sometimes then previously severely deathly badly violently hopelessly madly shamelessly unashamedly
        terribly highly insanely incredibly extremely ridiculously weirdly mega hella rather dead super-duper much well
        formerly temporarily permanently slowly""",
    "stop": """
        – , and or but so because cause cuz coz since as at with for now right currently atm these this who
        which where when while if though although too also by tbh lol haha lmao btw anyway i we he she they it
        is are was were has have had until till before after about again yet days last next ago just hence hbu
        wbu please pls ever always""",
    "end": """
        – , but because cause cuz coz since so though although when whenever if while btw tbh lol haha lmao
        imo imho anyway then who which where until till hbu wbu tho rn atm more""",
    "be": "=is =are =was =were =be =been",
    "several": """
        one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty several many few
        couple #num""",
    "period": "year yr month week decade summer season semester term winter =yrs",
    "month": """
        january february march april may june july august september october november december jan feb mar apr
        jun jul aug sep sept oct nov dec""",
    "weekday": "monday tuesday wednesday thursday friday saturday sunday weekend weekday",
    "often": "every each most some on",
    "season": "summer winter spring autumn fall year month christmas easter semester week weekend",
    "pronoun": """
        it this that these those you u ya him her them us me one ones its your his their myself yourself
        something anything nothing everything everyone somebody anybody someone""",
    # --- where people live
    "noplace": """
        in on at to up off under a an the my your our his her their its it this that these those here there where what
        which when me you them us him love fear denial hope peace pain shock awe bed pajamas pyjamas time touch hell
        heaven trouble constant charge favour favor general fact case theory practice public private person line need
        two three half pieces sync safety progress debt meeting class work school office order production staging dev
        prod bit tear stitch luck it's harmony silence coffee caffeine takeaway tea noodle ramen toast vibes edge
        poverty sin style limbo chaos misery exile squalor darkness quarantine lockdown isolation between today tomorrow
        yesterday scratch source experience memory reading home within above below far monday tuesday wednesday thursday
        friday saturday sunday support hr marketing sales accounting january february march april june july august
        september october november december sweatpants jeans hoodies leggings shorts future past every one some another
        other all both each what's now then different reality fantasy real earnest front back bulk""",
    "placemod": """
        wee small little tiny big large quiet sleepy old rural remote northern southern eastern western
        central north south east west very coastal mountain seaside lovely cute shared studio one-bedroom
        two-bedroom deep deepest sunny rainy cold far upstate downtown middle""",
    "dwelling": """
        village town city countryside country suburb flat apartment house bungalow caravan van boat houseboat
        north south east west mountain hill forest sticks uk us usa states netherlands philippines uae centre
        center outskirts capital studio bedsit cabin farm farmhouse cottage dorm hostel commune island coast
        seaside valley desert midwest campervan rv narrowboat bronx highlands lakes alps cotswolds area""",
    "direction": "back out over up down here away abroad alone together across",
    "nationality": """
        american canadian british english scottish welsh irish dutch german french spanish italian portuguese
        polish czech slovak hungarian romanian bulgarian greek turkish swedish norwegian danish finnish
        icelandic estonian latvian lithuanian ukrainian georgian armenian israeli egyptian moroccan nigerian
        kenyan ghanaian ethiopian indian pakistani bangladeshi nepali chinese japanese korean vietnamese thai
        filipino indonesian malaysian australian brazilian mexican argentinian argentine chilean colombian
        peruvian cuban belgian austrian swiss croatian serbian slovenian brit scot kiwi aussie londoner
        dubliner glaswegian mancunian geordie scouser texan californian berliner parisian yorkshireman
        irishman welshman""",
    # --- what they do
    "job": """
        nurse doctor teacher developer programmer engineer architect accountant lawyer attorney chef cook
        baker barista driver translator interpreter photographer marketer tester analyst manager mechanic
        plumber carpenter joiner welder hairdresser barber trainer coach student vet veterinarian surgeon
        firefighter paramedic pilot actor actress writer author editor librarian illustrator freelancer
        entrepreneur realtor bartender waiter waitress farmer mathematician historian geologist astronomer
        consultant designer professor lecturer tutor sysadmin devops midwife optician gardener tailor potter
        sailor soldier sommelier barrister solicitor judge recruiter animator operator planner surveyor
        composer postie postman postwoman mailman courier cleaner caretaker janitor nanny childminder
        babysitter au-pair butcher fishmonger greengrocer grocer florist builder bricklayer plasterer roofer
        painter decorator glazier locksmith electrician technician mechatronics bookkeeper banker broker
        trader auditor actuary paralegal clerk secretary receptionist cashier shopkeeper salesman saleswoman
        salesperson salesgirl shop-assistant steward stewardess flight-attendant guide tour-guide concierge
        porter bouncer guard policeman policewoman cop detective officer inspector fireman firewoman lifeguard
        referee umpire jockey groom zookeeper beekeeper shepherd fisherman forester arborist ranger lumberjack
        miner oilworker roughneck captain skipper deckhand navigator controller dispatcher trucker trainee
        apprentice intern postdoc phd undergrad undergraduate postgrad postgraduate freshman sophomore fresher
        teaching-assistant headteacher principal childcare-worker carer caregiver orderly physio
        physiotherapist osteopath chiropractor masseur masseuse dietitian nutritionist beautician stylist
        makeup-artist seamstress cobbler jeweller jeweler goldsmith blacksmith watchmaker luthier upholsterer
        cabinetmaker sculptor filmmaker director producer screenwriter copywriter proofreader publisher
        reporter journo presenter broadcaster podcaster youtuber streamer blogger influencer model dancer
        choreographer singer rapper dj drummer conductor cellist comedian magician clown rabbi priest pastor
        vicar monk nun chaplain imam curator archivist archaeologist registrar estimator buyer merchandiser
        negotiator adjuster underwriter landlord landscaper groundskeeper handyman mover removals-man
        baggage-handler machinist fitter turner toolmaker foreman supervisor assembler packer picker
        warehouseman forklift-driver seafarer marine veteran diplomat civil-servant politician councillor
        campaigner lobbyist fundraiser sociologist strategist founder cofounder co-founder ceo cto cfo owner
        contractor temp homemaker housewife househusband retiree pensioner dogwalker dog-walker petsitter
        taxidermist undertaker mortician embalmer gravedigger scaffolder rigger signwriter sparky sparkie
        chippy brickie squaddie copper medic cabbie postlady binman lollipop-lady dramaturg winemaker brewer
        distiller cheesemaker chocolatier patissier sous-chef dishwasher caterer bellhop planetologist
        statistician physician gp anaesthetist anesthesiologist sonographer radiographer optometrist hygienist
        phlebotomist prosthetist audiologist locum counsellor counselor therapist tattooist piercer bookseller
        bookbinder printer framer auctioneer valuer appraiser stockbroker scientist researcher""",
    "notjob": """
        =to =married =from not no never neither being favourite favorite my first second next same one only
        last fan friend kind type bit lover sucker patient client customer huge big terrible bad good great
        hard fast quick slow question joke here's natural lazy person tool thing lot complete total such
        better worse decent first-time regular new-ish fake real trick block test issue account manual *'s
        nothing""",
    "jobtail": """
        worker officer assistant attendant driver engineer developer manager designer analyst consultant
        instructor teacher nurse technician operator scientist agent rep representative specialist
        administrator coordinator inspector handler trainer therapist executive advisor adviser planner
        hygienist biologist artist tester dev walker sitter keeper guard patrol editor writer producer
        director architect""",
    "jobend": "*ist *ologist *ographer *ician",
    "notist": """
        optimist pessimist racist sexist purist feminist minimalist maximalist perfectionist realist idealist
        activist anarchist communist socialist capitalist tourist finalist twist list fist mist gist atheist
        cyclist egoist narcissist masochist sadist fantasist alarmist hobbyist pianist guitarist violinist
        cellist bassist flautist completionist traditionalist nationalist motorist exist checklist playlist
        wishlist shortlist""",
    "nojob": """
        it this that me my your our him her them us home least times moment bed something some it's fixing
        getting what""",
    "nowork": """
        it this that me my your our his her their them him us home least times moment bed something some
        fixing getting what monday tuesday wednesday thursday friday saturday sunday weekends progress theory
        practice general both most all every any here there now today tonight tomorrow morning evening night
        point present once reverse chrome firefox safari safe single pairs parallel batches shifts principle
        production staging same linux ubuntu windows vim emacs python peace silence hours mysterious""",
    "workhead": """
        way hurry rush bubble vacuum terminal shell vm browser loop similar different team minute sec second
        fix patch bug solution bit virtual container script language mode sense week month few couple new
        separate sandbox chroot""",
    "field": """
        finance hr tech marketing logistics retail hospitality construction education healthcare sales
        insurance publishing advertising accounting advertisement agriculture aviation banking biotech
        broadcasting catering childcare cybersecurity design engineering entertainment events fashion film
        forestry gaming gamedev government journalism law manufacturing media medicine mining music nursing
        pharma photography policing politics pr procurement property psychology recruitment recruiting
        research robotics security shipping software telecoms telecom theatre tourism transport translation
        archaeology architecture animation horticulture landscaping conservation compliance fintech edtech
        academia admin customer social public quality data product human real supply early tv radio mental
        palliative cancer infosec devops support""",
    "workplace": """
        bakery call-centre hospital school college university uni library office bank shop store supermarket warehouse
        factory farm pub bar restaurant cafe café coffee-shop kitchen hotel hostel museum gallery theatre theater cinema
        studio lab laboratory clinic surgery pharmacy nursery kindergarten garage workshop brewery winery vineyard
        distillery airport station port dock shipyard mine quarry mill plant refinery harbour harbor marina quay
        dockyard observatory orchard creche council charity ngo nonprofit startup agency firm company corporation
        newspaper magazine publisher zoo aquarium kennel shelter sanctuary stables gym spa salon barbershop bookshop
        bookstore florist butcher post court prison embassy ministry church parish morgue funeral abattoir centre center
        bureau depot yard site rig ship ferry train railway army navy police government nhs city state industry sector
        department care-home home institute academy ward cathedral observatory chocolatier bike""",
    "business": """
        business company shop store cafe café bakery restaurant bar pub salon studio agency farm startup
        garage gym charity bookshop hostel brewery nursery practice firm stall gallery bed-and-breakfast b&b
        florist workshop school club food kennel guesthouse hotel consultancy franchise""",
    "students": """
        student pupil patient client apprentice intern third-grader first-grader second-grader fifth-grader
        toddler kindergartner sixth-former undergrad grader trainee resident customer""",
    "vehicle": """
        bus taxi tram train truck lorry cab ambulance tractor forklift van minibus hgv uber crane tanker coach
        limo""",
    "degree": """
        phd ph.d masters master's master bachelor bachelors bachelor's degree doctorate mba ma msc bsc ba
        apprenticeship diploma course a-levels pgce residency internship bootcamp gcse gcses certificate minor
        major""",
    "condition": """
        asthma diabetes adhd add autism dyslexia dyspraxia dyscalculia epilepsy migraine migraines insomnia
        eczema psoriasis arthritis endometriosis ibs ibd crohn's crohns coeliac celiac tinnitus narcolepsy
        hayfever anxiety depression bipolar ocd ptsd pcos scoliosis fibromyalgia lupus hypothyroidism glaucoma
        vertigo sciatica anemia anaemia aphantasia synesthesia misophonia rosacea sleep arrhythmia pacemaker
        vitiligo gout ms eds pots cfs""",
    "healthy": """
        coeliac celiac diabetic colourblind colorblind colour-blind color-blind left-handed left-hander lefty
        ambidextrous dyslexic dyspraxic autistic asthmatic epileptic deaf blind short-sighted nearsighted
        near-sighted bipolar anaemic anemic neurodivergent insomniac hypermobile wheelchair asplenic
        lactose-intolerant gluten-intolerant audhd""",
    "food": """
        nut nuts peanut peanuts gluten dairy lactose milk egg eggs shellfish seafood fish soy soya wheat
        sesame meat pork beef chicken sugar caffeine alcohol coffee cheese bread mushrooms tomatoes onions
        garlic strawberries kiwi mango avocado carbs pasta cats dogs pollen dust penicillin bees wasps latex
        grass cat dog bee wasp banana bananas apple apples celery mustard prawns shrimp crab honey yeast
        almonds cashews walnuts hazelnuts pineapple hay horses aspirin ibuprofen nickel ragweed birch""",
    "thing": """
        allotment car van campervan caravan camper motorbike motorcycle boat kayak canoe telescope greenhouse
        piano kiln loom house flat apartment cabin cottage farm vineyard orchard scooter moped bicycle e-bike
        sailboat narrowboat yacht houseboat sauna pool tractor vespa truck jeep minivan volvo toyota honda
        ford bmw vw audi tesla fiat mini skoda subaru mazda nissan renault peugeot citroen kia hyundai
        mercedes porsche saab lada harley ducati yamaha kawasaki triumph beetle collection""",
    # --- whom they live with
    "kin": """
        wife husband spouse partner fiancé fiancée fiance fiancee boyfriend girlfriend bf gf son daughter kid child baby
        newborn toddler sister brother sis bro sibling twin nephew niece grandson granddaughter grandkid grandchild
        stepson stepdaughter stepkid cousin stepbrother stepsister half-brother half-sister missus hubby hubs wifey
        better-half sister-in-law brother-in-law godson goddaughter teenager lad lass boy girl eldest youngest oldest
        bestie bff other-half foster-child twins triplets boyf half""",
    "elder": """
        mom mum mam mother dad father parent parents grandma grandpa grandmother grandfather gran granny nan
        nana grandad granddad gramps auntie aunt aunty uncle mother-in-law father-in-law in-laws stepmum
        stepmom stepdad stepfather stepmother folks godfather godmother ma pa great-grandmother
        great-grandfather mama papa grandparents ancestors""",
    "friend": """
        friend mate buddy pal flatmate roommate housemate neighbour neighbor mentor colleague coworker
        classmate teammate ex bandmate""",
    "pet": """
        dog cat puppy pup kitten kitty parrot hamster rabbit bunny horse pony tortoise turtle chicken hen bee
        hive gecko snake ferret retriever labrador lab corgi poodle husky beagle dachshund terrier shepherd
        spaniel greyhound whippet collie bulldog pug chihuahua rottweiler dobermann doberman goldendoodle
        labradoodle cockapoo schnauzer dalmatian boxer mastiff budgie cockatiel canary parakeet lizard iguana
        axolotl goldfish fish tarantula gerbil chinchilla hedgehog degu goat sheep llama alpaca donkey cow pig
        piglet duck goose guinea-pig aquarium siamese ragdoll tabby tomcat calico stick-insect bird cats dogs
        rat macaw pigeon lurcher shih-tzu shiba akita samoyed malamute maltese pomeranian newfie mutt mongrel
        bengal sphynx tuxedo quail peacock""",
    "petmod": """
        old young little rescue rescued black white ginger grey gray orange brown golden german french border
        jack russell cocker springer basset saint great tabby big small tiny fat fluffy lazy deaf blind
        three-legged one-eyed retired senior elderly bearded crested leopard corn ball guinea stick-insect
        maine coon british shorthair persian siamese bengal labrador beautiful adorable crazy grumpy new pet
        house standard miniature mini toy staffy mixed-breed 2-year-old year-old pygmy indoor chonky naughty
        lovely wonderful yorkshire boston scottish""",
    "kinmod": """
        wee little younger older big elder eldest youngest oldest middle baby twin half step late dear lovely
        wonderful own new teenage teen grown-up adult best closest great first second third poor amazing
        beautiful foster adoptive biological identical maternal paternal old long-distance childhood former
        other only pregnant ex ex-""",
    "kinstate": """
        fight serve invent survive work live study teach play love own speak collect run drive paint bake sing
        dance breed coach design build train turn graduate emigrate die grow volunteer compete hate prefer
        write""",
}
_NUMBERS = {
    "year": tuple(f"={year}" for year in range(_FIRST_YEAR, _LAST_YEAR)),
    "age": tuple(f"={age}" for age in range(_YOUNGEST, _OLDEST + 1)),
}

LISTS: Mapping[str, tuple[str, ...]] = {
    name: tuple(words.split()) for name, words in (_LISTS | vocabulary_en_doings.WORDS).items()
} | _NUMBERS
INTROS = (
    "not going to lie",
    "to be honest|fair|frank|clear|precise",
    "in other news",
    "fun|random|useless|little|quick fact about (me / myself)",
    "for the record",
    "the (thing|truth) is",
    "truth be told",
    "i think",
    "i (must / have to / should / will) admit|say|confess|mention|add that?",
    "i admit that?",
    "did i mention|tell|say you? that?",
    "just? so (you|u) know",
    "in case (you|u) did not know",
    "believe it or not",
    "before you ask",
    "turns out that?",
    "at the moment|minute",
    "these days",
    "right now",
    "at present",
    "nowadays",
    "as a matter of fact",
    "speaking of _{1,3}",
    "same here",
    "same as me",
    "totally? off topic but?",
    "one thing about me is? that?",
    "let me tell you",
    "(last|this|next|every|each|most) _",
    "in|since @year|@month",
    "(since|for)? @several @period",
    "@several _? (a|each|every|per|of|the)* (week|weekend|month|year)",
    "on @weekday",
    "in my spare|free time",
    "on my days off",
    "for the last|past _{1,2}",
    "one|some day",
    "a? (few|couple|@several)? (of)? @period ago",
    "back in @year|@month",
    "as of _{1,2}",
    "by the way",
    "in fact",
    "as for me",
    "new|newbie|newcomer here",
    "to answer your question",
    "hello|hi|hey|greetings from _{1,2}",
    "in my defence|defense|opinion",
    "on the plus side",
    "at home",
    "outside of? work",
    "for me",
    "apart from that",
    "on top of that",
    "after _{1,3} years",
    "glad|happy|proud to say",
    "so glad|happy|proud",
    "funny enough",
    "me",
    "(oh)? and also",
)
"""What may stand before a statement without a comma."""
