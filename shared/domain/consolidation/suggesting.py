"""Items without a model: promises, requests, plans, topics and wishes found in talk by rules, uk and en."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from shared.domain.consolidation.findings.commitments import commitments
from shared.domain.consolidation.findings.plans import plans
from shared.domain.consolidation.findings.threads import threads
from shared.domain.consolidation.findings.wishes import KnownFact, wishes
from shared.domain.consolidation.items import Item, Section, Suggestion
from shared.domain.consolidation.likeness import gist, says_the_same
from shared.domain.consolidation.speakers import Speakers
from shared.domain.conversation.messages import Message
from shared.domain.text.language import Language, fold


def suggest(
    messages: Sequence[Message],
    facts: Sequence[KnownFact],
    *,
    zone: tzinfo,
    language: Language,
    known: Sequence[Item] = (),
) -> list[Suggestion]:
    """Return what the talk suggests, surest first within each section; the same for the messages in any order.

    Args:
        messages: Of the last days, those of bots as well (a reply to one is a request to the bot).
        facts: Active facts about the chat; of those quoted in `messages` only, the quotes are used.
        zone: The chat's: "tomorrow" is a day of its calendar.
        language: Of the chat: in which lines are worded where the talk does not settle it.
        known: The board so far.
    """
    talk = sorted(messages, key=lambda m: (m.sent_at, m.message_id))
    speakers = Speakers(talk)
    doing = list(plans(talk, zone, known))
    owed = [each for each in commitments(talk, speakers, zone, language) if not _is_done_by_all(each, doing)]
    topics = threads(talk, ongoing=_terms([*doing, *known], Section.ONGOING), pending=_terms(owed, Section.PENDING))
    return [*doing, *owed, *topics, *wishes(talk, facts, speakers.by_id)]


def _is_done_by_all(owed: Suggestion, doing: Sequence[Suggestion]) -> bool:
    """Return whether what nobody in particular owes is what the group is doing anyway ("we should record a demo")."""
    return ": " not in owed.text and any(says_the_same(Section.ONGOING, owed.text, plan.text) for plan in doing)


def _terms(said: Sequence[Suggestion | Item], section: Section) -> frozenset[str]:
    return frozenset[str]().union(*(gist(section, fold(s.text)).terms for s in said if s.section is section))
