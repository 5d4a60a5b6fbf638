"""A group's life over some weeks, for replaying it through the webhook and asking about it afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support import updates
from tests.support.group import Group

FOLDER = Path(__file__).parents[1] / "data/recall"
_PAUSE = timedelta(minutes=30)


@dataclass(frozen=True)
class Asked:
    """A question about what was said: `evidence` are the messages that answer it, any of them; none when nobody did."""

    id: str
    lang: str
    asker: int
    text: str
    evidence: tuple[int, ...]
    kind: str


@dataclass(frozen=True)
class Weeks:
    """What was said, in order, and the questions."""

    messages: tuple[dict[str, Any], ...]
    questions: tuple[Asked, ...]

    @property
    def begins(self) -> datetime:
        return datetime.fromisoformat(self.messages[0]["date"])

    def sender(self, user_id: int) -> dict[str, Any]:
        """A member as Telegram shows them."""
        said = next(message for message in self.messages if message["user_id"] == user_id)
        named = {"username": said["username"]} if said["username"] else {}
        return updates.user(user_id, said["name"], **named)


def read_weeks(messages: Path = FOLDER / "weeks.jsonl", questions: Path = FOLDER / "questions.jsonl") -> Weeks:
    """Both files."""
    asked = (Asked(**each | {"evidence": tuple(each["evidence"])}) for each in _lines(questions))
    return Weeks(tuple(_lines(messages)), tuple(asked))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


async def replay(group: Group, weeks: Weeks) -> None:
    """Say everything, each at its time, and let the workers do what is due in every pause."""
    for said in weeks.messages:
        at = datetime.fromisoformat(said["date"])
        if at - group.clock.now() > _PAUSE:
            await _work(group, until=at)
        group.clock.advance(max(at - group.clock.now(), timedelta()))
        assert await group.deliver(_update(group, weeks, said)) == 200
    await _work(group, until=group.clock.now() + _PAUSE)


async def _work(group: Group, *, until: datetime) -> None:
    while group.clock.now() < until:
        await group.tasks.dispatch_due(group.clock.now())
        assert not group.tasks.exhausted, group.tasks.exhausted
        left = until - group.clock.now()
        group.clock.advance(min(left, _PAUSE) if group.tasks.tasks else left)


def _update(group: Group, weeks: Weeks, said: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {"message_id": said["message_id"], "sender": weeks.sender(said["user_id"])}
    if said["reply_to"] is not None:
        fields["reply_to_message"] = updates.message("", message_id=said["reply_to"])
    if said["forwarded"]:
        fields["forward_origin"] = {"type": "hidden_user", "date": 1, "sender_user_name": "Хтось"}
    if said["kind"] == "photo":
        size = {"file_id": f"photo-{said['message_id']}", "file_unique_id": f"p{said['message_id']}"}
        fields |= {"photo": [size | {"width": 640, "height": 480}], "caption": said["text"]}
        return group.says(None, **fields)
    return group.says(said["text"], **fields)


async def ask(group: Group, weeks: Weeks, asked: Asked) -> str:
    """The answer to one question, with its markup."""
    before = len(group.api.sent)
    group.ids().keep(weeks.messages[-1]["message_id"])
    question = group.says(asked.text, sender=weeks.sender(asked.asker))
    assert await group.deliver(question) == 200
    group.clock.advance(timedelta(minutes=1))
    return "\n".join(sent.raw for sent in group.api.sent[before:])
