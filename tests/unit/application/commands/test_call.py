"""What a press shows for a moment, and that the other button of a question changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.call import notice
from shared.domain.text.plain import one_line

MOST = 200
"""Characters of a notice (Bot API, answerCallbackQuery)."""


@given(st.sampled_from(["uk", "en"]), st.text(max_size=400))
def test_a_notice_is_plain_and_no_longer_than_telegram_takes_whatever_stands_in_it(language, words):
    shown = notice(language, "freeze_not_found", words=words).notice
    assert 0 < len(shown) <= MOST
    assert not any(tag in shown.replace(one_line(words, MOST), "") for tag in ("<b>", "</b>", "<code>", "&amp;"))
