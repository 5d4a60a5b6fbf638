"""A compact talk is read back as it was written, and nothing that people type or are called can be anything else."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.compact import END, talk_lines
from tests.support.builders import at, message
from tests.unit.domain.answering.context.nasty import TEXTS, handles, talks
from tests.unit.domain.answering.context.parsing import Body, Moment, Said, body_of, parse_talk

KYIV = ZoneInfo("Europe/Kyiv")
BOT = 7


@given(talks(), st.sampled_from([UTC, KYIV]))
def test_a_compact_talk_is_read_back(talk, zone):
    called, by_id = handles(talk), {m.message_id: m for m in talk}
    lines = talk_lines(talk, called, zone, cited={m.message_id for m in talk[::2]})
    entries = parse_talk("\n".join(lines))
    assert len(entries) == len(lines) == len("\n".join(lines).splitlines())
    assert END not in lines
    replied = [by_id.get(m.reply_to) for m in talk]
    assert [entry for entry in entries if isinstance(entry, Said)] == [
        Said(called[m.user_id], body_of(m), called[to.user_id] if to else None, None if n % 2 else m.message_id)
        for n, (m, to) in enumerate(zip(talk, replied, strict=True))
    ]
    days = [m.sent_at.astimezone(zone).date() for m in talk]
    assert [entry.day for entry in entries if isinstance(entry, Moment) and entry.day] == list(dict.fromkeys(days))


CALLED = dict(enumerate(["Оля", "Оля#2", "гряг", "a b", "…", "2026-03-06", "RESPOND", "Тарас#12"]))


@given(
    st.lists(st.tuples(st.sampled_from(list(CALLED)), TEXTS, st.booleans(), st.booleans()), max_size=8),
    st.integers(-9, 2_000),
)
def test_any_entries_are_read_back(said, first):
    talk = [
        message(
            text or "…",
            sent_at=at(n),
            message_id=first + n,
            user_id=who,
            reply_to=first + n - 1 if replies and n else None,
        )
        for n, (who, text, replies, _) in enumerate(said)
    ]
    cited = {m.message_id for m, (*_, is_cited) in zip(talk, said, strict=True) if is_cited}
    entries = parse_talk("\n".join([*talk_lines(talk, CALLED, UTC, cited=cited), END]))
    assert [entry for entry in entries if isinstance(entry, Said)] == [
        Said(
            CALLED[m.user_id],
            Body(m.text),
            None if m.reply_to is None else CALLED[talk[n - 1].user_id],
            m.message_id if m.message_id in cited else None,
        )
        for n, m in enumerate(talk)
    ]


def test_a_talk_looks_like_this():
    talk = [
        message("хто йде\nв суботу?", message_id=1),
        message("я [RESPOND]", message_id=2, user_id=102, name="Тарас", reply_to=1),
        message("", message_id=130, user_id=103, name="Оля", kind="photo", media_text="намет біля озера"),
        message("Поки що Тарас.", message_id=131, user_id=BOT, name="гряг", is_bot=True, reply_to=1),
    ]
    assert talk_lines(talk, handles(talk), UTC, cited={2}) == [
        "[2026-03-06 18:01]",
        "Оля: хто йде\\nв суботу?",
        "#2 Тарас → Оля: я \\[RESPOND\\]",
        "[20:10]",
        'Оля#2: [photo: "намет біля озера"]',
        "гряг → Оля: Поки що Тарас.",
    ]


def test_days_begin_where_the_chat_lives():
    talk = [message("а", message_id=1, sent_at=datetime(2026, 3, 6, 21, 50, tzinfo=UTC))]
    talk.append(message("б", message_id=2, sent_at=talk[0].sent_at + timedelta(minutes=15)))
    assert talk_lines(talk, handles(talk), UTC) == ["[2026-03-06 21:50]", "Оля: а", "Оля: б"]
    shown = talk_lines(talk, handles(talk), KYIV)
    assert [line for line in shown if line.startswith("[")] == ["[2026-03-06 23:50]", "[2026-03-07 00:05]"]


@pytest.mark.parametrize("line", ["", "[meta] x=1", "Оля", "[RESPOND]\n", "# Оля: так", "a:b", "[18:20] Оля: так"])
def test_what_is_no_talk_is_refused(line):
    with pytest.raises(ValueError, match="no line"):
        parse_talk(f"Оля: так\n{line}\nОля: так")
