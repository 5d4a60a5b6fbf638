"""One label for each person of a chat, the same wherever they are told of: what they are called, and what tells
namesakes apart, "Андрій (Пластун)" or "Андрій (@andriy_dron)", a number only when nothing else is known ("Оля#2").

Names that only look alike count as one. Nobody is called as the bot is, nor as somebody whose name they took: a member
who takes another's name keeps their earlier one.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import NamedTuple

from shared.domain.text.data_files import Words, word_rows
from shared.domain.text.names import one_script, phonetic_key
from shared.domain.text.plain import one_line


@cache
def _names() -> tuple[Words, ...]:
    """Return the forms of each name; a name's number is its place here."""
    rows = word_rows(__package__, "short_names")
    return (*rows["ukrainian"], *rows["english"])


@cache
def _numbers_by_sound() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, forms in enumerate(_names()):
        for form in forms:
            found.setdefault(phonetic_key(form), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


def families_of(bare_sound: str) -> frozenset[int]:
    """Return which names a name can stand for, as numbers; by its sound without a case ending."""
    return _numbers_by_sound().get(bare_sound, frozenset())


def forms_of(bare_sound: str) -> frozenset[str]:
    """Return all forms of the names that a name can stand for."""
    return frozenset(form for number in families_of(bare_sound) for form in _names()[number])


MAX_NAME, MAX_USERNAME = 24, 32
"""Characters of a name in a label: Telegram allows 64 + 64, names in use are shorter. A username is shown whole."""

NAMELESS = "user"
"""The name of somebody whose own shows nothing that a label may hold."""

ALWAYS = datetime.min.replace(tzinfo=UTC)
"""Since when somebody has a name of whom nothing else is known."""

_STRUCTURE = re.compile(r"""[:#→←\[\]<>\\(){}|@"]""")
_WORD = re.compile(r"\w")


class Identity(NamedTuple):
    """A person, as far as a chat knows them.

    Attributes:
        name: What they are called now.
        since: All names that they have had, each with when they were first seen with it.
        aliases: What others call them.
    """

    user_id: int
    name: str
    since: Mapping[str, datetime] = {}
    username: str | None = None
    aliases: Sequence[str] = ()
    is_admin: bool = False
    is_bot: bool = False

    def since_when(self, look: str) -> datetime | None:
        """Return when they were first seen with a name that looks like this, or None."""
        names = self.since or {self.name: ALWAYS}
        return min((at for name, at in names.items() if look_of(name) == look), default=None)


def labels_of(people: Iterable[Identity], *, bot_id: int | None, bot_name: str) -> dict[int, str]:
    """Return a label for each person, and for the bot; the same people always get the same ones.

    Of namesakes of whom nothing else is known an admin has the name bare, else who had it first, else the lower id.

    Returns:
        Labels by user id, all different but for the bot under ids that it had before; none with `:`, `→` or a line
        break, nor with `#`, `@` and brackets but where they mark somebody.
    """
    bot, known = _strip_structure(bot_name, MAX_NAME), {each.user_id: each for each in people if each.user_id != bot_id}
    given = {} if bot_id is None else {bot_id: bot}
    given |= {each.user_id: bot for each in known.values() if each.is_bot and look_of(each.name) == look_of(bot)}
    members = [each for each in known.values() if each.user_id not in given]
    named = {each.user_id: _own_name(each, members) for each in members}
    of_look: dict[str, list[Identity]] = {look_of(bot): []}
    for each in sorted(members, key=lambda each: _claim(each, look_of(named[each.user_id]))):
        of_look.setdefault(look_of(named[each.user_id]), []).append(each)
    marks = Counter(look for each in members for look in {look_of(alias) for alias in each.aliases})
    marks.update(f"@{look_of(each.username)}" for each in members if each.username)
    unfit = {*of_look, *(mark for mark, count in marks.items() if count > 1)}
    for look, namesakes in of_look.items():
        unmarked = int(look == look_of(bot))
        for each in namesakes:
            name, mark = named[each.user_id], _mark(each, unfit) if unmarked or len(namesakes) > 1 else ""
            unmarked += not mark
            given[each.user_id] = f"{name} ({mark})" if mark else f"{name}#{unmarked}" if unmarked > 1 else name
    return given


@lru_cache(maxsize=10_000)
def look_of(name: str) -> str:
    """Return what a name looks like in a label: equal for names that a reader takes for one."""
    return one_script(_strip_structure(name, MAX_NAME)).casefold()


def _own_name(person: Identity, others: Iterable[Identity]) -> str:
    """Return what they are called, or, where they took that from somebody, the last name that is their own."""
    rivals = [each for each in others if each.user_id != person.user_id]
    names = sorted(person.since, key=lambda name: person.since[name], reverse=True)
    for name in dict.fromkeys([person.name, *names]):
        look = look_of(name)
        theirs = [_claim(rival, look) for rival in rivals if rival.since_when(look) is not None]
        if not theirs or _claim(person, look) < min(theirs):
            return _strip_structure(name, MAX_NAME)
    return _strip_structure(person.name, MAX_NAME)


def _claim(person: Identity, look: str) -> tuple[bool, datetime, int]:
    """Return what puts one before another who is called so, too: to be an admin, to have it longer."""
    return not person.is_admin, person.since_when(look) or ALWAYS, person.user_id


def _mark(person: Identity, unfit: Collection[str]) -> str:
    """Return what tells somebody apart from a namesake, or ""."""
    alias = next((alias for alias in person.aliases if look_of(alias) not in unfit), None)
    if alias is not None:
        return _strip_structure(alias, MAX_NAME)
    username = person.username or ""
    return f"@{_strip_structure(username, MAX_USERNAME)}" if username and f"@{look_of(username)}" not in unfit else ""


def _strip_structure(name: str, most: int) -> str:
    shown = one_line(_STRUCTURE.sub(" ", name), most).strip()
    return shown if _WORD.search(shown) or not shown.isascii() else NAMELESS
