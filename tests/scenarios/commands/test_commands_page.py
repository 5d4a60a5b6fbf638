"""docs/commands.md is what a group sees."""

from tests.transcript.__main__ import PAGE
from tests.transcript.page import commands_page


async def test_the_page_shows_every_command_as_it_answers_now(tmp_path):
    page = await commands_page(tmp_path)
    assert page == PAGE.read_text("utf-8"), "write the page anew: python -m tests.transcript"
