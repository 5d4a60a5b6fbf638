"""`facts`: what is believed, by whom it was said, and what was believed on a day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from infra.cli import frame
from infra.cli.frame import Session
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.documents import facts_path, member_path, subjects_path
from shared.application.facts.codec import evidence_fields, fact_from_fields
from shared.application.facts.version_codec import facts_as_of
from shared.application.people.member_codec import read_member
from shared.application.ports.store import Filter
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, Fact, Status
from shared.domain.text.plain import one_line

_CATEGORIES = sorted({*CHAT_CATEGORIES, *MEMBER_CATEGORIES})


@frame.command(
    "facts",
    example="""\
python -m infra.cli facts -1001234567890 --category rule --evidence
python -m infra.cli facts -1001234567890 --member 123456789 --as-of 2026-11-01 --json""",
)
@click.argument("chat_id", type=int)
@click.option("--member", type=int, metavar="USER_ID", help="Only what is known about this member; 0 for the chat.")
@click.option("--category", type=click.Choice(_CATEGORIES), help="Only this category.")
@click.option(
    "--status",
    type=click.Choice([*map(str, Status), "all"]),
    default=str(Status.ACTIVE),
    show_default=True,
    help="pending: contradicts a fact of higher authority; deprecated, expired: not believed any more.",
)
@click.option("--as-of", type=click.DateTime(("%Y-%m-%d",)), help="What was believed at the end of that day.")
@click.option("--evidence", is_flag=True, help="Every quote, not only the newest.")
async def command(
    session: Session,
    *,
    chat_id: int,
    member: int | None,
    category: str | None,
    status: str,
    as_of: datetime | None,
    evidence: bool,
) -> None:
    """Show the facts of the chat CHAT_ID and its members, with confidence and the quotes they stand on.

    --as-of reads the versions of the facts; the day is one of the chat's own time zone, and what was erased or reset
    is not among them. --json has every field and quote.
    """
    app, state = session.app, await session.chat(chat_id)
    subject = None if member is None else f"user:{member}" if member else "chat"
    if as_of is None:
        facts = await _facts(app, chat_id, subject, status)
    else:
        facts = await _read_believed(app, chat_id, subject, _end_of_day(app, state, as_of))
    facts = [fact for fact in facts if category in (None, fact.category)]
    names = await _names(app, chat_id, facts)
    session.show(
        [_to_json(fact, names) for fact in facts], lambda console: _tell(console, facts, names, evidence=evidence)
    )


async def _facts(app: App, chat_id: int, subject: str | None, status: str) -> list[Fact]:
    asked = {"subject": subject, "status": None if status == "all" else status}
    where = [Filter(name, "==", value) for name, value in asked.items() if value is not None]
    found = await app.store.query(facts_path(chat_id), where=where)
    facts = [fact_from_fields(document.data, consensus=app.policy.consensus) for document in found]
    return sorted(facts, key=lambda f: (f.subject != "chat", f.subject, f.category, f.key, f.value, f.status))


async def _read_believed(app: App, chat_id: int, subject: str | None, at: datetime) -> list[Fact]:
    subjects = [subject]
    if subject is None:
        subjects = sorted((d.id for d in await app.store.query(subjects_path(chat_id))), key=lambda s: (s != "chat", s))
    return [fact for each in subjects if each for fact in await facts_as_of(app.store, chat_id, each, at)]


def _end_of_day(app: App, state: ChatState, day: datetime) -> datetime:
    """The last instant of a day in the chat's time zone."""
    zone = choices_for(app.policy, state).timezone
    return (day + timedelta(days=1)).replace(tzinfo=zone) - timedelta(microseconds=1)


async def _names(app: App, chat_id: int, facts: Iterable[Fact]) -> dict[int, str]:
    """The names of those who are quoted or known, where there are some."""
    people = {e.user_id for fact in facts for e in fact.evidence} | {_member(fact) for fact in facts}
    wanted = sorted(people - {0})
    found = await app.store.get_many([member_path(chat_id, user_id) for user_id in wanted])
    return {member.user_id: member.name or str(member.user_id) for member in map(read_member, filter(None, found))}


def _member(fact: Fact) -> int:
    """The member that it is about, 0 for the chat."""
    return 0 if fact.subject == "chat" else int(fact.subject.removeprefix("user:"))


def _to_json(fact: Fact, names: dict[int, str]) -> dict[str, Any]:
    same = ("id", "subject", "category", "key", "value", "description", "confidence", "version", "conflicts_with")
    quotes = [evidence_fields(e) | {"name": names.get(e.user_id)} for e in fact.evidence]
    return {name: getattr(fact, name) for name in same} | {
        "name": names.get(_member(fact)),
        "status": str(fact.status),
        "authority": fact.authority.name.lower(),
        "valid_from": fact.valid_from,
        "valid_to": fact.closed_at,
        "last_reinforced_at": fact.last_reinforced_at,
        "evidence": quotes,
    }


def _tell(console: Console, facts: Sequence[Fact], names: dict[int, str], *, evidence: bool) -> None:
    if not facts:
        console.print("No facts.")
        return
    table = Table(box=box.SIMPLE_HEAD, row_styles=("", "dim"))
    for column in ("about", "category", "fact", "confidence", "said"):
        table.add_column(column, overflow="fold", no_wrap=column in ("category", "confidence"))
    for fact in facts:
        table.add_row(
            "chat" if fact.subject == "chat" else one_line(names.get(_member(fact), fact.subject), 40),
            fact.category,
            _fact_text(fact),
            f"{fact.confidence:.0%}",
            "\n".join(_quote(e, names) for e in (fact.evidence if evidence else fact.evidence[-1:])),
        )
    console.print(table)
    console.print(f"{len(facts)} facts")


def _fact_text(fact: Fact) -> Text:
    text = Text(one_line(fact.description)).append(f"\n{fact.key} = {one_line(fact.value)}", "italic")
    return text if fact.status is Status.ACTIVE else text.append(f"\n{fact.status}", "red")


def _quote(evidence: Evidence, names: dict[int, str]) -> str:
    author = one_line(names.get(evidence.user_id, str(evidence.user_id)), 40)
    return f"{evidence.sent_at:%Y-%m-%d} {author}: «{one_line(evidence.quote)}»"
