"""What is noted of a chat in the archive is read back, and a fence stands after an erasure."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from shared.application.archive.record_codec import (
    ArchiveRecord,
    context_field,
    erased_fields,
    export_fields,
    finished_fields,
    midnight,
    read_archive_record,
    record_fields,
    record_path,
    writing_fields,
)
from shared.application.ports.objects import ObjectInfo
from shared.application.ports.store import Document
from tests.support.builders import START

moments = st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2040, 1, 1), timezones=st.just(UTC))
INFO = ObjectInfo("chats/-1/export-20261102.jsonl.gz", 12, "etag", "sum", START)


def read(**data):
    return read_archive_record(Document(record_path(-1), data))


@given(now=moments, digest=st.text(min_size=1), old_id=st.integers(max_value=-1), erasures=st.integers(min_value=0))
def test_what_is_written_is_read_back(now, digest, old_id, erasures):
    changes = {**export_fields(INFO, now), **context_field(digest), **record_fields(moved_from=old_id)}
    wanted = ArchiveRecord(midnight(now), digest, None, erasures, old_id)
    assert read(**finished_fields(changes), erasures=erasures) == wanted
    assert changes["export"]["key"] == INFO.key


def test_a_chat_that_was_never_archived_has_an_empty_record():
    assert read_archive_record(None) == read() == ArchiveRecord()


def test_a_run_that_knew_of_fewer_erasures_is_fenced():
    assert not read(erasures=2).is_fenced
    assert not read(erasures=2, **writing_fields(2)).is_fenced
    assert read(erasures=2, **writing_fields(1)).is_fenced


async def test_an_erasure_leaves_nothing_but_its_number_and_the_old_id(sqlite_store):
    path = record_path(-1)
    await sqlite_store.set(path, {**export_fields(INFO, START), **context_field("ab"), **record_fields(moved_from=-5)})
    await sqlite_store.update(path, erased_fields())
    assert read_archive_record(await sqlite_store.get(path)) == ArchiveRecord(erasures=1, moved_from=-5)
