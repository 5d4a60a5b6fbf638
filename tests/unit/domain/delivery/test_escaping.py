"""Plain text as Telegram's HTML, and back."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.delivery.escaping import escape, plain


@given(st.text())
def test_what_is_escaped_reads_as_it_was(text):
    assert plain(escape(text)) == text


def test_markup_is_not_read():
    assert plain("<b>a</b> &lt;b&gt;") == "a <b>"
