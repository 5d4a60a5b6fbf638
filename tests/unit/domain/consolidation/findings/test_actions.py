"""Verbs of what people take upon themselves, ask for and plan, in the forms in which they are said."""

import pytest

from shared.domain.consolidation.findings import actions
from shared.domain.text.words import analyse

SAID = {
    "promises": ["я куплю хліб", "I'll book the van"],
    "requests": ["купи хліб", "please book the van"],
    "requests_to_all": ["всі принесіть воду"],
    "not_to_forget": ["не забудьте паспорти"],
    "needs": ["треба пофарбувати паркан"],
    "plans": ["давайте поїдемо в одесу", "let's paint the fence"],
}


def kinds_of(text):
    return {kind for kind in SAID if any(phrase.search(analyse(text)) for phrase in actions.PHRASES[kind])}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SAID.items() for text in texts])
def test_what_is_said_is_one_kind_of_action(kind, text):
    assert kinds_of(text) == {kind}


@pytest.mark.parametrize("text", ["люблю хліб", "я купив хліб", "the van is red", "I bought a van"])
def test_what_is_or_was_is_no_action(text):
    assert kinds_of(text) == set()


@pytest.mark.parametrize(("one", "many"), [("купи", "купіть"), ("принеси", "принесіть"), ("не забудь", "не забудьте")])
def test_an_imperative_to_several_has_the_infinitive_of_that_to_one(one, many):
    verb, verbs = one.split()[-1], many.split()[-1]
    assert actions.ASKED_OF_MANY.get(verbs) == actions.ASKED.get(verb)


def test_every_imperative_has_an_infinitive():
    for infinitive in {*actions.ASKED.values(), *actions.ASKED_OF_MANY.values()}:
        assert infinitive.endswith(("ти", "тися", "тись"))
