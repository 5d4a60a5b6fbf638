"""Who is told of: what the index knows of people and of everybody who shares a name with one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from shared.domain.people.labels import Identity, look_of
from shared.domain.recall.index.corpus import Corpus

_LOOKED_AT = 32
"""Messages of one person by which it is told since when they are called so: a name of a day may be missed when it is
gone."""


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
    return Identity(
        user_id, said[-1].name, since, said[-1].username, is_admin=user_id in admins, is_bot=said[-1].is_bot
    )
