"""What phrases about a Ukrainian chat have in common: who "we" are, where "here" is, how often, how together."""

# ruff: noqa: E501  (a phrase is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.matching.rows import PatternRow

GAP = "(!@others _){0,4}"
IN_CHAT = "(у|в|на|по (цей|наш|весь){0,2} @group / =тут / у|в =нас (=тут / у|в @group)?)"
CHAT = "(цей|наш|весь|увесь @group)"
US = (
    f"(=ми (=тут / @all / чатом|гуртом|разом / як @group / у|в (цей|наш)? @group / (ж|таки|взагалі|вже) =тут|@all){{1,3}}"
    f" / @all =тут|=ми / =тут =ми? @all / =тут / у|в =нас (=тут / @all / у|в @group){{0,2}} / {CHAT} / більшість (тут / з =нас)?"
    " / кожен (тут / з =нас) / у|в (цей|наш)? @group)"
)
OFTEN = (
    "(@often / увесь|весь|більшість час|часу / цілий|увесь|весь день|вечір / цілими днями|вечорами / кожний|кожен|кожного день|дня|вечір|вечора"
    " / з|із|зранку (рання|ранку|самого)? до ночі|вечора / без кінця|упину|зупину|перерви|зупинки / в|у основному|основне"
    " / по колу / знову й|і знову / (мало|ледь)? (не)? щодня / більше усього|всього / майже завжди|весь)"
)
TOGETHER = (
    "(весь|увесь компанія|чат|група|банда|тусовка|командою|кагалом|натовпом|складом|чатом / чатом|гуртом|толокою|компанією|наживо|спільно|колективно"
    " / @all разом / разом (@all / у =цьому чаті)? / =усім|=всім|=усією|=всією чатом|двором|під'їздом|будинком|класом|курсом|складом|гуртом|компанією|групою|бандою|громадою|ватагою / вперше @all? / @all вперше / @all наживо|офлайн|вживу / =усі|=всі)"
)
EACH = "(один|одне|одна|оден (з|над|про|до|від|на|за|в|у|для|по|із)? один|одного|одну|одному|одним|одній|одної|друга|другого)"
NOT_OBJECT = "!@never_object"
WHEN = (
    "(@lead|вже|сьогодні|вчора|учора|нарешті|минулий|тиждень|ок|тож|ж|таки|нагадую|дивіться|пам'ятаєте|памятаєте|довгих|суперечок|після"
    " / якщо|хто пропустив / для тих)"
)
TELL = "(,|–)? (що|так|про)? (,|–)?"


def chat_row(
    name: str, category: str, key: str, phrases: tuple[str, ...], hit: str, miss: str, *,
    confidence: float = 0.8, needs_support: bool = False, momentary: bool = False,
) -> PatternRow:  # fmt: skip
    """A row about the chat, in Ukrainian."""
    return PatternRow(
        name=f"uk_{name}", lang="uk", category=category, key=key, confidence=confidence,
        phrases=phrases, hit=hit, miss=miss, needs_support=needs_support, momentary=momentary,
    )  # fmt: skip
