"""What is counted of a subject is read back, and a change of its facts takes back what was made from them."""

from hypothesis import given

from shared.application.documents import learning_path
from shared.application.facts.subject_codec import (
    NOT_DEDUPED,
    NOT_PROFILED,
    NOT_SUMMARIZED,
    SubjectRecord,
    outdated_portrait_fields,
    quality_write,
    read_quality,
    read_subject,
    subject_changes,
    subject_writes,
)
from shared.application.ports.store import Document
from shared.domain.facts.slot import rivals
from tests.support.builders import at
from tests.unit.application.facts.lives import live, lives

PATH = learning_path(-1, "chat")


async def test_each_change_counts_and_takes_back_what_was_made(sqlite_store):
    await sqlite_store.batch(subject_writes(-1, "chat", made=1))
    await sqlite_store.batch(subject_writes(-1, "chat"))
    assert read_subject(await sqlite_store.get(PATH)) == SubjectRecord(made=1, revision=2)
    done = subject_changes(profiled=True, deduped=True, summarized=True, summary_of="digest", summary_by=3)
    await sqlite_store.update(PATH, done)
    assert read_subject(await sqlite_store.get(PATH)) == SubjectRecord(1, 2, True, True, True, "digest", 3)
    await sqlite_store.batch(subject_writes(-1, "chat"))
    assert read_subject(await sqlite_store.get(PATH)) == SubjectRecord(1, 3, summary_of="digest", summary_by=3)


async def test_subjects_for_which_something_is_to_be_done_are_found(sqlite_store):
    await sqlite_store.batch(subject_writes(-1, "chat"))
    for what, done in ((NOT_PROFILED, subject_changes(profiled=True)), (NOT_DEDUPED, subject_changes(deduped=True))):
        assert len(await sqlite_store.query("chats/-1/learning", where=[what])) == 1
        await sqlite_store.update(PATH, done)
        assert await sqlite_store.query("chats/-1/learning", where=[what]) == []
    await sqlite_store.update(PATH, subject_changes(summarized=True, summary_of="digest", summary_by=0))
    assert await sqlite_store.query("chats/-1/learning", where=[NOT_SUMMARIZED]) == []
    await sqlite_store.update(PATH, outdated_portrait_fields())
    assert len(await sqlite_store.query("chats/-1/learning", where=[NOT_SUMMARIZED])) == 1


def test_nothing_is_counted_of_a_subject_that_nothing_was_learnt_about():
    assert read_subject(None) == read_subject(Document(PATH, {"schema": 1})) == SubjectRecord()


@given(lives)
def test_what_is_written_is_read_back(life):
    for change in live(life):
        for finding in change.quality:
            write = quality_write(-1, finding, cause=change.cause, now=at(5))
            record = read_quality(Document(write.path, write.changes))
            for name in ("kind", "fact_id", "subject", "existing", "incoming", "verdict", "score", "resolved"):
                assert getattr(record, name) == getattr(finding, name)
            assert (record.cause, record.at, record.message_ids) == (change.cause, at(5), finding.message_ids)


def test_a_record_of_before_the_later_fields_is_read():
    statement = {"key": "day", "value": "friday", "description": "У п'ятницю"}
    said = {"existing": statement, "incoming": {**statement, "value": "monday"}}
    known = {"kind": "conflict", "fact_id": "f", "subject": "chat", "verdict": "conflicts", "score": 1.0}
    old = read_quality(Document("chats/-1/quality/q", {**known, **said, "cause": "5", "at": at(3), "resolved": False}))
    assert (old.message_ids, old.incoming.value) == ((), "monday")


@given(lives)
def test_a_conflict_is_open_in_the_records_as_long_as_its_rival_waits(life):
    changes = live(life)
    records = {record.id: record for change in changes for record in change.quality}
    fact = changes[-1].belief
    open_pairs = {frozenset(record.names) for record in records.values() if not record.resolved}
    assert open_pairs == {frozenset((fact.value_key, name)) for name in rivals(fact)}
