"""The roster of people: what the index knows of them and of everybody who shares a name with one of them."""

from collections.abc import Collection, Iterable

import numpy as np

from shared.domain.facts.fact import Fact, Status
from shared.domain.people.labels import Identity, look_of
from shared.domain.recall.index.corpus import Corpus
from shared.domain.text.language import fold, lemma
from shared.domain.text.names import phonetic_key

ALIAS_KEYS = ("name", "nickname")
"""Keys of facts that say what a member is called."""

_LOOKED_AT = 32
"""Messages of one person by which it is told since when they are called so: a name of a day may be missed when it is
gone."""


def aliases_in(facts: Iterable[Fact]) -> dict[int, tuple[str, ...]]:
    """Return what else members are called by what is believed of them, each name in its dictionary form."""
    found: dict[int, list[str]] = {}
    for fact in sorted(facts, key=lambda fact: (-fact.confidence, fact.id)):
        believed = fact.status is Status.ACTIVE and fact.conflicts_with is None and fact.key in ALIAS_KEYS
        if believed and fact.subject != "chat":
            found.setdefault(int(fact.subject.removeprefix("user:")), []).append(_nominative(fact.value))
    return {user_id: tuple(dict.fromkeys(names)) for user_id, names in found.items()}


def _nominative(name: str) -> str:
    """Return "Шуруп" for "Шурупом", when that is a word; as people write it where it is none."""
    base = lemma(fold(name))
    base = base if phonetic_key(base) == phonetic_key(fold(name)) else name
    return base[:1].upper() + base[1:]


def roster_of(corpus: Corpus, user_ids: Iterable[int], admins: Collection[int]) -> dict[int, Identity]:
    """Return who these are, and their namesakes, as far as the index has their words; it reads a few."""
    wanted = {user_id for user_id in user_ids if user_id in corpus.names}
    looks = {look_of(name) for user_id in wanted for name in corpus.names[user_id]}
    alike = (user_id for user_id, names in corpus.names.items() if any(look_of(name) in looks for name in names))
    return {user_id: _person(corpus, user_id, admins) for user_id in sorted({*wanted, *alike})}


def _person(corpus: Corpus, user_id: int, admins: Collection[int]) -> Identity:
    rows = np.flatnonzero(corpus.speakers == user_id)
    rows = rows[np.argsort(corpus.sent_at[rows], kind="stable")]
    step = max(1, len(rows) // _LOOKED_AT) if len(corpus.names[user_id]) > 1 else max(1, len(rows))
    said = [corpus.item(int(row)) for row in [*rows[:-1:step], rows[-1]]]
    since = {m.name: m.sent_at for m in reversed(said)}
    last, aliases = said[-1], corpus.aliases.get(user_id, ())
    return Identity(user_id, last.name, since, last.username, aliases, is_admin=user_id in admins, is_bot=last.is_bot)
