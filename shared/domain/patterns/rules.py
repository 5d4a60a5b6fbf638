"""Rules of the chat: what is forbidden, where things belong, which language is spoken.

A "no" alone is no rule ("no idea", "без питань"): a clause must name a thing that chats regulate, or the message must
say that it lays down a rule.
"""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re

from shared.domain.language import Language
from shared.domain.patterns import guards, terms
from shared.domain.patterns.clauses import hard_clauses, language_of
from shared.domain.patterns.rows import clip, compiled, label, trim, value_of

FORBIDS = (
    # Ukrainian
    r"<b>(?:більше )?(?:ніяк(?:ої|их|ого|і|ий)|жодн(?:ої|их|ого|і|ий)) (?!проблем|питан|сил|шанс|сумнів|ідей|бажан|план|поняття|разу|дня|людин|слова|секунд)<what>",
    r"<b>без (?!питан|проблем|сумнів|мене|тебе|вас|нього|неї|них|нас|настрою|світла|понят|слів|робот|грошей|коментар|змін|різниц|цукр|зайв|варіант|шансів|того|цього|жарт|вас)<what>",
    r"<b>(?P<what>[\w@][\w ,'@/+-]{2,60}?)(?: у нас| тут| в чаті| у чаті| суворо| строго| категорично| сюди| тепер){0,3} (?:заборонен\w+|під забороною|не допуска\w+|не дозволен\w+|не дозволя\w+|не вітаєт\w+|не вітають\w+|недопустим\w+|неприпустим\w+|зась)<e>",
    r"<b>(?:забороня(?:ється|ються|ємо|ю)|заборонено|заборонити|забанити|не дозволяється|не дозволено|не можна|неможна|не вітається|не вітаються|припиніть|припиняємо|досить|годі|стоп|утримуйтесь від|утримуйтеся від|утримайтесь від|утримуємось від|уникаємо|уникайте|прибираємо|прибрати|табу на|заборона на) (?:тут |в чаті |у чаті |сюди |кидати |постити |писати |обговорювати |публікувати |розміщувати |про )*<what>",
    r"<b>(?P<what>[\w@][\w ,'@/+-]{2,50}?)(?: тут| в чаті| у чаті| сюди){0,2} (?:не можна|неможна|не треба|не варто|не прийма\w+)(?: \w+)?$",
    r"<b>(?P<what>[\w@][\w ,'@/+-]{2,60}?)(?: сюди| тут| в чат| у чат| в чаті| у чаті| більше){0,3} не (?:кидаємо|кидайте|постимо|постіть|пишемо|пишіть|обговорюємо|обговорюйте|публікуємо|публікуйте|розміщуємо|розміщуйте|шлемо|шліть|надсилаємо|надсилайте|скидаємо|скидайте|піднімаємо|піднімайте|використовуємо|використовуйте|пересилаємо|викладаємо|викладайте|чіпаємо|виносимо|виносьте|зливаємо|зливайте|поширюємо|поширюйте|тегаємо|тегайте)<e>",
    r"<b>не (?:кидаємо|кидайте|кидати|постимо|постіть|постити|пишемо(?: про)?|пишіть(?: про)?|обговорюємо|обговорюйте|обговорювати|публікуйте|публікуємо|шліть|шлемо|надсилайте|скидайте|використовуйте|використовуємо|тегайте|тегаємо|розводьте|розводимо|переходимо на|переходьте на|зловживайте|викладайте|викладаємо|пересилайте|рекламуйте|рекламуємо|ображайте|ображаємо|говоримо про|говоріть про|флудимо|флудіть|спамимо|спамте|матюкаємось|матюкаємося|матюкайтесь|матюкайтеся|кричіть|ставте) ?(?:сюди |тут |в чаті |в чат )*(?!мене|нас|його|її)(?P<what>[^,;:()!?]{0,60})",
    r"<b>за <what> (?:[—–-] )?(?:одразу |відразу |буде |отримаєте |автоматичний )*(?:бан|мут|кік|видалення|попередження|баню|мучу|банимо|видаляю)<e>",
    r"<b>(?P<what>[\w@][\w ,'@/+-]{2,50}?) [—–=-] (?:одразу |це |відразу |автоматичний )*(?:бан|мут|кік|видаляю|видаляємо)<e>",
    r"<b>(?:хто|whoever|anyone who|anyone|everyone who) (?P<what>[^,;:!?]{4,80}?)(?:,| [—–-]|, [—–-])? (?:той )?(?:(?:одразу |відразу )?(?:бан|мут|вилетить|вилітає|летить|кік|отримає бан)|gets? (?:banned|muted|kicked|removed)|will be (?:banned|muted|kicked|removed))<e>",
    # English
    r"<b>(?:absolutely |strictly )?no (?:more )?(?!idea|problem|worries|worry|way|thanks|thank|rush|kidding|clue|one|matter|need|doubt|reason|offen[cs]e|comment|pressure|luck|time|big|longer|wonder|chance|good|point|excuse|regrets|joke|biggie|shame|objection|surprise|hurry|cap|energy|signal|power|internet|sleep|two of|exceptions|prob|it's|i|we|you|that|this|not)<what>",
    r"<b>(?P<what>[\w@#][\w ,'@#/&+-]{2,60}?) (?:is|are|isn't|aren't)(?: strictly| absolutely| not| no longer| now){0,3} (?:allowed|banned|forbidden|prohibited|off[- ]limits|permitted|not ok|not okay|unwelcome|welcome)(?: here| in here)?<e>",
    r"<b>(?:don't|do not|never|stop|quit|avoid|refrain from|let's not|let's stop|let's avoid) (?:post(?:ing)?|shar(?:e|ing)|us(?:e|ing)|spam(?:ming)?|discuss(?:ing)?|send(?:ing)?|talk(?:ing)? about|bring(?:ing)? up|swear(?:ing)?|curs(?:e|ing)|advertis(?:e|ing)|promot(?:e|ing)|tag(?:ging)?|forward(?:ing)?|drop(?:ping)?|link(?:ing)?|flood(?:ing)?|insult(?:ing)?|ping(?:ing)?|cross-?post(?:ing)?|dm(?:ing)?|argu(?:e|ing) about|mention(?:ing)?) ?(?P<what>[^,;:()!?]{0,60})",
    r"<b>(?:don't|do not|avoid|stop|refrain from|let's ban|let's drop|ban|banning|forbid|prohibit|disallow) (?P<what>(?:the |all )?(?:spam\w*|flood\w*|swear\w*|politic\w*|ads?|memes?|spoilers?|voice \w+|caps|links?|religion|nsfw|gossip|off-?topic|gifs?|stickers?|crypto|insults?|screenshots?)(?!\w)[^,;:()!?]{0,40})",
    r"<b>keep (?P<what>[^,;:()!?]{2,60}?) (?:out of|off|away from) (?:here|this chat|the chat|the group|this group|the main|it)",
    r"<b>we (?:don't|do not) (?:allow|tolerate|permit|post|share|discuss|talk about|accept|want) <what>",
    r"<b>(?:banned|muted|kicked|removed|a ban|a mute|warning) for (?P<what>[^,;:()!?]{3,60})",
    r"<b>(?P<what>[\w@#][\w ,'@#/&+-]{2,50}?) (?:will |be |means |gets you |get you |= |equals |gets |get |is )+(?:a |an |an instant )?(?:ban(?:ned)?|mute[d]?|kick(?:ed)?|removed|deleted)<e>",
)
ORDERS = (
    # where or when something belongs, what everybody has to do
    r"<b>(?P<what>[\w@«][\w ,'@/«»+-]{2,60}?)(?: тепер| у нас| [—–-]| кидаємо| постимо| пишемо| публікуємо| обговорюємо| дозволені| дозволено){0,3} (?:тільки|лише|виключно|строго) (?:в|у|на|після|до|через|за|по|під|з)(?!\w)[^,;!?]{2,60}",
    r"<b>(?:пишемо|спілкуємось|спілкуємося|говоримо|постимо|дозволен\w+|кидаємо) (?:тільки|лише|виключно) <what>",
    r"<b>(?:після|до|з) \d{1,2}(?::\d\d)?(?: [—–-])? (?P<what>(?:тиша|тихо|мовчимо|не пишемо|без|жодних|ніяких|не)(?!\w)[^,;!?]{0,60})",
    r"<b>(?:нове правило|правило чату|головне правило|перше правило|основне правило|правило номер \w+|правило №? ?\d*|оновлене правило)(?: таке| просте| у нас| тут| чату){0,2}(?::| [—–-]) (?P<what>[^;!?]{3,120})",
    r"<b>(?:усі|всі|кожен|новенькі|учасники|кожному) (?:\w+ )?(?:мають|повинні|мусять|зобов'язані|має|повинен|мусить|обов'язково) <what>",
    r"<b>(?P<what>[\w@#«][\w ,'@#/«»+-]{2,60}?)(?: [—–-]| у нас| тепер){0,2} (?:в|у|до) (?:окрем\w+|спеціальн\w+|відповідн\w+|свою|інш\w+) (?:гілк\w+|гілц\w+|тем\w+|чат\w*|канал\w*|тред\w*)",
    r"<b>(?P<what>[\w@#][\w ,'@#/&+-]{2,60}?) (?:must |should |can |please )?(?:go|goes|belong|belongs|stay|stays)(?: only| strictly)? (?:in|to|into|under|inside) [^,;!?]{2,50}",
    r"<b>(?:спершу|спочатку|обов'язково|перед постом|first|before posting|always)?,? ?(?P<what>(?:читаємо|читайте|прочитайте|перевіряйте|перевіряємо|представтесь|представляйтесь|представляємось|read|check|search) (?:the |our |\w+ )?(?:закріп\w*|правила|пошук|pinned?|rules|faq|search|себе)(?!\w)[^,;!?]{0,50})",
    r"<b>(?P<what>quiet (?:hours|time)|тиха година|тихі години|режим тиші)<e>[^,;!?]{0,50}",
    r"<b>keep (?P<what>[^,;:()!?]{2,60}?) (?:in|to|inside|under|behind|for) (?:the|its|their|your|a|english|ukrainian|spoiler|dms|private)[^,;!?]{0,50}",
    r"<b>(?P<what>[\w@#][\w ,'@#/&+-]{2,50}?) only (?:in|on|after|before|here|please|in here|inside|via|during)(?!\w)[^,;!?]{0,50}",
    r"<b>(?:only|just) (?P<what>[\w ,'-]{2,50}?) (?:here|in here|in this (?:chat|group)|allowed|is allowed|are allowed|please)<e>",
    r"<b>(?:new |our |the |first |main |house |chat |group |number one |one )+rules?(?: here| in here| of (?:this|the|our) (?:chat|group)| number \w+| #?\d+)?(?::| is(?: that| simple)?:?| -| —) (?P<what>[^;!?]{3,120})",
    r"<b>(?:everyone|everybody|all members|newcomers|new members|all of you|members|posts?|photos|links) (?:must|have to|has to|need to|needs to|should|are required to) <what>",
    r"<b>(?:please )?(?P<what>(?:use|mark|tag|hide|put|wrap) (?:[\w'@#-]+ ){0,3}?(?:spoiler|thread|threads|tags?|content warning|cw|hashtags?|nsfw)(?!\w)[^,;!?]{0,50})",
)
_SAYS_RULE = re.compile(
    r"(?<!\w)(?:нагаду\w*|нагадуванн\w*|правил\w*|прошу|просимо|просьба|прохання|будь ласка|плз|заборон\w*|увага|важливо|оголошення|бан|бану|мут|"
    r"закріп\w*|новеньк\w*|чат|чаті|чату|групі|групи|сюди|тут|гілк\w*|гілц\w*|тред\w*|для всіх|шановні|адмін\w*|"
    r"remind\w*|rules?|please|pls|plz|allowed|here|chat|group|channel|threads?|pinned|ban|banned|mute|muted|kicked?|newcomers|new members|"
    r"everyone|folks|all of you|heads[- ]up|attention|mods?|admins?|announcement|psa|off[- ]limits)(?!\w)|@(?:all|everyone|here)",
    re.IGNORECASE,
)
_SHORT_CLAUSE = 10
_OPENS_RULE = re.compile(r"(?<!\w)(?:правило|rule)(?: [\w#№]+){0,3}(?::| [—–-]) ", re.IGNORECASE)
_TALKED_AWAY = re.compile(
    r"(?<!\w)(?:today|tonight|tomorrow|сьогодні|завтра|зараз|мені|me|my|мій|моя|мого)(?!\w)", re.IGNORECASE
)
_SOMEBODY = re.compile(r"(?:мене|нас|його|її|їх|тебе|вас|me|him|her|them|us|you)(?!\w)", re.IGNORECASE)
_PLACE_TAIL = re.compile(
    r"(?:^(?:тут|сюди|у чаті|в чаті|більше|about|the|any|in here|here) )|(?:,? (?:(?:in|around) here|here|in (?:this|the|our) (?:chat|group|channel)|please|pls|plz|folks|guys|allowed|"
    r"anymore|тут|сюди|у чаті|в чаті|у цьому чаті|в цьому чаті|у чат|в чат|в групі|у групі|будь ласка|плз|друзі|більше))+$",
    re.IGNORECASE,
)
_SPEAKING_UK = re.compile(
    r"(?<!\w)(?:спілкува|спілкує|говор|писа|пиш|розмовля|мов(?:ою|и|у|а)\b|пере[йх]|переключ|чат|краща|краще)",
    re.IGNORECASE,
)
_SPEAKING_EN = re.compile(
    r"(?<!\w)(?:speak|talk|writ|chat|switch|use|communicat|stick|keep|go|post|more|discuss|language|convers|type|prefer)",
    re.IGNORECASE,
)
_ORDERS_LANGUAGE = re.compile(
    r"(?<!\w)(?:please|keep it|будь ласка|прошу|пишіть|спілкуйтесь|спілкуйтеся|нагадую|reminder|rule|правило)(?!\w)",
    re.IGNORECASE,
)
_ONLY = re.compile(r"(?<!\w)(?:тільки|лише|виключно|only|strictly|exclusively)(?!\w)", re.IGNORECASE)
PROPOSES = re.compile(
    r"(?<!\w)(?:давайте|давай|пропоную|пропозиція|може(?! бути)|може б|варто б|краще б|було б добре|хочеться|хотілося б|нумо|"
    r"let's|lets|let us|how about|what about|can we|could we|shall we|should we|why don't we|i suggest|i propose|proposal|suggestion|"
    r"i'd (?:like|love|prefer) (?:it if )?(?:we|us)|i vote|it would be (?:nice|great|good)|maybe we|we should|we could|would be (?:nice|great|good))(?!\w)",
    re.IGNORECASE,
)


def language_choice(sentence: str) -> tuple[str, bool] | None:
    """Which language the chat is to speak ("ukrainian"), and whether that is an order ("only …", "please …"); None when nothing says so."""
    spoken = terms.spoken_language(sentence)
    speaking = _SPEAKING_UK if language_of(sentence) == "uk" else _SPEAKING_EN
    if spoken is None or not speaking.search(sentence):
        return None
    return spoken, bool(_ONLY.search(sentence) or _ORDERS_LANGUAGE.search(sentence))


def rules_in(sentence: str, message_text: str) -> list[tuple[str, str, str, str]]:
    """What a sentence forbids or orders, clause by clause: (row, key, value, description)."""
    announced = bool(_SAYS_RULE.search(message_text))
    found: list[tuple[str, str, str, str]] = []
    for clause in _rule_clauses(sentence):
        rule = _forbidden(clause, announced=announced) or _ordered(clause, announced=announced)
        if rule and rule[2] not in {known[2] for known in found}:
            found.append(rule)
    return found


def _rule_clauses(sentence: str) -> list[str]:
    """Clauses up to commas and colons; the whole sentence when it opens with "new rule: …"."""
    return [sentence] if _OPENS_RULE.search(sentence) else hard_clauses(sentence)


def _forbidden(clause: str, *, announced: bool) -> tuple[str, str, str, str] | None:
    for number, expression in enumerate(FORBIDS):
        match = compiled(expression).search(clause)
        if match and _is_rule(clause, match.group("what"), announced=announced):
            return f"forbid_{number}", "forbidden_topics", *_described(clause, _bare(match.group("what")) or clause)
    return None


def _ordered(clause: str, *, announced: bool) -> tuple[str, str, str, str] | None:
    for number, expression in enumerate(ORDERS):
        match = compiled(expression).search(clause)
        if match and _is_rule(clause, match.group("what"), announced=announced):
            return f"order_{number}", "chat_rule", value_of(clause), label("rule", language_of(clause), clause)
    return None


def _is_rule(clause: str, what: str, *, announced: bool) -> bool:
    if _TALKED_AWAY.search(clause) or guards.is_figure_of_rule(clause):
        return False
    if _SOMEBODY.match(what.strip()):
        return False
    if not what.strip():
        return bool(terms.topics(clause))
    return announced or (bool(terms.topics(what)) and len(clause.split()) <= _SHORT_CLAUSE)


def _bare(what: str) -> str:
    return trim(_PLACE_TAIL.sub("", _PLACE_TAIL.sub("", trim(what))))


def _described(clause: str, what: str) -> tuple[str, str]:
    lang: Language = language_of(clause)
    named = terms.topics(what) or terms.topics(clause)
    value = ", ".join(named) if named else value_of(what)
    if len(named) == 1 and len(what.split()) == 1 and terms.has_label(named[0], lang):
        heading = "У чаті заборонено" if lang == "uk" else "Forbidden in the chat"
        return value, clip(f"{heading}: {terms.topic_label(named[0], lang)}")
    return value, label("rule", lang, clause)
