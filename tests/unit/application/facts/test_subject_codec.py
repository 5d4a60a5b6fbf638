"""What is counted of a subject is read back, and a change of its facts takes back what was made from them."""

from shared.application.documents import learning_path
from shared.application.facts.subject_codec import (
    NOT_DEDUPED,
    NOT_PROFILED,
    NOT_SUMMARIZED,
    SubjectRecord,
    deduped_field,
    outdated_portrait_fields,
    portrayed_fields,
    profiled_field,
    read_subject,
    subject_writes,
)
from shared.application.ports.store import Document

PATH = learning_path(-1, "chat")


async def test_each_change_counts_and_takes_back_what_was_made(sqlite_store):
    await sqlite_store.batch(subject_writes(-1, "chat", made=1))
    await sqlite_store.batch(subject_writes(-1, "chat"))
    assert read_subject(await sqlite_store.get(PATH)) == SubjectRecord(made=1, revision=2)
    done = {**profiled_field(), **deduped_field(), **portrayed_fields("digest", asked=3)}
    await sqlite_store.update(PATH, done)
    assert read_subject(await sqlite_store.get(PATH)) == SubjectRecord(1, 2, True, True, True, "digest", 3)
    await sqlite_store.batch(subject_writes(-1, "chat"))
    assert read_subject(await sqlite_store.get(PATH)) == SubjectRecord(1, 3, summary_of="digest", summary_by=3)


async def test_subjects_for_which_something_is_to_be_done_are_found(sqlite_store):
    await sqlite_store.batch(subject_writes(-1, "chat"))
    for what, done in ((NOT_PROFILED, profiled_field()), (NOT_DEDUPED, deduped_field())):
        assert len(await sqlite_store.query("chats/-1/learning", where=[what])) == 1
        await sqlite_store.update(PATH, done)
        assert await sqlite_store.query("chats/-1/learning", where=[what]) == []
    await sqlite_store.update(PATH, portrayed_fields("digest", asked=0))
    assert await sqlite_store.query("chats/-1/learning", where=[NOT_SUMMARIZED]) == []
    await sqlite_store.update(PATH, outdated_portrait_fields())
    assert len(await sqlite_store.query("chats/-1/learning", where=[NOT_SUMMARIZED])) == 1


def test_nothing_is_counted_of_a_subject_that_nothing_was_learnt_about():
    assert read_subject(None) == read_subject(Document(PATH, {"schema": 1})) == SubjectRecord()
