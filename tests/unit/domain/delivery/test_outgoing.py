"""What a message may do to those who read it: links to web pages alone, five mentions at most (attacks f1, f2)."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.application.delivery.answer import Answer, AnswerPiece, restrained_answer
from shared.application.delivery.wording import long_markdown, text
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.delivery.markup import escape, markdown_to_html, plain
from shared.domain.delivery.outgoing import MOST_MENTIONS, restrain, restrained_plain

_HOSTILE = (
    *("tg://user?id=1", "TG://resolve?domain=x", "tg:", "//", "/", ":", "ton://a", "javascript:alert(1)", "ftp://h"),
    *(
        "https://e.org/?q=1",
        "http://e.org/@anna/x",
        "https://",
        "[клік](tg://user?id=104)",
        "[a](",
        ")",
        "[x]",
        "](tg:",
    ),
    *('<a href="tg://user?id=5">', "</a>", "@anna", "@", "@_b", "@@", "anna", "пан@anna", "a@b.com", " ", "\n", "\r"),
    *("**", "*", "`", "```", "~~", "\\", "&amp;", "&#58;", "&", "\u202e", "\u2028", "\u030a", "\u200b", "я", "\n\n> "),
)
hostile = st.lists(st.sampled_from(_HOSTILE) | st.text(max_size=4), max_size=40).map("".join)


def entities(html: str) -> tuple[list[str], list[str], list[str]]:
    """What Telegram makes of a text: targets of links, schemes of bare addresses, mentions. Written anew, by its rules:
    the markup is taken away first, code is left out, and some characters are not there for it."""
    targets = re.findall(r'href="([^"]*)"', html)
    seen = plain(re.sub(r"(?s)<(code|pre)\b.*?</\1>", " ", html))
    return (targets, *bare(seen))


def bare(seen: str) -> tuple[list[str], list[str]]:
    seen = re.sub("[\r\u0333\u033f\u030a\u2028-\u202e]", "", seen)
    schemes = re.findall(r"([A-Za-z0-9]+)://", seen)
    return schemes, re.findall(r"(?<![A-Za-z0-9_])@[A-Za-z0-9_]{3,32}", re.sub(r"https?://[\w.]+\.\w+/\S*", "", seen))


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


@given(st.lists(hostile, min_size=1, max_size=4))
def test_all_pieces_of_an_answer_share_five_mentions(said):
    answer = restrained_answer(Answer.of(*(OutgoingText(markdown_to_html(each), each) for each in said)))
    contents = [piece.content for piece in answer.pieces]
    assert sum(len(entities(each.html)[2]) for each in contents) <= MOST_MENTIONS
    assert sum(len(bare(each.plain)[1]) for each in contents) <= MOST_MENTIONS


@given(hostile)
def test_a_name_or_a_fact_in_our_own_texts_does_no_more(name):
    message = text(f"<b>{escape(name)}</b> сказав: «{escape(name)}»")
    check(message.html, message.plain)


@given(hostile)
def test_restraining_again_changes_nothing(said):
    html, spoken = restrain(markdown_to_html(said)), restrained_plain(said)
    assert restrain(html.text) == html
    assert restrained_plain(spoken.text) == spoken


@given(st.text(st.sampled_from("абв ab.,:;!?()/\n*_&<>"), max_size=200))
def test_a_text_without_links_and_mentions_stays_as_it_is(said):
    said = said.replace("//", "/")
    assert restrain(escape(said)).text == escape(said)
    assert restrained_plain(said).text == said


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


def test_the_words_of_a_file_and_of_a_closed_private_chat_count_too():
    many = " ".join(f"@user{n}" for n in range(9))
    file = OutgoingFile("a.png", "image/png", b"x", OutgoingText(many, many))
    answer = restrained_answer(
        Answer((AnswerPiece(file, otherwise=OutgoingText(many, many)), AnswerPiece(OutgoingText(many, many))))
    )
    assert [piece.content.plain.count("@") for piece in answer.pieces] == [MOST_MENTIONS, 0]
    assert answer.pieces[0].otherwise.html.count("@") == MOST_MENTIONS
