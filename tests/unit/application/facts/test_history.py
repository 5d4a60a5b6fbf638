"""What was believed at any time can be asked."""

from datetime import timedelta

from shared.application.facts.history import facts_as_of
from shared.application.facts.moderation import drop_fact
from tests.support.facts.learning import HANNA, learn, roots, said
from tests.support.group import CHAT


async def test_what_was_believed_on_any_day_can_be_asked(group):
    app, days = group.runtime.app, []

    async def at_the_end_of_the_day():
        days.append(group.clock.now())
        group.clock.advance(timedelta(days=1))

    await at_the_end_of_the_day()
    await learn(group, await said(group, "Friday", 101))
    await at_the_end_of_the_day()
    await learn(group, await said(group, "friday", 103))
    await at_the_end_of_the_day()
    await learn(group, await said(group, "Saturday", 104))
    await at_the_end_of_the_day()
    (fact,) = await roots(group)
    await drop_fact(app, CHAT, fact.id, user_id=102, cause="no recap any more")
    await at_the_end_of_the_day()
    believed = [await facts_as_of(app.store, CHAT, "chat", day) for day in days]
    assert [[(f.value, len(f.evidence)) for f in facts] for facts in believed] == [
        [], [("friday", 1)], [("friday", 2)], [("saturday", 1)], [],
    ]  # fmt: skip
    assert believed[2][0].confidence > believed[1][0].confidence
    assert await facts_as_of(app.store, CHAT, HANNA, days[-1]) == []
