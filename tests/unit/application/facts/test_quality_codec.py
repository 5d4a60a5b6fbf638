"""Findings about two statements are read back as they were noted."""

from hypothesis import given

from shared.application.facts.quality_codec import quality_write, read_quality
from shared.application.ports.store import Document
from shared.domain.facts.slot import rivals
from tests.support.builders import at
from tests.unit.application.facts.lives import live, lives


@given(lives)
def test_what_is_written_is_read_back(life):
    for change in live(life):
        for finding in change.quality:
            write = quality_write(-1, finding, cause=change.cause, now=at(5))
            record = read_quality(Document(write.path, write.changes))
            for name in ("kind", "fact_id", "subject", "existing", "incoming", "verdict", "score", "resolved"):
                assert getattr(record, name) == getattr(finding, name)
            assert (record.cause, record.at, record.message_ids) == (change.cause, at(5), finding.message_ids)
            assert record.resolved_at == (at(5) if finding.resolved else None)


def test_a_record_of_before_the_later_fields_is_read():
    statement = {"key": "day", "value": "friday", "description": "У п'ятницю"}
    said = {"existing": statement, "incoming": {**statement, "value": "monday"}}
    known = {"kind": "conflict", "fact_id": "f", "subject": "chat", "verdict": "conflicts", "score": 1.0}
    old = read_quality(Document("chats/-1/quality/q", {**known, **said, "cause": "5", "at": at(3), "resolved": False}))
    assert (old.resolved_at, old.message_ids, old.incoming.value) == (None, (), "monday")


@given(lives)
def test_a_conflict_is_open_in_the_records_as_long_as_its_rival_waits(life):
    changes = live(life)
    records = {record.id: record for change in changes for record in change.quality}
    fact = changes[-1].belief
    open_pairs = {frozenset(record.names) for record in records.values() if not record.resolved}
    assert open_pairs == {frozenset((fact.value_key, name)) for name in rivals(fact)}
