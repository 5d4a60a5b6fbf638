"""The facts of a profile are read back as they were."""

import json

from hypothesis import given
from hypothesis import strategies as st

from shared.application.documents import profile_path
from shared.application.facts.profile_codec import FORMAT, profile_fields, read_profile, row_bytes
from shared.application.ports.store import Document
from shared.domain.facts.profile import profile_fact
from tests.support.builders import START
from tests.unit.application.facts.lives import live, lives


@given(life=lives, name=st.text())
def test_what_is_written_is_read_back(life, name):
    facts = [profile_fact(change.belief, {1: name}) for change in live(life)]
    fields = profile_fields(facts, made_at=START)
    assert read_profile(Document(profile_path(-1, "chat"), fields), "chat") == facts
    rows = sum(row_bytes(fact) - len("[]") + len(", ") for fact in facts)
    assert rows == len(fields["facts"].encode("utf-8", "surrogatepass"))


def test_a_profile_of_another_format_is_none():
    for earlier in range(1, FORMAT):
        old = {"schema": 1, "format": earlier, "facts": json.dumps([])}
        assert read_profile(Document(profile_path(-1, "chat"), old), "chat") is None
    assert read_profile(Document(profile_path(-1, "chat"), {"schema": 1}), "chat") is None
    assert read_profile(None, "chat") is None
