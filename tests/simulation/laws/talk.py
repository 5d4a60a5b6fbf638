"""Laws of what an answer is made from: what was said before it was asked, and what came later as just that."""

from __future__ import annotations

import re
from math import inf

from tests.simulation.observing import Observer
from tests.simulation.story import Said, Story
from tests.simulation.world import World

_SURELY_SHOWN = 5
"""The last messages before a question are shown whatever else there is (`IMMEDIATE`)."""

_LATER = re.compile(r"<later>.*?</later>", re.DOTALL)


async def answers_know_what_was_said_before(world: World, story: Story, observer: Observer) -> list[str]:
    """A model that answers is told the last words before the question, and none of those after it as if before.

    So it is in a group that has become a supergroup. Who is asked under its old id when that is so is not judged: for a
    minute an instance may not know of it, and read only what has not moved yet.
    """
    problems = []
    by_update = {said.update_id: said for said in story.said}
    for call in world.model_calls:
        asked = by_update.get(call.task.get("update_id", 0))
        if call.purpose != "answer" or asked is None or story.moved_at.get(asked.chat_id, inf) < call.begun:
            continue
        asked_since = observer.answers[str(asked.update_id)].since
        for said in story.said:
            is_there = said.chat_id == asked.chat_id
            if not is_there and story.moved.get(said.chat_id) == asked.chat_id:
                # Telegram delivers the old chat and the new one each in its order, and neither after the other.
                is_there = story.deliverer.delivered.get(said.update_id, inf) < asked_since
            if not is_there or not _is_usable(story, said) or said.at > call.begun:
                continue
            since = said.message_id - asked.message_id
            if said.chat_id != asked.chat_id:
                since -= story.last_before[said.chat_id]
            what = f"question {asked.update_id} ({asked.message_id}) of message {said.message_id}: {said.text}"
            always_said = all(said.word in text for text in said.was)  # else it may be told as it was between two edits
            if -_SURELY_SHOWN <= since < 0 and always_said and said.word not in call.talk + call.found:
                problems.append(f"{what!r} was said before and not told")
            if since > 0 and said.word in call.talk:
                problems.append(f"{what!r} was said later and told as if before")
    return problems


async def what_was_read_is_found_at_once(world: World, story: Story, observer: Observer) -> list[str]:
    """At no instant is a message neither unread, where recent talk is looked for, nor in the index.

    The index of a group that became a supergroup is made anew: meanwhile the newest are looked for read or unread. What
    somebody said who opted out is hidden, and found again only when they opt in.
    """
    moved = {*story.moved, *story.moved.values()}
    hidden = {(said.chat_id, said.message_id) for said in story.said if story.is_left_out(said)}
    return [
        f"message {message_id} of {chat_id} was read at {observer.read_at[chat_id, message_id]} and found from {at} on"
        for (chat_id, message_id), at in observer.found_at.items()
        if chat_id not in moved
        and (chat_id, message_id) not in hidden
        and at > observer.read_at.get((chat_id, message_id), at)
    ]


def _is_usable(story: Story, said: Said) -> bool:
    is_talk = bool(said.word) and said.word in said.text and not said.text.startswith("/")
    return is_talk and not story.is_left_out(said) and not story.names_erased(said)
