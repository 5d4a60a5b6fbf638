"""Texts as Telegram can take them."""

import pytest

from infra.telegram.sdk import encodable, keyboard_of, send_with_fallback
from shared.application.ports.chat import OutgoingText
from shared.domain.errors import MarkupRejected


def test_half_of_an_emoji_is_replaced():
    assert encodable("ok \ud83d") == "ok \ufffd"


def test_a_text_without_buttons_has_no_keyboard():
    assert keyboard_of(OutgoingText("<b>hi</b>", "hi")) is None


@pytest.mark.parametrize(
    ("refused", "sent"),
    [(False, [("<b>hi</b>", "HTML")]), (True, [("<b>hi</b>", "HTML"), ("hi", None)])],
)
async def test_a_text_whose_markup_is_refused_is_sent_plainly(refused, sent):
    tried = []

    async def attempt(body, parse_mode):
        tried.append((body, parse_mode))
        if refused and parse_mode:
            raise MarkupRejected("cannot parse entities")

    await send_with_fallback(OutgoingText("<b>hi</b>", "hi"), attempt)
    assert tried == sent
