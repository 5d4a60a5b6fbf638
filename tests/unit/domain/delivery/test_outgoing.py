"""What a message may do to those who read it: links to web pages alone, five mentions at most (attacks f1, f2)."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.application.delivery.wording import long_markdown, text
from shared.application.ports.chat import OutgoingText
from shared.domain.delivery.markup import escape, markdown_to_html
from shared.domain.delivery.outgoing import MOST_MENTIONS, restrain, restrain_plain
from tests.support.delivery.hostile import bare, entities, hostile


def check(html: str, spoken: str) -> None:
    targets, schemes, mentions = entities(html)
    assert all(re.match(r"https?://", target, re.IGNORECASE) for target in targets)
    assert {scheme.lower() for scheme in schemes} <= {"http", "https"}
    assert len(mentions) <= MOST_MENTIONS
    schemes, mentions = bare(spoken)
    assert {scheme.lower() for scheme in schemes} <= {"http", "https"}
    assert len(mentions) <= MOST_MENTIONS


@given(hostile)
@example("tg:**//user?id=1**")
@example("tg:/\u202e/user?id=1")
@example("[x](tg://user?id=104) tg:&#47;&#47;user?id=1 " + "@**an**na " * 9)
@example(" ".join(f"@\u202euser{n}" for n in range(9)))
def test_whatever_a_model_writes_opens_only_web_pages_and_mentions_five_people_at_most(said):
    for piece in long_markdown("uk", said).pieces:
        assert isinstance(piece.content, OutgoingText)
        check(piece.content.html, piece.content.plain)


@given(hostile)
def test_a_name_or_a_fact_in_our_own_texts_does_no_more(name):
    message = text(f"<b>{escape(name)}</b> сказав: «{escape(name)}»")
    check(message.html, message.plain)


@given(hostile)
def test_restraining_again_changes_nothing(said):
    html, spoken = restrain(markdown_to_html(said)), restrain_plain(said)
    assert restrain(html.text) == html
    assert restrain_plain(spoken.text) == spoken


@given(st.text(st.sampled_from("абв ab.,:;!?()/\n*_&<>"), max_size=200))
def test_a_text_without_links_and_mentions_stays_as_it_is(said):
    said = said.replace("//", "/")
    assert restrain(escape(said)).text == escape(said)
    assert restrain_plain(said).text == said


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("tg://user?id=104", "tg:user?id=104"),
        (
            '<a href="tg://user?id=1">Оля</a> й <a href="https://e.org">сайт</a>',
            'Оля й <a href="https://e.org">сайт</a>',
        ),
        ('<a href="javascript:alert(1)">тут</a>', "тут"),
        ("<code>redis://localhost</code> redis://localhost", "<code>redis://localhost</code> redis:localhost"),
        ("https://e.org/a http://e.org", "https://e.org/a http://e.org"),
        ("a@b.com " * 7, "a@b.com " * 7),
        ("https://medium.com/@anna " * 7, "https://medium.com/@anna " * 7),
        ("@one @two @three @four @five @six @@seven", "@one @two @three @four @five six seven"),
        ("<pre>" + "@property\n" * 9 + "</pre>", "<pre>" + "@property\n" * 9 + "</pre>"),
    ],
)
def test_only_what_leads_elsewhere_or_is_too_much_is_changed(said, left):
    assert restrain(said).text == left
