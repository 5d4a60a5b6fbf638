"""Labelled talk: what a person would write into its CONTEXT.md, and what the rules find."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from shared.domain.consolidation.items import Item, Quote, Section, Suggestion
from shared.domain.consolidation.resolving import resolve_items
from shared.domain.consolidation.reviewing import Refused, verify
from shared.domain.consolidation.suggesting import suggest
from shared.domain.conversation.messages import Message
from tests.unit.domain.consolidation.item_lists import KYIV

FOLDER = Path(__file__).parents[3] / "data/consolidation"
MONDAY = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)
_PEOPLE = {
    "T": (101, "Тарас Бондар", "taras"), "O": (102, "Оля Коваль", "olia"), "M": (103, "Марко", None),
    "K": (104, "Mike Harris", "mike"), "A": (105, "Anna", None), "B": (900, "Спомин", "spomyn_bot"),
}  # fmt: skip


class Score(NamedTuple):
    """Found and expected, found and not expected, expected and not found."""

    right: int
    wrong: list[str]
    missed: list[str]

    @property
    def precision(self) -> float:
        return self.right / (self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        return self.right / (self.right + len(self.missed))


def read(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def talk(lines: list[list[Any]]) -> list[Message]:
    """A line a minute: who speaks, what, and what it replies to (`reply_bot`: a message of the bot before all)."""
    messages = [_message(0, ["B", "Я тут."])]
    for number, line in enumerate(lines, start=1):
        messages.append(_message(number, line))
    return messages


def _message(number: int, line: list[Any]) -> Message:
    who, text, *more = line
    user_id, name, username = _PEOPLE[who]
    said = more[0] if more else {}
    return Message(
        chat_id=-1001, message_id=1000 + number, sent_at=MONDAY + timedelta(minutes=number), user_id=user_id, name=name,
        username=username, text=text, is_bot=who == "B",
        reply_to=1000 if said.get("reply_bot") else 1000 + said["reply"] if "reply" in said else None,
    )  # fmt: skip


def suggested(case: dict[str, Any]) -> list[Item]:
    """What survives the review of what the rules suggest."""
    messages = talk(case["talk"])
    by_id = {message.message_id: message for message in messages}
    found: list[Suggestion] = suggest(messages, [], zone=KYIV, language=case["lang"])
    reviewed = (verify(s, by_id, may_speak=lambda _: True, zone=KYIV, language=case["lang"]) for s in found)
    return [item for item in reviewed if not isinstance(item, Refused)]


def score_suggestions(cases: list[dict[str, Any]]) -> Score:
    """An item is right when its section, owner, words and day are those of an expected one."""
    right, wrong, missed = 0, list[str](), list[str]()
    for case in cases:
        found, expected = suggested(case), list(case["expect"])
        for item in found:
            match = next((e for e in expected if _fits(item, e)), None)
            if match is None:
                wrong.append(f"{item.section}: {item.text} {item.due or ''} <- {case['talk']}")
            else:
                expected.remove(match)
                right += 1
        missed += [
            f"{e} <- {case['talk']} (found: {[f'{i.section}: {i.text} {i.due}' for i in found]})" for e in expected
        ]
    return Score(right, wrong, missed)


def _fits(item: Item, expected: list[Any]) -> bool:
    section, owner, words, due = expected
    said = item.text.casefold()
    day = None if due is None else date.fromisoformat(due)
    return (
        item.section == section and said.startswith(owner.casefold()) and words.casefold() in said and item.due == day
    )


def score_resolved(cases: list[dict[str, Any]]) -> Score:
    right, wrong, missed = 0, list[str](), list[str]()
    for case in cases:
        over = bool(resolve_items([_item(case)], talk(case["talk"])))
        right += over and case["over"]
        wrong += [str(case)] * (over and not case["over"])
        missed += [str(case)] * (case["over"] and not over)
    return Score(right, wrong, missed)


def _item(case: dict[str, Any]) -> Item:
    said = Quote(1001, 106, "…", MONDAY - timedelta(hours=1))
    return Item(Section(case["section"]), case["item"], (said,), said.sent_at, language=case["lang"])


def by_language(cases: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    return [(lang, [case for case in cases if case["lang"] == lang]) for lang in ("uk", "en")]


def _show() -> None:
    for name, score in (("suggest", score_suggestions), ("resolved", score_resolved)):
        for lang, cases in by_language(read(name)):
            result = score(cases)
            print(f"{name} {lang}: {len(cases)} cases, precision {result.precision:.3f}, recall {result.recall:.3f}")
            print(
                *(f"  wrong   {each}" for each in result.wrong),
                *(f"  missed  {each}" for each in result.missed),
                sep="\n",
            )


if __name__ == "__main__":
    _show()
