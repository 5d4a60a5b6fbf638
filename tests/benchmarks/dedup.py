"""How long the nightly deduplication of one chat takes: the pairs alone, and the whole job on SQLite."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time

from infra.sqlite import SqliteStore
from infra.system import SystemIds
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.state import Chats
from shared.application.facts.writes import change_writes
from shared.application.night.tidying import dedup_chat
from shared.application.policy import Policy
from shared.domain.facts.change import FactChange
from shared.domain.facts.dedup import FactIndex
from shared.domain.facts.dedup.reading import read
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.facts.lifecycle import learn
from tests.benchmarks.report import Figure
from tests.support.queues import SteppedClock

CHAT = -1
SIZES = (500, 1_000, 2_000, 4_000)
SUBJECTS = 20
"""Members that the facts are spread over, where they are not all of one."""

MOST_SECONDS = 2.0
"""For the whole job with 2,000 facts, per core (issue 5)."""

_STRIDE = 7_919
"""A prime: all the values of a language come round before one does so again."""

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
_SAYINGS = {
    # (category, key, description), and the same in other words
    "uk": (
        (("preference", "likes", "Любить {}"), ("preference", "hobby", "Обожнює {}")),
        (("skill", "knows", "Добре знається на {}"), ("skill", "expertise", "Розбирається в {}")),
        (("goal", "plan", "Планує {} цього року"), ("goal", "dream", "Хоче {} цього року")),
        (("experience", "story", "Розповідає про {}"), ("experience", "past", "Колись було {}")),
    ),
    "en": (
        (("preference", "likes", "Enjoys {}"), ("preference", "hobby", "Loves {}")),
        (("skill", "knows", "Is good at {}"), ("skill", "expertise", "Has a talent for {}")),
        (("goal", "plan", "Plans {} this year"), ("goal", "dream", "Wants {} this year")),
        (("experience", "story", "Tells about {}"), ("experience", "past", "Once had {}")),
    ),
}
_WORDS = {
    "uk": (
        (
            "гірський|картатий|старий|київський|домашній|зимовий|швидкий|морський|дитячий|сусідський|вогняний|тихий|львівський"
            "|шкільний|лісовий|сонячний|гострий|паперовий|скляний|мідний"
        ),
        (
            "похід|концерт|ремонт|переклад|футбол|борщ|театр|велосипед|вальс|потяг|дельтаплан|сервер|сад|клуб|музей|архів|човен"
            "|краєвид|вірш|спектакль|турнір|марафон|роман|телескоп|килим|годинник|двигун|орган|намет|глобус|квест|верстат"
            "|портрет|кактус|акваріум|пазл|бумеранг|компас|барабан|фонтан"
        ),
        (
            "з друзями|на світанку|для племінника|під Полтавою|за виграні гроші|у стодолі|з інструкцією|у дворі|з цегли"
            "|на продаж|за кресленням діда|для конкурсу|з бабусею|на даху|для виставки"
        ),
    ),
    "en": (
        (
            "wooden|plaid|vintage|coastal|homemade|silver|quiet|electric|distant|frozen|velvet|rusty|hollow|crimson|ancient|foggy"
            "|marble|copper|tidal|woolen"
        ),
        (
            "kayak|opera|bakery|sculpture|drone|orchard|lantern|saxophone|trampoline|observatory|quilt|carousel|greenhouse"
            "|typewriter|catapult|windmill|mosaic|harpsichord|igloo|zeppelin|ukulele|bonsai|submarine|puppet|sundial|gondola"
            "|labyrinth|chandelier|periscope|hammock|accordion|kiln|aquarium|parade|tapestry|bobsleigh|abacus|totem|rickshaw"
            "|fountain"
        ),
        (
            "with neighbours|at dawn|for a nephew|near the quarry|on a tight budget|in a barn|with a manual"
            "|in the backyard|out of bricks|for sale|by a blueprint|for a contest|with grandma"
            "|on the roof|for an exhibition"
        ),
    ),
}


def candidates(count: int, subjects: int) -> list[Candidate]:
    """So many candidates about so many members, half of each language; one in ten says again what another says."""
    first = count - count // 10
    told = list(itertools.islice(_statements(), first))
    said = [_candidate(n, *each[0], subject=f"user:{n % subjects}") for n, each in enumerate(told)]
    again = [_candidate(first + n, *told[9 * n][1], subject=said[9 * n].subject) for n in range(count // 10)]
    return [*said, *again]


def _statements() -> Iterator[tuple[tuple[str, str, str, str], tuple[str, str, str, str]]]:
    """Distinct statements in both languages by turns, each with the same in other words; no value comes twice."""
    for number in itertools.count():
        language = ("uk", "en")[number % 2]
        qualities, things, manners = (words.split("|") for words in _WORDS[language])
        turn = number // 2 * _STRIDE
        turn, thing = divmod(turn, len(things))
        turn, quality = divmod(turn, len(qualities))
        value = f"{qualities[quality]} {things[thing]} {manners[turn % len(manners)]}"
        one, other = _SAYINGS[language][number // 2 % len(_SAYINGS[language])]
        yield _told(one, value), _told(other, value)


def _told(saying: tuple[str, str, str], value: str) -> tuple[str, str, str, str]:
    category, key, sentence = saying
    return category, key, value, sentence.format(value)


def _candidate(n: int, category: str, key: str, value: str, description: str, *, subject: str) -> Candidate:
    quote = Evidence(START + timedelta(minutes=n), n + 1, int(subject.removeprefix("user:")), description)
    return Candidate(subject, category, key, value, description, 0.8, (quote,))


def _made(said: Sequence[Candidate]) -> list[FactChange]:
    """As if every statement had been learnt where none of the others was known."""
    made = {change.after.id: change for each in said if (change := learn(None, each)) is not None}
    return list(made.values())


async def measure(folder: Path) -> list[Figure]:
    """Processor seconds for each number of facts; dictionaries are loaded by a first round that is not counted."""
    _pairs([change.after for change in _made(candidates(100, 1))])
    figures: list[Figure] = []
    for subjects, of in ((SUBJECTS, f"of {SUBJECTS} members"), (1, "of one member")):
        for size in SIZES:
            made = _made(candidates(size, subjects))
            seconds = _pairs([change.after for change in made])
            figures.append(Figure("dedup", f"pairs among {size:,} facts {of}", seconds, "s"))
            job, folded = await _job(folder / f"{subjects}-{size}.db", made)
            most = MOST_SECONDS if size == 2_000 else None
            figures.append(Figure("dedup", f"the job, {size:,} facts {of}", job, "s", most=most))
            figures.append(Figure("dedup", f"folded of {size // 10} repetitions, {size:,} facts {of}", folded))
    return figures


def _pairs(facts: Sequence[Fact]) -> float:
    read.cache_clear()
    began = process_time()
    index = FactIndex(facts)
    for fact in facts:
        index.twin(fact.id)
    return process_time() - began


async def _job(path: Path, made: Sequence[FactChange]) -> tuple[float, int]:
    """Processor seconds of all runs until nothing is left to do, and how many facts were folded."""
    store = SqliteStore(path)
    for start in range(0, len(made), 100):
        writes = [write for change in made[start : start + 100] for write in change_writes(CHAT, change, now=START)]
        await store.batch(writes)
    app, folded, more = _app(store), 0, True
    read.cache_clear()  # at night nothing has been read yet
    began = process_time()
    while more:
        outcome = await dedup_chat(app, ChatState(CHAT, known=True))
        folded, more = folded + outcome.counts["folded"], outcome.more
    seconds = process_time() - began
    await store.aclose()
    return seconds, folded


def _app(store: SqliteStore) -> App:
    """Spomyn as far as facts need it."""
    clock = SteppedClock(START + timedelta(days=30))
    policy = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг",))
    parts = {"store": store, "clock": clock, "ids": SystemIds(), "policy": policy, "chats": Chats(store, clock)}
    return App(**(dict.fromkeys(field.name for field in fields(App)) | parts))
