"""The outcomes of answers are words that ledger entries of all versions hold."""

from shared.domain.delivery.outcomes import AnswerOutcome


def test_what_is_stored_stays_readable():
    """Entries outlive a deployment by three days: a value that is renamed here would be unknown there."""
    assert set(AnswerOutcome) == {
        *("answered", "silent", "limited", "already answered", "waits"),
        *("uncertain", "inactive", "rejected", "taken over", "forgotten", "merged", "stopped"),
    }
