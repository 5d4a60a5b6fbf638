"""The call that stands in a webhook's response."""

from infra.telegram.reply import call_for
from shared.domain.intake.updates import Acknowledgement
from tests.support.telegram.bot_api_rules import check_call


def test_a_press_is_acknowledged_by_a_call_that_telegram_takes_with_words_or_without():
    for acknowledges, shown in ((Acknowledgement("7"), {}), (Acknowledgement("7", "ні"), {"text": "ні"})):
        call = dict(call_for(acknowledges))
        assert call.pop("method") == "answerCallbackQuery"
        assert check_call("answerCallbackQuery", call) == {"callback_query_id": "7"} | shown
