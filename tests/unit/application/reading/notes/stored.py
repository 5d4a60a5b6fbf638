"""Notes as they may be stored: for what codecs must give back."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from shared.application.recall.note_codec import NoteTexts
from shared.application.spending.asking import Embedded

IDS = st.integers(1, 10**6)
TIMES = st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
WORDS = st.text(max_size=8)
TEXT_LISTS = st.lists(WORDS, max_size=3).map(tuple)
PACKED = st.lists(st.binary(min_size=9, max_size=12), max_size=2).map(tuple)


def texts_of(**strategies: st.SearchStrategy) -> st.SearchStrategy[NoteTexts]:
    """Texts of these fields; the others are empty."""
    return st.fixed_dictionaries(strategies).map(lambda texts: NoteTexts(**texts))


TEXTS = {
    "chunk": texts_of(summary=WORDS, episodic=WORDS),
    "meta": texts_of(summary=WORDS),
    "episode": texts_of(summary=WORDS, themes=TEXT_LISTS, tone=WORDS, key_topics=TEXT_LISTS),
}


def common_fields(kind: str) -> dict[str, st.SearchStrategy]:
    """What all kinds of notes have in common, of one that was made now: nothing it was made from has changed."""
    return {
        "first": IDS,
        "last": IDS,
        "first_at": TIMES,
        "last_at": TIMES,
        "texts": TEXTS[kind],
        "speakers": st.lists(IDS, unique=True).map(sorted).map(tuple),
        "made_by": WORDS,
        "model_pending": st.booleans(),
        "embedded": st.builds(
            Embedded, st.none() | st.just((0.6, 0.8)), st.none() | WORDS, PACKED if kind == "chunk" else st.just(())
        ),
        "awaits_index": st.just(value=True),
        "made_at": TIMES,
        "expire_at": TIMES,
    }
