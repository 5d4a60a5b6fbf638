"""What a model is asked for when ten nodes become one summary."""

from shared.application.chats.chat_codec import ChatState
from shared.application.policy import Policy
from shared.application.reading.notes.metas import meta_request

POLICY = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг",))
NODES = ["Оля везе чай.", "", "Тарас везе воду.", ""]


WISHED = ChatState(-100, prompts={"meta": "по днях"})


def test_only_the_pieces_that_are_shown_are_counted():
    (told,) = meta_request(POLICY, WISHED, NODES).turns[0].parts
    assert told.startswith("Below are 2 summaries of one talk")
    assert told.endswith('<summaries>\n"Оля везе чай."\n"Тарас везе воду."\n</summaries>')


def test_nothing_is_asked_where_nothing_is_told():
    assert meta_request(POLICY, WISHED, ["", ""]) is None


def test_nothing_is_asked_where_admins_wish_nothing_of_it():
    assert meta_request(POLICY, ChatState(-100), NODES) is None
