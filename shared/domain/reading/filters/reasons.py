"""The reasons to refuse a candidate: the names that are counted, logged and shown to operators."""

import re
from enum import StrEnum


class Reason(StrEnum):
    """The reason to refuse a candidate."""

    OPTED_OUT = "opted_out"
    MALFORMED = "malformed"  # an item of a model's answer that is none
    BAD_CATEGORY = "bad_category"
    LOW_CONFIDENCE = "low_confidence"
    NON_PARTICIPANT = "non_participant"
    UNVERIFIABLE_QUOTE = "unverifiable_quote"
    UNSAID_CONTENT = "unsaid_content"  # a quote that was said, beside a fact that it does not say
    WRONG_AUTHOR = "wrong_author"
    UNKNOWN_FACT = "unknown_fact"  # a verdict on a known fact that was not shown, or is of another subject
    UNAUTHORISED_RULE = "unauthorised_rule"
    PRIVATE_DETAIL = "private_detail"  # a password, a code, the number of a telephone or a card
    FOREIGN_SOURCE = "foreign_source"
    RETOLD_MEMORY = "retold_memory"
    INJECTION_MARKER = "injection_marker"
    CONVERSATION_ACTION = "conversation_action"
    ASSISTANT_FACT = "assistant_fact"
    PROMPT_LEAK = "prompt_leak"
    DEMOGRAPHIC_GUESS = "demographic_guess"
    UNKNOWN_INFORMATION = "unknown_information"
    PROFILE = "profile"  # sound, but of a kind that the chat does not want remembered


def subject_user(subject: str) -> int | None:
    """The id in "user:<id>"; None for the chat or anything else."""
    head, _, number = subject.partition(":")
    return int(number) if head == "user" and re.fullmatch(r"-?\d{1,20}", number) else None
