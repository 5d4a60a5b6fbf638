"""The desk's groups are well formed, and the scorer tells right from wrong."""

import asyncio
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from infra.local.script.steps import Edit, Member, Night, Say
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, Fact, Status
from tests.evals.__main__ import main
from tests.evals.desk import ask, asked_of, evaluate_desk, facts_in, play, question_metrics, score_facts
from tests.evals.desk_group import (
    ANYBODY,
    CHAT,
    KINDS,
    REASONS,
    DeskGroup,
    NoGroup,
    Words,
    desk_groups,
    read_desk_group,
)
from tests.support.reading.small_desk import small_group

each_group = pytest.mark.parametrize("group", [pytest.param(read_desk_group(n), id=n) for n in desk_groups()])


@cache
def kubyk() -> DeskGroup:
    return read_desk_group("kubyk")


def said_in(group: DeskGroup) -> dict[int, str]:
    """Texts by message, with what they were edited to."""
    texts = {said.message_id: said.text for said in group.script.messages}
    for edit in (step.action for step in group.script.steps if isinstance(step.action, Edit)):
        texts[edit.message_id] += f"\n{edit.text}"
    return texts


def fact(subject: str, description: str, status: Status = Status.ACTIVE) -> Fact:
    return Fact(subject, "preference", "key", "", description, 0.8, (), Authority.OWN_STATEMENT, False, status)


# --- The groups ---


def test_there_are_two_groups() -> None:
    assert desk_groups() == ["dippers", "kubyk"]


@each_group
def test_a_group_has_three_hundred_messages_over_three_weeks_and_a_night_after_each_day(group: DeskGroup) -> None:
    days = [step.date.date() for step in group.script.steps if isinstance(step.action, Say)]
    nights = [step for step in group.script.steps if isinstance(step.action, Night)]
    assert len(days) >= 300
    assert days[-1] - days[0] >= timedelta(days=21)
    assert len(nights) == len(set(days))
    assert group.script.steps[-1].date <= group.asked_at


@each_group
def test_two_members_have_one_name_and_somebody_takes_the_admins(group: DeskGroup) -> None:
    notes = Counter(note for member in group.members.values() if (note := member.note))
    assert notes == {"admin": 1, "namesake": 2, "renamed": 1, "forgotten": 1}
    assert len({member.name for member in group.members.values() if member.note == "namesake"}) == 1
    of_note = {member.note: member for member in group.members.values()}
    spoken_as = {s.person.name for s in group.script.messages if s.person.user_id == of_note["renamed"].user_id}
    assert spoken_as == {of_note["renamed"].name, of_note["admin"].name}


@each_group
def test_who_is_forgotten_asks_for_it_and_leaves(group: DeskGroup) -> None:
    forgotten = next(member.user_id for member in group.members.values() if member.note == "forgotten")
    theirs = [
        s.action for s in group.script.steps if getattr(getattr(s.action, "person", None), "user_id", 0) == forgotten
    ]
    assert [said.text for said in theirs if isinstance(said, Say)][-1] == "/gryadforgetme"
    assert isinstance(theirs[-1], Member)
    assert theirs[-1].standing == "left"


@each_group
def test_members_are_who_speaks(group: DeskGroup) -> None:
    assert {s.person.user_id for s in group.script.messages} == {m.user_id for m in group.members.values()}


@each_group
def test_ids_are_unique_and_every_reference_leads_somewhere(group: DeskGroup) -> None:
    labels = [*group.must, *group.may, *group.superseded, *group.never]
    ids = [label.id for label in labels]
    assert [name for name, times in Counter(ids).items() if times > 1] == []
    assert {label.subject for label in labels} <= {*group.members, CHAT, ANYBODY}
    assert {label.by for label in group.superseded} - {""} <= {label.id for label in group.must}
    assert all(label.since for label in group.superseded)
    assert {label.reason for label in group.never} <= set(REASONS)
    assert all(label.words.any_of for label in labels)


@each_group
def test_evidence_stands_in_the_talk(group: DeskGroup) -> None:
    texts = said_in(group)
    numbers = {
        n
        for part in (group.must, group.may, group.superseded, group.never, group.questions)
        for each in part
        for n in each.messages
    }
    assert numbers <= texts.keys()
    assert all(label.messages for label in (*group.must, *group.may, *group.superseded, *group.never))
    assert [label.id for label in group.must if not any(label.quote in texts[n] for n in label.messages)] == []


@each_group
def test_labels_are_as_many_as_wanted_and_in_categories_of_their_subject(group: DeskGroup) -> None:
    assert len(group.must) >= 40
    assert min(map(len, (group.may, group.superseded, group.never))) >= 10
    for label in (*group.must, *group.may):
        assert label.category in (
            CHAT_CATEGORIES if label.subject == CHAT else (*MEMBER_CATEGORIES, "event", "topic")
        ), label.id


@each_group
def test_questions_are_of_every_kind_and_their_answers_stand_in_the_talk(group: DeskGroup) -> None:
    assert len({question.id for question in group.questions}) == len(group.questions) == 45
    assert {question.kind for question in group.questions} == set(KINDS)
    for question in group.questions:
        assert question.asker in group.members
        assert question.accept or question.forbid.any_of, question.id
        assert bool(question.messages) is (question.kind not in ("unanswerable", "forgotten")), question.id


@each_group
def test_what_must_be_known_is_not_what_must_never_be(group: DeskGroup) -> None:
    told = [
        fact(
            CHAT if label.subject == CHAT else f"user:{group.members[label.subject].user_id}",
            re.sub("[=+]", " ", label.words.any_of[0]),
        )
        for label in group.must
    ]
    score = score_facts(group, told)
    assert (score.never, score.superseded, score.wrong_person, score.unlabelled) == ([], [], [], [])
    assert len(score.recalled) == len(group.must)


# --- The scorer ---


def test_words_are_beginnings_or_whole_and_may_be_wanted_together() -> None:
    assert Words(("п'ятниц",)).occur_in("Граємо щотижня: П’ЯТНИЦЯ, 19:00")
    assert not Words(("п'ятниц",)).occur_in("щоп'ятниці")
    assert Words(("=ore",)).occur_in("lives in Ore.")
    assert not Words(("=ore",)).occur_in("oregano, more")
    assert Words(("звати+ліл",)).occur_in("Ліля, так звати")
    assert not Words(("звати+ліл",)).occur_in("так звати")
    assert Words(("22:00",)).occur_in("о 22-00")
    assert not Words(("=£9",)).occur_in("£90")
    assert Words(("knyha",)).occur_in("Ось він: `Knyha2024`, 'так'")
    assert Words(("gdansk", "немає")).occur_in("in Gdańsk")
    assert Words(("його",)).occur_in("Його")
    assert not Words(()).occur_in("anything")


def test_each_mistake_is_counted_as_what_it_is() -> None:
    score = score_facts(
        kubyk(),
        [
            fact("chat", "Граємо в п'ятницю"),
            fact("chat", "Збори: п'ятниця"),
            fact("chat", "Збираємось у середу"),
            fact("chat", "Збирались у середу, тепер у п'ятницю"),
            fact("user:7103", "Ветеринар"),
            fact("user:7107", "Боїться павуків"),
            fact("user:7104", "Ветеринарка"),
            fact("user:7106", "Тварини: сім песиків"),
            fact("user:7107", "Любить довгі прогулянки"),
            fact("user:7101", "Ліля — адмін"),
            fact("user:7101", "Купує печиво", Status.DEPRECATED),
        ],
    )
    assert (score.current, score.right) == (10, 5)
    assert score.recalled == {"day_friday", "vet"}
    assert len(score.twice) == 2
    assert len(score.wrong_person) == 2
    assert [len(each) for each in (score.superseded, score.never, score.unlabelled)] == [1, 1, 1]
    assert score.metrics(50)["recall"] == 0.04
    assert score.metrics(50)["precision"] == 0.5


def test_a_month_may_be_told_by_its_number() -> None:
    score = score_facts(
        read_desk_group("dippers"), [fact("user:7205", "Rupa's baby is due on 2027-04-04, not in March.")]
    )
    assert (score.superseded, score.recalled >= {"due_april"}) == ([], True)


def test_an_answer_needs_every_group_of_words_and_nothing_that_is_forbidden() -> None:
    asked = {question.id: question for question in kubyk().questions}
    assert asked["u06"].is_answered_by("Шуруп живе на Леваді")
    assert not asked["u06"].is_answered_by("Саша живе на Леваді, або на Монастирській")
    assert not asked["u06"].is_answered_by("Не знаю")
    assert asked["u33"].is_answered_by("Я про це нічого не знаю")
    assert not asked["u33"].is_answered_by("Не знаю, її просили забути")


def test_with_a_week_left_only_what_can_be_answered_then_counts() -> None:
    questions = [question for question in kubyk().questions if question.id in ("u01", "u14", "u36")]
    answers = {"u01": "у п'ятницю", "u14": "не знаю", "u36": "Knyha2024zyhina"}
    everything = question_metrics(questions, answers)
    assert (everything["asked"], everything["right"], everything["share"]) == (3, 2, 0.6667)
    assert everything["by_kind"] == {"contact": "1/1", "single": "1/1", "two-hop": "0/1"}
    group = replace(kubyk(), questions=questions)
    assert [question.id for question in asked_of(group, is_week=True)] == ["u01"]


async def test_a_group_is_played_and_a_question_put_to_a_copy_of_the_store(tmp_path: Path) -> None:
    group, store = small_group(tmp_path), tmp_path / "spomyn.db"
    outcome = await play(group, store, {})
    assert outcome.unextracted == 0
    assert score_facts(group, await facts_in(group, store)).recalled == {"nuts"}
    first = await ask(group, group.questions[0], store, {})
    assert group.questions[0].is_answered_by(first)
    assert await ask(group, group.questions[0], store, {}) == first


def test_a_store_that_was_played_already_is_measured_as_it_is(tmp_path: Path) -> None:
    group, store = small_group(tmp_path), tmp_path / "spomyn.db"
    asyncio.run(play(group, store, {}))
    before = store.read_bytes()
    report = evaluate_desk("small", store, folder=tmp_path)
    assert report.failures == []
    assert report.metrics["kept"]["facts"]["recall"] == report.metrics["kept"]["questions"]["share"] == 1.0
    assert store.read_bytes() == before


def test_a_group_is_measured_with_all_messages_and_with_a_week_of_them(tmp_path: Path) -> None:
    small_group(tmp_path)
    report = evaluate_desk("small", folder=tmp_path)
    assert report.metrics["messages"] == 2
    assert [report.metrics[name]["questions"]["right"] for name in ("all", "week")] == [1, 1]


def test_a_group_that_is_not_there_and_one_that_lacks_a_field_are_named(tmp_path: Path) -> None:
    with pytest.raises(NoGroup, match="there are: dippers, kubyk"):
        read_desk_group("somewhere")
    small_group(tmp_path)
    labels = tmp_path / "small" / "labels.toml"
    labels.write_text(labels.read_text("utf-8").replace('subject = "olia"\n', ""), "utf-8")
    with pytest.raises(NoGroup, match="subject"):
        read_desk_group("small", tmp_path)


@pytest.mark.parametrize(
    "arguments", [["desk"], ["summaries", "kubyk"], ["summaries", "--kept", "x"], ["desk", "kubyk", "--kept", "x"]]
)
def test_a_group_and_a_played_file_are_named_for_this_suite_alone(arguments: list[str], monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.argv", ["evals", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert re.search("suite desk names a group|only suite desk reads|there is no file x", capsys.readouterr().err)
