"""What a reply to a message of the bot means: written and read back, with nothing stored of what there is none of."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.conversation.reply_codec import ReplyContext, read_reply_context, reply_context_fields
from tests.support.builders import at

words = st.text(max_size=8)
contexts = st.builds(
    ReplyContext,
    command=words,
    action=words,
    fact=words,
    about=words,
    is_conflict=st.booleans(),
    user_id=st.none() | st.integers(1, 99),
    row=words,
    words=words,
    since=st.none() | st.integers(0, 9).map(at),
)


@given(contexts)
def test_what_is_written_is_read_back(context):
    assert read_reply_context(reply_context_fields(context)) == (context if any(context) else None)


def test_a_message_that_asks_nothing_says_so():
    assert reply_context_fields(None) is None
    assert read_reply_context(None) is None


def test_only_what_there_is_stands_in_the_document():
    card = ReplyContext("gryadfix", "card", "f1")
    assert reply_context_fields(card) == {"command": "gryadfix", "action": "card", "fact": "f1"}
    question = ReplyContext("gryadfix", "question", "f1", about="m")
    assert reply_context_fields(question) == {
        "command": "gryadfix",
        "action": "question",
        "fact": "f1",
        "about": "m",
        "conflict": False,
    }
    setting = ReplyContext("gryadsettings", "set", row="tone", user_id=101)
    assert reply_context_fields(setting) == {"command": "gryadsettings", "action": "set", "row": "tone", "user": 101}
