"""Gemini's adapters with fast retries, and what they are asked."""

from datetime import timedelta

from shared.application.ports.model import Grounding, ModelRequest, ModelTurn

KEY = "key-of-the-test"
AT_ONCE = timedelta(milliseconds=1)
ASKED = ModelTurn("user", ("[meta] user_id=1", "скільки буде 2+2?"))


def request(**changes):
    defaults = {
        "purpose": "answer",
        "system": "Ти — Спомин.",
        "turns": (ModelTurn("user", ("[meta] user_id=1", "які правила?")),),
        "grounding": Grounding(question="які правила?", language="uk"),
    }
    return ModelRequest(**(defaults | changes))


def asked(*turns, **changes):
    return ModelRequest(**({"purpose": "answer", "system": "Ти — Спомин.", "turns": turns or (ASKED,)} | changes))
