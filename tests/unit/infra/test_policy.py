"""The keys that come of the bot's token, and what the use cases are told of who the bot is."""

from infra.policy import log_key, policy_from
from shared.settings import Settings


def settings(token=None):
    return Settings.from_env({} if token is None else {"TELEGRAM_BOT_TOKEN": token})


def test_each_instance_with_the_same_token_has_the_same_keys_and_another_token_others():
    first, again, other = (policy_from(settings(token)).button_key for token in ("1:aa", "1:aa", "1:bb"))
    assert first == again != other
    assert log_key(settings("1:aa")) == log_key(settings("1:aa")) != log_key(settings("1:bb"))


def test_who_knows_how_the_log_names_chats_cannot_seal_a_button():
    assert policy_from(settings("1:aa")).button_key != log_key(settings("1:aa"))
    assert b"1:aa" not in log_key(settings("1:aa"))


def test_the_bot_has_the_id_of_its_token_and_none_without_one():
    assert policy_from(settings("123456:secret")).bot_id == 123456
    assert policy_from(settings()).bot_id == 0
