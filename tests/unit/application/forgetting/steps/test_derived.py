"""What was made of forgotten words goes or is made anew, and what others chose and said stays."""

from shared.application.documents import (
    chat_path,
    learning_path,
    member_path,
    messages_path,
)
from shared.application.facts.codec import fact_to_fields
from shared.application.forgetting.forget import forget_member
from tests.support.builders import evidence
from tests.support.exports import NOW
from tests.support.forgetting.facts_told import believed, rule
from tests.support.forgetting.small_group import CHAT, HANNA, TARAS, begun, put


async def test_what_was_made_of_everybody_is_made_anew_and_what_others_chose_stays(app, sqlite_store):
    await begun(sqlite_store, culture_summary="x", culture_of=[HANNA], settings={"language": "uk"})
    await put(sqlite_store, 1)
    await sqlite_store.set(member_path(CHAT, TARAS), {"name": "Тарас", "profile_text": "x", "profile_of": 1})
    await sqlite_store.set(member_path(CHAT, 105), {"name": "Оля"})
    for subject in ("chat", f"user:{TARAS}", "user:105"):
        await sqlite_store.set(learning_path(CHAT, subject), {"summarized": True, "summary_of": "x"})
    await forget_member(app, CHAT, HANNA)
    chat, taras = await sqlite_store.get_many([chat_path(CHAT), member_path(CHAT, TARAS)])
    assert {name for name in chat.data if name.startswith("culture_")} == set()
    assert (chat.data["settings"], taras.data) == ({"language": "uk"}, {"name": "Тарас"})
    marks = [(await sqlite_store.get(learning_path(CHAT, s))).data for s in ("chat", f"user:{TARAS}", "user:105")]
    assert [mark["summarized"] for mark in marks] == [False, False, True]
    assert [mark["summary_of"] for mark in marks] == [None, None, "x"]


async def test_where_no_portrait_was_made_none_is_to_be_made_anew(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    await sqlite_store.set(learning_path(CHAT, "chat"), {"summarized": True, "summary_of": "x"})
    await forget_member(app, CHAT, HANNA)
    assert (await sqlite_store.get(learning_path(CHAT, "chat"))).data["summarized"] is True


async def test_what_the_group_was_asked_about_facts_that_are_gone_is_dropped(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    for name in ("stays", "goes"):
        await sqlite_store.set(f"{chat_path(CHAT)}/questions/{name}", {"fact": name})
    kept = believed(rule("politics", evidence(9, user_id=TARAS)))
    await sqlite_store.set(f"{chat_path(CHAT)}/facts/stays", fact_to_fields(kept))
    await forget_member(app, CHAT, HANNA)
    assert [d.id for d in await sqlite_store.query(f"{chat_path(CHAT)}/questions")] == ["stays"]


async def test_a_quote_of_theirs_is_taken_out_of_what_others_say(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1, "quasars dance all night")
    fields = {"origin_ids": [HANNA], "origin_names": ["x"], "origin_at": NOW}
    await put(sqlite_store, 2, "so they do", user_id=TARAS, quote="quasars dance all", fields=fields)
    await forget_member(app, CHAT, HANNA)
    (kept,) = await sqlite_store.query(messages_path(CHAT))
    assert (kept.data["text"], kept.data["quote"]) == ("so they do", None)
    assert not kept.data.keys() & {"origin_ids", "origin_names"}
