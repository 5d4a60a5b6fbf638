"""What the assistant says when no language model answers."""

import pytest

from infra.offline.model import OfflineModel
from shared.application.ports.model import Grounding, ModelReply, ModelRequest, ModelTurn, TokenUsage
from shared.domain.answering.offline_answer import Saying, compose_offline_answer
from shared.domain.errors import ModelUnavailable

RULE = Saying("Оля", "Нагадую: ніякої політики в чаті!", "У чаті заборонено: політика", relevance=1.0)


def request(**changes):
    defaults = {"purpose": "answer", "system": "", "turns": (ModelTurn("user", ("[meta]", "питання")),)}
    return ModelRequest(**(defaults | changes))


async def test_the_offline_model_answers_from_the_grounding_at_no_cost():
    grounding = Grounding(question="які в нас правила?", language="uk", facts=(RULE,))
    reply = await OfflineModel().generate(request(grounding=grounding))
    expected = compose_offline_answer(question=grounding.question, language="uk", facts=(RULE,))
    assert reply == ModelReply(text=expected, model="offline", usage=TokenUsage())


@pytest.mark.parametrize("purpose", ["facts", "summary", "episodes"])
async def test_the_offline_model_refuses_what_needs_a_real_model(purpose):
    with pytest.raises(ModelUnavailable, match="GEMINI_API_KEY"):
        await OfflineModel().generate(request(purpose=purpose))


async def test_an_answer_without_grounding_is_refused():
    with pytest.raises(ModelUnavailable, match="answer"):
        await OfflineModel().generate(request())
