"""Words that are in every talk and say nothing about one: dictionary forms, Ukrainian and English, alphabetical.

Function words, verbs and adverbs that pass for nouns, nouns as general as "time", greetings, thanks and laughter.
"""

from __future__ import annotations

_ENGLISH = """
able about above across actually after again against age ago agree ahead all almost alone along already also although
always amazing among and animal another answer any anybody anymore anyone anything anyway april area around article
ask attempt august away awesome awful back bad base be beat beautiful because become before begin behind believe below
best better between big bit bot both bottom boy brave bright brilliant bring bro btw bunch busy but buy bye call calm
can care case cause challenge challenging chance change channel chat check chill choice choose class clear close come
comment common company complete concept consider content cool copy cost could country couple course crazy create
current cut cute dark data date day deal december decide deep default detail difference different difficulty direction
discussion do doubt down dozen dream dude dumb each early easy edge effort eight either else emotional end enough
entire error even evening event ever every everybody everyone everything exact exactly example except excite exciting
expect expensive experience explain extra eye face fact fail fair familiar famous fantastic far fast favorite
favourite february feel few file fill final find fine first five fix folks follow for force form forward four free
fresh friday friend from front full fun funny further future general get girl give glad go god gonna good great ground
group guess guide guy guys haha hahaha half hand handle happen happy hard have he head healthy hear heart heavy hell
hello help her here hey hi high him his hold hole home honest hope hot hour house how however huge human hundred i
idea idk if image imo impact important in incredible info information inspire instead interest interested interesting
into issue it item its january job join july june just keep key kid kind know lack large last late later latter least
leave left less let level life light like limit line link list listen little live ll lmao load local lol long look
lose lot love lovely low luck mad main major majority make man manner many march mate matter may maybe mean meaning
mental mess message middle might million mind mine minor minute mistake modern moment monday money month more morning
most mouth move much must my name natural nature near necessary need negative never new news next nice night nine no
nobody none nor normal not note nothing november now number october of off often oh ok okay old omg on once one only
open opinion option or order original other our out outside over own page pain pair part passion past patch path
people perfect perhaps period person personal photo physical picture piece place plan play please plenty pls plus plz
point popular positive possible post power powerful present pressure pretty previous prob probably problem process
progress proper proud pull pure purpose push put quality question quick quiet quite random rare rather re read ready
real reality really reason reasonable recent regular rest result return rich rid right role room rule run sad safe
sake same saturday save say scary scene second section see seem sense sentence separate september series serious set
seven several shall sharp she short should show sick side sign silly similar simple since single sir site situation
six size slow small smart smooth so social soft solution some somebody someone something sometimes somewhere soon
sorry sort sound source space speak special specific spirit spot stage stand standard start state stay step still stop
story strange stress strong stuff stupid style success such sum sunday support sure surprise sweet system take talk
task team tell ten term text than thank thanks that the their them then theory there these they thing think this those
though thought thousand three through thursday thx time tip tired to today together tomorrow tonight too tool top
topic total touch tough toward town track trouble true truth try tuesday turn two type typical under understand unique
unit until up update us use useful useless user usual usually value variety ve version very via vibe video view voice
wait walk wanna want warm watch way we weak wednesday week weekend weird welcome well what whatever when where whether
which while who whole whom whose why wild will win wise wish with within without woman wonder wonderful word work
world worry worth would wow write wrong wtf yeah year yep yes yesterday yet you young your yours
"""
_UKRAINIAN = """
весь увесь усе усі усякий всякий
аби або абсолютно авжеж ага адже аж але ані ахах ахаха ахахах багато без березень близько бля блін бо бот брат був
бувай буде була було бути більш більше біля вам варто ваш вдома вересень вечір вже взагалі вибір виглядати вид видно
вихідний вихідні вона вони воно все всього всюди всі втім вчора вчорашнє вівторок від відео відомо відповідь відразу
він вісім вітання вітати гаразд година голова головне голосове гроші грудень група далі дарма два двадцять де дев'ять
день десь десяток десять деякий дитина для дно дні до добра добраніч добре добридень добрий доброранок довго додому
дома допомога досвід досить досі дочка друг друге друзі дуже думка дурня душа дяка дякувати дякую дійсно діло дім діти
жаль жах життя жовтень жінка з за завжди завтра загалом зазвичай зайвий замість запитання зараз засіб зате звідки
звісно здається зміна знову зовсім зокрема зразу зранку зрозуміло зручно зі його йому кайф канєшно капець квітень клас
кожен кожний коли колись конєшно користь коротше короч короче край крапка краще круто крім куди купа курва кілька
кінець лайк легко липень листопад лише лол любов люди людина лютий майже мало мама марно мати маю має мене менш менше
ми минуле мить мов мова могти може можливо можна мозок момент моя мій мільйон місце місяць навколо навіть навіщо над
надто назад назва нам напевне напевно наприклад напрямок наразі нарешті народ нас настрій наче наш нащо не невже
недавно недарма неділя нема немає немов неначе неправда нехай ним норм норма нормально ну ніби нібито ніколи ніс ніхто
ніч нічого ніяк об обоє один однак однаково одне одразу ой ок окей око окрім ось от отже ох оце п'ятниця п'ять па пара
перед перше питання план плз пліз по повністю повідомлення повільно поки покищо половина понеділок пора порада поряд
посилання пост потрібно потім походу початок правда правило практично при приблизно привіт привітання приклад причина
про проблема просто проте проти під підтримка пізно раз разом рано ранок раптом рахунок реально результат робота
розмова розуміння рот рука рівень різне різниця рік річ сам саме свого свій світ себе середа середина серпень серце
сестра сила син ситуація сказати складно скоро скільки слава слово слід смак смисл сон сотня спасибі спокійно спосіб
спочатку справа спс стан стати стаття сто сторона стосовно страх стільки субота супер суть сьогодні сюди сім сім'я
січень та так таки такий також там тато твій те тебе теж текст тема тепер терпіння ти тиждень тим типу тисяча то тобто
тобі того тоді тоже той тому топ точка точно травень треба третє три трохи туди тупо тут тіло тільки тіпа у увага угу
удвох ура ух учора фото фігня хай хата хах хаха хвилина хлопець хороший хотіти хоч хоча хрінь хто хіба це цей цілий
цілком ціна час частина часто чат чекати червень через четвер чи чим чого чоловік чому чорт чотири чуть шанс швидко
шкода штука шість щиро що щоб щодня щодо щойно щось як яка який якийсь якось якраз якщо ясно і ідея із ім'я інакше
інколи іноді інтерес інше інший
"""
_BEFORE_NOUNS = """
the a an my our your his her their its this that these those some any no another every each of about for with new
"""

COMMON = frozenset(_ENGLISH.split()) | frozenset(_UKRAINIAN.split())
DETERMINERS = frozenset(_BEFORE_NOUNS.split())
"""English words after which a noun is likely."""
