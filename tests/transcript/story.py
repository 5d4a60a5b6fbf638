"""The story that the READMEs tell, replayed by the product: what the console shows, what the pictures are drawn of."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from infra.local.events import Event, FactLearnt, Line
from infra.local.outcome import ReplayOutcome
from infra.local.script import read_script
from infra.local.script.replay import replay
from infra.local.view import terminal_view
from infra.system import SystemClock
from shared.domain.facts.fact import Fact
from shared.settings import Settings

_SCRIPTS = Path(__file__).resolve().parents[1] / "data" / "scripts"


@dataclass(frozen=True)
class Story:
    """One replayed script.

    Attributes:
        said: The messages, in the order in which they came.
        learnt: Every change of a fact, in the order in which it happened.
        known: The facts at the end.
    """

    events: tuple[Event, ...]
    said: tuple[Line, ...]
    learnt: tuple[FactLearnt, ...]
    known: tuple[Fact, ...]

    def console(self) -> str:
        """Return what a terminal shows, up to the bot's first answer."""
        shown = io.StringIO()
        view = terminal_view(shown)
        for event in self.events:
            if isinstance(event, Line | FactLearnt):
                view.show(event)
            if isinstance(event, Line) and event.is_bot:
                break
        return "\n".join(line.rstrip() for line in shown.getvalue().rstrip().splitlines())


async def told(language: str) -> Story:
    """Replay `tests/data/scripts/story.LANGUAGE.jsonl` with default settings, offline."""
    script = read_script(_SCRIPTS / f"story.{language}.jsonl", clock=SystemClock())
    events: list[Event] = []
    outcome: ReplayOutcome = await replay(Settings.from_env({}), script, events.append, keep=None)
    learnt = tuple(event for event in events if isinstance(event, FactLearnt))
    return Story(tuple(events), tuple(outcome.transcript), learnt, tuple(outcome.facts))
