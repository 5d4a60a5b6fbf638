"""Chooses the facts for an answer: a short core of the chat's and the asker's, and those that the question picks.

All facts of a subject are one document, so the question is put to all of them: the chat's, the asker's, those of
members whom it means, and, when it means nobody, those of the last speakers ("who likes coffee?").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from types import MappingProxyType

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import may_speak
from shared.application.facts.profiles import ended_facts, open_members, subject_facts
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, reword
from shared.domain.facts.ranking import choose_foremost, score_fact
from shared.domain.recall.fact_ranking import ANSWERED, PickedFact, merge_ranked, pick_facts
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.question import SearchQuery

ANSWERING = 3
"""Facts of the chat that come before its core: those that answer the question best, for which there must be room."""

CHAT_CORE, ASKER_CORE = 3, 3
"""Facts of the chat and of the asker that are told whatever is asked: what binds the group, and whom it talks to."""

MEMBER_FACTS = 10
"""Facts about the asker, and about other members together, at most (chat public memory plan, section 5)."""

NAMED, SEARCHED = 5, 20
"""Members whose facts are searched, at most: of those whom a question means, and when it means nobody; a read each."""

DESCRIBED = 2
"""Members whose other facts are told, too, where what is asked for is about whoever a fact describes; the best ones."""

_LOOKED_BACK = 2_000
"""Messages among whose authors the latter are."""


@dataclass(frozen=True, slots=True)
class FactsToTell:
    """The facts that an answer is given.

    Attributes:
        chat, asker, members: Facts by whom they are about, best first.
        picked: Those among all of them that answer the question, best first.
        names: What these members are called, by user id.
    """

    chat: Sequence[ProfileFact] = ()
    asker: Sequence[ProfileFact] = ()
    members: Sequence[ProfileFact] = ()
    picked: Sequence[PickedFact] = ()
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def reword(self, tell: Callable[[str], str]) -> FactsToTell:
        """Return the same with the sentences of facts told otherwise."""
        chat, asker, members = ([reword(fact, tell) for fact in of] for of in (self.chat, self.asker, self.members))
        picked = [each._replace(fact=reword(each.fact, tell)) for each in self.picked]
        return replace(self, chat=chat, asker=asker, members=members, picked=picked)


async def choose_facts(
    store: DocumentStore,
    policy: Policy,
    state: ChatState,
    own: Mapping[str, Sequence[ProfileFact]],
    question: SearchQuery,
    corpus: Corpus,
    *,
    asker: int,
    headings: Mapping[str, str],
    now: datetime,
) -> FactsToTell:
    """Choose what a question is answered with.

    Costs a read for each member whose facts are searched, and one for each of those whose facts may be told; where a
    time is named or nothing answers, also a query for what is over of the chat, the asker and who is meant.

    Args:
        own: All facts of the chat and of the asker, best first (`subject_facts`).

    Raises:
        StoreUnavailable: The store did not answer.
    """
    meant, searched = _members(state, question, corpus, asker)
    subjects = [f"user:{user_id}" for user_id in searched]
    others = await subject_facts(store, policy, state, subjects, now=now, make=bool(meant)) if subjects else {}

    def strength(fact: ProfileFact) -> float:
        return score_fact(fact, now=now, half_life=policy.half_life, weights=policy.weights)

    told = [*chain(*own.values(), *others.values())]
    found = pick_facts(told, question, strength, headings)
    if _may_be_over(question, found):
        ended = await ended_facts(store, state, [*own, *(f"user:{each}" for each in meant)])
        found = pick_facts([*told, *ended], question, strength, headings) if ended else found
    answering = dict.fromkeys(each.fact.user_id for each in found if each.fact.user_id in searched)
    told_of = {*meant, *list(answering)[:MEMBER_FACTS]}
    names = await open_members(store, state, sorted(told_of)) if told_of else {}
    picked = [each for each in found if each.fact.subject in own or each.fact.user_id in names]
    of_each = MEMBER_FACTS // (len(meant) or DESCRIBED)
    # Whom a question only describes ("who works at the library?") may be asked about in the same breath.
    told_of_whole = meant or [each for each in answering if each in names][:DESCRIBED]
    best = [fact for each in told_of_whole if each in names for fact in others[f"user:{each}"][:of_each]]
    return replace(
        choose_own_facts(own, picked, question, asker=asker, limit=policy.chat_facts),
        members=merge_ranked([each.fact for each in picked if each.fact.subject in others], best, MEMBER_FACTS),
        picked=picked,
        names=names,
    )


def choose_own_facts(
    own: Mapping[str, Sequence[ProfileFact]],
    picked: Sequence[PickedFact],
    question: SearchQuery,
    *,
    asker: int,
    limit: int,
) -> FactsToTell:
    """Choose among the facts of the chat and the asker: the core and what was picked; where nothing was, the best.

    What was only counted is told where it is picked: nobody asks a group for its emoji.

    Args:
        limit: Facts of the chat, at most.
    """
    (chat, of_chat), (theirs, of_asker) = (
        (
            [each.fact for each in picked if each.fact.subject == subject],
            [fact for fact in own.get(subject, ()) if fact.authority is not Authority.STATISTICS],
        )
        for subject in ("chat", f"user:{asker}")
    )
    core = min(CHAT_CORE, limit) if picked else limit
    most = ASKER_CORE if picked and not question.by_asker else MEMBER_FACTS
    return FactsToTell(
        merge_ranked([*chat[:ANSWERING], *choose_foremost(of_chat, core)], chat, limit),
        merge_ranked(theirs, of_asker[:most], MEMBER_FACTS),
    )


def _may_be_over(question: SearchQuery, found: Sequence[PickedFact]) -> bool:
    """Return whether a question may be about what held once: it names a time, or no fact that holds answers it."""
    asks = not question.light_terms.issuperset(question.terms)
    return bool(question.spans) or (asks and all(each.relevance < ANSWERED for each in found))


def _members(
    state: ChatState, question: SearchQuery, corpus: Corpus, asker: int
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the other members whom a question means, and those whose facts are searched for it."""
    meant = [each for each in sorted(question.speakers) if each != asker and may_speak(state, each)][:NAMED]
    if meant or question.by_asker or question.light_terms.issuperset(question.terms):
        return meant, meant
    near = corpus.newest_speakers(_LOOKED_BACK)
    return (), [each for each in near if each != asker and may_speak(state, each)][:SEARCHED]
