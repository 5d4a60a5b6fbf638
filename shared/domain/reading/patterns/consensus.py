"""Who agrees with whom: support, objection and taking back, and what follows for a finding.

A reaction belongs to the message it replies to, otherwise to the last finding of another member that is still near.
"""

# ruff: noqa: E501  (a phrase is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import is_person
from shared.domain.reading.matching.clauses import clean
from shared.domain.reading.matching.marks import Marks
from shared.domain.reading.matching.rows import PatternFinding
from shared.domain.text.words import analyse

NEAR_MESSAGES = 8
"""How many messages later an unaddressed "+1" still counts."""

MAX_STRANGERS = 2
"""How many messages about something else may stand between."""

_OPENING_WORDS = 12
"""Words of a message that decide how it reacts; what is taken back is looked for in as many."""


_JOB = {"occupation", "workplace"}
_CHANGED_JOB = Marks("""
    =now
    anymore
    quit|resign|retire
    =left (my|the)
    notice (in / – / ,)
    new job
    =тепер|нині|віднедавна
    вже|уже|більше не
    звільнитися#past|звільнитися#i
    кинути#past (_)? робота|роботу
    перейти#past|влаштуватися#past
""")


class Reaction(StrEnum):
    """What a message says about the one before it."""

    SUPPORT = "support"
    OBJECTION = "objection"
    RETRACTION = "retraction"


_LISTS = {
    "lead": """
        о ой ну та а ооо оо ого блін oh ooh well і й ага haha hah lol ахах ахаха жиза божечки ок ok okay так yes yeah yep
        hmm слухай слухайте я i =and ура ураа бо ще також теж , –""",
    "easy": "я i we ми особисто personally і теж також fully totally strongly absolutely completely цілком повністю",
    "good": """
        чудовий класний хороший гарний супер крутий топовий слушний добрий чудово класно добре круто good great nice
        brilliant excellent lovely fab cool solid""",
    "notion": "ідея думка план пропозиція варіант idea call plan shout point suggestion thought",
    "yes": """
        угу еге атож точно факт фактично згоден згодна згодні згода погоджуватися погодитися підтримувати підтримати
        плюсувати плюсую плюс плюсик плюсані звісно звичайно правда правильно саме істинно абсолютно солідарний
        солідарна однозначно лайк приєднуватися підписуватися підписуюсь жиза воістину нарешті дійсно топ давайте давай
        зробимо стопудово стовідсотково прийнято домовились домовилися
        agree agreed yup ya aye same true exactly absolutely definitely confirmed seconded second totally guilty indeed
        correct deal supported support ditto amen upvote preach fact always sorted sure""",
    "no": """
        неа нє нєа нах нащо навіщо нафіга жах фу маячня незгодний неправда брехня проти категорично
        nah nope disagree against veto boo ew""",
}
_NAMED = {name: tuple(words.split()) for name, words in _LISTS.items()}


def _marks(source: str) -> Marks:
    return Marks(source, _NAMED)


_SIGN = re.compile(
    r"^(?:(?:і|й|теж|and|ну|о|та),? )?(?:\+ ?1|\+{1,3}(?!\d)|100 ?%|💯|👍|✅|🙌|☝|👆|❤|🔥|🤝|💪|✋|👌|🫡|🙋(?:‍[♂♀])?|➕)"
)
_AGAINST_SIGN = re.compile(r"^(?:-1|−1|👎|❌|🙅)")
_SUPPORT = _marks("""
    @lead* @easy* @yes
    @lead* тільки? за !=що|=кого|=те|=це|=тебе|=мене|=нього|=неї|=них|=нас|=вас|=рахунок|=годину
    @lead* я|ми двічі|обома|двома? за
    @lead* обидва|двома|обома рука
    @lead* рука й|і|та нога
    @lead* давно пора|треба|час|варто
    @lead* about|high time
    @lead* long overdue
    @lead* сто відсоток
    @lead* так|ага|yes|yep|yeah !_ !,
    @lead* так|ага|yes|yep|yeah|yay , !але|but|тільки
    @lead* так|yes|yeah|yep (підтримувати|давайте|please|pls|це|it|і|ми|we|i|let|хочу|точно|!але)
    @lead* (є / саме / таки) так|таке|такий
    @lead* @good @notion
    @lead* супер|топ|клас|класно|чудово|добре $
    @lead* не (проти / заперечувати)
    @lead* без заперечень|питань
    @lead* хочу так|теж|і
    @lead* (вже|уже) _ рік
    @lead* (це|it be) (вже|a|our|already|наш)* традиція|tradition|святе
    @lead* як|as завжди|always
    @lead* і|й правда
    @lead* може (так|,)? так
    @lead* (for sure / plus one / me too / count me in / all for / hear hear / of course / same here / works for me / so true / can confirm / big yes / hell yes / thumbs up / in favour|favor / go for it / why not / fine by|with me|us)
    @lead* (love|like) (it / this / that / the|your|this idea)
    @lead* (sound|sounds) (good|great|fair|fun|perfect|right)
    @lead* (i|we) be (in / down / up|all for / for (it|this|that)? $)
    @lead* be =in $
    @lead* (second / agree (with|to)) (that|this|it|you|_)
    @lead* this $
    @lead* this (,|so|is the|100)
    @lead* no objection|objections
    @lead* (it be / we do) $
    @lead* let us do (it|this|that)
    @lead* it be , _
    _ time $
    ура|ураа|урааа|ураааа|уррра|урра|yay|yaay|yayy|yayyy|woohoo|hooray|hurray|hurrah ($ / ,)
""")
_NOT_SUPPORT = _marks("""
    @lead* так|ага|yes|yep|yeah|true|sure|правда ,? (але|but|ні|no|не|except / я не / тільки не)
    так собі|що|а|от|би|ж|було
    yeah|sure|ага|так ,? right|щас|зараз|аякже|конечно
    this be not|stupid|wrong
    this suck
    that be not
    @lead* давайте|давай не|краще|без|пізніше
    always late|the
    @lead* правда|точно|звісно|звичайно не|ні|no
    of course not
    @lead* absolutely|definitely|sure|fully not
    same problem|issue|error|thing|question
    @lead* same (,)? _ (do|does) not
    @lead* true story
    second hand|one|time|day|floor
    @lead* точно так|та
    @lead* як завжди|зазвичай (,)? _ _
    @lead* as always|usual (,)? _ _
""")
_OBJECTION = _marks("""
    @lead* ні|нє|no|не|ніт|nooo|нііі $
    @lead* ні|нє|no|не , _
    @lead* (@easy)* @no !що|idea|problem|worries|clue|one|way|matter|питання|проблем|rush|thanks
    @lead* (дуже|категорично|я|ми) проти|против
    @lead* не треба|варто|хотіти#i|хочу|згодний|згоден|згодна|погоджуватися|підтримувати|факт|подобатися
    @lead* тільки|лише|давайте|давай (,)? не
    @lead* давайте|давай без
    @lead* (please)? (do not / not again / not really / not true / not a fan / rather not / not for me / not keen)
    @lead* (i be against / i disagree / hard pass / since when / that be not / no thanks|thank|please / please no / hell no / no way / let us not / leave it / thumbs down)
    @lead* (bad|terrible|awful|silly|stupid|horrible) @notion
    @lead* поганий|дурний|жахливий @notion
    @lead* (absolutely|definitely|sure / of course) not
    @lead* never
    @lead* (way)? too often|much|many|early|late
    @lead* занадто|надто|задовго часто|багато|рано|пізно
    @lead* лишити|лишімо|залишмо|лишаємо|залишаємо як
    @lead* хіба (що)?
    @lead* не _? так
    @lead* who made|asked
    @lead* а? хто це? вирішити|сказати
""")
_RETRACTION = _marks("""
    forget it|that|i|about
    never|nevermind mind
    nevermind|jk|kidding|joking|шучу|шуткую|жартувати#i|жартую|проїхали|пожартувати|забудьте|забудь
    scratch|scrap|ignore that
    just kidding|joking
    i take it|that|this back
    my bad
    wrong chat|group|window
    ні то ні
    не туди|сюди $
    це (був|була|було)? жарт
    беру|забирати|забираю слово
    питання знято|знімається|закрити|закрите
    скасовувати#i пропозиція
    помилитися чат|група|вікно
    переплутати чат|група
    не той чат
    false alarm
""")


def reaction_of(text: str) -> Reaction | None:
    """How a message reacts to the one before it, judged by how it begins; None when it does not."""
    plain = " ".join(clean(text).replace("\ufe0f", "").split(" ")[:_OPENING_WORDS])
    words = analyse(plain)
    if _RETRACTION.mark(words):
        return Reaction.RETRACTION
    asks = "?" in plain[-4:]
    if not asks and (_SIGN.match(plain) or (_SUPPORT.begin(words) and not _NOT_SUPPORT.begin(words))):
        return Reaction.SUPPORT
    return Reaction.OBJECTION if _AGAINST_SIGN.match(plain) or _OBJECTION.begin(words) else None


@dataclass(slots=True)
class Thread:
    """A finding with those who answered to it."""

    finding: PatternFinding
    position: int
    supporters: dict[int, Message] = field(default_factory=dict)
    objectors: dict[int, Message] = field(default_factory=dict)

    @property
    def message_ids(self) -> set[int]:
        """The finding's message and its supporters' messages: a reply to any of them is about the finding."""
        return {self.finding.message.message_id, *(message.message_id for message in self.supporters.values())}

    def is_heard(self, user_id: int) -> bool:
        """Whether somebody has reacted to it already."""
        return user_id in self.supporters or user_id in self.objectors

    @property
    def needs(self) -> int:
        """Supporters without whom it does not count; one more where its author is nobody's voice (a channel)."""
        needs = self.finding.needs
        return needs + 1 if needs and not is_person(self.finding.message.user_id) else needs

    def holds(self) -> bool:
        """Whether enough members agree: an admin's rule needs nobody, a proposal needs more friends than foes."""
        if self.finding.kind == "rule" and self.finding.needs == 0:
            return True
        return len(self.supporters) >= self.needs and len(self.objectors) <= len(self.supporters)

    def is_replaced_by(self, later: Thread) -> bool:
        """Whether its author (or an admin, of a rule) has since put another value into the same slot."""
        old, new = self.finding, later.finding
        same_slot = (old.subject, old.category, old.key) == (new.subject, new.category, new.key)
        entitled = old.message.user_id == new.message.user_id or (new.kind == "rule" and new.needs == 0)
        if entitled and old.subject == new.subject and _is_new_job(old, new):
            return True
        return same_slot and new.single and old.value != new.value and entitled and later.holds()


def _is_new_job(old: PatternFinding, new: PatternFinding) -> bool:
    """Whether somebody tells of a change of job after they told of the old one, be it by place or by profession."""
    other = old.message.message_id != new.message.message_id
    return other and {old.key, new.key} == _JOB and _CHANGED_JOB.mark(analyse(new.message.text))


def addressed(threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]) -> list[Thread]:
    """The findings about the chat that a message reacts to: those of one message go together.

    Without a reply they are the newest that are open; whether anything else is, too, is for the caller to see.

    Args:
        strangers: Positions of messages that were neither findings nor reactions.
    """
    if message.reply_to is not None:
        return [thread for thread in _of_others(threads, message) if message.reply_to in thread.message_ids]
    found = open_threads(threads, message, position, strangers)
    newest = max((thread.position for thread in found), default=None)
    return [thread for thread in found if thread.position == newest]


def open_threads(threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]) -> list[Thread]:
    """The findings of others about the chat that an unaddressed message may react to: those near by.

    Who has reacted to a finding already means another one, if there is another; else they change their mind.
    """
    near = [thread for thread in _of_others(threads, message) if _is_near(thread.position, position, strangers)]
    return [thread for thread in near if not thread.is_heard(message.user_id)] or near


def _of_others(threads: Sequence[Thread], message: Message) -> list[Thread]:
    return [
        thread
        for thread in threads
        if thread.finding.subject == "chat" and thread.finding.message.user_id != message.user_id
    ]


def _is_near(at: int, position: int, strangers: Sequence[int]) -> bool:
    between = sum(at < stranger < position for stranger in strangers)
    return position - at <= NEAR_MESSAGES and between <= MAX_STRANGERS
