"""Where a command was given is read back from its task as it was, and from no other task."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.chat_codec import read_chat
from shared.application.commands.call import CommandCall
from shared.application.commands.later import CommandOrigin, leave_to_worker, place_of
from shared.application.commands.table import COMMANDS
from shared.application.delivery.answer import SILENCE
from shared.application.payload_codec import read_payload
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import BadPayload, ChatUnavailable, QueueUnavailable
from tests.support.builders import message

CHAT = -1001
IDS = st.integers(-(1 << 53), 1 << 53)
ORIGINS = st.builds(CommandOrigin, IDS, IDS, st.none() | IDS, st.sampled_from(["uk", "en"]))


@given(ORIGINS)
def test_an_origin_is_read_back_from_its_payload(origin):
    assert read_payload(CommandOrigin, origin._asdict() | {"what": "else the task needs"}) == origin


@given(
    ORIGINS, st.sampled_from(["chat_id", "message_id", "thread_id", "language"]), st.sampled_from([True, "7", 1.5, []])
)
def test_an_origin_with_one_wrong_field_is_refused(origin, field, wrong):
    with pytest.raises(BadPayload, match="needs chat_id, message_id, thread_id, language"):
        read_payload(CommandOrigin, origin._asdict() | {field: wrong})


def test_a_payload_without_its_fields_is_refused():
    with pytest.raises(BadPayload):
        read_payload(CommandOrigin, {})


def test_in_the_chat_where_it_was_given_a_command_has_its_id_and_in_the_supergroup_the_moved_one():
    origin = CommandOrigin(-5, 7, None, "uk")
    assert origin.message_in(-5) == 7
    assert origin.message_in(-1001) == migrated_message_id(7)


@given(ORIGINS, ORIGINS)
def test_two_commands_have_one_mark_only_when_they_are_one(one, other):
    same = (one.chat_id, one.message_id) == (other.chat_id, other.message_id)
    assert (one.mark == other.mark) is same


class Peers:
    """A queue and a Telegram at once; either may be out of reach."""

    def __init__(self, *, queue_away=False, telegram_away=False):
        self.jobs, self.typing = [], []
        self._queue_away, self._telegram_away = queue_away, telegram_away

    async def job(self, job, *, mark, payload):
        if self._queue_away:
            raise QueueUnavailable("away")
        self.jobs.append((job, mark, payload))

    async def show_typing(self, chat_id, *, thread_id):
        if self._telegram_away:
            raise ChatUnavailable("away")
        self.typing.append((chat_id, thread_id))


def given_command():
    said = message("/gryadprofile", chat_id=CHAT, message_id=7, thread_id=3)
    return CommandCall(COMMANDS["gryadprofile"], read_chat(CHAT, None), None, said, "", "uk")


@pytest.mark.parametrize("away", [False, True])
async def test_the_worker_is_asked_whether_or_not_telegram_shows_that_the_bot_is_at_it(away):
    peers, call = Peers(telegram_away=away), given_command()
    assert await leave_to_worker(peers, peers, call, "portrait", place_of(call)) == SILENCE
    assert peers.jobs == [("portrait", f"{CHAT}-7", place_of(call))]
    assert peers.typing == ([] if away else [(CHAT, 3)])
    assert read_payload(CommandOrigin, peers.jobs[0][2]) == CommandOrigin(CHAT, 7, 3, "uk")


async def test_when_the_worker_cannot_be_asked_nothing_is_promised():
    peers = Peers(queue_away=True)
    with pytest.raises(QueueUnavailable):
        await leave_to_worker(peers, peers, given_command(), "portrait", {})
    assert peers.typing == []


async def test_the_word_in_private_or_in_reply_to_the_bot_is_enough(group):
    await group.say("стоп")
    assert group.answers == []
    bot = {"id": 123456, "is_bot": True, "first_name": "gryag", "username": "gryag_bot"}
    await group.say("стоп", reply_to_message={**group.says("?")["message"], "from": bot})
    assert group.answers == ["Зараз я нічого для вас не пишу."]
