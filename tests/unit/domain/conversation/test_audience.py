"""An answer is in the language of the question, then of the chat, then of the app."""

from shared.domain.conversation.audience import asker_language, interface_language


def test_a_few_letters_do_not_overrule_the_language_of_the_chat() -> None:
    assert asker_language("ok", chat_language="uk", client_language="en") == "uk"
    assert asker_language("what do you remember", chat_language="uk", client_language="uk") == "en"
    assert asker_language("👍", chat_language=None, client_language="uk-UA") == "uk"
    assert asker_language("", chat_language=None, client_language=None) == "en"


def test_the_answer_is_in_the_language_of_the_question_then_of_the_chat_then_of_the_app():
    assert asker_language("What are the rules?", chat_language="uk", client_language="uk") == "en"
    assert asker_language("Які правила?", chat_language="en", client_language=None) == "uk"
    assert asker_language("👍", chat_language="uk", client_language="en") == "uk"
    assert interface_language(None, "uk-UA") == "uk"
    assert interface_language(None, "de") == "en"
