"""Several words that mean one thing together: `name: phrases`, words joined by `_`, a `*` after a beginning.

Articles are no part of a phrase: they are skipped in the text.
"""

# ruff: noqa: E501  (a list of words is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.facts.dedup.kinds import Kind

PHRASES = {
    Kind.CONTENT: """
boardgame: board_game* настільн*_ігр* настільн*_ігор настільн*_гр* | videogame: video_game* computer_game* відео_ігр* комп'ютерн*_ігр* комп'ютерн*_ігор комп'ютерн*_гр* | scifi: science_fiction sci_fi науков*_фантаст* | programmer: software_engineer* software_dev* it_specialist web_dev* | ai: artificial_intel* штучн*_інтелект*
voice: голосов*_повідом* voice_messag* voice_note* voice_memo* audio_messag* voice_msg* аудіо_повідом* | videonote: round_video* video_note* video_message* video_circle* відео_повідом* | birthday: день_народж* дня_народж* днем_народж* дні_народж* дата_народж* | offtopic: off_topic* | nightowl: night_owl* stays_up_late night_person late_riser evening_person нічн*_птах* нічн*_сов* пізно_ляга* пізня_пташк* | earlybird: early_bird* morning_person early_riser* morning_lark* wakes_up_early gets_up_early рання_пташк* ранкова_людина ранн*_птах* рано_вста* рано_прокида* встає_рано прокида*_рано
guinea_pig: guinea_pig* морськ*_свинк* | cousin: двоюрідн*_брат* двоюрідн*_сестр* | nephew: sister's_son brother's_son | niece: sister's_daughter brother's_daughter | mother_in_law: mother_in_law | father_in_law: father_in_law | sibling: brother*_or_sister* sister*_or_brother* brother*_and_sister* sister*_and_brother* брат*_і_сест* брат*_та_сест* брат*_чи_сест* брат*_й_сест* сест*_і_брат* сест*_та_брат* | grandmother: nana | partner: significant_other other_half друг*_половин*
-sibling: only_child only_son only_daughter єдин*_дитин* єдин*_син* єдин*_доньк* одна_в_батьків один_у_батьків | -animal_product: strictly_plant_based
-vegan: animal_product* product*_of_animal* anything_animal продукт*_тварин* тваринн*_продукт* тваринн*_їж* | vegan: plant_based рослинн*_харчуван* рослинн*_дієт* | vegetarian+-meat: meat_free без_м'яс* безм'ясн*
closed_space: enclosed_space* confined_space* tight_space* small_space* closed_space* замкнен*_прост* закрит*_прост* тісн*_прост* тісн*_приміщ* замкнут*_прост* | open_space: open_space* відкрит*_прост* crowded_place* | darkness: the_dark
myopia: short_sight* near_sight* погано_бачить_вдалину | hyperopia: far_sight* long_sight* | colorblind: color_blind* colour_blind* не_розрізняє_кольор* | lefthanded: left_hand* ліва_рука | righthanded: right_hand* права_рука | pregnant: expecting_baby expecting_child having_baby чека*_дитин* при_надії | gave_birth: gave_birth had_baby стала_мам* став_тат*
nightshift: night_shift* works_nights work_nights working_nights нічн*_змін* працю*_вночі працю*_ночами | -remote: work*_in_office from_office працю*_в_офіс* | remote: from_home work_home з_дому вдома_працю* працю*_вдома | programmer: writes_code write_code пише_код* пише_програм* | hairdresser: cuts_hair | mechanic: fixes_cars repairs_cars car_mechanic* auto_mechanic* ремонту*_авто лагод*_авто ремонту*_машин* лагод*_машин* | photography: takes_photos taking_photos take_photos | vet: treats_animal* лікує_тварин* | dentist: fixes_teeth treats_teeth лікує_зуб* | courier: delivers_food delivers_parcel* food_deliver* delivery_guy розвоз*_їж* розвоз*_посил* доставля*_їж* доставля*_посил* доставля*_замовл* | firefighter: гасить_пожеж* | architect: designs_buildings проєктує_будин* | carpenter: makes_furniture виготовля*_мебл* робить_мебл* | pet: домашн*_тварин* домашн*_улюблен* | redhead: red_hair* руд*_волос* red_head* | first_aid: first_aid перш*_допомог* | pilot: fl*_plane* fl*_airplane* пілоту*_літак* кермує_літак* | realtor: real_estate_agent* estate_agent* real_estate sells_houses нерухом* | accountant: веде_бухгалтер* | employed: found_job got_job знайш*_робот* | fulltime: full_time повн*_день повн*_ставк* повн*_зайнят* | parttime: part_time пів_ставк* неповн*_день неповн*_зайнят* | dayshift: day_shift* денн*_змін* | -gluten: gluten_free без_глютен* | -sugar: sugar_free without_sugar no_sugar без_цукр* | -dairy: dairy_free | lactose_intolerance: can't_digest_lactose lactose_intoler* lactose_free intoler*_to_lactose непереносим*_лактоз* не_переносить_лактоз* не_засвою*_лактоз* can't_have_dairy | sweets: sweet_tooth sweet_things любител*_солодк* | insomnia: can't_sleep cannot_sleep trouble_sleeping trouble_falling sleeps_badly не_може_засн* погано_спить не_спиться проблем*_зі_сном | selfemployed: self_employ* own_boss work*_for_herself work*_for_himself work*_for_themsel* own_business runs_business працю*_на_себе сам_на_себе сама_на_себе приватн*_підприєм* власн*_бізнес* свій_бізнес свою_справу власну_справу | unemployed: ніде_не_працю* out_of_work between_jobs without_job no_job looking_for_job шука*_робот* без_роботи | driving+taxi: uber_driver | driving+truck: long_haul trucker | army: armed_force* збройн*_сил* | cooking: line_cook | firefighter: fire_fighter fire_brigade | nurse: мед_сестр* | vet: animal_doctor | flight_attendant: flight_attendant* air_hostess стюардес* | security: security_guard* | seller: shop_assistant*
licence: driving_licen* driver's_licen* drivers_licen* водійськ*_прав* водійськ*_посвід* прав*_водія прав*_на_авто | driving_school: driving_school* автомобільн*_школ* | abroad: за_кордон* | apartment+rent: rented_flat | mother_tongue: mother_tongue native_lang* рідн*_мов* | english_c: native_level | degree: got_degree | series: tv_series tv_show* tv_serial* | pingpong: table_tennis ping_pong настільн*_теніс* | hike: mountain_walk* | horse_riding: horse_riding horseback_riding riding_horses ride*_horse* верхов*_їзд* кінн*_спорт* їзд*_верхи | roller: roller_skat* | iceskating: ice_skat* | dnd: dungeons_and_dragon* d_d d_and_d | gym: works_out work_out working_out lift*_weight* pump*_iron тренажерн*_зал* спортивн*_зал* ходить_в_зал ходить_у_зал в_качалк* | swim: пірна* | mushroom_picking: mushroom_pick* збира*_гриб* по_гриби mushroom_hunt* | running: go*_for_run* | bass_guitar: bass_guitar* бас_гітар* | fish+bass: bass_fish* | birdwatching: bird_watch* спостер*_за_птах* | books: book_worm | bookclub: book_club* reading_group* книжков*_клуб* книжн*_клуб* читацьк*_клуб* | movie: movie_night* film_night* film_evening кіно_вечір* вечір_кіно | secret_santa: secret_santa таємн*_миколай* таємн*_сант* | newyear: new_year* нов*_рік нов*_рок* | meeting: get_together gets_together getting_together meet_up meets_up зібра*_разом | quiz: pub_quiz* quiz_night* trivia_night* вечір_квіз* | coffee: flat_white | cleanup: clean_up
swearing: bad_languag* foul_languag* strong_languag* bad_word* dirty_word* curse_word* cuss_word* swear_word* f_word* погані_слова поганих_слів нецензурн*_лекс* нецензурн*_слов* брудн*_лайк* міцн*_слов* міцн*_слів* лихі_слова | ads: self_promo* commercial_post* commercial_message* sponsored_post* promotional_post* комерційн*_пост* комерційн*_допис* рекламн*_пост* рекламн*_допис* | nsfw: adult_content 18_plus explicit_content контент_18 дорослий_контент еротик* | caps: all_caps caps_lock capital_letter* великими_літер* капс_лок* верхн*_регістр* | insult: personal_attack* name_calling перех*_на_особист* | offtopic: not_on_topic не_по_темі поза_темою | spoiler: plot_reveal* | slowmode: slow_mode повільн*_режим* слоу_мод* | newcomer: new_member* new_people new_user* нов*_учасник* нов*_люд* | admin: only_admins | forward: forwarded_message* пересл*_повідом* | money: shared_fund* | treasurer: common_fund* chat_fund* | link: invite_link*
money_saving: save*_up saving_up put*_money_aside відклада*_гроші збира*_гроші збира*_на накопич*_на відклада*_на | lose_weight: lost_weight lose*_weight losing_weight drop*_weight скин*_вагу втрат*_вагу скин*_кілограм* | marathon: 42_km | half_marathon: half_marathon* пів_марафон* напівмарафон* | fiance: got_engaged | parents: mom_and_dad mum_and_dad mother_and_father мама_і_тато мати_й_батько мама_й_тато | allergy: allergic_reaction | licence: right_to_drive | icecream: ice_cream* | hotdog: hot_dog* | energy_drink: energy_drink* енергетичн*_напо* | sparkling: sparkling_water | tattoo: body_art | driving: behind_wheel за_кермом за_кермо | car: road_vehicle
""",
    Kind.PLACE: """
New York: new_york нью_йорк* | Kryvyi_Rih: kryvyi_rih крив*_р* | Bila_Tserkva: bila_tserkva біл*_церкв* | San Francisco: san_francisco сан_франциск* | Los Angeles: los_angeles лос_анджел* | Tel Aviv: tel_aviv тель_авів* | Frankivsk: ivano_frankivsk івано_франків* | Czechia: czech_republic | Britain: great_britain велик*_брит* united_kingdom | USA: united_states сполучен*_штат*
""",
    Kind.STOP: """
_: not_only не_тільк* не_лише set_for for_living by_profession by_trade for_years of_course in_general as_well на_ім'я by_name goes_by як_правило за_фахом за_професією at_all
""",
    Kind.NEGATION: """
no: no_longer no_more not_anymore not_any_more більше_не вже_не уже_не
""",
    Kind.GIVEN_UP: """
quit: gave_up give_up given_up giving_up giv*_up get_rid got_rid used_to instead_of rather_than кидає_пал* кидає_кур* no_longer_with
""",
    Kind.LOSS: """
lost: passed_away broke_up split_up broken_up break_up moved_out gave_away given_away fell_out shut_down no_longer_together went_bankrupt run_away ran_away їх_більше_нема більше_нема*
""",
    Kind.CHANGE: """
now: any_more took_over taken_over takes_over from_now as_of switched_to тепер_вже відтепер*
""",
    Kind.AGAINST: """
hate: can't_stand cannot_stand can't_bear cannot_bear не_терпи* терпіти_не* не_переносить не_зносить не_виносить | against: called_off call_off not_fan isn't_fan not_into not_like not_keen не_смаку* не_до_смак* не_заход* не_перетрав* get*_muted get*_kicked kick*_out throw*_out delet*_without off_limit* not_ok not_okay not_welcome not_tolerat* не_вітає* не_можна не_варто не_слід не_дозвол* не_треба should_not must_not may_not not_allow* not_permit*
""",
    Kind.FOR: """
for: big_fan huge_fan до_вподоб* до_смак* до_душ* crazy_about mad_about can't_live_without не_проти it's_ok it's_fine free_to
""",
    Kind.LEVEL: """
high: a_lot lot_of lots_of весь_час all_the_time all_time дуже_часто | low: once_in_while not_often не_часто не_дуже_часто time_to_time
""",
    Kind.DAY: """
anytime: any_time any_day будь_коли коли_завгодно у_будь_який_час в_будь_який_час будь_який_час
""",
    Kind.PERIOD: """
fortnightly: every_other every_second кожн*_друг* через_одну every_two_week* every_2_week* every_other_week* every_second_week* once_every_two_week* once_every_2_week* fortnight* bi_weekly раз_на_два_тижн* раз_у_два_тижн* раз_в_два_тижн* раз_на_2_тижн* кожн*_два_тижн* що_два_тижн* через_тиждень кожн*_2_тижн* кожен_другий_тиждень | weekly: once_week every_week each_week раз_на_тиж* раз_у_тиж* раз_в_тиж* кожен_тижд* кожного_тижн* кожні_тижд* | daily: every_day each_day every_morning every_evening every_night once_day кожен_день кожного_дня кожного_ранк* кожного_веч* раз_на_день раз_у_день раз_в_день | monthly: once_month every_month each_month раз_на_місяц* раз_у_місяц* раз_в_місяц* кожен_місяц* кожного_місяц* | yearly: once_year every_year each_year раз_на_рік раз_у_рік раз_в_рік кожного_рок* кожен_рік years_old | twice_weekly: twice_week two_times_week 2_times_week двічі_на_тижд* два_рази_на_тижд* 2_рази_на_тижд* | quarterly: every_three_month* every_3_month* every_quarter раз_на_квартал раз_на_три_міс* щокварт*
""",
}  # fmt: skip
