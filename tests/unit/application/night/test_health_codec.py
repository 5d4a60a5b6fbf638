"""What was not well is read back, with since when."""

from datetime import timedelta

from shared.application.night.health_codec import (
    HEALTH_PATH,
    HealthFinding,
    HealthRecord,
    KnownFinding,
    health_fields,
    read_health,
)
from shared.application.ports.store import Document
from tests.support.builders import START

LATE = HealthFinding("queue_late", "warning", "A task has waited.", "look", {"late": 3})
LETTERS = HealthFinding("dead_letters", "error", "Given up.", "mend")
LATER = START + timedelta(hours=1)


def kept(findings, before=HealthRecord(), *, at=START):  # noqa: B008 a named tuple
    return read_health(Document(HEALTH_PATH, health_fields(findings, before, at=at)))


def test_what_is_written_is_read_back():
    record = kept([LATE, LETTERS])
    assert record == HealthRecord(START, (KnownFinding(LATE, START), KnownFinding(LETTERS, START)))


def test_a_finding_is_there_since_it_was_found_first_until_it_is_gone():
    record = kept([LATE, LETTERS], kept([LATE]), at=LATER)
    assert [known.since for known in record.findings] == [START, LATER]
    again = kept([LATE], kept([], record, at=LATER), at=LATER)
    assert [known.since for known in again.findings] == [LATER]


def test_nothing_is_known_before_anybody_looked_and_bare_findings_are_read():
    assert read_health(None) == HealthRecord()
    old = Document(HEALTH_PATH, {"at": START, "findings": [{"kind": "queue_late", "severity": "warning"}]})
    assert read_health(old).findings == (KnownFinding(HealthFinding("queue_late", "warning", "", "")),)
