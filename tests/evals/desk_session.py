"""The desk as it is used: readers answer while a talk is learnt and questions are put; what they said is played again.

What readers are asked is what the product asks a model, one request at a time while it learns, so that a run that was
ended begins again with the replies that lie there. tests/data/desk/README.md says how readers take part.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from infra.bootstrap import Models
from tests.evals.desk import RETENTIONS, ask, asked_of, calls_in, measure, play
from tests.evals.desk_group import GROUPS, DeskGroup, NoGroup, read_desk_group
from tests.evals.desk_model import DeskFolder, DeskModel, PatientLoop, WordEmbedder
from tests.evals.desk_transcript import (
    FIGURES,
    LEARNING,
    QUESTIONS,
    REQUESTS,
    Entry,
    Transcript,
    read_transcript,
    write_requests,
    write_transcript,
)
from tests.evals.extraction import Report

_LOOK_SECONDS = 2.0
_HELD = (
    *(("facts", figure, True) for figure in ("recall", "precision")),
    *(("facts", figure, False) for figure in ("superseded", "wrong_person", "never", "twice")),
    ("questions", "right", True),
    ("desk", "calls_per_100", False),
    ("desk", "input_tokens_per_100", False),
    ("desk", "missing", False),
)
"""Part and name of each figure that is held, and whether more of it is better."""


def models_of(model: DeskModel) -> Models:
    """Return the model with an embedder that needs nobody."""
    return Models(model, WordEmbedder())


def learn_at_desk(name: str, desk: Path, kept: Path, *, retention: str = "all", folder: Path = GROUPS) -> int:
    """Play a group's talk into `kept`, and wait for the reply to each request in `desk`; how many there were."""
    group = read_desk_group(name, folder)
    for part in ("", "-wal", "-shm"):
        kept.with_name(kept.name + part).unlink(missing_ok=True)
    model = DeskModel(Transcript(), DeskFolder(desk), waits=True)
    with asyncio.Runner(loop_factory=PatientLoop) as runner:
        runner.run(play(group, kept, RETENTIONS[retention], models_of(model)))
    return model.asked


def ask_at_desk(name: str, desk: Path, kept: Path, *, retention: str, folder: Path = GROUPS) -> dict[str, str]:
    """Put each question to a copy of `kept`, and follow up what readers answer until all are done; the answers."""
    group, answers = read_desk_group(name, folder), dict[str, str]()
    if not kept.is_file():
        raise NoGroup(f"there is no file {kept}")
    asked = asked_of(group, is_week=retention == "week")
    places = {q.id: desk / retention / q.id for q in asked}
    seen: dict[str, Sequence[str]] = {}
    while len(answers) < len(places):
        for question in (q for q in asked if q.id not in answers):
            replies = sorted(path.name for path in places[question.id].glob("replies/*"))
            if replies == seen.get(question.id):
                continue
            model = DeskModel(Transcript(), DeskFolder(places[question.id]))
            answer = asyncio.run(ask(group, question, kept, RETENTIONS[retention], models_of(model)))
            if not model.is_waiting:
                answers[question.id] = answer
                right = "right" if question.is_answered_by(answer) else "wrong"
                print(f"{retention}/{question.id} {right}: {answer}", file=sys.stderr, flush=True)
            seen[question.id] = replies
        time.sleep(_LOOK_SECONDS if len(answers) < len(places) else 0)
    return answers


# --- Transcripts --------------------------------------------------------------------------------


def collect(name: str, desk: Path, questions: Path | None, *, folder: Path = GROUPS) -> dict[str, int]:
    """Write what was answered into the group's transcripts, beside what stands in them already; how many replies."""
    place = folder / name / "transcripts"
    learnt = DeskFolder(desk).entries()
    asked = [found for each in _question_folders(questions) for found in each]
    for file, found in ((LEARNING, learnt), (QUESTIONS, asked)):
        if found:
            write_transcript(place / file, (entry for entry, _ in found))
    if learnt or asked:
        write_requests(place / REQUESTS, (text for _, text in (*learnt, *asked)))
    return {"learning": len(learnt), "questions": len(asked)}


def _question_folders(desk: Path | None) -> list[list[tuple[Entry, str]]]:
    places = [desk / retention for retention in RETENTIONS] if desk else []
    each = [folder for place in places if place.is_dir() for folder in sorted(place.iterdir()) if folder.is_dir()]
    return [DeskFolder(folder).entries(f"{folder.parent.name}/{folder.name}") for folder in each]


def replay_transcripts(name: str, *, folder: Path = GROUPS, retentions: Sequence[str] = tuple(RETENTIONS)) -> Report:
    """Play a group with what readers answered, and measure it as without a model.

    Beside the figures of each retention `desk` says how many requests there were, how many of them are worded
    otherwise than when they were read, and how many nobody has answered: these get the emptiest reply.
    """
    group = read_desk_group(name, folder)
    return asyncio.run(_replay(group, folder / name / "transcripts", retentions))


async def _replay(group: DeskGroup, transcripts: Path, retentions: Sequence[str]) -> Report:
    messages = sum(1 for _ in group.script.messages)
    report = Report({"group": group.name, "messages": messages})
    answered = read_transcript(transcripts / QUESTIONS)
    for retention in retentions:
        learning = DeskModel(read_transcript(transcripts / LEARNING))
        asking = {q.id: DeskModel(answered.of(f"{retention}/{q.id}")) for q in group.questions}
        with tempfile.TemporaryDirectory(prefix="spomyn-desk-") as store:
            kept, settings = Path(store, "spomyn.db"), RETENTIONS[retention]
            await play(group, kept, settings, models_of(learning))
            await measure(group, kept, retention, settings, report, lambda q, of=asking: models_of(of[q.id]))  # type: ignore[misc]
            spent = await calls_in(group, kept)
        learnt = [usage for purpose, usage in spent.items() if purpose != "answer"]
        report.metrics[retention]["desk"] = {
            "calls_per_100": round(100 * sum(usage["calls"] for usage in learnt) / messages, 2),
            "input_tokens_per_100": round(100 * sum(usage["input_tokens"] for usage in learnt) / messages),
            "output_tokens_per_100": round(100 * sum(usage["output_tokens"] for usage in learnt) / messages),
            **_played(learning, *asking.values()),
        }
    return report


def _played(*models: DeskModel) -> dict[str, int]:
    asked, changed = sum(each.asked for each in models), sum(each.changed for each in models)
    return {"asked": asked, "changed": changed, "missing": sum(len(each.missing) for each in models)}


def worse_than_kept(name: str, report: Report, *, folder: Path = GROUPS) -> list[str]:
    """Return what of a replay is worse than the figures that were kept, in words."""
    kept = json.loads((folder / name / "transcripts" / FIGURES).read_text("utf-8"))
    found = []
    for retention in (each for each in RETENTIONS if each in report.metrics):
        for part, figure, is_more_better in _HELD:
            before, now = (metrics[retention][part][figure] for metrics in (kept, report.metrics))
            if (now < before) if is_more_better else (now > before):
                found.append(f"{retention}: {part} {figure} is {now}, was {before}")
    return found


def keep_figures(name: str, report: Report, *, folder: Path = GROUPS) -> None:
    """Write the figures of a replay beside the transcripts: the gate holds them."""
    file = folder / name / "transcripts" / FIGURES
    file.write_text(json.dumps(report.metrics, ensure_ascii=False, indent=1) + "\n", "utf-8")
