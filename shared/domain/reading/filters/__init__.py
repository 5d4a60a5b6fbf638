"""What must not be stored, each refusal under a name that is counted and logged."""

from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.filters.reasons import Reason, subject_user
from shared.domain.reading.filters.sources import is_anothers
from shared.domain.reading.filters.subjects import named_member

__all__ = ["Reason", "is_anothers", "named_member", "reject_reason", "subject_user"]
