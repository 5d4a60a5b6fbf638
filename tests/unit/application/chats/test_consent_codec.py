"""Who opted out is read back with what they are called; who opted in again is not."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.consent_codec import (
    consent_of,
    hearsay_fields,
    opt_in_fields,
    opt_out_fields,
    read_seen_names,
    seen_name,
    seen_names_fields,
)
from shared.application.ports.store import ArrayUnion, Document
from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.forgotten import Hearsay

ids = st.integers(min_value=1, max_value=2**40)


@given(opted_out=st.frozensets(ids, min_size=1), name=st.text(min_size=1))
def test_the_names_of_who_opted_in_again_do_not_count(opted_out, name):
    names = [seen_name(user_id, name) for user_id in sorted(opted_out)]
    data = {"opted_out": sorted(opted_out), "opted_out_names": names}
    assert consent_of(data)["opted_out_names"] == {name_mark(name)}
    for user_id in sorted(opted_out):
        data |= opt_in_fields(user_id, consent_of(data)["opted_out"], data["opted_out_names"])
    assert data == {"opted_out": [], "opted_out_names": []}
    assert consent_of({"opted_out_names": names})["opted_out_names"] == frozenset()


def test_opting_out_adds_to_what_is_stored():
    assert opt_out_fields(7) == {"opted_out": ArrayUnion((7,))}
    called = ArrayUnion((seen_name(7, "Оля"), seen_name(7, "olya")))
    assert opt_out_fields(7, "Оля", "olya") == {"opted_out": ArrayUnion((7,)), "opted_out_names": called}
    assert seen_names_fields(7, "Оля", "olya") == {"opted_out_names": called}


def test_a_document_of_an_earlier_day_leaves_nobody_out():
    assert consent_of({}) == {"opted_out": frozenset(), "opted_out_names": frozenset(), "hearsay": Hearsay()}
    assert consent_of(hearsay_fields(Hearsay())) == consent_of({})
    assert read_seen_names(None) == read_seen_names(Document("chats/-1", {"opted_out_names": None})) == ()
