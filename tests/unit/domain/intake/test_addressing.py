import pytest

from shared.domain.intake.addressing import asks_everybody, asks_to_stop, is_addressed, without_address
from tests.unit.domain.answering.test_unprompted import asks


def addressed(text="", **more):
    defaults = {
        "chat_type": "supergroup",
        "mentions": (),
        "mentioned_ids": (),
        "reply_to_user_id": None,
        "bot_id": 777,
        "bot_username": "gryag_bot",
        "bot_names": ("гряг", "gryag"),
    }
    return is_addressed(text=text, **(defaults | more))


@pytest.mark.parametrize("text", ["Гряг, які правила?", "скажи, гряг", "ГРЯГ!", "hey gryag", "(гряг)"])
def test_its_name_as_a_whole_word_addresses_the_bot(text):
    assert addressed(text)


@pytest.mark.parametrize("text", ["грягові", "підгряг", "gryagging", "gryag_bot2", ""])
def test_a_part_of_another_word_does_not(text):
    assert not addressed(text)


def test_mentions_replies_and_private_chats_address_the_bot():
    assert addressed(mentions=("gryag_bot",))
    assert addressed(mentioned_ids=(777,))
    assert addressed(reply_to_user_id=777)
    assert addressed("привіт", chat_type="private")
    assert not addressed(mentions=("other_bot",), reply_to_user_id=5)


@pytest.mark.parametrize("text", ["стоп", "Стоп!", "гряг, стоп", "@gryag_bot STOP", "Зупинись, гряг…", "stop 🛑"])
def test_stop_alone_asks_to_stop(text):
    assert asks_to_stop(text, bot_username="gryag_bot", bot_names=("гряг", "gryag"))


@pytest.mark.parametrize(
    "text", ["", "гряг", "стоп, а чому?", "стоп-кран", "не стоп", "гряг, що таке стоп?", "Taras, stop", "стоп стоп"]
)
def test_more_than_that_does_not(text):
    assert not asks_to_stop(text, bot_username="gryag_bot", bot_names=("гряг", "gryag"))


def test_the_address_is_taken_off_a_question():
    names = {"bot_username": "gryag_bot", "bot_names": ("гряг", "gryag")}
    assert without_address("Гряг, які правила?", **names) == "які правила?"
    assert without_address("@gryag_bot: які правила?", **names) == "які правила?"
    assert without_address("грягові що?", **names) == "грягові що?"
    assert without_address("гряг", **names) == "гряг"


@pytest.mark.parametrize("text", ["коли в нас підсумки?", "when do we meet again?!"])
def test_three_words_and_a_question_mark_ask_everybody(text):
    assert asks_everybody(asks(text))


@pytest.mark.parametrize("text", ["коли підсумки?", "коли в нас підсумки", ""])
def test_fewer_words_or_no_question_mark_do_not(text):
    assert not asks_everybody(asks(text))
