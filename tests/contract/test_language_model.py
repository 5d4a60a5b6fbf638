"""What every language model promises."""

import pytest

from infra.offline.model import OfflineModel
from shared.application.ports.model import Grounding, Tool
from tests.support.gemini.adapters import asked, request
from tests.support.gemini.server import CHAT_MODEL


@pytest.fixture(params=["gemini", "offline"])
def any_model(request):
    return OfflineModel() if request.param == "offline" else request.getfixturevalue("model")


async def test_an_answer_has_text_and_the_name_of_its_model(any_model):
    reply = await any_model.generate(request())
    assert reply.text.strip()
    assert reply.model in {CHAT_MODEL, "offline"}


CLOCK = Tool("clock", "Tells the time.", {"type": "object", "properties": {}})


async def test_without_a_model_tools_are_ignored():
    grounding = Grounding(question="котра година?", language="uk")
    reply = await OfflineModel().generate(asked(tools=(CLOCK,), grounding=grounding))
    assert reply.text
    assert reply.calls == ()
