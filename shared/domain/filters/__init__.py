"""What must not be stored, each refusal under a name that is counted and logged."""

from shared.domain.filters.gate import reject_reason
from shared.domain.filters.reasons import Reason, subject_user
from shared.domain.filters.sources import is_anothers
from shared.domain.filters.subjects import named_member

__all__ = ["Reason", "is_anothers", "named_member", "reject_reason", "subject_user"]
