"""Proposals of how a group should live: worth a preference once others support them, unlike a plan for one evening."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from shared.domain.reading.matching.clauses import language_of
from shared.domain.reading.matching.phrases import Phrase
from shared.domain.text.language import Language
from shared.domain.text.words import analyse

_LISTS: Mapping[Language, Mapping[str, str]] = {
    "uk": {
        "propose": """
            давайте давай пропоную пропозиція може варто нумо хочеться хочу хотілося хотілось краще треба було прошу
            голосую""",
        "compare": """
            більше частіше менше рідше краще коротше довше тихіше замість радше завжди відтепер надалі виключно
            зазвичай регулярно""",
        "change": """
            перейти переходити перейдемо перейдімо перейдем переходимо переїхати переїдемо переїжджаймо пересісти
            користуватися користуватись використовувати використовуймо відмовитися відмовитись домовимося домовимось
            перебратися переберімося""",
        "habit": """
            писати грати читати дивитися дивитись слухати збиратися збиратись зустрічатися зустрічатись спілкуватися
            спілкуватись ходити їздити ставити кидати ділитися ділитись обговорювати вести робити обирати вибирати
            замовляти готувати постити називати голосувати купувати говорити відповідати питати скидати складати
            проводити влаштовувати працювати тегати позначати тримати жартувати хвалити вітати лишати""",
        "days": "понеділках вівторках середах четвергах п'ятницях суботах неділях вихідних будніх буднях",
    },
    "en": {
        "compare": """
            more less fewer rather instead better always regularly mostly mainly often shorter longer exclusively
            permanently""",
        "change": "switch move migrate stick shift default",
        "keep": "use prefer start adopt favour favor",
        "times": "mornings evenings afternoons nights weekends weekdays",
    },
}
_PHRASES: Mapping[Language, tuple[str, ...]] = {
    "uk": (
        "@propose _{0,8} @compare _",
        "@propose _{0,8} , @compare _",
        "@propose _{0,4} @change _",
        "(що|шо як|якщо|коли) (би|б|ми|нам){1,2} _{0,4} (@change / @compare / @habit) _",
        "@propose (би|б|ми|краще|тут|надалі|якось|взагалі|усі|всі|ще|будемо){0,3} @habit _",
        "@propose _{1,4} (@habit _ / а не _)",
        "(чи)? можемо|можна|зможемо _{0,5} (по @days / замість / вранці|зранку|вечорами|ранками|онлайн)",
    ),
    "en": (
        "let|we|us|vote|suggest|propose|suggestion|proposal|nice|great|good|like|love|want _{0,8} @compare _",
        "let|we|us|suggest|propose|vote _{0,4} @change to|with|over|back|for _",
        "let us|we _{0,2} @keep _",
        "let us|we keep !#ing|it|up|each|on _{1,4} (in|to|for|out|under|off|short|light|private|simple)",
        "suggestion|proposal|idea , _{0,8} @compare _",
        "it if we _{0,6} @compare _",
        "how|what about|if we _{0,2} @keep|@change _",
        "suggest|propose _{0,2} @keep|using|keeping|starting|switching|moving _",
        "can|could|shall|should|may we _{1,6} more|less|fewer|rather|only",
        "can|could|shall|should|may we _{1,6} in|on|at (the)? @times",
        "how|what about more|less|fewer|using|keeping|switching _",
    ),
}


@cache
def _phrases(lang: Language) -> tuple[Phrase, ...]:
    lists = {name: words.split() for name, words in _LISTS[lang].items()}
    return tuple(Phrase(source, lists) for source in _PHRASES[lang])


_IF_WE = re.compile(
    r"(?<!\w)(?:what if we|(?:love|like|prefer) it if we|(?:що|шо) (?:як|якщо|коли) (?:б |би )?(?:ми|нам))(?!\w)",
    re.IGNORECASE,
)


def without_if(text: str) -> str:
    """The text without an "if" that proposes ("what if we used polls") rather than binds to a condition."""
    return _IF_WE.sub(" ", text)


def is_lasting(text: str) -> bool:
    """Return whether a proposal is about how things should be from now on ("more cats", "let's use threads")."""
    words = analyse(text)
    return any(phrase.search(words) for phrase in _phrases(language_of(text)))
