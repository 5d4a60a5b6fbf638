"""Instructions to the bot, passing for its machinery, dictating its memory: what must not even be read.

Every way is looked for only when a part of a word without which it cannot be there is in the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from shared.domain.text.language import unify_apostrophes
from shared.domain.text.lookalikes import undisguise

_OBFUSCATION = re.compile(
    "(?<=[A-Za-zА-Яа-яІіЇїЄєҐґ])[\u200b-\u200f\u00ad\u2060-\u2064\ufeff\u202a-\u202e]+(?=[A-Za-zА-Яа-яІіЇїЄєҐґ])"
)
_INJECTION = tuple(
    (tuple(triggers.split("|")), re.compile(expression, re.IGNORECASE))
    for triggers, expression in (
        # overriding
        (
            "ignor|disregard|overrid|bypass",
            (
                r"\b(?:ignor|disregard|overrid|bypass)\w* (?:\w+ ){0,4}(?:instruct|rule|prompt|guideline|filter|polic|"
                r"message|restrict)"
            ),
        ),
        (
            "forget",
            (
                r"\bforget (?:all|everything|previous|what you|the (?:above|previous|rules)|"
                r"your (?:\w+ ){0,2}(?:instruct|rule"
                r"|prompt|guideline|polic|restrict|filter|training|programming|role|orders|directive|persona|"
                r"previous|memor))"
            ),
        ),
        (
            "ігнору|знехту|обійди|скасуй",
            (
                r"(?:ігнору|знехту|обійди|скасуй)\w* (?:\w+ ){0,4}(?:інструкц|правил|вказів|попередн|обмежен|фільтр|"
                r"промпт|все)"
            ),
        ),
        ("забудь", r"забудь(?:те)? (?:\w+ ){0,2}(?:все|усе|усі|всі|інструкц|попередн|правила)"),
        (
            " mode|sudo|режим",
            (
                r"\b(?:developer|debug|god|jailbreak|dan|admin|maintenance|sudo) mode\b|"
                r"\bsudo\b(?! ?[\w-]* ?(?:apt|pip|"
                r"rm|su|dnf|yum|systemctl|make|nano|vi))|режим (?:розробник|адмін|бога)"
            ),
        ),
        (
            "you are|act as|pretend|from now",
            (
                r"\byou are (?:now|no longer)\b|\bact as\b|\bpretend (?:to be|you)\b|\bfrom now on,? (?:you|the bot|"
                r"always|reply|answer)"
            ),
        ),
        (
            "відтепер|ти тепер|більше не|уяви",
            r"відтепер (?:ти|бот|відповідай|усі|завжди)|ти (?:тепер|відтепер|більше не)\b|уяви,? що ти",
        ),
        # pretending to be the machinery
        (
            "system|instruction|directive|prompt",
            r"\bnew (?:system|instruction|directive|prompt)|\bsystem (?:message|prompt|override|note|update|notice)",
        ),
        (
            "систем|нов",
            (
                r"систем\w+ (?:повідомлен|промпт|інструкц|команд|запис|оновлен|нотатк)|нов[аіий]+ (?:інструкц|вказівк|"
                r"факт)"
            ),
        ),
        (
            ":|>|]",
            r"(?:^|\n)[^\w\n]*(?:system|assistant|developer|tool|user|human|модель|система|асистент|бот|bot)\s?[:>\]]",
        ),
        ("[", r"\[\s*/?\s*(?:system|inst|admin|assistant|developer|tool|система|адмін|memory|пам'ять)"),
        ("<|-->", r"</?[a-z_][\w-]{0,30}[^<>\n]{0,80}>|<!--|-->|<\|"),
        ("'''|~~~|#|---|===|{{|}}", r"'''|~~~|(?:^|\n)#{1,6} |(?:^|\n)[^\S\n]*-{3,}|={3,}|\{\{|\}\}"),
        (
            " of ",
            (
                r"\b(?:end|begin|start)(?:ning)? of (?:the )?(?:conversation|transcript|context|messages?|data|chat|"
                r"prompt|input)"
            ),
        ),
        ("кінець", r"кінець (?:розмови|переписки|контексту|повідомлень|даних|чату)"),
        (
            ":|=",
            (
                r"[\"']?\b(?:content|category|confidence|quote|user_id|fact_\w+|message_id)[\"']?\s*[:=]|"
                r"\b(?:memory|rule|fact|пам'ять|правило|факт) ?[:=]{1,2} ?=|\brule = |\bправило = "
            ),
        ),
        ("[|{", r"^\s*[\[{]\s*[\"'{\[]"),
        # dictating memory
        (
            "store|save|record|memori|log|down|add",
            (
                r"\b(?:store|save|record|memori[sz]e|log|note down|write down|add) (?:\w+ ){0,2}(?:fact|memory|"
                r"that|rule|"
                r"database|profile)\b"
            ),
        ),
        (
            "memory|database|notes",
            (
                r"\b(?:add|write|put|commit) (?:\w+ ){0,4}(?:to|in|into) (?:your |the |bot )*(?:memory|database|notes)|"
                r"bot'?s memory|memory of the bot"
            ),
        ),
        (
            "запиши|збережи|внеси|занеси|додай|занотуй|зафіксуй",
            (
                r"(?:запиши|збережи|внеси|занеси|додай|занотуй|зафіксуй)(?:те)? (?:\w+ ){0,3}(?:факт|правил|пам'ят|баз|"
                r"собі|що|як|про)"
            ),
        ),
        ("бота", r"пам'ять бота|пам'яті бота|база даних бота"),
        # claiming power
        (
            "admin|mod",
            (
                r"\bi(?:'m| am) (?:(?!system|network|database|office|it |linux)\w+ ){0,3}(?:admin|administrator|"
                r"moderator|mod)\b(?! assistant)"
            ),
        ),
        (
            "owner|developer|creator|maker|master|admin",
            (
                r"\bi(?:'m| am) (?:\w+ ){0,2}(?:owner|developer|creator|maker) of (?:this|the|your) |\bi(?:'m|"
                r" am) your (?:owner|developer|creator|master|admin)|\bas (?:the|your) (?:admin\w*|owner|developer|"
                r"creator)\b|\bas an? admin(?:istrator)?,? i\b"
            ),
        ),
        (
            "адмін|модератор",
            (
                r"(?<!\w)я (?:(?!систем|мереж)\w+ ){0,2}(?:адмін|адміністратор\w*|модератор\w*)(?!\w)|\bя,? як адмін|"
                r"\bвід імені адмін"
            ),
        ),
        (
            "власни|розробни|творець|хазяїн|господар",
            (
                r"(?<!\w)я (?:\w+ ){0,2}(?:власни\w+|розробни\w+|творець|хазяїн|господар) (?:\w+ )?(?:бота|чату|групи|"
                r"тебе)"
            ),
        ),
        # newly gained power, unless it is at some firm
        (
            "призначи",
            r"мене (?:\w+ ){0,2}призначили (?:\w+ ){0,2}(?:головн|адмін|модератор|власни)\w*\b(?! (?:в|у|на) )",
        ),
        (
            "admin|mod",
            (
                r"\bi(?:'ve| have| was| got|'m| am)(?: \w+){0,3} (?:made|appointed|promoted(?: to)?) (?:an? |"
                r"the )?(?:chat |new |group )*(?:admin|moderator|mod|owner)\b(?! (?:at|of|in) )"
            ),
        ),
        # triggers and leaks
        (
            "prompt|instructions|api key",
            (
                r"(?:reveal|print|show|repeat|leak|output|dump|share|tell)\w* (?:\w+ ){0,4}(?:prompt|(?:your|hidden|"
                r"secret) instructions|api key)"
            ),
        ),
        (
            "промпт|інструкц|api",
            r"(?:покажи|виведи|розкрий|надрукуй|повтори|скинь|злий)\w* (?:\w+ ){0,4}(?:промпт|інструкц|api)",
        ),
        (
            "one |body ",
            (
                r"\b(?:when|whenever|if) (?:any|some|every)(?:one|body) (?:\w+ ){0,2}(?:says?|writes?|types?|asks?|"
                r"mentions?|sends?)\b[^.!?\n]{0,120}(?<!\w)(?:repl|answer|respond|sa(?:y|id)|tell|prais|print|"
                r"send|give|"
                r"claim|agree|recommend|promot|confirm|remind|always|never)"
            ),
        ),
        (
            "хтось",
            (
                r"(?:коли|якщо|щойно) хтось (?:\w+ ){0,2}(?:напише|скаже|спитає|запитає|згадає|надішле|пише|каже|"
                r"питає)(?!\w)[^.!?\n]{0,120}(?<!\w)(?:відпові|каж|скаж|пиш|хвал|похвал|погодж|повтор|нагад|рекоменд|"
                r"надішл|давай|підтверд|завжди)"
            ),
        ),
        (
            "відповіда|завжди",
            (
                r"відповіда(?:й|ти|єш|є) (?:\w+ ){0,2}(?:лише|тільки|завжди|посилан|матом|що)|"
                r"завжди (?:відповідай|кажи|"
                r"пиши|хвали|погоджуйся)"
            ),
        ),
        (
            "always|obey",
            r"(?<!we )(?<!they )(?<!i )\balways (?:agree with|obey|answer|reply|respond|say|praise|trust)\b|\bobey\b",
        ),
        (
            "ботам|attention|to all bots|base64|rot13",
            r"усім ботам|всім ботам|attention,? (?:all )?(?:bots|ai)|to all bots|base64|rot13",
        ),
    )
)
"""Ways to instruct a bot, each with parts of words without which it is not worth looking for."""


@lru_cache(maxsize=4)
def instructs(text: str) -> bool:
    """Return whether a text tries to instruct the bot, to pass for its machinery, or to dictate what it remembers."""
    plain = unicodedata.normalize("NFKC", unify_apostrophes(text))  # a backtick is an apostrophe by now
    if plain.isascii():
        return _instructs(plain)
    if _OBFUSCATION.search(plain):
        return True
    return _instructs(plain) or any(_instructs(meant) for meant in undisguise(plain))


def _instructs(text: str) -> bool:
    folded = text.casefold().replace("ı", "i")
    for triggers, expression in _INJECTION:  # loops: comprehensions cost twice as much here, and every message pays
        for trigger in triggers:
            if trigger in folded:
                if expression.search(text):
                    return True
                break
    return False
