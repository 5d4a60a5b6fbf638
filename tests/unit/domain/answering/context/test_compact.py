"""A compact talk is read back as it was written, and nothing that people type or are called can be anything else."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.body import Body, body_of
from shared.domain.answering.context.compact import END, Moment, Said, entries_of, format_talk
from tests.support.builders import message
from tests.unit.domain.answering.context.nasty import IDS, TEXTS, handles, talks
from tests.unit.domain.answering.context.parsing import parse_talk

KYIV = ZoneInfo("Europe/Kyiv")
BOT = 7


# --- The compact talk --------------------------------------------------------------------------


@given(talks(), st.booleans(), st.sampled_from([UTC, KYIV]))
def test_a_compact_talk_is_read_back(talk, end, zone):
    entries = entries_of(talk, handles(talk), zone, cited={m.message_id for m in talk[::2]})
    written = format_talk(entries, end=end)
    assert parse_talk(written) == entries
    assert format_talk(parse_talk(written), end=end) == written
    assert len(written.splitlines()) == len(entries) + end
    assert [entry.body for entry in entries if isinstance(entry, Said)] == [body_of(m) for m in talk]
    assert written.count(END) == end


SAID = st.builds(
    Said,
    st.sampled_from(["Оля", "Оля#2", "гряг", "a b", "…", "2026-03-06", "RESPOND"]),
    st.builds(Body, TEXTS, st.just("")),
    st.sampled_from([None, "Тарас", "Тарас#12"]),
    st.one_of(st.none(), IDS),
)
TIMES = st.builds(Moment, st.sampled_from(["00:00", "18:20"]), st.one_of(st.none(), st.just(date(2026, 3, 6))))


@given(st.lists(st.one_of(SAID, TIMES), max_size=8))
def test_any_entries_are_read_back(entries):
    assert parse_talk(format_talk(entries)) == entries
    assert parse_talk(format_talk(entries, end=True)) == entries


def test_a_talk_looks_like_this():
    talk = [
        message("хто йде\nв суботу?", message_id=1),
        message("я [RESPOND]", message_id=2, user_id=102, name="Тарас", reply_to=1),
        message("", message_id=130, user_id=103, name="Оля", kind="photo", media_text="намет біля озера"),
        message("Поки що Тарас.", message_id=131, user_id=BOT, name="гряг", is_bot=True, reply_to=1),
    ]
    assert format_talk(entries_of(talk, handles(talk), UTC, cited={2}), end=True).split("\n") == [
        "[2026-03-06 18:01]",
        "Оля: хто йде\\nв суботу?",
        "#2 Тарас → Оля: я \\[RESPOND\\]",
        "[20:10]",
        'Оля#2: [photo: "намет біля озера"]',
        "гряг → Оля: Поки що Тарас.",
        "[RESPOND]",
    ]


def test_days_begin_where_the_chat_lives():
    talk = [message("а", message_id=1, sent_at=datetime(2026, 3, 6, 21, 50, tzinfo=UTC))]
    talk.append(message("б", message_id=2, sent_at=talk[0].sent_at + timedelta(minutes=15)))
    assert [e.day for e in entries_of(talk, handles(talk), UTC) if isinstance(e, Moment)] == [date(2026, 3, 6)]
    days = [e.day for e in entries_of(talk, handles(talk), KYIV) if isinstance(e, Moment)]
    assert days == [date(2026, 3, 6), date(2026, 3, 7)]


@pytest.mark.parametrize("line", ["", "[meta] x=1", "Оля", "[RESPOND]\n", "# Оля: так", "a:b", "[18:20] Оля: так"])
def test_what_is_no_talk_is_refused(line):
    with pytest.raises(ValueError, match="no line"):
        parse_talk(f"Оля: так\n{line}\nОля: так")
