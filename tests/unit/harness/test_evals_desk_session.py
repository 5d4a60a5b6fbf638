"""Readers answer at the desk, and what they said is kept and played again."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shared.application.ports.model import Grounding, ModelRequest, ModelTurn
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.evals.desk import A_WEEK, ask, facts_in, play
from tests.evals.desk_group import GROUPS, DeskGroup, desk_groups
from tests.evals.desk_model import DeskFolder, DeskModel, PatientLoop
from tests.evals.desk_requests import Identity, identify, numbers_in, renumber, short_digest, words_in
from tests.evals.desk_session import (
    collect,
    keep_figures,
    learn_at_desk,
    models_of,
    replay_transcripts,
    worse_than_kept,
)
from tests.evals.desk_transcript import FIGURES, Entry, Transcript, read_transcript
from tests.support.reading.small_desk import small_group

NUTS = {
    "about": 1,
    "message": 1,
    "quote": "у мене алергія на горіхи",
    "key": "personal_info.health",
    "value": "горіхи",
    "text": "Оля має алергію на горіхи.",
    "verdict": "new",
    "until": "",
    "confidence": 0.95,
}
READ = {"parts": [{"part": 1, "summary": "Оля має алергію на горіхи.", "details": []}], "facts": [NUTS], "items": []}
PLAYED = [name for name in desk_groups() if (GROUPS / name / "transcripts" / FIGURES).is_file()]


class AnsweredFolder(DeskFolder):
    """A desk at which somebody sits who answers at once."""

    def __init__(self, folder: Path, reader: Callable[[ModelRequest], Any]) -> None:
        super().__init__(folder)
        self._folder, self._reader = folder, reader

    def write(self, identity: Identity, request: ModelRequest) -> str:
        number = super().write(identity, request)
        said = json.dumps(self._reader(request), ensure_ascii=False)
        (self._folder / "replies" / f"{number}.json").write_text(said, "utf-8")
        return number


def read(request: ModelRequest) -> Any:
    return READ if request.purpose == "reading" else {"text": "На горіхи."}


async def learnt(group: DeskGroup, desk: Path, store: Path) -> DeskModel:
    model = DeskModel(Transcript(), AnsweredFolder(desk, read))
    await play(group, store, {}, models_of(model))
    return model


def question(text: str = "на що в мене алергія?") -> ModelRequest:
    return ModelRequest("answer", "", (ModelTurn("user", (text,)),), grounding=Grounding(text, "uk"))


# --- The desk ---


async def test_a_reader_is_shown_the_whole_request_and_the_reply_is_learnt(tmp_path: Path) -> None:
    group, store = small_group(tmp_path), tmp_path / "spomyn.db"
    await learnt(group, tmp_path / "desk", store)
    shown = (tmp_path / "desk/requests/001.md").read_text("utf-8")
    assert all(words in shown for words in ("алергія на горіхи", "## schema", '"confidence"'))
    assert [fact.description for fact in await facts_in(group, store)] == ["Оля має алергію на горіхи."]


async def test_the_numbers_of_a_reading_are_understood(tmp_path: Path) -> None:
    group = small_group(tmp_path)
    await learnt(group, tmp_path / "desk", tmp_path / "spomyn.db")
    sent = json.loads((tmp_path / "desk/requests/002.json").read_text("utf-8"))
    said = [short_digest(words_in(each.text)) for each in group.script.messages]
    assert set(sent["numbers"]["members"].values()) == {"Оля", "Макс"}
    assert sent["numbers"]["messages"] == {"1": said[1]}
    assert sent["identity"]["pieces"] == [said[1]]


def test_a_run_that_was_ended_begins_again_with_the_replies_that_lie_there(tmp_path: Path) -> None:
    group, desk = small_group(tmp_path), tmp_path / "desk"
    first = asyncio.run(learnt(group, desk, tmp_path / "first.db"))
    asked = learn_at_desk("small", desk, tmp_path / "second.db", folder=tmp_path)
    assert asked == first.asked == len(list(desk.glob("requests/*.md"))) > 0


async def test_a_question_waits_for_its_reader_and_goes_on_after_a_call(tmp_path: Path) -> None:
    group, store, desk = small_group(tmp_path), tmp_path / "spomyn.db", tmp_path / "question"
    await learnt(group, tmp_path / "desk", store)
    replies = {"001.json": '{"function_call": {"name": "recall", "args": {"query": "алергія"}}}', "002.txt": "Горіхи."}
    waiting = []
    for name, written in replies.items():
        model = DeskModel(Transcript(), DeskFolder(desk))
        await ask(group, group.questions[0], store, A_WEEK, models_of(model))
        waiting.append((model.is_waiting, len(list(desk.glob("requests/*.md")))))
        (desk / "replies" / name).write_text(written, "utf-8")
    model = DeskModel(Transcript(), DeskFolder(desk))
    answer = await ask(group, group.questions[0], store, A_WEEK, models_of(model))
    assert waiting == [(True, 1), (True, 2)]
    assert (model.is_waiting, answer) == (False, "Горіхи.")


def test_no_deadline_passes_while_somebody_reads() -> None:
    async def read_slowly() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, PatientLoop)
        begun = time.monotonic() - loop.time()
        loop.stand_still(lambda: time.sleep(0.3))
        return time.monotonic() - loop.time() - begun

    with asyncio.Runner(loop_factory=PatientLoop) as runner:
        assert runner.run(read_slowly()) > 0.29, "by so much less time passed in the loop, however busy the machine is"


@pytest.mark.parametrize(("fault", "raised"), [("unavailable", ModelUnavailable), ("safety", ModelRefused)])
async def test_a_reader_may_say_that_something_goes_wrong(fault: str, raised: type[Exception], tmp_path: Path) -> None:
    model = DeskModel(Transcript(), AnsweredFolder(tmp_path, lambda _: {"fault": fault}))
    with pytest.raises(raised):
        await model.generate(question())


async def test_what_is_no_json_is_given_on_as_it_is(tmp_path: Path) -> None:
    folder = DeskFolder(tmp_path)
    folder.write(identify(question()), question())
    (tmp_path / "replies/001.json").write_text('{"facts": [{"about"', "utf-8")
    assert (await DeskModel(Transcript(), folder).generate(question())).text == '{"facts": [{"about"'


# --- Transcripts ---


def test_what_was_answered_is_kept_and_played_again(tmp_path: Path) -> None:
    group, store, desk = small_group(tmp_path), tmp_path / "spomyn.db", tmp_path / "desk"
    asyncio.run(learnt(group, desk, store))
    for retention in ("all", "week"):
        folder = AnsweredFolder(tmp_path / f"questions/{retention}/q", read)
        asyncio.run(ask(group, group.questions[0], store, {}, models_of(DeskModel(Transcript(), folder))))
    assert collect("small", desk, tmp_path / "questions", folder=tmp_path) == {"learning": 2, "questions": 2}
    report = replay_transcripts("small", folder=tmp_path)
    for retention in ("all", "week"):
        assert report.metrics[retention]["facts"]["recall"] == report.metrics[retention]["questions"]["share"] == 1.0
        assert report.metrics[retention]["desk"]["missing"] == 0
    assert report.metrics["all"]["desk"]["calls_per_100"] == 100.0
    keep_figures("small", report, folder=tmp_path)
    assert worse_than_kept("small", report, folder=tmp_path) == []
    report.metrics["week"]["questions"]["right"] = 0
    assert worse_than_kept("small", report, folder=tmp_path) == ["week: questions right is 0, was 1"]


async def test_what_nobody_answered_gets_the_emptiest_reply_and_is_counted(tmp_path: Path) -> None:
    group, store = small_group(tmp_path), tmp_path / "spomyn.db"
    model = DeskModel(Transcript())
    await play(group, store, {}, models_of(model))
    assert [each.purpose for each in model.missing] == ["reading", "reading"]
    with pytest.raises(ModelRefused):
        await model.generate(question())


def entry(*pieces: str, nth: int = 1) -> Entry:
    return Entry(Identity("reading", "facts", pieces, nth), "", {}, {"text": "".join(pieces)})


def test_a_stretch_that_ends_a_little_elsewhere_is_known_again_once() -> None:
    transcript = Transcript([entry(*"abcdefghij"), entry(*"klmnopqrst")])
    asked = Identity("reading", "facts", tuple("abcdefghi"))
    found = transcript.find(asked)
    assert found is not None
    assert found.reply == {"text": "abcdefghij"}
    assert transcript.find(asked) is None


@pytest.mark.parametrize("other", [{"kind": "items"}, {"nth": 2}, {"purpose": "meta"}, {"pieces": ("a", "x")}])
def test_another_request_is_not_taken_for_it(other: dict[str, Any]) -> None:
    asked = replace(Identity("reading", "facts", ("a", "b")), **other)
    assert Transcript([entry("a", "b")]).find(asked) is None


def test_a_reply_means_what_it_meant_when_the_numbers_have_moved() -> None:
    before = {"members": {"1": "Оля", "2": "Макс"}, "messages": {"1": "x"}, "known": {"1": "old"}, "open": {"1": "buy"}}
    now = {"members": {"1": "Макс", "2": "Оля"}, "messages": {"5": "x"}, "known": {"3": "old"}, "open": {}}
    reply = {
        "parts": [{"part": 1}],
        "facts": [NUTS | {"verdict": "replaces f1"}],
        "items": [{"message": 2, "settles": 1}],
    }
    moved = renumber(reply, before, now)
    assert moved["parts"] == reply["parts"]
    assert moved["facts"] == [NUTS | {"about": 2, "message": 5, "verdict": "replaces f3"}]
    assert moved["items"] == [{"message": -1, "settles": 0}]
    assert renumber(reply, before, {**now, "known": {}})["facts"][0]["verdict"] == "new"
    settling = {"facts": [{"verdict": "settles 1"}]}
    assert renumber(settling, before, {**now, "open": {"4": "buy"}}) == {"facts": [{"verdict": "settles 4"}]}
    assert renumber(settling, before, now) == {"facts": [{"verdict": "settles 0"}]}


def portrait(*facts: str) -> Identity:
    told = "\n".join(f'- "likes": "{fact}"' for fact in facts)
    return identify(ModelRequest("culture", "", (ModelTurn("user", (f"<facts>\n{told}\n</facts>",)),)))


def test_a_portrait_is_known_by_its_facts_and_not_given_for_somebody_else() -> None:
    of_ann, of_bob = portrait("Ann likes tea.", "Ann swims."), portrait("Bob likes tea.", "Bob swims.")
    transcript = Transcript([Entry(each, "", {}, {"text": text}) for each, text in ((of_bob, "Bob"), (of_ann, "Ann"))])
    assert transcript.find(portrait("Cat likes tea.", "Cat swims.")) is None
    found = transcript.find(portrait("Ann likes tea.", "Ann swims.", "Ann runs."))
    assert found is not None
    assert found.reply == {"text": "Ann"}


def test_only_readings_have_numbers() -> None:
    assert numbers_in(question()) == {}
    assert identify(question("хто?")).pieces == ("хто?",)


@pytest.mark.parametrize("name", PLAYED)
def test_what_readers_answered_gives_the_figures_that_it_gave(name: str) -> None:
    assert worse_than_kept(name, replay_transcripts(name, retentions=["all"])) == []
    assert read_transcript(GROUPS / name / "transcripts" / "questions.jsonl").entries
