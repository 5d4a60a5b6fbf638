"""Material for one answer, with defaults, so that a test shows only what matters."""

from datetime import UTC, datetime, timedelta

from shared.domain.answering.context.material import ChatFacts, ContextFileText, Excerpt, Material
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, ProfileQuote
from shared.domain.recall.index.note import Note
from tests.support.builders import START, message

BOT = 7
NOW = START + timedelta(days=1)
HEADINGS = {"rule": "Правила", "preference": "Вподобання"}


def question(text="гряг, коли їдемо?", **more):
    return message(text, **({"message_id": 1000, "sent_at": NOW} | more))


def fact(description, *, category="rule", name="Оля", user_id=101, subject="chat"):
    quote = ProfileQuote(5, user_id, name, description, START)
    return ProfileFact(
        description, subject, category, "k", "v", description, 0.9, Authority.ADMIN, 1, 1, START, START, (quote,)
    )


def note(kind, number, text, *, days=0):
    at = START - timedelta(days=days)
    return Note(kind, f"{kind}-{number}", number * 10, number * 10 + 9, at, at + timedelta(hours=1), text)


def talk(count, text="повідомлення", *, first=900):
    people = ((101, "Оля"), (102, "Тарас"), (103, "Оля"))
    return [
        message(
            f"{text} {i}",
            message_id=first + i,
            user_id=people[i % 3][0],
            name=people[i % 3][1],
            sent_at=NOW - timedelta(minutes=count - i),
        )
        for i in range(count)
    ]


def found(number, text="беремо намет", *, days=3, link=True, around=0):
    at = START - timedelta(days=days)
    said = message(
        f"{text} {number}", message_id=number, user_id=102, name="Тарас", sent_at=at + timedelta(minutes=number)
    )
    near = [
        message(f"поруч {number}", message_id=number + i, sent_at=at + timedelta(minutes=number + i))
        for i in range(1, around + 1)
    ]
    return Excerpt(said, (said, *near), f"https://t.me/c/1/{number}" if link else None)


def material(**more):
    defaults = {
        "rules": "You are гряг.",
        "question": question(),
        "language": "uk",
        "now": NOW,
        "zone": UTC,
        "bot_id": BOT,
        "bot_name": "гряг",
        "headings": HEADINGS,
    }
    return Material(**(defaults | more))


def full(**more):
    """Something in every layer, and more of each than fits."""
    defaults = {
        "chat": ChatFacts([fact(f"Правило {i}: ніякої політики") for i in range(12)], 8, 480),
        "portrait": "Ходять у походи, не говорять про політику. " * 14,
        "named": [fact("Віра пече хліб", category="skill", subject="user:103")],
        "asker": [fact(f"Любить каву {i}", category="preference", subject="user:101") for i in range(15)],
        "talk": talk(45),
        "later": talk(10, "потім", first=1001),
        "found": [found(i, around=2) for i in range(1, 200, 5)],
        "context_file": ContextFileText("- говоримо про похід\n- шукаємо намет", NOW - timedelta(days=2)),
        "metas": [note("meta", i, "Взимку група ходила на лижах. " * 5, days=60 + i) for i in range(4)],
        "summaries": [note("chunk", i, f"Домовлялись про похід {i}\n- Тарас бере намет", days=i) for i in range(8)],
        "key_facts": [note("chunk", 50 + i, f"Оля має казанок {i}", days=20) for i in range(5)],
        "episodes": [note("episode", i, "Сварка за музику, помирились", days=30) for i in range(5)],
    }
    return material(**(defaults | more))


def told(context):
    """Everything that the model is given to read."""
    return "\n".join([context.system, *("\n".join(turn.parts) for turn in context.turns)])


def at(day, hour=12):
    return datetime(2026, 3, day, hour, tzinfo=UTC)
