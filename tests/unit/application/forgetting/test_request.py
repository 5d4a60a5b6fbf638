"""What is told of a forgetting: what went, what was searched, and what stays."""

from shared.application.forgetting.numbers_codec import ForgettingNumbers
from shared.application.forgetting.request import ForgettingRequest, opt_out_button, render_done
from shared.domain.delivery.markup import plain
from tests.support.builders import at
from tests.support.exports import app_on

CHAT, HANNA = -1001, 104
REQUEST = ForgettingRequest(CHAT, HANNA, at(0), 7)
COUNTS = {"messages": 3, "facts": 5, "notes": 7, "answers_of_the_bot": 9}


def told(store, *, request=REQUEST, counts=COUNTS, locked=0, opted_out=False):
    return render_done(app_on(store).policy, request, ForgettingNumbers(counts, 40, locked), opted_out=opted_out)


def test_what_is_told_names_what_went_what_was_searched_and_what_stays(sqlite_store):
    usual = plain(told(sqlite_store).html)
    assert all(number in usual for number in ("3", "5", "7", "9", "40"))
    old, locked = told(sqlite_store, counts=COUNTS | {"too_old_in_telegram": 61}), told(sqlite_store, locked=62)
    assert ("61" in plain(old.html), "61" in usual) == (True, False)
    assert ("62" in plain(locked.html), "62" in usual) == (True, False)


def test_of_a_whole_chat_the_sum_of_all_is_told(sqlite_store):
    assert "24" in plain(told(sqlite_store, request=REQUEST._replace(chat_id=HANNA)).html)
    assert "24" not in plain(told(sqlite_store).html)


def test_who_opted_out_is_not_offered_to_do_so_again(sqlite_store):
    button = opt_out_button(app_on(sqlite_store).policy, REQUEST)
    assert told(sqlite_store).buttons == ((button,),)
    opted_out = told(sqlite_store, opted_out=True)
    assert opted_out.buttons == ()
    assert opted_out.html != told(sqlite_store).html
