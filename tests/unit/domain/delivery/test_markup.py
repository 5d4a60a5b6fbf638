"""Markdown of a model becomes Telegram's HTML, and HTML plain text."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.delivery.markup import escape, markdown_to_html, plain
from shared.domain.text.plain import utf16_length


def test_markdown_becomes_telegram_html():
    source = "**Так** & *ні* `x<y`\n\n- один\n- два\n\n[сайт](https://e.org) [злий](javascript:x) <b>сирий</b>"
    rendered = markdown_to_html(source)
    assert "<b>Так</b> &amp; <i>ні</i> <code>x&lt;y</code>" in rendered
    assert "• один\n• два" in rendered
    assert '<a href="https://e.org">сайт</a>' in rendered
    assert "javascript" not in rendered or "href" not in rendered.split("javascript")[0][-8:]
    assert "&lt;b&gt;сирий&lt;/b&gt;" in rendered


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_renders_to_balanced_markup_no_longer_than_itself(text):
    rendered = markdown_to_html(text)
    for tag in ("b", "i", "s", "code", "pre", "a", "blockquote"):
        assert rendered.count(f"<{tag}>") + rendered.count(f"<{tag} ") == rendered.count(f"</{tag}>")
    assert utf16_length(plain(rendered)) <= utf16_length(text) + 8


def test_escape_and_plain_are_inverse():
    text = '<a> & "x"'
    assert plain("<b>" + escape(text) + "</b>") == text
