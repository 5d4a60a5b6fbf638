"""Words of everyday life that mean the same or nearly so, Ukrainian and English: what `related` reads beside its own.

General knowledge, one concept a line, dictionary forms; a line begins with the plainest words.
"""

from __future__ import annotations

_THINGS = """
dog hound pup puppy beagle dachshund labrador retriever собака пес такса вівчарка лабрадор пудель бігль хаскі
dog poodle terrier spaniel collie corgi husky shepherd bulldog собака пес такса вівчарка лабрадор пудель бігль хаскі
cat kitty kitten siamese кіт кішка котик кошеня
bird parrot pigeon crow птах папуга голуб ворона
horse pony cow pig goat sheep кінь корова свиня коза вівця
chicken hen rooster egg курка півень яйце
fish fishing carp pike риба рибалка короп щука
bee wasp hornet sting bite swarm beekeeper honey бджола оса шершень вкусити жалити пасічник пасіка мед
insect mosquito tick spider fly ant bug комаха комар кліщ павук муха мураха жук
mouse rat mole hedgehog миша щур кріт їжак
tree oak pine birch wood timber plank board lumber дерево дуб сосна береза дошка деревина
grass lawn mow weed hedge трава газон косити бур'ян
mushroom berry forage гриб ягода
vegetable veg courgette zucchini marrow pumpkin squash овоч кабачок гарбуз
vegetable carrot beetroot onion cabbage pepper cucumber овоч морква буряк цибуля капуста перець огірок
tomato potato помідор картопля бульба
potato mash pancake latke деруни картопля млинець
fruit apple pear plum cherry grape peach фрукт яблуко груша слива вишня виноград персик
lemon orange banana лимон апельсин банан
bread bun roll loaf toast bakery baker хліб булка батон пекарня пекар
pie cake tart pastry pudding пиріг торт тістечко
jam jar preserve pickle marmalade варення джем банка консервація закрутка
sugar salt spice sauce цукор сіль спеція соус
soup borscht borsch stew broth суп борщ юшка бульйон
barbecue bbq grill kebab shashlik marinade skewer шашлик мангал маринад гриль барбекю
meat beef pork lamb sausage ham м'ясо яловичина свинина ковбаса шинка
pasta rice porridge cereal макарон рис каша гречка
cheese butter cheddar yogurt kefir сир масло йогурт кефір
snack crisps chips nuts sandwich перекус чипси горіх бутерброд
juice water lemonade soda сік вода лимонад
whisky vodka rum gin cider ale віскі горілка ром сидр
plate bowl cup mug glass dish тарілка миска чашка кухоль склянка посуд
knife fork spoon pan pot kettle виделка ложка сковорода каструля чайник
fridge freezer oven stove microwave dishwasher холодильник морозилка духовка плита мікрохвильовка
washing laundry wash machine пральний прати прання
vacuum broom mop clean tidy пилосос віник прибирання прибирати чистий
trash garbage rubbish bin recycle waste сміття смітник
bed mattress pillow blanket sheet ліжко матрац подушка ковдра
sofa couch settee диван софа канапа
chair stool bench armchair стілець крісло лавка лава табурет
wardrobe closet shelf cupboard drawer cabinet шафа полиця комод тумба
lamp light bulb lantern torch flashlight лампа лампочка світильник ліхтар ліхтарик
mirror curtain carpet rug дзеркало штора килим
window door wall floor ceiling roof вікно двері стіна підлога стеля дах
roof roofing gutter shingle leak дах покрівля ринва шифер текти протікати
balcony porch veranda terrace deck балкон ґанок веранда тераса
basement cellar attic loft garage shed barn storage підвал погріб горище гараж сарай комора склад зберігати
fence gate паркан ворота хвіртка
lock padlock key code combination замок ключ код
stairs elevator lift сходи ліфт
heating heater radiator boiler stove fireplace опалення обігрівач батарея котел бойлер піч камін
electricity power electric light outage blackout current світло струм електрика електроенергія вимкнення
generator battery charger powerbank inverter генератор акумулятор павербанк інвертор
water pipe plumbing pump tap faucet well вода труба насос кран колодязь водопровід
drill screwdriver hammer wrench tool перфоратор дриль молоток пилка викрутка інструмент
nail screw bolt nut цвях шуруп болт гайка
ladder rope bucket shovel spade rake драбина мотузка відро лопата граблі
paint brush varnish фарба пензель лак
glue tape sticker клей скотч наліпка стікер
money cash coin note гроші готівка копійка
bank card account transfer банк картка рахунок переказ
fine penalty ticket штраф
tax insurance податок страховка страхування
debt loan owe borrow lend mortgage credit борг позика позичити кредит іпотека
discount sale bargain знижка акція
receipt invoice bill чек рахунок квитанція
refund return back повернути повернення
fundraiser collection donation збір банка скинутися скидатися донат внесок
grant application scheme fund council грант заявка фонд
document passport visa permit паспорт віза дозвіл документ
residence permit registration реєстрація
contract agreement deal договір угода контракт
letter parcel package post mail delivery лист пошта доставка
box bag suitcase backpack коробка сумка валіза рюкзак
tent sleeping stove rucksack намет спальник рюкзак
boot shoe trainers sneakers черевик чобіт кросівка взуття
coat jacket jumper sweater hoodie куртка пальто светр худі
shirt tshirt tee top футболка сорочка майка
trousers jeans shorts skirt штани джинси шорти спідниця
hat cap scarf glove sock шапка кепка шарф рукавичка шкарпетка
glasses watch ring necklace earring окуляри годинник перстень сережка
umbrella raincoat парасоля дощовик
toy doll puzzle іграшка лялька пазл
camera lens tripod камера об'єктив штатив
microscope telescope мікроскоп телескоп
television tv screen monitor телевізор екран монітор
keyboard mouse headphones speaker microphone клавіатура навушники колонка мікрофон
printer scanner print принтер друк друкувати
charger cable plug socket adapter кабель розетка
poster flyer banner leaflet афіша плакат листівка банер
logo design brand label логотип дизайн бренд марка етикетка фірма
brand make firm manufacturer company марка фірма виробник бренд
"""
_LIVING = """
car vehicle sedan hatchback wagon suv auto machine машина авто автомобіль тачка
tyre tire wheel rubber гума шина колесо
engine motor gearbox transmission clutch двигун мотор коробка зчеплення
garage mechanic service workshop сто сервіс механік майстер автосервіс
petrol gas diesel fuel бензин газ дизель пальне
park parking car lot паркування парковка стоянка припаркувати
bus coach minibus автобус маршрутка
tram trolleybus metro subway underground трамвай тролейбус метро
taxi cab uber таксі
plane flight airport airline boarding літак рейс аеропорт авіа
train railway carriage compartment station поїзд потяг електричка вагон купе вокзал
ticket booking reservation квиток бронь бронювання
bike bicycle cycle велосипед велик
scooter motorbike motorcycle самокат скутер мотоцикл
boat ship ferry kayak canoe човен корабель пором байдарка каяк
bridge footbridge crossing міст місток
border customs кордон митниця
visit guest host stay гість гостювати ночувати ночівля житло садиба зупинитися
visit accommodation sleep overnight night lodging гість гостювати ночувати ночівля житло садиба зупинитися
cottage cabin hut lodge house дача хатина котедж будиночок
island peninsula острів півострів
forest wood woods ліс гай
swamp field meadow поле луг болото
snow ice frost freeze сніг лід мороз замерзнути
wind storm thunder downpour shower flood вітер буря злива гроза повінь дощ
heat hot warm спека спекотний жарко теплий
cold cool chilly холодний холод зимно
weather forecast погода прогноз
doctor gp physician surgeon nurse hospital лікар терапевт хірург медсестра лікарня
vet veterinary veterinarian ветеринар ветклініка
dentist tooth стоматолог зуб
pharmacy chemist аптека
injection jab vaccine vaccination щеплення вакцина укол
infection inflammation virus bacteria інфекція запалення вірус
fever temperature cough cold flu sore температура гарячка кашель застуда грип
symptom sign rash redness swelling симптом ознака висип набряк
operation surgery операція
bandage plaster cast stitch пов'язка бинт гіпс шов
ankle leg foot knee нога коліно щиколотка
arm hand finger wrist elbow shoulder рука палець лікоть зап'ястя плече
back spine neck спина шия хребет
head headache brain голова мігрень мозок
eye ear nose throat око вухо ніс горло
heart blood pressure серце кров тиск
stomach belly живіт шлунок
skin hair haircut beard шкіра волосся стрижка борода
sprain twist break fracture dislocate підвернути зламати перелом вивих розтягнення
physio massage rehab фізіо масаж реабілітація
asthma diabetes allergy астма діабет алергія
glutenfree gluten nuts peanuts глютен арахіс горіх
pregnant baby newborn birth вагітний немовля народження малюк
funeral grave cemetery похорон могила кладовище
wedding ceremony reception весілля церемонія розпис
easter christmas holiday великдень різдво свято
newyear eve midnight новорічний новоріччя ялинка
church service priest mass blessing церква служба священник святити освячення
birthday anniversary jubilee party день народження ювілей
neighbour neighbor landlord landlady tenant сусід господар орендодавець
colleague boss employer employee workplace колега роботодавець працівник начальник
employer employers job company hire роботодавець робота
interview vacancy candidate співбесіда вакансія кандидат
shift schedule rota зміна графік розклад
holiday leave vacation break trip відпустка канікули поїздка
business trip conference відрядження конференція
degree diploma thesis graduation диплом дипломний захист випуск
exam test pass fail theory practical іспит тест скласти здати практика теорія
lesson lecture seminar class урок лекція семінар пара заняття
instructor coach trainer teacher інструктор тренер викладач
language english course мова англійський курс
homework assignment project завдання проєкт домашній
contest quiz competition olympiad конкурс вікторина олімпіада квіз
performance rehearsal show play stage виступ репетиція вистава сцена
actor actress director role актор режисер роль
choir orchestra band ensemble хор оркестр гурт ансамбль
costume props decoration костюм реквізит декорація
dance dancing dancer ballet salsa танець танцювати балет
yoga stretching pilates йога розтяжка
marathon race run забіг марафон
ski skiing snowboard skate skating rink лижі сноуборд ковзани каток ковзанка
swim pool sauna басейн плавати сауна
chess boardgame cards шахи настілка карта
volleyball basketball tennis волейбол баскетбол теніс
hall venue studio space rent зал приміщення студія оренда
museum tour guide excursion музей екскурсія гід
series season episode netflix серіал сезон серія
podcast radio channel подкаст радіо канал
book novel volume paperback page книга книжка роман сторінка
poem poetry poet вірш поезія поет
newspaper magazine article газета журнал стаття
joke fun laugh humour жарт сміх сміятися гумор
"""
_DOING = """
break smash crack shatter damage damaged розбити зламати тріснути тріснутий поламати пошкодити побити
lose missing disappear vanish загубити зникнути пропасти згубити
find turn spotted знайти знайтися
steal theft thief robbed вкрасти злодій крадіжка
carry haul lug lift move нести тягнути носити
take grab pick collect забрати взяти
give away donate free віддати подарувати безкоштовно дарма
sell selling продавати продати
swap exchange replace replacement замінити поміняти обмін заміна
throw dump викинути кинути
hide bury ховати сховати закопати
dig plant rake копати садити
feed food cater catering catered lunch годувати нагодувати їжа
eat devour gobble chew їсти з'їсти жерти
drink sip gulp пити випити
bake roast fry grill пекти смажити
mow cut trim prune косити різати стригти
clean wash scrub мити чистити
build construct assemble будувати збирати збудувати
install mount hang set ставити встановити повісити
fix mend repair sort лагодити полагодити ремонтувати чинити
paint draw decorate фарбувати малювати прикрасити
measure weigh size міряти важити розмір
count number amount quantity кількість рахувати число
arrive come reach приїхати прибути дістатися
leave depart departure set виїхати виїзд вирушати рушати відправлятися
return back come повернутися вернутися
move relocate moving переїхати переїзд переселитися
wait delay hold stop pause чекати затримка зупинити затягнутися призупинити
cancel call scrap скасувати відмінити
postpone reschedule shift push move перенести відкласти пересунути
agree settle decide arrange agreed домовитися вирішити узгодити погодити
vote poll голосувати голосування опитування
invite invitation запросити запрошення
join come along приєднатися
help assist lend hand допомогти підмога
look mind care babysit watch sit приглядати доглядати няньчити наглядати подбати
walk stroll hike гуляти прогулянка
sleep nap rest спати дрімати
wake get прокинутися вставати
ill sick unwell health захворіти хворий здоров'я
recover heal better видужати одужати
worry panic anxious concern хвилюватися переживати нервувати панікувати
argue quarrel fight row сваритися сварка посваритися
apologise sorry forgive вибачитися пробачити
thank grateful дякувати вдячний
congratulate congrats вітати привітати
complain moan скаржитися нарікати
praise compliment хвалити
warn warning careful застерегти попередити обережно
teach explain show вчити пояснити показати
learn study вивчити вчити навчитися
understand realise зрозуміти усвідомити
forget забути
remind reminder remember нагадати пам'ятати
search look hunt шукати пошук
check inspect test перевірити оглянути
choose pick select обрати вибрати
name title called назвати назва
invent idea come think propose придумати ідея вигадати запропонувати
suggest propose offer idea запропонувати пропонувати ідея
advise recommend tip suggest порадити радити порада
promise commit обіцяти пообіцяти
ring call phone telephone дзвонити подзвонити телефонувати
text message write писати написати повідомлення
send forward mail надіслати прислати відправити переслати
answer reply respond hear відповісти відповідь
inform announce notify tell повідомити оголосити сказати
sign signature підписати підпис
win prize виграти перемогти приз
fail flunk failed провалити завалити здати
earn profit заробити прибуток виручка
raise collect gather fundraise зібрати збирати назбирати
spend cost fee pay витратити заплатити віддати коштувати обійтися платити
save economy заощадити економити
price cost quid pound dollar euro hryvnia rate fee ціна коштувати гривня долар євро грн вартість тариф
rent let lease здавати винаймати
enough suffice вистачити досить
quit resign leave notice звільнитися піти
promotion raise bonus підвищення премія
grow raise height рости вирости
born origin native hometown народитися рідний родина
old age ages aged birthday вік старий
live reside жити мешкати проживати
"""
EVERYDAY = f"{_THINGS}{_LIVING}{_DOING}"
