"""How rules are said: what is forbidden, and what everybody is to do, in both languages.

A row that forbids has the key "forbidden_topics", one that limits how much has "limit" and one that says when it is
quiet "quiet_hours" (a later one replaces them), one that says how things are to be done has "chat_rule". Whether the
words are about the chat at all is decided in `rules`.
"""

# ruff: noqa: E501  (a phrase is easier to read whole than broken at column 120)
from __future__ import annotations

from collections.abc import Iterator, Mapping

from shared.domain.reading.matching.rows import PatternRow, unique_names

_POST = """
    кидати кинути скидати скинути постити запостити писати публікувати розміщувати слати надсилати присилати пересилати
    викладати виставляти репостити форвардити поширювати приносити тягнути тягати обговорювати говорити сперечатися
    піднімати чіпати згадувати спамити флудити матюкатися матюкатись ображати рекламувати тегати капсити кричати
    торгуватися сваритися лаятися хамити офтопити тролити використовувати ставити зловживати зливати виносити скрінити
    продавати розводити переходити дзвонити лишати залишати питати видаляти дублювати коментувати влаштовувати вживати
    агітувати пропагувати клеїтися"""
_DO = """
    додавати додати вказувати вказати підписувати підписати позначати позначити маркувати ховати сховати прикріплювати
    зазначати зазначити представлятися представитися вимикати вимкнути користуватися скористатися перевіряти перевірити
    дотримуватися поважати читати прочитати прибирати прибрати відповідати переносити перенести переходити перейти
    шукати пошукати погоджувати узгоджувати попереджати попередити стежити вітатися знайомитися розповідати пояснювати
    використовувати починати зберігати тримати тримаємо ставитися формулювати уточнювати вимикаємо лишати залишати
    скидати кидати писати постити публікувати ставити надсилати питати запитувати обговорювати спілкуватися"""
_POST_EN = """
    post share send spam discuss talk tag mention dm pm forward drop link flood insult ping crosspost cross-post argue
    bring swear curse advertise promote use upload sell shout bully screenshot leak repost quote plug yell troll message
    record write spoil harass self-promote reply comment"""
_DO_EN = """
    use mark tag hide put wrap add include introduce label credit cite ask search read check respect stay keep mute
    report post share write reply vote blur follow remember =be describe state give provide move take google write send
    link edit translate warn leave move"""


def _verbs(words: str, *persons: str) -> str:
    return " ".join(f"{verb}#{person}" for verb in words.split() for person in persons)


_LISTS = {
    "idle": """
        проблема питання сила шанс сумнів ідея бажання план поняття раз день людина слово секунда сенс жарт світло гроші
        гріш коментар зміна різниця цукор варіант мене тебе вас нього неї них нас настрій робот =того =цього зайвий нерв
        час вибір новина користь зв'язок інтернет кава паніка відповідь реакція сніг дощ виняток поспіх образа
        кінець я попередження розмова пояснення причина зайвий варіант жаль наслідок перерва запрошення
        лишній стук черга""",
    "idle_we": _verbs(
        """
        знати розуміти бачити бути спати жити працювати чути мати хотіти любити могти їсти пити стояти сидіти боятися
        думати пам'ятати забувати здаватися встигати плакати вміти чекати поспішати шкодувати сумувати скаржитися
        скучати сумніватися мерзнути розслаблятися нудьгувати старіти""",
        "we",
    ),
    "idle_en": """
        idea problem worry way thank thanks rush kid kidding clue one matter need doubt reason offence offense comment
        pressure luck time big long longer wonder chance good point excuse regret joke biggie shame objection surprise
        hurry cap energy signal power internet sleep two exception prob it i we you that this not wait sir mate man
        lie answer sign news hard harm money choice not what use such stress thing bro dude he she they""",
    "account": """
        людина бот користувач акаунт акаунтів профіль анонім* новенький заявка учасник посередник продавець перекупник
        ріелтор рекламник фейк закупівельник порожній замовник дилер хлопець чоловік дівчина неповнолітній""",
    "let_in": _verbs(
        "пускати приймати додавати апрувити підтверджувати схвалювати впускати пропускати тримати", "i", "we"
    ),
    "here": "тут сюди =чаті =чат у в група групі =групі наш цей більше тепер суворо строго категорично взагалі загалом",
    "post": _verbs(_POST, "we", "imp"),
    "post_we": _verbs(_POST, "we"),
    "custom_we": _verbs(
        f"{_POST} {_DO} вітати відправляти казати давати допомагати скидатися ігнорувати мовчати перенаправляти радити",
        "we",
    ),
    "posting": _verbs(_POST, "inf"),
    "poster": _verbs(_POST, "he", "they"),
    "doer": _verbs(f"{_POST} {_DO}", "he"),
    "do": _verbs(_DO, "we", "imp"),
    "do_we": _verbs(_DO, "we"),
    "doing": _verbs(_DO, "inf"),
    "post_en": _POST_EN,
    "do_en": _DO_EN,
    "ban": "бан мут кік бану муту видалення попередження банити забанити мутити баню мучу =видаляю видаляти#we вилетіти вилітати летіти кікати штраф виганяти#i виганяти#we =вижену викидати#i викидати#we =викину стерти#i =зітру",
    "ban_en": "ban banned mute muted kick kicked remove removed delete deleted timeout",
    "thread": "гілка гілці гілку тред топік тема канал чат розділ",
    "thread_en": "thread channel topic subforum dm dms section",
    "of_chat": "чат група спільнота канал chat group channel server",
    "day": """
        понеділок вівторок середа четвер п'ятниця субота неділя вихідні вихідний
        monday tuesday wednesday thursday friday saturday sunday weekend""",
    "insist": """
        обов'язково завжди прохання прошу просити#we просьба ласка плз пліз усі всі кожний кожен новенький відтепер
        спершу спочатку нагадувати#i нагадувати#we нагадування шановний новачок друзі учасник адміністрація""",
    "insist_en": """
        please pls plz kindly always everyone everybody reminder remember first newcomer newcomers newbie folks
        ensure must""",
    "ahead": "перед before prior",
    "month": """
        січень лютий =лютого березень квітень травень червень липень серпень вересень жовтень листопад =листопада грудень
        january february march april may june july august september october november december""",
    "number": """
        #num один два три чотири п'ять шість сім вісім десять двох трьох чотирьох п'яти дві одна одне двоє =раз
        one two three four five six seven eight ten twice once""",
}
LISTS: Mapping[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _LISTS.items()}
"""Named lists that the phrases share as `@name`."""


def _rows(key: str, *rows: tuple[str, tuple[str, ...], str, str]) -> Iterator[PatternRow]:
    for name, phrases, hit, miss in rows:
        yield PatternRow(
            name=name, lang="uk", category="rule", key=key, confidence=0.92, hit=hit, miss=miss, phrases=phrases
        )


_FORBIDDEN = _rows(
    "forbidden_topics",
    ("none_at_all", ("ніякий|жодний|жоден !@idle <what>", "ніколи не @post|@posting <what>"), "Нагадую: ніякої політики в чаті!", "жодних питань, все тут ясно"),
    ("without", ("без !@idle <what: (!не _){1,8} $>",), "Без спойлерів!", "сьогодні без настрою, пише бот"),
    ("is_forbidden", (
        "<what: _{1,8}> (заборонений|заборонено|недопустимий|неприпустимий|табу|зась / під забороною / поза законом)",
        "<what: _{1,8}> не дозволений|дозволено|дозволяти|дозволятися|допускатися|вітати|вітатися|приймати#we|приймаються|толерувати#we",
        "<what: _{1,8}> банити#we|мутити#we|банити#i|мутити#i|=баню|=мучу|=видаляю|=видаляємо|=прибираю|=чищу",
    ), "матюки в чаті заборонені", "а тут не забороняють нічого"),
    ("forbids", (
        "заборонятися|заборонено|забороняти#we|забороняти#i|заборонити|заборонена|заборонений|забанити|неможна|уникати#we|уникати#imp|утримуватися|утриматися|утримуємось|прибирати#we|припиняти#we|припинити#imp @here* (від)? (@here|@posting)* <what>",
        "не можна|дозволятися|дозволено|вітатися|варто @here* @posting+ <what>",
        "не можна @here* !=так|=це <what>",
        "табу|заборона|мораторій на <what>",
        "досить|годі|стоп @here* @posting <what>",
    ), "Забороняється реклама в групі", "не можна так з людьми"),
    ("one_may_not", ("<what: _{1,6}> не можна|неможна|треба|варто|прийнято @here* (@posting)? $",), "меми тут не можна", "тебе не варто чекати"),
    ("we_all_do_not", ("<what: _{1,8}> не @post_we", "<what: _{1,6}> (тут|сюди|=чаті|=чат) (_)? не !@idle_we #we", "<what: (_){0,3} @account (_){0,4}> (я|ми)? (у|в|до|сюди|=чат|групу|групи|тут){0,3} не @let_in"), "машинні переклади на розбір не приносимо", "хліба качкам сьогодні не кидаємо"),
    ("we_do_not", (
        "<what: _{1,8}> не @post",
        "<what: _{1,8}> не @poster $",
        "не @post|@posting @here* (про / у / в / на)? (!=мене|нас|його|її|йому <what> / $)",
        "ніхто _{0,2} не @poster <what>",
        "(прохання|просьба|прошу|просити#we|ласка|плз|пліз) ,? _{0,3} не #inf|#imp <what>",
    ), "не флудимо в гілці з оголошеннями", "не пишемо мені листів, бо нікому"),
    ("sanctioned", (
        "<what: _{1,8}> (бути|будуть|буде) видалятися|видалятись|видалені|видалено|забанені|забанений|банитися|банитись",
        "<what: _{1,3}> =бан|=мут|=кік $",
        "за <what: _{1,6}> –? (одразу|відразу|буде|отримати|автоматичний|у|в|–|можна|отримувати|даю|дамо|тут)* @ban",
        "<what: _{1,6}> – (одразу|це|відразу|автоматичний|у|в|вічний|назавжди)* @ban",
        "хто <what: _{1,8}> ,? –? (той|тому|та)? (одразу|відразу|отримати|отримувати|буде|у|в|летіти|йти|на)* @ban",
    ), "Друзі, за спойлери бан на добу", "за бан я б не переживав"),
    ("no_thing", ("no more? !@idle_en <what>", "(zero / нульовий) (tolerance|терпимість|толерантність) (for|of|to|on|towards|toward|when|до|щодо|для) <what>", "zero !@idle_en|tolerance <what>", "nobody|no-one|noone _? @post_en <what>"), "no politics please", "no idea, nobody here knows"),
    ("is_not_allowed", (
        "<what: _{1,8}> be (strictly|absolutely|now|still|also|definitely|no|longer|just)* (not (ok|okay|allow|allowed|permitted|permit|welcome|tolerated|tolerate|cool|acceptable) / ban|banned|forbidden|forbid|prohibited|prohibit|off-limits|unwelcome|disallowed / off limits)",
        "<what: _{1,8}> not (allowed|permitted|welcome|tolerated)",
    ), "politics is not allowed here", "the shop is not open here"),
    ("do_not", (
        "(do not / never / please not / stop|quit|avoid / refrain from / let us not|stop|avoid) (@post_en) (about|up|in|here)* (!me|him|her|us|that|it|them <what> / $)",
        "we do not (allow|tolerate|permit|accept|do|want|@post_en) <what>",
        "leave <what: _{1,5}> (at the door / outside / out of)",
        "keep <what: _{1,6}> (out / off / away) of|from? (it|here|this|the|our)",
        "(we|mods|admins) (will)? (ban|mute|kick|delete) <what>",
    ), "please don't post memes in the main thread", "don't talk to me before coffee"),
    ("ban_on", ("(do not / avoid|stop|ban|forbid|prohibit|disallow|cut / let us ban|drop / enough with / ease off / ban on) (the|all|any)? <what>",), "please stop the spam here", "stop the car here"),
    ("punished", (
        "(ban|banned|mute|muted|kick|kicked|warning) for <what: _{1,8}>",
        "<what: (!got|get|gets|after|for|have|had|served|serving|took|earned|like _){1,6}> (–|,)? (an|a|is|be|mean|means|one|two|three|#num|instant|automatic|permanent|lifetime)+ (hour|day|week|month|year)? (ban|mute|timeout|kick) $",
        "<what: _{1,7}> (will|be|mean|get|gets|equal|result|in|you|=|–|a|an|instant|automatic|and|then){1,5} @ban_en",
        "any <what: _{1,5}> (and|,)? you be (out|ban|banned|gone|mute|muted|kicked)",
        "i|we|mods|admins (will)? (ban|mute|kick|remove|delete) (anyone|everyone|all|any|whoever|people|every) <what>",
        "(whoever / anyone|anybody|everyone who|that?) <what: _{1,8}> ,? (be|get|gets|will|a|an|instant|straight|permanent|permanently)* @ban_en",
    ), "anyone posting referral links gets banned", "the ban was lifted here"),
)  # fmt: skip
_LIMITS = _rows(
    "limit",
    ("at_most", (
        "(не (більше|частіше|довше|довший|більший) / максимум|ліміт|щонайбільше|обмеження / до) _{0,5} @number <what: _{0,5}> (на|в|у|за|від)? (день|тиждень|людина|доба|місяць|пост|повідомлення|людину|хвилина|година|учасник|рік)",
        "(не (більше|частіше|довше|довший|більший) / максимум|ліміт) <what: _{0,3} @number _{0,3}>",
        "@number <what: _{1,5}> на (день|тиждень|людина|доба|місяць|учасник) ,? (–|максимум / і все / не більше)",
        "@number <what: (оголошення|пост|допис|реклама|фото|відео|повідомлення|запис|стікер|мем|лот) _{0,3}> (на|у|в|за) (день|тиждень|доба|місяць)",
        "<what: _{1,4}> раз на (день|тиждень|доба|місяць|рік) ,? (–|максимум|не|і)",
    ), "Ліміт тут три фото на день", "до моря звідси три години на день"),
    ("at_most_en", (
        "(limit|max|maximum|cap / up to / no|not more|longer than / at most / only / under|below) (be|of|is|:|,|to|a|the)* @number <what: _{0,5}> (per|a|each|every) (person|day|week|member|post|month|hour|user|head|message)",
        "@number <what: _{1,4}> (per|each|every|a) (person|day|week|member|month|user|head) (please|max|maximum|only|per|a|limit|each)",
        "(limit|max|maximum) (be|is|of|:|,)* @number <what: _{1,4}>",
        "@number <what: (ad|ads|post|posts|listing|listings|promo|photo|photos|pic|pics|meme|memes|link|links|video|videos) _{0,2}> (per|a|each|every) (person|day|week|member|month|user|head)",
        "keep <what: _{1,5}> (under|below|short|shorter|to) _{1,4}",
    ), "Limit is three photos a day per person please", "up to three people a day visit me here"),
)  # fmt: skip
_QUIET = _rows(
    "quiet_hours",
    ("quiet", (
        "<what: тиша|тихо (у чаті)? (з|після|від) #num _{0,4}>",
        "після|до|з|о #num <what: _{0,6} (тиша|тихо|мовчати#we|тихий|ніякий|жодний|без / не @post|@posting)>",
        "<what: (режим|година|період) (тиша|тиші|мовчання)>",
        "<what: тихий година|години|час>",
        "<what: quiet hour|hours|time>",
        "<what: (no|not) _{1,3} (after|before|between) #num>",
        "(after|before|from) #num (pm|am)? _{0,2} (it be|we keep)? <what: quiet|silence|silent>",
    ), "після 23 у чаті тиша", "після 23 я вже сплю"),
)  # fmt: skip
_ORDERED = _rows(
    "chat_rule",
    ("stated", (
        "rule ,? (same|as) _{0,2} (ever|always|usual|before) ,|– <what>",
        "правило ,? (той|те|таке|як)? (самий|саме|і|й|же|завжди|раніше)+ ,|– <what>",
        "(новий|головний|основний|важливий|єдиний|наш|оновлення)? правило (чат|чату|група|групи|один|просте|простий|номер|таке|такий|у|нас|тут|#num|перше|№|змінюватися|змінилося|зараз|оновлений){0,4} ,|– <what>",
        "(new|our|the|first|main|house|chat|group|golden|only|basic)? rule (proposal|here|change|update|in|of|this|the|our|chat|group|number|#num|be|that|simple|one){0,5} ,|–|be !same|as <what>",
        "домовитися|домовились|домовилися|вирішено|ухвалили|постановили , !що <what: _{0,10}>",
        "(відсьогодні|відтепер|віднині) (ніхто|без|ніякий|жодний|тільки|лише|більше|тут|у|в|нас|=чаті|всі|усі|кожний){1,4} <what: _{1,10}>",
        "<what: (ніхто|всі|усі|тільки|більше|кожний|ніяких) _{2,10}> , (я|ми|адміни)? (так|вже)? (вирішити#past|вирішити#pastpl|постановити#past)",
        "(shall we say / let us agree / can we agree / shall we agree / how about we agree) (on|that|to)? ,? <what: _{2,12}>",
    ), "Нове правило: хто останній, той п'є чай", "правила гри такі: кидаєш кубик"),
    ("through_admin", (
        "<what: (!it|this|that|he|she|they _){1,5}> (has|have|need|needs|must|should|to|got|be|will|can|only|first|always|strictly)* (go|goes|come|run|cleared|approved|checked|agreed|okayed|signed|vetted|ok'd) (off|up)? (past|through|by|via|with) (an|a|the)? (=me|us|admin|admins|mods|mod|moderators|moderator)",
        "(please|pls|always|kindly) run|clear|check <what: _{1,5}> (past|with|by) (an|a|the)? =me|us|admin|admins|mods|mod|moderators|moderator",
        "(check|clear|ask|run|agree) (it|this|that|them|everything|anything)? (with|past|by)? (an|a|the)? (=me|us|admin|admins|mods|mod|moderators|moderator) (first)? before <what>",
        "<what: _{1,6}> (тільки|лише|виключно|йти|йде|йдуть|іде|проходить|проходять|робити#we|робимо|–)+ (через|з|після|за) (=мене|мною|згода|дозвіл|дозволом|адмін|адміна|адмінів|модератор|модератора|модераторів|нас)",
        "<what: (усі|всі|кожний|будь-які|будь-який) _{1,5}> (через / з дозволу) (=мене|адмін|адміна|адмінів|модератор|модератора|модераторів)",
        "<what: _{1,6}> (спершу|спочатку|попередньо|завжди|обов'язково)* погодж*|узгод*|погодити|обговорювати#we|обговорювати#imp (зі|з|із) (мною|адмін|адміном|адмінами|модератор|модератором|модераторами|нами)",
        "<what: _{1,6}> (спершу|спочатку|попередньо) показувати#imp|показувати#we|надсилати#imp|слати#imp|скидати#imp|показати#imp =мені|адмін|адміну|модератор",
    ), "invites go through me", "it goes through me like a knife"),
    ("only_there", (
        "<what: _{1,8}> (тепер|у|нас|–|@post|дозволений|дозволено|можна|кидати|строго)* тільки|лише|виключно|строго (в|у|на|після|до|через|за|по|під|з|із|від|для|якщо|коли) <where: _{1,6}>",
        "<what: _{1,8}> – тільки|лише|виключно <where: _{1,5}>",
        "тільки|лише адмін|адміни|адмінам|модератори|модератор (можуть|може|мають|має)? <what>",
        "<what: _{1,6}> (можуть|може|мають) тільки|лише адмін|адміни|модератори|модератор",
        "only|just admin|admins|mods|moderators (can|may|get) <what>",
        "@post|@do|дозволено тільки|лише|виключно <what>",
        "тільки|лише|виключно (в|у|на|після|по|через) <where: _{1,4}> (@post|можна|дозволено) <what>",
        "<what: _{1,6}> – (по|у|в) @day $",
    ), "продаж тут тільки по середах", "я тут тільки на хвилинку"),
    ("everybody_must", (
        "усі|всі|кожний|кожен|новенький|новенькі|учасник|кожна|пост|оголошення|фото|повідомлення _{0,3} (повинний|повинен|мусити|зобов'язаний|обов'язково / мати|мають|має #inf) <what>",
        "усі|всі|кожний|кожен ,? хто _{1,5} ,? (повинний|повинен|мусити|мати|мають|має|обов'язково) <what>",
        "everyone|everybody|member|members|newcomers|newcomer|post|posts|photo|photos|link|links|admin|ad|ads|offers|listing|listings|message|messages (must / have to / need to|a|an|the / should / be required to|expected) <what>",
        "you|we (must / be required|expected|asked to / have to) <what>",
        "(must|mandatory|required|compulsory|обов'язковий|обов'язкова|обов'язкові) <what: (тег|хештег|підпис|джерело|tag|source|intro|hashtag) _{0,4}>",
    ), "усі новенькі мають представитись у чаті", "усі мають рацію"),
    ("place", (
        "<what: _{1,7}> (–|у|нас|тепер|йти|ідуть|йдуть|переносити#we|@post|тільки|лише|всі|усі)* (в|у|до) (окремий|спеціальний|відповідний|свій|інший|тематичний|сусідній) @thread",
        "<what: _{1,7}> (– / тепер|йдуть|йде|@post|тільки|лише|переносити#we){1,3} (в|у|до) _{0,1} (гілка|гілці|гілку|тред|топік|тема|розділ)",
        "(для) <what: _{1,5}> (є|у нас|існує|створили|маємо|заведено|–)* (окремий|спеціальний) @thread",
        "<what: _{1,7}> (must|should|can|please|only|strictly|now|all)* (go|belong|stay|live|move) (only|strictly)? (in|to|into|under|inside) _{0,4} (thread|channel|topic|#*|dms|dm|section)",
        "keep|post|put|take|move|send <what: _{1,7}> (in|to|into|inside|under|behind) (the|its|their|your|a|an|our|_)? _{0,2} (thread|channel|topic|#*|dms|dm|section|spoiler|spoilers|english|ukrainian|private)",
        "<what: _{1,7}> (must|should|always|please|only|all|strictly|be)* (go|stay|post|posted)? (behind|under|inside) (a|an|the)? _{0,1} (blur|spoiler|spoilers|cut|cover|tag|warning|veil|tags)",
        "<what: _{1,7}> (тільки|лише|завжди|ховати#we|@post|–|йдуть|йде)+ (під|за) (спойлер|блюр|кат|спойлером|блюром|катом|приховане)",
        "<what: _{1,6}> – to|in|into|goes? _{0,2} (thread|channel|topic|#*|dms)",
        "<what: _{1,6}> (stay|stays|лишатися|лишається|залишається|залишатися) (in|within|у|в) (the|this|our|цей|нашому|наш|цьому|межа|межах)? (chat|group|here|чат|чаті|група|групі)",
    ), "всі питання — в окрему гілку", "я вже був у тій темі"),
    ("read_first", (
        "@do|читати|прочитати|прочитайте|гляньте|погляньте|зазирніть (в|у|наш|спершу|спочатку|весь)* <what: (закріп*|правила|правило|пошук|пошуком|гугл|faq|закріплене) _{0,4}>",
        "(read|check|search|see) (the|our|_)? <what: (pin|pinned|rule|rules|faq|wiki|search|archive|history) _{0,4}>",
        "(use|try) (the)? <what: search _{0,4}>",
        "<what: (спершу|спочатку) _{1,4} ,? а? (потім|тоді) _{1,5}>",
        "<what: first _{1,4} ,? then _{1,6}>",
    ), "спершу читаємо закріп", "читаємо казки малому"),
    ("how_to_behave", (
        "keep <what: _{1,4} (pg|civil|polite|friendly|clean|kind|on-topic|sfw|respectful|family-friendly|short|legal|constructive|tidy / on topic)>",
        "(be|stay) <what: (kind|nice|civil|respectful|polite|on-topic|friendly / on topic) (to|with|in|here|even|and|when|about|or|at) _{1,6}>",
        "(please|pls|always|everyone|everybody)+ ,? (be|stay) <what: kind|nice|civil|respectful|polite|on-topic|friendly>",
        "stay <what: civil|polite|respectful|on-topic>",
        "english|ukrainian only",
        "<what: _{1,3}> only (in|on|after|before|here|inside|via|during|if|with|please|between)",
        "<what: _{1,4}> be (allowed|ok|fine|permitted)? (on|at)? @day only",
        "(only|just) <what: _{1,4}> (allowed|please / in here|this / be allowed)",
        "<what: _{1,6}> (has|have|need|needs|needed|require|requires|required) (a|to|an|the) (tag|tags|source|caption|approval|permission|title|warning|hashtag|label) ",
        "(поважати|дотримуватися|поводитися|шанувати)#imp <what>",
    ), "keep it PG please", "keep it for yourself please"),
    ("insisted", (
        "@insist ,? _{0,4} ,? _{0,2} <what: @do|@post _{0,10}>",
        "хто <what: @doer|@poster|скине|кине|постить|скидає _{1,4} ,|– (той|тоді)? ,? @doer>",
        "(прохання|прошу|просити#we|просьба|треба|слід|варто|обов'язково) ,? _{0,2} <what: @doing|@posting _{1,10}>",
        "<what: @do|@post _{0,5}> (обов'язково|ласка|завжди) _{0,5}",
        "<what: @do|@post> перед|спершу|спочатку _{1,5}",
        "перед тим ,? як #inf _{0,4} ,? –? <what: @do|@doing _{1,8}>",
        "if you _{1,6} ,? (please|then)? <what: @do_en !=my|me|him|her|it|out _{1,9}>",
        "якщо|хто _{1,5} ,? (то|будь|ласка|обов'язково|,)* <what: @do _{1,9}>",
        "@insist_en ,? (do|to|make|sure|that|you|@insist_en)* <what: @do_en !=my|me|him|her|it|out _{1,9}>",
        "<what: @do_en !my|me|out _{0,5}> (before / after|when) (you)? (post*|share|sharing|join|ask|asking|send|sending|upload*|comment*)",
        "<what: @do_en !my|me|him|her|it|out|this _{1,8}> please|pls|plz|thanks",
        "<what: use|mark|tag|hide|put|wrap _{0,3} (spoiler|spoilers|thread|threads|tag|tags|cw|hashtag|hashtags|nsfw / content warning) _{0,4}>",
        "<what: (spoiler|spoilers|photo|photos|video|videos|link|links) (be|go|must|should)* (behind|under|with) _{1,4}>",
        "<what: _{0,3} (спойлер|фото|відео|лінк|посилання|скрін|ціна|джерело) _{0,2} @do _{1,4}>",
    ), "прохання підписувати фото", "прошу, не хвилюйся за мене"),
    ("announced", (
        "(з|від|зі|із / починаючи з) (@day|=понеділка|=завтра|=сьогодні|завтрашній|сьогоднішній|наступний|цей|нинішній / #num @month|числа / нового) _{0,4} <what: (переходити#we|перейти#we|вводити#we|запроваджувати#we|діяти#he|@post|@do|ніхто|всі|усі|кожний|кожен|новий|тільки|лише) _{1,12}>",
        "відтепер|надалі _{0,4} <what: (переходити#we|перейти#we|вводити#we|@post|@do|ніхто|усі|всі|кожний|кожен|тільки|лише|можна|заборонено|дозволено) _{0,12}>",
        "(starting|effective|beginning|from / as of|from) (on|today|tomorrow|next|this|@day|@month|#num|week|month|now){1,3} ,? <what: (we|all|every|everyone|only|no|please|posts|you|each|photos|links|anyone|members|@post_en) _{2,12}>",
        "(we|i) be (now)? (introduce|introducing|change|changing|enforce|enforcing|enable|enabling|switch|switching|turning|trial|trialling|trialing) <what>",
    ), "З понеділка переходимо на хештеги, пишемо їх у кожному пості", "з понеділка я у відпустці, не пишіть"),
    ("permitted", (
        "тепер|відтепер (тут|у|в|нас|чаті|всім|знову)* можна|дозволено|дозволяємо|дозволяється <what>",
        "<what: _{1,6}> (тепер|знову|відсьогодні)+ (можна|дозволено|дозволений)",
        "(you|we|everyone|members|people) (can / may / be allowed to) now|again <what>",
        "(now|again) (you|we|everyone|members) can|may <what>",
        "дозволяти#we|дозволяти#i|дозволяється (тут|у|в|нас|=чаті|всім|знову|тепер|вже){0,4} <what>",
        "<what: (!не _){1,6}> (тут|у|в|нас|=чаті|чат|знову|тепер|вже){0,4} дозволений|дозволено|дозволяти#we|дозволяється",
        "(you|we|everyone|members|people) (now|again)? (can|may / be allowed to) (now|again)? @post_en <what>",
        "(we|i) (now)? allow <what>",
        "<what: _{1,6}> be (now|again) (allowed|ok|okay|fine|permitted|welcome)",
        "<what: _{1,6}> be (allowed|ok|okay|fine|permitted) (now|again|here|on|only|as|if)",
    ), "тепер тут можна голосові", "тепер можна й поспати"),
)  # fmt: skip

RULES = unique_names([*_FORBIDDEN, *_LIMITS, *_QUIET, *_ORDERED])
"""Rows in the order in which they are tried; the language of a row says nothing, phrases of both stand together."""
