"""Shows a chat's admins what it costs and what came of it: tables of narrow columns, as phones show them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo

from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.application.commands.call import CommandCall, group_digits
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import text, word
from shared.application.night.fan_out import NIGHTLY
from shared.application.night.figures import Account, chat_account
from shared.domain.delivery.markup import escape
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
    nights = [(word(language, f"job_{job}"), f"{at.astimezone(zone):%d.%m %H:%M}") for job, at in ran]
    known = {"stats_facts": account.facts, "stats_conflicts": account.conflicts}
    lines = [
        say(language, "stats_title"),
        spending_table(language, account),
        _budget(language, account),
        say(language, "stats_memory"),
        _align([(word(language, key), str(count)) for key, count in known.items()]),
        *_refused_lines(language, account),
        say(language, "stats_deployment"),
        *([_align(nights)] if nights else []),
        _health(language, account, zone),
        _queue(language, account),
    ]
    return Answer.of(text("\n".join(lines)))


def _align(table: Table) -> str:
    """Rows as one block of even columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rows = (
        " ".join([first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))])
        for first, *rest in table
    )
    block = "\n".join(row.rstrip() for row in rows)
    return f"<pre>{escape(block)}</pre>"


def shorten(number: int) -> str:
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
    return f"${amount:.1f}" if amount < 99.95 else f"${shorten(round(amount))}"


def spending_table(language: Language, account: Account) -> str:
    """Return what was said, asked and spent in each spell, as markup."""
    spells = account.spells
    purposes = [purpose for purpose in spells[-1].tokens if any(spell.tokens.get(purpose) for spell in spells)]

    def row(key: str, cells: Iterable[str], indent: str = "") -> tuple[str, ...]:
        return (f"{indent}{word(language, key)}", *cells)

    def purpose_rows(counts: Sequence[Mapping[str, int]]) -> Table:
        """A row for each purpose, moved to the right under what they add up to."""
        return [row(f"purpose_{each}", (shorten(count.get(each, 0)) for count in counts), " ") for each in purposes]

    return _align([
        ("", *(word(language, f"stats_days_{spell.days}") for spell in spells)),
        row("stats_messages", (shorten(spell.messages) for spell in spells)),
        row("stats_answers", (shorten(spell.answers) for spell in spells)),
        row("stats_calls", (shorten(sum(spell.calls.values())) for spell in spells)),
        *purpose_rows([spell.calls for spell in spells]),
        row("stats_tokens", (shorten(sum(spell.tokens.values())) for spell in spells)),
        *purpose_rows([spell.tokens for spell in spells]),
        row("stats_cached", (f"{spell.cached:.0%}" for spell in spells)),
        row("stats_cost", (dollars(spell.dollars) for spell in spells)),
    ])  # fmt: skip


def _budget(language: Language, account: Account) -> str:
    if account.budget == 0:
        return say(language, "stats_no_budget")
    left = max(0, account.budget - account.spent)
    return say(language, "stats_budget", left=group_digits(left), budget=group_digits(account.budget))


def _refused_lines(language: Language, account: Account) -> list[str]:
    known = set(map(str, Reason))
    rows = [(word(language, f"reason_{reason}"), str(count)) for reason, count in account.refused if reason in known]
    return [say(language, "stats_refused"), _align(rows)] if rows else []


def _health(language: Language, account: Account, zone: tzinfo) -> str:
    if account.health is None:
        return say(language, "stats_health_unknown")
    errors, warnings, looked_at = account.health
    key = "stats_health" if errors or warnings else "stats_health_good"
    at = f"{looked_at.astimezone(zone):%d.%m %H:%M}"
    return say(language, key, errors=str(errors), warnings=str(warnings), at=at)


def _queue(language: Language, account: Account) -> str:
    waiting = account.backlog
    if waiting is None:
        return say(language, "stats_queue_unknown")
    more = "" if waiting.complete else "+"
    return say(language, "stats_queue", late=f"{waiting.late}{more}", planned=f"{waiting.planned}{more}")
