"""Items without a model: promises, requests, plans, topics and wishes found in talk by rules, uk and en."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from shared.domain.consolidation.commitments import commitments
from shared.domain.consolidation.items import Suggestion
from shared.domain.consolidation.likeness import gist
from shared.domain.consolidation.plans import plans
from shared.domain.consolidation.speakers import Speakers
from shared.domain.consolidation.threads import threads
from shared.domain.consolidation.wishes import KnownFact, wishes
from shared.domain.language import Language
from shared.domain.messages import Message


def suggest(
    messages: Sequence[Message], facts: Sequence[KnownFact], *, zone: tzinfo, language: Language
) -> list[Suggestion]:
    """What the talk suggests, surest first within each section; the same for the messages in any order.

    Args:
        messages: Of the last days, those of bots as well (a reply to one is a request to the bot).
        facts: Active facts about the chat; of those quoted in `messages` only, the quotes are used.
        zone: The chat's: "tomorrow" is a day of its calendar.
        language: Of the chat: in which lines are worded where the talk does not settle it.
    """
    talk = sorted(messages, key=lambda m: (m.sent_at, m.message_id))
    speakers = Speakers(talk)
    doing = [*plans(talk, zone), *commitments(talk, speakers, zone, language)]
    told = frozenset().union(*(gist(each.section, each.text.casefold()).terms for each in doing))
    topics = [topic for topic in threads(talk) if not gist(topic.section, topic.text.casefold()).terms <= told]
    return [*doing, *topics, *wishes(talk, facts, speakers.by_id)]
