"""Items without a model: promises, requests, plans, topics and wishes found in talk by rules, uk and en."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from shared.domain.consolidation.findings.commitments import commitments
from shared.domain.consolidation.findings.plans import plans
from shared.domain.consolidation.findings.threads import threads
from shared.domain.consolidation.findings.wishes import wishes
from shared.domain.consolidation.items import Item, Section, Suggestion, owner_of
from shared.domain.consolidation.likeness import gist, says_the_same
from shared.domain.consolidation.speakers import Speakers
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact
from shared.domain.text.language import Language, fold

ALL_OF_US = ("Усі", "Everyone")
"""The names for everybody, when all are asked."""


def suggest(
    messages: Sequence[Message],
    facts: Sequence[ProfileFact],
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
        known: The items so far.
    """
    talk = sorted(messages, key=lambda m: (m.sent_at, m.message_id))
    speakers = Speakers(talk)
    doing = list(plans(talk, zone, known))
    owed = [
        each
        for each in drop_taken(commitments(talk, speakers, zone, language))
        if owner_of(each.text)[0] or not any(says_the_same(Section.ONGOING, each.text, plan.text) for plan in doing)
    ]  # less what nobody in particular owes and the group is doing anyway ("we should record a demo")
    topics = threads(talk, ongoing=_terms([*doing, *known], Section.ONGOING), pending=_terms(owed, Section.PENDING))
    return [*doing, *owed, *topics, *wishes(talk, facts, speakers.by_id)]


def _terms(said: Sequence[Suggestion | Item], section: Section) -> frozenset[str]:
    return frozenset[str]().union(*(gist(section, fold(s.text)).terms for s in said if s.section is section))


def drop_taken(found: Sequence[Suggestion]) -> list[Suggestion]:
    """The items without requests that somebody else has taken on since; what they took on tells who asked.

    Args:
        found: Pending suggestions in the order of the talk.
    """
    kept: list[Suggestion] = []
    for suggestion in found:
        earlier = next((n for n, other in enumerate(kept) if _takes(suggestion, other)), None)
        if earlier is None:
            kept.append(suggestion)
        else:
            quotes = tuple(dict.fromkeys([kept[earlier].quotes[0], *suggestion.quotes]))
            kept[earlier] = replace(suggestion, quotes=quotes, due=suggestion.due or kept[earlier].due)
    return kept


def _takes(promise: Suggestion, request: Suggestion) -> bool:
    """Return whether a later item is an earlier one taken on: the same task, and another owner who is not all of us."""
    (whose, task), (asked, wanted) = owner_of(promise.text), owner_of(request.text)
    if not whose or whose in ALL_OF_US or asked in ALL_OF_US or (asked == whose and len(promise.quotes) == 1):
        return False
    by_two = promise.quotes[0][0] != request.quotes[0][0] or len(promise.quotes) > 1
    return by_two and says_the_same(Section.PENDING, fold(task), fold(wanted))
