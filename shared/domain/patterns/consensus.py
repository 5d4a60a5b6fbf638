"""Who agrees with whom: support, objection and taking back, and what follows for a finding.

A reaction belongs to the message it replies to, otherwise to the last finding of another member that is still near.
"""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from shared.domain.messages import Message
from shared.domain.patterns.clauses import clean
from shared.domain.patterns.rows import Finding

NEAR_MESSAGES = 8
"""How many messages later an unaddressed "+1" still counts."""

MAX_STRANGERS = 2
"""How many messages about something else may stand between."""


class Reaction(StrEnum):
    """What a message says about the one before it."""

    SUPPORT = "support"
    OBJECTION = "objection"
    RETRACTION = "retraction"


_SUPPORT = re.compile(
    r"^(?:(?:о|ой|ну|та|а|ооо|oh|well|і|ага|haha|lol|ахах\w*|жиза|божечки),? )?(?:\+ ?1|\+{1,3}(?!\d)|100 ?%|💯|👍|✅|🙌|☝|👆|❤|"
    r"(?:так|ага|угу|еге|атож|точно|факт|фактично|згоден|згодна|згодні|згода|погоджуюсь|погоджуюся|підтримую|підтримуємо|плюсую|плюс|плюсик|плюсані|"
    r"за(?= ?(?:$|[,.!]|українськ|двома|обома|руками))|я за|ми за|обома руками|двома руками|сто відсотків|стовідсотково|звісно|звичайно|правда|правильно|є таке|саме так|так і є|істинно|абсолютно|"
    r"давайте|давай|чудова|класна|хороша|гарна|супер|топ|не проти|без заперечень|солідарн\w+|однозначно|двічі за|лайк|теж за|приєднуюсь|приєднуюся|підписуюсь|підписуюся|жиза|воістину|хочу так|нарешті|"
    r"вже \S+ рік|це (?:вже )?традиція|це святе|як завжди|і правда|таки так|ну є таке|дійсно|"
    r"agree|agreed|yes|yep|yeah|yup|ya|aye|same|true|this|exactly|absolutely|definitely|can confirm|confirmed|second(?:ed)?|second (?:that|this)|i second|for sure|plus one|count me in|i'm in|in favou?r|all for|"
    r"works for me|me too|no objections?|sounds (?:good|great)|good (?:idea|call|plan)|great (?:idea|call)|love (?:it|this|that|the idea)|facts?|indeed|correct|of course|hear,? hear|totally|guilty|"
    r"let's do it|deal|support(?:ed)?|i support|it's (?:a |our |already )*tradition|as always|always|it is|we do|so true|i agree|fully agree|strongly agree|ditto|amen|upvote|thumbs up|preach|big yes|hell yes|\w+ time)(?!\w))",
    re.IGNORECASE,
)
_NOT_SUPPORT = re.compile(
    r"^(?:так|yeah|yes|ага|true|правда|звісно|давай(?:те)?|точно|this|same|that|always|як завжди)(?: [\w']+){0,6}\?|^(?:yeah|sure|ага|так),? (?:right|щас|sure|зараз|аякже|конечно)|^(?:так|ага|yes|yeah|yep|true),? (?:але|but|тільки не|ні)(?!\w)|"
    r"^(?:так (?:не|я не|ні|собі|що|а)|this (?:is not|isn't|is stupid|is wrong|sucks)|that's not|давайте (?:не|краще|без)|always (?:late|the same)|правда не|точно не|of course not|absolutely not|definitely not|звісно ні|звичайно ні|same (?:problem|here\?))(?!\w)",
    re.IGNORECASE,
)
_OBJECTION = re.compile(
    r"^(?:(?:ой|ну|та|а|oh|well|ugh|eh|hmm|будь ласка|please|дуже|взагалі),? )?(?:-1|👎|"
    r"(?:(?:ні|нє|no|не)(?= ?(?:$|[,.!…]))|нєєє?|неа|не треба|не варто|не хочу|не згоден|не згодна|не погоджуюсь|не погоджуюся|не підтримую|проти|я проти|категорично|незгод\w+|нащо|навіщо|нафіга|жах|фу|маячня|тільки не|давайте не|давайте без цього|неправда|брехня|не факт|хіба|лишимо як є|"
    r"nah|nope|disagree|against|i'm against|not a fan|rather not|hard pass|absolutely not|definitely not|don't|hell no|veto|not really|not true|since when|that's not|please no|no thanks|let's not|i disagree|bad idea|terrible idea|leave it|boo|ew|thumbs down|not again|never)(?!\w))",
    re.IGNORECASE,
)
_RETRACTION = re.compile(
    r"(?<!\w)(?:forget it|never ?mind|scratch that|jk|just kidding|kidding|i'm joking|joking|i take (?:it|that) back|my bad|wrong chat|забудьте|забудь|"
    r"ні то ні|жартую|шучу|шуткую|проїхали|не туди|це жарт|беру слова назад|забираю слова|скасовую пропозицію|помилився чатом|помилилась чатом)(?!\w)",
    re.IGNORECASE,
)


def reaction_of(text: str) -> Reaction | None:
    """How a message reacts to the one before it, judged by how it begins; None when it does not."""
    plain = " ".join(clean(text).replace("\ufe0f", "").split())
    if _RETRACTION.search(plain):
        return Reaction.RETRACTION
    if _SUPPORT.search(plain) and not _NOT_SUPPORT.search(plain) and "?" not in plain[-4:]:
        return Reaction.SUPPORT
    return Reaction.OBJECTION if _OBJECTION.search(plain) else None


@dataclass(slots=True)
class Thread:
    """A finding with those who answered to it."""

    finding: Finding
    position: int
    supporters: dict[int, Message] = field(default_factory=dict)
    objectors: set[int] = field(default_factory=set)

    @property
    def message_ids(self) -> set[int]:
        """The finding's message and its supporters' messages: a reply to any of them is about the finding."""
        return {self.finding.message.message_id, *(message.message_id for message in self.supporters.values())}

    def holds(self) -> bool:
        """Whether enough members agree: an admin's rule needs nobody, a proposal needs more friends than foes."""
        finding = self.finding
        if finding.kind == "rule" and finding.needs == 0:
            return True
        return len(self.supporters) >= finding.needs and len(self.objectors) <= len(self.supporters)


def addressed(threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]) -> list[Thread]:
    """The findings about the chat that a message reacts to; those of one message go together.

    Args:
        strangers: Positions of messages that were neither findings nor reactions.
    """
    others = [
        thread
        for thread in threads
        if thread.finding.subject == "chat" and thread.finding.message.user_id != message.user_id
    ]
    if message.reply_to is not None:
        return [thread for thread in others if message.reply_to in thread.message_ids]
    near = [thread for thread in others if _is_near(thread.position, position, strangers)]
    if not near:
        return []
    newest = max(thread.position for thread in near)
    return [thread for thread in near if thread.position == newest]


def _is_near(at: int, position: int, strangers: Sequence[int]) -> bool:
    between = sum(at < stranger < position for stranger in strangers)
    return position - at <= NEAR_MESSAGES and between <= MAX_STRANGERS
