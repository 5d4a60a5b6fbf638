"""Whom a list of facts is about."""

import pytest

from shared.application.commands.facts.subjects import Subject, about_member, categories_of, read_subject
from shared.application.documents import member_path
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from tests.support.tool_chat import CHAT

OLYA = 101


@pytest.mark.parametrize(
    ("subject", "member", "categories"),
    [("chat", None, CHAT_CATEGORIES), (about_member(OLYA), OLYA, MEMBER_CATEGORIES)],
)
def test_it_is_the_chat_or_a_member_with_the_categories_of_each(subject, member, categories):
    assert Subject(subject).member == member
    assert categories_of(subject) == categories


async def test_a_name_is_one_line_of_at_most_forty_characters(chat):
    await chat.app.store.set(member_path(CHAT, OLYA), {"user_id": OLYA, "name": "Оля\n" + "я" * 60})
    subject = await read_subject(chat.app.store, chat.state, about_member(OLYA))
    assert "\n" not in subject.name
    assert len(subject.name) <= 40


async def test_what_is_known_of_who_opted_out_is_shown_to_them_alone(chat):
    open_to_all = await read_subject(chat.app.store, chat.state, about_member(OLYA))
    assert open_to_all.may_be_shown_in(CHAT)
    silenced = chat.state._replace(opted_out=frozenset({OLYA}))
    hidden = await read_subject(chat.app.store, silenced, about_member(OLYA))
    assert not hidden.may_be_shown_in(CHAT)
    assert hidden.may_be_shown_in(OLYA)
