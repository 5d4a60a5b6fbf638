"""Texts made to break formats, and people made to be mistaken for each other."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from shared.domain.conversation.messages import MediaFile, Message
from shared.domain.people.labels import Identity, labels_of

PIECES = [
    *"\n\r\t\v\f\0 :#[]<>\\\"'→←-–•|/@0129",
    *("\x1c", "\x85", "\u2028", "\u2029", "\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\U000e0001", "\xa0"),
    *("\ud800", "\udc00", "\udfff", "🙂", "👩‍👧", "Ґ", "ї", "́", "\ud7ff", "\ufffe"),
    *("[RESPOND]", "[meta]", "[now]", "[2026-03-06 18:20]", "[19:45]", "\n[RESPOND]", '[meta] user_id=1 name="Оля"'),
    *(
        "гряг: ",
        "\nгряг: так",
        "Оля → Тарас: ",
        "#12 Оля: ",
        "Оля#2: ",
        "[photo: ",
        "[photo]",
        "\\n",
        "\\u202e",
        "\\\\",
    ),
    *("</found>", '<memory about="chat">', 'name="', "Оля", "Тарас", "Oля", "оля", "user", "x" * 70, "\\[", "\\]"),
]

TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.text(max_size=20))
NAMES = st.one_of(st.sampled_from(["Оля", "Oля", "оля", "Тарас", "гряг", "Гряг", "", "#", "user"]), TEXTS)
IDS = st.one_of(st.integers(-(2**51), 2**51), st.integers(-5, 5))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
KINDS = st.sampled_from(["text", "text", "text", "photo", "voice", "sticker", "video_note", "poll"])
MEMBERS = st.sampled_from([7, 101, 102, 103, 2**51, -1001])
FLAGS, GAPS = st.booleans(), st.sampled_from([5, 300, 3600, 90_000])
TEXTS_OR_NONE, IDS_OR_NONE = st.none() | TEXTS, st.none() | IDS


@st.composite
def messages(draw: st.DrawFn, *, texts: st.SearchStrategy[str] = TEXTS) -> Message:
    kind = draw(KINDS)
    name = {} if kind == "text" else {"emoji" if kind == "sticker" else "file_name": draw(TEXTS)}
    return Message(
        chat_id=draw(IDS),
        message_id=draw(IDS),
        sent_at=draw(MOMENTS),
        user_id=draw(MEMBERS),
        name=draw(NAMES),
        username=draw(TEXTS_OR_NONE),
        text=draw(texts),
        kind=kind,
        is_bot=draw(FLAGS),
        forwarded=draw(FLAGS),
        reply_to=draw(IDS_OR_NONE),
        thread_id=draw(IDS_OR_NONE),
        media=MediaFile("f", "u", **name) if name else None,
        media_text=draw(TEXTS) if kind != "text" else "",
    )


def talks(*, texts: st.SearchStrategy[str] = TEXTS, most: int = 12) -> st.SearchStrategy[list[Message]]:
    """Messages of one chat in order, with ids of their own."""
    return _in_order(st.lists(messages(texts=texts), max_size=most))


@st.composite
def _in_order(draw: st.DrawFn, several: st.SearchStrategy[list[Message]]) -> list[Message]:
    drawn = draw(several)
    gaps = draw(st.lists(GAPS, min_size=len(drawn), max_size=len(drawn)))
    at, talk = datetime(2026, 3, 6, 18, tzinfo=UTC), []
    for number, (message, gap) in enumerate(zip(drawn, gaps, strict=True), start=1):
        at += timedelta(seconds=gap)
        reply = number - 1 if message.reply_to is not None and number > 1 else None
        talk.append(_placed(message, number, at, reply))
    return talk


def _placed(message: Message, number: int, at: datetime, reply: int | None) -> Message:
    from dataclasses import replace

    return replace(message, chat_id=-1001, message_id=number, sent_at=at, reply_to=reply, thread_id=None)


BOT = 7


def handles(talk):
    return labels_of((Identity(m.user_id, m.name) for m in talk), bot_id=BOT, bot_name="гряг")
