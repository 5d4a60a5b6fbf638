"""Fields of an exported record: ids and times as the Bot API gives them; a wrong one fails its message only."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.telegram.export import LeftOut
from shared.domain.conversation.messages import Message, migrated_message_id
from tests.support.telegram.export import CHAT, START, exported
from tests.unit.infra.telegram.export.records import one, read


def test_speakers_have_the_ids_that_the_bot_api_gives():
    assert one(exported(1, from_id="channel1234567890")).user_id == CHAT
    assert one(exported(1, from_id="channel1234567890")).is_admin is True
    assert one(exported(1, from_id="channel987654321")).user_id == -1000987654321
    assert one(exported(1, from_id="chat55")).user_id == -55
    assert one(exported(1, from_id=4242)).user_id == 4242


def test_a_deleted_account_is_called_by_its_id():
    assert one(exported(1, name=None)).name == "101"
    assert one(exported(1, name="\u200b ")).name == "101"


def test_the_history_of_the_basic_group_that_a_supergroup_was_sorts_first():
    old = one(exported(-999_999_990, reply_to_message_id=-999_999_995, date_unixtime=str(START)))
    assert (old.message_id, old.reply_to) == (migrated_message_id(10), migrated_message_id(5))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"type": "hologram"}, "of an unknown type 'hologram'"),
        ({"type": None}, "of an unknown type"),
        ({"id": "1"}, '"id" must be a whole number'),
        ({"id": 0}, '"id" is missing'),
        ({"id": -5_000_000_000}, '"id" is missing'),
        ({"from_id": "robot7"}, '"from_id" is not like "user123"'),
        ({"from_id": None}, '"from_id" is not like'),
        ({"from_id": True}, '"from_id" is not like'),
        ({"from": 5}, '"from" must be text'),
        ({"text": 5}, '"text" is neither'),
        ({"text": [{"type": "bold"}]}, '"text" is neither'),
        ({"text": "я" * 40_000}, "40000 characters"),
        ({"date_unixtime": "soon"}, '"date" is no time'),
        ({"date_unixtime": "-5"}, '"date" is no time'),
        ({"date_unixtime": "9" * 30}, '"date" is no time'),
        ({"date_unixtime": None, "date": "yesterday"}, '"date" is no time'),
        ({"date_unixtime": None, "date": None}, '"date" is missing'),
        ({"edited_unixtime": []}, '"edited" is no time'),
        ({"reply_to_message_id": "5"}, '"reply_to_message_id" must be a whole number'),
    ],
)
def test_a_wrong_field_is_named_and_fails_its_message_only(change, complaint):
    wrong = {key: value for key, value in (exported(1) | change).items() if value is not None}
    bad, good = read(wrong, exported(2))
    assert bad.failed
    assert complaint in bad.reason
    assert good.message_id == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*sorted(exported(1)), "edited", "media_type", "photo"]), json_values))
def test_any_record_is_read_or_refused(change):
    read_ = one(exported(1) | change)
    assert isinstance(read_, Message | LeftOut)
    if isinstance(read_, Message):
        assert "\ud800" not in read_.text
        read_.text.encode()


def test_older_exports_have_only_local_time_which_counts_as_utc():
    assert one(exported(1, date_unixtime=None)).sent_at == datetime(2026, 10, 26, 12, tzinfo=UTC)
