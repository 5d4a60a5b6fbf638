"""The paths of documents. What stands in them is in the codecs of the subjects; every document carries `schema`."""

from datetime import date, timedelta

UPDATES_KEPT = timedelta(days=3)
"""The time for which an update's outcome is kept: Telegram redelivers for at most 24 hours (Bot API, getUpdates)."""


def chat_path(chat_id: int) -> str:
    """A chat; everything of it lies under this path."""
    return f"chats/{chat_id}"


def messages_path(chat_id: int) -> str:
    """The collection of a chat's messages."""
    return f"chats/{chat_id}/messages"


def message_path(chat_id: int, message_id: int) -> str:
    """One message."""
    return f"chats/{chat_id}/messages/{message_id}"


def update_path(update_id: int | str) -> str:
    """Return what an update asks and what became of it (`intake.question_codec`, `delivery.ledger_codec`)."""
    return f"updates/{update_id}"


def member_path(chat_id: int, user_id: int) -> str:
    """One member of a chat."""
    return f"chats/{chat_id}/members/{user_id}"


def facts_path(chat_id: int) -> str:
    """The collection of a chat's facts, about itself and its members."""
    return f"chats/{chat_id}/facts"


def fact_path(chat_id: int, fact_id: str) -> str:
    """One fact."""
    return f"chats/{chat_id}/facts/{fact_id}"


def quality_path(chat_id: int, record_id: str) -> str:
    """One quality record: a merge or a conflict of two statements, with verdict and outcome.

    The id comes from the two statements, so a repetition changes nothing.
    """
    return f"chats/{chat_id}/quality/{record_id}"


def quality_records_path(chat_id: int) -> str:
    """The collection of a chat's quality records."""
    return f"chats/{chat_id}/quality"


def answer_path(chat_id: int, update_id: int | str) -> str:
    """Return what the model was given for the answer to one update (see `provenance`); the messages that answer name it
    in `answer`."""
    return f"chats/{chat_id}/answers/{update_id}"


def question_path(chat_id: int, fact_id: str) -> str:
    """Return what the group was asked about a fact: `fact`, `about` (marks of the values asked about, no words) and
    `at`."""
    return f"chats/{chat_id}/questions/{fact_id}"


def learning_path(chat_id: int, subject: str) -> str:
    """Return how often a fact about a subject was made or two became one (`made`), how often its facts changed
    (`revision`), and whether since then it was deduplicated (`deduped`; see `night.tidying`), its profile was made
    (`profiled`) and its portrait (`summarized`; see `night.portraits` for `summary_of` and `summary_by`).

    All are written in the transaction that changes a fact. By `made` two workers never make the same fact in two slots;
    by `revision` nobody keeps a profile of facts that have changed since they were read.
    """
    return f"chats/{chat_id}/learning/{subject}"


def subjects_path(chat_id: int) -> str:
    """The collection of what is counted of each subject (see `learning_path`)."""
    return f"chats/{chat_id}/learning"


def profile_path(chat_id: int, subject: str) -> str:
    """The active facts about a subject in one document, made from them and removed with every change of them."""
    return f"chats/{chat_id}/profiles/{subject}"


def chunks_path(chat_id: int) -> str:
    """The collection of a chat's 10-message chunks."""
    return f"chats/{chat_id}/chunks"


def metas_path(chat_id: int) -> str:
    """The collection of a chat's meta summaries; the id of one is `{level}-{first}-{last}`."""
    return f"chats/{chat_id}/metas"


def episodes_path(chat_id: int) -> str:
    """The collection of a chat's episodes: conversations that are over; the id of one is `{first}-{last}`."""
    return f"chats/{chat_id}/episodes"


def upkeep_path(chat_id: int) -> str:
    """Return what is left to do for a chat's chunks, metas and episodes.

    Counters `made`, `stale` and `waits` of what was left to do, the same in `seen` of what was seen to, `due_at` (when
    the conversation that goes on would be over) and `minds` (which model and embedder were there).
    """
    return f"chats/{chat_id}/upkeep/derived"


def media_path(chat_id: int, file_unique_id: str) -> str:
    """Return the path of what is in a sticker or an animation, described once for all messages that carry it."""
    return f"chats/{chat_id}/media/{file_unique_id}"


def index_head_path(chat_id: int) -> str:
    """Return what there is of a chat's retrieval index (see `recall.head_codec`)."""
    return f"chats/{chat_id}/index/head"


def index_segment_path(chat_id: int, number: int) -> str:
    """One segment of the index: up to a thousand messages and the notes about them, as bytes."""
    return f"chats/{chat_id}/index/seg-{number:04d}"


def usage_path(chat_id: int, day: date) -> str:
    """Return what the model cost a chat on one UTC day."""
    return f"chats/{chat_id}/usage/{day.isoformat()}"
