"""Things that people promise, ask for and plan: verbs, uk and en, and the phrases that they stand in.

They are data, in `actions.toml`, where each phrase says what it finds.
"""

from collections.abc import Mapping

from shared.domain.reading.matching.phrases import Phrase
from shared.domain.reading.matching.tables import read_marks
from shared.domain.text.data_files import Words, read_data


def _ing(verb: str) -> tuple[str, ...]:
    """Ways to write its "-ing" form, of which one is right."""
    return (f"{verb}ing", f"{verb.removesuffix('e')}ing", f"{verb}{verb[-1]}ing")


def _plural(form: str) -> tuple[str, ...]:
    if form.endswith(("йся", "вся")):
        return (f"{form[:-2]}теся", f"{form[:-2]}тесь")
    if form.endswith("ись"):
        return (f"{form[:-3]}іться",)
    if form.endswith("и"):
        return (f"{form[:-1]}іть",)
    return (f"{form}те",)


def _words_of(table: str) -> dict[str, Words]:
    return {name: tuple(text.split()) for name, text in read_data(__package__, "actions")[table].items()}


_VERBS = _words_of("verbs")
_ASKED = {name: dict(pair.split(":") for pair in pairs) for name, pairs in _words_of("asked").items()}

TASKS_UK, TASKS_EN = frozenset(_VERBS["tasks_uk"]), frozenset(_VERBS["tasks_en"])
"""Verbs for what people take upon themselves to do."""

ASKED = _ASKED["things"]
"""Ukrainian imperatives to one person, each with its infinitive."""

ASKED_OF_MANY = {many: verb for one, verb in ASKED.items() for many in _plural(one)}
"""Imperatives to several people or to somebody one is polite to."""

WISHED = _ASKED["manner"]
"""Ukrainian ways to ask how to talk, each with its infinitive."""

JOINT_WORK = frozenset(_VERBS["joint"])
"""Works that, once several members agree that they are needed, are a plan of theirs rather than an errand."""

_LISTS: Mapping[str, list[str]] = {
    **{name: list(words) for name, words in _words_of("lists").items()},
    "task_i": [f"{verb}#i" for verb in _VERBS["tasks_uk"]],
    "task_he": [f"{verb}#{person}" for verb in _VERBS["tasks_uk"] for person in ("he", "you", "we", "i")],
    "task": list(_VERBS["tasks_uk"]),
    "do": list(_VERBS["tasks_en"]),
    "plan_we": [f"{verb}#we" for verb in _VERBS["plans_uk"]],
    "plan": list(_VERBS["plans_uk"]),
    "act": list(_VERBS["plans_en"]),
    "acting": [f"={form}" for verb in _VERBS["plans_en"] for form in _ing(verb)],
    "asked": [f"={form}" for form in ASKED],
    "asked_all": [f"={form}" for form in ASKED_OF_MANY],
    "wish_all": [f"={form}" for form in WISHED],
    "wish_we": [f"={form}" for form in _VERBS["we_talk"]],
}


PHRASES: Mapping[str, tuple[Phrase, ...]] = {
    name: tuple(Phrase(source, _LISTS) for source in sources)
    for name, sources in read_data(__package__, "actions")["phrases"].items()
}
"""Phrases by the name of what they find, in the order in which they are tried."""

MARKS = read_marks(__package__, "marks", {"soon": ["all", "now", "already", "finally"]})
"""The marks of `marks.toml` by name: phrases that say what kind of sentence it is."""
