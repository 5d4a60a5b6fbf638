"""Words that mean the same in Ukrainian and English, and words that carry no content: data, and how to look a word up.

A line is `name: patterns`; a pattern ending in `*` is a beginning of words, any other is a whole word or its lemma.
Ukrainian is written as beginnings, so that meaning does not hang on what a lemmatiser makes of an inflected form.
Ambiguous words are left out: a missed merge costs less than a wrong one.
"""

# ruff: noqa: E501  (a list of words is easier to read whole than broken at column 120)
from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, auto
from functools import lru_cache
from typing import NamedTuple

from shared.domain.language import lemma

_LONGEST_WORD = 40


class Kind(IntEnum):
    """What a word does in a statement (numbers, because they hash faster than names)."""

    CONTENT = auto()  # of the tables: the same name in both languages
    WORD = auto()  # content that the tables do not know, under its lemma
    PLACE = auto()  # content that is never merged with another place
    STOP = auto()
    FRAME = auto()  # verbs that only carry the object ("plays", "visited"); content in experiences and goals
    NEGATION = auto()  # turns its whole clause
    NEGATION_AHEAD = auto()  # turns what follows it in its clause
    AGAINST = auto()  # a stance: forbidden, hates
    FOR = auto()  # a stance: allowed, likes
    GIVEN_UP = auto()  # turns what follows: quit, instead of
    CHANGE = auto()  # says that something is new: now, moved
    STRONG = auto()
    LEVEL = auto()
    DAY = auto()
    MONTH = auto()
    NUMBER = auto()
    PERIOD = auto()
    AND = auto()


class Meaning(NamedTuple):
    """A word's part and its canonical name ("coffee" for "кавою")."""

    kind: Kind
    name: str


def words(text: str) -> frozenset[str]:
    """The words of a list written as one text."""
    return frozenset(text.split())


_CONTENT = """
coffee: coffee кава каву кави каві кавою кавов* | tea: tea чай чаю чаєм чаї чайн* | beer: beer пиво пива пивом | wine: wine вино вина вином вину
meat: meat м'яс* | fish: fish риба риби рибу рибою | pizza: pizza піц* | sushi: sushi суші | chocolate: chocolate шоколад* | milk: milk молок*
sugar: sugar цукор цукр* | cheese: cheese сир сиру сири сиром | bread: bread хліб* | lactose: lactose лактоз* | gluten: gluten глютен* | nut: nut горіх*
peanut: peanut арахіс* | honey: honey мед меду медом | spicy: spicy гостре гостру гострий гострого | sweets: sweets солодощ* солодке солодкого
vegetarian: vegetarian* veggie вегетаріан* | vegan: vegan веган* | alcohol: alcohol* booze алкогол* | food: food їжа їжу їжі їжею | soup: soup суп* | borscht: borscht борщ* | fruit: fruit* фрукт*
pollen: pollen пилок пилку | seafood: seafood морепродукт* | egg: egg яйц* | juice: juice сік соку
cat: cat kitty kitten кіт кота коту котом коти котів котик* кішк* кицьк* кошеня | dog: dog doggo puppy pup собак* пес пса псом песик* цуцен* | parrot: parrot папуг* папуж* | hamster: hamster хом'як* | rabbit: rabbit кролик* | horse: horse кінь коня коні
tortoise: tortoise turtle черепах* | guinea_pig: свинк*
mother: mother mom mum mommy mama мама мами маму мамою мамі матір матер* | father: father dad daddy тато тата татом татові батько батька батьком | sister: sister сестра сестри сестру сестрою сестрі сестер сестричк* | brother: brother брат брата братом брату братові брати братів братик*
wife: wife дружина дружини дружину дружиною дружині | husband: husband чоловік чоловіка чоловіком чоловіку | son: son син сина сином сину синові сини синів синочок | daughter: daughter дочк* доньк* дочок дочку | child: child children kid дитин* діти дітей дітьми дітям дітлах*
grandmother: grandmother grandma granny бабус* бабця бабусь | grandfather: grandfather grandpa grandad дідус* | friend: friend buddy pal друг друга другом друзі друзів подруг* приятел* | cousin: cousin кузен* кузин* | parents: parents батьки батьків батьками | girlfriend: girlfriend дівчина дівчину дівчиною
boyfriend: boyfriend хлопець хлопця хлопцем | fiance: fiance fiancee fiancé fiancée наречен* | colleague: colleague coworker колег* | neighbour: neighbour neighbor сусід* | uncle: uncle дядьк* | aunt: aunt auntie тітк* | nephew: nephew племінник* | niece: niece племінниц* | twin: twin* близнюк* близнят*
married: married одружен* одружи* заміжн* заміж одружилася | divorced: divorced divorce divorc* розлучен* розлучи* | unmarried: unmarried single неодружен* незаміжн* нежонат* | engaged: engaged заручен* заручи* | widowed: widowed widow widower вдівець вдова овдов* | dating: dating зустрічаєт*
teacher: teacher вчитель* учитель* вчительк* учительк* вчителює | lecturer: lecturer professor викладач* професор* | programmer: programmer developer coder програміст* розробни* девелопер* dev девом | doctor: doctor physician лікар* | nurse: nurse медсестр* медбрат* | cook: chef cook кухар* шеф-кухар | baker: baker пекар пекаря пекарем пекарк*
driver: driver водій водія водієм водійк* | lawyer: lawyer attorney solicitor юрист* адвокат* | accountant: accountant бухгалтер* | designer: designer дизайнер* | engineer: engineer інженер* | student: student студент* | journalist: journalist reporter журналіст* | architect: architect архітект* | translator: translator interpreter перекладач*
photographer: photographer фотограф фотографом фотографа фотографк* фотографиня | musician: musician музикант* | writer: writer письменни* | courier: courier кур'єр* курєр* | barista: barista бариста баристою баристи | manager: manager менеджер* | tester: tester qa тестувальни* | scientist: scientist researcher науковець науковц* науковиц* дослідни* | psychologist: psychologist психолог психолога психологом психологин*
therapist: therapist психотерапевт* | pharmacist: pharmacist фармацевт* | dentist: dentist стоматолог* дантист* | vet: vet veterinar* ветеринар* | plumber: plumber сантехнік* | electrician: electrician електрик електрика електриком | mechanic: mechanic механік* | librarian: librarian бібліотекар* | soldier: soldier військов* солдат* | farmer: farmer фермер*
hairdresser: hairdresser barber перукар* | actor: actor actress актор* акторк* | analyst: analyst аналітик* | marketer: marketer маркетолог* | editor: редактор* | seller: seller salesperson shop_assistant продав* | waiter: waiter waitress офіціант* | retired: retired retiree pensioner пенсіонер* | unemployed: unemployed jobless безробіт* | firefighter: firefighter fireman пожежни* рятувальни* | paramedic: paramedic парамедик* | surgeon: surgeon хірург* | director: director директор* | freelancer: freelanc* фріланс*
boardgame: boardgame настолк* настолок | videogame: videogame відеоігр* геймінг gaming | chess: chess шахи шахів шахами шахах шахах | football: football soccer футбол* | basketball: basketball баскетбол* | volleyball: volleyball волейбол* | tennis: tennis теніс* | running: running run jog jogging runner біг бігу бігом бігає бігати бігаю бігаємо бігун* пробіж* пробіг* бігти | hike: hike hiking похід походи походів походах походами похід | climb: climb climbing climber скелелаз* скалолаз*
swim: swim swimming swimmer плава* | cycling: cycl* bicycle bike biking велосипед* велик велику | yoga: yoga йога йогу йоги йогою | book: book книга книги книгу книг книж* | cooking: cooking кулінар* готувати готує | bake: bake baking випіч* пече пекти | gardening: garden* город городі городом садівництв* | drawing: draw drawing малю* | photography: photography фотографія фотографії фотографію фотографією фотографува* фотографує
knit: knit* в'яза* в'яже | dance: danc* танц* | singing: sing singing singer співає співати співи спів | ski: ski* лижі лижах лиж лижами | snowboard: snowboard* сноуборд* | fishing: fishing риболов* рибалити рибалк* рибалить | camping: camp* кемпінг* | travel: travel* подорож* мандру* мандрів* | music: music музика музику музики музикою музиці музичн* | movie: movie film cinema кіно фільм* | series: serial серіал* | anime: anime аніме | game: game games ігри ігор ігра* гра гру грою іграх
guitar: guitar* гітар* | piano: piano* піаніно фортепіано | violin: violin* скрипк* скрипал* | drum: drum* барабан* | bass: басгітар* | flute: flute флейт* | bandura: bandura бандур* | fantasy: fantasy фентезі фентез* | scifi: scifi фантастик* | horror: horror жахи жахів жахам* жахастик* | comedy: comedy comedies комеді* | detective: detective детектив* | jazz: jazz джаз* | metal: metal метал метал* | poetry: poetry poem поезі* вірші віршів | classical: classical класичн* класик* | podcast: podcast подкаст*
python: python пайтон* | java: java джава | javascript: javascript js джаваскрипт* | crypto: crypto* cryptocurrenc* крипт* | bitcoin: bitcoin btc біткоїн* біток біткоін* | ethereum: ethereum етер* ефір* | linux: linux лінукс* | windows: windows вінда віндовс* | iphone: iphone айфон* | android: android андроїд* | car: car авто автівк* автомобіл* машина машину машиною машини | ai: ші | design: design дизайн дизайну дизайном | programming: programming coding програмуван* програмує програмувати кодинг
politics: politic* політик* політичн* | religion: religio* реліг* | ads: ad ads advert* реклам* promo promos self-promo промо піар | spam: spam* спам* | spoiler: spoiler* спойлер* | swearing: swear* curs* profanit* мат мату матом мати матів матюк* матюч* лайка лайку лайки лайлив* нецензур* | voice: voice* голосов* войс* | meme: meme* мем меми мемів мемами мемам мемас* мемчик*
sticker: sticker* стікер* наліпк* | gif: gif* гіф* | link: link links url urls лінк* посилан* | offtopic: flood* offtop* флуд* офтоп* оффтоп* | caps: caps капс* | insult: insult* образи образ ображат* | toxicity: toxic* токсич* | gossip: gossip* плітк* пліток | emoji: emoji* emoticon* емодзі смайл* | vacancy: vacanc* вакансі* | screenshot: screenshot* скріншот* скрін скріни скринш* | referral: referral* реферал* реф рефк* | piracy: pira* пірат* torrent* торент* | nsfw: nsfw порн* porn* | weather: weather погод* | news: news новин*
renovation: renovat* ремонт* | war: war війн* | sport: sport* спорт* | economy: econom* економік* | photo: photo picture pic фото фотк* світлин* | video: video* відео* | thread: thread* гілка гілку гілці гілках тред* | reaction: reaction* реакці* | message: message* повідомлен* | reply: reply replies replying відповід* | mention: @everyone @all
humor: humor humour гумор* | joke: joke* joking жарт* анекдот* | sarcasm: sarcas* саркас* саркаст* | dark: dark чорн* black | irony: iron* іроні* | roast: roast* teas* підкол* | memory: memor* спогад* | friendly: friend* дружн* привітн* | polite: polite* ввічлив* чемн* | rude: rude* груб* | support: support* підтрим*
recap: recap* roundup wrap-up retro підсумк* підсумок підсум* ретро | meeting: meetup meet-up meeting meet gathering get-together зустріч* збір збори | bbq: bbq barbecue шашлик* барбекю | picnic: picnic* пікнік* | quiz: quiz* trivia квіз* вікторин* | concert: concert* gig концерт* | party: party parties вечірк* тусовк* туса | birthday: birthday* bday днюх* днюх | trip: trip* поїздк* мандрівк* | lunch: lunch* обід обіду обіди | dinner: dinner* вечеря вечерю вечері | breakfast: breakfast* brunch сніданок сніданк*
call: call calls дзвінок дзвінк* дзвінку созвон* зідзвон* | standup: standup* стендап* | training: training workout* тренуван* | marathon: marathon* марафон* | exam: exam* іспит* екзамен* | wedding: wedding* весілл* | vacation: vacation* відпустк* | album: album* альбом* | playlist: playlist* плейлист* | challenge: challeng* челендж* | tournament: tournament* турнір* | cleanup: толок* | lecture: lectur* лекці* | workshop: workshop* воркшоп* майстер-клас* | exhibition: exhibition* виставк* | gift: gift* present presents подарун* | festival: festival* фестивал* | flashmob: флешмоб* | karaoke: karaoke караоке
deadline: deadline* дедлайн* | ticket: ticket* квитк* квиток | project: project* проєкт* проект* | startup: startup* стартап* | house: house home будинок будинк* дім дому вдома | apartment: apartment flat квартир* | school: school* школ* шкіл | university: universit* uni college універ* університет* інститут* | hospital: hospital* лікарн* | bank: bank* банк* | company: compan* компані* фірм* | office: office* офіс* | factory: factor* завод* фабрик* | shop: shop store магазин* крамниц* | restaurant: restaurant* ресторан* | cafe: cafe* кафе кав'ярн* | park: park* парк* | library: librar* бібліотек* | sea: sea море моря морі морем | mountain: mountain* гори горах горам гір | degree: degree* диплом* | licence: licen* права правами
young: young* молодш* | old: older elder* старш* | formal: formal* офіційн* формальн* | informal: informal* casual* неформальн* неофіційн* | short: short* brief* корот* стисл* | long: lengthy довг* розлог* довжелезн* | remote: remote* дистанційн* віддален* ремоут* | quiet: quiet* тихо тихий тиха тиш* | noisy: noisy loud* шумн* галасн* гучн* | introvert: introvert* інтроверт* | extrovert: extrovert* extravert* екстраверт* | nightowl: nightowl сова совою | earlybird: earlybird жайворон* | morning: morning* ранок ранку вранці ранков* зранку | evening: evening* вечір вечора ввечері увечері вечорам* вечірн*
smoking: smok* курит* курец* палит* цигарк* курінн* | driving: driv* кермо кермува* | online: online онлайн* | offline: offline офлайн* наживо | public: public* публічн* | private: private* приватн* | beginner: beginner* novice початків* новач* | expert: expert* експерт* | fluent: fluent* вільно | native: native рідна рідною | sleep: sleep* спить спати сон сну | insomnia: insomni* безсонн* | allergy: allerg* алергі* | asthma: asthma* астм* | diabetes: diabet* діабет* | blood: blood кров* | colour: color* colour* колір кольор* | red: red червон* | blue: blue синій синього синя синє | green: green зелен* | yellow: yellow жовт* | white: white білий білого біла біле | purple: purple violet фіолетов*
"""

_LANGUAGES = """
ukrainian: ukrainian українськ* | english: english англійськ* англіськ* інгліш | polish: polish польськ* | german: german німецьк* | french: french французьк* | spanish: spanish іспанськ* | italian: italian італійськ* | russian: russian російськ* | japanese: japanese японськ* | chinese: chinese mandarin китайськ* | korean: korean корейськ* | turkish: turkish турецьк* | czech: czech чеськ*
portuguese: portuguese португальськ* | swedish: swedish шведськ* | norwegian: norwegian норвезьк* | dutch: dutch нідерландськ* голландськ* | finnish: finnish фінськ* | hebrew: hebrew іврит* | arabic: arabic арабськ* | latin: latin латин* | greek: greek грецьк* | surzhyk: surzhyk суржик* | hungarian: hungarian угорськ* | romanian: romanian румунськ* | lithuanian: lithuanian литовськ* | danish: danish данськ* | georgian: georgian грузинськ*
"""

_PLACES = """
Ukraine: ukraine україна україни україну україні україною | Poland: poland польща польщі польщу польщею | Germany: germany німеччин* | France: france франція франції францію | Spain: spain іспанія іспанії іспанію | Italy: italy італія італії італію | Japan: japan японія японії японію | China: china китай китаю китаї | Korea: korea корея кореї корею | Turkey: turkey туреччин* | Czechia: czechia чехія чехії чехію | Portugal: portugal португалія португалії португалію | Netherlands: netherlands holland нідерланд*
Sweden: sweden швеція швеції швецію | Norway: norway норвегія норвегії норвегію | Iceland: iceland ісландія ісландії ісландію | USA: usa us сша америка америки америку америці | Britain: britain uk британія британії британію | England: england англія англії англію | Georgia: georgia грузія грузії грузію | Greece: greece греція греції грецію | Canada: canada канада канади канаду канаді | Croatia: croatia хорватія хорватії хорватію | Egypt: egypt єгипет єгипту єгипті | Ireland: ireland ірландія ірландії ірландію | Austria: austria австрія австрії австрію
Switzerland: switzerland швейцарія швейцарії швейцарію | Denmark: denmark данія данії данію | Finland: finland фінляндія фінляндії фінляндію | Hungary: hungary угорщин* | Romania: romania румунія румунії румунію | Israel: israel ізраїл* | Moldova: moldova молдов* | Lithuania: lithuania литва литви литву литві | Carpathians: carpathians carpathian карпати карпат карпатах карпатськ* | Crimea: crimea крим криму
Kyiv: kyiv kiev київ києв* | Lviv: lviv lvov львів львов* | Odesa: odesa odessa одеса одеси одесу одесі одесою | Kharkiv: kharkiv kharkov харків харков* | Dnipro: dnipro дніпро дніпрі дніпра | Chernihiv: chernihiv чернігів чернігов* | Ternopil: ternopil тернопіл* терноп* | Poltava: poltava полтав* | Vinnytsia: vinnytsia вінниц* | Uzhhorod: uzhhorod uzhgorod ужгород* | Lutsk: lutsk луцьк* | Rivne: rivne рівне рівному рівного | Chernivtsi: chernivtsi чернівц* | Sumy: sumy суми сумах | Zaporizhzhia: zaporizhzhia zaporizhia запоріжж* | Mykolaiv: mykolaiv миколаїв миколаєв* | Kherson: kherson херсон* | Zhytomyr: zhytomyr житомир* | Frankivsk: frankivsk франківськ* | Cherkasy: cherkasy черкас* | Kremenchuk: kremenchuk кременчук*
Warsaw: warsaw варшав* | Krakow: krakow kraków cracow краків краков* | Wroclaw: wroclaw wrocław вроцлав* | Gdansk: gdansk gdańsk гданськ* | Paris: paris париж* | London: london лондон* | Berlin: berlin берлін* | Vienna: vienna wien відень відні відня | Prague: prague прага праги прагу празі | Rome: rome рим римі риму | Seattle: seattle сіетл* | Leeds: leeds лідс* | Munich: munich münchen мюнхен* | Lisbon: lisbon лісабон* | Barcelona: barcelona барселон* | Athens: athens афіни афін афінах | Istanbul: istanbul стамбул* | Tokyo: tokyo токіо | Vilnius: vilnius вільнюс* | Budapest: budapest будапешт* | Copenhagen: copenhagen копенгаген* | Geneva: geneva женев* | Venice: venice венеці* | Milan: milan мілан* | Naples: naples неапол* | Cologne: cologne köln кельн* | Zurich: zurich zürich цюрих* | Brussels: brussels брюссел*
"""

_PARTS = {
    Kind.STOP: """
_: a an the of to in on at for with from by as and or is are be am was were been being it its it's this that these those there here they them their he his him she her we our us i my me you your who which what when where one's
_: user user's member member's person people participant everyone everybody all chat chat's group group's community channel server supergroup someone somebody has have had having do does did doing done will would can could should shall must get got getting go goes going went gone make made
_: so always завжди much then also too just still already currently some any own than such per each both most mostly usually generally typically normally about into out up down off over under again very_much named called name's known said says mentioned told stated considers consider keeps keep
_: у в на з із зі до від для по про за над під при о об і й та або чи що як це цей ця цього той та те ті він вона воно вони його її їх їхній ми нас нам наш наша наше наші я мене мені мій моя ви вас твій свій своя свої своє свою сам сама самі хто який яка яке які коли де там тут ж же
_: користувач* учасни* людин* люди людей чат* груп* спільнот* канал* усі всі всім усім усіх всіх весь вся все кожен кожний кожна хтось є бути був була було були буде будуть має мають маю було-б може можуть ще вже також теж лише тільки зазвичай переважно загалом зараз наразі собі себе разом час часом раз рази разів звати звуть зветься ім'я тощо щодо через між перед після серед тому бо якщо
_: only rule* правил* custom* звич* norm norms норм* tradition* традиці* culture культур* event* подія події подію подій topic* тема теми тему темі темою теми preference* уподоб* вподоб* перевага перевагу fact* факт* info information interest* інтерес* hobby hobbies хобі захоплен* skill* навич* вмінн* goal* ціль цілі мета мету goal style* стиль* стилю thing* річ речі kind type way day days day's день дня дні днів night* вечори time times tradition place close близьк* family сім'я сім'ї родина relationship стосунки
_: discuss* talk* conversation* обговор* говор* розмов* балака* speak_about subject* language languages мова мову мови мовою мов true yes так pet pets likes happen* occur* held hold take* took place відбува* проходить проводять проводить надсила* send sends sent post posts posted posting кида* пост* пишуть писати write writes written communicat* спілку* share* shared ділять* гряд* usage use_of
_: habit* tendency common* welcome_to normal особливо especially particularly including включно навіть even every щоб is_in because т let's guys
_: job occupation profession професі* посад* фах* city town місто місті міста місце resident living lives проживання residence
""",
    Kind.FRAME: """
visit: visit* been відвід* їзд* їхат* поїха* летіл* літа* побува* бував бувала бува* travelled traveled traveling travelling see saw seen seeing бачи* побачи*
live: live lived living reside* residing based dwell* settled мешка* живе жити жив жила живуть прожива* оселив*
work: work* працю* робить робота роботу роботі роботою роботи employed | study: study studies studied studying вчиться навча* вчився вчилася навчан* вчитися | learn: learn* вчить вивча* вивчи* вчити опанов* освою* | play: play* грає грати граю граємо грають зіграти | speak: speak* spoke spoken володі* | know: know* знає знати знаю вмі* уміє able
eat: eat* ate їсть їсти їм | drink: drink* drank drunk п'є пити п'ють | read: read* чита* | watch: watch* дивит* дивл* | own: own owns owned | plan: plan plans planned planning планує планують планува* плани готується готуватися готуємося prepar* going_to | want: want* wish* хоче хочуть хотіти хотів хотіла hop* aim* intend* прагне dream* мріє мріяти збираєт* збираю* | try: try tries tried спробу* намага*
be_from: родом походить born народив* grew виріс виросла come comes came | arrange: set scheduled organis* organiz* заплан* признач* влаштов* організ*
""",
    Kind.NEGATION: """
no: not n't never nobody isn't aren't doesn't don't didn't won't can't cannot wasn't weren't hasn't haven't shouldn't mustn't couldn't nothing не ніколи ніхто ані нема немає нічого false
""",
    Kind.NEGATION_AHEAD: """
no: no without non zero ніяк* жодн* без ні
""",
    Kind.AGAINST: """
against: dislike* hate* hating despise* detest* loathe* avoid* ban banned bans forbid* forbade prohibit* disallow* refuse* taboo against allergic_to ненавид* заборон* уника* відмов* проти табу скасув* скасов* скасов cancel* неприпустим* нетерп* off-limits нелюб* кепськ* зневаж* заборо* бан банять
""",
    Kind.FOR: """
for: like liking enjoy* love loves loved loving adore* prefer* allow* permit* welcome ok okay fond keen fan fans favor* favour* favourite favorite вподобав люблять любить любити люблю любимо полюбля* подоба* сподоба* обожню* дозвол* можна надає віддає волі* дозволен* вітає* цікав* заходить фанат* фанатк* улюблен* схвалю* allowed
""",
    Kind.GIVEN_UP: """
quit: quit* stopped stop stops ceased dropped drops abandon* formerly previously former ex звільни* покину* припини* перестав перестала перестали передума* замість кинув кинула колишн* раніше колись відмови* except крім окрім than ніж
""",
    Kind.CHANGE: """
now: now instead moved move* relocat* switch* chang* reschedul* postpon* became become turned anymore new_plan тепер відтепер переїха* перене* перейш* змін* став стала стали посун* віднині оновлен* updated
""",
    Kind.STRONG: """
strong: very really extremely strictly strict absolutely totally definitely completely passionately passionate love loves loved loving adore* huge hugely дуже страшенно суворо строго категорично абсолютно обожню* палко шалено величезн* надзвичайно безмежно цілковито жорстко безумно шалений
""",
    Kind.LEVEL: """
high: often frequent* high* lots lot many heavily actively active regular* constantly часто багато постійно активно високий висока високе регулярно
low: rarely rare seldom low few little hardly infrequent* рідк* мало низьк* зрідка
""",
    Kind.DAY: """
monday: monday mon понеділ* щопонеділ* | tuesday: tuesday tue вівтор* щовівтор* | wednesday: wednesday wed середа середу середи середі середою середам щосеред* | thursday: thursday thu четвер* щочетвер* | friday: friday fri п'ятниц* пятниц* щоп'ятниц* щопятниц* | saturday: saturday sat субот* щосубот* | sunday: sunday sun неділ* щонеділ* | weekend: weekend* вихідні вихідних вихідними | tomorrow: tomorrow завтра | today: today tonight сьогодні | weekday: weekday* будні буднях
""",
    Kind.MONTH: """
1: january jan січ* | 2: february feb лютий лютого лютому | 3: march mar берез* | 4: april apr квітень квітн* | 5: may травень травн* | 6: june jun червень червн* | 7: july jul липень липн* | 8: august aug серпень серпн* | 9: september sep sept верес* | 10: october oct жовтень жовтн* | 11: november nov листопад* | 12: december dec грудень грудн*
""",
    Kind.NUMBER: """
1: one один одна одне одного одну | 2: two twice couple два дві двох двоє двома двічі | 3: three thrice три трьох троє трьома тричі | 4: four чотири чотирьох четверо | 5: five п'ять п'ятьох п'ятеро | 6: six шість шести шістьох | 7: seven сім семи | 8: eight вісім восьми | 9: nine дев'ять дев'яти | 10: ten десять десяти | 11: eleven одинадцять | 12: twelve dozen дванадцять | 20: twenty двадцять | 30: thirty тридцять | 40: forty сорок | 50: fifty п'ятдесят | 100: hundred сто
""",
    Kind.PERIOD: """
daily: daily щодня щоденн* щовечора щоранку | weekly: weekly щотиж* тиждень тижня тижні тижневі week weeks | monthly: monthly щомісяц* щомісячн* місяць місяця month months | yearly: year years рік роки років року yearly annual* щорок* щорічн*
""",
    Kind.AND: """
and: and і та й but але проте however
""",
}  # fmt: skip

PHRASES = {
    ("board", "game"): Meaning(Kind.CONTENT, "boardgame"),
    ("board", "games"): Meaning(Kind.CONTENT, "boardgame"),
    ("насті", "ігри"): Meaning(Kind.CONTENT, "boardgame"),
    ("насті", "ігор"): Meaning(Kind.CONTENT, "boardgame"),
    ("насті", "іграм"): Meaning(Kind.CONTENT, "boardgame"),
    ("video", "game"): Meaning(Kind.CONTENT, "videogame"),
    ("video", "games"): Meaning(Kind.CONTENT, "videogame"),
    ("відео", "ігри"): Meaning(Kind.CONTENT, "videogame"),
    ("комп'", "ігри"): Meaning(Kind.CONTENT, "videogame"),
    ("scien", "ficti"): Meaning(Kind.CONTENT, "scifi"),
    ("sci", "fi"): Meaning(Kind.CONTENT, "scifi"),
    ("науко", "фанта"): Meaning(Kind.CONTENT, "scifi"),
    ("softw", "engin"): Meaning(Kind.CONTENT, "programmer"),
    ("softw", "devel"): Meaning(Kind.CONTENT, "programmer"),
    ("artif", "intel"): Meaning(Kind.CONTENT, "ai"),
    ("штучн", "інтел"): Meaning(Kind.CONTENT, "ai"),
    ("голос", "повід"): Meaning(Kind.CONTENT, "voice"),
    ("voice", "messa"): Meaning(Kind.CONTENT, "voice"),
    ("voice", "note"): Meaning(Kind.CONTENT, "voice"),
    ("voice", "notes"): Meaning(Kind.CONTENT, "voice"),
    ("audio", "messa"): Meaning(Kind.CONTENT, "voice"),
    ("день", "народ"): Meaning(Kind.CONTENT, "birthday"),
    ("дня", "народ"): Meaning(Kind.CONTENT, "birthday"),
    ("дата", "народ"): Meaning(Kind.CONTENT, "birthday"),
    ("off", "topic"): Meaning(Kind.CONTENT, "offtopic"),
    ("night", "owl"): Meaning(Kind.CONTENT, "nightowl"),
    ("early", "bird"): Meaning(Kind.CONTENT, "earlybird"),
    ("guine", "pig"): Meaning(Kind.CONTENT, "guinea_pig"),
    ("морсь", "свинк"): Meaning(Kind.CONTENT, "guinea_pig"),
    ("двоюр", "брат"): Meaning(Kind.CONTENT, "cousin"),
    ("двоюр", "сестр"): Meaning(Kind.CONTENT, "cousin"),
    ("new", "york"): Meaning(Kind.PLACE, "New York"),
    ("нью", "йорк"): Meaning(Kind.PLACE, "New York"),
    ("нью", "йорку"): Meaning(Kind.PLACE, "New York"),
    ("нью", "йорка"): Meaning(Kind.PLACE, "New York"),
    ("no", "longe"): Meaning(Kind.NEGATION, "no"),
    ("any", "more"): Meaning(Kind.CHANGE, "now"),
    ("gave", "up"): Meaning(Kind.GIVEN_UP, "quit"),
    ("give", "up"): Meaning(Kind.GIVEN_UP, "quit"),
    ("given", "up"): Meaning(Kind.GIVEN_UP, "quit"),
    ("calle", "off"): Meaning(Kind.AGAINST, "against"),
    ("years", "old"): Meaning(Kind.PERIOD, "yearly"),
    ("inste", "of"): Meaning(Kind.GIVEN_UP, "quit"),
    ("not", "only"): Meaning(Kind.STOP, "_"),
    ("не", "тільк"): Meaning(Kind.STOP, "_"),
    ("не", "лише"): Meaning(Kind.STOP, "_"),
    ("used", "to"): Meaning(Kind.GIVEN_UP, "quit"),
    ("a", "lot"): Meaning(Kind.LEVEL, "high"),
    ("can't", "stand"): Meaning(Kind.AGAINST, "against"),
    ("не", "терпи"): Meaning(Kind.AGAINST, "against"),
    ("set", "for"): Meaning(Kind.STOP, "_"),
}
"""Two words by their first five letters, and what they mean together."""

KIN = words(
    "mother father sister brother wife husband son daughter child grandmother grandfather friend cousin parents girlfriend boyfriend "
    "fiance colleague neighbour uncle aunt nephew niece cat dog parrot hamster rabbit horse tortoise guinea_pig"
)
"""Relations (and kinds of pets): a friend Dana is not a cousin Dana."""

ANTONYMS = frozenset(
    frozenset(pair.split("/"))
    for pair in words(
        "high/low formal/informal short/long remote/office quiet/noisy introvert/extrovert nightowl/earlybird online/offline "
        "public/private polite/rude beginner/expert vegetarian/meat vegan/meat morning/evening weekday/weekend "
        "married/divorced married/unmarried married/widowed married/engaged married/dating divorced/unmarried divorced/engaged "
        "engaged/unmarried dating/unmarried engaged/dating friendly/toxicity friendly/rude polite/toxicity"
    )
)
"""Canonical names that cannot both hold of the same thing."""


def _rows(table: str) -> Iterator[tuple[str, list[str]]]:
    for row in table.replace("\n", "|").split("|"):
        name, _, patterns = row.partition(":")
        if patterns.strip():
            yield name.strip(), patterns.split()


def _index() -> tuple[dict[str, Meaning], dict[str, Meaning]]:
    whole: dict[str, Meaning] = {}
    beginnings: dict[str, Meaning] = {}
    tables = [*_PARTS.items(), (Kind.PLACE, _PLACES), (Kind.CONTENT, _LANGUAGES), (Kind.CONTENT, _CONTENT)]
    for kind, table in tables:
        for name, patterns in _rows(table):
            for pattern in patterns:
                target = beginnings if pattern.endswith("*") else whole
                target.setdefault(pattern.rstrip("*"), Meaning(kind, name))
    return whole, beginnings


_WHOLE, _BEGINNINGS = _index()
_SHORTEST, _LONGEST = min(map(len, _BEGINNINGS)), max(map(len, _BEGINNINGS))
_STRONG = {pattern.rstrip("*") for _, patterns in _rows(_PARTS[Kind.STRONG]) for pattern in patterns}


@lru_cache(maxsize=20_000)
def meaning(word: str) -> Meaning:
    """What one folded word is: from the tables, else a word under its lemma."""
    word = word[:_LONGEST_WORD]
    if (known := _WHOLE.get(word)) is not None:
        return known
    dictionary_form = lemma(word)
    if (known := _WHOLE.get(dictionary_form)) is not None:
        return known
    for size in range(min(len(word), _LONGEST), _SHORTEST - 1, -1):
        if (known := _BEGINNINGS.get(word[:size])) is not None:
            return known
    return Meaning(Kind.WORD, dictionary_form)


@lru_cache(maxsize=20_000)
def is_strong(word: str) -> bool:
    """Whether a folded word raises the strength of what is said ("very", "обожнює")."""
    return any(word[:size] in _STRONG for size in range(5, len(word) + 1)) or word in _STRONG
