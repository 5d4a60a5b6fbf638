"""What a chat costs and what came of it, for its admins: tables of narrow columns, as phones show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.application.commands.call import CommandCall
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import text
from shared.application.night.figures import Account, Spell, chat_account
from shared.application.night.timetable import NIGHTLY
from shared.domain.delivery.markup import escape, plain
from shared.domain.reading.filters.reasons import Reason
from shared.domain.text.language import Language
from shared.locales import say

_THOUSAND, _TEN_THOUSAND, _MILLION = 1_000, 10_000, 1_000_000

Table = Sequence[tuple[str, ...]]


async def show(app: App, call: CommandCall) -> Answer:
    """All figures in one message."""
    account, language = await chat_account(app, call.state), call.language
    zone = choices_for(app.policy, call.state).timezone
    ran = [(job, account.nights[job]) for job in NIGHTLY if job in account.nights]
    nights = [(_word(language, f"job_{job}"), f"{at.astimezone(zone):%d.%m %H:%M}") for job, at in ran]
    lines = [
        say(language, "stats_title"),
        spent_table(language, account),
        _budget(language, account),
        say(language, "stats_memory"),
        _align(_memory_table(language, account)),
        *_refused_lines(language, account),
        say(language, "stats_deployment"),
        *([_align(nights)] if nights else []),
        _health(language, account, at=None if account.health is None else account.health[2].astimezone(zone)),
        _queue(language, account),
    ]
    return Answer.of(text("\n".join(lines)))


def _word(language: Language, key: str) -> str:
    return plain(say(language, key))


def _align(table: Table) -> str:
    """Rows as one block of even columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rows = (
        " ".join([first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))])
        for first, *rest in table
    )
    block = "\n".join(row.rstrip() for row in rows)
    return f"<pre>{escape(block)}</pre>"


def short(number: int) -> str:
    """A count in at most five characters, up to ten thousand million: a row of a table has no more than 32."""
    if number < _TEN_THOUSAND:
        return str(number)
    if number < _MILLION - _THOUSAND / 2:  # rounded, it would be 1000k
        return f"{number / _THOUSAND:.0f}k"
    return f"{number / _MILLION:.{1 if number < 100 * _MILLION else 0}f}M"


def dollars(amount: float) -> str:
    """Money in at most five characters: cents of little, tens of cents of more, none of much."""
    if amount < 9.995:  # rounded, more would be $10.00
        return f"${amount:.2f}"
    return f"${amount:.1f}" if amount < 99.95 else f"${short(round(amount))}"


def spent_table(language: Language, account: Account) -> str:
    """Return what was said, asked and spent in each spell, as markup."""
    return _align(_spending_table(language, account))


def _spending_table(language: Language, account: Account) -> Table:
    spells = account.spells
    purposes = [purpose for purpose in spells[-1].tokens if any(spell.tokens.get(purpose) for spell in spells)]

    def row(key: str, *cells: str) -> tuple[str, ...]:
        return (_word(language, key), *cells)

    return [
        ("", *(_word(language, f"stats_days_{spell.days}") for spell in spells)),
        row("stats_messages", *(short(spell.messages) for spell in spells)),
        row("stats_answers", *(short(spell.answers) for spell in spells)),
        row("stats_calls", *(short(sum(spell.calls.values())) for spell in spells)),
        *_by_purpose(language, spells, purposes),
        row("stats_tokens", *(short(sum(spell.tokens.values())) for spell in spells)),
        *_by_purpose(language, spells, purposes, tokens=True),
        row("stats_cached", *(f"{spell.cached:.0%}" for spell in spells)),
        row("stats_cost", *(dollars(spell.cost.dollars()) for spell in spells)),
    ]


def _by_purpose(
    language: Language, spells: Sequence[Spell], purposes: Sequence[str], *, tokens: bool = False
) -> list[tuple[str, ...]]:
    """A row for each purpose, moved to the right under what they add up to."""
    rows = []
    for purpose in purposes:
        counts = (spell.tokens if tokens else spell.calls for spell in spells)
        rows.append((f" {_word(language, f'purpose_{purpose}')}", *(short(count.get(purpose, 0)) for count in counts)))
    return rows


def _budget(language: Language, account: Account) -> str:
    if account.budget == 0:
        return say(language, "stats_no_budget")
    left = max(0, account.budget - account.spent)
    return say(language, "stats_budget", left=_group_digits(left), budget=_group_digits(account.budget))


def _group_digits(number: int) -> str:
    return f"{number:,}".replace(",", "\u00a0")


def _memory_table(language: Language, account: Account) -> Table:
    """Return what is believed, and what waits for a decision."""
    told = {"stats_facts": account.facts, "stats_conflicts": account.conflicts}
    return [(_word(language, key), str(count)) for key, count in told.items()]


def _refused_lines(language: Language, account: Account) -> list[str]:
    known = set(map(str, Reason))
    rows = [(_word(language, f"reason_{reason}"), str(count)) for reason, count in account.refused if reason in known]
    return [say(language, "stats_refused"), _align(rows)] if rows else []


def _health(language: Language, account: Account, *, at: datetime | None) -> str:
    if account.health is None or at is None:
        return say(language, "stats_health_unknown")
    errors, warnings, _ = account.health
    if not errors and not warnings:
        return say(language, "stats_health_good", at=f"{at:%d.%m %H:%M}")
    return say(language, "stats_health", errors=str(errors), warnings=str(warnings), at=f"{at:%d.%m %H:%M}")


def _queue(language: Language, account: Account) -> str:
    waiting = account.backlog
    if waiting is None:
        return say(language, "stats_queue_unknown")
    more = "" if waiting.complete else "+"
    return say(language, "stats_queue", late=f"{waiting.late}{more}", planned=f"{waiting.planned}{more}")
